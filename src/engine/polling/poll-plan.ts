import type { JobReport, ReadOutcome } from '../../core/adapter.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import { sourceOf, type TimelineEntry, type VideoRecord } from '../../core/video.ts'
import type { Decided } from '../life/apply.ts'
import { dueAfter, hintOf, linesOf, type PollMemory, ranAt, type Unwritten } from './poll-memory.ts'
import { expire, lost, observe, owing, type Step } from '../life/job-steps.ts'

export type Action = 'poll' | 'settle' | 'recover'

const ACTION_OF = { accepted: 'poll', doubtful: 'settle', dispatching: 'recover' } as const
type Acting = keyof typeof ACTION_OF
const isActing = (phase: string): phase is Acting => phase in ACTION_OF

/** What to do with a running video when it is due; null: it does not run any more. */
export const actionOf = ({ phase }: Pick<OpenVideo, 'phase'>): Action | null =>
  isActing(phase) ? ACTION_OF[phase] : null

/** The row of a running video; null: it does not run. */
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

/** When it is due, by memory or by the row, whichever is newer. */
export const plannedAt = (row: Pick<OpenVideo, 'version' | 'dueAtMs'>, memory: PollMemory | undefined): number =>
  Math.max(
    memory && memory.version >= row.version ? memory.dueAtMs : (row.dueAtMs ?? 0),
    // Whatever the reason: never before the backend wants a poll.
    memory?.notBeforeMs ?? 0,
  )

/** When a running video is due. One that is being dispatched is due when its lease has run out. */
export const dueAtOf = (row: OpenVideo, memory: PollMemory | undefined): number =>
  row.phase === 'dispatching' ? (row.leaseUntilMs ?? 0) : plannedAt(row, memory)

/** With fewer polls due together, single ones are as cheap, and tell more. */
const GLANCE_AT_LEAST = 3
/** Pages of one poll by list: a list that never ends is not followed for ever. */
const PAGES_AT_MOST = 20

/**
 * How due polls are made, most urgent first: `together` by a list, where the backend has one, or `single`, while there
 * is room. A job that the list did not report is polled by itself next. Pure.
 */
export const pollPlan = <T>(
  due: readonly T[],
  isAlone: (one: T) => boolean,
  { hasList, isListing, room }: { hasList: boolean; isListing: boolean; room: number },
): { together: T[]; single: T[] } => {
  const left = Math.max(0, room)
  const together = hasList ? due.filter((one) => !isAlone(one)) : []
  if (together.length < GLANCE_AT_LEAST) return { together: [], single: due.slice(0, left) }
  const listings = !isListing && left > 0
  const single = due.filter(isAlone).slice(0, listings ? left - 1 : left)
  return { together: listings ? together : [], single }
}

/**
 * Whether the list's next page is cheaper than single polls of the jobs not seen yet. Lists are newest first, so
 * running jobs come first: after a page with few of them, the next is not worth its request. Pure.
 */
export const wantsNextPage = (read: {
  page: number
  totalPages: number | null
  /** How many of the wanted jobs are new on this page. */
  found: number
  unseen: number
}): boolean =>
  read.page < Math.min(read.totalPages ?? 1, PAGES_AT_MOST) &&
  read.found >= GLANCE_AT_LEAST &&
  read.unseen >= GLANCE_AT_LEAST

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

/** How long a job is still polled past its deadline, while no answer comes. */
const LAST_LOOK_MS = 3_600_000

/**
 * Whether the job is younger by the backend's own clock. Ours may have been set, and a paid job is not failed for that.
 * A backend's clock that does not move is believed for as long again and no longer, or the job would hold its slot for
 * ever.
 */
const isYoungThere = ({ acceptedDateMs }: VideoRecord, { rate }: ReadOutcome<JobReport>, maxAgeMs: number): boolean =>
  acceptedDateMs !== null && (rate?.dateMs ?? Infinity) - acceptedDateMs < maxAgeMs

