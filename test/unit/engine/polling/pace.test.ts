import { describe, expect, test } from 'vitest'
import type { BudgetView } from '../../../../src/core/store/accounts.ts'
import type { OpenVideo } from '../../../../src/core/store/videos.ts'
import { accountIdOf } from '../../../../src/core/vocabulary.ts'
import { createChoice, createLearned } from '../../../../src/engine/polling/choose.ts'
import { createDueQueue } from '../../../../src/engine/polling/running-jobs.ts'
import {
  durationsOf,
  NO_DURATIONS,
  dueLatenessMs,
  type Kind,
  paceOf,
  unhurried,
} from '../../../../src/engine/polling/progress.ts'
import { createMemories, plannedAt, setMemory } from '../../../../src/engine/polling/poll-plan.ts'
import { openVideo } from '../../../fakes/open-video.ts'
import { HOUR, SECOND, T0 } from '../../../fakes/records.ts'

const NINETY = durationsOf([90, 90, 90].map((s) => s * SECOND))
const view = (remaining: number, leftS: number | null): BudgetView => ({
  limit: 10,
  remaining,
  resetsAtMs: leftS === null ? null : T0 + leftS * SECOND,
  nextAtMs: null,
  nextCreateAtMs: null,
  lengthMs: 60 * SECOND,
})

describe('the pace of an account', () => {
  const pace = (remaining: number, leftS: number | null, jobs: Partial<Record<Kind, number>> = {}, waiting = 0) =>
    paceOf({
      nowMs: T0,
      budget: view(remaining, leftS),
      waiting,
      jobs: { awaited: 0, others: 0, ...jobs },
      minIntervalMs: SECOND,
    })
  const lateMs = (of: ReturnType<typeof pace>, kind: Kind = 'others'): number => dueLatenessMs(of, kind, NINETY)

  test.each<[string, number, number | null, number, number]>([
    ['what is left of the window, by the requests that are left', 6, 60, 0, 10],
    ['one of which is kept for a create while videos wait', 6, 60, 1, 12],
    ['but the last is not', 1, 60, 1, 60],
    ['of a spent window, what the next one will have', 0, 20, 0, 6],
    ['before a window is open, nothing: the next request opens one', 10, null, 0, 0],
    ['at its very end, nothing either', 5, 0, 0, 0],
  ])('shares %s', (_what, remaining, leftS, waiting, shareS) =>
    expect(pace(remaining, leftS, {}, waiting).shareMs).toBe(shareS * SECOND),
  )

  test.each([
    [1, 0.65],
    [2, 2 / 3],
    [9, 0.9],
  ])(
    'of %i jobs, a poll keeps %f of its share from the last one, of a share that shrinks meanwhile',
    (others, part) => {
      const freeMs = pace(6, 60, { others }).freeAtMs(T0) - T0
      expect(freeMs / ((60 * SECOND - freeMs) / 6)).toBeCloseTo(part, 3)
      expect(pace(10, null).freeAtMs(T0)).toBeLessThanOrEqual(T0)
    },
  )

  test('a large window has room for many polls in a millisecond', () => {
    const budget = { ...view(10_000_000, 60), limit: 10_000_000 }
    const jobs = { awaited: 0, others: 20_000 }
    const { freeAtMs } = paceOf({ nowMs: T0, budget, waiting: 0, jobs, minIntervalMs: SECOND })
    const gapMs = freeAtMs(T0) - T0
    expect(gapMs).toBeGreaterThan(0)
    expect(gapMs).toBeLessThan(0.01)
  })

  test('a job is polled at a part of the lateness that its even turn would have', () => {
    // Three jobs, ten seconds each: (30 s)² / (2 × 90 s) = 5 s.
    expect(lateMs(pace(6, 60, { others: 3 }))).toBeCloseTo(0.42 * 5_000, 5)
    // A turn of 1,000 s finds jobs of 90 s over, 955 s late.
    expect(lateMs(pace(6, 60, { others: 100 }))).toBeCloseTo(0.42 * 955_000, 5)
  })

  test('before three durations are known, a small part of the share', () =>
    expect(dueLatenessMs(pace(6, 60, { others: 3 }), 'others', NO_DURATIONS)).toBe(200))

  test('what somebody waits for counts three times, and a crowd of others hardly more than itself', () => {
    const even = pace(60, 60, { awaited: 10, others: 9 })
    expect(even.turnMs.others / even.turnMs.awaited).toBeGreaterThan(1.7)
    expect(pace(6, 60, { awaited: 2, others: 1_000 }).turnMs.awaited).toBe(30 * SECOND)
    expect(pace(6, 60, { awaited: 1_000, others: 2 }).turnMs.others).toBe(60 * SECOND)
  })

  test('requests to spare: 4 % of `min_interval`, but not while videos wait', () => {
    expect(unhurried(SECOND).leastMs).toBe(40)
    expect(pace(10, null).leastMs).toBe(40)
    expect(lateMs(pace(1_000, 1, { others: 1 }))).toBe(40)
    expect(lateMs(pace(1_000, 1, { others: 1 }, 5))).toBeLessThan(1)
  })
})

