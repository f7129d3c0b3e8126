import { sleepUntil } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'

const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 10_000
/** While stopping nobody waits for long: an event that is sent again is better than a process that never ends. */
const MAX_WAIT_STOPPING_MS = 500
const MAX_TRIES_STOPPING = 5

/** When to try again to write down what was done, in milliseconds; null: give up. `tries` failed, `late` of them while stopping. */
export const nextTryMs = (tries: number, late: number): number | null => {
  if (late >= MAX_TRIES_STOPPING) return null
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 30), late > 0 ? MAX_WAIT_STOPPING_MS : MAX_WAIT_MS)
}

/**
 * Runs `write` until it succeeds: what a receiver has accepted must not be sent again because our store had a bad
 * moment. Gives up, answering false, only after some more tries once `stopping` is aborted. Never rejects.
 */
export const persist = async (
  write: () => Promise<void>,
  clock: Clock,
  stopping: AbortSignal,
  onFailure: (error: unknown, tries: number) => void,
): Promise<boolean> => {
  let late = 0
  for (let tries = 1; ; tries += 1) {
    const stopped = stopping.aborted
    try {
      await write()
      return true
    } catch (error) {
      onFailure(error, tries)
    }
    if (stopped) late += 1
    const waitMs = nextTryMs(tries, late)
    if (waitMs === null) return false
    await sleepUntil(clock, clock.now() + waitMs, stopping.aborted ? undefined : stopping)
  }
}
