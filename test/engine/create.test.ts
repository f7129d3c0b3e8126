import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { completed, lasting, scriptedAdapter } from '../fakes/adapter.ts'
import { acceptedAs, doubt, LINK, MINUTE, refused, SECOND, unreachable } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'
import { dueIds } from '../contract/store/helpers.ts'

let engine: Engine
beforeEach(async () => {
  engine = await openEngine()
  engine.videos.start()
})
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

const problemOf = async (work: Promise<unknown>): Promise<Problem> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Problem)) throw new Error(`no problem but ${String(error)}`)
  return error
}

describe('video.queued', () => {
  const wanted = { webhookUrl: 'https://hooks.example/', webhookEvents: ['video.queued' as const] }
  const queuedOf = async (id: string) => (await engine.store.deliveriesOf(id)).map(({ event }) => event.type)

  test('is owed with the acceptance', async () => {
    const { video } = await engine.create(wanted)
    expect(await queuedOf(video.id)).toEqual(['video.queued'])
  })

  test('is owed at once by a video that waits, and not again when it goes', async () => {
    await engine.create()
    await engine.create()
    const { video } = await engine.create(wanted)
    expect(video).toMatchObject({ phase: 'waiting', told: true })
    expect(await queuedOf(video.id)).toEqual(['video.queued'])
    engine.adapter.polls.push(completed())
    await engine.pass(10 * SECOND)
    expect((await engine.record(video.id)).phase).toBe('accepted')
    expect(await queuedOf(video.id)).toEqual(['video.queued'])
  })

  test('is owed to nobody by a video that was refused: there never was one', async () => {
    engine.adapter.creates.push(refused({ code: 'insufficient_credits' }))
    await problemOf(engine.create(wanted))
    await engine.pass(MINUTE)
    expect(await dueIds(engine.store)).toEqual([])
  })
})

describe('accepted', () => {
  test('the backend’s job is in the answer, and its bytes were stored before they went', async () => {
    let stored = null
    const [real] = [engine.adapter.create]
    engine.adapter.create = async (wire) => {
      stored = (
        await engine.store.list('acme', {
          limit: 1,
          before: null,
          status: null,
          backends: null,
          createdAfterMs: null,
          createdBeforeMs: null,
        })
      )[0]
      return real(wire)
    }
    const { video, replayed } = await engine.create()
    expect(replayed).toBe(false)
    expect(video).toMatchObject({ phase: 'accepted', status: 'queued', backendJobId: 'job_1', wire: null, told: true })
    const [call] = engine.adapter.callsOf('create')
    expect(stored).toMatchObject({
      phase: 'dispatching',
      attempt: 1,
      wire: call?.operation === 'create' ? call.wire : null,
    })
    expect((await engine.videos.timeline(video.id)).map(({ type }) => type)).toEqual([
      'created',
      'dispatched',
      'accepted',
    ])
  })

  test('and finished at once: it is announced with the answer', async () => {
    engine.adapter.creates.push(acceptedAs('job_9', { status: 'completed', link: LINK }))
    const { video } = await engine.create({ webhookUrl: 'https://hooks.example/' })
    expect(video).toMatchObject({ phase: 'ended', status: 'completed' })
    expect(await engine.store.deliveriesOf(video.id)).toMatchObject([{ event: { type: 'video.completed' } }])
  })

  test('every video has a key of its own, which names it', async () => {
    const { video } = await engine.create()
    const { video: other } = await engine.create()
    const keys = engine.adapter.calls.map((call) => call.operation === 'create' && call.wire.headers['idempotency-key'])
    expect(keys).toEqual([`${video.id}.1`, `${other.id}.1`])
  })
})

describe('refused', () => {
  test.each([
    ['finally', refused({ code: 'insufficient_credits' }), 'insufficient_credits', false],
    ['for now', refused({ code: 'backend_unavailable', retryable: true }), 'backend_unavailable', true],
    ['because nobody was there', unreachable(), 'backend_unavailable', true],
  ])('%s: the client hears it, nothing is left, and its key is free', async (_, outcome, code, retryable) => {
    engine.adapter.creates.push(outcome)
    const problem = await problemOf(engine.create({}, 'order-1'))
    expect(problem).toMatchObject({ code, retryable })
    expect(problem.extras.backend).toBe('main')
    expect(await engine.store.queue(engine.account.id)).toMatchObject({ waiting: 0, held: 0 })
    const { video, replayed } = await engine.create({}, 'order-1')
    expect(replayed).toBe(false)
    expect(video.backendJobId).toBe('job_1')
  })

  test('before anything is asked, where the order cannot be translated', async () => {
    const message = 'no puppets here'
    engine.adapter.translation = {
      ok: false,
      problem: { code: 'capability_not_supported', param: 'puppet_id', message },
    }
    expect(await problemOf(engine.create())).toMatchObject({ code: 'capability_not_supported', message })
    expect(engine.adapter.calls).toEqual([])
  })
})

