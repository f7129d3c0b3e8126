import type { AfterAttempt } from '../core/store/webhooks.ts'

const S = 1_000
const MIN = 60 * S
const H = 60 * MIN

/**
 * Gaps after the previous attempt in milliseconds; the first one is before the first attempt. An endpoint is a service
 * that may be down for days; a `webhook_url` belongs to a caller that waits for one video.
 */
export const SCHEDULES = {
  endpoint: [0, 5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H],
  video: [0, 5 * S, 10 * S, 30 * S, 60 * S, 300 * S, 600 * S, 900 * S, 1200 * S, 1800 * S, 2400 * S],
} as const satisfies Record<string, readonly number[]>
export type ScheduleName = keyof typeof SCHEDULES

/** Jitter only adds. */
export const MAX_JITTER_SHARE = 0.1
export const MAX_JITTER_MS = 15 * MIN
/** `Retry-After` only delays. */
export const MAX_RETRY_AFTER_MS = 10 * H
/** A receiver that is overloaded, or too slow to answer, gets no attempt for at least this long. */
export const OVERLOADED_WAIT_MS = 60 * S

export type AttemptOutcome =
  | { kind: 'answered'; status: number; retryAfter: string | null }
  /** Also while connecting. */
  | { kind: 'timeout' }
  /** No connection, a cut one, an address that is refused, an answer that is no HTTP. */
  | { kind: 'failed' }

export interface DeliveryState {
  schedule: ScheduleName
  /** Attempts made, the one that just ended included. */
  attempts: number
}

const IMF_FIXDATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const RFC_850 = /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/
const ASCTIME = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** RFC 9110, 5.6.7: all three forms of an HTTP date, which are UTC; NaN for anything else. */
const parseHttpDate = (text: string): number => {
  if (IMF_FIXDATE.test(text) || RFC_850.test(text)) return Date.parse(text)
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}

/**
 * How long `Retry-After` (RFC 9110, 10.2.3: seconds or a date) asks to wait, in milliseconds; 0 if unreadable or past.
 */
export const retryAfterMs = (value: string | null, nowMs: number): number => {
  const text = value?.trim() ?? ''
  const waitMs = /^\d+$/.test(text) ? Number(text) * S : parseHttpDate(text) - nowMs
  return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : 0
}

const leastWaitMs = (outcome: AttemptOutcome, nowMs: number): number => {
  if (outcome.kind === 'timeout') return OVERLOADED_WAIT_MS
  if (outcome.kind === 'failed') return 0
  return Math.max(outcome.status === 429 ? OVERLOADED_WAIT_MS : 0, retryAfterMs(outcome.retryAfter, nowMs))
}

/** The one rule of success: any 2xx. A redirect is a failure, since it is never followed. */
export const isDelivered = (outcome: AttemptOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300

/**
 * What becomes of a delivery after an attempt that ended at `nowMs`. Pure. `random` in [0, 1) is the jitter. It is
 * spread over the whole wait, so that many retries do not meet a receiver at the same time. 410 says that nobody is
 * there any more, and ends the delivery; whether it also disables the endpoint is not decided here.
 */
export const afterAttempt = (
  state: DeliveryState,
  outcome: AttemptOutcome,
  nowMs: number,
  random: number,
): AfterAttempt => {
  if (isDelivered(outcome)) return { status: 'delivered' }
  if (outcome.kind === 'answered' && outcome.status === 410) return { status: 'failed' }
  const gapMs = SCHEDULES[state.schedule][state.attempts]
  if (gapMs === undefined) return { status: 'failed' }
  const waitMs = Math.max(gapMs, leastWaitMs(outcome, nowMs))
  const jitterMs = Math.min(waitMs * MAX_JITTER_SHARE, MAX_JITTER_MS) * random
  return { status: 'pending', nextAttemptAtMs: Math.ceil(nowMs + waitMs + jitterMs) }
}
