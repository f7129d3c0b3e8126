import { describe, expect, test } from 'vitest'
import type { BudgetView } from '../../../../src/core/store/budget.ts'
import type { OpenVideo } from '../../../../src/core/store/videos.ts'
import { accountIdOf } from '../../../../src/core/vocabulary.ts'
import { createLearned } from '../../../../src/engine/polling/learned.ts'
import { plannedAt } from '../../../../src/engine/polling/poll-plan.ts'
import { remember, type Memories } from '../../../../src/engine/polling/poll.ts'
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
  const store = { durations: async () => [], keepDurations: async () => undefined }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const learned = createLearned({ store, log, random: () => 0.5, settings })
  const rows = new Map<string, OpenVideo>()
  const memories: Memories = new Map()
  /** When each was put to be taken, in order. */
  const placed: [string, number][] = []
  let planned = 0
  const choice = createChoice({
    account: { id: ACCOUNT, slots: 2 },
    hasList: false,
    calledBack: () => false,
    learned: { ...learned, lookAt: (...of) => ((planned += 1), learned.lookAt(...of)) },
    watch: {
      rows,
      memories,
      isAwaited: () => false,
      isBusy: () => false,
      putBack: (row, notBeforeMs?: number) =>
        void placed.push([row.id, Math.max(plannedAt(row, memories.get(row.id)), notBeforeMs ?? 0)]),
    },
    settings,
  })
  const firstLookMs = (): number => {
    const video = accepted({ acceptedAtMs: T0, account: ACCOUNT })
    return learned.nextLookAt(video, { nowMs: T0, lastLookAtMs: null, readings: [], hintAtMs: null, calledBack: false })
  }
  for (const id of ids) {
    rows.set(id, openVideo({ id, dueAtMs: null }))
    remember(memories, id, { version: 1, dueAtMs: firstLookMs() })
  }
  const row = (id = 'vid_1'): OpenVideo => {
    const known = rows.get(id)
    if (!known) throw new Error(id)
    return known
  }
  const dueMs = (id = 'vid_1'): number => plannedAt(row(id), memories.get(id)) - T0
  return { choice, rows, memories, placed, row, dueMs, firstLookMs, planned: () => planned }
}

describe('when looks become cheaper, those that were planned come sooner', () => {
  test('a queue grows: the first look no longer waits as if nobody did', () => {
    const { choice, placed, dueMs, firstLookMs } = open()
    const before = dueMs()
    expect(before).toBeGreaterThan(2 * SECOND)
    choice.price(turn(25))
    expect(dueMs()).toBeLessThan(before / 2)
    expect(placed.map(([id]) => id)).toEqual(['vid_1', 'vid_2'])
    // So are those that are accepted from now on.
    expect(firstLookMs() - T0).toBe(dueMs())
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
    const { choice, firstLookMs } = open()
    choice.price(turn(0, { remaining: 0 }))
    const next = firstLookMs()
    choice.price(turn(0, { remaining: 40, resetsAtMs: null }))
    expect(next).toBe(firstLookMs())
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
      'a look that failed keeps its pause',
      ({ memories }) => remember(memories, 'vid_1', { version: 1, dueAtMs: T0 + 20 * SECOND, failures: 3, must: true }),
    ],
    [
      'a callback keeps its distance',
      ({ rows, row, memories }) => {
        rows.set('vid_1', { ...row(), lastHintAtMs: T0 + 20 * SECOND })
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
  for (let n = 0; n < turns; n += 1) many.choice.price(turn(50_000, { limit: 1e6, remaining: 1e6 }, T0 + 100))
  expect(new Set(many.placed.map(([id]) => id)).size).toBe(10_000)
})
