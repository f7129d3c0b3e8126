import type { JobReport, ReadOutcome } from '../core/adapter.ts'
import type { OpenVideo } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Decided } from './engine.ts'
import type { Reading } from './progress.ts'
import { expire, lost, observe, type Step } from './settle.ts'

/** What a process remembers of a running job between writes: looks that changed nothing are not written. */
export interface LookMemory {
  /** The record's version that this memory speaks of; a newer record voids `dueAtMs`. */
  version: number
  dueAtMs: number
  /** The backend asked not to be asked before. */
  notBeforeMs: number | null
  failures: number
  lastLookAtMs: number | null
  /** Due for another reason than how late it may be: the last look failed, or a callback may be lost. */
  must: boolean
  /** Looks since the last write, which learned nothing worth one: told with the next. */
  quiet: number
  /** The job's progress so far. */
  readings: readonly Reading[]
}

export type Action = 'look' | 'resend' | 'recover'

const ACTION_OF = { accepted: 'look', doubtful: 'resend', dispatching: 'recover' } as const
type Acting = keyof typeof ACTION_OF
const isActing = (phase: string): phase is Acting => phase in ACTION_OF

/** When it is due, as remembered or as written, whichever is newer: a row may be older than the write remembered. */
export const plannedAt = (row: Pick<OpenVideo, 'version' | 'dueAtMs'>, memory: LookMemory | undefined): number =>
  Math.max(
    memory && memory.version >= row.version ? memory.dueAtMs : (row.dueAtMs ?? 0),
    // Whoever asks for a look, and why: never before the backend wants one.
    memory?.notBeforeMs ?? 0,
  )

const dueAtOf = (row: OpenVideo, memory: LookMemory | undefined): number =>
  row.phase === 'dispatching' ? (row.leaseUntilMs ?? 0) : plannedAt(row, memory)

/** Which open videos of an account are due, earliest first, and when the next of the others is. Pure. */
export const planLooks = (
  rows: readonly OpenVideo[],
  memories: ReadonlyMap<string, LookMemory>,
  nowMs: number,
): { due: { row: OpenVideo; action: Action }[]; nextAtMs: number | null } => {
  const timed = rows.flatMap((row) =>
    isActing(row.phase) ? [{ row, action: ACTION_OF[row.phase], dueAtMs: dueAtOf(row, memories.get(row.id)) }] : [],
  )
  const later = timed.filter((row) => row.dueAtMs > nowMs).map((row) => row.dueAtMs)
  return {
    due: timed.filter((row) => row.dueAtMs <= nowMs).toSorted((a, b) => a.dueAtMs - b.dueAtMs),
    nextAtMs: later.length === 0 ? null : Math.min(...later),
  }
}

/** When the backend asks to be asked again. */
export const hintOf = (outcome: ReadOutcome<JobReport>): number | null =>
  outcome.ok ? outcome.value.nextPollAtMs : outcome.problem.retryAtMs

/** When to look next: a look that a callback asked for after this one began is still owed. */
export const dueAfter = (video: VideoRecord, startedAtMs: number, dueAtMs: number): number =>
  video.lastHintAtMs !== null && video.lastHintAtMs > startedAtMs ? Math.min(dueAtMs, video.lastHintAtMs) : dueAtMs

const TOLD = [
  'phase',
  'status',
  'progress',
  'backendStatus',
  'evidence',
  'thumbnailUrl',
  'durationSeconds',
  'durationEstimateSeconds',
] as const satisfies readonly (keyof VideoRecord)[]

const isNews = (before: VideoRecord, after: VideoRecord): boolean =>
  TOLD.some((key) => before[key] !== after[key]) || before.link?.url !== after.link?.url

/** How long past its deadline a job is still asked after, while no answer comes. */
const LAST_LOOK_MS = 3_600_000

/** By the backend's own clock the job is younger than that: ours may have been set, and a paid job is not failed for it. */
const isYoungThere = ({ acceptedDateMs }: VideoRecord, { rate }: ReadOutcome<JobReport>, maxAgeMs: number): boolean =>
  acceptedDateMs !== null && (rate?.dateMs ?? Infinity) - acceptedDateMs < maxAgeMs

/** What one look makes of an accepted video; `keep` when it learned nothing worth a write. Pure. */
export const afterLook = (
  video: VideoRecord,
  outcome: ReadOutcome<JobReport>,
  {
    nowMs,
    startedAtMs,
    lastLookAtMs,
    dueAtMs,
    maxAgeMs,
    quiet,
  }: {
    nowMs: number
    startedAtMs: number
    lastLookAtMs: number | null
    dueAtMs: number
    maxAgeMs: number
    quiet: number
  },
): Decided => {
  if (video.phase !== 'accepted') return 'keep'
  const base: VideoRecord = { ...video, lastLookAtMs: Math.max(lastLookAtMs ?? 0, video.lastLookAtMs ?? 0) || null }
  let step: Step = { video: base, notes: [] }
  if (outcome.ok) step = observe(base, outcome.value, nowMs)
  else if (outcome.lost) step = lost(base, nowMs)
  const overdueMs = nowMs - (video.acceptedAtMs ?? nowMs) - maxAgeMs
  const mayExpire = overdueMs >= 0 && !isYoungThere(video, outcome, maxAgeMs)
  if (step.video.phase !== 'ended' && mayExpire && (outcome.ok || outcome.lost || overdueMs >= LAST_LOOK_MS)) {
    step = expire(step.video, nowMs)
  }
  const looked = { at: nowMs, type: 'looked', detail: quiet === 0 ? null : `${quiet + 1} times since the last entry` }
  const notes = [looked, ...step.notes]
  if (step.video.phase === 'ended') return { video: step.video, notes }
  if (!isNews(base, step.video)) return 'keep'
  const nextPollAtMs = hintOf(outcome)
  const nextAtMs = Math.max(dueAfter(video, startedAtMs, dueAtMs), nextPollAtMs ?? 0)
  return { notes, video: { ...step.video, lastLookAtMs: nowMs, nextPollAtMs, dueAtMs: nextAtMs } }
}
