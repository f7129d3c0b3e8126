import { expect, test } from 'vitest'
import type { EndedVideo } from '../../../../src/core/store/accounts.ts'
import { createOutcome, percentile, wilson } from '../../../../src/engine/routing/ramp.ts'
import { seededRandom } from '../../../fakes/random.ts'
import { SECOND, T0 } from '../../../fakes/records.ts'

/** Against the tables of Newcombe (1998), method 3. */
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  [29, 29, 0.883, 1],
])('Wilson’s interval of %i of %i', (count, of, low, high) => {
  const interval = wilson(count, of)
  expect(interval.rate).toBe(count / of)
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

test('it contains the rate, stays within 0 to 1, and gets narrower with more videos', () => {
  for (let of = 1; of <= 200; of += 1)
    for (const count of [0, 1, of - 1, of]) {
      const { rate, low, high } = wilson(count, of)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(low).toBeLessThanOrEqual(rate)
      expect(high).toBeGreaterThanOrEqual(rate)
      expect(high).toBeLessThanOrEqual(1)
      const more = wilson(10 * count, 10 * of)
      expect(more.high - more.low).toBeLessThan(high - low)
    }
})

test('a percentile is the smallest value that at least so many do not exceed', () => {
  const random = seededRandom(7)
  for (let size = 1; size <= 60; size += 1) {
    const values = Array.from({ length: size }, () => Math.floor(random() * 20)).toSorted((a, b) => a - b)
    for (const part of [0, 0.5, 0.95, 1]) {
      const found = percentile(values, part)
      const enough = (value: number) => values.filter((one) => one <= value).length >= part * size
      expect(values).toContain(found)
      expect(enough(found)).toBe(true)
      expect(values.filter((one) => one < found && enough(one)).length).toBe(0)
    }
  }
})

const ended = (seconds: number, given: Partial<EndedVideo> = {}): EndedVideo => ({
  id: 'vid_1',
  backend: 'main',
  rule: null,
  status: 'completed',
  createdAtMs: T0,
  endedAtMs: T0 + seconds * SECOND,
  credits: null,
  isWarned: false,
  ...given,
})

test('nothing ended: nothing is said of it', () => {
  expect(createOutcome().outcome()).toEqual({
    videos: 0,
    completed: 0,
    failed: 0,
    canceled: 0,
    success: null,
    seconds: null,
    credits: { total: 0, each: null },
    warned: null,
  })
})

test('what ended is added up: times of completed ones, credits where they are known, canceled ones for neither', () => {
  const tally = createOutcome()
  for (let n = 1; n <= 20; n += 1) tally.add(ended(n, { credits: n <= 4 ? 2 : null, isWarned: n <= 3 }))
  tally.add(ended(1_000, { status: 'failed', credits: 1, isWarned: true }))
  for (let n = 0; n < 5; n += 1) tally.add(ended(2_000, { status: 'canceled', isWarned: true }))
  expect(tally.outcome()).toEqual({
    videos: 26,
    completed: 20,
    failed: 1,
    canceled: 5,
    success: wilson(20, 21),
    seconds: { p50: 10, p95: 19 },
    credits: { total: 9, each: 9 / 5 },
    warned: 4 / 21,
  })
})
