import type { Counted, Tally, Timed } from '../../src/core/tally.ts'

interface Count {
  what: Counted
  labels: object
  count: number
}
interface Timing {
  what: Timed
  labels: object
  /** Each that was observed. */
  ms: number[]
}

export interface RecordedTally extends Tally {
  /** Of these alone, in the order in which each came first. */
  counts(...only: Counted[]): Count[]
  timings(...only: Timed[]): Timing[]
  levels: Map<string, number>
}

/** Keeps all that it is told. */
export const createTally = (): RecordedTally => {
  const counted = new Map<string, Count>()
  const timed = new Map<string, Timing>()
  const levels = new Map<string, number>()
  return {
    count(what, labels) {
      const key = JSON.stringify([what, labels])
      const known = counted.get(key) ?? { what, labels: { ...labels }, count: 0 }
      counted.set(key, { ...known, count: known.count + 1 })
    },
    observe(what, ms, labels) {
      const key = JSON.stringify([what, labels])
      const known = timed.get(key) ?? { what, labels: { ...labels }, ms: [] }
      timed.set(key, { ...known, ms: [...known.ms, ms] })
    },
    set: (what, value) => void levels.set(what, value),
    counts: (...only) => [...counted.values()].filter(({ what }) => only.includes(what)),
    timings: (...only) => [...timed.values()].filter(({ what }) => only.includes(what)),
    levels,
  }
}
