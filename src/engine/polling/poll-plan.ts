import type { JobReport, ReadOutcome } from '../../core/adapter.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import { type TimelineEntry, type VideoRecord, sourceOf } from '../../core/video.ts'
import type { Decided } from '../life/apply.ts'
import { type Step, expire, lost, observe, owing } from '../life/job-steps.ts'
import { type Reading, noted } from './progress.ts'

/** The answer about one job. `over`: its state, if that said completed without a link. */
export interface Polled {
  over: JobReport | null
  outcome: ReadOutcome<JobReport>
}

/**
 * Each poll is a line of its video's timeline. Those that learned nothing are remembered, and written with the next one
 * that does. Pure.
 */
export interface Unwritten {
  /** In the order in which they were answered. */
  polls: readonly TimelineEntry[]
  /** How many were left out in the middle, where there were too many. */
  leftOut: number
}

export const NO_POLLS: Unwritten = { polls: [], leftOut: 0 }

/** Unwritten polls that are kept of one job, and about as many as an account keeps of all: some 20 MB. */
const KEPT_OF_ONE = 50
const KEPT_OF_ALL = 250_000

/** How many unwritten polls of each job are kept while the account has so many. */
export const pollsKept = (jobs: number): number =>
  Math.max(2, Math.min(KEPT_OF_ONE, Math.floor(KEPT_OF_ALL / Math.max(1, jobs))))

const WORD_AT_MOST = 60

const saidOf = ({ status, backendStatus, progress }: JobReport): string => {
  const word = status ?? (backendStatus?.slice(0, WORD_AT_MOST) || 'nothing that is known')
  return progress === null ? word : `${word}, ${Math.round(progress * 100)} %`
}

/** What a poll said, in few words: it is kept for each. */
const detailOf = ({ over, outcome }: Polled): string => {
  if (outcome.ok) return saidOf(outcome.value)
  const { code, backendError } = outcome.problem
  const status = backendError?.status ?? null
  const failed = status === null ? code : `${code} (HTTP ${status})`
  return over ? `${saidOf(over)}; its link: ${failed}` : failed
}

/** The line of a poll. `how`: by which request, if not its own. */
export const pollNote = (at: number, polled: Polled, how: 'list' | null = null): TimelineEntry => ({
  at,
  type: 'polled',
  detail: how === null ? detailOf(polled) : `${detailOf(polled)} (in the ${how})`,
})

/** The line of a poll that found the job over, before its link could be asked for. */
export const overNote = (at: number, over: JobReport): TimelineEntry => ({
  at,
  type: 'polled',
  detail: `${saidOf(over)}; its link was not asked for yet`,
})

/** Adds a poll. Of more than `most`, the first and the last are kept. */
export const withPoll = ({ polls, leftOut }: Unwritten, poll: TimelineEntry, most: number): Unwritten => {
  const all = [...polls, poll]
  const tooMany = Math.max(0, all.length - most)
  return { polls: all.toSpliced(most >> 1, tooMany), leftOut: leftOut + tooMany }
}

/** The lines to write. Where polls were left out, a line in their place says how many. */
export const linesOf = ({ polls, leftOut }: Unwritten): TimelineEntry[] => {
  const middle = polls.length >> 1
  const [before] = polls.slice(Math.max(0, middle - 1))
  if (leftOut === 0 || !before) return [...polls]
  const line: TimelineEntry = { at: before.at, type: 'polls_left_out', detail: String(leftOut) }
  return polls.toSpliced(middle, 0, line)
}

const isPoll = ({ type }: TimelineEntry): boolean => type === 'polled' || type === 'polls_left_out'

/**
 * A timeline with the polls in their places: they are written later than they were made. Other lines stay as they were
 * written. `unwritten`: polls that this process remembers; they may have been written meanwhile.
 */
