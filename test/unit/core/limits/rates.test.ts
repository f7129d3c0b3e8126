import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createRates, RATE_WINDOW_MS, type Rates } from '../../../../src/core/limits/rates.ts'
import { fakeClock, type FakeClock } from '../../../fakes/clock.ts'

const T0 = Date.parse('2026-11-20T10:00:00Z')
const SECOND = 1_000

let clock: FakeClock
let rates: Rates
beforeEach(() => {
  clock = fakeClock(T0)
  rates = createRates(clock)
})
const take = (limit = 3, client = 'anna') => rates.take(client, limit)

describe('a minute of requests', () => {
  test('is counted down, and refused beyond', async () => {
    expect(await take()).toEqual({ ok: true, limit: 3, remaining: 2, resetAtMs: T0 + RATE_WINDOW_MS })
    expect(await take()).toMatchObject({ ok: true, remaining: 1 })
    expect(await take()).toMatchObject({ ok: true, remaining: 0 })
    expect(await take()).toEqual({ ok: false, limit: 3, remaining: 0, resetAtMs: T0 + RATE_WINDOW_MS })
    expect(await take(3, 'bert')).toMatchObject({ ok: true, remaining: 2 })
  })

  test('slides: each request is given back a minute after it was made', async () => {
    await take()
    clock.jump(30 * SECOND)
    await take()
    await take()
    expect(await take()).toMatchObject({ ok: false, resetAtMs: T0 + RATE_WINDOW_MS })
    clock.jump(30 * SECOND)
    // The first has left, the two others have not.
    expect(await take()).toMatchObject({ ok: true, remaining: 0, resetAtMs: T0 + 90 * SECOND })
    expect(await take()).toMatchObject({ ok: false, resetAtMs: T0 + 90 * SECOND })
    clock.jump(30 * SECOND)
    expect(await take()).toMatchObject({ ok: true, remaining: 1 })
    clock.jump(24 * 3_600 * SECOND)
    expect(await take()).toMatchObject({ ok: true, remaining: 2, resetAtMs: clock.now() + RATE_WINDOW_MS })
  })

  test('what is refused does not count: at the time that it says there is room', async () => {
    await take(1)
    for (let n = 0; n < 100; n += 1) {
      clock.jump(500)
      await take(1)
    }
    const { ok, resetAtMs } = await take(1)
    expect(ok).toBe(false)
    clock.jump(resetAtMs - clock.now())
    expect((await take(1)).ok).toBe(true)
  })

  test('another limit holds at once, for what was counted before', async () => {
    for (let n = 0; n < 5; n += 1) await take(10)
    expect(await take(3)).toMatchObject({ ok: false, limit: 3, remaining: 0 })
    expect(await take(10)).toMatchObject({ ok: true, remaining: 4 })
  })

  test('a lower limit has room again when less than it is left, and one of none never', async () => {
    for (let n = 0; n < 3; n += 1) {
      await take(3)
      clock.jump(10 * SECOND)
    }
    expect(await take(2)).toMatchObject({ ok: false, resetAtMs: T0 + 10 * SECOND + RATE_WINDOW_MS })
    expect(await take(0)).toMatchObject({ ok: false, resetAtMs: clock.now() + RATE_WINDOW_MS })
  })

  test('a clock that was set back shuts nobody out for longer than a minute, and forgives only what is far', async () => {
    for (let n = 0; n < 3; n += 1) await take()
    clock.jump(-2 * SECOND)
    expect((await take()).ok).toBe(false)
    clock.jump(62 * SECOND)
    expect((await take()).ok).toBe(true)
    clock.jump(-3_600 * SECOND)
    expect(await take()).toMatchObject({ ok: true, remaining: 2 })
  })
})

test('never more than the limit within any 59 seconds, whenever they come; never refused below it within a minute', async () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20 * SECOND }), { minLength: 1, maxLength: 120 })
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 1, max: 6 }), async (steps, limit) => {
      const own = fakeClock(T0)
      const mine = createRates(own)
      const granted: number[] = []
      for (const step of steps) {
        own.jump(step)
        const within = (ms: number): number => granted.filter((atMs) => atMs > own.now() - ms).length
        const { ok, remaining, resetAtMs } = await mine.take('anna', limit)
        if (ok) expect(within(59 * SECOND)).toBeLessThan(limit)
        else expect(within(60 * SECOND)).toBe(limit)
        if (ok) granted.push(own.now())
        expect(remaining).toBeGreaterThanOrEqual(0)
        expect(resetAtMs).toBeGreaterThan(own.now())
        expect(resetAtMs).toBeLessThanOrEqual(own.now() + RATE_WINDOW_MS)
      }
    }),
    { seed: 20_261_120, numRuns: 300 },
  )
})

describe('what costs more than one', () => {
  test('is counted when it is known, beyond the limit, too', async () => {
    await take(10)
    await rates.add('anna', 14)
    expect(await take(10)).toEqual({ ok: false, limit: 10, remaining: 0, resetAtMs: T0 + RATE_WINDOW_MS })
    clock.jump(RATE_WINDOW_MS)
    expect(await take(10)).toMatchObject({ ok: true, remaining: 9 })
  })

  test('is given back in parts: there is room again when enough of them are', async () => {
    await take(10)
    clock.jump(10 * SECOND)
    await take(10)
    await rates.add('anna', 10)
    expect(await take(10)).toMatchObject({ ok: false, resetAtMs: T0 + 10 * SECOND + RATE_WINDOW_MS })
  })

  test('over an hour slides by the minute', async () => {
    const hourly = createRates(clock, 60 * RATE_WINDOW_MS)
    await hourly.take('anna', 1)
    clock.jump(60 * RATE_WINDOW_MS - 1)
    expect(await hourly.take('anna', 1)).toMatchObject({ ok: false, resetAtMs: T0 + 60 * RATE_WINDOW_MS })
    clock.jump(1)
    expect(await hourly.take('anna', 1)).toMatchObject({ ok: true })
  })
})
