import { countUpTo, type Durations } from './durations.ts'

/**
 * How late a poll at some time would be, on average, and when that reaches the price θ (docs/benchmarks.md, "The rule").
 *
 * Why this rule: with a poll worth θ of delay and h(t) the rate at which running jobs end, gaps of √(2θ / h) cost least,
 * and over such a gap the expected lateness is h · gap² / 2 = θ. So one θ for all gaps is the optimum where gaps are
 * short, and `npm run bench -- poll-policy` measures how near it stays where they are not.
 */

/**
 * Beside the remembered jobs stands one that nobody has seen. Of those that ran longer than `s` it still runs at `t`
 * with probability ((s + SCALE) / (t + SCALE))². It is all we know at first, and beyond the longest job that we
 * remember.
 */
const UNSEEN = 1
const SCALE_MS = 120_000

/** The unseen job's expected lateness after a gap. */
const unseenMs = (lastPollMs: number, gapMs: number): number => gapMs ** 2 / (gapMs + lastPollMs + SCALE_MS)

/** Mean lateness of a poll at `atMs` of a job that ran at `lastPollMs`, in milliseconds. O(log n). */
export const latenessMs = (memory: Durations, lastPollMs: number, atMs: number): number => {
  if (atMs <= lastPollMs) return 0
  const from = countUpTo(memory.curve, lastPollMs)
  return totalMs(memory, lastPollMs, from, countUpTo(memory.curve, atMs), atMs) / (memory.curve.length - from + UNSEEN)
}

const totalMs = ({ sums }: Durations, lastPollMs: number, from: number, to: number, atMs: number): number =>
  (to - from) * atMs - ((sums[to] ?? 0) - (sums[from] ?? 0)) + UNSEEN * unseenMs(lastPollMs, atMs - lastPollMs)

/** When the mean lateness of a poll reaches `thetaMs`, for a job that ran at `lastPollMs`. O(log n). */
export const reachesAtMs = (memory: Durations, lastPollMs: number, thetaMs: number): number => {
  const { curve, sums } = memory
  const from = countUpTo(memory.curve, lastPollMs)
  const owedMs = thetaMs * (curve.length - from + UNSEEN)
  let low = from
  let high = curve.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (totalMs(memory, lastPollMs, from, middle, curve[middle] ?? 0) < owedMs) low = middle + 1
    else high = middle
  }
  // Between two remembered durations: count·gap − past + gap² / (gap + reach) = owed, with one positive root.
  const count = low - from
  const dueMs = (sums[low] ?? 0) - (sums[from] ?? 0) - count * lastPollMs + owedMs
  const reachMs = lastPollMs + SCALE_MS
  const half = (count * reachMs - dueMs) / 2
  const square = count + UNSEEN
  return lastPollMs + (Math.sqrt(half ** 2 + square * dueMs * reachMs) - half) / square
}

/** The part of the jobs that run at `atMs`. */
export const runningAt = (memory: Durations, atMs: number): number => {
  const all = memory.curve.length
  return (all - countUpTo(memory.curve, atMs) + UNSEEN * (SCALE_MS / (atMs + SCALE_MS)) ** 2) / (all + UNSEEN)
}

/** Polls of less than this part of the jobs are not worth counting. */
const NEGLIGIBLE = 1e-4
const MOST_LOOKS = 10_000

/** How many polls a job takes on average under θ, if nothing but the rule times them. */
export const pollsPerJob = (memory: Durations, thetaMs: number, minIntervalMs: number): number => {
  let polls = 0
  let lastPollMs = 0
  for (let running = 1; running > NEGLIGIBLE && polls < MOST_LOOKS; running = runningAt(memory, lastPollMs)) {
    polls += running
    lastPollMs = Math.max(reachesAtMs(memory, lastPollMs, thetaMs), lastPollMs + minIntervalMs)
  }
  return polls
}

const LEAST_THETA_MS = 1
const MOST_THETA_MS = 3_600_000
const HALVINGS = 24

/**
 * The θ at which a job takes `polls` polls on average, by halving: polls fall as θ rises. Some hundred microseconds:
 * ask again when the memory has changed by a few jobs, not at every poll.
 */
export const thetaFor = (memory: Durations, polls: number, minIntervalMs: number): number => {
  let low = Math.log(LEAST_THETA_MS)
  let high = Math.log(MOST_THETA_MS)
  for (let n = 0; n < HALVINGS; n += 1) {
    const middle = (low + high) / 2
    if (pollsPerJob(memory, Math.exp(middle), minIntervalMs) > polls) low = middle
    else high = middle
  }
  return Math.exp(high)
}
