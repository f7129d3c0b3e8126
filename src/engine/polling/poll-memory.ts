import type { JobReport, ReadOutcome } from '../../core/adapter.ts'
import type { TimelineEntry, VideoRecord } from '../../core/video.ts'
import { noted, type Reading } from './progress.ts'

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

export const remember = (memories: Memories, id: string, memory: Partial<PollMemory> & { version: number }): void => {
  memories.set(id, { ...NEW, ...memories.get(id), ...memory })
}

export const latest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)

export const memoryOf = (memories: Memories, id: string): PollMemory => memories.get(id) ?? { ...NEW, version: 0 }

export const toldEnd = ({ over, outcome }: Polled): boolean =>
  over !== null || (outcome.ok && (outcome.value.status === 'completed' || outcome.value.status === 'failed'))

/** When the backend asks to be asked again. */
export const hintOf = (outcome: ReadOutcome<JobReport>): number | null =>
  outcome.ok ? outcome.value.nextPollAtMs : outcome.problem.retryAtMs

/** When a poll that found the job running was sent; null: the job may have ended before. */
export const ranAt = (outcome: ReadOutcome<JobReport>, startedAtMs: number): number | null =>
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
