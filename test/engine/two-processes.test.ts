import { describe, expect, test } from 'vitest'
import type { BackendView } from '../../src/core/api/videos.ts'
import { completed, running, scriptedAdapter } from '../fakes/adapter.ts'
import { must } from '../fakes/must.ts'
import { HOUR, INPUT, listQuery, MINUTE, problem, rate, SECOND } from '../fakes/records.ts'
import { REREAD_MS } from '../../src/engine/read/follow.ts'
import { openPair, type Pair, type Replica } from './pair.ts'

/** Hints reach nobody but their own process here: what the other learns, it learns from the store. */

const CLIENTS = new Set(['acme'])
const NEVER = new AbortController().signal
const main = ({ backends }: Replica) => must(backends.get('main'))
const SILENT = problem({
  code: 'backend_timeout',
  backendError: { status: null, code: null, block_code: null, message: null },
})
const view = (of: Replica): Promise<BackendView> => of.videos.describe(main(of))

/** A read that came to this. */
const heard = (of: Replica, outcome: { rate: ReturnType<typeof rate> | null; problem?: ReturnType<typeof problem> }) =>
  of.upstream.ask(of.account, 'read', 0, async () => outcome)

/** `one` holds the account; `two` does not. */
const started = async (...given: Parameters<typeof openPair>): Promise<Pair> => {
  const pair = await openPair(...given)
  pair.one.start()
  await pair.pass(SECOND)
  pair.two.start()
  await pair.pass(SECOND)
  return pair
}

describe('who holds an account', () => {
  test('both tell; when it stops the other follows within seconds, when it is killed within its lease', async () => {
    const { one, two, pass } = await started()
    expect([(await view(one)).held_by, (await view(two)).held_by]).toEqual(['one', 'one'])
    one.videos.halt()
    await one.videos.stop()
    await pass(3 * SECOND)
    expect((await view(two)).held_by).toBe('two')
  })

  test('when it halts the other follows, though a poll is under way; what that was told is kept to at the end', async () => {
    const { one, two, adapter, clock, pass, record } = await started()
    const { video } = await one.create()
    const poll = Promise.withResolvers<ReturnType<typeof running>>()
    adapter.polls.push(poll.promise)
    while (adapter.callsOf('status').length === 0) await pass(SECOND)
    one.videos.halt()
    await pass(3 * SECOND)
    expect((await view(two)).held_by).toBe('two')
    const stopped = one.videos.stop()
    const nextPollAtMs = clock.now() + HOUR
    poll.resolve(running({ nextPollAtMs }))
    await stopped
    expect(await record(video.id)).toMatchObject({ nextPollAtMs })
  })

  test('as long as it lives nobody else takes it: it extends its lease in the store', async () => {
    const { one, two, pass, store } = await started()
    for (let n = 0; n < 12; n += 1) {
      await pass(10 * SECOND)
      expect(await store.claim('account', one.account.id, SECOND)).toBeNull()
    }
    expect((await view(two)).held_by).toBe('one')
    expect(two.verbs.get('claim') ?? 0).toBe(0)
  })

  test('one that was killed is followed when its lease is over', async () => {
    const { one, two, pass } = await started()
    one.kill()
    await pass(20 * SECOND)
    expect((await view(two)).held_by).toBe('one')
    await pass(30 * SECOND)
    expect((await view(two)).held_by).toBe('two')
  })
})

