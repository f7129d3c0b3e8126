import { afterEach, describe, expect, test } from 'vitest'
import type { FetchOutcome } from '../../src/core/audio.ts'
import { Problem } from '../../src/core/errors.ts'
import { completed } from '../fakes/adapter.ts'
import { must } from '../fakes/must.ts'
import { doubt, HOUR, MINUTE, problem, refused, SECOND } from '../fakes/records.ts'
import {
  audioBackend,
  audioInput,
  EXTERNAL,
  held,
  NOT_HOSTED,
  scriptedCarrier,
  writeRefused,
  type AudioBackend,
  type ScriptedCarrier,
} from './audio.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

let engine: Engine
let backend: AudioBackend
let carrier: ScriptedCarrier
const start = async (options: EngineOptions = {}): Promise<void> => {
  carrier = scriptedCarrier()
  const adapter = (now: () => number) => (backend = audioBackend(now))
  engine = await openEngine({ adapter, carrier, ...options })
  engine.videos.start()
}
afterEach(async () => {
  await engine.videos.stop()
  expect(carrier.left).toBe(0)
  await engine.destroy()
})

const input = audioInput()
const problemOf = async (work: Promise<unknown>): Promise<Problem> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof Problem)) throw new Error(`no problem but ${String(error)}`)
  return error
}
const failed = (code: Extract<FetchOutcome, { ok: false }>['code'], retryable = false): FetchOutcome => ({
  ok: false,
  code,
  message: 'no audio',
  retryable,
})
const sent = () =>
  backend.callsOf('create').map((call) => {
    if (call.operation !== 'create') throw new Error('unreachable')
    const body = JSON.parse(must(call.wire.body)) as { audio: string | null }
    return [call.wire.headers['idempotency-key']?.slice(-2), body.audio]
  })
const known = async () =>
  engine.videos.list('acme', {
    limit: 9,
    before: null,
    status: null,
    backend: null,
    createdAfterMs: null,
    createdBeforeMs: null,
  })
/** Created, its audio on the way, and its client told so. */
const underway = async (given: Parameters<Engine['create']>[0] = {}) => {
  backend.creates.push(NOT_HOSTED())
  const fetch = held()
  carrier.fetches.push(fetch.promise)
  const creating = engine.create({ input, ...given })
  await engine.pass(11 * SECOND)
  const { video } = await creating
  return { video, fetch }
}

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
    expect(await engine.store.counts(engine.account.id)).toMatchObject({ held: 0, waiting: 1 })
    // A first attempt of another's, with its answer.
    backend.creates.push(refused({ code: 'insufficient_credits' }))
    expect((await problemOf(engine.create())).code).toBe('insufficient_credits')
    expect((await engine.create()).video.phase).toBe('accepted')
    fetch.resolve(failed('audio_unreachable'))
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
    backend.looks.push(completed())
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
    carrier.fetches.push(failed(code))
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
    fetch.resolve(failed('audio_unreachable', true))
    await engine.pass(SECOND)
    expect(await engine.record(video.id)).toMatchObject({
      status: 'failed',
      error: { code: 'audio_unreachable', retryable: true, backend_error: null },
    })
    expect((await engine.store.deliveriesOf(video.id)).map(({ event }) => event.type)).toEqual(['video.failed'])
    expect(sent()).toHaveLength(1)
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
    fetch.resolve(failed('audio_unreachable'))
    expect((await first).video.status).toBe('queued')
  })

  test('a canceled video is canceled, whatever becomes of its audio', async () => {
    await start()
    const { video, fetch } = await underway()
    expect((await engine.videos.cancel(video)).status).toBe('canceled')
    fetch.resolve(failed('audio_unreachable'))
    await engine.pass(MINUTE)
    expect((await engine.record(video.id)).status).toBe('canceled')
    expect(sent()).toHaveLength(1)
  })
})

