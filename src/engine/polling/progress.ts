import type { BudgetView } from '../../core/store/accounts.ts'

/**
 * What a backend taught us about how long its jobs run: the last thousand durations, one memory per backend and source.
 * Immutable. Times are milliseconds since the job was accepted.
 */
export interface Durations {
  /** Oldest first. Only this is worth keeping: `durationsOf` makes the rest of it. */
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
  /** A callback reported the moment, so it is exact. */
  exact: boolean
}

/** How many durations are remembered of a backend and source: the latest. */
export const REMEMBERED = 1_000
const LONGEST_MS = 7 * 86_400_000
/** If the first poll found the end, the job took at least this part of the time: nothing reports more. */
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
 * How late a poll at some time would be, on average, and when that reaches the price θ (docs/polling.md, "When the
 * gateway polls").
 *
 * Why this rule: with a poll worth θ of delay and h(t) the rate at which running jobs end, gaps of √(2θ / h) cost
 * least, and over such a gap the expected lateness is h · gap² / 2 = θ. So one θ for all gaps is the optimum where gaps
 * are short, and `npm run bench -- poll-policy` measures how near it stays where they are not.
 */

/**
 * Beside the remembered jobs is one that nobody has seen. Of those that ran longer than `s` it still runs at `t`
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
  // Between two remembered durations: count·gap − past + gap² / (gap + reach) = due, with one positive root.
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

/**
 * The even policy: the requests that are left of a window are shared evenly by the time that is left of it and by the
 * jobs that run. So none is hurried, and none expires. Pure; `npm run bench -- poll-policy` has its figures.
 */

/** Running jobs that are polled: those that somebody waits for, and others. */
export type Kind = 'awaited' | 'others'

/** What an account's window allows its polls. Times are milliseconds. */
export interface Pace {
  /** When the next poll may go after one at `lastAtMs`: with a fraction, since a large window has room for many within one. */
  freeAtMs: (lastAtMs: number) => number
  /** The time left for each request that is left; 0: no window is open, and the next request opens one. */
  shareMs: number
  /** How long it takes until each job had its turn. */
  turnMs: Readonly<Record<Kind, number>>
  /** The least expected lateness that is worth a poll. */
  leastMs: number
}

/** So that times of today, which have no finer fractions, differ. */
const LEAST_GAP_MS = 0.001
/** The part of its even share that a poll keeps from the one before it, while few jobs run; of a crowd, nearly all. */
const GAP = 0.65
/** The part of an even turn's lateness at which a job is polled: the most urgent goes before its turn. */
const PART = 0.42
/** The same of a share, before so many durations are known that a turn's lateness can be computed. */
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
    freeAtMs: (lastAtMs) =>
      lastAtMs + Math.max(LEAST_GAP_MS, (gap * Math.max(0, nowMs + leftMs - lastAtMs)) / (requests + gap)),
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

/** What progress says about when a job ends. Times are milliseconds since the job was accepted. */
export interface Reading {
  elapsedMs: number
  /** 0..1, rounded down to some step by the one that reports it. */
  progress: number
}

/** When a job ends, as far as its progress says. */
interface EndRange {
  fromMs: number
  toMs: number
}

const KEPT = 8
/** Readings closer than that say little about the pace. */
const BASELINE = 0.1
/** A backend may count progress from when a job left its queue: up to this part of the job may have passed by then. */
const QUEUED_SHARE = 0.2
/** Progress is reported in steps of this many percent: the coarsest that fits all that was reported. */
const STEPS = [10, 5, 1]

/**
 * The readings with one more. Progress that does not move is noted once, when it was first seen; progress that fell (a
 * job that started over) forgets what was before.
 */
export const noted = (readings: readonly Reading[], { elapsedMs, progress }: Reading): readonly Reading[] => {
  const last = readings.at(-1)
  if (!(elapsedMs > (last?.elapsedMs ?? 0) && progress > 0 && progress <= 1)) return readings
  if (progress === last?.progress) return readings
  const before = last && progress < last.progress ? [] : readings
  return [...before, { elapsedMs, progress }].slice(-KEPT)
}

const stepOf = (readings: readonly Reading[]): number =>
  (STEPS.find((step) => readings.every(({ progress }) => isMultiple(progress * 100, step))) ?? 1) / 100

const isMultiple = (percent: number, step: number): boolean =>
  Math.abs(percent / step - Math.round(percent / step)) < 1e-6

/**
 * When a job ends if its progress keeps its pace; null while progress says nothing. From one reading, remaining =
 * elapsed · (1 − p) / p bounds it from above, and a job that waited first ends sooner; from two, their pace shows.
 */
export const endRange = (readings: readonly Reading[]): EndRange | null => {
  const last = readings.at(-1)
  if (!last) return null
  const { elapsedMs } = last
  const step = stepOf(readings)
  // 100 %, and it still runs: the backend rounds up, or the job is about to end.
  const progress = Math.min(last.progress, 1 - step / 2)
  const first = readings.findLast((reading) => progress - reading.progress >= BASELINE) ?? readings[0] ?? last
  const spanMs = elapsedMs - first.elapsedMs
  const gained = progress - first.progress
  if (gained < 2 * step) {
    const least = Math.min(1, progress + step) * (1 - QUEUED_SHARE) + QUEUED_SHARE
    return { fromMs: elapsedMs / least, toMs: elapsedMs / progress }
  }
  return {
    fromMs: elapsedMs + (Math.max(0, 1 - progress - step) * spanMs) / (gained + step),
    toMs: elapsedMs + ((1 - progress) * spanMs) / (gained - step),
  }
}

/**
 * How often a reading contradicted what the ones before it foretold, up to the last poll `lastPollMs`, which reported
 * what the last reading did: such progress is no clock.
 */
export const contradictions = (readings: readonly Reading[], lastPollMs: number): number => {
  const last = readings.at(-1)
  if (!last) return 0
  return [...readings, { ...last, elapsedMs: lastPollMs }].filter((reading, i, all) => {
    const before = all.slice(0, i)
    const previous = before.at(-1)
    const range = endRange(before)
    return previous && range ? contradicts(reading, previous, range, stepOf(readings)) : false
  }).length
}

const contradicts = (now: Reading, last: Reading, { fromMs, toMs }: EndRange, step: number): boolean => {
  // It runs, past the latest end that was foretold.
  if (now.elapsedMs > toMs) return true
  const part = (endMs: number): number =>
    Math.min(1, (now.elapsedMs - last.elapsedMs) / Math.max(1, endMs - last.elapsedMs))
  const least = last.progress + (1 - last.progress) * part(toMs)
  const most = last.progress + step + Math.max(0, 1 - last.progress - step) * part(fromMs)
  return now.progress + step < least - 1e-9 || now.progress > most + step
}

/**
 * When to poll a running job, and whose poll is worth most. Durations and progress say how late a poll would be, on
 * average; it is due when that reaches the price of a poll, θ. Pure.
 */

/** What is known of one running job. Times are milliseconds since the epoch. */
export interface RunningJob {
  acceptedAtMs: number
  /** The last answer that found it running; null before the first. */
  lastPollAtMs: number | null
  /** Its progress so far, as `noted` keeps it; empty where the backend reports none. */
  readings: readonly Reading[]
  /** The backend promised to call back: polling is only the backstop for a lost callback. */
  calledBack: boolean
}

export interface PollRules {
  nowMs: number
  /** The price of a poll, in milliseconds of lateness (`paceOf`, and `thetaFor` where polls are capped). */
  thetaMs: number
  minIntervalMs: number
  /** The upstream's own hint: never earlier than that. */
  hintAtMs: number | null
  /** When the last poll is made, if the job still runs. */
  deadlineAtMs: number
}

/** How often we assume that a callback is lost. Only then is the end of such a job found late. */
const LOST_CALLBACKS = 0.05
const BACKSTOP_MS = 60_000
/** How little progress is believed, by how often it contradicted itself. Falls with every reading that fits. */
const DISBELIEF = [0.02, 0.3]

interface Outlook {
  memory: Durations
  /** The last poll, in milliseconds since the job was accepted. */
  sinceMs: number
  range: EndRange | null
  /** The weight of the memory beside the range. */
  disbelief: number
}

const outlookOf = (memory: Durations, job: RunningJob): Outlook => {
  const sinceMs = Math.max(0, (job.lastPollAtMs ?? job.acceptedAtMs) - job.acceptedAtMs)
  const doubts = contradictions(job.readings, sinceMs)
  const least = DISBELIEF[doubts]
  const told = least === undefined ? null : endRange(job.readings)
  if (least === undefined || !told || told.toMs <= sinceMs) return { memory, sinceMs, range: null, disbelief: 1 }
  const range = { ...told, fromMs: Math.max(told.fromMs, sinceMs) }
  return { memory, sinceMs, range, disbelief: doubts === 0 ? least / job.readings.length : least }
}

/** Mean lateness if the end is equally likely anywhere in the range. */
const rangeLatenessMs = ({ fromMs, toMs }: EndRange, atMs: number): number => {
  if (atMs <= fromMs) return 0
  return atMs >= toMs ? atMs - (fromMs + toMs) / 2 : (atMs - fromMs) ** 2 / (2 * (toMs - fromMs))
}

const expectedMs = ({ memory, sinceMs, range, disbelief }: Outlook, atMs: number): number => {
  const remembered = latenessMs(memory, sinceMs, atMs)
  return range ? (1 - disbelief) * rangeLatenessMs(range, atMs) + disbelief * remembered : remembered
}

const BISECTIONS = 40

/** When the expected lateness reaches θ. */
const reaches = (outlook: Outlook, thetaMs: number): number => {
  const { memory, sinceMs, range, disbelief } = outlook
  if (!range) return reachesAtMs(memory, sinceMs, thetaMs)
  let low = sinceMs
  // Either part by itself reaches θ by then.
  let high = Math.min(reachesAtMs(memory, sinceMs, thetaMs / disbelief), range.toMs + thetaMs / (1 - disbelief))
  for (let n = 0; n < BISECTIONS && high - low > 1; n += 1) {
    const middle = (low + high) / 2
    if (expectedMs(outlook, middle) < thetaMs) low = middle
    else high = middle
  }
  return high
}

/**
 * When to poll a running job next, in milliseconds since the epoch: when the expected lateness reaches θ, at the
 * latest at the deadline; never earlier than the hint, never sooner than `minIntervalMs` from now, or after the last
 * poll if that is in the past. Finite for any memory.
 */
export const nextPoll = (memory: Durations | null, job: RunningJob, rules: PollRules): number => {
  const { nowMs, hintAtMs, deadlineAtMs, minIntervalMs } = rules
  const thetaMs = job.calledBack ? rules.thetaMs / LOST_CALLBACKS : rules.thetaMs
  const dueMs = job.acceptedAtMs + reaches(outlookOf(memory ?? NO_DURATIONS, job), thetaMs)
  const wantedMs = Math.min(job.calledBack ? Math.max(dueMs, nowMs + BACKSTOP_MS) : dueMs, deadlineAtMs)
  const freeAtMs = job.lastPollAtMs === null ? nowMs : Math.max(nowMs, job.lastPollAtMs + minIntervalMs)
  return Math.ceil(Math.max(wantedMs, hintAtMs ?? 0, freeAtMs))
}

/**
 * How much a poll now is worth: the lateness that it would end, on average, in milliseconds. Where the budget is short,
 * the due job of the greatest urgency goes first.
 */
export const urgencyMs = (memory: Durations | null, job: RunningJob, nowMs: number): number => {
  const lateMs = expectedMs(outlookOf(memory ?? NO_DURATIONS, job), nowMs - job.acceptedAtMs)
  return job.calledBack ? lateMs * LOST_CALLBACKS : lateMs
}
