import { expect, test } from 'vitest'
import { durationMs, durationText } from '../../../src/core/time/clock.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['0s', 0],
])('%s is %d ms', (text, ms) => expect(durationMs(text)).toBe(ms))

test.each(['', '5', 'm', '5 m', '-5m', '1.5h', '5M', '5w', '1h30m', '5m\n', '1234567890s', '5constructor'])(
  '%j is no duration',
  (text) => expect(durationMs(text)).toBeNaN(),
)

test('a unit that is not asked for is none', () => {
  expect(durationMs('500ms', ['s', 'm'])).toBeNaN()
  expect(durationMs('5m', ['s', 'm'])).toBe(300_000)
})

test.each([0, 1, 999, 1_000, 90_000, 3_600_000, 86_400_000, 90 * 86_400_000])('%d ms are read back', (ms) =>
  expect(durationMs(durationText(ms))).toBe(ms),
)
