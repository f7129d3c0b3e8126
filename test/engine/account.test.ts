import { afterEach, describe, expect, test } from 'vitest'
import type { CreateOutcome, JobReport } from '../../src/core/adapter.ts'
import { completed, running, scriptedAdapter, unread, type ScriptedAdapter } from '../fakes/adapter.ts'
import { acceptedAs, HOUR, LINK, MINUTE, refused, SECOND } from '../fakes/records.ts'
import { must } from '../fakes/must.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

let engine: Engine
const start = async (options: EngineOptions = {}): Promise<void> => {
  engine = await openEngine(options)
  engine.videos.start()
}
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

/** A backend that really runs jobs: two at once, `jobMs` each, and refuses a third. */
const busyBackend =
  (jobMs: number, slots = 2) =>
  (now: () => number): ScriptedAdapter & { most: () => number } => {
    const adapter = scriptedAdapter(now)
    const endsAt = new Map<string, number>()
    let most = 0
    const runningNow = (): number => [...endsAt.values()].filter((atMs) => atMs > now()).length
    const base = { create: adapter.create, status: adapter.status }
    adapter.create = (wire) => {
      if (runningNow() >= slots) {
        adapter.creates.push(refused({ code: 'concurrency_limit_reached', retryable: true }, 'slot'))
      } else {
        const jobId = `job_${endsAt.size + 1}`
        endsAt.set(jobId, now() + jobMs)
        most = Math.max(most, runningNow())
        adapter.creates.push(acceptedAs(jobId))
      }
      return base.create(wire)
    }
    adapter.status = (jobId) => {
      adapter.polls.push((endsAt.get(jobId) ?? Infinity) <= now() ? completed() : running())
      return base.status(jobId)
    }
    return Object.assign(adapter, { most: () => most })
  }

describe('slots', () => {
  test('eight videos on two slots: all are made, in order, and no create is ever refused', async () => {
    await start({ adapter: busyBackend(5 * SECOND) })
    const ids: string[] = []
    for (let n = 0; n < 8; n += 1) ids.push((await engine.create()).video.id)
    expect(await engine.store.queue(engine.account.id)).toMatchObject({ held: 2, waiting: 6 })
    let most = 0
    for (let passed = 0; passed < 60; passed += 1) {
      await engine.pass(SECOND)
      most = Math.max(most, (await engine.store.queue(engine.account.id)).held)
    }
    expect(most).toBe(2)
    const records = await Promise.all(ids.map((id) => engine.record(id)))
    expect(records.map(({ status }) => status)).toEqual(ids.map(() => 'completed'))
    expect(records.map(({ backendJobId }) => backendJobId)).toEqual(ids.map((_, n) => `job_${n + 1}`))
    expect(engine.adapter.callsOf('create')).toHaveLength(8)
  })

  test('a waiting video goes out the moment that a slot frees', async () => {
    await start()
    const { video: first } = await engine.create()
    await engine.create()
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting', waitReason: 'no_free_slot' })
    expect(await engine.videos.render(video)).toMatchObject({ status: 'queued', queue: { position: 1 } })
    engine.adapter.polls.push(completed())
    await engine.pass(must(first.dueAtMs) - engine.clock.now())
    expect((await engine.record(video.id)).phase).toBe('accepted')
    expect(engine.adapter.callsOf('create')[2]?.atMs).toBe(engine.adapter.callsOf('status')[0]?.atMs)
  })

  test('a slot of ours that frees ends the wait for one at once, whatever the hint', async () => {
    await start()
    const { video: first } = await engine.create()
    const untilMs = engine.clock.now() + 30 * MINUTE
    engine.adapter.creates.push(
      refused({ code: 'concurrency_limit_reached', retryable: true, retryAtMs: untilMs }, 'slot'),
    )
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting', waitReason: 'no_free_slot' })
    engine.adapter.polls.push(completed())
    await engine.pass(must(first.dueAtMs) - engine.clock.now() + SECOND)
    expect((await engine.record(first.id)).phase).toBe('ended')
    expect((await engine.record(video.id)).phase).toBe('accepted')
  })

  test('slots that others hold: it waits until the hint, and nothing is tried before', async () => {
    await start()
    const untilMs = engine.clock.now() + 20 * SECOND
    engine.adapter.creates.push(
      refused({ code: 'concurrency_limit_reached', retryable: true, retryAtMs: untilMs }, 'slot'),
    )
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting', waitReason: 'no_free_slot' })
    const { video: next } = await engine.create()
    expect(next.phase).toBe('waiting')
    await engine.pass(19 * SECOND)
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    await engine.pass(2 * SECOND)
    expect((await engine.record(video.id)).phase).toBe('accepted')
    expect((await engine.record(next.id)).phase).toBe('accepted')
  })

  test('a job of ours that ends lifts the pause: the slot is ours', async () => {
    await start()
    await engine.create()
    const untilMs = engine.clock.now() + MINUTE
    engine.adapter.creates.push(
      refused({ code: 'concurrency_limit_reached', retryable: true, retryAtMs: untilMs }, 'slot'),
    )
    await engine.create()
    const { video } = await engine.create()
    engine.adapter.polls.push(completed())
    expect((await engine.record(video.id)).phase).toBe('waiting')
    await engine.pass(3 * SECOND)
    expect((await engine.record(video.id)).phase).toBe('accepted')
  })
})

