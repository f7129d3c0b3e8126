import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  giveBack,
  learn,
  newBudget,
  take,
  viewBudget,
  type Budget,
  type BudgetClass,
  type Demand,
} from '../../../../src/core/limits/budget.ts'
import { MINUTE, rate, SECOND, T0 } from '../../../fakes/records.ts'

const NONE: Demand = { pollsDue: 0, createsWaiting: 0 }
const END_MS = T0 + 61 * SECOND

/** A window that was asked and told nothing new, with `creates` of it gone on creates and `others` on polls. */
const spent = (limit: number, creates: number, others: number): Budget => {
  let budget = learn(take(newBudget(limit), T0, 'poll').budget, 1, rate({ limit, remaining: limit - 1 }), T0)
  budget = { ...budget, resetsAtMs: END_MS }
  const go = (budgetClass: BudgetClass): void => {
    const taken = take(budget, T0, budgetClass, NONE)
    expect(taken.retryAtMs).toBeNull()
    const { remaining } = taken.budget
    budget = learn(taken.budget, 1, rate({ limit, remaining }), T0)
  }
  for (let n = 0; n < creates; n += 1) go('create')
  for (let n = 1; n < others; n += 1) go('poll')
  return budget
}
const goes = (budget: Budget, budgetClass: BudgetClass, demand: Demand): boolean =>
  take(budget, T0, budgetClass, demand).retryAtMs === null

describe('creates', () => {
  test.each<[string, number, number, number, boolean]>([
    ['with no poll due: all of it', 10, 8, 0, true],
    ['while a poll is due: up to a third', 10, 2, 1, true],
    ['while a poll is due: no more than a third', 10, 3, 1, false],
    ['of twelve, the fourth', 12, 3, 1, true],
    ['of twelve, not the fifth', 12, 4, 1, false],
    ['of two, one goes all the same', 2, 0, 1, true],
  ])('%s', (_, limit, creates, pollsDue, expected) => {
    expect(goes(spent(limit, creates, 1), 'create', { pollsDue, createsWaiting: 5 })).toBe(expected)
  })

  test('one that opens a window counts in it', () => {
    expect(take(newBudget(10), T0, 'create', { pollsDue: 9, createsWaiting: 9 }).budget.creates).toBe(1)
  })

  test('a new window has a third of its own', () => {
    const demand = { pollsDue: 1, createsWaiting: 1 }
    const full = spent(10, 3, 1)
    expect(goes(full, 'create', demand)).toBe(false)
    expect(take(full, END_MS, 'create', demand)).toMatchObject({ retryAtMs: null, budget: { window: 2, creates: 1 } })
  })

  test('who gives way asks again soon, not at the window’s end; at the latest then', () => {
    const demand = { pollsDue: 1, createsWaiting: 1 }
    expect(take(spent(10, 3, 1), T0, 'create', demand).retryAtMs).toBe(T0 + 500)
    expect(take(spent(10, 3, 1), END_MS - 100, 'create', demand).retryAtMs).toBe(END_MS)
  })
})

describe('reads', () => {
  test.each<[string, number, Demand, boolean]>([
    ['nobody else wants anything', 1, NONE, true],
    ['one is left and a poll is due', 9, { pollsDue: 1, createsWaiting: 0 }, false],
    ['one is left and a create waits', 9, { pollsDue: 0, createsWaiting: 1 }, false],
    ['more is left than the others want', 5, { pollsDue: 2, createsWaiting: 2 }, true],
    ['as much is left as the others want', 5, { pollsDue: 3, createsWaiting: 2 }, false],
  ])('%s', (_, polls, demand, expected) => {
    const after = { ...spent(10, 0, polls), reads: 1 }
    expect(goes(after, 'read', demand)).toBe(expected)
    // The first of a window gives way to nobody: somebody waits for it.
    expect(goes({ ...after, reads: 0 }, 'read', demand)).toBe(true)
  })

  test('one that finds the window spent is kept a request of the next, but not for ever', () => {
    const refused = take(spent(10, 0, 10), T0, 'read', NONE)
    expect(refused.retryAtMs).toBe(END_MS)
    const nine = (budget: Budget): Budget => ({ ...budget, window: budget.window + 1, remaining: 1, told: 1 })
    const next = nine(refused.budget)
    expect(goes(next, 'poll', NONE)).toBe(false)
    expect(goes(next, 'create', NONE)).toBe(false)
    expect(viewBudget(next, T0).nextAtMs).toBe(END_MS)
    expect(goes(next, 'read', { pollsDue: 9, createsWaiting: 9 })).toBe(true)
    expect(goes({ ...next, remaining: 2, told: 2 }, 'poll', NONE)).toBe(true)
    expect(goes({ ...next, reads: 1 }, 'poll', NONE)).toBe(true)
    expect(goes(nine(next), 'poll', NONE)).toBe(true)
    // Of so few none is kept: polls would never go.
    expect(goes({ ...next, limit: 2 }, 'poll', NONE)).toBe(true)
  })
})

