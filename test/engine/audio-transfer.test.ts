import { afterEach, describe, expect, test } from 'vitest'
import { completed } from '../fakes/adapter.ts'
import { doubt, listQuery, MINUTE, refused, SECOND } from '../fakes/records.ts'
import {
  audioInput,
  EXTERNAL,
  held,
  NOT_HOSTED,
  noAudio,
  openAudioStage,
  problemOf,
  sentBy,
  type AudioBackend,
  type AudioStage,
  type ScriptedCarrier,
} from './audio.ts'
import type { Engine, EngineOptions } from './harness.ts'

let engine: Engine
let backend: AudioBackend
let carrier: ScriptedCarrier
let underway: AudioStage['underway']
const start = async (options: EngineOptions = {}): Promise<void> => {
  ;({ engine, backend, carrier, underway } = await openAudioStage(options))
}
afterEach(async () => {
  await engine.videos.stop()
  expect(carrier.left).toBe(0)
  await engine.destroy()
})

const input = audioInput()
const sent = () => sentBy(backend)
const known = () => engine.videos.list('acme', listQuery())

describe('audio that the backend does not host', () => {
  test('is brought there, and the create goes again under a new key', async () => {
    await start()
    backend.creates.push(NOT_HOSTED())
    const { video } = await engine.create({
      input,
      webhookUrl: 'https://hooks.example/',
      webhookEvents: ['video.queued'],
    })
    expect(video).toMatchObject({ phase: 'waiting', status: 'queued', told: true, transfer: { step: 'done' } })
    await engine.pass(SECOND)
    const hosted = `https://storage.example/${video.id}.audio.1`
    expect(await engine.record(video.id)).toMatchObject({
      phase: 'accepted',
      attempt: 2,
      input: { audio_url: EXTERNAL },
    })
    expect(sent()).toEqual([
      ['.1', EXTERNAL],
      ['.2', `${hosted}?sig=s`],
    ])
    expect(carrier.fetched).toEqual([EXTERNAL])
    expect(carrier.put).toEqual([`https://storage.example/put/${video.id}.audio.1`])
    expect((await engine.videos.timeline(video.id)).map(({ type, detail }) => [type, detail])).toEqual([
      ['created', 'for backend main'],
      ['dispatched', 'attempt 1'],
      ['waiting', 'audio_transfer'],
      ['audio_transferred', 'audio/wav, 5 bytes'],
      ['dispatched', 'attempt 2'],
      ['accepted', 'job_1'],
    ])
    expect((await engine.store.deliveriesOf(video.id)).map(({ event }) => event.type)).toEqual(['video.queued'])
  })

  test('holds no slot and nobody up while it is on its way', async () => {
    await start({ account: { slots: 1 } })
    const { video, fetch } = await underway()
    expect(await engine.videos.render(video)).toMatchObject({ status: 'queued', queue: { reason: 'audio_transfer' } })
    expect(await engine.store.queue(engine.account.id)).toMatchObject({ held: 0, waiting: 1 })
    // A first attempt of another's, with its answer.
    backend.creates.push(refused({ code: 'insufficient_credits' }))
    expect((await problemOf(engine.create())).code).toBe('insufficient_credits')
    expect((await engine.create()).video.phase).toBe('accepted')
    fetch.resolve(noAudio('audio_unreachable'))
  })

  test('where it is not wanted, the refusal stands', async () => {
    await start({ transferAudio: false })
    backend.creates.push(NOT_HOSTED())
    expect((await problemOf(engine.create({ input }))).code).toBe('upload_not_found')
    expect(carrier.fetched).toEqual([])
    expect(await known()).toEqual([])
  })

  test('is brought once: what the backend then still does not know fails', async () => {
    await start()
    backend.creates.push(NOT_HOSTED(), NOT_HOSTED())
    const { video } = await engine.create({ input })
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ status: 'failed', error: { code: 'upload_not_found' } })
    expect([carrier.fetched.length, sent().length]).toEqual([1, 2])
  })

  test('a doubt about the second create is resolved with its own bytes and key', async () => {
    await start()
    backend.creates.push(NOT_HOSTED(), doubt())
    const { video } = await engine.create({ input })
    await engine.pass(MINUTE)
    expect((await engine.record(video.id)).phase).toBe('accepted')
    expect(sent().map(([key]) => key)).toEqual(['.1', '.2', '.2'])
  })

  test('is brought as well for one that met a full account first', async () => {
    await start({ account: { slots: 1 } })
    const first = await engine.create()
    const { video } = await engine.create({ input })
    expect(video.phase).toBe('waiting')
    backend.creates.push(NOT_HOSTED())
    backend.polls.push(completed())
    await engine.pass(20 * SECOND)
    expect((await engine.record(first.video.id)).status).toBe('completed')
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', attempt: 2 })
  })
})

