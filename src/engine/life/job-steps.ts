import type { AuditEntry } from '../../core/access.ts'
import type { BackendProblem, JobReport } from '../../core/adapter.ts'
import { isProblemCode, PROBLEMS } from '../../core/errors.ts'
import {
  type Evidence,
  NO_INPUT,
  NO_ORDER,
  sourceOf,
  type TimelineEntry,
  type VideoError,
  type VideoRecord,
} from '../../core/video.ts'

const BACKOFF_FIRST_MS = 2_000
const BACKOFF_LONGEST_MS = 60_000

/**
 * The pause after a repeated failure, in whole milliseconds: 2 s, doubling to a minute. `random` in [0, 1) adds up to a
 * quarter.
 */
export const backoffMs = (failures: number, random: number): number =>
  Math.ceil(Math.min(BACKOFF_FIRST_MS * 2 ** Math.max(0, failures - 1), BACKOFF_LONGEST_MS) * (1 + random / 4))

const HINTS_PER_VIDEO = 3
export const HINT_GAP_MS = 30_000

/** When to poll for a callback: immediately, then at least 30 s apart, three times a video; null: no longer. */
export const hintedPollAt = (hintedPolls: number, lastHintAtMs: number | null, nowMs: number): number | null => {
  if (hintedPolls >= HINTS_PER_VIDEO) return null
  return lastHintAtMs === null ? nowMs : Math.max(nowMs, lastHintAtMs + HINT_GAP_MS)
}

const AT_ONCE_LEAST = 8
const AT_ONCE_MOST = 256

/** How many requests an account may have under way: enough to use up its window if each takes a second. */
export const atOnceFor = (requestsPerMinute: number): number =>
  Math.min(Math.max(AT_ONCE_LEAST, Math.ceil(requestsPerMinute / 60)), AT_ONCE_MOST)

/**
 * How an answer about a job moves its video (docs/engine.md, "What an answer about a job means"): never backwards,
 * terminal once, and a paid job is not failed on thin evidence. Pure: the old record in, the new record and its notes
 * out.
 */
export interface Step {
  video: VideoRecord
  notes: TimelineEntry[]
  /** An operator took it. */
  audit?: AuditEntry | undefined
}

const EVIDENCE_COUNT = 5
const EVIDENCE_SPAN_MS = 15 * 60_000

const RANK = { queued: 0, processing: 1 } as const
type Running = keyof typeof RANK
const isRunning = (status: string): status is Running => status in RANK

const note = (at: number, type: string, detail: string | null = null): TimelineEntry => ({ at, type, detail })

/**
 * A video that was canceled before it was sent keeps its id, its times and its metadata. Its input goes: creates that
 * are canceled immediately are free, and would fill the disk. After a doubt it stays: a job may still turn up, and be
 * compared.
 */
const withoutInput = (video: VideoRecord): VideoRecord =>
  video.search === null && video.madeFrom === null
    ? { ...video, madeFrom: sourceOf(video), input: NO_INPUT, order: NO_ORDER, transfer: null }
    : video

/** Ends a video. A terminal one stays as it is. */
export const end = (
  video: VideoRecord,
  outcome: { status: 'completed' } | { status: 'failed'; error: VideoError } | { status: 'canceled' },
  nowMs: number,
): Step => {
  if (video.phase === 'ended') return { video, notes: [] }
  const error = outcome.status === 'failed' ? outcome.error : null
  return {
    video: {
      ...(outcome.status === 'canceled' ? withoutInput(video) : video),
      phase: 'ended',
      told: true,
      status: outcome.status,
      progress: outcome.status === 'completed' ? 1 : video.progress,
      error,
      dueAtMs: null,
      waitReason: null,
      lease: null,
      wire: null,
      evidence: null,
      linkOwed: false,
      endedAtMs: nowMs,
    },
    notes: [note(nowMs, outcome.status, error ? `${error.code}: ${error.message}` : null)],
  }
}

export const failure = (code: VideoError['code'], message: string, problem?: BackendProblem): VideoError => ({
  code,
  message,
  retryable: problem?.retryable ?? (isProblemCode(code) && PROBLEMS[code].retryable),
  backend_error: problem?.backendError ?? null,
})

/** A backend's refusal or fault, as the error of a video. */
export const failureOf = (problem: BackendProblem): VideoError => failure(problem.code, problem.message, problem)

const THIN: Record<Evidence['kind'], VideoError> = {
  lost: failure('backend_job_lost', 'the backend has answered for 15 minutes that it does not know this job'),
  link_missing: failure('video_url_missing', 'the backend reports the video as completed, but gives no link to it'),
  error_without_word: failure('backend_failed', 'the backend reports an error, but never ended the job'),
}

/** Counts one more thin answer of a kind. Enough of them, over enough time, end the video. */
const thinEvidence = (video: VideoRecord, kind: Evidence['kind'], nowMs: number): Step => {
  const before = video.evidence?.kind === kind ? video.evidence : { kind, count: 0, sinceMs: nowMs }
  const evidence = { ...before, count: before.count + 1 }
  if (evidence.count >= EVIDENCE_COUNT && nowMs - evidence.sinceMs >= EVIDENCE_SPAN_MS) {
    return end(video, { status: 'failed', error: THIN[kind] }, nowMs)
  }
  return { video: { ...video, evidence }, notes: [note(nowMs, 'thin_evidence', `${kind} × ${evidence.count}`)] }
}