/** An account with such jobs, accepted so many seconds ago, of which 90 s are known. */
const open = async (jobs: Record<string, { agoS: number; row?: Partial<OpenVideo>; isAwaited?: boolean }>) => {
  const settings = { minIntervalMs: SECOND, maxAgeMs: HOUR, pollsPerJob: null }
  const learned = createLearned({
    store: {
      durations: async () => NINETY.recent,
      keepDurations: async () => undefined,
      addDurations: async () => undefined,
    },
    clock: { now: () => T0 },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    random: () => 0.5,
    replica: { isAlone: true },
    settings,
  })
  await learned.load(['main'])
  const [rows, memories] = [createDueQueue(), createMemories()]
  const put = new Map<string, number>()
  const isAwaited = ({ id }: { id: string }): boolean => jobs[id]?.isAwaited ?? false
  const choice = createChoice({
    account: { id: accountIdOf('main') },
    hasList: false,
    calledBack: () => false,
    learned,
    runningJobs: {
      rows,
      memories,
      isAwaited,
      putBack: (row, notBeforeMs?: number) =>
        void put.set(row.id, Math.max(plannedAt(row, memories.get(row.id)), notBeforeMs ?? 0) - T0),
    },
    settings,
  })
  for (const [id, { agoS, row }] of Object.entries(jobs)) {
    rows.put(openVideo({ id, acceptedAtMs: T0 - agoS * SECOND, ...row }), 0, isAwaited({ id }))
    setMemory(memories, id, { version: 1, dueAtMs: 0 })
  }
  const take = (room = 9, budget = view(6, 60), nowMs = T0) => {
    const turn = { nowMs, budget, waiting: 0 }
    choice.setPace(turn)
    const due = [...rows.ids()].flatMap((id) => rows.get(id) ?? [])
    return choice.take(due, turn, room)
  }
  const ids = (...of: Parameters<typeof take>): string[] => take(...of).polls.map(({ id }) => id)
  return { choice, take, ids, put, memories }
}

describe('who is polled', () => {
  test('the most urgent, alone; the others are put back until the gap is over, or until they are due', async () => {
    const { take, put } = await open({ late: { agoS: 110 }, later: { agoS: 130 }, young: { agoS: 10 } })
    const { polls, wanted } = take()
    expect([polls.map(({ id }) => id), wanted]).toEqual([['later'], 2])
    expect(put.get('late')).toBe(Math.ceil((0.75 * 60 * SECOND) / 6.75))
    expect(put.get('young')).toBeGreaterThan(20 * SECOND)
  })

  test('none within the gap, but what must be polled', async () => {
    const owed = { linkOwed: true }
    const { ids } = await open({ late: { agoS: 110 }, later: { agoS: 130 }, owed: { agoS: 1, row: owed } })
    expect(ids()).toEqual(['owed'])
    expect(ids()).toEqual(['owed'])
  })

  test('as many as there is room for where the window has plenty', async () => {
    const { ids } = await open({ a: { agoS: 110 }, b: { agoS: 120 }, c: { agoS: 130 } })
    expect(ids(0, view(100_000, 60))).toEqual([])
    expect(ids(2, view(100_000, 60))).toEqual(['c', 'b'])
  })

  test('none passes the most urgent where that may go soon', async () => {
    const { ids } = await open({ a: { agoS: 110 }, b: { agoS: 120 }, c: { agoS: 130 } })
    expect(ids(1, view(6_000, 60))).toEqual(['c'])
    expect(ids(1, view(6_000, 60))).toEqual([])
    expect(ids(2, view(6_000, 60), T0 + SECOND)).toEqual(['c', 'b'])
  })

  test('those that somebody waits for first, and every third time one of the others', async () => {
    const { ids, choice } = await open({
      other: { agoS: 190 },
      a: { agoS: 110, isAwaited: true },
      b: { agoS: 120, isAwaited: true },
      c: { agoS: 130, isAwaited: true },
    })
    expect(ids(9, view(100_000, 60))).toEqual(['c', 'b', 'other', 'a'])
    for (let n = 0; n < 2; n += 1) choice.polled(openVideo({ id: 'a' }))
    expect(ids(1, view(100_000, 60), T0 + SECOND)).toEqual(['other'])
  })

  test('never before the backend wants it, nor within `min_interval` of the last poll', async () => {
    const { ids, memories } = await open({ hinted: { agoS: 110 }, polled: { agoS: 110 } })
    setMemory(memories, 'hinted', { version: 1, notBeforeMs: T0 + 30 * SECOND })
    setMemory(memories, 'polled', { version: 1, lastPollAtMs: T0 - SECOND / 2 })
    expect(ids()).toEqual([])
  })
})
