import { AuditView, type SplitView } from '../../core/api/migration.ts'
import type { AuditEntry } from '../../core/audit.ts'
import type { SplitState } from '../../core/store/routing.ts'
import { iso, isoOrNull } from '../../core/time/clock.ts'
import { measuredSince, nextWeight, refusedStep, type Gate } from './ramp.ts'
import type { Rule, Split, StopIf } from './rules.ts'
import { rampWeight, weightInForce } from './splits.ts'

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

/** A split as operators see it. Pure. */
export const renderSplit = (
  split: Split,
  state: SplitState,
  gates: Gate[],
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
    next_weight: nextWeight(weight),
    ready: refusedStep(state, weight, gates, false) === null,
    gates,
    gates_since: sinceMs === 0 ? null : iso(sinceMs),
    audit: audit.map(auditView),
  }
}
