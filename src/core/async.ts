import { type Clock, sleepUntil } from './time/clock.ts'

/** What is at hand, or will be. */
export type Soon<T> = T | Promise<T>

/** Goes on at once with what is at hand: promises took a tenth of a short request. */
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
