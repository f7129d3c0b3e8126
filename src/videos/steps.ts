import type { WireRequest } from '../core/adapter.ts'
import type { VideoRecord } from '../core/video.ts'
import { hintedLookAt, nextLookAt } from './schedule.ts'
import { end, failure, observe, type Step } from './settle.ts'
import type { Verdict } from './verdict.ts'

/** How dispatching moves a video: pure steps from a verdict to a record, beside those of `settle.ts`. */

/** The bytes are about to go: whatever happens next, they may have been taken. */
export const sending = (video: VideoRecord, wire: WireRequest, nowMs: number): Step => ({
  video: { ...video, wire, attempt: video.attempt + 1, dispatchedAtMs: nowMs },
  notes: [{ at: nowMs, type: 'dispatched', detail: `attempt ${video.attempt + 1}` }],
})

export const waiting = (
  video: VideoRecord,
  untilMs: number,
  reason: NonNullable<VideoRecord['waitReason']>,
  nowMs: number,
): Step => ({
  video: { ...video, phase: 'waiting', told: true, lease: null, wire: null, dueAtMs: untilMs, waitReason: reason },
  notes: [{ at: nowMs, type: 'waiting', detail: reason }],
})

/** The process that held it died: bytes that were stored may have gone out. */
export const recovered = (video: VideoRecord, nowMs: number): Step =>
  video.wire === null
    ? waiting(video, nowMs, 'no_free_slot', nowMs)
    : {
        video: {
          ...video,
          phase: 'doubtful',
          told: true,
          lease: null,
          dueAtMs: nowMs,
          doubtSinceMs: video.doubtSinceMs ?? nowMs,
        },
        notes: [{ at: nowMs, type: 'doubtful', detail: 'the gateway stopped while the create was under way' }],
      }

const UNKNOWN = failure(
  'create_outcome_unknown',
  'the backend may or may not have accepted the video, and nothing can tell which: look there before paying again',
)

/** No evidence can come, or it did not come in time. */
export const unknown = (video: VideoRecord, nowMs: number): Step =>
  end(
    video,
    { status: 'failed', error: video.refusal ? { ...UNKNOWN, backend_error: video.refusal.backend_error } : UNKNOWN },
    nowMs,
  )

export interface AcceptContext {
  nowMs: number
  minIntervalMs: number
  calledBack: boolean
}

const accepted = (
  video: VideoRecord,
  { outcome }: Extract<Verdict, { kind: 'accepted' }>,
  { nowMs, minIntervalMs, calledBack }: AcceptContext,
): Step => {
  const hintAtMs = outcome.report.nextPollAtMs
  const taken: VideoRecord = {
    ...video,
    phase: 'accepted',
    told: true,
    backendJobId: outcome.jobId,
    lease: null,
    wire: null,
    waitReason: null,
    refusal: null,
    // Credits are recorded once, from the create's answer.
    credits: video.credits ?? outcome.credits,
    acceptedAtMs: nowMs,
    // A callback may have come before this answer: then there is something to see.
    dueAtMs: video.lastHintAtMs === null ? nextLookAt({ nowMs, looks: 0, hintAtMs, minIntervalMs, calledBack }) : nowMs,
  }
  const step = observe(taken, outcome.report, nowMs)
  return { ...step, notes: [{ at: nowMs, type: 'accepted', detail: outcome.jobId }, ...step.notes] }
}

/** Carries out a verdict, but for `answer`, which leaves no record. */
export const applyVerdict = (
  video: VideoRecord,
  verdict: Exclude<Verdict, { kind: 'answer' }>,
  context: AcceptContext,
): Step => {
  const { nowMs } = context
  switch (verdict.kind) {
    case 'accepted':
      return accepted(video, verdict, context)
    case 'wait': {
      const step = waiting(video, verdict.untilMs, verdict.reason, nowMs)
      return {
        ...step,
        video: { ...step.video, refusal: failure(verdict.problem.code, verdict.problem.message, verdict.problem) },
      }
    }
    case 'fail':
      return end(
        video,
        { status: 'failed', error: failure(verdict.problem.code, verdict.problem.message, verdict.problem) },
        nowMs,
      )
    case 'doubt':
      return {
        video: {
          ...video,
          phase: 'doubtful',
          told: true,
          lease: null,
          dueAtMs: verdict.resendAtMs,
          doubtSinceMs: video.doubtSinceMs ?? nowMs,
          resends: video.phase === 'doubtful' ? video.resends + 1 : video.resends,
          refusal: failure(verdict.problem.code, verdict.problem.message, verdict.problem),
        },
        notes: [{ at: nowMs, type: 'doubtful', detail: verdict.problem.message }],
      }
    case 'unknown':
      return unknown(video, nowMs)
  }
}

/**
 * A callback came: look soon, within what hints are worth. `plannedAtMs`: the look that is planned already, which the
 * record does not tell after a look that changed nothing; null when there is none.
 */
export const hinted = (video: VideoRecord, plannedAtMs: number | null, nowMs: number): Step | null => {
  if (video.phase === 'ended' || video.phase === 'waiting') return null
  // A look that is planned already will see what this one speaks of.
  if (video.lastHintAtMs !== null && video.lastHintAtMs > nowMs) return null
  const atMs = hintedLookAt(video.hintedPolls, video.lastHintAtMs, nowMs)
  if (atMs === null) return null
  const dueAtMs = video.phase === 'accepted' ? Math.min(plannedAtMs ?? atMs, atMs) : video.dueAtMs
  return {
    video: { ...video, hintedPolls: video.hintedPolls + 1, lastHintAtMs: atMs, dueAtMs },
    notes: [{ at: nowMs, type: 'callback', detail: null }],
  }
}
