import { describe, expect, test } from 'vitest'
import { backoffMs, hintedPollAt } from '../../../../src/engine/life/job-steps.ts'
import { MINUTE, SECOND, T0 } from '../../../fakes/records.ts'

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
    expect(backoffMs(9, 0.999_999)).toBeLessThanOrEqual(75 * SECOND)
    expect(Number.isInteger(backoffMs(3, 0.123_456_789))).toBe(true)
  })
})

describe('a poll that a callback asks for', () => {
  test.each<[string, number, number | null, number | null]>([
    ['the first: now', 0, null, T0],
    ['the second: 30 s after the one before', 1, T0 - 10 * SECOND, T0 + 20 * SECOND],
    ['or now, if that is past', 2, T0 - MINUTE, T0],
    ['the fourth: not at all', 3, T0 - MINUTE, null],
  ])('%s', (_, hintedPolls, lastHintAtMs, expected) => {
    expect(hintedPollAt(hintedPolls, lastHintAtMs, T0)).toBe(expected)
  })
})