describe('in doubt, on a backend with keys', () => {
  test('is answered as queued, and the same bytes go again under the same key', async () => {
    engine.adapter.creates.push(doubt(), doubt())
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'doubtful', status: 'queued', backendJobId: null })
    // 2 s and up to a quarter more, then 4 s and up to a quarter more.
    await engine.pass(2.5 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'doubtful', resends: 1, attempt: 1 })
    await engine.pass(5 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1', attempt: 1 })
    const sent = engine.adapter.callsOf('create').map((call) => call.operation === 'create' && call.wire)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map((wire) => JSON.stringify(wire))).size).toBe(1)
  })

  test('a refusal met by a resend ends nothing, an hour of doubt does', async () => {
    engine.adapter.creates.push(doubt(), lasting(refused({ code: 'insufficient_credits' })))
    const { video } = await engine.create()
    await engine.pass(59 * MINUTE)
    expect((await engine.record(video.id)).phase).toBe('doubtful')
    await engine.pass(2 * MINUTE)
    expect((await engine.record(video.id)).error?.code).toBe('create_outcome_unknown')
    const creates = engine.adapter.callsOf('create').length
    await engine.pass(5 * MINUTE)
    expect(engine.adapter.callsOf('create')).toHaveLength(creates)
  })

  test('it holds its slot and its key meanwhile', async () => {
    engine.adapter.creates.push(doubt())
    const { video } = await engine.create({}, 'order-1')
    expect(await engine.store.queue(engine.account.id)).toMatchObject({ held: 1 })
    expect(await engine.create({}, 'order-1')).toMatchObject({ replayed: true, video: { id: video.id } })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })
})

describe('the client’s key', () => {
  test('the same request finds the video as it is now', async () => {
    const { video } = await engine.create({}, 'order-1')
    engine.adapter.polls.push({ ok: true, value: { ...acceptedAsReport(), status: 'processing' }, rate: null })
    await engine.pass(3 * SECOND)
    const replay = await engine.create({}, 'order-1')
    expect(replay).toMatchObject({ replayed: true, video: { id: video.id, status: 'processing' } })
  })

  test('another request is a conflict', async () => {
    const { video } = await engine.create({}, 'order-1')
    const problem = await problemOf(engine.create({ metadata: { a: '1' } }, 'order-1'))
    expect(problem).toMatchObject({ code: 'idempotency_key_conflict', extras: { videoId: video.id } })
  })

  test('while the first is still running: in progress', async () => {
    const gate = Promise.withResolvers<ReturnType<typeof acceptedAs>>()
    engine.adapter.creates.push(gate.promise)
    const first = engine.create({}, 'order-1')
    await engine.rest()
    expect(await problemOf(engine.create({}, 'order-1'))).toMatchObject({
      code: 'idempotency_key_in_progress',
      retryable: true,
    })
    gate.resolve(acceptedAs('job_1'))
    const { video } = await first
    expect(await engine.create({}, 'order-1')).toMatchObject({ replayed: true, video: { id: video.id } })
  })

  test('one that was told it waits is a replay, also while it is being dispatched', async () => {
    engine.adapter.creates.push(acceptedAs('job_1'), acceptedAs('job_2'))
    await engine.create()
    await engine.create()
    const { video } = await engine.create({}, 'order-3')
    expect(video.phase).toBe('waiting')
    const gate = Promise.withResolvers<ReturnType<typeof acceptedAs>>()
    engine.adapter.creates.push(gate.promise)
    engine.adapter.polls.push({
      ok: true,
      value: { ...acceptedAsReport(), status: 'completed', link: LINK },
      rate: null,
    })
    await engine.pass(3 * SECOND)
    expect((await engine.record(video.id)).phase).toBe('dispatching')
    expect(await engine.create({}, 'order-3')).toMatchObject({ replayed: true, video: { id: video.id } })
    gate.resolve(acceptedAs('job_3'))
    await engine.rest()
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_3' })
  })
})

test('a backend without keys: a doubt is answered 202, and then said to be unknown', async () => {
  await engine.videos.stop()
  await engine.destroy()
  engine = await openEngine({ interface: 'alternate', adapter: (now) => scriptedAdapter(now, 'alternate') })
  engine.videos.start()
  engine.adapter.creates.push(doubt())
  const { video } = await engine.create({ webhookUrl: 'https://hooks.example/' })
  expect(video).toMatchObject({ phase: 'doubtful', status: 'queued' })
  await engine.pass(10 * SECOND)
  expect(await engine.record(video.id)).toMatchObject({
    phase: 'ended',
    status: 'failed',
    error: { code: 'create_outcome_unknown' },
  })
  expect(engine.adapter.callsOf('create')).toHaveLength(1)
  expect(await engine.store.deliveriesOf(video.id)).toMatchObject([{ event: { type: 'video.failed' } }])
})

function acceptedAsReport() {
  const outcome = acceptedAs('job_1')
  if (outcome.kind !== 'accepted') throw new Error('not accepted')
  return outcome.report
}
