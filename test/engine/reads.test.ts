import { afterEach, describe, expect, test } from 'vitest'
import { BackendView } from '../../src/core/api/videos.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { completed, running, scriptedAdapter, unread } from '../fakes/adapter.ts'
import { acceptedAs, LINK, MINUTE, problem, rate, refused, SECOND } from '../fakes/records.ts'
import { until } from '../fakes/until.ts'
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
const problemOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe('callbacks, which are hints', () => {
  const CALLBACK = 'https://gateway.example/hooks/main/token'
  const alternate = (): Promise<void> =>
    start({ callbackUrl: CALLBACK, adapter: (now) => scriptedAdapter(now, 'alternate') })
  const polls = (): number => engine.adapter.callsOf('status').length

  test('where one is promised, polling is only the backstop', async () => {
    await alternate()
    await engine.create()
    await engine.pass(59 * SECOND)
    expect(polls()).toBe(0)
    await engine.pass(2 * SECOND)
    expect(polls()).toBe(1)
  })

  test('one makes the engine poll once', async () => {
    await alternate()
    engine.adapter.polls.push(completed())
    const { video } = await engine.create()
    await engine.pass(SECOND)
    await engine.videos.hinted(video.id, 1, null)
    await engine.pass(100)
    expect((await engine.record(video.id)).status).toBe('completed')
    expect(polls()).toBe(1)
  })

  test('one that comes while the create is under way is served when it is accepted', async () => {
    await alternate()
    const gate = Promise.withResolvers<ReturnType<typeof acceptedAs>>()
    engine.adapter.creates.push(gate.promise)
    engine.adapter.polls.push(completed())
    const creating = engine.create()
    await engine.rest()
    const [row] = await engine.store.running(engine.account.id)
    await engine.videos.hinted(row?.id ?? '', 1, null)
    gate.resolve(acceptedAs('job_1'))
    const { video } = await creating
    await engine.pass(100)
    expect((await engine.record(video.id)).status).toBe('completed')
  })

  test('one that comes during a poll makes another poll', async () => {
    await alternate()
    const gate = Promise.withResolvers<ReturnType<typeof running>>()
    engine.adapter.polls.push(gate.promise, completed())
    const { video } = await engine.create()
    await engine.pass(61 * SECOND)
    expect(polls()).toBe(1)
    await engine.videos.hinted(video.id, 1, null)
    gate.resolve(running({ progress: 0.9 }))
    await engine.pass(SECOND)
    expect(polls()).toBe(2)
    expect((await engine.record(video.id)).status).toBe('completed')
  })

  test('a flood of them costs three polls, 30 s apart', async () => {
    await alternate()
    const { video } = await engine.create()
    for (let n = 0; n < 80; n += 1) {
      await engine.videos.hinted(video.id, 1, null)
      await engine.pass(SECOND)
    }
    const times = engine.adapter.callsOf('status').map(({ atMs }) => atMs)
    expect(times.map((atMs) => atMs - (times[0] ?? 0))).toEqual([0, 30 * SECOND, 60 * SECOND])
  })

  test('about an unknown or a finished video it is nothing', async () => {
    await alternate()
    await engine.videos.hinted('vid_unknown', 1, null)
    engine.adapter.creates.push(acceptedAs('job_1', { status: 'completed', link: LINK }))
    const { video } = await engine.create()
    await engine.videos.hinted(video.id, 1, null)
    await engine.pass(SECOND)
    expect(polls()).toBe(0)
  })

  test('those that were missed while nobody listened are made up for by one poll', async () => {
    await alternate()
    await engine.create()
    engine = await engine.restart('crashed')
    engine.videos.start()
    await engine.pass(SECOND)
    expect(polls()).toBe(1)
  })
})

