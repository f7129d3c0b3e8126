import type { BackendProblem, CreateOutcome } from '../../core/adapter.ts'
import { reasonOf, type Otherwise } from '../../core/failover.ts'
import type { VideoRecord, WaitReason } from '../../core/video.ts'
import { backoffMs } from './backoff.ts'

/**
 * What a create's outcome means for its video: retried, answered to the client, left waiting, or in doubt. Decided here
 * alone. The tables in `src/adapters/<interface>/errors.ts` say which refusals wait, and for what. Pure.
 */
export interface VerdictContext {
  /**
   * `first`: the client listens and can be answered with the refusal. `queued`: it was told 202 already.
   * `resend`: the backend may have taken an earlier sending, so a refusal now proves nothing.
   */
  mode: 'first' | 'queued' | 'resend'
  nowMs: number
  resendWindowMs: number
  /** The interface has idempotency keys: a doubt ends by sending the same bytes again, after a pause. */
  resends: boolean
  random: number
  /** Of a `first` attempt: what becomes of it where the backend cannot take it. */
  otherwise: Otherwise
}

export type Verdict =
  | { kind: 'accepted'; outcome: Extract<CreateOutcome, { kind: 'accepted' }> }
  | { kind: 'answer'; problem: BackendProblem }
  | { kind: 'wait'; untilMs: number; reason: WaitReason; problem: BackendProblem }
  /** The audio is brought to the backend first; then the create is sent again. */
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

/** Tried elsewhere, whatever it would wait for here. A doubt never is. */
const movesOn = (problem: BackendProblem, { mode, otherwise }: VerdictContext): boolean => {
  const reason = reasonOf(problem)
  return mode === 'first' && reason !== null && otherwise.movesOn.includes(reason)
}

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

/**
 * Refused, or nobody there. A listening client is told, unless its video may wait for a backend that is down. A video
 * whose client was told 202 waits, if that can help.
 */
const definite = (problem: BackendProblem, video: VideoRecord, context: VerdictContext): Verdict => {
  // One that waited for a new key would lose its account with the old one.
  const mayWait = context.otherwise.waitsWhenDown && problem.retryable && reasonOf(problem) === 'down'
  if (context.mode === 'first' && !mayWait) return { kind: 'answer', problem }
  if (!problem.retryable) return { kind: 'fail', problem }
  const untilMs = later(problem, context, backoffMs(video.attempt, context.random))
  return { kind: 'wait', untilMs, reason: 'backend_unavailable', problem }
}

/**
 * Whether it is too late to resend: what is still in doubt then stays unknown. The window counts from the first
 * sending, because the backend's memory of the key began then. (Where there are no keys, the search for evidence gets
 * the whole window from when it can begin.)
 */
const isPastResends = (
  { dispatchedAtMs, doubtSinceMs }: Pick<VideoRecord, 'dispatchedAtMs' | 'doubtSinceMs'>,
  nowMs: number,
  resendWindowMs: number,
): boolean => nowMs - (dispatchedAtMs ?? doubtSinceMs ?? nowMs) >= resendWindowMs

/** The contract does not say how long a key is remembered. A day is common. */
const KEYS_LAST_MS = 24 * 3_600_000

/**
 * Whether the backend may have forgotten the key. A gateway that was stopped for longer than its window resends once
 * more, but not then: the same bytes would order a second video. What a restored copy would send is not resent after
 * the window: it may not even have been ordered.
 */
export const mayBeForgotten = (video: VideoRecord, nowMs: number, resendWindowMs: number): boolean =>
  isPastResends(video, nowMs, video.restoredAtMs === null ? Math.max(resendWindowMs, KEYS_LAST_MS) : resendWindowMs)

export const afterCreate = (outcome: CreateOutcome, video: VideoRecord, context: VerdictContext): Verdict => {
  if (outcome.kind === 'accepted') return { kind: 'accepted', outcome }
  // A job has our own key, but the answer did not name it. Asking again will not name it either.
  if (outcome.kind === 'doubt' && outcome.problem.code === 'idempotency_key_conflict') {
    return { kind: 'unknown', problem: outcome.problem }
  }
  if (context.mode === 'resend') {
    if (isPastResends(video, context.nowMs, context.resendWindowMs))
      return { kind: 'unknown', problem: outcome.problem }
    const resendAtMs = later(outcome.problem, context, backoffMs(video.resends + 1, context.random))
    return { kind: 'doubt', resendAtMs, problem: outcome.problem }
  }
  if (outcome.kind !== 'doubt' && movesOn(outcome.problem, context)) return { kind: 'answer', problem: outcome.problem }
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
