/**
 * A circuit breaker as a value. After five exchanges in a row without a proper answer it lets nothing through for 10 s,
 * doubling to a minute, and then tries one request. Own code, because its time must be the injected clock's: the
 * libraries for this read the system's.
 */
export interface Breaker {
  /** In a row. */
  failures: number
  /** If it is open, nothing goes before then. Then one request may try, and this moves on. */
  shutUntilMs: number
}

const FAILURES_TO_OPEN = 5
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 60_000

export const CLOSED: Breaker = { failures: 0, shutUntilMs: 0 }

export const isOpen = ({ failures }: Breaker): boolean => failures >= FAILURES_TO_OPEN

/** Lets a request through, or says when to ask again. One that tries an open breaker has `tryMs` for it. */
export const pass = (
  breaker: Breaker,
  nowMs: number,
  tryMs: number,
): { breaker: Breaker; retryAtMs: number | null } => {
  if (!isOpen(breaker)) return { breaker, retryAtMs: null }
  if (nowMs < breaker.shutUntilMs) return { breaker, retryAtMs: breaker.shutUntilMs }
  return { breaker: { ...breaker, shutUntilMs: nowMs + tryMs }, retryAtMs: null }
}

/** Counts the outcome of a request. `spoke`: the backend answered in its contract's form, refusals included. */
export const heard = (breaker: Breaker, spoke: boolean, nowMs: number): Breaker => {
  if (spoke) return CLOSED
  const failures = breaker.failures + 1
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - FAILURES_TO_OPEN), LONGEST_PAUSE_MS)
  return { failures, shutUntilMs: nowMs + pauseMs }
}
