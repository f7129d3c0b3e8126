import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMIT, simulate, type World } from './budget-sim.ts'

const HOUR_MS = 3_600_000
/** The same cases in every run. */
const RUNS = { seed: 20_261_120, numRuns: 500 }

const worlds = fc.record({
  seed: fc.integer(),
  phaseMs: fc.integer({ min: 0, max: 59_999 }),
  skewMs: fc.integer({ min: -HOUR_MS, max: HOUR_MS }),
  latencyMs: fc.constantFrom(0, 5, 200, 2_000),
  rounding: fc.constantFrom('floor', 'ceil', 'round'),
  windows: fc.constant(6),
}) satisfies fc.Arbitrary<World>

/** Bursts anywhere, and those that straddle the turn of a window: some of their requests arrive after it. */
const bursts = fc.record({
  windows: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 12 }),
  offsetsMs: fc.array(fc.oneof(fc.integer({ min: 0, max: 59_999 }), fc.integer({ min: -2_500, max: 4_000 })), {
    minLength: 12,
    maxLength: 12,
  }),
  size: fc.integer({ min: 1, max: 12 }),
})

describe('against an upstream with a fixed one-minute window', () => {
  test('constant demand meets no 429, and uses 8 of 10 at least', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 1, max: 12 }), (world, callers) => {
        const { used, refused } = simulate(world, { kind: 'constant', callers })
        expect(refused).toBe(0)
        // The first window was entered somewhere in its midst.
        for (const count of used.slice(1)) expect(count).toBeGreaterThanOrEqual(LIMIT - 2)
      }),
      RUNS,
    )
  })

  test('bursts meet no 429, wherever they fall', () => {
    fc.assert(
      fc.property(worlds, bursts, (world, { windows, offsetsMs, size }) => {
        const turnMs = 60_000 - world.phaseMs
        const atMs = windows.map((window, n) => Math.max(0, turnMs + window * 60_000 + (offsetsMs[n] ?? 0)))
        expect(simulate(world, { kind: 'bursts', atMs, size }).refused).toBe(0)
      }),
      RUNS,
    )
  })

  test('restarts meet no 429, wherever they fall, what was out arrived or not', () => {
    const times = fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(worlds, fc.integer({ min: 1, max: 12 }), times, (world, callers, restarts) => {
        expect(simulate(world, { kind: 'constant', callers }, { restarts }).refused).toBe(0)
      }),
      RUNS,
    )
  })

  test('restarts cost no window more than what was out', () => {
    const restarts = Array.from({ length: 30 }, (_, n) => 1_000 + n * 10_000)
    const world = { seed: 1, phaseMs: 0, skewMs: 0, latencyMs: 200, rounding: 'floor', windows: 6 } as const
    const { used } = simulate(world, { kind: 'constant', callers: 1 }, { restarts })
    for (const count of used) expect(count).toBeGreaterThanOrEqual(LIMIT - 3)
  })

  test('answers that are lost cause no 429', () => {
    fc.assert(
      fc.property(
        worlds,
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (world, callers, lost) => {
          expect(simulate(world, { kind: 'constant', callers }, { lost }).refused).toBe(0)
        },
      ),
      RUNS,
    )
  })
})
