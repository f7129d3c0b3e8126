import { NO_DURATIONS, type Durations } from './durations.ts'
import { latenessMs, reachesAtMs } from './lateness.ts'
import { contradictions, endRange, type EndRange, type Reading } from './progress.ts'

/**
 * When to poll a running job, and whose poll is worth most. Durations and progress say how late a poll would be, on
 * average; it is due when that reaches the price of a poll, θ. Pure.
 */

/** What is known of one running job. Times are milliseconds since the epoch. */
export interface RunningJob {
  acceptedAtMs: number
  /** The last answer that found it running; null before the first. */
  lastPollAtMs: number | null
  /** Its progress so far, as `noted` keeps it; empty where the backend tells none. */
  readings: readonly Reading[]
  /** The backend promised to call back: polling is only the backstop for a lost callback. */
  calledBack: boolean
}

export interface PollRules {
  nowMs: number
  /** The price of a poll, in milliseconds of lateness (`thetaFor`, or `priceOfPoll` under a tight budget). */
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

const HALVINGS = 40

/** When the expected lateness reaches θ. */
const reaches = (outlook: Outlook, thetaMs: number): number => {
  const { memory, sinceMs, range, disbelief } = outlook
  if (!range) return reachesAtMs(memory, sinceMs, thetaMs)
  let low = sinceMs
  // Either part alone reaches θ by then.
  let high = Math.min(reachesAtMs(memory, sinceMs, thetaMs / disbelief), range.toMs + thetaMs / (1 - disbelief))
  for (let n = 0; n < HALVINGS && high - low > 1; n += 1) {
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
