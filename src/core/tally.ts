import type { DisabledReason } from './endpoints.ts'
import type { Target } from './store/deliveries.ts'
import { createTimings, type Timings } from './time/timings.ts'

/** What is counted, with its labels: closed sets, as in `timings.ts`. */
export interface CountedBy {
  duplicate_job: { backend: string }
  /** How the last attempt of a delivery left it; `failed`: exhausted, or told that nobody is there any more. */
  delivery_ended: { status: 'delivered' | 'failed'; target: Target['kind'] }
  endpoint_disabled: { reason: DisabledReason }
  /** Redis was there, or should have been, and is not. */
  redis_lost: Record<string, never>
  /** Redis was there, and a command failed or took too long. */
  redis_failed: Record<string, never>
  /** What listens to Redis heard nothing any more, and was made anew. */
  wake_renewed: { part: 'worker' | 'subscriber' }
}
export type Counted = keyof CountedBy

export interface Count {
  what: Counted
  labels: Readonly<Record<string, string>>
  count: number
}

/** Counts of what operators should see, since the process began. */
export interface Tally extends Timings {
  count<K extends Counted>(what: K, labels: CountedBy[K]): void
  counts(): Count[]
}

export const createTally = (): Tally => {
  const counted = new Map<string, Count>()
  return {
    ...createTimings(),
    count(what, labels) {
      const key = JSON.stringify([what, labels])
      const count = (counted.get(key)?.count ?? 0) + 1
      counted.set(key, { what, labels: { ...labels }, count })
    },
    counts: () => [...counted.values()],
  }
}
