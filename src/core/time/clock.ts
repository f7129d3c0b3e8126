/** The only source of time: injected, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the Unix epoch, as whoever holds this clock counts them: what everything is timed by. */
  now(): number
  /** What the machine's clock shows, wherever it was set: only for what others hold against clocks of their own. */
  wall(): number
  /** Calls `run` once, at `atMs` by `now` or soon after (at once if that is past); the answer cancels it. */
  at(atMs: number, run: () => void): () => void
}

/** A clock that can be told of later times than its own. */
export interface ProcessClock extends Clock {
  /** It is at least this late: time goes on from there. Nothing where it is later already. */
  notBefore(ms: number): void
}

export interface ClockParts {
  /** Milliseconds since the Unix epoch; may be set to anything at any time. */
  wall: () => number
  /** Milliseconds that passed since some moment; never set. */
  monotonic: () => number
  /** Calls `run` once when `ms` have passed; the answer cancels it. */
  setTimer: (ms: number, run: () => void) => () => void
}

/** Timers look at the clock again at least this often, so that no delay overflows 2³¹ ms. */
const MAX_TIMER_MS = 30_000
/** Of the time that passes. So much faster NTP itself makes a clock go: within the margin that budgets have. */
const FASTEST = 0.0005
/** Of the time that passes. Slower makes nothing early; a moment told an hour ago is off by a minute at the most. */
const SLOWEST = 0.02

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/**
 * The clock of a process: it starts at the wall clock, counts the time that passes, and never leaps, in whichever
 * direction the wall clock is set: it goes a little faster or slower until both agree again. So whatever is timed by it
 * is neither early nor held up, and no span of it can be faked by setting the clock.
 */
export const createClock = ({ wall, monotonic, setTimer }: ClockParts): ProcessClock => {
  // Read when first asked, not when made.
  let last: { nowMs: number; seenMs: number } | null = null

  const read = (): number => {
    const seenMs = monotonic()
    const before = last ?? { nowMs: wall(), seenMs }
    const passedMs = Math.max(0, seenMs - before.seenMs)
    const offMs = wall() - (before.nowMs + passedMs)
    const nowMs = before.nowMs + passedMs + clamp(offMs, -passedMs * SLOWEST, passedMs * FASTEST)
    last = { nowMs, seenMs }
    return nowMs
  }
  const now = (): number => Math.round(read())

  return {
    now,
    wall,
    at(atMs, run) {
      let cancel = (): void => {}
      const arm = (): void => {
        cancel = setTimer(clamp(atMs - now(), 0, MAX_TIMER_MS), ring)
      }
      const ring = (): void => (atMs <= now() ? run() : arm())
      arm()
      return () => cancel()
    },
    notBefore(ms) {
      const nowMs = Math.max(read(), ms)
      last = { nowMs, seenMs: last?.seenMs ?? monotonic() }
    },
  }
}

/** One for each gateway: what one of them was told of later times is nothing to another in the same process. */
export const createSystemClock = (): ProcessClock =>
  createClock({
    wall: () => Date.now(),
    monotonic: () => performance.now(),
    setTimer(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })

/**
 * A moment of `clock`'s as the clocks of others will show it. By whole seconds: while both agree, as they do unless the
 * wall clock was set, one that is told twice is the same.
 */
export const onTheWall = (clock: Clock, atMs: number): number =>
  atMs + Math.trunc((clock.wall() - clock.now()) / 1_000) * 1_000

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
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
