import type { MigrationView, OutcomeView } from '../../core/api/migration.ts'
import type { EndedVideo, RoutingStore } from '../../core/store/routing.ts'
import { breath } from '../../core/time/breath.ts'
import { iso } from '../../core/time/clock.ts'
import { walkEnded } from './ended.ts'
import { createOutcome } from './outcomes.ts'
import type { Rule, Split } from './rules.ts'

/** Videos that one answer counts at most: the latest. */
export const MOST_COMPARED = 100_000

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

export interface Compared {
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