describe('a holder whose session has ended, as far as the store sees', () => {
  const leaseOf = async ({ store }: Pair) => must((await store.holders('account'))[0])
  /** What `two` sees of holders; answers how often it saw one gone. */
  const withGone = ({ two }: Pair, gone: Set<string>): (() => number) => {
    const { holders } = two.store
    let seen = 0
    two.store.holders = async (kind) =>
      (await holders(kind)).map((held) => {
        const isGone = gone.has(held.holder)
        if (isGone) seen += 1
        return { ...held, isGone }
      })
    return () => seen
  }

  test('is followed before its lease has run out', async () => {
    const pair = await started()
    const gone = new Set<string>()
    withGone(pair, gone)
    await pair.pass(10 * SECOND)
    pair.one.kill()
    gone.add('one')
    await pair.pass(3 * SECOND)
    expect((await leaseOf(pair)).holder).toBe('two')
  })

  test('and is there again a second later keeps its account', async () => {
    const pair = await started()
    const gone = new Set<string>()
    const seen = withGone(pair, gone)
    await pair.pass(10 * SECOND + 500)
    for (let n = 0; n < 5; n += 1) {
      gone.add('one')
      await pair.pass(900)
      gone.delete('one')
      await pair.pass(1_100)
    }
    expect(seen()).toBeGreaterThan(3)
    expect((await leaseOf(pair)).holder).toBe('one')
    expect(pair.two.verbs.get('claim') ?? 0).toBe(0)
  })

  test('and lives even so loses its account, and acts for it no more', async () => {
    const pair = await started()
    withGone(pair, new Set(['one']))
    const { video } = await pair.two.create()
    await pair.pass(10 * SECOND)
    expect((await leaseOf(pair)).holder).toBe('two')
    const before = pair.one.verbs.get('spend') ?? 0
    pair.adapter.polls.push(completed())
    while ((await pair.record(video.id)).phase !== 'ended') await pair.pass(SECOND)
    expect(pair.one.verbs.get('spend') ?? 0).toBe(before)
  })

  test('is not followed by a process that has just started', async () => {
    const pair = await openPair()
    pair.one.start()
    await pair.pass(SECOND)
    withGone(pair, new Set(['one']))
    pair.one.kill()
    pair.two.start()
    await pair.pass(3 * SECOND)
    expect((await leaseOf(pair)).holder).toBe('one')
    await pair.pass(4 * SECOND)
    expect((await leaseOf(pair)).holder).toBe('two')
  })
})

describe('what one process met, the other knows', () => {
  test('a key that was refused, and that it is taken again', async () => {
    const { one, two, pass } = await started()
    const backendError = { status: 401, code: null, block_code: null, message: null }
    await heard(two, { rate: null, problem: problem({ code: 'backend_credentials_rejected', backendError }) })
    await pass(2 * SECOND)
    expect((await view(one)).health).toMatchObject({ status: 'down', reason: 'backend_credentials_rejected' })
    expect(one.upstream.keyRefusedUntilMs(one.account.id)).toBeGreaterThan(0)
    await heard(one, { rate: null })
    await pass(2 * SECOND)
    expect((await view(two)).health.status).toBe('up')
    expect(two.upstream.keyRefusedUntilMs(two.account.id)).toBe(0)
  })

  test('that it was not answered, the other does not: it may be its own network', async () => {
    const { one, two, pass } = await started({ waitsWhenDown: true })
    await heard(two, { rate: null })
    await pass(2 * SECOND)
    for (let n = 0; n < 5; n += 1) await heard(one, { rate: null, problem: SILENT })
    await pass(2 * SECOND)
    expect((await view(one)).health).toMatchObject({ status: 'down', reason: 'circuit_open' })
    expect((await one.check({})).backends[0]?.verdict).toBe('unavailable')
    expect(await heard(one, { rate: null })).toMatchObject({ kind: 'not_now', why: 'circuit_open' })
    expect((await view(two)).health).toMatchObject({ status: 'up' })
    expect(two.upstream.shutUntilMs(two.account.id)).toBe(0)
    expect(await heard(two, { rate: null })).toMatchObject({ kind: 'asked' })
    // After the pause of its breaker nobody knows, until the other was answered again.
    await pass(30 * SECOND)
    expect((await view(one)).health.reason).toBe('circuit_open')
    await pass(MINUTE)
    await heard(two, { rate: null })
    await pass(2 * SECOND)
    expect((await view(one)).health.status).toBe('up')
    expect(one.upstream.shutUntilMs(one.account.id)).toBe(0)
  })

  test('of a 503 that it sent both know; a success of either ends it', async () => {
    const { one, two, pass } = await started()
    const backendError = { status: 503, code: 'maintenance', block_code: null, message: null }
    await heard(one, { rate: null, problem: problem({ code: 'backend_unavailable', backendError }) })
    await pass(2 * SECOND)
    expect((await view(two)).health).toMatchObject({ status: 'degraded', reason: 'backend_unavailable' })
    await heard(two, { rate: null })
    await pass(2 * SECOND)
    expect((await view(one)).health.status).toBe('up')
  })

  test('slots that others hold, until they are free', async () => {
    const { one, two, clock, pass } = await started()
    one.upstream.pauseSlots(one.account.id, clock.now() + MINUTE)
    await pass(2 * SECOND)
    await view(two)
    expect(two.upstream.slotsPausedUntilMs(two.account.id)).toBeGreaterThan(clock.now())
    one.upstream.resumeSlots(one.account.id)
    await pass(2 * SECOND)
    await view(two)
    expect(two.upstream.slotsPausedUntilMs(two.account.id)).toBe(0)
  })

  test('the offset of its clock, by which a doubt is ended by whoever takes over', async () => {
    const { one, two, clock, pass } = await started()
    await heard(one, { rate: rate({ dateMs: clock.now() + 7_000 }) })
    await pass(2 * SECOND)
    await view(two)
    expect(two.upstream.offsetMs(two.account.id)).toBe(7_000)
    await pass(3 * MINUTE)
    expect(two.upstream.offsetMs(two.account.id)).toBeNull()
  })

  test('what the holder wants of the window: a less important request elsewhere leaves room for it', async () => {
    const demands: unknown[] = []
    const { one, two, pass } = await openPair()
    const { spend } = two.store
    two.store.spend = (account, kind, demand, ...more) => {
      demands.push(demand)
      return spend(account, kind, demand, ...more)
    }
    one.upstream.wants(one.account, { pollsDue: 5, waiting: 3, held: 0 })
    await pass(2 * SECOND)
    await two.upstream.heed()
    await heard(two, { rate: null })
    // One that died wants nothing any more.
    await pass(11 * SECOND)
    await two.upstream.heed()
    await heard(two, { rate: null })
    expect(demands).toEqual([
      { pollsDue: 5, createsWaiting: 2 },
      { pollsDue: 0, createsWaiting: 0 },
    ])
  })
})

