import type { JobReport, ReadOutcome } from '../../core/adapter.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import { sourceOf, type TimelineEntry, type VideoRecord } from '../../core/video.ts'
import type { Decided } from '../life/apply.ts'
import type { Reading } from './progress.ts'
import { expire, lost, observe, owing, type Step } from '../life/job-steps.ts'

/** What a process remembers of a running job between writes: looks that changed nothing are not written. */
export interface LookMemory {
  /** The record's version that this memory speaks of; a newer record voids `dueAtMs`. */
  version: number
  dueAtMs: number
  /** The backend asked not to be asked before. */
  notBeforeMs: number | null
  failures: number
  lastLookAtMs: number | null
  /** When the last look that found it running was asked: it ends after that. */
  ranAtMs: number | null
  /** Due for another reason than how late it may be: the last look failed, or a callback may be lost. */
  must: boolean
  /** A list told nothing of it: its own look is next. */
  alone: boolean
  /** Looks since the last write, which learned nothing worth one: told with the next. */
  quiet: number
  /** The job's progress so far. */
  readings: readonly Reading[]
}

export type Action = 'look' | 'resend' | 'recover'

const ACTION_OF = { accepted: 'look', doubtful: 'resend', dispatching: 'recover' } as const
type Acting = keyof typeof ACTION_OF
const isActing = (phase: string): phase is Acting => phase in ACTION_OF

/** What a running video calls for when it is due; null: it runs no more. */
export const actionOf = ({ phase }: Pick<OpenVideo, 'phase'>): Action | null =>
  isActing(phase) ? ACTION_OF[phase] : null

/** What a list of running videos would say of this one; null: it runs not. */
export const openRowOf = (video: VideoRecord): OpenVideo | null =>
  isActing(video.phase)
    ? {
        id: video.id,
        client: video.client,
        phase: video.phase,
        version: video.version,
        dueAtMs: video.dueAtMs,
        leaseUntilMs: video.lease?.untilMs ?? null,
        backend: video.backend,
        acceptedAtMs: video.acceptedAtMs,
        lastHintAtMs: video.lastHintAtMs,
        hasWebhook: video.webhookUrl !== null,
        linkOwed: video.linkOwed,
        source: sourceOf(video),
      }
    : null

/** When it is due, as remembered or as written, whichever is newer: a row may be older than the write remembered. */
export const plannedAt = (row: Pick<OpenVideo, 'version' | 'dueAtMs'>, memory: LookMemory | undefined): number =>
  Math.max(
    memory && memory.version >= row.version ? memory.dueAtMs : (row.dueAtMs ?? 0),
    // Whoever asks for a look, and why: never before the backend wants one.
    memory?.notBeforeMs ?? 0,
  )

/** When a running video is due; one that is being dispatched when whoever does it has died. */
export const dueAtOf = (row: OpenVideo, memory: LookMemory | undefined): number =>
  row.phase === 'dispatching' ? (row.leaseUntilMs ?? 0) : plannedAt(row, memory)

/** With fewer looks due together, each is as cheap by itself, and tells more. */
const GLANCE_AT_LEAST = 3
/** Pages of one glance: a list that never ends is not followed for ever. */
const PAGES_AT_MOST = 20

/**
 * How the looks that are due are taken, most urgent first: `together` with one list request, where the backend has a
 * list, and `single` while there is room. What a list told nothing of has its own look next. Pure.
 */
export const lookPlan = <T>(
  due: readonly T[],
  isAlone: (one: T) => boolean,
  { hasList, isGlancing, room }: { hasList: boolean; isGlancing: boolean; room: number },
): { together: T[]; single: T[] } => {
  const left = Math.max(0, room)
  const together = hasList ? due.filter((one) => !isAlone(one)) : []
  if (together.length < GLANCE_AT_LEAST) return { together: [], single: due.slice(0, left) }
  const glances = !isGlancing && left > 0
  const single = due.filter(isAlone).slice(0, glances ? left - 1 : left)
  return { together: glances ? together : [], single }
}

/** When the backend asks to be asked again. */
export const hintOf = (outcome: ReadOutcome<JobReport>): number | null =>
  outcome.ok ? outcome.value.nextPollAtMs : outcome.problem.retryAtMs

/**
 * Whether the list's next page is cheaper than a look at each that was not seen yet. Lists are newest first, so those
 * that run stand in front: a page that showed few of them is the last that was worth its request. Pure.
 */
export const wantsNextPage = (read: {
  page: number
  totalPages: number | null
  /** Of those asked after: on this page, and on none so far. */
  found: number
  unseen: number
}): boolean =>
  read.page < Math.min(read.totalPages ?? 1, PAGES_AT_MOST) &&
  read.found >= GLANCE_AT_LEAST &&
  read.unseen >= GLANCE_AT_LEAST

/** When to look next: a look that a callback asked for after this one began is still owed. */
export const dueAfter = (video: VideoRecord, startedAtMs: number, dueAtMs: number): number =>
  video.lastHintAtMs !== null && video.lastHintAtMs > startedAtMs ? Math.min(dueAtMs, video.lastHintAtMs) : dueAtMs

const TOLD = [
  'phase',
  'status',
  'progress',
  'backendStatus',
  'evidence',
  'linkOwed',
  'thumbnailUrl',
  'durationSeconds',
  'durationEstimateSeconds',
] as const satisfies readonly (keyof VideoRecord)[]

