import { hash } from 'node:crypto'
import type { FailoverReason, Priority, Surface } from '../../core/vocabulary.ts'
import type { SideCount, SplitState, Stopped } from '../../core/store/accounts.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'
import type { Queue } from '../../core/store/videos.ts'
import type { Backend } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'

/** What rules go by. */
export interface Facts {
  client: string
  surface: Surface
  source: 'text' | 'audio'
  metadata: Readonly<Record<string, string>>
}

/** When a split gives its new side up by itself. */
export interface StopIf {
  /** From 0 to 1. */
  failureRate: number
  /** How many of its last videos this is about, at least. */
  of: number
  windowMs: number
}

export interface Split {
  /** Names the split in the store, on every process and after a restart. */
  key: string
  /** Backend names. */
  old: string
  new: string
  /** Per cent of the new side, as the file has it: where a ramp begins. */
  weight: number
  /** null: the client; otherwise the metadata key whose value keeps its side. */
  by: string | null
  stopIf: StopIf | null
}

export interface Rule {
  /** As `routing.rule` of a video names it. */
  key: string
  when: { client: string | null; surface: Surface | null; source: Facts['source'] | null; metadata: Facts['metadata'] }
  target: { kind: 'to'; backend: string } | ({ kind: 'split' } & Split)
}

/** A rule as the configuration file has it. */
export interface RuleConfig {
  readonly when: {
    readonly client: string | null
    readonly surface: Surface | null
    readonly source: Facts['source'] | null
    readonly metadata: Readonly<Record<string, string>>
  }
  readonly to: string | null
  readonly split: Readonly<Record<string, number>> | null
  readonly by: string
  readonly stop_if: { readonly failure_rate: number; readonly of: number; readonly window: number } | null
}

/** The members of each pool, by its name. */
export type PoolsConfig = Readonly<Record<string, readonly string[]>>

/** The backends that a name of the configuration represents. */
export const backendsUnder = (pools: PoolsConfig, name: string): readonly string[] =>
  Object.hasOwn(pools, name) ? (pools[name] ?? []) : [name]

/** Per cent of the new side that is in force now. */
export type WeightOf = (split: Split) => number

/**
 * A name that survives what operators do to the file: other rules, their order and the weights may change. A split that
 * is about other requests or other backends is another split.
 */
const keyOf = ({ when, to, split, by }: RuleConfig): string => {
  const metadata = Object.entries(when.metadata).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const about = [when.client, when.surface, when.source, metadata, to, split && Object.keys(split), split && by]
  return `rule_${hash('sha256', JSON.stringify(about)).slice(0, 12)}`
}

const targetOf = (key: string, { to, split, by, stop_if: stop }: RuleConfig): Rule['target'] => {
  if (to !== null) return { kind: 'to', backend: to }
  const [[old] = [''], [name, weight] = ['', 0]] = Object.entries(split ?? {})
  const stopIf = stop && { failureRate: stop.failure_rate, of: stop.of, windowMs: stop.window }
  return {
    kind: 'split',
    key,
    old,
    new: name,
    weight,
    by: by === 'client' ? null : by.slice('metadata.'.length),
    stopIf,
  }
}

/** The rules of a checked configuration, in their order. Pure. */
export const rulesOf = (configured: readonly RuleConfig[]): Rule[] =>
  configured.map((rule) => {
    const key = keyOf(rule)
    return { key, when: rule.when, target: targetOf(key, rule) }
  })

/** All splits, in the order of their rules. */
export const splitsOf = (rules: readonly Rule[]): Split[] =>
  rules.flatMap(({ target }) => (target.kind === 'split' ? [target] : []))

const matches = ({ client, surface, source, metadata }: Rule['when'], facts: Facts): boolean =>
  (client === null || client === facts.client) &&
  (surface === null || surface === facts.surface) &&
  (source === null || source === facts.source) &&
  Object.entries(metadata).every(([key, value]) => Object.hasOwn(facts.metadata, key) && facts.metadata[key] === value)

/** Where a value is among all values: evenly spread from 0 to below 100, and always the same. */
export const placeOf = (by: string | null, value: string): number => {
  const digest = hash('sha256', JSON.stringify([by, value]), 'buffer')
  return (digest.readUInt32BE(0) / 2 ** 32) * 100
}

/**
 * Monotone: a higher weight only adds values to the new side. Without the metadata key a video stays on the old one.
 */
const isNew = ({ by }: Split, facts: Facts, weight: number): boolean => {
  const value = by === null ? facts.client : Object.hasOwn(facts.metadata, by) ? facts.metadata[by] : undefined
  return value !== undefined && placeOf(by, value) < weight
}

