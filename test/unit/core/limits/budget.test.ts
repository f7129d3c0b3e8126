import { describe, expect, test } from 'vitest'
import { exhaust, learn, newBudget, take, viewBudget, type Budget } from '../../../../src/core/limits/budget.ts'
import { HOUR, MINUTE, rate, SECOND, T0 } from '../../../fakes/records.ts'

const LIMIT = 10

/** Takes `count` at `nowMs`, each of which must go. */
const taken = (budget: Budget, count: number, nowMs = T0): Budget => {
  let after = budget
  for (let n = 0; n < count; n += 1) {
    const one = take(after, nowMs)
    expect(one.retryAtMs).toBeNull()
    after = one.budget
  }
  return after
}

/** Headers of a window that ends `leftMs` from now, by an upstream whose clock is `skewMs` ahead. */
const told = (remaining: number | null, leftMs = 30 * SECOND, skewMs = 0, limit: number | null = LIMIT) =>
  rate({ limit, remaining, resetAtMs: T0 + skewMs + leftMs, dateMs: T0 + skewMs })

/** A window whose first request told its headers. */
const probed = (remaining = LIMIT - 1): Budget => learn(taken(newBudget(LIMIT), 1), 1, told(remaining), T0)

const left = (budget: Budget, nowMs = T0): number => viewBudget(budget, nowMs).remaining

describe('take', () => {
  test('after a start one request goes, and a second is asked back soon', () => {
    const { budget, retryAtMs } = take(taken(newBudget(LIMIT), 1), T0)
    expect(retryAtMs).toBe(T0 + 100)
    expect(budget.probing).toBe(true)
  })

  test('without an answer the window lasts a minute and the margin', () => {
    const budget = taken(newBudget(LIMIT), 1)
    expect(take(budget, T0 + 61 * SECOND - 1).retryAtMs).not.toBeNull()
    expect(take(budget, T0 + 61 * SECOND)).toMatchObject({ retryAtMs: null, budget: { window: 2, probing: true } })
  })

  test('what is left goes, then nothing until the window’s end', () => {
    const spent = taken(probed(3), 3)
    const allAnswered = [2, 1, 0].reduce((budget, remaining) => learn(budget, 1, told(remaining), T0), spent)
    expect(take(allAnswered, T0).retryAtMs).toBe(T0 + 31 * SECOND)
    expect(take(allAnswered, T0 + 31 * SECOND).retryAtMs).toBeNull()
  })

  test('a new window keeps the limit that was told, and asks anew what is left', () => {
    const next = taken(learn(taken(newBudget(LIMIT), 1), 1, told(4, 30 * SECOND, 0, 5), T0), 1, T0 + 31 * SECOND)
    expect(next).toMatchObject({ window: 2, limit: 5, remaining: 4, told: null, probing: true, known: false })
  })
})

describe('learn: the window’s end', () => {
  test.each([
    ['as told', 30 * SECOND, 31 * SECOND],
    ['at least a second, and the margin', 0, 2 * SECOND],
    ['nor in the past', -HOUR, 2 * SECOND],
    ['at most a window', HOUR, 62 * SECOND],
  ])('%s', (_, leftMs, expectedMs) => {
    const budget = learn(taken(newBudget(LIMIT), 1), 1, told(9, leftMs), T0)
    expect(budget.resetsAtMs).toBe(T0 + expectedMs)
  })

  test.each([HOUR, -HOUR, 24 * HOUR])('of an upstream whose clock is off by %i ms is the same', (skewMs) => {
    const budget = learn(taken(newBudget(LIMIT), 1), 1, told(9, 30 * SECOND, skewMs), T0)
    expect(budget.resetsAtMs).toBe(T0 + 31 * SECOND)
  })

  test('is told once: a later answer does not move it', () => {
    const budget = learn(taken(probed(), 1), 1, told(8, 55 * SECOND), T0 + SECOND)
    expect(budget.resetsAtMs).toBe(T0 + 31 * SECOND)
  })

  test('is not moved by an answer without a reset', () => {
    const budget = learn(taken(newBudget(LIMIT), 1), 1, rate({ limit: LIMIT, remaining: 9 }), T0)
    expect(budget).toMatchObject({ resetsAtMs: T0 + 61 * SECOND, known: true })
  })
})

