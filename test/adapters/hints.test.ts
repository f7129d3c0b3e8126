import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { latestHint, readRate, resetHint } from '../../src/adapters/shared/problems.ts'
import { ERROR } from '../../src/adapters/shared/dialect.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const HOUR_S = 3_600
const iso = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString()

type Case = [name: string, headers: Record<string, string>, body: unknown, expectedS: number | null]

describe('the latest hint wins', () => {
  test.each<Case>([
    ['none', {}, null, null],
    ['Retry-After in seconds', { 'retry-after': '7' }, null, 7],
    ['Retry-After as a date', { 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }, null, 30],
    ['X-Service-Next-Poll-At', { 'x-service-next-poll-at': iso(12) }, null, 12],
    ['next_poll_at', {}, { next_poll_at: iso(5) }, 5],
    ['nextPollAt', {}, { nextPollAt: iso(5) }, 5],
    ['retry_after_seconds', {}, { retry_after_seconds: 5 }, 5],
    ['retryAfter', {}, { retryAfter: 5 }, 5],
    ['retryAfterSeconds', {}, { retryAfterSeconds: '5' }, 5],
    ['under details', {}, { details: { retryAfter: 6 } }, 6],
    ['under video_generation', {}, { video_generation: { nextPollAt: iso(8) } }, 8],
    ['under videoGeneration', {}, { videoGeneration: { retry_after_seconds: 8 } }, 8],
    ['under details.video_generation', {}, { details: { video_generation: { retryAfter: 9 } } }, 9],
    ['all of them', { 'retry-after': '3' }, { retryAfter: 4, details: { retryAfterSeconds: 20 } }, 20],
    ['two hours', { 'retry-after': '7200' }, null, HOUR_S],
    ['the year 2999', {}, { next_poll_at: '2999-01-01T00:00:00Z' }, HOUR_S],
    ['a huge number', {}, { retryAfter: 1e308 }, HOUR_S],
    ['a negative number', { 'retry-after': '-5' }, null, 0],
    ['a moment in the past', {}, { next_poll_at: iso(-60) }, 0],
    ['no number', { 'retry-after': 'soon' }, { retryAfter: {}, next_poll_at: 'tomorrow' }, null],
    ['one unreadable of two', { 'retry-after': 'soon' }, { retryAfter: 5 }, 5],
    ['a list', {}, [{ retryAfter: 5 }], null],
  ])('%s', (_name, headers, body, expectedS) => {
    expect(latestHint(headers, body, ERROR, NOW)).toBe(expectedS === null ? null : NOW + expectedS * 1000)
  })

  test('where an interface says so, and in its own words', () => {
    const own = { hints: ['retry_in_seconds', 'free_at'], hintsUnder: ['fault'] }
    const said = { retryAfter: 1, details: { retryAfter: 2 }, fault: { retry_in_seconds: 9 }, free_at: iso(12) }
    expect(latestHint({}, said, own, NOW)).toBe(NOW + 12_000)
    expect(latestHint({}, { ...said, free_at: null }, own, NOW)).toBe(NOW + 9_000)
    expect(latestHint({}, said, { hints: own.hints, hintsUnder: [] }, NOW)).toBe(NOW + 12_000)
    expect(latestHint({}, { retryAfter: 1 }, own, NOW)).toBeNull()
  })

  test("a moment counts from the backend's own Date, however wrong its clock is", () => {
    const headers = { date: 'Fri, 20 Nov 2026 09:30:00 GMT', 'x-service-next-poll-at': '2026-11-20T09:30:15Z' }
    expect(latestHint(headers, null, ERROR, NOW)).toBe(NOW + 15_000)
  })

  test('a Date cut to whole seconds delays nothing where the clocks agree', () => {
    const headers = { date: 'Fri, 20 Nov 2026 09:59:59 GMT', 'x-service-next-poll-at': iso(0.5) }
    expect(latestHint(headers, null, ERROR, NOW)).toBe(NOW + 500)
  })

  test('is between now and an hour from now, for anything', () => {
    const names = ['retry-after', 'x-service-next-poll-at', 'date']
    const headers = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.double().map(String)))
    const body = fc.dictionary(fc.constantFrom('retryAfter', 'next_poll_at', 'details'), fc.jsonValue())
    fc.assert(
      fc.property(headers, body, (h, b) => {
        const hint = latestHint(h, b, ERROR, NOW)
        return hint === null || (hint >= NOW && hint <= NOW + HOUR_S * 1000)
      }),
    )
  })
})

describe('rate headers', () => {
  test.each([
    [{}, { limit: null, remaining: null, resetAtMs: null, dateMs: null }],
    [
      { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795168860' },
      { limit: 10, remaining: 0, resetAtMs: 1_795_168_860_000, dateMs: null },
    ],
    [
      { 'x-ratelimit-limit': 'ten', 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '30' },
      { limit: null, remaining: null, resetAtMs: null, dateMs: null },
    ],
    [{ date: 'yesterday' }, { limit: null, remaining: null, resetAtMs: null, dateMs: null }],
    [
      { date: 'Fri, 20 Nov 2026 10:00:00 GMT', 'x-ratelimit-reset': '1795168860000' },
      { limit: null, remaining: null, resetAtMs: 1_795_168_860_000, dateMs: NOW },
    ],
  ])('%j', (headers: Record<string, string>, expected) => expect(readRate(headers)).toEqual(expected))

  test("the window's end counts from the answer's Date, and is bounded", () => {
    const rate = { limit: null, remaining: null, resetAtMs: 1_000_000, dateMs: 990_000 }
    expect(resetHint(rate, NOW)).toBe(NOW + 10_000)
    expect(resetHint({ ...rate, dateMs: 0, resetAtMs: 9e12 }, NOW)).toBe(NOW + HOUR_S * 1000)
    expect(resetHint({ ...rate, resetAtMs: null }, NOW)).toBeNull()
  })
})

test('a window that ends within a millisecond ends at a whole one: stores keep no others', () => {
  expect(readRate({ 'x-ratelimit-reset': '1700000012.3456789' }).resetAtMs).toBe(1_700_000_012_346)
})