describe('limits', () => {
  const refusal = (): Promise<unknown> =>
    engine.create().then(
      () => null,
      (error: unknown) => error,
    )

  test('a full queue refuses, and leaves nothing', async () => {
    await start({ account: { slots: 0 }, queueLimit: 1 })
    await engine.create()
    expect(await refusal()).toMatchObject({ code: 'queue_full' })
    expect(await engine.store.queue(engine.account.id)).toMatchObject({ waiting: 1 })
  })

  test('a client’s own limit is its own', async () => {
    await start({ account: { slots: 0 }, queuedVideos: 1 })
    await engine.create()
    expect(await refusal()).toMatchObject({ code: 'concurrency_limit_reached' })
  })

  test('one that waited longer than its age fails, with why', async () => {
    await start({ account: { slots: 0 } })
    const { video } = await engine.create({ webhookUrl: 'https://hooks.example/' })
    engine.clock.jump(24 * HOUR - 2 * SECOND)
    await engine.pass(SECOND)
    expect((await engine.record(video.id)).phase).toBe('waiting')
    await engine.pass(3 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ status: 'failed', error: { code: 'backend_unavailable' } })
    expect(await engine.store.deliveriesOf(video.id)).toMatchObject([{ event: { type: 'video.failed' } }])
  })
})

describe('the budget', () => {
  test('a 429 keeps it waiting until the hint, and every other request with it', async () => {
    await start()
    const { video: first } = await engine.create()
    const untilMs = engine.clock.now() + 40 * SECOND
    engine.adapter.creates.push(refused({ code: 'rate_limited', retryable: true, retryAtMs: untilMs }, 'budget'))
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting', waitReason: 'backend_rate_limited', dueAtMs: untilMs })
    const before = engine.adapter.calls.length
    await engine.pass(39 * SECOND)
    expect(engine.adapter.calls).toHaveLength(before)
    await engine.pass(3 * SECOND)
    expect((await engine.record(video.id)).phase).toBe('accepted')
    expect(engine.adapter.callsOf('status').map((call) => call.operation === 'status' && call.jobId)).toContain(
      first.backendJobId,
    )
    for (const { atMs } of engine.adapter.calls.slice(before)) expect(atMs).toBeGreaterThanOrEqual(untilMs)
  })

  test('ten a minute are never exceeded, whatever is to be done', async () => {
    await start({ account: { slots: null, requestsPerMinute: 10 } })
    for (let n = 0; n < 30; n += 1) void engine.create().catch(() => null)
    await engine.pass(5 * MINUTE)
    const times = engine.adapter.calls.map(({ atMs }) => atMs)
    expect(times.length).toBeGreaterThan(40)
    for (const [n, atMs] of times.entries()) {
      const tenth = times[n + 10]
      if (tenth !== undefined) expect(tenth - atMs).toBeGreaterThanOrEqual(MINUTE)
    }
  })
})