/** Where a rule leads, best first. A new side that gets nothing (it stopped, or went back) is no choice at all. */
const leads = ({ target }: Rule, facts: Facts, weightOf: WeightOf): string[] => {
  if (target.kind === 'to') return [target.backend]
  const weight = weightOf(target)
  if (weight === 0) return [target.old]
  return isNew(target, facts, weight) ? [target.new, target.old] : [target.old, target.new]
}

/** What a rule decided. */
export interface Ruled {
  key: string
  /** Where it leads, best first. */
  backends: readonly string[]
}

/**
 * The first rule that matches and leads to a backend that the client may use. Null: none does. Costs a few hundred
 * nanoseconds a rule at most, and one hash. Pure.
 */
export const ruled = (
  rules: readonly Rule[],
  facts: Facts,
  weightOf: WeightOf,
  isVisible: (backend: string) => boolean,
): Ruled | null => {
  for (const rule of rules) {
    if (!matches(rule.when, facts)) continue
    const backends = leads(rule, facts, weightOf).filter(isVisible)
    if (backends.length > 0) return { key: rule.key, backends }
  }
  return null
}

/** Outcomes count that ended after this time: within the window, and after the last resume. Pure. */
export const countedSince = ({ windowMs }: StopIf, { resumedAtMs }: SplitState, nowMs: number): number =>
  Math.max(nowMs - windowMs, resumedAtMs ?? 0)

/** Whether the new side fails often enough to stop, if the old one fails less. Pure. */
export const failsTooOften = ({ of, failureRate }: StopIf, { videos, failed }: SideCount): boolean =>
  videos >= Math.max(of, 1) && failed / videos >= failureRate

/** An old side without videos never failed. */
const rate = ({ videos, failed }: SideCount): number => (videos === 0 ? 0 : failed / videos)

/**
 * Whether a canary that is not stopped yet stops: the new side fails too often, and more often than the old one. Pure.
 */
export const stops = (stopIf: StopIf, counts: Record<'old' | 'new', SideCount>): boolean =>
  failsTooOften(stopIf, counts.new) && rate(counts.new) > rate(counts.old)

/** The side counts of a split, each asked for only if it can matter. */
type CountSide = (backend: string, sinceMs: number) => Promise<SideCount>

/**
 * What stops a split now; null: nothing does. The answer depends on stored outcomes and the time only, so every process
 * finds the same.
 */
export const stopOf = async (
  { stopIf, old, new: fresh }: Split,
  state: SplitState,
  nowMs: number,
  count: CountSide,
): Promise<Stopped | null> => {
  if (!stopIf || state.stopped) return null
  const sinceMs = countedSince(stopIf, state, nowMs)
  const ofNew = await count(fresh, sinceMs)
  if (!failsTooOften(stopIf, ofNew)) return null
  const counts = { old: await count(old, sinceMs), new: ofNew }
  return stops(stopIf, counts) ? { atMs: nowMs, sinceMs, ...counts } : null
}

/** What `routing` says about backends that cannot take a create. */
export interface FailoverPolicy {
  /** Which backends stand in for one, in order. */
  standIns: Readonly<Record<string, readonly string[]>>
  on: readonly FailoverReason[]
  /** Whether a create waits where its backend is down and nothing stands in; otherwise it is refused. */
  waitsWhenDown: (backend: string) => boolean
}

interface StandingDeps {
  store: Pick<Store, 'queue'>
  upstream: Pick<Upstream, 'heed' | 'shutUntilMs' | 'keyRefusedUntilMs' | 'slotsPausedUntilMs' | 'view'>
  clock: Pick<Clock, 'now'>
}

/** Whether a new video waits behind others: what waits for its audio is passed, and a normal one passes low ones. */
export const waitsBehind = ({ nextDueAtMs, normalWaits }: Queue, priority: Priority): boolean =>
  priority === 'low' ? nextDueAtMs !== null : normalWaits

/** Why it would not be tried now, by what is known of the account without asking it. Empty: it would. */
export const createStanding =
  ({ store, upstream, clock }: StandingDeps) =>
  async ({ account }: Backend, priority: Priority): Promise<(FailoverReason | 'paused')[]> => {
    if (account.paused.isPaused('creates')) return ['paused']
    await upstream.heed()
    const nowMs = clock.now()
    const queue = await store.queue(account.id)
    const isDown = Math.max(upstream.shutUntilMs(account.id), upstream.keyRefusedUntilMs(account.id)) > nowMs
    const isFull =
      account.slots !== null &&
      (queue.held >= account.slots || upstream.slotsPausedUntilMs(account.id) > nowMs || waitsBehind(queue, priority))
    const isSpent = (upstream.view(account, queue.window).nextCreateAtMs ?? 0) > nowMs
    return [
      ...(isDown ? ['down' as const] : []),
      ...(isFull ? ['no_slot' as const] : []),
      ...(isSpent ? ['no_budget' as const] : []),
    ]
  }
export type Standing = ReturnType<typeof createStanding>
