/**
 * What a backend taught us about how long its jobs run: the last thousand durations, one memory per backend and source.
 * Immutable. Times are milliseconds since the job was accepted.
 */
export interface Durations {
  /** Oldest first. This alone is worth keeping: `durationsOf` makes the rest of it. */
  readonly recent: readonly number[]
  /** The same, ascending. */
  readonly sorted: readonly number[]
  /** The same, ascending and smoothed: what decisions read. */
  readonly curve: readonly number[]
  /** `sums[i]`: the sum of the first `i` of `curve`. */
  readonly sums: readonly number[]
}

/** How a job's end was learned. */
interface EndSeen {
  /** Time of the last poll that found it running; null: the first poll already found the end. */
  lastPollMs: number | null
  /** When the end was learned. */
  detectedMs: number
  /** A callback told the moment, so it is exact. */
  exact: boolean
}

/** How many durations are remembered of a backend and source: the latest. */
export const REMEMBERED = 1_000
const LONGEST_MS = 7 * 86_400_000
/** If the first poll found the end, the job took at least this part of the time: nothing tells more. */
const LEAST_SHARE = 0.7

const isDuration = (ms: unknown): ms is number => typeof ms === 'number' && ms >= 0 && ms <= LONGEST_MS

/** Builds the memory from durations, oldest first. Anything else (a damaged row) is left out. */
export const durationsOf = (recent: readonly unknown[]): Durations => {
  const kept = recent.filter(isDuration).slice(-REMEMBERED)
  return indexed(
    kept,
    kept.toSorted((a, b) => a - b),
  )
}

/**
 * Each of the curve is the mean of itself and this many neighbours on either side, fewer at the ends. The gaps of a
 * sample are far more ragged than those of what it was drawn from, and a schedule that follows them pays for it: with
 * 500 remembered, the smoothing saves 2 to 9 % of the delay at the same number of polls (docs/benchmarks.md).
 */
const NEIGHBOURS = 3

const indexed = (recent: readonly number[], sorted: readonly number[]): Durations => {
  const before = runningSums(sorted)
  const curve = sorted.map((_, i) => {
    const reach = Math.min(NEIGHBOURS, i, sorted.length - 1 - i)
    return ((before[i + reach + 1] ?? 0) - (before[i - reach] ?? 0)) / (2 * reach + 1)
  })
  return { recent, sorted, curve, sums: runningSums(curve) }
}

const runningSums = (values: readonly number[]): number[] => {
  const sums = [0]
  let sum = 0
  for (const value of values) sums.push((sum += value))
  return sums
}

export const NO_DURATIONS: Durations = durationsOf([])

/** How many of these, ascending, are at most `ms`. */
export const countUpTo = (ascending: readonly number[], ms: number): number => {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? Infinity) <= ms) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The duration to remember of a job that was seen to end. Recording the moment of detection would confirm the schedule
 * that chose that moment, and lateness would never shrink: so it is drawn from where the end may have been.
 * `random` in [0, 1).
 */
export const durationOf = ({ lastPollMs, detectedMs, exact }: EndSeen, random: number): number => {
  if (exact) return detectedMs
  const sinceMs = lastPollMs ?? detectedMs * LEAST_SHARE
  return detectedMs - random * Math.max(0, detectedMs - sinceMs)
}

/** The memory with one more job in it. `random` in [0, 1). O(n) for n remembered: a tenth of a millisecond. */
export const remember = (memory: Durations, seen: EndSeen, random: number): Durations => {
  const ms = Math.round(durationOf(seen, random))
  if (!isDuration(ms)) return memory
  const recent = [...memory.recent.slice(-(REMEMBERED - 1)), ms]
  const witnesses = WITNESSES.find((count) => isShifted(memory, recent, count))
  if (witnesses !== undefined) return durationsOf(thinned(recent, witnesses))
  const sorted = [...memory.sorted]
  sorted.splice(countUpTo(memory.sorted, ms), 0, ms)
  const gone = memory.recent.length >= REMEMBERED ? memory.recent[0] : undefined
  if (gone !== undefined) sorted.splice(countUpTo(sorted, gone) - 1, 1)
  return indexed(recent, sorted)
}

/** How many of the latest are compared with the rest: few show a great shift soon, many show a small one at all. */
const WITNESSES = [16, 64]
/** In standard deviations of the mean rank: one false alarm in a hundred thousand, if jobs were independent. */
const ALARM = 4.5

/** Whether the backend has changed: tests the mean rank of the latest durations among all. */
const isShifted = ({ sorted }: Durations, recent: readonly number[], witnesses: number): boolean => {
  if (sorted.length < 3 * witnesses) return false
  const latest = recent.slice(-witnesses)
  const mean = latest.reduce((sum, ms) => sum + countUpTo(sorted, ms), 0) / (witnesses * sorted.length)
  return Math.abs(mean - 0.5) > ALARM * Math.sqrt(1 / (12 * witnesses))
}

/** The latest, and as many older ones, evenly spread. So a false alarm costs little. */
const thinned = (recent: readonly number[], witnesses: number): number[] => {
  const older = recent.slice(0, -witnesses)
  const step = Math.max(1, older.length / witnesses)
  return [...older.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)), ...recent.slice(-witnesses)]
}

/**
 * How late a poll at some time would be, on average, and when that reaches the price θ (docs/engine.md, "When the gateway polls").
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