describe('wait', () => {
  const never = new AbortController().signal

  test('holds until the end', async () => {
    await start()
    engine.adapter.polls.push(running(), completed())
    const { video } = await engine.create()
    const waiting = engine.videos.wait(video.id, MINUTE, never)
    await engine.pass(10 * SECOND)
    expect(await waiting).toMatchObject({ status: 'completed' })
  })

  test('or until the time is over', async () => {
    await start()
    const { video } = await engine.create()
    const untilMs = engine.clock.now() + 7 * SECOND
    let answeredAtMs = 0
    const waiting = engine.videos.wait(video.id, 7 * SECOND, never).then((answer) => {
      answeredAtMs = engine.clock.now()
      return answer
    })
    await engine.pass(20 * SECOND)
    expect(await waiting).toMatchObject({ status: 'processing' })
    expect(answeredAtMs).toBe(untilMs)
  })

  test('or until the client hangs up', async () => {
    await start()
    const { video } = await engine.create()
    const hangUp = new AbortController()
    const waiting = engine.videos.wait(video.id, MINUTE, hangUp.signal)
    await engine.rest()
    hangUp.abort()
    expect(await waiting).toMatchObject({ id: video.id, phase: 'accepted' })
  })

  test('finds within 5 s what nobody told of', async () => {
    await start()
    const { video } = await engine.create()
    const waiting = engine.videos.wait(video.id, MINUTE, never)
    await engine.rest()
    await engine.store.change(video.id, (seen) => ({
      kind: 'save',
      video: { ...seen, phase: 'ended', status: 'canceled', endedAtMs: 1, dueAtMs: null },
      events: [],
      notes: [],
    }))
    await engine.pass(5 * SECOND)
    expect(await waiting).toMatchObject({ status: 'canceled' })
  })

  test('of a video that is gone, or never was, it is null', async () => {
    await start()
    expect(await engine.videos.wait('vid_unknown', MINUTE, never)).toBeNull()
  })
})

describe('download', () => {
  const done = async (expiresAtMs: number | null): Promise<VideoRecord> => {
    await start()
    const link = { ...LINK, expiresAtMs: expiresAtMs === null ? null : engine.clock.now() + expiresAtMs }
    engine.adapter.creates.push(acceptedAs('job_1', { status: 'completed', link }))
    return (await engine.create()).video
  }
  const fresh = { ok: true as const, value: { url: 'https://cdn.example/new', expiresAtMs: null }, rate: null }

  test.each([
    ['its expiry', 5 * MINUTE, 5 * MINUTE],
    ['ten minutes, where none is told', null, 10 * MINUTE],
  ])('the stored link serves until %s, and then one request refreshes it for all', async (_, expiresAtMs, livesMs) => {
    const video = await done(expiresAtMs)
    engine.clock.jump(livesMs - 1)
    expect(await engine.videos.download(video)).toMatchObject({ url: LINK.url })
    engine.clock.jump(1)
    engine.adapter.downloads.push(fresh)
    const all = await Promise.all([1, 2, 3].map(() => engine.videos.download(video)))
    const told = { ...fresh.value, goodUntilMs: engine.clock.wall() + 10 * MINUTE }
    expect(all).toEqual([told, told, told])
    expect(engine.adapter.callsOf('download')).toHaveLength(1)
    expect(await engine.videos.download(await engine.record(video.id))).toEqual(told)
    expect(engine.adapter.callsOf('download')).toHaveLength(1)
  })

  test('a video that is deleted while its link is refreshed keeps none', async () => {
    const video = await done(MINUTE)
    engine.clock.jump(MINUTE)
    const { promise, resolve } = Promise.withResolvers<typeof fresh>()
    engine.adapter.downloads.push(promise)
    const asked = engine.videos.download(video)
    await until(() => engine.adapter.callsOf('download').length === 1)
    await engine.videos.erase(video)
    resolve(fresh)
    await asked
    expect(await engine.record(video.id)).toMatchObject({ link: null, deletedAtMs: expect.any(Number) })
  })

  test('a video that is not completed has none', async () => {
    await start()
    const { video } = await engine.create()
    expect(await problemOf(engine.videos.download(video))).toMatchObject({
      code: 'video_not_completed',
      retryable: true,
    })
  })

  test('a refresh that fails is the backend’s problem for a minute, and then the next caller asks again', async () => {
    const video = await done(null)
    engine.clock.jump(10 * MINUTE)
    engine.adapter.downloads.push(unread(), fresh)
    const untilMs = engine.clock.now() + MINUTE
    for (const passes of [0, MINUTE - 1]) {
      engine.clock.jump(passes)
      const problem = await problemOf(engine.videos.download(video))
      expect(problem).toMatchObject({ code: 'backend_error', extras: { retryAtMs: untilMs } })
    }
    expect(engine.adapter.callsOf('download')).toHaveLength(1)
    engine.clock.jump(2)
    expect(await engine.videos.download(video)).toMatchObject(fresh.value)
  })

  test('no budget: 503 with a time, after a moment of patience', async () => {
    const video = await done(null)
    engine.clock.jump(10 * MINUTE)
    await engine.store.spend(engine.account.id, 'poll', { pollsDue: 0, createsWaiting: 0 }, 1)
    await engine.store.exhausted(engine.account.id, engine.clock.now() + MINUTE)
    expect(await problemOf(engine.videos.download(video))).toMatchObject({
      code: 'backend_unavailable',
      extras: { retryAtMs: engine.clock.now() + MINUTE },
    })
    expect(engine.adapter.callsOf('download')).toEqual([])
  })
})

