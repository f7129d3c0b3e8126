import type { Actor, AuditEntry } from '../../core/access.ts'
import { AuditView, type MigrationView, type SplitView } from '../../core/api/migration.ts'
import { Problem, fieldProblem } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Ports } from '../../core/ports.ts'
import { type EndedVideo, PASSED_OVER, type RefusalCount, type SplitState } from '../../core/store/accounts.ts'
import type { Store } from '../../core/store/index.ts'
import { type Clock, iso, isoOrNull } from '../../core/time/clock.ts'
import {
  type Gate,
  type GateLimits,
  createOutcome,
  curveOf,
  gatesOf,
  MOST_MEASURED,
  measuredSince,
  nextWeight,
  refusedStep,
  resumed,
  rolledBackFrom,
  sideBySide,
  walkEnded,
  weighed,
} from './ramp.ts'
import {
  backendsUnder,
  type PoolsConfig,
  type Rule,
  type RuleConfig,
  type Split,
  type StopIf,
  rulesOf,
  splitsOf,
} from './rules.ts'
import { createPauses } from './pauses.ts'
import { type Splits, createSplits, rampWeight, weightInForce } from './splits.ts'

const Action = AuditView.shape.action

const stopIfView = ({ failureRate, of, windowMs }: StopIf): SplitView['stop_if'] => ({
  failure_rate: failureRate,
  of,
  window_seconds: windowMs / 1_000,
})

const stoppedView = ({ stopped }: SplitState): SplitView['stopped'] =>
  stopped && {
    at: iso(stopped.atMs),
    outcomes_since: iso(stopped.sinceMs),
    outcomes: { old: stopped.old, new: stopped.new },
  }

const auditView = ({ id, atMs, actor, action, detail }: AuditEntry): SplitView['audit'][number] => ({
  id,
  at: iso(atMs),
  actor,
  action: Action.parse(action),
  detail: { ...detail },
})

/** Other refusals may be of any create that named the backend, or of its body. */
const NOT_MOVED: ReadonlySet<string> = new Set([PASSED_OVER, 'voice_not_found', 'puppet_not_found'])

/** Over all days, by code and field, the most frequent first. */
const addedUp = (refusals: readonly RefusalCount[]): SplitView['not_moved'] => {
  const all = new Map<string, number>()
  for (const { code, field, count } of refusals.filter((one) => NOT_MOVED.has(one.code))) {
    const kind = field === null ? code : `${code} ${field}`
    all.set(kind, count + (all.get(kind) ?? 0))
  }
  return Object.fromEntries([...all].toSorted(([, a], [, b]) => b - a))
}

interface Measured {
  gates: Gate[]
  curve: SplitView['curve']
  notMoved: SplitView['not_moved']
}

/** A split as operators see it. Pure. */
const renderSplit = (
  split: Split,
  state: SplitState,
  { gates, curve, notMoved }: Measured,
  when: Rule['when'],
  path: string,
  audit: readonly AuditEntry[],
): SplitView => {
  const weight = rampWeight(split, state)
  const sinceMs = measuredSince(state)
  return {
    object: 'split',
    rule: split.key,
    path,
    when: { ...when, metadata: { ...when.metadata } },
    by: split.by === null ? 'client' : `metadata.${split.by}`,
    old: split.old,
    new: split.new,
    file_weight: split.weight,
    ramp_weight: weight,
    weight: weightInForce(split, state),
    stepped_at: isoOrNull(state.steppedAtMs),
    stepped_by: state.steppedBy,
    resumed_at: isoOrNull(state.resumedAtMs),
    stop_if: split.stopIf && stopIfView(split.stopIf),
    stopped: stoppedView(state),
    rolled_back_from: state.stopped ? null : rolledBackFrom(weight, audit),
    next_weight: nextWeight(weight),
    ready: refusedStep(state, weight, gates, false) === null,
    gates,
    gates_since: sinceMs === 0 ? null : iso(sinceMs),
    curve,
    not_moved: notMoved,
    audit: audit.map(auditView),
  }
}

interface Change {
  next: SplitState
  detail: AuditEntry['detail']
}

