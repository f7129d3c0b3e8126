import {
  type BackendProblem,
  type CreateOutcome,
  type JobReport,
  type Otherwise,
  reasonOf,
} from '../../core/adapter.ts'
import { type Outgoing, type Search, type VideoRecord, type WaitReason, withBytes } from '../../core/video.ts'
import {
  NO_SEARCH,
  type Step,
  backoffMs,
  duplicate,
  end,
  failure,
  failureOf,
  observe,
  owedPoll,
  pendingEvidence,
  readNow,
  untransferred,
} from './job-steps.ts'
import type { JobTaken } from '../../core/store/videos.ts'

/**
 * What a create's outcome means for its video: retried, answered to the client, left waiting, or in doubt. Decided here
 * only. The tables in `src/adapters/<interface>/errors.ts` say which refusals wait, and for what. Pure.
 */
export interface VerdictContext {
  /**
   * `first`: the client listens and can be answered with the refusal. `queued`: it was answered 202 already.
   * `resend`: the backend may have taken an earlier sending, so a refusal now proves nothing.
   */
  mode: 'first' | 'queued' | 'resend'
  nowMs: number
  resendWindowMs: number
  /** The interface has idempotency keys: a doubt ends by sending the same bytes again, after a pause. */
  resends: boolean
  random: number
  /** What becomes of a first sending where the backend cannot take it. */
  otherwise: Otherwise
}

export type Verdict =
  | { kind: 'accepted'; outcome: Extract<CreateOutcome, { kind: 'accepted' }> }
  | { kind: 'answer'; problem: BackendProblem }
  | { kind: 'wait'; untilMs: number; reason: WaitReason; problem: BackendProblem }
  /** Another member of its pool may make it: it waits as if it was never sent, here until then. */
  | { kind: 'pass'; untilMs: number; problem: BackendProblem }
  /** The audio is brought to the backend first; then the create is sent again. */
  | { kind: 'transfer'; problem: BackendProblem }
  | { kind: 'fail'; problem: BackendProblem }
  | { kind: 'doubt'; resendAtMs: number; problem: BackendProblem }
  | { kind: 'unknown'; problem: BackendProblem }

/** How long a video waits when its backend gave no hint. */
const SLOT_WAIT_MS = 10_000
const BUDGET_WAIT_MS = 60_000
const CHECK_WAIT_MS = 30_000
const PASS_WAIT_MS = 60_000

const later = (problem: BackendProblem, { nowMs }: VerdictContext, fallbackMs: number): number =>
  Math.max(problem.retryAtMs ?? nowMs + fallbackMs, nowMs)

