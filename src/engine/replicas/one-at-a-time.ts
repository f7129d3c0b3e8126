import type { Replica } from '../../core/replica.ts'
import type { WorkStore } from '../../core/store/work.ts'
import { sleepUntil, type Clock } from '../../core/time/clock.ts'

interface OneAtATimeDeps {
  store: Pick<WorkStore, 'claim' | 'release'>
  clock: Clock
  replica: Replica
}

/** How long another process is waited for; then both do it. */
const PATIENCE_MS = 2_000
const ASK_EVERY_MS = 250
/** A process that dies holds the others up no longer. */
const LEASE_MS = 60_000

/**
 * Work that many processes may want at the same moment, and that should not hit a backend from all of them at once. It
 * saves requests and no more: who has waited for long enough, or cannot ask the store, goes ahead.
 */
export const createOneAtATime = ({ store, clock, replica }: OneAtATimeDeps) => {
  const claim = (what: string) => store.claim('maintain', what, LEASE_MS, replica.id).catch(() => null)
  return async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    if (replica.isAlone) return work()
    const untilMs = clock.now() + PATIENCE_MS
    let lease = await claim(what)
    while (!lease && clock.now() < untilMs) {
      await sleepUntil(clock, clock.now() + ASK_EVERY_MS)
      lease = await claim(what)
    }
    try {
      return await work()
    } finally {
      // If that fails, it ends by itself.
      if (lease) await store.release('maintain', lease).catch(() => undefined)
    }
  }
}
export type OneAtATime = ReturnType<typeof createOneAtATime>
