import { describe, expect, test } from 'vitest'
import { backoffMs, hintedLookAt, nextLookAt, type LookState } from '../../../src/videos/schedule.ts'
import { MINUTE, SECOND, T0 } from '../../fakes/records.ts'

const state = (given: Partial<LookState> = {}): LookState => ({
  nowMs: T0,
  looks: 0,
  hintAtMs: null,
  minIntervalMs: SECOND,
  calledBack: false,
  ...given,
})

describe('the next look at a running job', () => {
  test.each<[string, Partial<LookState>, number]>([
    ['the first, unasked', {}, 2 * SECOND],
    ['the second', { looks: 1 }, 2.8 * SECOND],
    ['the third', { looks: 2 }, 3.92 * SECOND],
    ['after many', { looks: 30 }, 30 * SECOND],
    ['after very many', { looks: 100_000 }, 30 * SECOND],
    ['when a callback is promised: the backstop', { calledBack: true }, MINUTE],
    ['the upstream’s hint', { hintAtMs: T0 + 11 * SECOND }, 11 * SECOND],
    ['the hint also where a callback is promised', { hintAtMs: T0 + 11 * SECOND, calledBack: true }, 11 * SECOND],
    ['a hint that is past: the least interval', { hintAtMs: T0 - MINUTE }, SECOND],
    ['a hint within the least interval', { hintAtMs: T0 + 5 }, SECOND],
    ['an interval longer than our own', { minIntervalMs: 9 * SECOND }, 9 * SECOND],
  ])('%s', (_, given, expectedMs) => {
    expect(nextLookAt(state(given)) - T0).toBeCloseTo(expectedMs, 6)
  })
})

describe('backing off', () => {
  test.each([
    [0, 2],
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [5, 32],
    [6, 60],
    [5_000, 60],
  ])('after %i failures %i s', (failures, seconds) => {
    expect(backoffMs(failures, 0)).toBe(seconds * SECOND)
  })

  test('chance adds up to a quarter, and takes nothing away', () => {
    expect(backoffMs(1, 0.5)).toBe(2_250)
    expect(backoffMs(9, 0.999_999)).toBeLessThan(75 * SECOND)
  })
})

describe('a look that a callback asks for', () => {
  test.each<[string, number, number | null, number | null]>([
    ['the first: now', 0, null, T0],
    ['the second: 30 s after the one before', 1, T0 - 10 * SECOND, T0 + 20 * SECOND],
    ['or now, if that is past', 2, T0 - MINUTE, T0],
    ['the fourth: not at all', 3, T0 - MINUTE, null],
  ])('%s', (_, hintedPolls, lastHintAtMs, expected) => {
    expect(hintedLookAt(hintedPolls, lastHintAtMs, T0)).toBe(expected)
  })
})
