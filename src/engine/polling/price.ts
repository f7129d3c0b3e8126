import { type Durations, NO_DURATIONS, reachesAtMs, runningAt } from './lateness.ts'
import { urgencyMs, type RunningJob } from './progress.ts'

/**
 * The price of a poll: the expected lateness, in milliseconds, at which one is made. A request that would expire unused
 * costs nothing. So the price is the lowest at which the requests forecast for the rest of the window fit into what is
 * left of it. Pure.
 */

export interface Watched {
  memory: Durations | null
  job: RunningJob
  /** The lowest price for this job, however many requests are left (`engine.poll.polls_per_job`). */
  leastMs: number
}

/** Some of the jobs that run, each standing for `each`: a forecast from a few is good enough for all. */
export interface Crowd {
  jobs: readonly Watched[]
  each: number
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
  minIntervalMs: number
  /** Videos that wait to be sent. */
  waiting: number
  /** Jobs that may run at once; null: any number. */
  slots: number | null
}

/** The price while requests are left over, as a part of `min_interval`. */
const SPARE = 0.04
/** The lowest price, as a part of `min_interval`: a poll that comes too early delays the next one. */
const LEAST = 1 / 128
/** The window is planned to be spent this part of it before its end. Running dry then costs only that much. */
const SPENT_BEFORE = 0.06
/** A window runs from its first request: while none is open, waiting wastes it. */
const OPENING = 0.25
const MOST_MS = 120_000
const HALVINGS = 12
const LOOKS_AHEAD = 64
/** The forecast divides the rest of the window into so many parts. */
const PARTS = 32

/** The price of a poll while requests are left over. Each end frees a slot, for which a part of the queue waits. */
export const sparePrice = ({ waiting, slots, minIntervalMs }: Omit<PriceRules, 'nowMs'>): number =>
  minIntervalMs * Math.max(SPARE / (1 + waiting / Math.max(1, slots ?? Infinity)), LEAST)

/** Times since the job was accepted. */
interface Span {
  /** It ran then. */
  sinceMs: number
  earliestMs: number
  endMs: number
}

interface Poll {
  atMs: number
  /** The part of such jobs that is polled then, and the part that is found to have ended. */
  asked: number
  ended: number
}

/** The polls that a job is expected to take. */
const pollsAhead = (known: Durations, { sinceMs, earliestMs, endMs }: Span, priceMs: number, gapMs: number): Poll[] => {
  const polls: Poll[] = []
  const all = runningAt(known, sinceMs)
  let atMs = Math.max(reachesAtMs(known, sinceMs, priceMs), earliestMs)
  for (let asked = 1; atMs < endMs && polls.length < LOOKS_AHEAD;) {
    const left = runningAt(known, atMs) / all
    polls.push({ atMs, asked, ended: asked - left })
    asked = left
    atMs = Math.max(reachesAtMs(known, atMs, priceMs), atMs + gapMs)
  }
  return polls
}

/** The part of the next poll that falls into the window, since polls of many jobs spread out. */
const partOfNext = (known: Durations, { sinceMs, earliestMs, endMs }: Span, priceMs: number): number =>
  endMs <= earliestMs ? 0 : (endMs - earliestMs) / (reachesAtMs(known, sinceMs, priceMs) - earliestMs)

type Need = (leftMs: number) => number

/**
 * The requests that a slot takes after its job's end while videos wait, by the time that is left: a create, the polls
 * of its job, and so on.
 */
const turnover = (known: Durations, spanMs: number, priceMs: number, gapMs: number): Need => {
  const partMs = spanMs / PARTS
  const polls = pollsAhead(known, { sinceMs: 0, earliestMs: 0, endMs: spanMs }, priceMs, gapMs)
  const need: number[] = []
  for (let part = 0; part <= PARTS; part += 1) {
    let sum = 1
    for (const { atMs, asked, ended } of polls) {
      const left = part - Math.max(1, Math.round(atMs / partMs))
      if (left < 0) break
      sum += asked + ended * (need[left] ?? 0)
    }
    need.push(sum)
  }
  return (leftMs) => need[Math.max(0, Math.min(PARTS, Math.floor(leftMs / partMs)))] ?? 0
}

const NOTHING: Need = () => 0

/**
 * Forecasts, for a price, the requests that running jobs take for the rest of the window, and the jobs after them while
 * videos wait. It stops counting once there are more than are left.
 */
