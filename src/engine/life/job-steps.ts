import type { AuditEntry } from '../../core/access.ts'
import { type BackendProblem, type JobReport, isShallow } from '../../core/adapter.ts'
import { PROBLEMS, isProblemCode } from '../../core/errors.ts'
import {
  type Evidence,
  NO_INPUT,
  NO_ORDER,
  type NamedJob,
  type Search,
  type TimelineEntry,
  type Verbatim,
  type VideoError,
  type VideoRecord,
  newVideo,
  sourceOf,
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
const HINT_GAP_MS = 30_000

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
 * How an answer about a job moves its video (docs/polling.md, "What an answer about a job means"): never backwards,
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

/** What is left of a video that was deleted: whose it is, when it was made, and what it cost. */
const LEFT = [
  'id',
  'client',
  'account',
  'backend',
  'interface',
  'surface',
  'phase',
  'status',
  'told',
  'progress',
  'backendStatus',
  // So that no other video takes the job for its own.
  'backendJobId',
  'attempt',
  'credits',
  'pool',
  'lowUntilMs',
  'reused',
  'replaces',
  'replacedBy',
  'absentSinceMs',
  'sequence',
  'lastPollAtMs',
  'createdAtMs',
  'dispatchedAtMs',
  'acceptedAtMs',
  'endedAtMs',
] as const satisfies readonly (keyof VideoRecord)[]

/** Deletes what an ended video was made from and what came of it. Pure; the store removes its events and metadata. */
export const erased = (video: VideoRecord, nowMs: number): Step => {
  const left = Object.fromEntries(LEFT.map((key) => [key, video[key]])) as Pick<VideoRecord, (typeof LEFT)[number]>
  return {
    video: newVideo({
      ...left,
      input: NO_INPUT,
      order: NO_ORDER,
      madeFrom: sourceOf(video),
      routing: { ...video.routing, considered: [] },
      error: video.error && { ...video.error, message: 'the video was deleted', backend_error: null },
      waitReason: null,
      dueAtMs: null,
      deletedAtMs: nowMs,
    }),
    notes: [note(nowMs, 'deleted')],
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

export const learnt = (video: VideoRecord, report: JobReport, nowMs: number): VideoRecord => ({
  ...video,
  backendStatus: report.backendStatus ?? video.backendStatus,
  link: report.link ? { ...report.link, learnedAtMs: nowMs } : video.link,
  thumbnailUrl: report.thumbnailUrl ?? video.thumbnailUrl,
  durationSeconds: report.durationSeconds ?? video.durationSeconds,
  durationEstimateSeconds: report.durationEstimateSeconds ?? video.durationEstimateSeconds,
  // An answer that is too large to keep leaves none: the one before says otherwise.
  verbatim: report.backendStatus === null ? (report.verbatim ?? video.verbatim) : report.verbatim,
})

export const failedBy = (report: JobReport): VideoError => ({
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

/**
 * What callbacks make of a video. Nobody signed them, so they are only hints. All of a video's callbacks together are
 * worth three polls: of its job, or of another job that a callback named. Pure.
 */
interface Callback {
  /** The create attempt that its token names. */
  attempt: number
  /** The job that its body names, if it names one. */
  jobId: string | null
  /** As far as it can be kept. */
  body: Verbatim | null
}

const KEPT_BYTES = 16 * 1024

/** A body that can be sent on: an object of at most 16 KiB; null for anything else. */
export const keptBody = (body: unknown): Verbatim | null => {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !isShallow(body)) return null
  return Buffer.byteLength(JSON.stringify(body)) > KEPT_BYTES ? null : { ...body }
}

export const NO_SEARCH: Search = { named: [], walks: [], reading: null, resent: false }
/** Callbacks name three at most; the rest is for second jobs that were learned of in other ways. */
const NAMED_AT_MOST = 10

const namedOf = (video: VideoRecord): readonly NamedJob[] => video.search?.named ?? []
const withNamed = (video: VideoRecord, named: readonly NamedJob[]): VideoRecord => ({
  ...video,
  search: { ...(video.search ?? NO_SEARCH), named: named.slice(-NAMED_AT_MOST) },
})

/** Moves the polls that are still to be made, so that each keeps its distance to the one at `polledAtMs`. */
const apart = (named: readonly NamedJob[], polledAtMs: number): NamedJob[] => {
  let freeAtMs = polledAtMs + HINT_GAP_MS
  return named.map((job) => {
    if (job.state !== 'pending') return job
    const atMs = Math.max(job.atMs, freeAtMs)
    freeAtMs = atMs + HINT_GAP_MS
    return { ...job, atMs }
  })
}

/** Notes that a job was read, or is read at `job.atMs`. */
const concluded = (video: VideoRecord, job: NamedJob): VideoRecord => {
  const others = namedOf(video).filter(({ jobId }) => jobId !== job.jobId)
  return withNamed(video, apart([...others, job], job.atMs))
}

/** When the next poll for a callback may go; null: all are used. */
const slotOf = (video: VideoRecord, nowMs: number): number | null => {
  const granted = [video.lastHintAtMs ?? 0, ...namedOf(video).map(({ atMs }) => atMs)]
  return hintedPollAt(video.hintedPolls, video.hintedPolls === 0 ? null : Math.max(...granted), nowMs)
}

const isUnsent = ({ phase, wire }: VideoRecord): boolean =>
  phase === 'waiting' || (phase === 'dispatching' && wire === null)

/** Whether an attempt may have made an unknown job. A callback on the token of any may then name it. */
const isInQuestion = (video: VideoRecord): boolean => {
  if (video.backendJobId !== null || video.phase === 'ended') return false
  return !isUnsent(video) || video.search?.resent === true
}

/** The job to read next that may end the video's doubt. */
export const pendingEvidence = (video: VideoRecord): NamedJob | null =>
  isInQuestion(video) ? (namedOf(video).find(({ state }) => state === 'pending') ?? null) : null

/** The next job to read that ends no doubt: mostly the video has its job already. */
export const pendingSecondJob = (video: VideoRecord): NamedJob | null =>
  isInQuestion(video) ? null : (namedOf(video).find(({ state }) => state === 'pending') ?? null)
export const secondJobAt = (video: VideoRecord): number | null => pendingSecondJob(video)?.atMs ?? null

/** Which of these jobs callbacks of this video have named, in the order of naming. */
export const namedAmong = (video: VideoRecord, jobIds: readonly string[]): string[] =>
  namedOf(video).flatMap(({ jobId }) => (jobIds.includes(jobId) ? [jobId] : []))

/** Notes that a named job was read. A later callback may have it read again. */
export const readNow = (video: VideoRecord, jobId: string, nowMs: number): VideoRecord => {
  const job = namedOf(video).find((one) => one.jobId === jobId)
  return job?.state === 'pending' ? concluded(video, { ...job, atMs: nowMs, state: 'read' }) : video
}

/** The job could not be read. It is read again if a poll is left for callbacks. */
export const unreadNow = (video: VideoRecord, { jobId }: NamedJob, notBeforeMs: number, nowMs: number): VideoRecord => {
  const job = namedOf(video).find((one) => one.jobId === jobId)
  if (job?.state !== 'pending') return video
  const tried = readNow(video, jobId, nowMs)
  const atMs = slotOf(tried, nowMs)
  if (atMs === null) return tried
  const others = namedOf(tried).filter((one) => one.jobId !== jobId)
  const again = { ...job, atMs: Math.max(atMs, notBeforeMs) }
  return { ...withNamed(tried, [...others, again]), hintedPolls: video.hintedPolls + 1 }
}

/**
 * A second job of this video. It is paid for and cannot be undone, so somebody must see it. Null if it was reported
 * already.
 */
export const duplicate = (video: VideoRecord, jobId: string, nowMs: number): Step | null => {
  const known = namedOf(video).find((one) => one.jobId === jobId)
  if (video.backendJobId === jobId || known?.state === 'duplicate') return null
  return {
    video: concluded(video, { jobId, atMs: nowMs, state: 'duplicate' }),
    notes: [{ at: nowMs, type: 'duplicate_job', detail: jobId }],
  }
}

/** The poll that callbacks asked for before the job was known; `atMs` null: none. */
export const owedPoll = (
  video: VideoRecord,
  jobId: string,
  nowMs: number,
): { video: VideoRecord; atMs: number | null } => {
  const own = namedOf(video).find((one) => one.jobId === jobId && one.state === 'pending')
  if (own) {
    // What was to be read is the poll.
    const atMs = Math.max(own.atMs, nowMs)
    return { video: { ...concluded(video, { ...own, atMs, state: 'read' }), lastHintAtMs: atMs }, atMs }
  }
  const unhinted = { ...video, lastHintAtMs: null }
  const atMs = video.lastHintAtMs === null ? null : slotOf(unhinted, nowMs)
  return atMs === null
    ? { video: unhinted, atMs }
    : { video: { ...video, hintedPolls: video.hintedPolls + 1, lastHintAtMs: atMs }, atMs }
}

/**
 * Poll soon. `plannedAtMs`: the poll that is planned already, which the record does not tell after a poll that changed
 * nothing; null when there is none.
 */
const hinted = (video: VideoRecord, plannedAtMs: number | null, nowMs: number): Step | null => {
  if (video.phase === 'ended' || video.phase === 'waiting') return null
  const notes = [{ at: nowMs, type: 'callback', detail: null }]
  if (video.phase !== 'accepted') {
    // Nothing to poll yet: one poll is due when there is, however many callbacks come.
    return video.lastHintAtMs === null ? { video: { ...video, lastHintAtMs: nowMs }, notes } : null
  }
  // A poll that is planned already will see what this one speaks of.
  if (video.lastHintAtMs !== null && video.lastHintAtMs > nowMs) return null
  const slotAtMs = slotOf(video, nowMs)
  if (slotAtMs === null) return null
  const atMs = Math.max(slotAtMs, video.nextPollAtMs ?? 0)
  const dueAtMs = Math.min(plannedAtMs ?? atMs, atMs)
  return { video: { ...video, hintedPolls: video.hintedPolls + 1, lastHintAtMs: atMs, dueAtMs }, notes }
}

/** Whether reading this job could tell anything new. */
const isWorthReading = (video: VideoRecord, jobId: string): boolean => {
  const state = namedOf(video).find((one) => one.jobId === jobId)?.state
  return state === undefined || state === 'read' || (state === 'duplicate' && isInQuestion(video))
}

/** What a job that is to be read at `atMs` means for a create whose outcome is unknown. */
const doubtMoved = (video: VideoRecord, atMs: number, nowMs: number): VideoRecord => {
  if (isUnsent(video)) return doubtedAgain(video, atMs, nowMs)
  return video.phase === 'doubtful' ? { ...video, dueAtMs: Math.min(video.dueAtMs ?? atMs, atMs) } : video
}

/** A callback names a job that the video does not have. It means nothing before the backend has confirmed it. */
const named = (video: VideoRecord, jobId: string, nowMs: number): Step | null => {
  const atMs = slotOf(video, nowMs)
  if (atMs === null || !isWorthReading(video, jobId)) return null
  const others = namedOf(video).filter((one) => one.jobId !== jobId)
  const polled = { ...video, hintedPolls: video.hintedPolls + 1 }
  const called = withNamed(polled, [...others, { jobId, atMs, state: 'pending' }])
  const detail = `a callback named ${jobId}`
  return isInQuestion(video)
    ? { video: doubtMoved(called, atMs, nowMs), notes: [{ at: nowMs, type: 'doubt', detail }] }
    : { video: called, notes: [{ at: nowMs, type: 'callback', detail }] }
}

/** The attempt may have made a job after all: nothing is sent again before that job was read. */
const doubtedAgain = (video: VideoRecord, dueAtMs: number, nowMs: number): VideoRecord => ({
  ...video,
  phase: 'doubtful',
  lease: null,
  search: { ...(video.search ?? NO_SEARCH), walks: [], reading: null, resent: false },
  dueAtMs,
  doubtSinceMs: nowMs,
  waitReason: null,
})

/**
 * Keeps the body for a client that speaks the contract of the backend: the first, and each that is worth a poll. So no
 * number of callbacks is worth many writes.
 */
const withBody = (video: VideoRecord, step: Step | null, { attempt, jobId, body }: Callback): Step | null => {
  const isWanted = video.webhookUrl !== null && video.surface === video.interface && video.phase !== 'ended'
  if (body === null || !isWanted || attempt !== video.attempt) return step
  if (step === null && video.callback?.attempt === attempt) return null
  return { video: { ...(step?.video ?? video), callback: { attempt, jobId, body } }, notes: step?.notes ?? [] }
}

/** What a callback makes of a video; null: nothing. */
export const calledBack = (
  video: VideoRecord,
  callback: Callback,
  plannedAtMs: number | null,
  nowMs: number,
): Step | null => {
  const { attempt, jobId } = callback
  const step =
    jobId === null || jobId === video.backendJobId || attempt < 1 || attempt > video.attempt
      ? hinted(video, plannedAtMs, nowMs)
      : named(video, jobId, nowMs)
  return withBody(video, step, callback)
}
