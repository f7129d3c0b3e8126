/** Lets other work run. Called between the parts of long work, so that it does not block the thread. */
export const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Durations as people write them: `500ms`, `30s`, `5m`, `24h`, `7d`. */

export const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
type DurationUnit = keyof typeof UNIT_MS

export const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/

const isUnit = (text: string | undefined): text is DurationUnit => text !== undefined && Object.hasOwn(UNIT_MS, text)

/** Milliseconds; `NaN` if the text is no duration, or in none of the `units`. */
export const durationMs = (text: string, units: readonly DurationUnit[] = ['ms', 's', 'm', 'h', 'd']): number => {
  const [, count, unit] = DURATION.exec(text) ?? []
  return isUnit(unit) && units.includes(unit) ? Number(count) * UNIT_MS[unit] : Number.NaN
}

/** Milliseconds as the shortest text that `durationMs` reads back. */
export const durationText = (ms: number): string => {
  const [unit, unitMs] = Object.entries(UNIT_MS).findLast(([, unitMs]) => ms % unitMs === 0) ?? ['ms', 1]
  return `${ms / unitMs}${unit}`
}

/** The only source of time: injected, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the Unix epoch, in the gateway's own time. Everything is timed by this. */
  now(): number
  /** What the machine's clock shows. Only for times that others compare with their own clocks. */
  wall(): number
  /** Milliseconds that passed since some moment; never set. What is left of a lease is measured by it. */
  elapsed(): number
  /** By how much the clock leapt ahead since this time of its own, in milliseconds: that is nothing's age. */
  leaptSince(ms: number): number
  /** Calls `run` once, at `atMs` by `now` or soon after (immediately if that is past); the answer cancels it. */
  at(atMs: number, run: () => void): () => void
}

/** A clock that can be moved ahead. */
export interface ProcessClock extends Clock {
  /** Moves the clock ahead to this time. Does nothing if it is later already. */
  notBefore(ms: number): void
  /**
   * Another time counts, and is this now. Moves ahead to it immediately; if it is behind, runs slower until both agree.
   * Before the first reading, starts there. `wallMs` is what the other clock shows: less if it was set back.
   */
  agree(ms: number, wallMs?: number): void
}

interface ClockParts {
  /** Milliseconds since the Unix epoch; may be set to anything at any time. */
  wall: () => number
  /** Milliseconds that passed since some moment; never set. */
  monotonic: () => number
  /** Calls `run` once when `ms` have passed; the answer cancels it. */
  setTimer: (ms: number, run: () => void) => () => void
}

/** Timers read the clock again at least this often, so that no delay overflows 2³¹ ms. */
const MAX_TIMER_MS = 30_000
/**
 * The most by which our time may run faster, as a part of the time that passes: as NTP does, within the margin of
 * budgets.
 */
const FASTEST = 0.0005
/** The most by which it may run slower: a time reported an hour ago is a minute off at most. */
const SLOWEST = 0.02

/** Of a leap of less, no age is wrong by much. */
const LEAP_MS = 60_000
/** A leap is noticed late: what was stamped meanwhile was stamped after it. */
const NOTICED_MS = 10_000

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/**
 * The clock of a process. It starts at the wall clock, counts the time that passes, and never leaps. If the wall clock
 * is set, it runs a little faster or slower until both agree again. So setting the clock makes nothing early, holds
 * nothing up and changes no age.
 */