describe('learn: what is left', () => {
  test.each([
    ['what the first answer told', probed(4), 4],
    ['never more than our own count', probed(99), 9],
    ['nothing below nought', probed(-3), 0],
    ['a higher limit', learn(taken(newBudget(LIMIT), 1), 1, told(59, SECOND, 0, 60), T0), 59],
    ['a lower limit', learn(taken(newBudget(LIMIT), 1), 1, told(4, SECOND, 0, 5), T0), 4],
    ['a limit alone: less what we sent', learn(taken(newBudget(LIMIT), 1), 1, told(null, SECOND, 0, 5), T0), 4],
    ['no headers: our own count', learn(taken(newBudget(LIMIT), 1), 1, rate(), T0), 9],
    ['no answer: our own count', learn(taken(newBudget(LIMIT), 1), 1, null, T0), 9],
  ])('%s', (_, budget, expected) => {
    expect(left(budget)).toBe(expected)
    expect(budget.probing).toBe(false)
  })

  test('answers out of order: the least remainder counts, and what is out is deducted once', () => {
    const sent = taken(probed(), 3)
    expect(left(sent)).toBe(6)
    const lastFirst = learn(sent, 1, told(6), T0)
    expect(left(lastFirst)).toBe(4)
    expect(left(learn(learn(lastFirst, 1, told(8), T0), 1, told(7), T0))).toBe(6)
  })

  test('what others spend is seen, and never forgotten', () => {
    const sent = taken(probed(), 2)
    const seen = learn(learn(sent, 1, told(3), T0), 1, told(4), T0)
    expect(left(seen)).toBe(3)
  })

  test('an answer that is lost after others were told may not be in them', () => {
    const sent = taken(probed(), 2)
    expect(left(learn(learn(sent, 1, told(8), T0), 1, null, T0))).toBe(7)
  })

  test('spent but for what is still out: asks again soon, not at the window’s end', () => {
    const sent = learn(taken(probed(3), 2), 1, told(1), T0)
    expect(left(sent)).toBe(0)
    expect(take(sent, T0).retryAtMs).toBe(T0 + 100)
    expect(viewBudget(sent, T0).nextAtMs).toBe(T0 + 100)
    expect(take(learn(sent, 1, told(2), T0), T0).retryAtMs).toBeNull()
  })

  test('an earlier window’s answer changes nothing but what is late', () => {
    const old = taken(probed(), 2)
    const next = learn(taken(old, 1, T0 + 31 * SECOND), 2, told(9), T0 + 31 * SECOND)
    expect(next).toMatchObject({ window: 2, late: [{ window: 1, requests: 2 }], reserved: 2 })
    expect(left(next, T0 + 31 * SECOND)).toBe(7)
    const after = learn(next, 1, told(0), T0 + 32 * SECOND)
    expect(after).toMatchObject({ ...next, late: [{ window: 1, requests: 1 }] })
    expect(learn(after, 1, null, T0 + 32 * SECOND)).toMatchObject({ ...next, late: [] })
  })

  test('answers that nobody could note down are given up: windows are whole again', () => {
    let budget = taken(probed(), LIMIT - 1)
    for (let nowMs = T0 + MINUTE; nowMs <= T0 + 10 * MINUTE; nowMs += 2 * MINUTE) {
      budget = learn(taken(budget, 1, nowMs), budget.window + 1, rate({ limit: LIMIT, remaining: LIMIT - 1 }), nowMs)
      const isGivenUp = nowMs >= T0 + 7 * MINUTE
      expect(left(budget, nowMs)).toBe(isGivenUp ? LIMIT - 1 : 0)
    }
  })
})

describe('exhaust', () => {
  test('nothing goes before the time told, then one that asks', () => {
    const budget = exhaust(probed(), T0 + 20 * SECOND, T0)
    expect(take(budget, T0 + 20 * SECOND - 1).retryAtMs).toBe(T0 + 20 * SECOND)
    expect(take(budget, T0 + 20 * SECOND)).toMatchObject({ retryAtMs: null, budget: { probing: true } })
  })

  test('a time in the past still costs a second', () => {
    expect(take(exhaust(probed(), T0 - HOUR, T0), T0).retryAtMs).toBe(T0 + SECOND)
  })

  test('what is out when the window ends is reserved in the next', () => {
    const budget = exhaust(taken(probed(), 3), T0 + SECOND, T0)
    expect(left(taken(budget, 1, T0 + SECOND), T0 + SECOND)).toBe(6)
  })
})

describe('viewBudget', () => {
  test.each([
    [
      'untouched',
      newBudget(LIMIT),
      { limit: 10, remaining: 10, resetsAtMs: null, nextAtMs: null, nextCreateAtMs: null, lengthMs: 61_000 },
    ],
    [
      'asking',
      taken(newBudget(LIMIT), 1),
      {
        limit: 10,
        remaining: 9,
        resetsAtMs: T0 + 61_000,
        nextAtMs: T0 + 100,
        nextCreateAtMs: T0 + 100,
        lengthMs: 61_000,
      },
    ],
    [
      'told',
      probed(4),
      { limit: 10, remaining: 4, resetsAtMs: T0 + 31_000, nextAtMs: null, nextCreateAtMs: null, lengthMs: 31_000 },
    ],
    [
      'spent',
      probed(0),
      {
        limit: 10,
        remaining: 0,
        resetsAtMs: T0 + 31_000,
        nextAtMs: T0 + 31_000,
        nextCreateAtMs: T0 + 31_000,
        lengthMs: 31_000,
      },
    ],
  ])('%s', (_, budget, expected) => {
    expect(viewBudget(budget, T0)).toEqual(expected)
  })

  test('over: all of it', () => {
    expect(viewBudget(probed(0), T0 + 31_000)).toEqual({
      limit: 10,
      remaining: 10,
      resetsAtMs: null,
      nextAtMs: null,
      nextCreateAtMs: null,
      lengthMs: 31_000,
    })
  })
})