describe('who waits at one process', () => {
  test('for a video that the other polls hears of its end without a hint', async () => {
    const { one, two, adapter, clock, pass, record } = await started()
    const { video } = await one.create({})
    await pass(SECOND)
    const waiting = two.videos.wait(video.id, 10 * MINUTE, NEVER)
    const news = two.videos.followVideo(video.id, null, NEVER)
    const events = two.videos.followEvents('acme', 0, ['video.completed'], NEVER)
    const first = await news.next()
    const [next, event] = [news.next(), events.next()]
    adapter.polls.push(completed())
    while ((await record(video.id)).phase !== 'ended') await pass(SECOND)
    const endedAtMs = clock.now()
    let heardAtMs = 0
    const all = Promise.all([waiting, next, event]).then((told) => {
      heardAtMs = clock.now()
      return told
    })
    await pass(REREAD_MS + SECOND)
    const [video2, change, placed] = await all
    expect(video2?.status).toBe('completed')
    expect(first.value?.view.status).toBe('queued')
    expect(change.value?.type).toBe('video.completed')
    expect(placed.value?.event.videoId).toBe(video.id)
    expect(heardAtMs - endedAtMs).toBeLessThanOrEqual(REREAD_MS + SECOND)
  })

  test('is told to the one that polls, so that this poll goes first; and that he went', async () => {
    const { one, two, pass, store } = await started()
    const { video } = await one.create({})
    const leaving = new AbortController()
    const waiting = two.videos.wait(video.id, MINUTE, leaving.signal)
    await pass(2 * SECOND)
    expect(await store.facts('waits')).toMatchObject([{ key: 'waits/two', value: expect.stringContaining(video.id) }])
    leaving.abort()
    await waiting
    await pass(2 * SECOND)
    expect(await store.facts('waits')).toMatchObject([{ value: '{"videos":[],"clients":[]}' }])
    await pass(15 * SECOND)
    expect(await store.facts('waits')).toEqual([])
  })
})