const isNews = (before: VideoRecord, after: VideoRecord): boolean =>
  TOLD.some((key) => before[key] !== after[key]) || before.link?.url !== after.link?.url

/** How long past its deadline a job is still asked after, while no answer comes. */
const LAST_LOOK_MS = 3_600_000

/**
 * By the backend's own clock the job is younger than that: ours may have been set, and a paid job is not failed for it.
 * One that stands still is believed for as long again, and no longer: the job would hold its slot for ever.
 */
const isYoungThere = ({ acceptedDateMs }: VideoRecord, { rate }: ReadOutcome<JobReport>, maxAgeMs: number): boolean =>
  acceptedDateMs !== null && (rate?.dateMs ?? Infinity) - acceptedDateMs < maxAgeMs

/** When a look that found the job running was asked; null: it may have ended before. */
export const ranAt = (outcome: ReadOutcome<JobReport>, startedAtMs: number): number | null =>
  outcome.ok && (outcome.value.status === 'queued' || outcome.value.status === 'processing') ? startedAtMs : null

const lookedNote = (at: number, quiet: number): TimelineEntry => ({
  at,
  type: 'looked',
  detail: quiet === 0 ? null : `${quiet + 1} times since the last entry`,
})

/** What a look makes of a video whose job is over, and whose link could not be asked for. Pure. */
export const afterOver = (
  video: VideoRecord,
  over: JobReport,
  { nowMs, dueAtMs, memory }: { nowMs: number; dueAtMs: number; memory: Pick<LookMemory, 'ranAtMs' | 'quiet'> },
): Decided => {
  if (video.phase !== 'accepted' || video.linkOwed) return 'keep'
  const step = owing(video, over, nowMs)
  const lastLookAtMs = Math.max(memory.ranAtMs ?? 0, video.lastLookAtMs ?? 0) || null
  return {
    video: { ...step.video, lastLookAtMs, nextPollAtMs: over.nextPollAtMs, dueAtMs },
    notes: [lookedNote(nowMs, memory.quiet), ...step.notes],
  }
}

/** What one look makes of an accepted video; `keep` when it learned nothing worth a write. Pure. */
export const afterLook = (
  video: VideoRecord,
  outcome: ReadOutcome<JobReport>,
  {
    nowMs,
    over,
    startedAtMs,
    ranAtMs,
    dueAtMs,
    maxAgeMs,
    quiet,
  }: {
    nowMs: number
    /** Its state called it completed, and `outcome` is what was then told of its link. */
    over: JobReport | null
    startedAtMs: number
    /** As known before this look. */
    ranAtMs: number | null
    dueAtMs: number
    maxAgeMs: number
    quiet: number
  },
): Decided => {
  if (video.phase !== 'accepted') return 'keep'
  const base: VideoRecord = { ...video, lastLookAtMs: Math.max(ranAtMs ?? 0, video.lastLookAtMs ?? 0) || null }
  const known: Step = over ? owing(base, over, nowMs) : { video: base, notes: [] }
  let step: Step = { video: known.video, notes: [] }
  if (outcome.ok) step = observe(known.video, outcome.value, nowMs)
  else if (outcome.lost) step = lost(known.video, nowMs)
  const overdueMs = nowMs - (video.acceptedAtMs ?? nowMs) - maxAgeMs
  const mayExpire = overdueMs >= maxAgeMs || (overdueMs >= 0 && !isYoungThere(video, outcome, maxAgeMs))
  if (step.video.phase !== 'ended' && mayExpire && (outcome.ok || outcome.lost || overdueMs >= LAST_LOOK_MS)) {
    step = expire(step.video, nowMs)
  }
  const looked = lookedNote(nowMs, quiet)
  if (step.video.phase === 'ended') return { video: step.video, notes: [looked, ...step.notes] }
  if (!isNews(base, step.video)) return 'keep'
  const nextPollAtMs = hintOf(outcome)
  const nextAtMs = Math.max(dueAfter(video, startedAtMs, dueAtMs), nextPollAtMs ?? 0)
  const lastLookAtMs = ranAt(outcome, startedAtMs) ?? base.lastLookAtMs
  const notes = [looked, ...known.notes, ...step.notes]
  return { notes, video: { ...step.video, lastLookAtMs, nextPollAtMs, dueAtMs: nextAtMs } }
}

/**
 * What a process that ends on purpose leaves of its memory: looks that changed nothing, and when the backend wants to be
 * asked again. `keep` where the record tells as much. Pure.
 */
export const leftBehind = (video: VideoRecord, memory: LookMemory, nowMs: number): Decided => {
  const { lastLookAtMs, ranAtMs, notBeforeMs, quiet } = memory
  const isTold = quiet === 0 && (notBeforeMs ?? 0) <= (video.nextPollAtMs ?? 0)
  if (video.phase !== 'accepted' || lastLookAtMs === null || isTold) return 'keep'
  const after = {
    ...video,
    lastLookAtMs: Math.max(ranAtMs ?? 0, video.lastLookAtMs ?? 0) || null,
    nextPollAtMs: Math.max(notBeforeMs ?? 0, video.nextPollAtMs ?? 0) || null,
    dueAtMs: plannedAt(video, memory),
  }
  const detail = `${quiet} times since the last entry`
  return { video: after, notes: quiet === 0 ? [] : [{ at: nowMs, type: 'looked', detail }] }
}
