import type { JobReport } from '../../core/adapter.ts'
import type { JobTaken } from '../../core/store/videos.ts'
import type { Search, VideoRecord, WireRequest } from '../../core/video.ts'
import { duplicate, NO_SEARCH, owedLook, pendingEvidence, readNow } from './callback-steps.ts'
import { end, failure, observe, type Step } from './job-steps.ts'
import { untransferred } from './audio-steps.ts'
import type { Verdict } from './create-verdict.ts'

/** How dispatching moves a video: pure steps from a verdict to a record, beside those of `job-steps.ts`. */

/** The bytes are about to go: whatever happens next, they may have been taken. */
export const sending = (
  video: VideoRecord,
  wire: WireRequest,
  { leaseMs, offsetMs }: { leaseMs: number; offsetMs: number | null },
  nowMs: number,
): Step => ({
  video: {
    ...video,
    wire,
    attempt: video.attempt + 1,
    dispatchedAtMs: nowMs,
    sentOffsetMs: offsetMs,
    // From here on it must cover the exchange, however long the ticket took.
    lease: video.lease && { ...video.lease, untilMs: nowMs + leaseMs },
    dueAtMs: nowMs + leaseMs,
  },
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

/** The store took so long over the bytes that the lease would end before the exchange: nothing was sent. */
export const putBack = (video: VideoRecord, untilMs: number, nowMs: number): Step => {
  const step = waiting(video, untilMs, 'no_free_slot', nowMs)
  return { ...step, notes: [{ at: nowMs, type: 'not_sent', detail: 'the store took too long' }, ...step.notes] }
}

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

/** No evidence can come, or it did not come in time; `why` is for the operator, in the video's timeline. */
export const unknown = (video: VideoRecord, nowMs: number, why: string | null = null): Step => {
  const error = video.refusal ? { ...UNKNOWN, backend_error: video.refusal.backend_error } : UNKNOWN
  const step = end(video, { status: 'failed', error }, nowMs)
  return why === null ? step : { ...step, notes: [{ at: nowMs, type: 'doubt', detail: why }, ...step.notes] }
}

/** Its backend named a job that another video has: whose it is nobody here can tell, and nobody is shown another's. */
export const jobTaken = (video: VideoRecord, { jobId, owner }: JobTaken, nowMs: number): Step => {
  const note = { at: nowMs, type: 'duplicate_job', detail: `${jobId}, which ${owner} has` }
  // It ended, or was given a job of its own meanwhile: that one stays its job.
  if (video.phase === 'ended' || video.backendJobId !== null) return { video: { ...video }, notes: [note] }
  const step = unknown(video, nowMs)
  return { ...step, notes: [note, ...step.notes] }
}

/** When to poll a job first, given its backend's hint. */
export type FirstPollAt = (video: VideoRecord, hintAtMs: number | null, nowMs: number) => number

export interface AcceptContext {
  nowMs: number
  firstPollAt: FirstPollAt
}

/** Evidence so far, and when to look for more. */
export const searchAgain = (
  video: VideoRecord,
  found: Partial<Search>,
  atMs: number,
  nowMs: number,
  what: string | null,
): Step => {
  const after = { ...video, search: { ...(video.search ?? NO_SEARCH), ...found } }
  // A callback may have named the job while the search was under way.
  const dueAtMs = Math.min(atMs, pendingEvidence(after)?.atMs ?? Infinity)
  return {
    video: { ...after, dueAtMs },
    notes: what === null ? [] : [{ at: nowMs, type: 'doubt', detail: what }],
  }
}

/** Proven absent: it may be sent once more, under a token of its own, when its turn comes. */
export const resentAsAbsent = (video: VideoRecord, nowMs: number): Step => {
  const step = waiting(video, nowMs, 'no_free_slot', nowMs)
  const search: Search = { ...NO_SEARCH, named: video.search?.named ?? [], resent: true }
  return {
    video: { ...step.video, doubtSinceMs: null, refusal: null, search },
    notes: [{ at: nowMs, type: 'doubt', detail: 'proven absent: sent once more' }, ...step.notes],
  }
}

/** Evidence named the job: from here on it is as if the create had answered so. */
export const adopted = (
  video: VideoRecord,
  jobId: string,
  report: JobReport,
  from: string,
  context: AcceptContext,
): Step => {
  const outcome = { kind: 'accepted' as const, jobId, report, credits: null, rate: null }
  // What a callback spoke of was just read.
  const read = readNow(video, jobId, context.nowMs)
  const search = read.search && { ...read.search, reading: null }
  const step = accepted({ ...read, search, lastHintAtMs: null }, { kind: 'accepted', outcome }, context)
  return { ...step, notes: [{ at: context.nowMs, type: 'doubt', detail: `${from} named ${jobId}` }, ...step.notes] }
}

/** A job that its backend confirmed is the video's, of whichever attempt, while it has none; else it is a second one. */
export const confirmedJob = (
  video: VideoRecord,
  jobId: string,
  report: JobReport,
  from: string,
  context: AcceptContext,
): Step | null =>
  video.phase === 'ended' || video.backendJobId !== null
    ? duplicate(video, jobId, context.nowMs)
    : adopted(video, jobId, report, from, context)

const accepted = (
  video: VideoRecord,
  { outcome }: Extract<Verdict, { kind: 'accepted' }>,
  { nowMs, firstPollAt }: AcceptContext,
): Step => {
  const hintAtMs = outcome.report.nextPollAtMs
  // A callback may have come before this answer: then there is something to see.
  const owed = owedLook(video, outcome.jobId, nowMs)
  const taken: VideoRecord = {
    ...owed.video,
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
    acceptedDateMs: outcome.rate?.dateMs ?? null,
    nextPollAtMs: hintAtMs,
    dueAtMs: owed.atMs === null ? firstPollAt(video, hintAtMs, nowMs) : Math.max(owed.atMs, hintAtMs ?? 0),
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
      // For a slot the whole account waits: a slot of ours that frees ends it at once.
      const dueAtMs = verdict.reason === 'no_free_slot' ? nowMs : verdict.untilMs
      const step = waiting(video, dueAtMs, verdict.reason, nowMs)
      return {
        ...step,
        video: { ...step.video, refusal: failure(verdict.problem.code, verdict.problem.message, verdict.problem) },
      }
    }
    case 'transfer':
      return untransferred(video, verdict.problem, nowMs)
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
          // A callback may have named the job before the create failed to.
          dueAtMs: pendingEvidence(video)?.atMs ?? verdict.resendAtMs,
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

/** One doubt of a video: it may have several, of one attempt after the other. */
export type Doubt = Pick<VideoRecord, 'attempt' | 'doubtSinceMs'>

/** Whether what was learned of one doubt is still about this video: another attempt's says nothing of this one. */
export const isSameDoubt = (video: VideoRecord, about: Doubt): boolean =>
  video.phase === 'doubtful' && video.attempt === about.attempt && video.doubtSinceMs === about.doubtSinceMs
