import { sleepUntil, type Clock } from './time/clock.ts'

const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 10_000
/** While stopping nobody waits for long: what may be repeated is better than a process that never ends. */
const MAX_WAIT_STOPPING_MS = 500
const MAX_TRIES_STOPPING = 5

/** When to try again to write down what was done, in milliseconds; null: give up. `tries` failed, `late` of them while stopping. */
export const nextTryMs = (tries: number, late: number): number | null => {
  if (late >= MAX_TRIES_STOPPING) return null
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 30), late > 0 ? MAX_WAIT_STOPPING_MS : MAX_WAIT_MS)
}

export type Persisted<T> = { ok: true; value: T } | { ok: false }

/**
 * Runs `write` until it succeeds: what another side has accepted must not be done again because our store had a bad
 * moment. Gives up only after some more tries once `stopping` is aborted. Never rejects.
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
