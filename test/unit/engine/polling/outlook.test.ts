import { describe, expect, test } from 'vitest'
import { durationsOf, NO_DURATIONS } from '../../../../src/engine/polling/progress.ts'
import { barsOf, percentile, pollsOf } from '../../../../src/engine/polling/choose.ts'

const SECOND = 1_000

describe('barsOf', () => {
  test('nothing has no bars', () => expect(barsOf([])).toEqual([]))

  test('bars are of equal width, in steps that people count in, and hold everything once', () => {
    const sorted = Array.from({ length: 300 }, (_, n) => 30_000 + n * 100)
    const bars = barsOf(sorted)
    expect(bars.length).toBeGreaterThan(5)
    expect(bars.length).toBeLessThanOrEqual(25)
    for (const { fromMs, toMs } of bars) if (toMs !== null) expect(toMs - fromMs).toBe(2 * SECOND)
    expect(bars[0]?.fromMs).toBe(30_000)
    expect(bars.reduce((sum, { videos }) => sum + videos, 0)).toBe(300)
    for (const [n, { fromMs, toMs, videos }] of bars.entries()) {
      expect(videos).toBe(sorted.filter((ms) => ms >= fromMs && ms < (toMs ?? Infinity)).length)
      if (n > 0) expect(fromMs).toBe(bars[n - 1]?.toMs)
    }
  })

  test('one job that ran for a day does not flatten the others: it shares a bar without an end', () => {
    const bars = barsOf([...Array.from({ length: 199 }, (_, n) => 10_000 + n * 10), 86_400_000])
    expect(bars.at(-1)).toMatchObject({ toMs: null, videos: 1 })
    expect(bars.length).toBeLessThan(10)
  })

  test('all the same is one bar', () =>
    expect(barsOf([5_000, 5_000])).toEqual([{ fromMs: 5_000, toMs: 6_000, videos: 2 }]))
})

test('percentile: the value that this part does not exceed', () => {
  expect(percentile([], 0.5)).toBeNull()
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(2)
  expect(percentile([1, 2, 3, 4], 0.95)).toBe(4)
})

describe('pollsOf', () => {
  const every = (gapMs: number) => (lastMs: number | null) => (lastMs ?? 0) + gapMs

  test('goes past the longest job, and says what each is expected to find running', () => {
    const polls = pollsOf(durationsOf([10_000, 20_000, 30_000]), every(8_000))
    expect(polls.map(({ afterMs }) => afterMs)).toEqual([8_000, 16_000, 24_000, 32_000])
    const running = polls.map((poll) => poll.running)
    expect(running).toEqual(running.toSorted((a, b) => b - a))
    expect(running[0]).toBeGreaterThan(0.9)
  })

  test('ends, also where nothing was learned and where a poll never comes later', () => {
    expect(pollsOf(NO_DURATIONS, every(10_000)).length).toBeGreaterThan(10)
    expect(pollsOf(NO_DURATIONS, () => 5)).toHaveLength(40)
  })
})