export const withPolls = (written: readonly TimelineEntry[], unwritten: Unwritten): TimelineEntry[] => {
  const known = new Set(written.filter(isPoll).map(({ at }) => at))
  const polls = [...written.filter(isPoll), ...linesOf(unwritten).filter(({ at }) => !known.has(at))]
  const placed: TimelineEntry[] = []
  let next = 0
  for (const line of written.filter((one) => !isPoll(one))) {
    for (let poll = polls[next]; poll && poll.at <= line.at; poll = polls[next]) {
      placed.push(poll)
      next += 1
    }
    placed.push(line)
  }
  return [...placed, ...polls.slice(next)]
}

/** What a process remembers of a running job. Polls that changed nothing are not written. */
export interface PollMemory {
  /** The record's version at that time. A newer record makes `dueAtMs` void. */
  version: number
  dueAtMs: number
  /** The backend asked not to be asked before. */
  notBeforeMs: number | null
  failures: number
  lastPollAtMs: number | null
  /** When the last poll that found it running was asked: it ends after that. */
  ranAtMs: number | null
  /** Due for another reason than how late it may be: the last poll failed, or a callback may be lost. */
  must: boolean
  /** A list reported nothing of it: its own poll is next. */
  alone: boolean
  /** The job's progress so far. */
  readings: readonly Reading[]
}

/** Of the jobs of an account, by video. */
export interface Memories {
  size(): number
  ids(): Iterable<string>
  has(id: string): boolean
  get(id: string): PollMemory | undefined
  set(id: string, memory: PollMemory): void
  delete(id: string): void
  /** Polls since the last write that learned nothing. The next write has them. */
  unwritten(id: string): Unwritten
  /** Of a video that is remembered. */
  keepUnwritten(id: string, unwritten: Unwritten): void
}

export const createMemories = (): Memories => {
  const memories = new Map<string, PollMemory>()
  const unwritten = new Map<string, Unwritten>()
  return {
    size: () => memories.size,
    ids: () => memories.keys(),
    has: (id) => memories.has(id),
    get: (id) => memories.get(id),
    set: (id, memory) => void memories.set(id, memory),
    delete(id) {
      memories.delete(id)
      unwritten.delete(id)
    },
    unwritten: (id) => unwritten.get(id) ?? NO_POLLS,
    keepUnwritten(id, polls) {
      if (polls.polls.length === 0) unwritten.delete(id)
      else if (memories.has(id)) unwritten.set(id, polls)
    },
  }
}

export const NEW: Omit<PollMemory, 'version'> = {
  dueAtMs: 0,
  notBeforeMs: null,
  failures: 0,
  lastPollAtMs: null,
  ranAtMs: null,
  must: false,
  alone: false,
  readings: [],
}

export const setMemory = (memories: Memories, id: string, memory: Partial<PollMemory> & { version: number }): void => {
  memories.set(id, { ...NEW, ...memories.get(id), ...memory })
}

export const latest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)

export const memoryOf = (memories: Memories, id: string): PollMemory => memories.get(id) ?? { ...NEW, version: 0 }

export const toldEnd = ({ over, outcome }: Polled): boolean =>
  over !== null || (outcome.ok && (outcome.value.status === 'completed' || outcome.value.status === 'failed'))

/** When the backend asks to be asked again. */
const hintOf = (outcome: ReadOutcome<JobReport>): number | null =>
  outcome.ok ? outcome.value.nextPollAtMs : outcome.problem.retryAtMs

/** When a poll that found the job running was sent; null: the job may have ended before. */
const ranAt = (outcome: ReadOutcome<JobReport>, startedAtMs: number): number | null =>
  outcome.ok && (outcome.value.status === 'queued' || outcome.value.status === 'processing') ? startedAtMs : null

/** When to poll next. A poll that a callback asked for after this one began is still due. */
export const dueAfter = (video: VideoRecord, startedAtMs: number, dueAtMs: number): number =>
  video.lastHintAtMs !== null && video.lastHintAtMs > startedAtMs ? Math.min(dueAtMs, video.lastHintAtMs) : dueAtMs

