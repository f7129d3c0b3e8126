import { describe, expect, test } from 'vitest'
import { createStoreTime, storeMs } from '../../src/stores/postgres/time.ts'
import { fakeClock } from '../fakes/clock.ts'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'

const START = Date.parse('2026-11-20T10:00:00Z')

test('the store’s time is ahead by what the database was set back, and 2 % slower until that has caught up', () => {
  const ahead = { byMs: HOUR, sinceMs: START }
  const after = (ms: number): number => storeMs(START + ms, ahead) - (START + ms)
  expect([after(0), after(HOUR), after(50 * HOUR), after(51 * HOUR)]).toEqual([HOUR, 0.98 * HOUR, 0, 0])
  // Set back again, before anybody has written that down.
  expect(after(-HOUR)).toBe(HOUR)
})

describe('a step back is noticed', () => {
  /** A database whose clock can be set, behind a network that takes its time, and what was written into it. */
  const stage = () => {
    const clock = fakeClock(START)
    let stepMs = 0
    let written: string | null = null
    const process = () => {
      const time = createStoreTime(clock, (ms) => ms)
      const ask = (tookMs = 2) => {
        const sentMs = clock.elapsed()
        // Locks are waited for before the time is asked.
        clock.stall(tookMs)
        const reading = time.read({ now_ms: clock.now() + stepMs, clock: written })
        return { reading, byMs: time.setBack(reading, sentMs) }
      }
      const correct = async ({ reading, byMs }: ReturnType<typeof ask>): Promise<void> => {
        const query = (_: string, [value, before]: (string | null)[]) => {
          if (before === written) written = value ?? null
        }
        await time.correct({ query: query as never }, reading, byMs)
      }
      return { time, ask, correct }
    }
    return { clock, process, step: (ms: number) => void (stepMs += ms), written: () => written }
  }

  test.each([12 * SECOND, HOUR, 25 * HOUR])('and made up for, to the second: %d ms', async (backMs) => {
    const { clock, process, step } = stage()
    const one = process()
    expect(one.ask().byMs).toBe(0)
    clock.stall(5 * SECOND)
    const before = one.ask().reading.nowMs
    step(-backMs)
    const seen = one.ask()
    expect(Math.abs(seen.byMs - backMs)).toBeLessThan(SECOND)
    await one.correct(seen)
    const { reading, byMs } = one.ask()
    expect([byMs, reading.nowMs - before >= 0, reading.nowMs - before < SECOND]).toEqual([0, true, true])
    expect(reading.databaseMs).toBeLessThan(before - backMs + SECOND)
  })

  test('by each process; one of them writes it down, and no other adds to that', async () => {
    const { clock, process, step, written } = stage()
    const [one, two] = [process(), process()]
    for (const each of [one, two]) each.ask()
    step(-HOUR)
    const [first, second] = [one.ask(), two.ask()]
    expect([first.byMs > 0, second.byMs > 0]).toEqual([true, true])
    await one.correct(first)
    const once = written()
    await two.correct(second)
    expect(written()).toBe(once)
    clock.stall(MINUTE)
    expect([one.ask().byMs, two.ask().byMs]).toEqual([0, 0])
  })

  test('and one more, on top of the first', async () => {
    const { process, step } = stage()
    const one = process()
    const before = one.ask().reading.nowMs
    for (const backMs of [12 * SECOND, HOUR]) {
      step(-backMs)
      await one.correct(one.ask())
    }
    expect(Math.abs(one.ask().reading.nowMs - before)).toBeLessThan(SECOND)
  })

  test('a slow answer, time that passes unasked, and a leap ahead are none', () => {
    const { clock, process, step } = stage()
    const { ask } = process()
    for (const tookMs of [2, 20 * SECOND, 2]) expect(ask(tookMs).byMs).toBe(0)
    clock.stall(3 * HOUR)
    expect(ask().byMs).toBe(0)
    step(25 * HOUR)
    expect(ask().byMs).toBe(0)
  })

  test('behind a slow answer only where it is certain', () => {
    const { process, step } = stage()
    const one = process()
    one.ask()
    step(-12 * SECOND)
    expect(one.ask(13 * SECOND).byMs).toBe(0)
    expect(one.ask(2).byMs).toBeGreaterThan(11 * SECOND)
  })
})
