import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationsOf } from '../../../src/videos/durations.ts'
import { priceOfLook, worthLooking, type Watched } from '../../../src/videos/price.ts'

const T0 = 1_795_168_800_000
const S = 1_000
const memory = durationsOf(Array.from({ length: 300 }, (_, i) => (60 + i / 5) * S))

/** A job accepted so long ago, looked at last so long after that. */
const watched = (id: string, agoS: number, lookedS: number | null, calledBack = false): Watched => ({
  id,
  memory,
  job: {
    acceptedAtMs: T0 - agoS * S,
    lastLookAtMs: lookedS === null ? null : T0 - (agoS - lookedS) * S,
    readings: [],
    calledBack,
  },
})
const rules = { nowMs: T0, thetaMs: 200, minIntervalMs: S }
const many = Array.from({ length: 8 }, (_, i) => watched(String(i), 70 + i, 69 + i))
const open = (remaining: number, leftS = 50) => ({ remaining, resetsAtMs: T0 + leftS * S, lengthMs: 61 * S })

describe('the price of a look', () => {
  test('is θ while the window has enough', () => {
    expect(priceOfLook(many, open(1_000), rules)).toBe(200)
    expect(priceOfLook([], open(0), rules)).toBe(200)
    expect(priceOfLook([watched('young', 1, null)], open(10), rules)).toBe(200)
  })

  test('rises as the window has less left', () => {
    const prices = [60, 30, 15, 5, 1].map((remaining) => priceOfLook(many, open(remaining), rules))
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    expect(new Set(prices).size).toBe(prices.length)
    expect(prices.every((price) => price >= 200 && price <= 120_000)).toBe(true)
  })

  test('falls to θ before the window ends: what is left of it would expire', () => {
    expect(priceOfLook(many, open(5, 50), rules)).toBeGreaterThan(1_000)
    expect(priceOfLook(many, open(5, 6), rules)).toBe(200)
  })

  test('is lower while no window is open: the first request opens one', () => {
    expect(priceOfLook(many, { remaining: 10, resetsAtMs: null, lengthMs: 61 * S }, rules)).toBeLessThan(
      priceOfLook(many, open(10, 61), rules),
    )
  })

  test('is not raised by jobs that are called back', () => {
    const called = many.map(({ id }) => watched(id, 70, 69, true))
    expect(priceOfLook(called, open(1), rules)).toBe(200)
  })

  test('is forecast from a sample where many run', () => {
    const crowd = Array.from({ length: 6_400 }, (_, i) => watched(String(i), 60 + (i % 60), 59 + (i % 60)))
    const small = crowd.filter((_, i) => i % 10 === 0)
    const ratio = priceOfLook(crowd, open(5_000), rules) / priceOfLook(small, open(500), rules)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  test('never is less than θ, and is finite', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.option(fc.integer({ min: 0, max: 90_000 })))),
        fc.integer({ min: 0, max: 100 }),
        fc.option(fc.integer({ min: -60, max: 120 })),
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        (ages, remaining, leftS, thetaMs) => {
          const jobs = ages.map(([ago, looked], i) => watched(String(i), ago, looked))
          const window = { remaining, resetsAtMs: leftS === null ? null : T0 + leftS * S, lengthMs: 61 * S }
          const price = priceOfLook(jobs, window, { ...rules, thetaMs })
          expect(Number.isFinite(price)).toBe(true)
          expect(price).toBeGreaterThanOrEqual(thetaMs * 0.999_999)
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })
})

describe('who is looked at', () => {
  const ids = (due: Parameters<typeof worthLooking>[0], priceMs: number) =>
    worthLooking(due, priceMs, T0).map(({ id }) => id)
  const late = { ...watched('late', 110, 70), must: false }
  const soon = { ...watched('soon', 75, 70), must: false }
  const asked = { ...watched('asked', 1, null), must: true }

  test('the most urgent first, those that must be before all', () =>
    expect(ids([soon, asked, late], 0)).toEqual(['asked', 'late', 'soon']))

  test('only what is worth the price, and what must be', () =>
    expect(ids([soon, asked, late], 5_000)).toEqual(['asked', 'late']))
})
