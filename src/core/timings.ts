/** `webhook_first_attempt`, `webhook_delivered`: from an event's time to that. */
export type Timed = 'webhook_first_attempt' | 'webhook_delivered'

/** Upper ends of the buckets, milliseconds; what took longer is counted in `count` alone. */
export const BUCKETS_MS = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 600_000, 3_600_000, 86_400_000,
] as const

/** A closed set: what names a client, a host or an id would grow without end. */
export interface TimingLabels {
  target: 'video' | 'endpoint'
}

export interface Timing {
  what: Timed
  labels: TimingLabels
  count: number
  sumMs: number
  /** Of each bucket by itself, not of those below it. */
  buckets: readonly number[]
}

/** Histograms of what took how long, since the process began, for whatever exports them. */
export interface Timings {
  observe(what: Timed, ms: number, labels: TimingLabels): void
  timings(): Timing[]
}

export const createTimings = (): Timings => {
  const observed = new Map<string, Timing & { buckets: number[] }>()
  return {
    observe(what, ms, { target }) {
      // A clock that was set back makes no duration negative.
      const tookMs = Math.max(0, ms)
      const key = `${what} ${target}`
      const timing = observed.get(key) ?? {
        what,
        labels: { target },
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
