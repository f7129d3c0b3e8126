import { describe, expect, it } from 'vitest'
import { planJob, seeded, speechSecondsOf, scenariosIn } from '../src/world.ts'
import { createRates } from '../src/state.ts'
import { STANDARD } from '../src/undecided.ts'
import { fakeClock } from '../../../test/fakes/clock.ts'

const { timing } = STANDARD

const durations = (seed: number, speed: number, scenarios: string, count = 2_000): number[] => {
  const random = seeded(seed)
  const input = { nowMs: 0, speechSeconds: 10, scenarios: scenariosIn(scenarios), speed }
  return Array.from({ length: count }, () => planJob(input, timing, random).endsAtMs ?? Number.NaN)
}
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

describe('durations', () => {
  it('are log-normal around the time for the text, divided by the speed', () => {
    const plain = durations(1, 1, '')
    expect(median(plain) / 40_000).toBeCloseTo(1, 1)
    const logs = plain.map((ms) => Math.log(ms / 40_000))
    const sigma = Math.sqrt(logs.reduce((sum, log) => sum + log * log, 0) / logs.length)
    expect(sigma).toBeCloseTo(timing.sigma, 1)
    expect(median(durations(1, 10, '')) / median(plain)).toBeCloseTo(0.1, 3)
    expect(median(durations(1, 1, '[[slow]]')) / median(plain)).toBeCloseTo(timing.slowFactor, 3)
  })

  it('repeat with their seed', () => {
    expect(durations(7, 1, '', 20)).toEqual(durations(7, 1, '', 20))
    expect(durations(7, 1, '', 20)).not.toEqual(durations(8, 1, '', 20))
  })

  it('follow the length of the text', () => {
    expect([0, 15, 16, 5_000].map((chars) => speechSecondsOf(chars, timing))).toEqual([1, 1, 2, 334])
  })
})

it('finds magic inputs, also percent-encoded', () => {
  expect([...scenariosIn('a [[fail]] b', 'https://x/%5B%5Bslow%5D%5D.png', '[[nothing]] %zz')]).toEqual([
    'fail',
    'slow',
  ])
})

it('opens a new rate window when the clock is set back', () => {
  const clock = fakeClock()
  const rates = createRates(clock, 60_000, false)
  rates.take('k', 1)
  expect(rates.take('k', 1).allowed).toBe(false)
  clock.jump(-3_600_000)
  expect(rates.take('k', 1).allowed).toBe(true)
})
