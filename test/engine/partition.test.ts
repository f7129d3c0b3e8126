import { describe, expect, test } from 'vitest'
import type { BackendProblem, CreateOutcome } from '../../src/core/adapter.ts'
import { sleepUntil } from '../../src/core/time/clock.ts'
import { completed, running, scriptedAdapter, type ScriptedAdapter } from '../fakes/adapter.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'
import { acceptedAs, doubt, INPUT, listQuery, MINUTE, problem, SECOND, unreachable } from '../fakes/records.ts'
import { openEngine } from './harness.ts'
import { openPair, type Replica } from './pair.ts'

/** How requests fail: refused, or taken and never answered. */
type Cut = 'refuse' | 'swallow'

const TIMEOUT_MS = 30 * SECOND
const JOB_MS = 12 * SECOND

/** A backend whose jobs take some time, and which knows its idempotency keys. */
const backend = (now: () => number) => {
  const jobs = new Map<string, { jobId: string; endsAtMs: number }>()
  let creates = 0
  const adapter: ScriptedAdapter = Object.assign(scriptedAdapter(now), {
    async create({ headers }) {
      creates += 1
      const key = headers['idempotency-key'] ?? ''
      const job = jobs.get(key) ?? { jobId: `job_${jobs.size + 1}`, endsAtMs: now() + JOB_MS }
      jobs.set(key, job)
      return acceptedAs(job.jobId)
    },
    async status(jobId) {
      const job = must([...jobs.values()].find((one) => one.jobId === jobId))
      return now() < job.endsAtMs ? running({ jobId }) : completed({ jobId })
    },
  } satisfies Partial<ScriptedAdapter>)
  return { adapter, jobs, creates: () => creates }
}

const silence = (code: BackendProblem['code']): BackendProblem =>
  problem({ code, backendError: { status: null, code: null, block_code: null, message: null } })

/** The backend as a process sees it whose network may be cut. What is swallowed arrives: only the answer does not. */
const network = (behind: ScriptedAdapter, clock: () => FakeClock) => {
  const cut: { how: Cut | null; met: number } = { how: null, met: 0 }
  const swallow = (): Promise<void> => sleepUntil(clock(), clock().now() + TIMEOUT_MS)
  const adapter: ScriptedAdapter = Object.assign({ ...behind }, {
    async create(wire): Promise<CreateOutcome> {
      if (cut.how === null) return behind.create(wire)
      cut.met += 1
      if (cut.how === 'refuse') return unreachable(silence('backend_unavailable'))
      await behind.create(wire)
      await swallow()
      return doubt(silence('backend_timeout'))
    },
    async status(jobId) {
      if (cut.how === null) return behind.status(jobId)
      cut.met += 1
      if (cut.how === 'swallow') await swallow()
      const code = cut.how === 'refuse' ? 'backend_unavailable' : 'backend_timeout'
      return { ok: false, problem: silence(code), lost: false, rate: null }
    },
  } satisfies Partial<ScriptedAdapter>)
  return { adapter, cut }
}

const ACCOUNT = { slots: 4, requestsPerMinute: 60, timeoutMs: TIMEOUT_MS }
const VIDEOS = 24

const open = async () => {
  let clock: FakeClock | null = null
  const behind = { now: () => must(clock).now() }
  const real = backend(() => behind.now())
  const { adapter, cut } = network(real.adapter, () => must(clock))
  const pair = await openPair({ account: ACCOUNT, adapter: () => real.adapter }, { one: { adapter: () => adapter } })
  clock = pair.clock
  return { ...pair, real, cut }
}

const held = async (of: Replica): Promise<string | null> =>
  (await of.videos.describe(must(of.backends.get('main')))).held_by