/** Applies a poll that found the job over, but could not ask for the link. Pure. */
export const afterOver = (
  video: VideoRecord,
  over: JobReport,
  { nowMs, dueAtMs, ranAtMs, polls }: Pick<PollContext, 'nowMs' | 'dueAtMs' | 'ranAtMs' | 'polls'>,
): Decided => {
  if (video.phase !== 'accepted' || video.linkOwed) return 'keep'
  const step = owing(video, over, nowMs)
  const lastPollAtMs = Math.max(ranAtMs ?? 0, video.lastPollAtMs ?? 0) || null
  return {
    video: { ...step.video, lastPollAtMs, nextPollAtMs: over.nextPollAtMs, dueAtMs },
    notes: [...polls, ...step.notes],
  }
}

interface PollContext {
  nowMs: number
  /** Its state called it completed, and `outcome` is what was then reported of its link. */
  over: JobReport | null
  startedAtMs: number
  /** As known before this poll. */
  ranAtMs: number | null
  dueAtMs: number
  maxAgeMs: number
  /** This one, behind those that are not written yet. */
  polls: readonly TimelineEntry[]
}

/** Applies one poll to an accepted video; `keep` when it learned nothing worth a write. Pure. */
export const afterPoll = (
  video: VideoRecord,
  outcome: ReadOutcome<JobReport>,
  { nowMs, over, startedAtMs, ranAtMs, dueAtMs, maxAgeMs, polls }: PollContext,
): Decided => {
  if (video.phase !== 'accepted') return 'keep'
  const base: VideoRecord = { ...video, lastPollAtMs: Math.max(ranAtMs ?? 0, video.lastPollAtMs ?? 0) || null }
  const known: Step = over ? owing(base, over, nowMs) : { video: base, notes: [] }
  let step: Step = { video: known.video, notes: [] }
  if (outcome.ok) step = observe(known.video, outcome.value, nowMs)
  else if (outcome.lost) step = lost(known.video, nowMs)
  const overdueMs = nowMs - (video.acceptedAtMs ?? nowMs) - maxAgeMs
  const mayExpire = overdueMs >= maxAgeMs || (overdueMs >= 0 && !isYoungThere(video, outcome, maxAgeMs))
  if (step.video.phase !== 'ended' && mayExpire && (outcome.ok || outcome.lost || overdueMs >= LAST_LOOK_MS)) {
    step = expire(step.video, nowMs)
  }
  if (step.video.phase === 'ended') return { video: step.video, notes: [...polls, ...step.notes] }
  if (!isNews(base, step.video)) return 'keep'
  const nextPollAtMs = hintOf(outcome)
  const nextAtMs = Math.max(dueAfter(video, startedAtMs, dueAtMs), nextPollAtMs ?? 0)
  const lastPollAtMs = ranAt(outcome, startedAtMs) ?? base.lastPollAtMs
  const notes = [...polls, ...known.notes, ...step.notes]
  return { notes, video: { ...step.video, lastPollAtMs, nextPollAtMs, dueAtMs: nextAtMs } }
}

/**
 * What a process writes of its memory before it stops: polls that changed nothing, and when the backend wants to be
 * polled again. `keep` where the record says the same. Pure.
 */
export const leftBehind = (video: VideoRecord, memory: PollMemory, unwritten: Unwritten): Decided => {
  const { lastPollAtMs, ranAtMs, notBeforeMs } = memory
  const polls = linesOf(unwritten)
  const isHintTold = lastPollAtMs === null || (notBeforeMs ?? 0) <= (video.nextPollAtMs ?? 0)
  if (video.phase !== 'accepted' || (polls.length === 0 && isHintTold)) return 'keep'
  const after = {
    ...video,
    lastPollAtMs: Math.max(ranAtMs ?? 0, video.lastPollAtMs ?? 0) || null,
    nextPollAtMs: Math.max(notBeforeMs ?? 0, video.nextPollAtMs ?? 0) || null,
    dueAtMs: plannedAt(video, memory),
  }
  return { video: after, notes: polls }
}
