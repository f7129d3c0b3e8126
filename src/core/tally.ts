import { createTimings, type TimingLabels, type Timings } from './timings.ts'

/** Counts of what should be seen, since the process began, for whatever exports them. */
export type Counted = 'duplicate_job'

/** How the last attempt of a delivery left it; `failed`: exhausted, or told that nobody is there any more. */
export interface DeliveryEnd extends TimingLabels {
  status: 'delivered' | 'failed'
}

export interface Tally extends Timings {
  count(what: Counted, backend: string): void
  counts(): { what: Counted; backend: string; count: number }[]
  deliveryEnded(end: DeliveryEnd): void
  deliveryEnds(): (DeliveryEnd & { count: number })[]
}

export const createTally = (): Tally => {
  const counted = new Map<Counted, Map<string, number>>()
  const ends = new Map<string, DeliveryEnd & { count: number }>()
  return {
    ...createTimings(),
    count(what, backend) {
      const backends = counted.get(what) ?? new Map<string, number>()
      counted.set(what, backends.set(backend, (backends.get(backend) ?? 0) + 1))
    },
    counts: () =>
      [...counted].flatMap(([what, backends]) => [...backends].map(([backend, count]) => ({ what, backend, count }))),
    deliveryEnded({ status, target }) {
      const key = `${status} ${target}`
      ends.set(key, { status, target, count: (ends.get(key)?.count ?? 0) + 1 })
    },
    deliveryEnds: () => [...ends.values()],
  }
}
