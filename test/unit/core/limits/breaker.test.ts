import { describe, expect, test } from 'vitest'
import { CLOSED, heard, isOpen, pass, type Breaker } from '../../../../src/core/limits/budget.ts'
import { MINUTE, SECOND, T0 } from '../../../fakes/records.ts'

const TRY_MS = 30 * SECOND

/** After so many silences in a row at `nowMs`. */
const silent = (times: number, nowMs = T0): Breaker => {
  let breaker = CLOSED
  for (let n = 0; n < times; n += 1) breaker = heard(breaker, false, nowMs)
  return breaker
}

describe('a circuit breaker', () => {
  test.each([
    [0, false],
    [4, false],
    [5, true],
    [9, true],
  ])('after %i silences in a row: open %s', (times, open) => {
    expect(isOpen(silent(times))).toBe(open)
  })

  test.each([
    [5, 10],
    [6, 20],
    [7, 40],
    [8, 60],
    [50, 60],
  ])('after %i it stays shut for %i s', (times, seconds) => {
    const breaker = silent(times)
    expect(pass(breaker, T0 + seconds * SECOND - 1, TRY_MS).retryAtMs).toBe(T0 + seconds * SECOND)
    expect(pass(breaker, T0 + seconds * SECOND, TRY_MS).retryAtMs).toBeNull()
  })

  test('fewer keep nothing back', () => {
    expect(pass(silent(4), T0, TRY_MS)).toEqual({ breaker: silent(4), retryAtMs: null })
  })

  test('then one tries, and nobody else while it does', () => {
    const { breaker } = pass(silent(5), T0 + 10 * SECOND, TRY_MS)
    expect(pass(breaker, T0 + 10 * SECOND, TRY_MS).retryAtMs).toBe(T0 + 40 * SECOND)
  })

  test('one word of the backend closes it, and one silence more keeps it shut for longer', () => {
    const { breaker } = pass(silent(5), T0 + MINUTE, TRY_MS)
    expect(isOpen(heard(breaker, true, T0 + MINUTE))).toBe(false)
    expect(pass(heard(breaker, false, T0 + MINUTE), T0 + MINUTE, TRY_MS).retryAtMs).toBe(T0 + MINUTE + 20 * SECOND)
  })

  test('silences that are not in a row open nothing', () => {
    let breaker = CLOSED
    for (let n = 0; n < 50; n += 1) breaker = heard(breaker, n % 5 === 4, T0)
    expect(isOpen(breaker)).toBe(false)
  })
})