interface MigrationDeps {
  store: Pick<Store, 'ended' | 'auditOf' | 'refusals'>
  clock: Clock
  log: Log
  splits: Splits
  /** Of the configuration, in its order. */
  rules: readonly Rule[]
  /** Names of all backends. */
  backends: readonly string[]
  pools: PoolsConfig
  gates: GateLimits
}

const AUDIT_SHOWN = 20
/** How often a change is decided again because another write came between. */
const MAX_TRIES = 10

/** What operators see of splits, and do to them. */
const createMigration = ({ store, clock, log, splits, rules, backends, pools, gates: limits }: MigrationDeps) => {
  const pathOf = (key: string): string | null => {
    const at = rules.findIndex((rule) => rule.key === key)
    return at < 0 ? null : `routing.rules[${at}]`
  }

  /** Throws `rule_not_found`; without a key where there is not exactly one split, `invalid_request`. */
  const splitOf = (key: string | null): Split => {
    const all = splits.all()
    const [only] = all
    const found = key === null && all.length === 1 ? only : all.find((split) => split.key === key)
    if (found) return found
    const those = all.map((one) => `${one.key} (${pathOf(one.key)})`).join(', ')
    if (all.length === 0) throw new Problem('rule_not_found', 'no rule of the configuration has a split')
    if (key === null) throw fieldProblem('invalid_request', 'rule', `rule is required: give one of ${those}`)
    throw new Problem('rule_not_found', `no split has this rule: give one of ${those}`, { param: 'rule' })
  }

  const measured = async ({ key, old, new: fresh }: Split, state: SplitState): Promise<Measured> => {
    const sinceMs = measuredSince(state)
    const sideOf = async (side: string) => {
      const tally = createOutcome()
      const ended: Pick<EndedVideo, 'status' | 'endedAtMs'>[] = []
      for (const backend of backendsUnder(pools, side)) {
        const query = { sinceMs, side: { rule: key, backend } }
        await walkEnded(store, query, MOST_MEASURED, (video) => {
          tally.add(video)
          ended.push({ status: video.status, endedAtMs: video.endedAtMs })
        })
      }
      return { outcome: tally.outcome(), ended }
    }
    const refusals: RefusalCount[] = []
    for (const backend of new Set([fresh, ...backendsUnder(pools, fresh)]))
      refusals.push(...(await store.refusals(backend, sinceMs)))
    const notMoved = addedUp(refusals)
    const sides = { old: await sideOf(old), new: await sideOf(fresh) }
    const gates = gatesOf(limits, { old: sides.old.outcome, new: sides.new.outcome }, notMoved)
    const curve = curveOf({ old: sides.old.ended, new: sides.new.ended }, sinceMs, clock.now())
    return { gates, curve, notMoved }
  }

  const view = async (split: Split, state: SplitState): Promise<SplitView> =>
    renderSplit(
      split,
      state,
      await measured(split, state),
      rules.find(({ key }) => key === split.key)?.when ?? { client: null, surface: null, source: null, metadata: {} },
      pathOf(split.key) ?? '',
      await store.auditOf(split.key, AUDIT_SHOWN),
    )

  const refused = (message: string, retryable: boolean, details: Record<string, unknown> | null = null): Problem =>
    new Problem('ramp_refused', message, { retryable, details })

  /** Writes what `decide` makes of the split as it is; decides again if another write came between. */
  const changed = async (
    key: string | null,
    by: Actor,
    action: AuditEntry['action'],
    decide: (split: Split, state: SplitState) => Change | Promise<Change>,
  ): Promise<SplitView> => {
    const split = splitOf(key)
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { next, detail } = await decide(split, await splits.stateOf(split.key))
      if (!(await splits.change(next, by, { action, detail }))) continue
      log.info({ rule: split.key, actor: by.client, action, ...detail }, 'a split was changed')
      return view(split, next)
    }
    throw new Problem('store_unavailable', 'others change this split at the same time: retry')
  }

  return {
    /** How videos ended since a time, side by side, and the state of every split. */
    async status(sinceMs: number): Promise<MigrationView> {
      const all = splits.all()
      const compared = await sideBySide({ store, backends, pools, rules, splits: all, pathOf }, sinceMs, clock.now())
      const views: SplitView[] = []
      for (const split of all) views.push(await view(split, await splits.stateOf(split.key)))
      return { ...compared, splits: views }
    },

    /**
     * The next step of the ramp. Throws `ramp_refused` with the gates that do not hold, and where another change came
     * between: nobody steps twice by accident.
     */
    async step(key: string | null, by: Actor, force: boolean): Promise<SplitView> {
      const split = splitOf(key)
      const state = await splits.stateOf(split.key)
      const weight = rampWeight(split, state)
      const { gates } = await measured(split, state)
      const no = refusedStep(state, weight, gates, force)
      const to = nextWeight(weight)
      if (no || to === null)
        throw refused(
          `${split.key} stays at ${weightInForce(split, state)} %: ${no?.message ?? ''}`,
          no?.reason === 'gates',
          no?.reason === 'gates' ? { gates: gates.filter(({ held }) => !held) } : null,
        )
      const next = weighed(state, to, by.client, clock.now())
      const detail = { from: weight, to, forced: force && gates.some(({ held }) => !held), gates }
      if (!(await splits.change(next, by, { action: 'split.step', detail })))
        throw refused(`somebody else changed ${split.key}: read it again`, true)
      log.info({ rule: split.key, actor: by.client, from: weight, to, force }, 'a split took the next step')
      return view(split, next)
    },

    /** Back to 0 % immediately, whatever holds. A stop stays until it is resumed. */
    rollback: (key: string | null, by: Actor): Promise<SplitView> =>
      changed(key, by, 'split.rollback', (split, state) => ({
        next: weighed(state, 0, by.client, clock.now()),
        detail: { from: rampWeight(split, state), to: 0 },
      })),

    /**
     * After a stop: on at the weight of before. Without one, but after a rollback: back to the weight before that.
     * Outcomes count from now on. Throws `ramp_refused` where there is neither.
     */
    resume: (key: string | null, by: Actor): Promise<SplitView> =>
      changed(key, by, 'split.resume', async (split, state) => {
        const weight = rampWeight(split, state)
        if (state.stopped) return { next: resumed(state, clock.now()), detail: { weight } }
        const from = rolledBackFrom(weight, await store.auditOf(split.key, AUDIT_SHOWN))
        if (from === null)
          throw refused(`${split.key} is neither stopped nor rolled back, so you cannot resume it`, false)
        return { next: weighed(state, from, by.client, clock.now()), detail: { weight: from } }
      }),
  }
}