describe('a holder that is cut off from its backend, and not from its store', () => {
  test.each<Cut>(['refuse', 'swallow'])(
    '%s: lets its account go, and ends are reported while it is still cut off; nothing is paid twice',
    async (how) => {
      const { one, two, clock, cut, real, pass, store } = await open()
      one.start()
      await pass(SECOND)
      two.start()
      const order = async (by: Replica, n: number) =>
        (await by.create({ input: { ...INPUT, text: `text ${n}` } })).video
      for (let n = 0; n < VIDEOS; n += 1) await order(n % 2 === 0 ? one : two, n)
      const ended = async () =>
        (await store.list('acme', listQuery({ limit: 100 }))).filter(({ phase }) => phase === 'ended')
      while ((await ended()).length < 2) await pass(SECOND)
      expect(await held(one)).toBe('one')

      cut.how = how
      const cutAtMs = clock.now()
      const before = (await ended()).length
      await pass(30 * SECOND)
      expect(cut.met).toBeGreaterThan(0)
      expect([await held(one), await held(two)]).toEqual(['two', 'two'])
      expect((await ended()).length).toBeGreaterThan(before)
      expect(one.log.map(({ message }) => message)).toContain(
        'no answer from the backend: another replica may work on its videos',
      )
      while ((await ended()).length < VIDEOS) {
        await pass(SECOND)
        expect(await held(two)).toBe('two')
        expect(clock.now() - cutAtMs).toBeLessThan(10 * MINUTE)
      }
      expect(real.jobs.size).toBe(VIDEOS)
      const jobs = (await ended()).map(({ backendJobId, status }) => `${backendJobId} ${status}`)
      expect(jobs.toSorted()).toEqual([...real.jobs.values()].map(({ jobId }) => `${jobId} completed`).toSorted())
    },
  )

  test('takes it again if nobody else is there, and keeps it for a minute', async () => {
    const { one, cut, pass, clock } = await open()
    one.start()
    await pass(SECOND)
    await one.create()
    await pass(SECOND)
    cut.how = 'refuse'
    const free: number[] = []
    for (const untilMs = clock.now() + 65 * SECOND; clock.now() < untilMs; await pass(SECOND))
      if ((await held(one)) === null) free.push(clock.now())
    expect(cut.met).toBeGreaterThan(0)
    // Seconds without a holder, all of one time.
    expect(free.length).toBeGreaterThan(3)
    expect(free.length).toBeLessThan(9)
    expect(must(free.at(-1)) - must(free[0])).toBe((free.length - 1) * SECOND)
    expect(await held(one)).toBe('one')
  })

  test('that waits long for a create keeps its account, answered or not, as its polls are answered', async () => {
    const { one, two, adapter, clock, pass } = await openPair({ account: ACCOUNT })
    const after = <T>(ms: number, outcome: T): Promise<T> => sleepUntil(clock, clock.now() + ms).then(() => outcome)
    one.start()
    await pass(SECOND)
    two.start()
    const passes = async (): Promise<void> => {
      for (let n = 0; n < 40; n += 1) {
        await pass(SECOND)
        expect(await held(two)).toBe('one')
      }
    }
    adapter.creates.push(after(20 * SECOND, acceptedAs('job_1')))
    const slow = one.create()
    await passes()
    expect((await slow).video.phase).toBe('accepted')
    adapter.creates.push(after(TIMEOUT_MS, doubt(silence('backend_timeout'))))
    void one.create()
    await passes()
    expect(adapter.callsOf('create').length).toBeGreaterThan(2)
    expect(one.log.map(({ message }) => message)).not.toContain(
      'no answer from the backend: another replica may work on its videos',
    )
  })

  test('that is alone keeps its account, however long', async () => {
    let clock: FakeClock | null = null
    const now = () => must(clock).now()
    const { adapter, cut } = network(backend(now).adapter, () => must(clock))
    const engine = await openEngine({ account: ACCOUNT, adapter: () => adapter })
    clock = engine.clock
    engine.videos.start()
    await engine.create()
    cut.how = 'refuse'
    for (let n = 0; n < 120; n += 1) {
      await engine.pass(SECOND)
      expect(await engine.store.holders('account')).toMatchObject([{ holder: 'alone' }])
    }
    expect(cut.met).toBeGreaterThan(5)
    engine.videos.halt()
    await engine.destroy()
  })
})