/** What an answer about a job reports for the polls after it. */
export interface Told {
  readings: readonly Reading[]
  /** Answers in a row that reported nothing new of when to ask: each makes the pause longer. */
  failures: number
  hintAtMs: number | null
  /** The job is over: its expected lateness says nothing, and its link is asked for at growing pauses. */
  isOver: boolean
  lastPollAtMs: number | null
  /** As known before this poll. */
  ranBeforeMs: number | null
}

/** Pure. */
export const toldBy = (memory: PollMemory, video: VideoRecord, { over, outcome }: Polled, nowMs: number): Told => {
  const progress = outcome.ok ? outcome.value.progress : null
  const elapsedMs = nowMs - (video.acceptedAtMs ?? video.createdAtMs)
  // "No such job" is an answer as well: the next poll keeps its distance.
  const isAnswered = outcome.ok || outcome.lost
  const isOver = over !== null || video.linkOwed
  return {
    readings: progress === null ? memory.readings : noted(memory.readings, { elapsedMs, progress }),
    failures: over ? 1 : isAnswered && !isOver ? 0 : memory.failures + 1,
    hintAtMs: hintOf(outcome),
    isOver,
    lastPollAtMs: isAnswered ? nowMs : latest(memory.lastPollAtMs, video.lastPollAtMs),
    ranBeforeMs: latest(memory.ranAtMs, video.lastPollAtMs),
  }
}

/** What is remembered of a job after a poll that was begun at `startedAtMs`. Pure. */
export const rememberedOf = (
  told: Told,
  after: VideoRecord,
  { outcome, startedAtMs, dueAtMs }: Pick<Polled, 'outcome'> & { startedAtMs: number; dueAtMs: number },
): PollMemory => {
  const nextAtMs = dueAfter(after, startedAtMs, dueAtMs)
  return {
    version: after.version,
    dueAtMs: nextAtMs,
    notBeforeMs: told.hintAtMs,
    failures: told.failures,
    lastPollAtMs: told.lastPollAtMs,
    ranAtMs: ranAt(outcome, startedAtMs) ?? told.ranBeforeMs,
    // A callback that came during the poll still gets one.
    must: told.failures > 0 || nextAtMs < dueAtMs,
    alone: false,
    readings: told.readings,
  }
}

type Action = 'poll' | 'settle' | 'recover'

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

/** How long a process still polls a job past its deadline, while no answer comes. */
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
  /** When this process began. */
  upSinceMs: number
  /** This one, behind those that are not written yet. */
  polls: readonly TimelineEntry[]
}

/** Applies one poll to an accepted video; `keep` when it learned nothing worth a write. Pure. */
export const afterPoll = (
  video: VideoRecord,
  outcome: ReadOutcome<JobReport>,
  { nowMs, over, startedAtMs, ranAtMs, dueAtMs, maxAgeMs, upSinceMs, polls }: PollContext,
): Decided => {
  if (video.phase !== 'accepted') return 'keep'
  const base: VideoRecord = { ...video, lastPollAtMs: Math.max(ranAtMs ?? 0, video.lastPollAtMs ?? 0) || null }
  const known: Step = over ? owing(base, over, nowMs) : { video: base, notes: [] }
  let step: Step = { video: known.video, notes: [] }
  if (outcome.ok) step = observe(known.video, outcome.value, nowMs)
  else if (outcome.lost) step = lost(known.video, nowMs)
  const overdueMs = nowMs - (video.acceptedAtMs ?? nowMs) - maxAgeMs
  const mayExpire = overdueMs >= maxAgeMs || (overdueMs >= 0 && !isYoungThere(video, outcome, maxAgeMs))
  // While the gateway was stopped, it could not ask.
  const lookedMs = Math.min(overdueMs, nowMs - upSinceMs)
  if (step.video.phase !== 'ended' && mayExpire && (outcome.ok || outcome.lost || lookedMs >= LAST_LOOK_MS)) {
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
