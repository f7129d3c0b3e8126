import { type Durations, latenessMs, NO_DURATIONS, reachesAtMs } from './lateness.ts'

/** What progress says about when a job ends. Times are milliseconds since the job was accepted. */
export interface Reading {
  elapsedMs: number
  /** 0..1, rounded down to some step by whoever tells it. */
  progress: number
}

/** When a job ends, as far as its progress tells. */
interface EndRange {
  fromMs: number
  toMs: number
}

export const KEPT = 8
/** Readings closer than that say little about the pace. */
const BASELINE = 0.1
/** A backend may count progress from when a job left its queue: up to this part of the job may have passed by then. */
const QUEUED_SHARE = 0.2
/** Progress is told in steps of this many percent: the coarsest that fits all that was told. */
const STEPS = [10, 5, 1]

/**
 * The readings with one more. Progress that stands still is noted once, when it was first seen; progress that fell (a
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
 * elapsed · (1 − p) / p bounds it from above, and a job that waited first ends sooner; from two, their pace tells.
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
 * How often a reading contradicted what the ones before it foretold, up to the last poll `lastPollMs`, which told
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
  /** Its progress so far, as `noted` keeps it; empty where the backend tells none. */
  readings: readonly Reading[]
  /** The backend promised to call back: polling is only the backstop for a lost callback. */
  calledBack: boolean
}

export interface PollRules {
  nowMs: number
  /** The price of a poll, in milliseconds of lateness (pace.ts, and `thetaFor` where polls are capped). */
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
