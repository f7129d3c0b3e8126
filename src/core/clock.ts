/** The only source of time: injected, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Calls `run` once, at `atMs` or soon after (at once if that is past); the answer cancels it. */
  at(atMs: number, run: () => void): () => void
}

/** Timers look at the clock again at least this often, so that no delay overflows 2³¹ ms. */
const MAX_TIMER_MS = 30_000

/**
 * The system's clock. A timer fires when the wall clock reaches its time or when that much time has passed, whichever is
 * first: one that is set back delays nothing, one that is set forward delays nothing for longer than 30 s.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  at(atMs, run) {
    const delayMs = atMs - Date.now()
    const setAtMs = performance.now()
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const leftMs = Math.min(delayMs - (performance.now() - setAtMs), atMs - Date.now())
      const restMs = leftMs <= 0 ? 0 : Math.min(delayMs - (performance.now() - setAtMs), MAX_TIMER_MS)
      timer = setTimeout(restMs <= 0 ? run : arm, Math.max(0, restMs))
    }
    arm()
    return () => clearTimeout(timer)
  },
}

/** Resolves at `atMs` by `clock`, or at once when `signal` aborts. Never rejects. */
export const sleepUntil = (clock: Clock, atMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = (): void => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.at(atMs, done)
    signal?.addEventListener('abort', done, { once: true })
  })

/** ISO 8601, UTC, milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString()

/** When the calendar month (UTC) after this moment's begins. */
export const nextMonthMs = (ms: number): number => {
  const at = new Date(ms)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
}
