import type { BackendProblem, CreateOutcome } from '../../core/adapter.ts'
import type { VideoRecord, WaitReason } from '../../core/video.ts'
import { backoffMs } from './backoff.ts'

/**
 * What a create's outcome means for its video: the one place where it is decided whether a create is retried, answered
 * to the client, left waiting, or doubted (design 4, "Create" and "Doubt"). Which refusals wait for what is told by the
 * tables in adapters/<interface>/errors.ts. Pure.
 */
export interface VerdictContext {
  /**
   * `first`: the client listens and may be answered with the refusal. `queued`: it was told 202 already.
   * `resend`: an earlier attempt may have been taken, so that a refusal now proves nothing.
   */
  mode: 'first' | 'queued' | 'resend'
  nowMs: number
  resendWindowMs: number
  /** The interface has idempotency keys: a doubt ends by sending the same bytes again, after a pause. */
  resends: boolean
  random: number
}

export type Verdict =
  | { kind: 'accepted'; outcome: Extract<CreateOutcome, { kind: 'accepted' }> }
  | { kind: 'answer'; problem: BackendProblem }
  | { kind: 'wait'; untilMs: number; reason: WaitReason; problem: BackendProblem }
  /** Its audio is to be brought to the backend; then it goes again. */
  | { kind: 'transfer'; problem: BackendProblem }
  | { kind: 'fail'; problem: BackendProblem }
  | { kind: 'doubt'; resendAtMs: number; problem: BackendProblem }
  | { kind: 'unknown'; problem: BackendProblem }

/** How long a video waits when its backend gave no hint. */
const SLOT_WAIT_MS = 10_000
const BUDGET_WAIT_MS = 60_000
const CHECK_WAIT_MS = 30_000

const later = (problem: BackendProblem, { nowMs }: VerdictContext, fallbackMs: number): number =>
  Math.max(problem.retryAtMs ?? nowMs + fallbackMs, nowMs)

const refused = (
  outcome: Extract<CreateOutcome, { kind: 'refused' }>,
  video: VideoRecord,
  context: VerdictContext,
): Verdict => {
  const { problem, waits } = outcome
  switch (waits) {
    case 'slot':
      return { kind: 'wait', untilMs: later(problem, context, SLOT_WAIT_MS), reason: 'no_free_slot', problem }
    case 'budget':
      return { kind: 'wait', untilMs: later(problem, context, BUDGET_WAIT_MS), reason: 'backend_rate_limited', problem }
    case 'check':
      return { kind: 'wait', untilMs: later(problem, context, CHECK_WAIT_MS), reason: 'backend_unavailable', problem }
    case null:
      if (problem.code === 'upload_not_found' && video.transfer?.step === 'possible')
        return { kind: 'transfer', problem }
      return definite(problem, video, context)
  }
}

/** A no, or nobody there: the listening client hears it; one that was told 202 waits if waiting can help. */
const definite = (problem: BackendProblem, video: VideoRecord, context: VerdictContext): Verdict => {
  if (context.mode === 'first') return { kind: 'answer', problem }
  if (!problem.retryable) return { kind: 'fail', problem }
  const untilMs = later(problem, context, backoffMs(video.attempt, context.random))
  return { kind: 'wait', untilMs, reason: 'backend_unavailable', problem }
}

/**
 * What is in doubt after a sending this late stays unknown. Since its bytes first went, not since somebody is back to
 * doubt it: the backend's memory of their key began then. (Evidence, where there are no keys, gets the whole
 * window from when it can be looked for.)
 */
const isPastResends = (
  { dispatchedAtMs, doubtSinceMs }: Pick<VideoRecord, 'dispatchedAtMs' | 'doubtSinceMs'>,
  nowMs: number,
  resendWindowMs: number,
): boolean => nowMs - (dispatchedAtMs ?? doubtSinceMs ?? nowMs) >= resendWindowMs

/** Idempotency keys are commonly remembered for a day; how long, the contract does not show. */
const KEYS_LAST_MS = 24 * 3_600_000

/**
 * A gateway that was away for longer than its window sends the bytes once more: it has not asked since. Not when the key
 * may be forgotten, for then they would be a second order.
 */
export const mayBeForgotten = (video: VideoRecord, nowMs: number, resendWindowMs: number): boolean =>
  isPastResends(video, nowMs, Math.max(resendWindowMs, KEYS_LAST_MS))

export const afterCreate = (outcome: CreateOutcome, video: VideoRecord, context: VerdictContext): Verdict => {
  if (outcome.kind === 'accepted') return { kind: 'accepted', outcome }
  // Our own key is taken by a job that nobody can name: asking again will not name it either.
  if (outcome.kind === 'doubt' && outcome.problem.code === 'idempotency_key_conflict') {
    return { kind: 'unknown', problem: outcome.problem }
  }
  if (context.mode === 'resend') {
    if (isPastResends(video, context.nowMs, context.resendWindowMs))
      return { kind: 'unknown', problem: outcome.problem }
    const resendAtMs = later(outcome.problem, context, backoffMs(video.resends + 1, context.random))
    return { kind: 'doubt', resendAtMs, problem: outcome.problem }
  }
  switch (outcome.kind) {
    case 'refused':
      return refused(outcome, video, context)
    case 'unreachable':
      return definite(outcome.problem, video, context)
    case 'doubt': {
      const pausedMs = later(outcome.problem, context, backoffMs(1, context.random))
      return { kind: 'doubt', resendAtMs: context.resends ? pausedMs : context.nowMs, problem: outcome.problem }
    }
  }
}
