import type { Target } from '../store/deliveries.ts'

/** What is timed, and the labels of each: closed sets, since what names a client, a host or an id would grow without end. */
export interface TimedBy {
  /** From the last look at a running job to the one that found its end, which lies between. */
  detection_uncertainty: { backend: string }
  /** From an event's time to that; what was asked for later than its event is left out. */
  webhook_first_attempt: { target: Target['kind'] }
  webhook_delivered: { target: Target['kind'] }
}
export type Timed = keyof TimedBy

/** Upper ends of the buckets, milliseconds; what took longer is counted in `count` alone. */
export const BUCKETS_MS = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 600_000, 3_600_000, 86_400_000,
] as const

export interface Timing {
  what: Timed
  labels: Readonly<Record<string, string>>
  count: number
  sumMs: number
  /** Of each bucket by itself, not of those below it. */
  buckets: readonly number[]
}

/** Histograms of what took how long, since the process began, for whatever exports them. */
export interface Timings {
  observe<K extends Timed>(what: K, ms: number, labels: TimedBy[K]): void
  timings(): Timing[]
}

export const createTimings = (): Timings => {
  const observed = new Map<string, Timing & { buckets: number[] }>()
  return {
    observe(what, ms, labels) {
      // A clock that was set back makes no duration negative.
      const tookMs = Math.max(0, ms)
      const key = JSON.stringify([what, labels])
      const timing = observed.get(key) ?? {
        what,
        labels: { ...labels },
        count: 0,
        sumMs: 0,
        buckets: BUCKETS_MS.map(() => 0),
      }
      timing.count += 1
      timing.sumMs += tookMs
      const bucket = BUCKETS_MS.findIndex((endMs) => tookMs <= endMs)
      if (bucket !== -1) timing.buckets[bucket] = (timing.buckets[bucket] ?? 0) + 1
      observed.set(key, timing)
    },
    timings: () => [...observed.values()].map((timing) => ({ ...timing, buckets: [...timing.buckets] })),
  }
}
