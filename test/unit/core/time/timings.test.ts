import { expect, test } from 'vitest'
import { BUCKETS_MS, createTimings } from '../../../../src/core/time/timings.ts'

test('each duration is in the first bucket that it fits in, and those beyond the last are counted alone', () => {
  const { observe, timings } = createTimings()
  const beyond = (BUCKETS_MS.at(-1) ?? 0) + 1
  for (const ms of [0, 50, 51, -7, beyond]) observe('webhook_delivered', ms, { target: 'video' })
  observe('webhook_delivered', 100, { target: 'endpoint' })
  const buckets = (...first: number[]): number[] => BUCKETS_MS.map((_, n) => first[n] ?? 0)
  expect(timings()).toEqual([
    {
      what: 'webhook_delivered',
      labels: { target: 'video' },
      count: 5,
      sumMs: 101 + beyond,
      buckets: buckets(3, 1),
    },
    { what: 'webhook_delivered', labels: { target: 'endpoint' }, count: 1, sumMs: 100, buckets: buckets(0, 1) },
  ])
})

test('what was told does not change with what comes later', () => {
  const { observe, timings } = createTimings()
  observe('webhook_first_attempt', 1, { target: 'video' })
  const told = timings()
  observe('webhook_first_attempt', 1, { target: 'video' })
  expect(told[0]).toMatchObject({ count: 1 })
  expect(told[0]?.buckets[0]).toBe(1)
})