describe('polling', () => {
  const reported = (given: Partial<JobReport>): CreateOutcome => acceptedAs('job_1', given)
  const times = (): number[] => engine.adapter.callsOf('status').map(({ atMs }) => atMs)

  test('is paced by the backend’s hints, and is never earlier', async () => {
    await start()
    const t0 = engine.clock.now()
    engine.adapter.creates.push(reported({ nextPollAtMs: t0 + 7_000 }))
    engine.adapter.polls.push(
      running({ nextPollAtMs: t0 + 20_000 }),
      running({ nextPollAtMs: t0 + 20_100 }),
      unread(false, t0 + 50_000),
      completed(),
    )
    const { video } = await engine.create()
    await engine.pass(2 * MINUTE)
    const [first, second, third = 0, fourth] = times().map((atMs) => atMs - t0)
    expect([first, second, fourth]).toEqual([7_000, 20_000, 50_000])
    // A hint within the least interval leaves it to what is known of the durations; a failed poll keeps to its hint.
    expect(third).toBeGreaterThanOrEqual(21_000)
    expect(third).toBeLessThan(25_000)
    expect((await engine.record(video.id)).status).toBe('completed')
  })

  test('without hints it slows down while nothing is known of how long jobs run', async () => {
    await start()
    const t0 = engine.clock.now()
    await engine.create()
    await engine.pass(5 * MINUTE)
    const gaps = times().map((atMs, n) => atMs - (times()[n - 1] ?? t0))
    expect(gaps[0]).toBeGreaterThanOrEqual(SECOND)
    expect(gaps.length).toBeGreaterThan(10)
    expect(gaps.toSorted((a, b) => a - b)).toEqual(gaps)
  })

  test('a poll that fails is tried again with growing pauses, and never fails the video', async () => {
    await start()
    engine.adapter.polls.push(...Array.from({ length: 6 }, () => unread()), completed())
    const { video } = await engine.create()
    const t0 = engine.clock.now()
    await engine.pass(5 * MINUTE)
    const [first = 0, ...later] = times()
    const gaps = later.map((atMs, n) => (atMs - ([first, ...later][n] ?? t0)) / SECOND)
    expect(gaps).toHaveLength(6)
    // Each up to a quarter longer, by chance.
    for (const [n, least] of [2, 4, 8, 16, 32, 60].entries()) {
      expect(gaps[n]).toBeGreaterThanOrEqual(least)
      expect(gaps[n]).toBeLessThanOrEqual(least * 1.25 + 0.001)
    }
    expect((await engine.record(video.id)).status).toBe('completed')
  })

  test('a poll that changed nothing writes nothing', async () => {
    await start()
    engine.adapter.polls.push(running())
    const { video } = await engine.create()
    await engine.pass(10 * SECOND)
    const { version } = await engine.record(video.id)
    const polls = times().length
    await engine.pass(MINUTE)
    expect(times().length).toBeGreaterThan(polls)
    expect((await engine.record(video.id)).version).toBe(version)
  })

  test('one poll of a job at a time, however long it takes', async () => {
    await start()
    const gate = Promise.withResolvers<ReturnType<typeof running>>()
    engine.adapter.polls.push(gate.promise)
    await engine.create()
    await engine.pass(2 * MINUTE)
    expect(times()).toHaveLength(1)
    gate.resolve(running())
    await engine.pass(5 * SECOND)
    expect(times().length).toBeGreaterThan(1)
    expect(engine.adapter.mostAtOnce).toBe(1)
  })

  test('an end is one event, one write, and the next in line goes out', async () => {
    await start()
    engine.adapter.polls.push(completed())
    const { video } = await engine.create({ webhookUrl: 'https://hooks.example/' })
    const hinted: string[] = []
    engine.wake.on({ work: (kind, id) => void (kind === 'deliver' && hinted.push(id)) })
    await engine.pass(2 * MINUTE)
    const deliveries = await engine.store.deliveriesOf(video.id)
    expect(deliveries).toMatchObject([{ event: { type: 'video.completed', sequence: 2 }, status: 'pending' }])
    const { events } = await engine.store.eventsOf('acme', { after: 0, limit: 10, types: null })
    expect(events.map(({ event }) => event.type)).toEqual(['video.queued', 'video.completed'])
    expect(hinted).toEqual(deliveries.map(({ id }) => id))
    expect(times()).toHaveLength(1)
  })

  test('a job called completed without a link is asked for its download', async () => {
    await start()
    engine.adapter.polls.push(completed({ link: null }))
    engine.adapter.downloads.push({ ok: true, value: LINK, rate: null })
    const { video } = await engine.create()
    await engine.pass(3 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ status: 'completed', link: { url: LINK.url } })
  })
})
