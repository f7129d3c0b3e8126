import { createTimings, type Timings } from './timings.ts'

/** Counts of what should be seen, since the process began, for whatever exports them. */
export type Counted = 'duplicate_job'

export interface Tally extends Timings {
  count(what: Counted, backend: string): void
  counts(): { what: Counted; backend: string; count: number }[]
}

export const createTally = (): Tally => {
  const counted = new Map<Counted, Map<string, number>>()
  return {
    ...createTimings(),
    count(what, backend) {
      const backends = counted.get(what) ?? new Map<string, number>()
      counted.set(what, backends.set(backend, (backends.get(backend) ?? 0) + 1))
    },
    counts: () =>
      [...counted].flatMap(([what, backends]) => [...backends].map(([backend, count]) => ({ what, backend, count }))),
  }
}