interface RoutingDeps extends Pick<Ports, 'store' | 'wake' | 'clock' | 'log' | 'tally' | 'newId'> {
  /** Of a checked configuration. */
  config: {
    readonly routing: { readonly rules: readonly RuleConfig[]; readonly gates: GateLimits; readonly pools: PoolsConfig }
    readonly clients: readonly { readonly id: string; readonly scopes: readonly string[] }[]
    readonly backends: Readonly<Record<string, unknown>>
  }
  /** Clients of which an operator's key was issued. */
  withIssuedKeys: () => readonly string[]
}

/** The rules of one configuration, the weights in force, and what operators do to them. Nothing is started. */
export const createRouting = ({ config, withIssuedKeys, ...ports }: RoutingDeps) => {
  const rules = rulesOf(config.routing.rules)
  const configured = config.clients.filter(({ scopes }) => scopes.includes('admin') || scopes.includes('*'))
  const operators = () => [...new Set([...configured.map(({ id }) => id), ...withIssuedKeys()])]
  const { gates, pools } = config.routing
  const backends = Object.keys(config.backends)
  const pauses = createPauses({ ...ports, backends })
  const splits = createSplits({ ...ports, splits: splitsOf(rules), pools, operators, pauses })
  const migration = createMigration({ ...ports, splits, rules, backends, pools, gates })
  return {
    rules,
    splits,
    pauses,
    migration,
    /** Before the first create. Rejects if the store cannot be read. */
    load: splits.load,
    /** Learns every second what others change. */
    start: splits.start,
    stop: splits.stop,
  }
}
export type Routing = ReturnType<typeof createRouting>
