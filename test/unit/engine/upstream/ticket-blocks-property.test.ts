import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../fakes/records.ts'
import { createWorld, type World, type WorldOptions } from './window-stage.ts'

/** The same cases in every run. */
const RUNS = { seed: 20_261_122, numRuns: 40 }
const RUN_MS = 3 * MINUTE

const worlds = fc.record({
  seed: fc.integer(),
  limit: fc.constantFrom(3, 10, 100, 127, 128, 129, 200, 700),
  phaseMs: fc.integer({ min: 0, max: 59_999 }),
  latencyMs: fc.constantFrom(0, 5, 200, 2_000),
  storeMs: fc.constantFrom(0, 0, 3, 50),
  lost: fc.constantFrom(0, 0, 0.1),
}) satisfies fc.Arbitrary<WorldOptions>

const demands = fc.record({
  readers: fc.integer({ min: 0, max: 8 }),
  others: fc.integer({ min: 0, max: 4 }),
  /** So many reads at once, then. */
  bursts: fc.array(fc.record({ atMs: fc.integer({ min: 0, max: RUN_MS }), size: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 6,
  }),
  restarts: fc.array(fc.integer({ min: 0, max: RUN_MS }), { maxLength: 4 }),
})
type Demands = typeof demands extends fc.Arbitrary<infer D> ? D : never

/** Reads, creates and polls one after the other and in bursts, by processes of which each goes on where one died. */
const play = async (world: World, { readers, others, bursts, restarts }: Demands): Promise<void> => {
  const goOn = async (budgetClass: 'read' | 'create' | 'poll', paceMs: number): Promise<void> => {
    const mine = world.generation()
    while (mine === world.generation()) {
      await world.ask(budgetClass, budgetClass === 'read' ? 'acme' : null)
      await world.delay(1 + world.random() * paceMs)
    }
  }
  const begin = (): void => {
    for (let n = 0; n < readers; n += 1) void goOn('read', 400)
    for (let n = 0; n < others; n += 1) void goOn(n % 2 === 0 ? 'poll' : 'create', 3_000)
  }
  for (const { atMs, size } of bursts)
    world.clock.after(atMs, () => {
      for (let n = 0; n < size; n += 1) void world.ask('read')
    })
  for (const atMs of restarts)
    world.clock.after(atMs, () => {
      world.restart()
      begin()
    })
  begin()
  await world.clock.advance(RUN_MS)
}

describe('against an upstream with a fixed one-minute window', () => {
  test('reads, creates, polls and restarts meet no 429, whatever the window holds', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, demands, async (options, demand) => {
        const world = createWorld(options)
        await play(world, demand)
        expect(world.refused()).toBe(0)
        for (const count of world.used()) expect(count).toBeLessThanOrEqual(options.limit)
      }),
      RUNS,
    )
  })

  test('a window of less than 128 is spent request for request as one by one', async () => {
    const small = fc.record({ options: worlds, limit: fc.constantFrom(1, 3, 10, 60, 127) })
    await fc.assert(
      fc.asyncProperty(small, demands, async ({ options, limit }, demand) => {
        const traces = [true, false].map(async (oneByOne) => {
          const world = createWorld({ ...options, limit, oneByOne })
          await play(world, demand)
          return world.trace
        })
        const [before, now] = await Promise.all(traces)
        expect(now).toEqual(before)
      }),
      RUNS,
    )
  })

  test('a large window is used up, and by its last requests as exactly as a small one', async () => {
    const world = createWorld({ seed: 7, limit: 700, latencyMs: 50 })
    const all: Promise<unknown>[] = []
    for (let n = 0; n < 70; n += 1) {
      for (let k = 0; k < 12; k += 1) all.push(world.ask('read'))
      await world.clock.advance(500)
    }
    expect(world.used()).toEqual([700])
    expect(world.refused()).toBe(0)
    expect(Math.max(...world.calls.taken)).toBe(10)
    await world.clock.advance(MINUTE)
    await Promise.all(all)
  })
})
