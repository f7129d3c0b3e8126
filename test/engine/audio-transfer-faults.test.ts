import { afterEach, describe, expect, test } from 'vitest'

import { HOUR, listQuery, MINUTE, problem, SECOND } from '../fakes/records.ts'
import {
  audioInput,
  held,
  NOT_HOSTED,
  noAudio,
  openAudioStage,
  problemOf,
  sentBy,
  writeRefused,
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
    await engine.pass(SECOND)
    expect(carrier.fetched).toHaveLength(1)
    await engine.pass(9 * SECOND)
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
    for (const fetch of fetches) fetch.resolve(noAudio('file_too_large'))
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
    carrier.fetches = [noAudio('audio_unreachable')]
    engine.videos.start()
    await engine.pass(5 * SECOND)
    if (how === 'stopped') await creating
    const { video, replayed } = await engine.create({ input }, 'key-1')
    expect(replayed).toBe(true)
    expect(video).toMatchObject({ status: 'failed', told: true, error: { code: 'audio_unreachable' } })
  })
})
