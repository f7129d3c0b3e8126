import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationsOf } from '../../../../src/engine/polling/lateness.ts'
import {
  priceOfPoll as priceOf,
  sparePrice,
  worthPolling,
  type PriceRules,
  type Watched,
  type WindowLeft,
} from '../../../../src/engine/polling/price.ts'

const T0 = 1_795_168_800_000
const S = 1_000
const memory = durationsOf(Array.from({ length: 300 }, (_, i) => (60 + i / 5) * S))

/** A job accepted so long ago, polled last so long after that. */
const watched = (id: string, agoS: number, polledS: number | null, leastMs = 0): Watched & { id: string } => ({
  id,
  memory,
  leastMs,
  job: {
    acceptedAtMs: T0 - agoS * S,
    lastPollAtMs: polledS === null ? null : T0 - (agoS - polledS) * S,
    readings: [],
    calledBack: false,
  },
})
const rules: PriceRules = { nowMs: T0, minIntervalMs: S, waiting: 0, slots: 2 }
const SPARE = sparePrice(rules)
const priceOfPoll = (jobs: readonly Watched[], window: WindowLeft, given = rules, each = 1): number =>
  priceOf([{ jobs, each }], window, given)
const many = Array.from({ length: 8 }, (_, i) => watched(String(i), 70 + i, 69 + i))
const open = (remaining: number, leftS = 50) => ({ remaining, resetsAtMs: T0 + leftS * S, lengthMs: 61 * S })

describe('the price of a poll', () => {
  test('is the least while the window has enough', () => {
    expect(priceOfPoll(many, open(1_000))).toBe(SPARE)
    expect(priceOfPoll([], open(0))).toBe(SPARE)
    expect(priceOfPoll([watched('young', 1, null)], open(10))).toBe(SPARE)
  })

  test('rises as the window has less left', () => {
    const prices = [60, 30, 15, 5, 1].map((remaining) => priceOfPoll(many, open(remaining)))
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    expect(new Set(prices).size).toBe(prices.length)
    expect(prices.every((price) => price >= SPARE && price <= 120_000)).toBe(true)
  })

  test('falls to the least before the window ends: what is left of it would expire', () => {
    expect(priceOfPoll(many, open(5, 50))).toBeGreaterThan(1_000)
    expect(priceOfPoll(many, open(5, 3))).toBe(SPARE)
  })

  test('is lower while no window is open: the first request opens one', () => {
    expect(priceOfPoll(many, { remaining: 10, resetsAtMs: null, lengthMs: 61 * S })).toBeLessThan(
      priceOfPoll(many, open(10, 61)),
    )
  })

  test('each of a sample stands for many', () => {
    const crowd = Array.from({ length: 640 }, (_, i) => watched(String(i), 60 + (i % 60), 59 + (i % 60)))
    const sample = crowd.filter((_, i) => i % 10 === 3)
    const ratio = priceOfPoll(sample, open(500), rules, 10) / priceOfPoll(crowd, open(500))
    expect(ratio).toBeGreaterThan(0.9)
    expect(ratio).toBeLessThan(1.1)
  })

  test('a crowd whose polls all come later has its part of the window nevertheless', () => {
    const crowd = Array.from({ length: 100 }, (_, i) => watched(String(i), 1, null))
    expect(priceOfPoll(crowd, open(10))).toBeGreaterThan(10 * S)
  })

  test('is less the more wait for a slot, but never nothing: a poll too early holds up the next', () => {
    const prices = [0, 2, 20, 2_000, 20_000].map((waiting) => sparePrice({ ...rules, waiting }))
    expect(prices).toEqual(prices.toSorted((a, b) => b - a))
    expect(prices[1]).toBe(SPARE / 2)
    expect(prices[4]).toBe(prices[3])
    expect(prices[4]).toBeGreaterThan(1)
    expect(sparePrice({ ...rules, waiting: 100, slots: null })).toBe(SPARE)
  })

  test('rises for a queue: each end is followed by a create, and by polls of the job after it', () => {
    const quick = { ...watched('quick', 2, null), memory: durationsOf(Array.from({ length: 50 }, (_, i) => 3_000 + i)) }
    const alone = priceOfPoll([quick, quick], open(12))
    expect(alone).toBe(SPARE)
    expect(priceOfPoll([quick, quick], open(12), { ...rules, waiting: 100 })).toBeGreaterThan(10 * SPARE)
  })

  test('a job whose polls are capped takes none that are cheaper, and leaves them to others', () => {
    const capped = many.map(({ id }, i) => watched(id, 70 + i, 69 + i, 5_000))
    expect(priceOfPoll(many, open(30))).toBeGreaterThan(SPARE)
    expect(priceOfPoll(capped, open(30))).toBe(SPARE)
  })

  test('never is less than the least, and is finite', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.option(fc.integer({ min: 0, max: 90_000 })))),
        fc.integer({ min: 0, max: 100 }),
        fc.option(fc.integer({ min: -60, max: 120 })),
        fc.nat({ max: 1_000 }),
        (ages, remaining, leftS, waiting) => {
          const jobs = ages.map(([ago, polled], i) => watched(String(i), ago, polled))
          const window = { remaining, resetsAtMs: leftS === null ? null : T0 + leftS * S, lengthMs: 61 * S }
          const price = priceOfPoll(jobs, window, { ...rules, waiting })
          expect(Number.isFinite(price)).toBe(true)
          expect(price).toBeGreaterThanOrEqual(sparePrice({ ...rules, waiting }) * 0.999_999)
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })
})

describe('who is polled', () => {
  const ids = (due: readonly (Watched & { id: string; must: boolean })[], priceMs: number) =>
    worthPolling(due, priceMs, T0).map(({ id }) => id)
  const late = { ...watched('late', 110, 70), must: false }
  const soon = { ...watched('soon', 75, 70), must: false }
  const asked = { ...watched('asked', 1, null), must: true }

  test('the most urgent first, those that must be before all', () =>
    expect(ids([soon, asked, late], 0)).toEqual(['asked', 'late', 'soon']))

  test('only what is worth the price, and what must be', () =>
    expect(ids([soon, asked, late], 5_000)).toEqual(['asked', 'late']))

  test('a capped one is worth no less than its cap', () => {
    expect(ids([late], 100)).toEqual(['late'])
    expect(ids([{ ...late, leastMs: 60_000 }], 100)).toEqual([])
  })
})
