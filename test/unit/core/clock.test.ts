import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'

const HOUR = 3_600_000

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: 1_000_000 }),
)
afterEach(() => void vi.useRealTimers())

/** When a timer of `delayMs` fired, in time that passed; null: not within two hours. */
const firesAfter = async (delayMs: number, jumpMs: number): Promise<number | null> => {
  const startMs = performance.now()
  let firedMs: number | null = null
  systemClock.at(Date.now() + delayMs, () => {
    firedMs = performance.now() - startMs
  })
  if (jumpMs !== 0) {
    await vi.advanceTimersByTimeAsync(1)
    vi.setSystemTime(Date.now() + jumpMs)
  }
  await vi.advanceTimersByTimeAsync(2 * HOUR)
  return firedMs
}

test.each([
  ['a moment', 10, 0, 10],
  ['longer than a timer runs at once', 100_000, 0, 100_000],
  ['what is past', -5, 0, 0],
  ['set back by an hour: no later', 60_000, -HOUR, 60_000],
])('%s', async (_, delayMs, jumpMs, expectedMs) => {
  expect(await firesAfter(delayMs, jumpMs)).toBeCloseTo(expectedMs, -1)
})

test('set forward by an hour: at most 30 s late', async () => {
  expect(await firesAfter(HOUR, HOUR)).toBeLessThanOrEqual(30_001)
})

test('what was cancelled does not fire', async () => {
  let fired = false
  systemClock.at(Date.now() + 10, () => {
    fired = true
  })()
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(fired).toBe(false)
})
