import { afterEach, describe, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import { completed, running, scriptedAdapter, unread } from '../fakes/adapter.ts'
import { must } from '../fakes/must.ts'
import { acceptedAs, doubt, HOUR, MINUTE, refused, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

let engine: Engine
const start = async (options: EngineOptions = {}): Promise<void> => {
  engine = await openEngine(options)
  engine.videos.start()
}
const restart = async (how: 'stopped' | 'crashed', options?: EngineOptions): Promise<void> => {
  engine = await engine.restart(how, options)
  engine.videos.start()
  await engine.rest()
}
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

const onlyVideo = async () => {
  const list = await engine.videos.list('acme', {
    limit: 9,
    before: null,
    status: null,
    backends: null,
    createdAfterMs: null,
    createdBeforeMs: null,
  })
  expect(list).toHaveLength(1)
  return must(list[0])
}
/** What happens to a create that nobody waits for any more. */
const abandoned = (work: Promise<unknown>): void => void work.catch(() => null)

describe.each(['stopped', 'crashed'] as const)('%s and started again', (how) => {
  test('a running job is polled again, and ends once', async () => {
    await start()
    const { video } = await engine.create({ webhookUrl: 'https://hooks.example/' })
    await engine.pass(3 * SECOND)
    await restart(how)
    engine.adapter.polls.push(completed())
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ status: 'completed', backendJobId: 'job_1' })
    expect(await engine.store.deliveriesOf(video.id)).toHaveLength(1)
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('a job that ended while the gateway was stopped for more than a day is read, though its first poll fails', async () => {
    await start()
    const { video } = await engine.create()
    engine.adapter.polls.push(unread(), completed())
    engine.clock.jump(26 * HOUR)
    await restart(how)
    await engine.pass(10 * MINUTE)
    expect(engine.adapter.callsOf('status')).toHaveLength(2)
    expect(await engine.record(video.id)).toMatchObject({ status: 'completed' })
  })

  test('the last hour of a job that nobody answers for begins with the process, and not with a reload', async () => {
    await start()
    const upSinceMs = engine.clock.now()
    const { video } = await engine.create()
    engine.adapter.polls.push(unread())
    engine.clock.jump(26 * HOUR)
    await restart(how, { upSinceMs })
    await engine.pass(10 * MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ status: 'failed', error: { code: 'backend_job_expired' } })
    expect(engine.adapter.callsOf('status')).toHaveLength(1)
  })

  test('no poll is earlier than the backend asked for, as far as it was written', async () => {
    await start()
    const dueAtMs = engine.clock.now() + 30 * SECOND
    engine.adapter.creates.push(acceptedAs('job_1', { nextPollAtMs: dueAtMs }))
    await engine.create()
    await restart(how)
    await engine.pass(29 * SECOND)
    expect(engine.adapter.callsOf('status')).toEqual([])
    await engine.pass(2 * SECOND)
    expect(engine.adapter.callsOf('status')).toMatchObject([{ atMs: dueAtMs }])
  })

  test('what waited goes out when a slot frees', async () => {
    await start({ account: { slots: 1 } })
    await engine.create()
    const { video } = await engine.create()
    expect(video.phase).toBe('waiting')
    await restart(how)
    engine.adapter.polls.push(completed())
    await engine.pass(10 * SECOND)
    expect((await engine.record(video.id)).phase).toBe('accepted')
  })

  test('a doubt is resolved with the same bytes, under the same key', async () => {
    await start()
    engine.adapter.creates.push(doubt())
    const { video } = await engine.create()
    await restart(how)
    await engine.pass(10 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    const [sent, again] = engine.adapter.callsOf('create')
    expect(again).toMatchObject({ wire: sent?.operation === 'create' ? sent.wire : null })
  })

  test('the client’s key still finds the video', async () => {
    await start()
    const { video } = await engine.create({}, 'order-1')
    await restart(how)
    expect(await engine.create({}, 'order-1')).toMatchObject({ replayed: true, video: { id: video.id } })
  })
})

test('stopped after polls that changed nothing: what they were told is kept to, and they are in its history', async () => {
  await start()
  engine.adapter.creates.push(acceptedAs('job_1', { status: 'processing', backendStatus: 'processing' }))
  const { video } = await engine.create()
  const dueAtMs = engine.clock.now() + 5 * MINUTE
  engine.adapter.polls.push(running(), running({ nextPollAtMs: dueAtMs }))
  await engine.pass(MINUTE)
  const polls = engine.adapter.callsOf('status')
  const { version } = await engine.record(video.id)
  await restart('stopped')
  await engine.pass(4 * MINUTE - SECOND)
  expect(engine.adapter.callsOf('status')).toEqual(polls)
  expect(await engine.record(video.id)).toMatchObject({
    version: version + 1,
    nextPollAtMs: dueAtMs,
    lastPollAtMs: polls.at(-1)?.atMs,
  })
  expect((await engine.videos.timeline(video.id)).at(-1)).toMatchObject({ type: 'polled' })
  await engine.pass(2 * SECOND)
  expect(engine.adapter.callsOf('status')[polls.length]).toMatchObject({ atMs: dueAtMs })
})

test.each(['stopped', 'crashed'] as const)('%s three times in a spent window: no request more', async (how) => {
  await start({ account: { requestsPerMinute: 2, slots: null } })
  for (let n = 0; n < 4; n += 1) await engine.create()
  const spent = engine.adapter.calls.map(({ atMs }) => atMs)
  expect(spent).toHaveLength(2)
  for (let n = 0; n < 3; n += 1) {
    await restart(how)
    await engine.pass(10 * SECOND)
  }
  expect(engine.adapter.calls).toHaveLength(2)
  await engine.pass(MINUTE)
  const next = engine.adapter.calls.slice(2).map(({ atMs }) => atMs)
  expect(next.length).toBeGreaterThan(0)
  expect((next[0] ?? 0) - (spent[0] ?? 0)).toBeGreaterThanOrEqual(MINUTE)
})

describe('killed while a create was under way', () => {
  const killed = async (options: EngineOptions = {}): Promise<void> => {
    await start(options)
    engine.adapter.creates.push(new Promise<CreateOutcome>(() => undefined))
    abandoned(engine.create({ webhookUrl: 'https://hooks.example/' }, 'order-1'))
    await engine.rest()
    expect(await onlyVideo()).toMatchObject({ phase: 'dispatching', attempt: 1 })
    await restart('crashed')
  }

  test('with keys: the stored bytes go again at once, and one job comes of it', async () => {
    await killed()
    await engine.pass(2 * SECOND)
    expect(await onlyVideo()).toMatchObject({ phase: 'accepted', backendJobId: 'job_1', attempt: 1 })
    const [sent, again] = engine.adapter.callsOf('create')
    expect(again).toMatchObject({ wire: sent?.operation === 'create' ? sent.wire : null })
    expect(await engine.create({}, 'other')).toMatchObject({ replayed: false })
  })

  test('without keys: nothing is sent twice, and the client is told that nobody knows', async () => {
    await killed({ interface: 'alternate', adapter: (now) => scriptedAdapter(now, 'alternate') })
    await engine.pass(2 * SECOND)
    const video = await onlyVideo()
    expect(video).toMatchObject({ status: 'failed', error: { code: 'create_outcome_unknown' } })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    expect(await engine.store.deliveriesOf(video.id)).toMatchObject([{ event: { type: 'video.failed' } }])
  })
})

test.each<[string, () => CreateOutcome | Promise<CreateOutcome>]>([
  ['in doubt', doubt],
  ['under way', () => new Promise<CreateOutcome>(() => undefined)],
])(
  'killed while a create was %s, and back when its key may be forgotten: nothing is sent again',
  async (_, outcome) => {
    await start()
    engine.adapter.creates.push(outcome())
    abandoned(engine.create())
    await engine.rest()
    engine = await engine.restart('crashed')
    // No process runs meanwhile, and so no timer.
    engine.clock.stall(24 * HOUR)
    engine.videos.start()
    await engine.pass(2 * SECOND)
    expect(await onlyVideo()).toMatchObject({ status: 'failed', error: { code: 'create_outcome_unknown' } })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  },
)

test('killed while a create was in doubt, and back when `resend_window` is over: once more, and no more', async () => {
  await start()
  engine.adapter.creates.push(doubt(), doubt())
  abandoned(engine.create())
  await engine.rest()
  engine = await engine.restart('crashed')
  engine.clock.stall(2 * HOUR)
  engine.videos.start()
  await engine.pass(MINUTE)
  expect(await onlyVideo()).toMatchObject({ status: 'failed', error: { code: 'create_outcome_unknown' } })
  expect(engine.adapter.callsOf('create')).toHaveLength(2)
})

test('killed before the bytes were stored: it waits, and is sent for the first time', async () => {
  await start({ account: { slots: 1 } })
  engine.adapter.creates.push(new Promise<CreateOutcome>(() => undefined))
  abandoned(engine.create())
  await engine.rest()
  // As if it had died between its admission and the writing of the bytes.
  await engine.store.change((await onlyVideo()).id, (video) => ({
    kind: 'save',
    video: { ...video, wire: null, attempt: 0 },
    events: [],
    notes: [],
  }))
  await restart('crashed')
  await engine.pass(2 * SECOND)
  expect(await onlyVideo()).toMatchObject({ phase: 'accepted', backendJobId: 'job_1', attempt: 1 })
})

describe('stop', () => {
  const whileStopping = async () => {
    let stopped = false
    const stopping = engine.videos.stop().then(() => {
      stopped = true
    })
    await engine.rest()
    return { stopping, isStopped: () => stopped }
  }

  test('waits for a create under way, which a client waits for', async () => {
    await start()
    const gate = Promise.withResolvers<CreateOutcome>()
    engine.adapter.creates.push(gate.promise)
    const creating = engine.create()
    await engine.rest()
    const { stopping, isStopped } = await whileStopping()
    expect(isStopped()).toBe(false)
    gate.resolve(acceptedAs('job_1'))
    await stopping
    expect((await creating).video).toMatchObject({ phase: 'accepted' })
  })

  test('waits for a poll under way, and writes what it found', async () => {
    await start()
    const gate = Promise.withResolvers<ReturnType<typeof running>>()
    engine.adapter.polls.push(gate.promise)
    const { video } = await engine.create()
    await engine.pass(3 * SECOND)
    const { stopping, isStopped } = await whileStopping()
    expect(isStopped()).toBe(false)
    gate.resolve(completed())
    await stopping
    expect((await engine.record(video.id)).status).toBe('completed')
  })

  test('starts nothing more, and gives the account back', async () => {
    await start({ account: { slots: 1 } })
    await engine.create()
    await engine.create()
    await engine.videos.stop()
    const calls = engine.adapter.calls.length
    await engine.pass(5 * MINUTE)
    expect(engine.adapter.calls).toHaveLength(calls)
    expect(await engine.store.claim('account', engine.account.id, 1_000)).not.toBeNull()
  })

  test('a waiting video that was refused meanwhile is still waiting after it', async () => {
    await start({ account: { slots: 1 } })
    await engine.create()
    const { video } = await engine.create()
    const gate = Promise.withResolvers<CreateOutcome>()
    engine.adapter.polls.push(completed())
    engine.adapter.creates.push(gate.promise)
    await engine.pass(3 * SECOND)
    expect((await engine.record(video.id)).phase).toBe('dispatching')
    const { stopping } = await whileStopping()
    gate.resolve(refused({ code: 'backend_unavailable', retryable: true }))
    await stopping
    expect(await engine.record(video.id)).toMatchObject({ phase: 'waiting', waitReason: 'backend_unavailable' })
  })
})

test('only who holds the account acts: another process’s lease is waited for', async () => {
  await start()
  await engine.create()
  expect(await engine.store.claim('account', engine.account.id, 1_000)).toBeNull()
  engine = await engine.restart('stopped')
  must(await engine.store.claim('account', engine.account.id, 10 * SECOND))
  engine.videos.start()
  await engine.pass(9 * SECOND)
  expect(engine.adapter.callsOf('status')).toEqual([])
  await engine.pass(2 * SECOND)
  expect(engine.adapter.callsOf('status')).toHaveLength(1)
})
