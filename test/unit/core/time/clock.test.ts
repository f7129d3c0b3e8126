import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClock, onTheWall, createSystemClock, type ProcessClock } from '../../../../src/core/time/clock.ts'
import { fakeClock, type FakeClock } from '../../../fakes/clock.ts'
import { HOUR, MINUTE, SECOND, T0 } from '../../../fakes/records.ts'

const DAY = 24 * HOUR

describe('the clock of a process', () => {
  let truth: FakeClock
  let wallMs: number
  let clock: ProcessClock
  const setWall = (ms: number): void => void (wallMs += ms)
  /** How far it is from true time. */
  const off = (): number => clock.now() - truth.now()
  beforeEach(() => {
    truth = fakeClock(T0)
    wallMs = 0
    clock = createClock({ wall: () => truth.now() + wallMs, monotonic: truth.elapsed, setTimer: truth.after })
    expect(clock.now()).toBe(T0)
  })

  test.each([
    // Behind by 2 % of what passes, ahead by half a thousandth.
    ['set back an hour', -HOUR, [0, -1_200, -72_000, -1_728_000, -HOUR]],
    ['set ahead an hour', HOUR, [0, 30, 1_800, 43_200, 151_200]],
    ['set back a second', -SECOND, [0, -SECOND, -SECOND, -SECOND, -SECOND]],
    ['set ahead by less than a correction takes', 10, [0, 10, 10, 10, 10]],
  ])('%s: it never leaps, and nears the wall clock', async (_, jumpMs, expected) => {
    await truth.advance(HOUR)
    expect(off()).toBe(0)
    setWall(jumpMs)
    const seen: number[] = []
    for (const [passMs, atMs] of [0, MINUTE, HOUR, DAY, 3.5 * DAY].map((ms, i, all) => [ms - (all[i - 1] ?? 0), ms])) {
      await truth.advance(passMs ?? 0)
      seen.push(off())
      expect(clock.wall()).toBe(T0 + HOUR + (atMs ?? 0) + jumpMs)
    }
    expect(seen).toEqual(expected)
  })

  test('set back and forth at random, it never runs backwards, and no faster than NTP would make it', async () => {
    let seed = 7
    for (let n = 0; n < 2_000; n += 1) {
      seed = (seed * 48_271) % 2_147_483_647
      if (seed % 5 === 0) setWall((seed % (4 * HOUR)) - 2 * HOUR)
      const beforeMs = clock.now()
      const passMs = seed % 90_000
      await truth.advance(passMs)
      const movedMs = clock.now() - beforeMs
      expect(movedMs).toBeGreaterThanOrEqual(Math.floor(passMs * 0.98) - 1)
      expect(movedMs).toBeLessThanOrEqual(Math.ceil(passMs * 1.0005) + 1)
    }
  })

  /** When a timer of `delayMs` rings, in time that passed, if the wall clock is set just after. */
  const ringsAfter = async (delayMs: number, jumpMs: number): Promise<number> => {
    const startMs = truth.elapsed()
    let rangMs = Number.NaN
    clock.at(clock.now() + delayMs, () => (rangMs = truth.elapsed() - startMs))
    await truth.advance(delayMs > 1 ? 1 : 0)
    setWall(jumpMs)
    await truth.advance(2 * HOUR)
    return rangMs
  }

  test.each([
    ['a moment', 10, 0, 10, 10],
    ['longer than a timer runs at once', 100_000, 0, 100_000, 100_000],
    ['what is past', -5, 0, 0, 0],
    ['set back by an hour', HOUR, -HOUR, HOUR, HOUR * 1.0205],
    ['set ahead by an hour', HOUR, HOUR, HOUR * 0.9995, HOUR],
    ['set back by a year', MINUTE, -365 * DAY, MINUTE, MINUTE * 1.0205],
    ['set ahead by a year', MINUTE, 365 * DAY, MINUTE * 0.9995, MINUTE],
  ])('a timer: %s', async (_, delayMs, jumpMs, leastMs, mostMs) => {
    const rangMs = await ringsAfter(delayMs, jumpMs)
    expect(rangMs).toBeGreaterThanOrEqual(leastMs)
    expect(rangMs).toBeLessThanOrEqual(mostMs)
  })

  test.each([
    ['right', 0],
    ['a little behind', -10],
    ['behind by a day, so that ours runs slower', -DAY],
  ])('a timer reads the clock once, when it rings, with a wall clock that is %s', async (_, jumpMs) => {
    let armed = 0
    const counted = createClock({
      wall: () => truth.now() + wallMs,
      monotonic: truth.elapsed,
      setTimer(ms, run) {
        armed += 1
        return truth.after(ms, run)
      },
    })
    const startMs = counted.now()
    setWall(jumpMs)
    let rangAtMs = 0
    counted.at(startMs + 20 * SECOND, () => (rangAtMs = counted.now()))
    await truth.advance(MINUTE)
    expect(armed).toBe(1)
    expect(rangAtMs - startMs).toBeGreaterThanOrEqual(20 * SECOND)
    expect(rangAtMs - startMs).toBeLessThanOrEqual(20 * SECOND + 1)
  })

  test('what was cancelled does not ring, however often it looked at the clock', async () => {
    let rang = false
    const cancel = clock.at(clock.now() + HOUR, () => (rang = true))
    await truth.advance(10 * MINUTE)
    cancel()
    await truth.advance(2 * HOUR)
    expect([rang, truth.pending()]).toEqual([false, 0])
  })

  test('told that it is later, it goes on from there; told that it is earlier, it does not mind', async () => {
    clock.notBefore(T0 + HOUR)
    expect(off()).toBe(HOUR)
    clock.notBefore(T0)
    expect(off()).toBe(HOUR)
    await truth.advance(HOUR)
    expect(off()).toBe(HOUR * 0.98)
  })

  test('another clock that counts leads it: ahead at once, back slowly, and what is told outside is its time', async () => {
    clock.agree(T0 + HOUR)
    expect([off(), clock.wall()]).toEqual([HOUR, T0 + HOUR])
    clock.agree(T0 + HOUR / 2)
    expect([off(), clock.wall()]).toEqual([HOUR, T0 + HOUR / 2])
    await truth.advance(HOUR)
    expect(off()).toBe(HOUR * 0.98)
    await truth.advance(100 * HOUR)
    expect(off()).toBe(HOUR / 2)
  })

  test('a leap after another clock that counts is no age of what came before it', async () => {
    const before = clock.now()
    clock.agree(before + 25 * HOUR)
    await truth.advance(MINUTE)
    const after = clock.now()
    expect([clock.leaptSince(before), clock.leaptSince(after)]).toEqual([25 * HOUR, 0])
    clock.agree(clock.now() + SECOND)
    expect(clock.leaptSince(after)).toBe(0)
  })

  test('a leap is a whole number of milliseconds, whatever fractions were measured', async () => {
    const fresh = createClock({ wall: () => T0, monotonic: () => 0.25, setTimer: truth.after })
    const before = fresh.now()
    fresh.agree(T0 + 25 * HOUR + 0.6)
    expect(fresh.leaptSince(before)).toBe(25 * HOUR + 1)
    expect([fresh.now(), fresh.wall()].every(Number.isInteger)).toBe(true)
  })

  test('the time that counts may be ahead of what the other clock shows: only that is told outside', () => {
    clock.agree(T0 + HOUR, T0)
    expect([off(), clock.wall()]).toEqual([HOUR, T0])
  })

  test('before the first reading it starts at the clock that counts, even if that is behind', () => {
    const fresh = createClock({ wall: () => T0, monotonic: () => 0, setTimer: truth.after })
    fresh.agree(T0 - HOUR)
    expect(fresh.now()).toBe(T0 - HOUR)
  })

  test('a moment of ours is told as the wall clock will show it', async () => {
    setWall(-HOUR)
    expect(onTheWall(clock, clock.now() + MINUTE)).toBe(clock.wall() + MINUTE)
    setWall(HOUR - 999)
    expect(onTheWall(clock, T0 + MINUTE)).toBe(T0 + MINUTE)
  })
})

describe('the system’s', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: T0 }))
  afterEach(() => void vi.useRealTimers())

  test('is made of the wall clock, the time that passes and node’s timers', async () => {
    const clock = createSystemClock()
    const startMs = clock.now()
    expect(clock.wall()).toBe(T0)
    let rangAtMs: number | null = null
    clock.at(startMs + 2_147_483_647 + MINUTE, () => (rangAtMs = clock.now()))
    await vi.advanceTimersByTimeAsync(MINUTE)
    vi.setSystemTime(Date.now() - HOUR)
    expect(rangAtMs).toBeNull()
    await vi.advanceTimersByTimeAsync(30 * DAY)
    expect(rangAtMs).toBeGreaterThanOrEqual(startMs + 2_147_483_647 + MINUTE)
    expect(clock.wall()).toBe(T0 + MINUTE - HOUR + 30 * DAY)
  })
})