test('polls give way to nobody', () => {
  expect(goes(spent(10, 0, 9), 'poll', { pollsDue: 1, createsWaiting: 99 })).toBe(true)
})

/** What each class got, minute by minute, where all that may ask do so, in an order of their own. */
const contest = (limit: number, minutes: number, wants: readonly BudgetClass[], due: Demand) => {
  const got: Record<BudgetClass, number[]> = { create: [], poll: [], read: [] }
  let budget = newBudget(limit)
  let left = limit
  let windowEndMs = T0 + MINUTE
  for (let nowMs = T0; nowMs < T0 + minutes * MINUTE; nowMs += 100) {
    if (nowMs >= windowEndMs) {
      windowEndMs += MINUTE
      left = limit
    }
    for (const one of wants) {
      const taken = take(budget, nowMs, one, due)
      ;({ budget } = taken)
      if (taken.retryAtMs !== null) continue
      left -= 1
      const told = { limit, remaining: Math.max(0, left), resetAtMs: windowEndMs, dateMs: nowMs }
      budget = learn(budget, budget.window, told, nowMs)
      const counts = got[one]
      while (counts.length < budget.window) counts.push(0)
      counts[budget.window - 1] = (counts[budget.window - 1] ?? 0) + 1
    }
  }
  return got
}

describe('whoever asks first, and however often', () => {
  const orders = fc.shuffledSubarray(['create', 'create', 'poll', 'read', 'read'] as const, { minLength: 5 })
  const limits = fc.integer({ min: 3, max: 60 })

  test('polls that are due are never starved: two thirds of every window are theirs', () => {
    fc.assert(
      fc.property(limits, orders, fc.integer({ min: 60, max: 500 }), (limit, order, pollsDue) => {
        const { create, poll, read } = contest(limit, 4, order, { pollsDue, createsWaiting: 50 })
        // The first and the last window may have been entered or left in their midst.
        const whole = poll.slice(1, -1)
        expect(whole.length).toBeGreaterThan(0)
        for (const count of whole) expect(count).toBeGreaterThanOrEqual(Math.floor((limit * 2) / 3) - 1)
        for (const count of create) expect(count).toBeLessThanOrEqual(Math.max(1, Math.floor(limit / 3)))
        // Somebody waits for a read: one of each window, and then the others are let by.
        for (const count of read.slice(1, -1)) expect(count).toBe(1)
      }),
      { seed: 20_261_120, numRuns: 60 },
    )
  })

  test('with no poll due, creates and reads share all of it', () => {
    const { create, read } = contest(10, 3, ['read', 'create'], { pollsDue: 0, createsWaiting: 1 })
    expect((create[1] ?? 0) + (read[1] ?? 0)).toBe(10)
    expect(create[1]).toBeGreaterThanOrEqual(5)
  })
})

describe('reads that were taken and never sent', () => {
  // Of a limit alone: what the upstream says is left would hide a wrong count of ours.
  const wide = learn(take(newBudget(1_000), T0).budget, 1, rate({ limit: 1_000 }), T0)

  test('it is as if they had never been taken', () => {
    const several = take(wide, T0, 'read', NONE, 4)
    expect(several.taken).toBe(4)
    expect(giveBack(several.budget, 1, 3)).toEqual(take(wide, T0, 'read', NONE).budget)
    expect(giveBack(several.budget, 1, 4)).toEqual(wide)
  })

  test('of an earlier window: they are late no more, and the window of now is as it was', () => {
    const next = take(take(wide, T0, 'read', NONE, 4).budget, T0 + 2 * MINUTE).budget
    expect(next.late).toMatchObject([{ window: 1, requests: 4 }])
    expect(giveBack(next, 1, 3)).toEqual({ ...next, late: [{ ...next.late[0], requests: 1 }] })
    expect(giveBack(next, 1, 4)).toEqual({ ...next, late: [] })
  })
})
