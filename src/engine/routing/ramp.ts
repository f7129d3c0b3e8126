import type { SplitState } from '../../core/store/accounts.ts'
import type { Outcome } from './outcomes.ts'

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
  const why = held
    ? `the new side finished ${decided} videos since the last step, of ${least} that are needed`
    : `the new side finished only ${decided} videos since the last step; ${least} are needed`
  return { name: 'least_videos', held, new: decided, old: null, limit: least, why }
}

/** All gates, over what ended on both sides since the last step. Pure. */
export const gatesOf = (limits: GateLimits, { old, new: fresh }: Record<'old' | 'new', Outcome>): Gate[] => {
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
  ]
}

/** Why a step is refused; null: it is not. */
export type Refused = { reason: 'stopped' | 'complete' | 'gates'; message: string }

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