export const createClock = ({ wall, monotonic, setTimer }: ClockParts): ProcessClock => {
  // Read when first asked, not when made.
  let last: { nowMs: number; seenMs: number } | null = null
  /** How far the time that counts, and the clock that is shown, are ahead of the machine's. */
  let aheadMs = 0
  let shownAheadMs = 0
  const leaps: { toMs: number; byMs: number }[] = []
  const counts = (): number => wall() + aheadMs

  const read = (): number => {
    const seenMs = monotonic()
    const before = last ?? { nowMs: counts(), seenMs }
    const passedMs = Math.max(0, seenMs - before.seenMs)
    const offMs = counts() - (before.nowMs + passedMs)
    const nowMs = before.nowMs + passedMs + clamp(offMs, -passedMs * SLOWEST, passedMs * FASTEST)
    last = { nowMs, seenMs }
    return nowMs
  }
  const now = (): number => Math.round(read())
  /**
   * In how much time `ms` of ours pass: more while ours runs slower, or each timer would ring early, again and again.
   */
  const passesIn = (ms: number): number => {
    const behindMs = Math.max(0, read() - counts())
    return Math.ceil(ms + Math.min(behindMs, (ms * SLOWEST) / (1 - SLOWEST)))
  }

  return {
    now,
    wall: () => Math.round(wall() + shownAheadMs),
    elapsed: monotonic,
    leaptSince: (ms) => leaps.reduce((sum, { toMs, byMs }) => (toMs > ms ? sum + byMs : sum), 0),
    at(atMs, run) {
      let cancel = (): void => {}
      const arm = (): void => {
        cancel = setTimer(clamp(passesIn(atMs - now()), 0, MAX_TIMER_MS), ring)
      }
      const ring = (): void => (atMs <= now() ? run() : arm())
      arm()
      return () => cancel()
    },
    notBefore(ms) {
      const nowMs = Math.max(read(), ms)
      last = { nowMs, seenMs: last?.seenMs ?? monotonic() }
    },
    agree(ms, wallMs = ms) {
      aheadMs = ms - wall()
      shownAheadMs = wallMs - wall()
      const byMs = last ? Math.round(ms - read()) : 0
      if (byMs >= LEAP_MS) leaps.push({ toMs: ms - NOTICED_MS, byMs })
      last = { nowMs: last ? Math.max(read(), ms) : ms, seenMs: monotonic() }
    },
  }
}

/** One for each gateway: two gateways in one process must not move each other's time. */
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
 * A time of `clock` as the wall clock will show it, for others to read. Corrected by whole seconds only, so that a time
 * that is reported twice is the same, unless the wall clock was set.
 */
export const onTheWall = (clock: Clock, atMs: number): number =>
  atMs + Math.trunc((clock.wall() - clock.now()) / 1_000) * 1_000

/** Resolves at `atMs` by `clock`, or immediately when `signal` aborts. Never rejects. */
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

/** What is at hand, or will be. */
export type Soon<T> = T | Promise<T>

/** Continues immediately with what is at hand: promises took a tenth of a short request. */
export const andThen = <T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Does what is asked for under the same key one after the other, in the order of asking. */
type InTurn = <T>(key: string, act: () => Promise<T>) => Promise<T>

export const createInTurn = (): InTurn => {
  const last = new Map<string, Promise<unknown>>()
  return (key, act) => {
    const result = (last.get(key) ?? Promise.resolve()).then(act)
    const over = result.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, over)
    void over.then(() => last.get(key) === over && last.delete(key))
    return result
  }
}

const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 10_000
/** The longest wait while stopping: a repeated request is better than a process that never ends. */
const MAX_WAIT_STOPPING_MS = 500
const MAX_TRIES_STOPPING = 5

/**
 * How long to wait before the next try, in milliseconds; null: give up. `tries` have failed, `late` of them while
 * stopping.
 */
export const nextTryMs = (tries: number, late: number): number | null => {
  if (late >= MAX_TRIES_STOPPING) return null
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 30), late > 0 ? MAX_WAIT_STOPPING_MS : MAX_WAIT_MS)
}

export type Persisted<T> = { ok: true; value: T } | { ok: false }

/**
 * Runs `write` until it succeeds: what another side has accepted must not be done again because our store failed for a
 * moment. Once `stopping` is aborted, gives up after some more tries. Never rejects.
 */
export const persist = async <T>(
  write: () => Promise<T>,
  clock: Clock,
  stopping: AbortSignal,
  onFailure: (error: unknown, tries: number) => void,
): Promise<Persisted<T>> => {
  let late = 0
  for (let tries = 1; ; tries += 1) {
    const stopped = stopping.aborted
    try {
      return { ok: true, value: await write() }
    } catch (error) {
      onFailure(error, tries)
    }
    if (stopped) late += 1
    const waitMs = nextTryMs(tries, late)
    if (waitMs === null) return { ok: false }
    await sleepUntil(clock, clock.now() + waitMs, stopping.aborted ? undefined : stopping)
  }
}
