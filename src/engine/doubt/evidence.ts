import type { JobTraits, ListedJob } from '../../core/adapter.ts'
import { evidenceOf } from '../../core/evidence.ts'
import type { Order, VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'

/**
 * What ends a doubt where no idempotency key can: the one job on an account of our own that can only be this one, or proof
 * that there is none. Pure; never a guess.
 */
export interface Walk {
  /** When it began, our clock. */
  atMs: number
  /** What every page of it said the list holds; null when pages disagreed, were missing, or told none. */
  total: number | null
}

/** `sentAtMs` to `deadlineMs`: when the backend may have taken the create, our clock. */
export interface Sent {
  sentAtMs: number
  deadlineMs: number
}

export type Finding =
  { kind: 'look_again'; atMs: number } | { kind: 'found'; jobId: string } | { kind: 'ambiguous' } | { kind: 'absent' }

/** A walk counts once, also when two processes finish it. */
export const withWalk = (walks: readonly Walk[], walk: Walk): Walk[] =>
  [...walks.filter(({ atMs }) => atMs !== walk.atMs), walk].slice(-4)

/** The jobs that may be the video's, as far as its backend's list was read. */
export const candidatesOf = ({ search }: Pick<VideoRecord, 'search'>): string[] =>
  (search?.reading?.candidates ?? []).flatMap(({ jobId, isOurs }) => (isOurs === true ? [jobId] : []))

/** Clocks told by two headers of whole seconds, and a backend that stamps a job when it begins or ends taking it. */
const WINDOW_SLACK_MS = 2 * 60_000

/** A job that the backend stamped while it may have taken the create. `offsetMs`: the backend's clock less ours. */
const inWindow = (createdAtMs: number | null, { sentAtMs, deadlineMs }: Sent, offsetMs: number): boolean => {
  if (createdAtMs === null) return false
  const atMs = createdAtMs - offsetMs
  return atMs >= sentAtMs - WINDOW_SLACK_MS && atMs <= deadlineMs + WINDOW_SLACK_MS
}

/**
 * Where the list is the evidence, creates that it could not tell apart go one at a time (design 4, "Doubt"): those of one
 * puppet, since a voice or resolution that was not asked for may be any.
 */
export const laneOf = ({ adapter, evidence: { exclusive } }: Account, order: Order): string | null =>
  evidenceOf(adapter.capabilities, { exclusive, isReachable: false }).list ? JSON.stringify([order.puppetId]) : null

/** What a line of the list tells: the rest is in the job's detail. */
export const mayBe = (order: Order, sent: Sent, job: ListedJob, offsetMs: number): boolean =>
  order.puppetId !== null && job.puppetId === order.puppetId && inWindow(job.createdAtMs, sent, offsetMs)

/**
 * A line that is no candidate, and cannot be ruled out either: it tells too little, or a time after the create, at which
 * nobody made one like it, since none goes while this one is in doubt.
 */
export const isVague = (order: Order, { sentAtMs, deadlineMs }: Sent, job: ListedJob, offsetMs: number): boolean => {
  const isBefore = job.createdAtMs !== null && job.createdAtMs - offsetMs < sentAtMs - WINDOW_SLACK_MS
  const mayBeLike = job.puppetId === null || job.puppetId === order.puppetId
  return mayBeLike && !isBefore && !mayBe(order, { sentAtMs, deadlineMs }, job, offsetMs)
}

/** Whether a job of a video of ours is stamped while it was sent, by what the `Date`s told then; true where nothing can tell. */
export const isStampedAsSent = (own: VideoRecord, { createdAtMs }: ListedJob, timeoutMs: number): boolean =>
  own.dispatchedAtMs === null ||
  own.sentOffsetMs === null ||
  createdAtMs === null ||
  inWindow(createdAtMs, sentWindow(own, timeoutMs), own.sentOffsetMs)

/** What a job's detail tells. An option that was not asked for may be anything: the backend chose it. */
export const isMadeOf = (order: Order, made: JobTraits): boolean =>
  order.puppetId !== null &&
  made.puppetId === order.puppetId &&
  (order.voiceId === null || made.voiceId === order.voiceId) &&
  (order.resolution === null || made.resolution === order.resolution)

export const sentWindow = (video: VideoRecord, timeoutMs: number): Sent => {
  const sentAtMs = video.dispatchedAtMs ?? video.createdAtMs
  return { sentAtMs, deadlineMs: sentAtMs + timeoutMs }
}

/**
 * By which the list's stamps are read: the backend's clock less ours as it was when the create went out, else as the
 * walk (`offsetMs`) found it. `proves`: no clock was set in between, as far as can be told, so that what the list lacks
 * is absent. `startedAtMs`: when this process began; what an earlier one sent is known by the former alone.
 */
export const offsetFor = (
  { sentOffsetMs, dispatchedAtMs }: VideoRecord,
  offsetMs: number,
  startedAtMs: number,
): { offsetMs: number; proves: boolean } =>
  sentOffsetMs === null
    ? { offsetMs, proves: (dispatchedAtMs ?? 0) >= startedAtMs }
    : { offsetMs: sentOffsetMs, proves: Math.abs(offsetMs - sentOffsetMs) <= WINDOW_SLACK_MS }

/**
 * Whether a create that has no answer yet may have made this job: only what contradicts it for certain says no.
 * `offsetMs`: the backend's clock less ours when it was made; null: not known.
 */
export const mayHaveMade = (video: VideoRecord, made: JobTraits, offsetMs: number | null): boolean => {
  if (video.phase === 'dispatching' && video.wire === null) return false
  const { puppetId, voiceId, resolution } = video.order
  const differs = (asked: string | null, told: string | null): boolean =>
    asked !== null && told !== null && asked !== told
  if (differs(puppetId, made.puppetId) || differs(voiceId, made.voiceId) || differs(resolution, made.resolution)) {
    return false
  }
  if (made.createdAtMs === null || offsetMs === null) return true
  return made.createdAtMs - offsetMs >= video.createdAtMs - WINDOW_SLACK_MS
}

/** What was sent earlier can have made no job that the window of this create has in it. */
export const likeSinceMs = ({ sentAtMs, deadlineMs }: Sent): number =>
  sentAtMs - (deadlineMs - sentAtMs) - 2 * WINDOW_SLACK_MS

/** When to walk the list, after the send deadline: early, for a job that is there already, then for its absence. */
const EARLY_WALKS_MS = [0, 30_000] as const
const SECOND_PROOF_MS = 30_000

const nextWalkAt = (walks: readonly Walk[], deadlineMs: number, absentAfterMs: number, nowMs: number): number => {
  const early = EARLY_WALKS_MS[walks.length]
  if (early !== undefined && early < absentAfterMs && deadlineMs + early > nowMs) return deadlineMs + early
  // Whatever the last one told: a list that is never whole must not be walked without a pause.
  const pausedMs = (walks.at(-1)?.atMs ?? 0) >= deadlineMs + absentAfterMs ? nowMs + SECOND_PROOF_MS : nowMs
  return Math.max(deadlineMs + absentAfterMs, pausedMs)
}

/**
 * What the walks so far prove; `candidates` are those of the last. One is the job, since nobody else creates on the
 * account and like creates go one at a time. None is proof of absence only after two whole walks of a list of the same
 * length, both `absentAfterMs` after the send deadline.
 */
export const judge = (
  candidates: readonly string[],
  walks: readonly Walk[],
  { deadlineMs, absentAfterMs, nowMs }: { deadlineMs: number; absentAfterMs: number; nowMs: number },
): Finding => {
  const [only, another] = candidates
  if (another !== undefined) return { kind: 'ambiguous' }
  if (only !== undefined) return { kind: 'found', jobId: only }
  const [last, before] = walks.filter((walk) => walk.atMs >= deadlineMs + absentAfterMs).toReversed()
  if (last && before && last.total !== null && last.total === before.total) return { kind: 'absent' }
  return { kind: 'look_again', atMs: nextWalkAt(walks, deadlineMs, absentAfterMs, nowMs) }
}
