import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterAttempt, isDelivered, retryAfterMs, SCHEDULES } from '../../src/webhooks/schedule.ts'
import type { AttemptOutcome, ScheduleName } from '../../src/webhooks/schedule.ts'

const NOW_MS = Date.parse('2026-11-20T10:00:00Z')
const S = 1_000
const MIN = 60 * S
const H = 60 * MIN

const answered = (status: number, retryAfter: string | null = null): AttemptOutcome => ({
  kind: 'answered',
  status,
  retryAfter,
})
const timeout: AttemptOutcome = { kind: 'timeout' }
const failed: AttemptOutcome = { kind: 'failed' }

/** Milliseconds until the next attempt, or the final status. */
const after = (schedule: ScheduleName, attempts: number, outcome: AttemptOutcome, random = 0): number | string => {
  const next = afterAttempt({ schedule, attempts }, outcome, NOW_MS, random)
  return next.status === 'pending' ? next.nextAttemptAtMs - NOW_MS : next.status
}

describe('the schedules', () => {
  test.each<[ScheduleName, number[]]>([
    ['endpoint', [5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H]],
    ['video', [5, 10, 30, 60, 300, 600, 900, 1200, 1800, 2400].map((s) => s * S)],
  ])('%s: the gap after each attempt, then the end', (schedule, gaps) => {
    expect(SCHEDULES[schedule][0]).toBe(0)
    gaps.forEach((gapMs, i) => expect(after(schedule, i + 1, answered(500))).toBe(gapMs))
    expect(after(schedule, gaps.length + 1, answered(500))).toBe('failed')
    expect(after(schedule, gaps.length + 2, answered(500))).toBe('failed')
  })
})

describe('what becomes of a delivery', () => {
  test.each([200, 201, 202, 204, 206, 299])('%i delivers it, also at the last attempt', (status) => {
    expect(isDelivered(answered(status))).toBe(true)
    expect(after('video', 1, answered(status))).toBe('delivered')
    expect(after('video', 11, answered(status))).toBe('delivered')
  })

  test.each([199, 300, 301, 302, 307, 308, 400, 401, 403, 404, 409, 422, 500, 502, 503, 504])(
    '%i is retried',
    (status) => {
      expect(isDelivered(answered(status))).toBe(false)
      expect(after('video', 1, answered(status))).toBe(5 * S)
    },
  )

  test('410 ends it at once', () => {
    expect(after('video', 1, answered(410))).toBe('failed')
    expect(after('video', 1, answered(410, '60'))).toBe('failed')
  })

  test.each<[string, AttemptOutcome, number, number]>([
    ['a failed connection', failed, 1, 5 * S],
    ['a timeout', timeout, 1, 60 * S],
    ['a timeout, longer gap', timeout, 5, 300 * S],
    ['429', answered(429), 1, 60 * S],
    ['429, longer gap', answered(429), 5, 300 * S],
    ['429 asking for less', answered(429, '5'), 1, 60 * S],
    ['429 asking for more', answered(429, '90'), 1, 90 * S],
    ['503 asking for less than the gap', answered(503, '1'), 1, 5 * S],
    ['503 asking for more', answered(503, '120'), 1, 120 * S],
    ['503 asking for a day', answered(503, '86400'), 1, 10 * H],
    ['503 asking with a date', answered(503, 'Fri, 20 Nov 2026 10:02:00 GMT'), 1, 120 * S],
    ['503 asking with a past date', answered(503, 'Fri, 20 Nov 2026 09:00:00 GMT'), 1, 5 * S],
    ['503 asking nonsense', answered(503, 'soon'), 1, 5 * S],
    ['a redirect asking to wait', answered(302, '20'), 1, 20 * S],
  ])('%s', (_what, outcome, attempts, waitMs) => {
    expect(after('video', attempts, outcome)).toBe(waitMs)
  })

  test('Retry-After never shortens a gap and never revives what is exhausted', () => {
    expect(after('endpoint', 9, answered(503, '1'))).toBe(24 * H)
    expect(after('endpoint', 9, answered(503, '86400'))).toBe(24 * H)
    expect(after('endpoint', 10, answered(503, '60'))).toBe('failed')
  })

  test('jitter only adds: at most a tenth, at most 15 minutes', () => {
    expect(after('video', 1, failed, 0.999_999)).toBe(5_500)
    expect(after('video', 1, failed, 0.5)).toBe(5_250)
    expect(after('endpoint', 9, failed, 0.999_999_999_9)).toBe(24 * H + 15 * MIN)
    fc.assert(
      fc.property(
        fc.constantFrom<ScheduleName>('endpoint', 'video'),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(failed, timeout, answered(429), answered(500, '7200'), answered(500)),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (schedule, attempts, outcome, random) => {
          const least = Number(after(schedule, attempts, outcome, 0))
          const wait = Number(after(schedule, attempts, outcome, random))
          expect(wait).toBeGreaterThanOrEqual(least)
          expect(wait).toBeLessThanOrEqual(least + Math.min(Math.ceil(least / 10), 15 * MIN))
        },
      ),
      { seed: 8, numRuns: 500 },
    )
  })
})

describe('Retry-After (RFC 9110, 10.2.3)', () => {
  test.each<[string | null, number]>([
    [null, 0],
    ['', 0],
    ['0', 0],
    ['1', S],
    [' 30 ', 30 * S],
    ['36000', 10 * H],
    ['36001', 10 * H],
    ['9'.repeat(400), 10 * H],
    ['-5', 0],
    ['+5', 0],
    ['1.5', 0],
    ['1e3', 0],
    ['0x10', 0],
    ['5, 10', 0],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30 * S],
    ['Friday, 20-Nov-26 10:00:30 GMT', 30 * S],
    ['Fri Nov 20 10:00:30 2026', 30 * S],
    ['Sun Dec  6 10:00:30 2026', 10 * H],
    ['Fri, 20 Nov 2026 09:59:59 GMT', 0],
    ['Sat, 20 Nov 2066 10:00:00 GMT', 10 * H],
    ['2026-11-20T10:00:30Z', 0],
    ['Fri, 20 Nov 2026 10:00:30', 0],
    ['Fri, 99 Nov 2026 10:00:30 GMT', 0],
    ['20 Nov 2026', 0],
    ['not Fri, 20 Nov 2026 10:00:30 GMT', 0],
    ['Fri, 20 Nov 2026 10:00:30 GMT (about)', 0],
    ['not Friday, 20-Nov-26 10:00:30 GMT', 0],
    ['Friday, 20-Nov-26 10:00:30 GMT (about)', 0],
    ['not Fri Nov 20 10:00:30 2026', 0],
    ['Fri Nov 20 10:00:30 2026 (about)', 0],
  ])('%j → %i ms', (value, waitMs) => {
    expect(retryAfterMs(value, NOW_MS)).toBe(waitMs)
  })
})