export const forecastOf = (
  crowds: readonly Crowd[],
  window: WindowLeft,
  { nowMs, minIntervalMs, waiting, slots }: PriceRules,
): ((priceMs: number) => number) => {
  const endMs = (window.resetsAtMs ?? nowMs + window.lengthMs) - SPENT_BEFORE * window.lengthMs
  const frees = slots !== null && waiting > 0
  const needOf = ({ memory, job, leastMs }: Watched, price: number, after: Map<Durations, Need>): number => {
    const known = memory ?? NO_DURATIONS
    const priceMs = Math.max(price, leastMs)
    const sinceMs = Math.max(0, (job.lastPollAtMs ?? job.acceptedAtMs) - job.acceptedAtMs)
    const freeMs = job.lastPollAtMs === null ? 0 : sinceMs + minIntervalMs
    const span = {
      sinceMs,
      earliestMs: Math.max(nowMs - job.acceptedAtMs, freeMs),
      endMs: endMs - job.acceptedAtMs,
    }
    const polls = pollsAhead(known, span, priceMs, minIntervalMs)
    if (polls.length === 0) return partOfNext(known, span, priceMs)
    const next = after.get(known) ?? (frees ? turnover(known, endMs - nowMs, priceMs, minIntervalMs) : NOTHING)
    after.set(known, next)
    return polls.reduce((sum, { atMs, asked, ended }) => sum + asked + ended * next(span.endMs - atMs), 0)
  }
  return (priceMs) => {
    const after = new Map<Durations, Need>()
    let need = 0
    for (const { jobs, each } of crowds) {
      for (const job of jobs) {
        if (need > window.remaining) return need
        need += each * needOf(job, priceMs, after)
      }
    }
    return need
  }
}

/** The price of a poll for these running jobs of an account, in milliseconds of expected lateness. */
export const priceOfPoll = (crowds: readonly Crowd[], window: WindowLeft, rules: PriceRules): number => {
  const needAt = forecastOf(crowds, window, rules)
  const spareMs = sparePrice(rules)
  if (needAt(spareMs) <= window.remaining) return spareMs
  let low = Math.log(spareMs)
  let high = Math.log(MOST_MS)
  for (let n = 0; n < HALVINGS; n += 1) {
    const middle = (low + high) / 2
    if (needAt(Math.exp(middle)) > window.remaining) low = middle
    else high = middle
  }
  const priceMs = Math.min(Math.exp(high), MOST_MS)
  return window.resetsAtMs === null ? Math.max(spareMs, priceMs * OPENING) : priceMs
}

/** The due jobs that are worth the price now, the most urgent first. `must`: due for another reason. */
export const worthPolling = <T extends Watched & { must: boolean }>(
  due: readonly T[],
  priceMs: number,
  nowMs: number,
): T[] =>
  due
    .map((one) => ({ one, urgency: one.must ? Infinity : urgencyMs(one.memory, one.job, nowMs) }))
    // Half a millisecond: `nextPoll` rounds up, and rounding must not make a due job wait for another turn.
    .filter(({ one, urgency }) => urgency + 0.5 >= Math.max(priceMs, one.leastMs))
    .toSorted((a, b) => (a.urgency === b.urgency ? 0 : b.urgency - a.urgency))
    .map(({ one }) => one)

export interface Prices {
  awaitedMs: number
  othersMs: number
  /** Requests kept for videos that somebody waits for, while there are not enough for all. */
  kept: number
}

/** A window that two crowds share: `BudgetView` fits. */
interface WindowToShare extends WindowLeft {
  limit: number
}

/**
 * The part of a window for polls of videos that somebody waits for, while others run: those hold slots, and end as
 * well. Forecasts are too low now and then, so this is a little less than the two thirds that they may have.
 */
const AWAITED_SHARE = 0.6

/** What is left of that share, spread over the window, so that others cannot take of it again and again. */
const leftForAwaited = ({ limit, remaining, resetsAtMs, lengthMs }: WindowToShare, nowMs: number): number => {
  const part = resetsAtMs === null ? 1 : Math.max(0, (resetsAtMs - nowMs) / lengthMs)
  return Math.min(remaining, AWAITED_SHARE * limit * part)
}

/**
 * The price of a poll for all jobs of an account. Videos that somebody waits for are priced alone first, so that a crowd
 * of others does not raise their price.
 */
export const pricesOf = (
  { awaited, others }: { awaited: Crowd; others: Crowd },
  window: WindowToShare,
  rules: PriceRules,
): Prices => {
  const all = priceOfPoll([awaited, others], window, rules)
  const isAlone = awaited.jobs.length === 0 || others.jobs.length === 0
  if (isAlone || all === sparePrice(rules)) return { awaitedMs: all, othersMs: all, kept: 0 }
  const share = leftForAwaited(window, rules.nowMs)
  const awaitedMs = Math.min(all, priceOfPoll([awaited], { ...window, remaining: share }, rules))
  const kept = Math.min(forecastOf([awaited], window, rules)(awaitedMs), share)
  const rest = { ...window, remaining: Math.max(0, window.remaining - kept) }
  return { awaitedMs, othersMs: Math.max(all, priceOfPoll([others], rest, rules)), kept }
}
