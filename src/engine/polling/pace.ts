import type { BudgetView } from '../../core/store/accounts.ts'
import type { Durations } from './lateness.ts'

/**
 * The even policy: the requests that are left of a window are shared evenly by the time that is left of it and by the
 * jobs that run. So none is hurried, and none expires. Pure; `npm run bench -- poll-policy` has its figures.
 */

/** Running jobs that are polled: those that somebody waits for, and others. */
export type Kind = 'awaited' | 'others'

/** What an account's window allows its polls. Times are milliseconds. */
export interface Pace {
  /** When the next poll may go after one at `lastAtMs`. */
  freeAtMs: (lastAtMs: number) => number
  /** The time left for each request that is left; 0: no window is open, and the next request opens one. */
  shareMs: number
  /** How long it takes until each job had its turn. */
  turnMs: Readonly<Record<Kind, number>>
  /** The least expected lateness that is worth a poll. */
  leastMs: number
}

/** The part of its even share that a poll keeps from the one before it, while few jobs run; of a crowd, nearly all. */
const GAP = 0.65
/** The part of an even turn's lateness at which a job is polled: the most urgent goes before its turn. */
const PART = 0.42
/** The same of a share, before so many durations are known that a turn's lateness can be told. */
const PART_UNLEARNED = 0.02
const LEARNED_FROM = 3
/** The least lateness while no video waits for a slot, as a part of `min_interval`. */
const SPARE = 0.04
/** The lateness of a job that somebody waits for counts so many times. */
const AWAITED_COUNTS = 3

/** While nothing is known of the account's window. */
export const unhurried = (minIntervalMs: number): Pace => ({
  freeAtMs: () => 0,
  shareMs: 0,
  turnMs: { awaited: 0, others: 0 },
  leastMs: SPARE * minIntervalMs,
})

interface Running {
  nowMs: number
  budget: Pick<BudgetView, 'limit' | 'remaining' | 'resetsAtMs' | 'lengthMs'>
  /** Videos that wait to be sent: one request is kept for them. */
  waiting: number
  jobs: Readonly<Record<Kind, number>>
  minIntervalMs: number
}

export const paceOf = ({ nowMs, budget, waiting, jobs, minIntervalMs }: Running): Pace => {
  const { limit, remaining, resetsAtMs, lengthMs } = budget
  const { awaited, others } = jobs
  const leastMs = waiting > 0 ? 0 : SPARE * minIntervalMs
  if (resetsAtMs === null) return { ...unhurried(minIntervalMs), leastMs }
  // Of a spent window nothing is left to share: polls are planned by the next one.
  const [leftMs, left] = remaining > 0 ? [Math.max(0, resetsAtMs - nowMs), remaining] : [lengthMs, limit]
  const requests = Math.max(1, left - (waiting > 0 ? 1 : 0))
  const shareMs = leftMs / requests
  // Gaps are as the roots of what lateness counts. A crowd leaves the others two thirds, and one third (choose.ts).
  const root = Math.sqrt(AWAITED_COUNTS)
  const turnMs = {
    awaited: shareMs * (awaited + Math.min(others / root, awaited / 2)),
    others: shareMs * (others + Math.min(awaited * root, others * 2)),
  }
  const gap = Math.max(GAP, (awaited + others) / (awaited + others + 1))
  return {
    // A share shrinks while nothing is polled: this is when the time since then is the part of what it is by then.
    freeAtMs: (lastAtMs) => Math.ceil(lastAtMs + (gap * Math.max(0, nowMs + leftMs - lastAtMs)) / (requests + gap)),
    shareMs,
    turnMs,
    leastMs,
  }
}

/** The expected lateness at which such a job is polled. */
export const dueLatenessMs = ({ turnMs, shareMs, leastMs }: Pace, kind: Kind, { recent, sums }: Durations): number => {
  if (recent.length < LEARNED_FROM) return Math.max(leastMs, PART_UNLEARNED * shareMs)
  const meanMs = Math.max(1, (sums.at(-1) ?? 0) / recent.length)
  const turn = turnMs[kind]
  // A turn that is longer than the job finds it over: its lateness grows with the turn then.
  const evenMs = turn < meanMs ? turn ** 2 / (2 * meanMs) : turn - meanMs / 2
  return Math.max(leastMs, PART * evenMs)
}