describe('what passes is waited for', () => {
  test.each<[string, () => void]>([
    ['a backend that is away', () => backend.uploads.push({ kind: 'unreachable', problem: problem(), rate: null })],
    ['a reservation in doubt', () => backend.uploads.push({ kind: 'doubt', problem: problem(), rate: null })],
    [
      'a refusal that passes',
      () => backend.uploads.push(writeRefused({ code: 'backend_unavailable', retryable: true })),
    ],
    ['storage that breaks', () => void carrier.puts.push({ kind: 'failed', message: 'broken' })],
    ['a fault of our own', () => void carrier.fetches.push(new Error('ENOSPC'))],
  ])('%s', async (_name, arrange) => {
    await start()
    backend.creates.push(NOT_HOSTED())
    arrange()
    const { video } = await engine.create({ input })
    expect(video).toMatchObject({ phase: 'waiting', told: true, transfer: { step: 'needed', tries: 1 } })
    await engine.pass(10 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
    // The same key: nothing is reserved twice.
    expect(new Set(backend.uploadKeys).size).toBe(1)
    expect(carrier.fetched).toHaveLength(2)
  })

  test('but not for ever', async () => {
    await start()
    backend.creates.push(NOT_HOSTED())
    carrier.puts.push(...Array.from({ length: 50 }, () => ({ kind: 'failed', message: 'broken' }) as const))
    const { video } = await engine.create({ input })
    await engine.pass(HOUR / 4)
    expect(await engine.record(video.id)).toMatchObject({ status: 'failed', error: { code: 'backend_unavailable' } })
    expect(carrier.fetched).toHaveLength(10)
  })

  test.each<[string, () => void]>([
    ['other audio under the first key', () => backend.uploads.push(writeRefused({ code: 'idempotency_key_conflict' }))],
    ['a place that takes it no more', () => void carrier.puts.push({ kind: 'refused', message: 'there already' })],
  ])('%s: a second reservation, and no third', async (_name, arrange) => {
    await start()
    backend.creates.push(NOT_HOSTED())
    arrange()
    const { video } = await engine.create({ input })
    expect(backend.uploadKeys).toEqual([`${video.id}.audio.1`, `${video.id}.audio.2`])
    expect(video.transfer?.step).toBe('done')
    await engine.pass(SECOND)
    backend.creates.push(NOT_HOSTED())
    arrange()
    arrange()
    const refusal = await problemOf(engine.create({ input: audioInput({ audio_url: 'https://files.example/b.wav' }) }))
    expect(refusal.code).toBe('backend_error')
    expect(backend.uploadKeys).toHaveLength(4)
  })

  test('a final refusal of the reservation is the backend’s word', async () => {
    await start()
    backend.creates.push(NOT_HOSTED())
    backend.uploads.push(writeRefused({ code: 'quota_exceeded' }))
    const refusal = await problemOf(engine.create({ input }))
    expect(refusal).toMatchObject({
      code: 'quota_exceeded',
      extras: { backend: 'main', backendError: { status: 500 } },
    })
    expect(await known()).toEqual([])
  })
})

describe('many at once', () => {
  test('a few are under way, of one client no more than half of them', async () => {
    await start({ account: { slots: null } })
    const fetches = Array.from({ length: 12 }, held)
    carrier.fetches.push(...fetches.map(({ promise }) => promise))
    backend.creates.push(...Array.from({ length: 12 }, NOT_HOSTED))
    const creating = fetches.map(() => engine.create({ input }))
    await engine.pass(12 * SECOND)
    const created = await Promise.all(creating)
    expect(carrier.fetched).toHaveLength(4)
    for (const fetch of fetches) fetch.resolve(failed('file_too_large'))
    await engine.pass(MINUTE)
    for (const { video } of created) expect((await engine.record(video.id)).error?.code).toBe('file_too_large')
    expect(carrier.mostAtOnce).toBe(4)
  })
})

describe.each(['stopped', 'crashed'] as const)('%s in the middle of it', (how) => {
  test('it begins anew, under the same key, and is paid once', async () => {
    await start()
    const { video } = await underway()
    if (how === 'stopped') engine.videos.halt()
    engine = await engine.restart(how)
    expect(carrier.fetched).toHaveLength(1)
    engine.videos.start()
    await engine.pass(5 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    expect(carrier.fetched).toHaveLength(2)
    expect(backend.uploadKeys).toEqual([`${video.id}.audio.1`])
    expect(sent().map(([key]) => key)).toEqual(['.1', '.2'])
  })

  test('before its client was told: what fails then fails the video', async () => {
    await start()
    backend.creates.push(NOT_HOSTED())
    carrier.fetches.push(held().promise)
    const creating = engine.create({ input }, 'key-1').catch(() => null)
    await engine.pass(SECOND)
    if (how === 'stopped') engine.videos.halt()
    engine = await engine.restart(how)
    carrier.fetches = [failed('audio_unreachable')]
    engine.videos.start()
    await engine.pass(5 * SECOND)
    if (how === 'stopped') await creating
    const { video, replayed } = await engine.create({ input }, 'key-1')
    expect(replayed).toBe(true)
    expect(video).toMatchObject({ status: 'failed', told: true, error: { code: 'audio_unreachable' } })
  })
})