const learnt = (video: VideoRecord, report: JobReport, nowMs: number): VideoRecord => ({
  ...video,
  backendStatus: report.backendStatus ?? video.backendStatus,
  link: report.link ? { ...report.link, learnedAtMs: nowMs } : video.link,
  thumbnailUrl: report.thumbnailUrl ?? video.thumbnailUrl,
  durationSeconds: report.durationSeconds ?? video.durationSeconds,
  durationEstimateSeconds: report.durationEstimateSeconds ?? video.durationEstimateSeconds,
  verbatim: report.verbatim ?? video.verbatim,
})

const failedBy = (report: JobReport): VideoError => ({
  code: 'backend_failed',
  message: report.failure?.message ?? 'the backend failed to make the video',
  retryable: report.failure?.retryable ?? false,
  backend_error: {
    status: null,
    code: report.failure?.code ?? null,
    block_code: null,
    message: report.failure?.message ?? null,
  },
})

const running = (video: VideoRecord, report: JobReport, status: Running, nowMs: number): Step => {
  const moved = isRunning(video.status) && RANK[status] > RANK[video.status]
  const progress = report.progress === null ? video.progress : Math.max(video.progress ?? 0, report.progress)
  return {
    video: { ...video, status: moved ? status : video.status, progress, evidence: null },
    notes: moved ? [note(nowMs, status)] : [],
  }
}

/** The backend calls the job completed but gave no link. From here on we ask for the link only. */
export const owing = (video: VideoRecord, report: JobReport, nowMs: number): Step => {
  if (video.phase === 'ended') return { video, notes: [] }
  const known: VideoRecord = { ...learnt(video, report, nowMs), status: 'processing', linkOwed: true }
  return { video: known, notes: video.linkOwed ? [] : [note(nowMs, 'link_owed')] }
}

/** Applies one report about its job to an accepted video. */
export const observe = (video: VideoRecord, report: JobReport, nowMs: number): Step => {
  if (video.phase === 'ended') return { video, notes: [] }
  const known = learnt(video, report, nowMs)
  if (report.status === 'completed') {
    if (known.link) return end(known, { status: 'completed' }, nowMs)
    return thinEvidence({ ...known, status: 'processing', linkOwed: true }, 'link_missing', nowMs)
  }
  if (report.status === 'failed') return end(known, { status: 'failed', error: failedBy(report) }, nowMs)
  if (report.failure) return thinEvidence(known, 'error_without_word', nowMs)
  if (report.status === null) return { video: known, notes: [] }
  return running(known, report, report.status, nowMs)
}

/** The backend said that it knows no such job. */
export const lost = (video: VideoRecord, nowMs: number): Step =>
  video.phase === 'ended' ? { video, notes: [] } : thinEvidence(video, 'lost', nowMs)

const EXPIRED = failure('backend_job_expired', 'the backend did not finish the job in the allowed time')

/** After the last poll, its deadline. */
export const expire = (video: VideoRecord, nowMs: number): Step =>
  end(video, { status: 'failed', error: EXPIRED }, nowMs)

/** How a video moves while its audio is brought to its backend (docs/engine.md, "Videos from audio"). Pure steps. */

/** The key that goes to the backend. It changes once the body did, after a definite refusal of the first one. */
export const idempotencyKeyOf = ({ id, transfer }: VideoRecord): string => `${id}.${transfer?.step === 'done' ? 2 : 1}`

export const needsTransfer = ({ phase, transfer }: VideoRecord): boolean =>
  phase === 'waiting' && transfer?.step === 'needed'

/** The backend does not host the audio. While it is brought there, nothing is paid and no slot is held. */
export const untransferred = (video: VideoRecord, problem: BackendProblem, nowMs: number): Step => ({
  video: {
    ...video,
    phase: 'waiting',
    lease: null,
    wire: null,
    dueAtMs: null,
    waitReason: 'audio_transfer',
    transfer: { step: 'needed', tries: 0 },
    refusal: failureOf(problem),
  },
  notes: [{ at: nowMs, type: 'waiting', detail: 'audio_transfer' }],
})

/** Its client was answered before the transfer ended: a failure can only be reported in the video now. */
export const toldOfTransfer = (video: VideoRecord): Step | 'keep' =>
  video.told ? 'keep' : { video: { ...video, told: true }, notes: [] }

/** The backend hosts the audio now: the create is sent again when its turn comes. */
export const transferred = (video: VideoRecord, audioUrl: string, what: string, nowMs: number): Step => ({
  video: {
    ...video,
    told: true,
    dueAtMs: nowMs,
    waitReason: 'no_free_slot',
    transfer: { step: 'done', tries: video.transfer?.tries ?? 0 },
    order: { ...video.order, audioUrl },
    refusal: null,
  },
  notes: [{ at: nowMs, type: 'audio_transferred', detail: what }],
})

/** Each try fetches the audio anew. */
const MAX_TRIES = 10

/** A fault that may pass: tried again later. After too many tries the video fails. */
export const putOff = (video: VideoRecord, error: VideoError, nowMs: number): Step => {
  const tries = (video.transfer?.tries ?? 0) + 1
  if (tries >= MAX_TRIES) return end(video, { status: 'failed', error }, nowMs)
  return {
    video: { ...video, told: true, transfer: { step: 'needed', tries }, refusal: error },
    notes: [{ at: nowMs, type: 'audio_transfer_delayed', detail: `${error.code}: ${error.message}` }],
  }
}
