import { isShallow } from '../../core/adapter.ts'
import type { NamedJob, Search, Verbatim, VideoRecord } from '../../core/video.ts'
import { HINT_GAP_MS, hintedPollAt, type Step } from './job-steps.ts'

/**
 * What callbacks make of a video. Nobody signed them, so they are only hints. All of a video's callbacks together are
 * worth three polls: of its job, or of another job that a callback named. Pure.
 */
export interface Callback {
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
