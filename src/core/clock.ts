/** The only source of time: injected, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Calls `run` once, at `atMs` or soon after (at once if that is past); the answer cancels it. */
  at(atMs: number, run: () => void): () => void
}

/** Timers are re-armed at least this often: a wall clock that jumps delays nothing for longer, and no delay overflows 2³¹ ms. */
const MAX_TIMER_MS = 30_000

export const systemClock: Clock = {
  now: () => Date.now(),
  at(atMs, run) {
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const waitMs = atMs - Date.now()
      timer =
        waitMs <= 0
          ? setTimeout(run, 0)
          : setTimeout(waitMs > MAX_TIMER_MS ? arm : fire, Math.min(waitMs, MAX_TIMER_MS))
    }
    const fire = (): void => (Date.now() < atMs ? arm() : run())
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
