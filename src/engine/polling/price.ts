import { NO_DURATIONS, type Durations } from './durations.ts'
import { reachesAtMs, runningAt } from './lateness.ts'
import { urgencyMs, type RunningJob } from './next-poll.ts'

/**
 * What a look costs: the expected lateness, in milliseconds, at which one is taken. A request that the window would let
 * expire costs nothing, so the price is the least at which the requests that it foretells for the rest of the window fit
 * into what the window has left. Pure.
 */

export interface Watched {
  memory: Durations | null
  job: RunningJob
  /** No look at it is cheaper, however many requests are left (`engine.poll.polls_per_job`). */
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

/** In parts of `min_interval`: a look that is so late on average is worth a request that nobody else needs. */
const SPARE = 0.04
/** But a look that comes too early holds up the next, so none is free. */
const LEAST = 1 / 128
/** The window is to be spent by this part of it before its end: what is left by then expires, and running dry costs only that. */
const SPENT_BEFORE = 0.06
/** A window runs from its first request: while none is open, waiting wastes it. */
const OPENING = 0.25
const MOST_MS = 120_000
const HALVINGS = 12
const LOOKS_AHEAD = 64
/** The rest of a window is thought of in so many parts. */
const PARTS = 32

/** The price of a look while requests are left over. Each end frees a slot, for which a part of the queue waits. */
export const sparePrice = ({ waiting, slots, minIntervalMs }: Omit<PriceRules, 'nowMs'>): number =>
  minIntervalMs * Math.max(SPARE / (1 + waiting / Math.max(1, slots ?? Infinity)), LEAST)

/** Times since the job was accepted. */
interface Span {
  /** It ran then. */
  sinceMs: number
  earliestMs: number
  endMs: number
}

interface Look {
  atMs: number
  /** Of such jobs the part that is looked at then, and the part that is found to have ended. */
  asked: number
  ended: number
}

/** The looks that a job is expected to take. */
const looksAhead = (known: Durations, { sinceMs, earliestMs, endMs }: Span, priceMs: number, gapMs: number): Look[] => {
  const looks: Look[] = []
  const all = runningAt(known, sinceMs)
  let atMs = Math.max(reachesAtMs(known, sinceMs, priceMs), earliestMs)
  for (let asked = 1; atMs < endMs && looks.length < LOOKS_AHEAD;) {
    const left = runningAt(known, atMs) / all
    looks.push({ atMs, asked, ended: asked - left })
    asked = left
    atMs = Math.max(reachesAtMs(known, atMs, priceMs), atMs + gapMs)
  }
  return looks
}

/** Of a look that is later: of many alike, so many are in time, as their looks will not stay at the same moments. */
const partOfNext = (known: Durations, { sinceMs, earliestMs, endMs }: Span, priceMs: number): number =>
  endMs <= earliestMs ? 0 : (endMs - earliestMs) / (reachesAtMs(known, sinceMs, priceMs) - earliestMs)

type Need = (leftMs: number) => number

/**
 * The requests that a slot takes from its job's end on while others wait for it, by the time that is left then: a create,
 * the looks at its job, and so on.
 */
const turnover = (known: Durations, spanMs: number, priceMs: number, gapMs: number): Need => {
  const partMs = spanMs / PARTS
  const looks = looksAhead(known, { sinceMs: 0, earliestMs: 0, endMs: spanMs }, priceMs, gapMs)
  const need: number[] = []
  for (let part = 0; part <= PARTS; part += 1) {
    let sum = 1
    for (const { atMs, asked, ended } of looks) {
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
 * The requests that running jobs are expected to take for the rest of the window, and the jobs after them while some
 * wait, at each price of a look; more than are left is enough to know.
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
    const sinceMs = Math.max(0, (job.lastLookAtMs ?? job.acceptedAtMs) - job.acceptedAtMs)
    const freeMs = job.lastLookAtMs === null ? 0 : sinceMs + minIntervalMs
    const span = {
      sinceMs,
      earliestMs: Math.max(nowMs - job.acceptedAtMs, freeMs),
      endMs: endMs - job.acceptedAtMs,
    }
    const looks = looksAhead(known, span, priceMs, minIntervalMs)
    if (looks.length === 0) return partOfNext(known, span, priceMs)
    const next = after.get(known) ?? (frees ? turnover(known, endMs - nowMs, priceMs, minIntervalMs) : NOTHING)
    after.set(known, next)
    return looks.reduce((sum, { atMs, asked, ended }) => sum + asked + ended * next(span.endMs - atMs), 0)
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

/** The price of a look for these running jobs of an account, in milliseconds of expected lateness. */
export const priceOfLook = (crowds: readonly Crowd[], window: WindowLeft, rules: PriceRules): number => {
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

/** Of the jobs that are due, those worth the price now, the most urgent first. `must`: due for another reason. */
export const worthLooking = <T extends Watched & { must: boolean }>(
  due: readonly T[],
  priceMs: number,
  nowMs: number,
): T[] =>
  due
    .map((one) => ({ one, urgency: one.must ? Infinity : urgencyMs(one.memory, one.job, nowMs) }))
    // Half a millisecond: `nextLook` rounds up, and rounding must not make a due job wait for another turn.
    .filter(({ one, urgency }) => urgency + 0.5 >= Math.max(priceMs, one.leastMs))
    .toSorted((a, b) => (a.urgency === b.urgency ? 0 : b.urgency - a.urgency))
    .map(({ one }) => one)