test('a job that a callback named at one process is read by the one that polls, or by who follows it', async () => {
  const { one, two, adapter, pass } = await started({
    interface: 'alternate',
    callbackUrl: 'https://gateway.example/hook',
  })
  const PORTRAIT = { image_url: null, puppet_id: 'pup_1', voice_id: null }
  const { video } = await one.create({ input: { ...INPUT, ...PORTRAIT } })
  await pass(SECOND)
  await two.videos.hinted(video.id, video.attempt, 'job_twin')
  one.kill()
  await pass(2 * MINUTE)
  const read = adapter.callsOf('status').filter((call) => call.operation === 'status' && call.jobId === 'job_twin')
  expect(read.length).toBeGreaterThan(0)
})

describe('a gateway with nothing to do', () => {
  test('asks its store little: who holds an account one read a second, who does not none of its own', async () => {
    const { one, two, pass } = await started()
    await pass(10 * SECOND)
    one.verbs.clear()
    two.verbs.clear()
    await pass(60 * SECOND)
    const sum = (verbs: Map<string, number>, ...names: string[]) =>
      [...verbs].reduce((all, [name, n]) => all + (names.length === 0 || names.includes(name) ? n : 0), 0)
    expect(sum(one.verbs) / 60).toBeLessThan(4)
    // It looks who has the account, and writes nothing.
    expect(sum(two.verbs, 'claim', 'extend', 'putFacts', 'spend')).toBe(0)
    expect(sum(two.verbs) / 60).toBeLessThan(2)
  })
})

describe('a reload at one process before the other', () => {
  const withSpare = (pair: Pair) => [...pair.two.backends.values()].map(({ name }) => name)
  const open = () => openPair({}, { two: { spare: scriptedAdapter(() => 0) } })

  test('a process with the older configuration takes no video on a backend that is gone', async () => {
    const pair = await open()
    const { one, two } = pair
    expect(withSpare(pair)).toEqual(['main', 'spare'])
    await two.videos.serve(CLIENTS, 'start')
    expect((await two.create({ backend: 'spare' })).video.backend).toBe('spare')
    await expect(one.videos.serve(CLIENTS, 'reload')).rejects.toThrow('backend spare has 1 open video(s)')
    // It was refused: nothing has changed.
    const { video } = await two.create({ backend: 'spare' })
    for (const { id } of await pair.store.list('acme', listQuery()))
      await pair.store.change(id, (current) => ({
        kind: 'save',
        video: { ...current, phase: 'ended', status: 'failed', endedAtMs: pair.clock.now() },
        events: [],
        notes: [],
      }))
    await one.videos.serve(CLIENTS, 'reload')
    await expect(two.create({ backend: 'spare' })).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect((await two.create({ backend: 'main' })).video.backend).toBe('main')
    expect(video.backend).toBe('spare')
    // The operator goes back.
    await two.videos.serve(CLIENTS, 'reload')
    expect((await two.create({ backend: 'spare' })).video.backend).toBe('spare')
  })

  test('one that starts with the older configuration cancels nothing of a client that is new', async () => {
    const { one, two, pass, record, adapter } = await openPair({ account: { slots: 1 } })
    await two.videos.serve(CLIENTS, 'start')
    await one.videos.serve(new Set(['acme', 'fresh']), 'reload')
    await one.create({}, null, 'fresh')
    const { video } = await one.create({}, null, 'fresh')
    expect(video.phase).toBe('waiting')
    // It died, and its file is that of before.
    await two.videos.serve(CLIENTS, 'start')
    await two.videos.adjust(CLIENTS)
    expect((await record(video.id)).phase).toBe('waiting')
    expect(two.log.map(({ message }) => message)).toContain(
      'another replica has a newer configuration: send SIGHUP here to use this one again',
    )
    // An operator says that it counts.
    await two.videos.serve(CLIENTS, 'reload')
    await two.videos.adjust(CLIENTS)
    await pass(SECOND)
    expect(await record(video.id)).toMatchObject({ phase: 'ended', status: 'canceled' })
    expect(adapter.callsOf('create')).toHaveLength(1)
  })
})
