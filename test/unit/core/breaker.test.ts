import { describe, expect, test } from 'vitest'
import { CLOSED, heard, isOpen, pass, type Breaker } from '../../../src/core/breaker.ts'
import { MINUTE, SECOND, T0 } from '../../fakes/records.ts'

const TRY_MS = 30 * SECOND
const failed = (times: number, from: Breaker = CLOSED, nowMs = T0): Breaker =>
  Array.from({ length: times }).reduce<Breaker>((breaker) => heard(breaker, false, nowMs), from)

describe('the breaker', () => {
  test('lets everything through until five in a row have failed', () => {
    expect(pass(failed(4), T0, TRY_MS)).toMatchObject({ retryAtMs: null })
    expect(isOpen(failed(4))).toBe(false)
    expect(isOpen(failed(5))).toBe(true)
    expect(pass(failed(5), T0, TRY_MS).retryAtMs).toBe(T0 + 10 * SECOND)
  })

  test('a word of the backend’s closes it, and the count begins anew', () => {
    expect(heard(failed(9), true, T0)).toEqual(CLOSED)
    expect(isOpen(failed(4, heard(failed(4), true, T0)))).toBe(false)
  })

  test('after its pause one may try, and no second beside it', () => {
    const tried = pass(failed(5), T0 + 10 * SECOND, TRY_MS)
    expect(tried.retryAtMs).toBeNull()
    expect(pass(tried.breaker, T0 + 10 * SECOND, TRY_MS).retryAtMs).toBe(T0 + 10 * SECOND + TRY_MS)
  })

  test('one that tries and never comes back does not keep it shut', () => {
    const { breaker } = pass(failed(5), T0 + 10 * SECOND, TRY_MS)
    expect(pass(breaker, T0 + 10 * SECOND + TRY_MS, TRY_MS).retryAtMs).toBeNull()
  })

  test.each([
    [5, 10],
    [6, 20],
    [7, 40],
    [8, 60],
    [50, 60],
  ])('after %i failures it is shut for %i s', (failures, seconds) => {
    expect(failed(failures).shutUntilMs).toBe(T0 + seconds * SECOND)
  })

  test('of a backend that stays dead takes one request a minute', () => {
    let breaker = failed(5)
    let tries = 0
    for (let nowMs = T0; nowMs < T0 + 30 * MINUTE; nowMs += 100) {
      const passed = pass(breaker, nowMs, TRY_MS)
      ;({ breaker } = passed)
      if (passed.retryAtMs !== null) continue
      tries += 1
      breaker = heard(breaker, false, nowMs)
    }
    expect(tries).toBeLessThanOrEqual(33)
    expect(tries).toBeGreaterThanOrEqual(28)
  })
})
