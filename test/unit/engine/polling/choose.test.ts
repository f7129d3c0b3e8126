import { describe, expect, test } from 'vitest'
import type { BudgetView } from '../../../../src/core/store/accounts.ts'
import type { OpenVideo } from '../../../../src/core/store/videos.ts'
import { accountIdOf } from '../../../../src/core/vocabulary.ts'
import { createLearned } from '../../../../src/engine/polling/learned.ts'
import { plannedAt } from '../../../../src/engine/polling/poll-plan.ts'
import { createMemories } from '../../../../src/engine/polling/memories.ts'
import { remember } from '../../../../src/engine/polling/poll-memory.ts'
import { createDueQueue } from '../../../../src/engine/polling/due-queue.ts'
import { createChoice } from '../../../../src/engine/polling/choose.ts'
import { openVideo } from '../../../fakes/open-video.ts'
import { accepted, HOUR, SECOND, T0 } from '../../../fakes/records.ts'

const ACCOUNT = accountIdOf('main')
const WINDOW: BudgetView = {
  limit: 1_000,
  remaining: 900,
  resetsAtMs: T0 + 40 * SECOND,
  nextAtMs: null,
  nextCreateAtMs: null,
  lengthMs: 61 * SECOND,
}
const turn = (waiting = 0, budget: Partial<BudgetView> = {}, nowMs = T0) => ({
  nowMs,
  waiting,
  budget: { ...WINDOW, ...budget },
})

/** An account of two slots whose jobs began at T0, of which nothing has been learned. */
const open = (ids: readonly string[] = ['vid_1', 'vid_2']) => {
  const settings = { minIntervalMs: SECOND, maxAgeMs: HOUR, pollsPerJob: null }
  const store = { durations: async () => [], keepDurations: async () => undefined, addDurations: async () => undefined }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const learned = createLearned({
    store,
    clock: { now: () => T0 },
    log,
    random: () => 0.5,
    replica: { isAlone: true },
    settings,
  })
  const rows = createDueQueue()
  const memories = createMemories()
  /** When each was put to be taken, in order. */
  const placed: [string, number][] = []
  let planned = 0
  let priced = 0
  const choice = createChoice({
    account: { id: ACCOUNT, slots: 2 },
    hasList: false,
    calledBack: () => false,
    learned: {
      ...learned,
      pollAt: (...of) => ((planned += 1), learned.pollAt(...of)),
      of: (...of) => ((priced += 1), learned.of(...of)),
    },
    runningJobs: {
      rows,
      memories,
      isAwaited: () => false,
      isBusy: () => false,
      putBack: (row, notBeforeMs?: number) =>
        void placed.push([row.id, Math.max(plannedAt(row, memories.get(row.id)), notBeforeMs ?? 0)]),
    },
    settings,
  })
  const firstPollMs = (): number => {
    const video = accepted({ acceptedAtMs: T0, account: ACCOUNT })
    return learned.nextPollAt(video, { nowMs: T0, lastPollAtMs: null, readings: [], hintAtMs: null, calledBack: false })
  }
  for (const id of ids) {
    rows.put(openVideo({ id, dueAtMs: null }), 0, false)
    remember(memories, id, { version: 1, dueAtMs: firstPollMs() })
  }
  const row = (id = 'vid_1'): OpenVideo => {
    const known = rows.get(id)
    if (!known) throw new Error(id)
    return known
  }
  const dueMs = (id = 'vid_1'): number => plannedAt(row(id), memories.get(id)) - T0
  return { choice, rows, memories, placed, row, dueMs, firstPollMs, planned: () => planned, priced: () => priced }
}

