import { runningAt, reachesAtMs } from './lateness.ts'
import { NO_DURATIONS, type Durations } from './durations.ts'
import { urgencyMs, type RunningJob } from './policy.ts'

/**
 * What a look costs while an account's budget is short (design 4, "Polling"): the rule that times the looks also orders
 * them. θ rises until the looks that it foretells for the rest of the window are as many as the window has left, so
 * that they are spread over the window by worth and not spent by whoever comes first. Pure.
 */

export interface Watched {
  id: string
  memory: Durations | null
  job: RunningJob
}

/** An account's window: `BudgetView` fits. */
export interface WindowLeft {
  remaining: number
  /** Null: none is open, and the next request opens one. */
  resetsAtMs: number | null
  /** How long a window lasts. */
  lengthMs: number
}

export interface PriceRules {
  nowMs: number
  /** The price of a look while there are enough (`thetaFor`). */
  thetaMs: number
  minIntervalMs: number
}

/** The window is to be spent by this part of it before its end: what is left by then expires, and running dry costs only that. */
const SPENT_BEFORE = 7 / 61
/** A window runs from its first request: while none is open, waiting wastes it. */
const OPENING = 0.25
const MOST_THETA_MS = 120_000
const HALVINGS = 16
const LOOKS_AHEAD = 30
/** A forecast from so many jobs is good enough for all. */
const SAMPLE = 64

/** The requests that one job is expected to take until `endMs`, looks and the create after its end together. */
const needOf = ({ memory, job }: Watched, endMs: number, thetaMs: number, rules: PriceRules): number => {
  const known = memory ?? NO_DURATIONS
  let sinceMs = Math.max(0, (job.lastLookAtMs ?? job.acceptedAtMs) - job.acceptedAtMs)
  const running = runningAt(known, sinceMs)
  let earliestMs = rules.nowMs - job.acceptedAtMs
  let need = 0
  for (let looks = 0; looks < LOOKS_AHEAD; looks += 1) {
    const atMs = Math.max(reachesAtMs(known, sinceMs, thetaMs), sinceMs + rules.minIntervalMs, earliestMs)
    if (atMs >= endMs - job.acceptedAtMs) break
    need += runningAt(known, sinceMs) / running
    sinceMs = atMs
    earliestMs = 0
  }
  return need + 1 - runningAt(known, sinceMs) / running
}

/** The requests that these running jobs are expected to take for the rest of the window, at each price of a look. */
const forecastOf = (jobs: readonly Watched[], window: WindowLeft, rules: PriceRules): ((thetaMs: number) => number) => {
  const polled = jobs.filter(({ job }) => !job.calledBack)
  const every = Math.max(1, Math.ceil(polled.length / SAMPLE))
  const sample = polled.filter((_, i) => i % every === 0)
  const endMs = (window.resetsAtMs ?? rules.nowMs + window.lengthMs) - SPENT_BEFORE * window.lengthMs
  return (thetaMs) => sample.reduce((sum, one) => sum + needOf(one, endMs, thetaMs, rules), 0) * every
}

export const requestsForetold = (
  jobs: readonly Watched[],
  window: WindowLeft,
  rules: PriceRules,
  priceMs: number,
): number => forecastOf(jobs, window, rules)(priceMs)

/**
 * The price of a look for these running jobs of an account, in milliseconds of lateness: `rules.thetaMs`, or more while
 * the window has too few requests left. Jobs with a promised callback are not counted.
 */
export const priceOfLook = (jobs: readonly Watched[], window: WindowLeft, rules: PriceRules): number => {
  const needAt = forecastOf(jobs, window, rules)
  if (needAt(rules.thetaMs) <= window.remaining) return rules.thetaMs
  let low = Math.log(rules.thetaMs)
  let high = Math.log(Math.max(rules.thetaMs, MOST_THETA_MS))
  for (let n = 0; n < HALVINGS; n += 1) {
    const middle = (low + high) / 2
    if (needAt(Math.exp(middle)) > window.remaining) low = middle
    else high = middle
  }
  const priceMs = Math.exp(high)
  return window.resetsAtMs === null ? Math.max(rules.thetaMs, priceMs * OPENING) : priceMs
}

/** Of the jobs that are due, those worth the price now, the most urgent first. `must`: due for another reason. */
export const worthLooking = <T extends Watched & { must: boolean }>(
  due: readonly T[],
  priceMs: number,
  nowMs: number,
): T[] =>
  due
    .map((one) => ({ one, urgency: one.must ? Infinity : urgencyMs(one.memory, one.job, nowMs) }))
    // Half a millisecond: `nextLook` rounds up, and rounding must not make a due job wait for another turn.
    .filter(({ urgency }) => urgency + 0.5 >= priceMs)
    .toSorted((a, b) => (a.urgency === b.urgency ? 0 : b.urgency - a.urgency))
    .map(({ one }) => one)
