import type { MigrationView, OutcomeView, SplitView } from '../../core/api/migration.ts'
import type { EndedQuery, EndedVideo, RoutingStore, SplitState } from '../../core/store/accounts.ts'
import type { AuditEntry } from '../../core/access.ts'
import { breath, iso } from '../../core/time/clock.ts'
import { backendsUnder, type PoolsConfig, type Rule, type Split } from './rules.ts'

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
  pools: PoolsConfig
  rules: readonly Rule[]
  splits: readonly Split[]
  pathOf: (rule: string) => string | null
}

/** How videos ended on each backend, under each rule and on both sides of each split. Only reads the store. */
export const sideBySide = async (
  { store, backends, pools, rules, splits, pathOf }: Compared,
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
    const split = splits.find(({ key }) => key === video.rule)
    const side = split && [split.old, split.new].find((name) => backendsUnder(pools, name).includes(video.backend))
    if (sides) of(sides, side ?? video.backend).add(video)
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

/** Per cent of the new side, one `migrate step` after the other. */
export const RAMP = [1, 5, 10, 25, 50, 100] as const

/** The step above a weight; null: it is all. Pure. */
export const nextWeight = (weight: number): number | null => RAMP.find((step) => step > weight) ?? null

/** `routing.gates` of the configuration. */
export interface GateLimits {
  least_videos: number
  failure_rate: number
  p95: number
  credits: number
  warnings: number
  not_moved: number
}

/** Videos of each side that gates measure at most: the latest. */
export const MOST_MEASURED = 10_000

const CURVE_STEPS = 24
const SHORTEST_STEP_MS = 60_000

type Ended = Pick<EndedVideo, 'status' | 'endedAtMs'>

/** What ended on both sides, in equal steps from a time (or from the first of them) until now. Pure. */
export const curveOf = (
  sides: Record<'old' | 'new', readonly Ended[]>,
  sinceMs: number,
  nowMs: number,
): SplitView['curve'] => {
  const firstMs = [...sides.old, ...sides.new].reduce((least, { endedAtMs }) => Math.min(least, endedAtMs), nowMs)
  const fromMs = sinceMs === 0 ? firstMs : Math.min(sinceMs, nowMs)
  const stepMs = Math.max(SHORTEST_STEP_MS, Math.ceil((nowMs - fromMs) / CURVE_STEPS))
  const steps = Math.min(CURVE_STEPS, Math.ceil((nowMs - fromMs + 1) / stepMs))
  const curve = Array.from({ length: steps }, (_, n) => ({
    from: iso(fromMs + n * stepMs),
    old: { videos: 0, failed: 0 },
    new: { videos: 0, failed: 0 },
  }))
  for (const side of ['old', 'new'] as const)
    for (const { status, endedAtMs } of sides[side]) {
      const step = curve[Math.min(steps - 1, Math.max(0, Math.floor((endedAtMs - fromMs) / stepMs)))]
      if (!step) continue
      step[side].videos += 1
      if (status === 'failed') step[side].failed += 1
    }
  return curve
}

/** What must hold before a step, as it was measured. Null: nothing was there to measure. */
export interface Gate {
  name: keyof GateLimits
  held: boolean
  new: number | null
  old: number | null
  /** What `new` may be at most; of `least_videos`, at least. Null: there is nothing to compare with. */
  limit: number | null
  why: string
}

/** Figures for people: three digits are enough. */
const said = (value: number): string => String(Number(value.toPrecision(3)))
const percent = (share: number): string => `${said(share * 100)} %`

const failing = ({ failed, completed }: Outcome): number | null =>
  completed + failed === 0 ? null : failed / (completed + failed)

/** Rounding must not close a gate: 0.1 + 0.02 is a little more than 0.12. */
const within = (value: number, limit: number): boolean => value <= limit + 1e-9

/** How `new` is to so many times what the old side has. */
const beside = (
  name: 'p95' | 'credits',
  measured: Record<'old' | 'new', number | null>,
  times: number,
  what: string,
): Gate => {
  const { old, new: fresh } = measured
  if (old === null || fresh === null) {
    const side = fresh === null ? 'new' : 'old'
    return {
      name,
      held: true,
      ...measured,
      limit: null,
      why: `there is nothing to compare: the ${side} side reports no ${what}`,
    }
  }
  const limit = old * times
  const held = within(fresh, limit)
  const why = `${what}: ${said(fresh)} on the new side, ${held ? 'at most' : 'more than'} ${said(times)} × ${said(old)} of the old one`
  return { name, held, ...measured, limit, why }
}

const atLeast = (decided: number, least: number): Gate => {
  const held = decided >= least
  const why = `the new side finished ${held ? '' : 'only '}${decided} videos since the last step; ${least} are needed`
  return { name: 'least_videos', held, new: decided, old: null, limit: least, why }
}

const KINDS_SAID = 3

/** Creates that the new side did not get, beside the videos that it made. */
const moved = (notMoved: SplitView['not_moved'], { videos }: Outcome, limit: number): Gate => {
  const kinds = Object.entries(notMoved)
  const missed = kinds.reduce((sum, [, count]) => sum + count, 0)
  // So many videos are the most that is counted. Creates have no such limit.
  const share = videos >= MOST_MEASURED ? null : missed / Math.max(missed + videos, 1)
  const said = kinds.slice(0, KINDS_SAID).map(([kind, count]) => `${count} ${kind}`)
  const listed = missed === 0 ? '' : ` (${said.join(', ')}${kinds.length > KINDS_SAID ? ', …' : ''})`
  const figures = share === null ? '' : `: ${percent(share)}, at most ${percent(limit)} may be`
  const how = missed === 0 ? '' : '. Creates count by whole days (UTC), for all splits with this new side'
  const why = `the new side finished ${videos} videos and did not get ${missed} creates${listed}${figures}${how}`
  return { name: 'not_moved', held: within(share ?? 0, limit), new: share, old: null, limit, why }
}

/** All gates, over what ended on both sides since the last step, and what did not get to the new one. Pure. */
export const gatesOf = (
  limits: GateLimits,
  { old, new: fresh }: Record<'old' | 'new', Outcome>,
  notMoved: SplitView['not_moved'],
): Gate[] => {
  const [failed, failedOld] = [failing(fresh), failing(old)]
  // An old side without videos never failed.
  const mayFail = (failedOld ?? 0) + limits.failure_rate
  const failsLittle = failed === null || within(failed, mayFail)
  const isWhole = fresh.warned === null || within(fresh.warned, limits.warnings)
  return [
    atLeast(fresh.completed + fresh.failed, limits.least_videos),
    {
      name: 'failure_rate',
      held: failsLittle,
      new: failed,
      old: failedOld,
      limit: mayFail,
      why: `${percent(failed ?? 0)} of the new side’s videos failed, ${percent(failedOld ?? 0)} of the old side’s; at most ${percent(mayFail)} may`,
    },
    beside(
      'p95',
      { old: old.seconds?.p95 ?? null, new: fresh.seconds?.p95 ?? null },
      limits.p95,
      'seconds to completion (p95)',
    ),
    beside('credits', { old: old.credits.each, new: fresh.credits.each }, limits.credits, 'credits a video'),
    {
      name: 'warnings',
      held: isWhole,
      new: fresh.warned,
      old: old.warned,
      limit: limits.warnings,
      why: `${percent(fresh.warned ?? 0)} of the new side’s videos lost an option; at most ${percent(limits.warnings)} may`,
    },
    moved(notMoved, fresh, limits.not_moved),
  ]
}

/** Why a step is refused; null: it is not. */
type Refused = { reason: 'stopped' | 'complete' | 'gates'; message: string }

/**
 * Whether a split may step. At 0 % there is nothing to measure, so no gate keeps a ramp from beginning. `force` passes
 * over gates, never over a stop. Pure.
 */
export const refusedStep = (
  { stopped }: Pick<SplitState, 'stopped'>,
  weight: number,
  gates: readonly Gate[],
  force: boolean,
): Refused | null => {
  if (stopped) return { reason: 'stopped', message: 'the split stopped itself: resume it first' }
  if (nextWeight(weight) === null) return { reason: 'complete', message: 'the new side already gets all videos' }
  const closed = gates.filter(({ held }) => !held)
  if (force || weight === 0 || closed.length === 0) return null
  return { reason: 'gates', message: closed.map(({ name, why }) => `${name}: ${why}`).join('; ') }
}

/** The split at another weight, as a step or rollback leaves it. A stop stays. Pure. */
export const weighed = (state: SplitState, weight: number, by: string, nowMs: number): SplitState => ({
  ...state,
  version: state.version + 1,
  weight,
  steppedAtMs: nowMs,
  steppedBy: by,
})

/** Per cent before the rollback that is in force; null: there is none. `audit`: newest first. Pure. */
export const rolledBackFrom = (
  weight: number,
  audit: readonly Pick<AuditEntry, 'action' | 'detail'>[],
): number | null => {
  // A stop, or a rollback from 0, changes no weight.
  const last = audit.find(({ action, detail }) => action !== 'split.stop' && detail['from'] !== 0)
  const from = weight === 0 && last?.action === 'split.rollback' ? last.detail['from'] : null
  return typeof from === 'number' ? from : null
}

/** It continues where it stopped, and outcomes count from now on. Pure. */
export const resumed = (state: SplitState, nowMs: number): SplitState => ({
  ...state,
  version: state.version + 1,
  stopped: null,
  resumedAtMs: nowMs,
})

/** Gates measure what ended after this time: since the last step or resume. Pure. */
export const measuredSince = ({ steppedAtMs, resumedAtMs }: SplitState): number =>
  Math.max(steppedAtMs ?? 0, resumedAtMs ?? 0)
