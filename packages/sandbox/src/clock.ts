import { randomInt } from 'node:crypto'

/** What the sandbox knows of time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /**
   * Calls `run` once, at `atMs` or soon after (immediately if that is past); the function that it returns cancels it.
   */
  at(atMs: number, run: () => void): () => void
}

/** When to come back. */
export interface Hint {
  readonly seconds: number
  readonly atMs: number
}

/** A longer timer would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  at(atMs, run) {
    let timer: NodeJS.Timeout
    const arm = (): void => {
      timer = setTimeout(
        () => (atMs <= Date.now() ? run() : arm()),
        Math.min(Math.max(atMs - Date.now(), 0), MAX_TIMER_MS),
      )
    }
    arm()
    return () => clearTimeout(timer)
  },
}

/** ISO 8601, UTC, milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString()

/** Resolves at `atMs`, or immediately when `signal` aborts. Never rejects. */
export const sleepUntil = (clock: Clock, atMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.at(atMs, done)
    signal.addEventListener('abort', done, { once: true })
  })

/** A clock that does not move until it is started: `--clock virtual`, or a test's own. */
export interface VirtualClock extends Clock {
  /** Moves time on; what becomes due on the way runs in order, each at its own time. */
  advance(ms: number): Promise<void>
}

export const isVirtual = (clock: Clock): clock is VirtualClock =>
  'advance' in clock && typeof clock.advance === 'function'

/** Lets what a timer started run on until it waits again. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const virtualClock = (startMs: number): VirtualClock => {
  let nowMs = startMs
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  const nextDue = (untilMs: number) =>
    [...timers].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0]
  /** One after the other: two callers at the same time would each run the other's timers too late. */
  let last: Promise<void> = Promise.resolve()
  const advance = async (ms: number): Promise<void> => {
    const untilMs = nowMs + ms
    for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
      timers.delete(timer)
      nowMs = Math.max(nowMs, timer.atMs)
      timer.run()
      await settle()
    }
    nowMs = untilMs
    await settle()
  }
  return {
    now: () => nowMs,
    at(atMs, run) {
      const timer = { atMs, run }
      timers.add(timer)
      // What is due already does not wait for the next advance.
      if (atMs <= nowMs) setImmediate(() => timers.delete(timer) && run())
      return () => timers.delete(timer)
    },
    advance(ms) {
      last = last.then(() => advance(ms))
      return last
    },
  }
}

/** Makes ids `<prefix>_<26 characters>`: opaque, URL-safe, and ordered by time. */
export type NewId = (prefix: string) => string

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base32 = (value: number, length: number): string =>
  Array.from({ length }, (_, i) => ALPHABET[Math.floor(value / 32 ** (length - 1 - i)) % 32]).join('')

/**
 * `random` returns a number in [0, 1). Default: the platform's secure source, so that a restarted sandbox repeats no
 * id.
 */
export const createIds = (clock: Clock, random = () => randomInt(2 ** 40) / 2 ** 40): NewId => {
  let atMs = 0
  let count = 0
  return (prefix) => {
    const nowMs = Math.max(clock.now(), atMs)
    count = nowMs === atMs ? count + 1 : 0
    atMs = nowMs
    return `${prefix}_${base32(atMs, 10)}${base32(count, 4)}${base32(random() * 32 ** 6, 6)}${base32(random() * 32 ** 6, 6)}`
  }
}