describe('when polls become cheaper, those that were planned come sooner', () => {
  test('a queue grows: the first poll no longer waits as if nobody did', () => {
    const { choice, placed, dueMs, firstPollMs } = open()
    const before = dueMs()
    expect(before).toBeGreaterThan(2 * SECOND)
    choice.price(turn(25))
    expect(dueMs()).toBeLessThan(before / 2)
    expect(placed.map(([id]) => id)).toEqual(['vid_1', 'vid_2'])
    // So are those that are accepted from now on.
    expect(firstPollMs() - T0).toBe(dueMs())
  })

  test('the window has more left: what was put off comes back', () => {
    const { choice, row, dueMs } = open()
    const late = turn(0, { remaining: 1 }, T0 + 3 * SECOND)
    choice.price(late)
    expect(choice.take([row()], late)).toEqual([])
    const put = dueMs()
    expect(put).toBeGreaterThan(10 * SECOND)
    choice.price(turn(0, {}, T0 + 4 * SECOND))
    expect(dueMs()).toBeLessThan(put / 2)
  })

  test('of a spent window, the price is that of the next one', () => {
    const { choice, firstPollMs } = open()
    choice.price(turn(0, { remaining: 0 }))
    const next = firstPollMs()
    choice.price(turn(0, { remaining: 40, resetsAtMs: null }))
    expect(next).toBe(firstPollMs())
  })

  test('but never before the backend wants one', () => {
    const { choice, memories, dueMs } = open()
    remember(memories, 'vid_1', { version: 1, dueAtMs: T0 + 30 * SECOND, notBeforeMs: T0 + 30 * SECOND })
    choice.price(turn(1_000))
    expect(dueMs()).toBe(30 * SECOND)
    expect(dueMs('vid_2')).toBeLessThan(2 * SECOND)
  })

  test.each<[string, (of: ReturnType<typeof open>) => void]>([
    [
      'a poll that failed keeps its pause',
      ({ memories }) => remember(memories, 'vid_1', { version: 1, dueAtMs: T0 + 20 * SECOND, failures: 3, must: true }),
    ],
    [
      'a callback keeps its distance',
      ({ rows, row, memories }) => {
        rows.put({ ...row(), lastHintAtMs: T0 + 20 * SECOND }, 0, false)
        remember(memories, 'vid_1', { version: 1, dueAtMs: T0 + 20 * SECOND })
      },
    ],
  ])('%s', (_what, given) => {
    const account = open()
    given(account)
    account.choice.price(turn(1_000))
    expect(account.dueMs()).toBe(20 * SECOND)
  })

  test('a price that hardly falls moves nothing: who asks is told the same time', () => {
    const { choice, dueMs, placed } = open()
    choice.price(turn(2))
    const [before, moves] = [dueMs(), placed.length]
    for (let waiting = 2; waiting < 2.2; waiting += 0.01) choice.price(turn(waiting))
    expect([dueMs(), placed.length]).toEqual([before, moves])
  })
})

test('a turn plans as much with ten thousand running as with a hundred, and all come up', () => {
  const few = open(Array.from({ length: 100 }, (_, n) => `vid_${n}`))
  const many = open(Array.from({ length: 10_000 }, (_, n) => `vid_${n}`))
  for (const { choice } of [few, many]) choice.price(turn(0, { limit: 100_000, remaining: 100_000 }))
  expect(many.planned()).toBe(few.planned())
  const turns = Math.ceil(10_000 / many.planned()) + 1
  const roomy = { limit: 1e6, remaining: 1e6 }
  for (let n = 0; n < turns; n += 1) many.choice.price(turn(50_000, roomy, T0 + 150 + 8 * n))
  expect(new Set(many.placed.map(([id]) => id)).size).toBe(10_000)
})

test('many turns in a millisecond plan together what one would', () => {
  const [one, many] = [1, 50].map((turns) => {
    const account = open(Array.from({ length: 1_000 }, (_, n) => `vid_${n}`))
    account.choice.price(turn(0))
    for (let n = 0; n < turns; n += 1) account.choice.price(turn(0, {}, T0 + 1))
    return account.planned()
  })
  expect(many).toBe(one)
  expect(many).toBeGreaterThan(0)
})

test('a price takes as much with ten thousand running as with a few hundred, and is found as seldom', () => {
  const asked = [200, 10_000].map((count) => {
    const { choice, priced } = open(Array.from({ length: count }, (_, n) => `vid_${n}`))
    for (let n = 0; n < 1_000; n += 1) choice.price(turn(0, { remaining: 10 }, T0 + n))
    return priced()
  })
  expect(asked[1]).toBeLessThanOrEqual(2 * (asked[0] ?? 0))
  expect(asked[1]).toBeLessThan(10_000)
})