describe('describe', () => {
  const described = async (): Promise<BackendView> => {
    const backend = { name: 'main', interface: 'primary' as const, account: engine.account, drain: false, pool: null }
    return BackendView.parse(await engine.videos.describe(backend))
  }

  test('what it can do, how much is left, and who waits', async () => {
    await start({ account: { slots: 1 } })
    const dateMs = engine.clock.now()
    const headers = rate({ limit: 10, remaining: 9, dateMs, resetAtMs: dateMs + 30 * SECOND })
    engine.adapter.creates.push({ ...acceptedAs('job_1'), rate: headers } as ReturnType<typeof acceptedAs>)
    await engine.create()
    await engine.create()
    expect(await described()).toMatchObject({
      name: 'main',
      health: { status: 'up', since: null, reason: null },
      capabilities: { text_source: true, puppet_id: false },
      budget: { limit: 10, remaining: 9, resets_at: new Date(dateMs + 31 * SECOND).toISOString() },
      slots: { limit: 1, used: 1 },
      queue_depth: 1,
    })
  })

  test.each([
    ['a refused key', 'backend_credentials_rejected', 401, 'down'],
    ['a missing scope', 'backend_credentials_rejected', 403, 'degraded'],
    ['nobody there', 'backend_unavailable', null, 'down'],
    ['a 503', 'backend_unavailable', 503, 'degraded'],
    ['no credits', 'insufficient_credits', 402, 'up'],
  ] as const)('%s: %s', async (_, code, status, health) => {
    await start()
    engine.adapter.creates.push(refused({ code, backendError: { ...problem().backendError, status } }))
    await problemOf(engine.create())
    const after = (await described()).health
    expect(after).toMatchObject({ status: health, reason: health === 'up' ? null : code })
    expect(after.since).toBe(health === 'up' ? null : new Date(engine.clock.now()).toISOString())
    await engine.create()
    expect((await described()).health.status).toBe('up')
  })
})

test('nothing but 503 for a minute is down, since the first of them; one success ends it', async () => {
  await start()
  const health = async () => {
    const backend = { name: 'main', interface: 'primary' as const, account: engine.account, drain: false, pool: null }
    return (await engine.videos.describe(backend)).health
  }
  const refuse = async () => {
    const backendError = { ...problem().backendError, status: 503, code: 'maintenance' }
    engine.adapter.creates.push(refused({ code: 'backend_unavailable', backendError }))
    await problemOf(engine.create())
  }
  const since = new Date(engine.clock.now()).toISOString()
  await refuse()
  await engine.clock.advance(59 * SECOND)
  await refuse()
  expect(await health()).toEqual({ status: 'degraded', since, reason: 'backend_unavailable' })
  await engine.clock.advance(SECOND)
  await refuse()
  expect(await health()).toEqual({ status: 'down', since, reason: 'backend_unavailable' })
  await engine.create()
  await refuse()
  expect((await health()).status).toBe('degraded')
})

test('a fault of ours between ticket and bytes gives the ticket back: the window is not held up', async () => {
  await start()
  const create = engine.adapter.create
  engine.adapter.create = () => Promise.reject(new Error('a bug of ours'))
  // It is stored, and may have gone out: the client is told 202, and the doubt is ours.
  expect((await engine.create()).video).toMatchObject({ status: 'queued', backendJobId: null })
  engine.adapter.create = create
  expect((await engine.create()).video.phase).toBe('accepted')
})