/** Tried elsewhere, whatever it would wait for here. A doubt never is. */
const movesOn = (problem: BackendProblem, { otherwise }: VerdictContext): boolean => {
  const reason = reasonOf(problem)
  return reason !== null && otherwise.movesOn.includes(reason)
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
 * Refused, or nobody there. A listening client is informed, unless its video may wait for a backend that is down. A
 * video whose client was answered 202 waits, if that can help, or if another may make it that was never sent before.
 */
const definite = (problem: BackendProblem, video: VideoRecord, context: VerdictContext): Verdict => {
  // One that waited for a new key would lose its account with the old one.
  const mayWait = context.otherwise.waitsWhenDown && problem.retryable && reasonOf(problem) === 'down'
  if (context.mode === 'first' && !mayWait) return { kind: 'answer', problem }
  const isOnlySending = video.attempt === 1 && video.wire !== null
  if (isOnlySending && movesOn(problem, context))
    return { kind: 'pass', untilMs: later(problem, context, PASS_WAIT_MS), problem }
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
  if (context.mode === 'first' && outcome.kind !== 'doubt' && movesOn(outcome.problem, context))
    return { kind: 'answer', problem: outcome.problem }
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

/** How dispatching moves a video: pure steps from a verdict to a record, beside those of `job-steps.ts`. */

/**
 * Stores the bytes before they are sent. The lease must cover the exchange from now on, however long the ticket took.
 */
export const sending = (video: VideoRecord, outgoing: Outgoing, leaseMs: number, nowMs: number): Step => {
  const step = withBytes(video, outgoing, nowMs)
  const untilMs = nowMs + leaseMs
  return { ...step, video: { ...step.video, lease: video.lease && { ...video.lease, untilMs }, dueAtMs: untilMs } }
}

export const waiting = (
  video: VideoRecord,
  untilMs: number,
  reason: NonNullable<VideoRecord['waitReason']>,
  nowMs: number,
): Step => ({
  video: { ...video, phase: 'waiting', told: true, lease: null, wire: null, dueAtMs: untilMs, waitReason: reason },
  notes: [{ at: nowMs, type: 'waiting', detail: reason }],
})

/** The store was so slow that the lease would end during the exchange: nothing was sent. */
export const putBack = (video: VideoRecord, untilMs: number, nowMs: number): Step => {
  const step = waiting(video, untilMs, 'no_free_slot', nowMs)
  return { ...step, notes: [{ at: nowMs, type: 'not_sent', detail: 'the store took too long' }, ...step.notes] }
}

/** It was certainly not taken, so that it may move. */
const passed = (video: VideoRecord, { untilMs, problem }: Extract<Verdict, { kind: 'pass' }>, nowMs: number): Step => {
  const step = waiting(video, untilMs, 'backend_unavailable', nowMs)
  const unsent = { attempt: 0, dispatchedAtMs: null, sentOffsetMs: null }
  return {
    video: { ...step.video, ...unsent, refusal: failureOf(problem) },
    notes: [{ at: nowMs, type: 'waiting', detail: problem.code }],
  }
}

/** The process that was sending it died. If bytes were stored, they may have gone out. */
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
        notes: [{ at: nowMs, type: 'doubtful', detail: 'the gateway stopped during the create' }],
      }

const UNKNOWN = failure(
  'create_outcome_unknown',
  'nobody knows whether the backend accepted the video: check at the backend before you pay again',
)

/** Gives up: no evidence can come, or none came in time. `why` is for the operator, in the timeline. */
export const unknown = (video: VideoRecord, nowMs: number, why: string | null = null): Step => {
  const error = video.refusal ? { ...UNKNOWN, backend_error: video.refusal.backend_error } : UNKNOWN
  const step = end(video, { status: 'failed', error }, nowMs)
  return why === null ? step : { ...step, notes: [{ at: nowMs, type: 'doubt', detail: why }, ...step.notes] }
}

/** The backend named a job that another video has. Nobody can tell whose it is, so this video is not shown it. */
export const jobTaken = (video: VideoRecord, { jobId, owner }: JobTaken, nowMs: number): Step => {
  const note = { at: nowMs, type: 'duplicate_job', detail: `${jobId}, which ${owner} has` }
  // It ended or got a job of its own meanwhile, which stays its job.
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

/** Stores the evidence so far, and when to search again. */
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

/** The attempt is proven absent. It is sent again, with a new callback token, when its turn comes. */
export const resentAsAbsent = (video: VideoRecord, nowMs: number): Step => {
  const step = waiting(video, nowMs, 'no_free_slot', nowMs)
  const search: Search = { ...NO_SEARCH, named: video.search?.named ?? [], resent: true }
  return {
    video: { ...step.video, doubtSinceMs: null, restoredAtMs: null, refusal: null, search },
    notes: [{ at: nowMs, type: 'doubt', detail: 'proven absent: sent again' }, ...step.notes],
  }
}

/** Evidence named the job: the video continues as if the create had been answered so. */
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

/** The backend confirmed a job, of whichever attempt: the video's if it has none, else a second one. */
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

/** Second jobs of the video, confirmed with its own: each is reported once. */
export const withSeconds = (step: Step, jobIds: readonly string[], nowMs: number): Step =>
  jobIds.reduce((before, jobId) => {
    const after = duplicate(before.video, jobId, nowMs)
    return after ? { video: after.video, notes: [...before.notes, ...after.notes] } : before
  }, step)

const accepted = (
  video: VideoRecord,
  { outcome }: Extract<Verdict, { kind: 'accepted' }>,
  { nowMs, firstPollAt }: AcceptContext,
): Step => {
  const hintAtMs = outcome.report.nextPollAtMs
  // A callback may have come before this answer: then a poll is worth it.
  const owed = owedPoll(video, outcome.jobId, nowMs)
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
      // The whole account waits for a slot (`pauseSlots`). If one of ours frees, this video may go immediately.
      const dueAtMs = verdict.reason === 'no_free_slot' ? nowMs : verdict.untilMs
      const step = waiting(video, dueAtMs, verdict.reason, nowMs)
      return { ...step, video: { ...step.video, refusal: failureOf(verdict.problem) } }
    }
    case 'pass':
      return passed(video, verdict, nowMs)
    case 'transfer':
      return untransferred(video, verdict.problem, nowMs)
    case 'fail':
      return end(video, { status: 'failed', error: failureOf(verdict.problem) }, nowMs)
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
          refusal: failureOf(verdict.problem),
        },
        notes: [{ at: nowMs, type: 'doubtful', detail: verdict.problem.message }],
      }
    case 'unknown':
      return unknown(video, nowMs)
  }
}

/** Which doubt of a video: it may have several, one after the other. */
type Doubt = Pick<VideoRecord, 'attempt' | 'doubtSinceMs'>

/** Whether the video is still in this doubt. What was learned of another attempt says nothing about it. */
export const isSameDoubt = (video: VideoRecord, about: Doubt): boolean =>
  video.phase === 'doubtful' && video.attempt === about.attempt && video.doubtSinceMs === about.doubtSinceMs
