import type { SideCount, SplitState, Stopped } from '../../core/store/routing.ts'
import type { Split, StopIf } from './rules.ts'

/** Outcomes count that ended after this time: within the window, and after the last resume. Pure. */
export const countedSince = ({ windowMs }: StopIf, { resumedAtMs }: SplitState, nowMs: number): number =>
  Math.max(nowMs - windowMs, resumedAtMs ?? 0)

/** Whether the new side fails often enough to stop, if the old one fails less. Pure. */
export const failsTooOften = ({ of, failureRate }: StopIf, { videos, failed }: SideCount): boolean =>
  videos >= Math.max(of, 1) && failed / videos >= failureRate

/** An old side without videos never failed. */
const rate = ({ videos, failed }: SideCount): number => (videos === 0 ? 0 : failed / videos)

/** Whether a canary that is not stopped yet stops: the new side fails too often, and more often than the old one. Pure. */
export const stops = (stopIf: StopIf, counts: Record<'old' | 'new', SideCount>): boolean =>
  failsTooOften(stopIf, counts.new) && rate(counts.new) > rate(counts.old)

/** The side counts of a split, each asked for only if it can matter. */
export type CountSide = (backend: string, sinceMs: number) => Promise<SideCount>

/**
 * What stops a split now; null: nothing does. The answer depends on stored outcomes and the time alone, so every process
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