describe('audio that cannot be had', () => {
  test.each([
    ['audio_url_not_allowed', 422],
    ['audio_unreachable', 422],
    ['file_too_large', 413],
    ['unsupported_media_type', 415],
  ] as const)('%s is the answer of a client that listens, and leaves nothing', async (code, status) => {
    await start()
    backend.creates.push(NOT_HOSTED())
    carrier.fetches.push(noAudio(code))
    const refusal = await problemOf(engine.create({ input }, 'key-1'))
    expect(refusal).toMatchObject({ code, status, extras: { param: 'audio_url', retryable: false } })
    expect(await known()).toEqual([])
    // Its key is free.
    expect((await engine.create({ input }, 'key-1')).replayed).toBe(false)
  })

  test('fails the video of a client that was told 202', async () => {
    await start()
    const { video, fetch } = await underway({ webhookUrl: 'https://hooks.example/' })
    expect(video.told).toBe(true)
    fetch.resolve(noAudio('audio_unreachable', true))
    await engine.pass(SECOND)
    expect(await engine.record(video.id)).toMatchObject({
      status: 'failed',
      error: { code: 'audio_unreachable', retryable: true, backend_error: null },
    })
    expect((await engine.store.deliveriesOf(video.id)).map(({ event }) => event.type)).toEqual(['video.failed'])
    expect(sent()).toHaveLength(1)
  })

  test('fails the video of a client that was told 202, though the store could not say so', async () => {
    await start()
    const { change } = engine.store
    const fetch = held()
    carrier.fetches.push(fetch.promise)
    backend.creates.push(NOT_HOSTED())
    const creating = engine.create({ input })
    await engine.pass(9 * SECOND)
    engine.store.change = () => Promise.reject(new Error('busy'))
    await engine.pass(2 * SECOND)
    const { video } = await creating
    engine.store.change = change
    expect(await engine.record(video.id)).toMatchObject({ told: false, status: 'queued' })
    fetch.resolve(noAudio('audio_unreachable'))
    await engine.pass(SECOND)
    expect(await engine.record(video.id)).toMatchObject({ told: true, status: 'failed' })
  })

  test('the same key meanwhile: the first request is still running', async () => {
    await start()
    backend.creates.push(NOT_HOSTED())
    const fetch = held()
    carrier.fetches.push(fetch.promise)
    const first = engine.create({ input }, 'key-1')
    await engine.pass(SECOND)
    expect((await problemOf(engine.create({ input }, 'key-1'))).code).toBe('idempotency_key_in_progress')
    await engine.pass(10 * SECOND)
    expect((await engine.create({ input }, 'key-1')).replayed).toBe(true)
    fetch.resolve(noAudio('audio_unreachable'))
    expect((await first).video.status).toBe('queued')
  })

  test('a canceled video is canceled, whatever becomes of its audio', async () => {
    await start()
    const { video, fetch } = await underway()
    expect((await engine.videos.cancel(video)).status).toBe('canceled')
    fetch.resolve(noAudio('audio_unreachable'))
    await engine.pass(MINUTE)
    expect((await engine.record(video.id)).status).toBe('canceled')
    expect(sent()).toHaveLength(1)
  })
})
