import type { EndedQuery, EndedVideo, RoutingStore } from '../../core/store/accounts.ts'
import { breath, iso } from '../../core/time/clock.ts'
import type { MigrationView, OutcomeView } from '../../core/api/migration.ts'
import type { Rule, Split } from './rules.ts'

/** How many rows are read at the same time: a millisecond or less of the main thread. */
const PAGE = 250

/** Hands every video that ended after a time to `each`, newest first, `limit` at most. False: there are more. */
export const walkEnded = async (
  store: Pick<RoutingStore, 'ended'>,
  query: Pick<EndedQuery, 'sinceMs' | 'side'>,
  limit: number,
  each: (video: EndedVideo) => void,
): Promise<boolean> => {
  let last: EndedVideo | null = null
  for (let left = limit; left >= 0;) {
    const asked = Math.min(PAGE, left + 1)
    const page = await store.ended({ ...query, before: last, limit: asked })
    for (const video of page.slice(0, left)) each(video)
    left -= page.length
    if (page.length < asked) return true
    last = page.at(-1) ?? null
    await breath()
  }
  return false
}

/** What became of videos, side by side with others. */
export interface Outcome {
  /** All that ended. */
  videos: number
  completed: number
  failed: number
  canceled: number
  /** Of completed and failed ones, with the 95 % interval; null: there are none. */
  success: { rate: number; low: number; high: number } | null
  /** From the create to the end, of completed ones; null: there are none. */
  seconds: { p50: number; p95: number } | null
  /** Of videos whose backend reported their price. `each`: null where there are none. */
  credits: { total: number; each: number | null }
  /** The part of completed and failed ones that lost an option; null: there are none. */
  warned: number | null
}

/** Of the normal distribution, for 95 %. */
const Z = 1.959963984540054

/**
 * Wilson's interval for a share: unlike the plain one it stays within 0 to 1, and says how little is known when all of
 * a few succeeded. `of` is above 0. Pure.
 */
export const wilson = (count: number, of: number): { rate: number; low: number; high: number } => {
  const rate = count / of
  const scale = 1 + Z ** 2 / of
  const middle = (rate + Z ** 2 / (2 * of)) / scale
  const half = (Z / scale) * Math.sqrt((rate * (1 - rate)) / of + Z ** 2 / (4 * of ** 2))
  // At the ends the exact value is 0 or 1; rounding may leave a trace.
  return {
    rate,
    low: count === 0 ? 0 : Math.max(0, middle - half),
    high: count === of ? 1 : Math.min(1, middle + half),
  }
}

/**
 * The smallest of the values that at least this part of them does not exceed. `sorted` rises and is not empty. Pure.
 */
export const percentile = (sorted: ArrayLike<number>, part: number): number =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN

type Counted = Pick<EndedVideo, 'status' | 'createdAtMs' | 'endedAtMs' | 'credits' | 'isWarned'>

/** Adds videos up. Keeps one number of each that was completed. */
export const createOutcome = () => {
  const of = { completed: 0, failed: 0, canceled: 0 }
  const tookMs: number[] = []
  const credits = { total: 0, known: 0 }
  let warned = 0
  return {
    add({ status, createdAtMs, endedAtMs, credits: charged, isWarned }: Counted): void {
      of[status] += 1
      if (status === 'completed') tookMs.push(Math.max(0, endedAtMs - createdAtMs))
      if (status !== 'canceled' && isWarned) warned += 1
      if (charged === null) return
      credits.total += charged
      credits.known += 1
    },
    /** Sorts: some ten milliseconds for a hundred thousand. */
    outcome(): Outcome {
      const decided = of.completed + of.failed
      const sorted = Float64Array.from(tookMs).toSorted()
      const seconds = (part: number): number => percentile(sorted, part) / 1_000
      return {
        videos: decided + of.canceled,
        ...of,
        success: decided === 0 ? null : wilson(of.completed, decided),
        seconds: sorted.length === 0 ? null : { p50: seconds(0.5), p95: seconds(0.95) },
        credits: { total: credits.total, each: credits.known === 0 ? null : credits.total / credits.known },
        warned: decided === 0 ? null : warned / decided,
      }
    },
  }
}

/** Videos that one answer counts at most: the latest. */
const MOST_COMPARED = 100_000

type Tally = ReturnType<typeof createOutcome>

const of = <K>(tallies: Map<K, Tally>, key: K): Tally => {
  const found = tallies.get(key)
  if (found) return found
  const tally = createOutcome()
  tallies.set(key, tally)
  return tally
}

const outcomeOf = async (tally: Tally): Promise<OutcomeView> => {
  await breath()
  return tally.outcome()
}

interface Compared {
  store: Pick<RoutingStore, 'ended'>
  /** Names of all backends. */
  backends: readonly string[]
  rules: readonly Rule[]
  splits: readonly Split[]
  pathOf: (rule: string) => string | null
}

/** How videos ended on each backend, under each rule and on both sides of each split. Only reads the store. */
export const sideBySide = async (
  { store, backends, rules, splits, pathOf }: Compared,
  sinceMs: number,
  nowMs: number,
  limit = MOST_COMPARED,
): Promise<Omit<MigrationView, 'splits'>> => {
  const ofBackends = new Map<string, Tally>(backends.map((name) => [name, createOutcome()]))
  // Of rules that are in the file no more there may be any number: they count for their backends only.
  const ofRules = new Map<string | null, Tally>(rules.map(({ key }) => [key, createOutcome()]))
  const ofSides = new Map(splits.map(({ key }) => [key, new Map<string, Tally>()]))
  let videos = 0
  const count = (video: EndedVideo): void => {
    videos += 1
    of(ofBackends, video.backend).add(video)
    if (video.rule === null || ofRules.has(video.rule)) of(ofRules, video.rule).add(video)
    const sides = video.rule === null ? undefined : ofSides.get(video.rule)
    if (sides) of(sides, video.backend).add(video)
  }
  const complete = await walkEnded(store, { sinceMs, side: null }, limit, count)
  const outcomes: MigrationView['outcomes'] = { backends: [], rules: [], splits: [] }
  for (const [backend, tally] of ofBackends) outcomes.backends.push({ backend, ...(await outcomeOf(tally)) })
  for (const [rule, tally] of ofRules)
    outcomes.rules.push({ rule, path: rule === null ? null : pathOf(rule), ...(await outcomeOf(tally)) })
  for (const { key, old, new: fresh } of splits) {
    const sides = ofSides.get(key) ?? new Map<string, Tally>()
    const [ofOld, ofNew] = [await outcomeOf(of(sides, old)), await outcomeOf(of(sides, fresh))]
    outcomes.splits.push({ rule: key, old: ofOld, new: ofNew })
  }
  return {
    object: 'migration',
    since: iso(sinceMs),
    until: iso(nowMs),
    counted: { videos, limit, complete },
    outcomes,
  }
}
