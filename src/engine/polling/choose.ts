import type { Ports, Replica } from '../../core/ports.ts'
import type { BudgetView } from '../../core/store/accounts.ts'
import type { Store } from '../../core/store/index.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type MadeFrom, type VideoRecord, sourceOf } from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import type { Account } from '../upstream/accounts.ts'
import { type PollMemory, plannedAt, setMemory } from './poll-plan.ts'
import {
  type Durations,
  type Kind,
  NO_DURATIONS,
  type Pace,
  REMEMBERED,
  type Reading,
  dueLatenessMs,
  durationsOf,
  nextPoll,
  paceOf,
  remember,
  runningAt,
  thetaFor,
  unhurried,
  urgencyMs,
} from './progress.ts'
import type { RunningJobs } from './running-jobs.ts'

/** What was learned of durations, as people look at it. Pure. Times are milliseconds since a job was accepted. */

interface Bar {
  fromMs: number
  /** Null: whatever is longer. */
  toMs: number | null
  videos: number
}

interface PollAhead {
  afterMs: number
  /** The part of jobs that it is expected to find running. */
  running: number
}

const MOST_BARS = 24
/** Steps that people count in. */
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200].map(
  (s) => s * 1_000,
)
const DAY_MS = 86_400_000

const MOST_POLLS = 40
/** Polls of a smaller part of the jobs are not shown; where nothing was learned yet, of a larger one. */
const LEAST_RUNNING = 0.01
const LEAST_RUNNING_UNLEARNED = 0.1

/** The value that this part of them, ascending, does not exceed; null: there are none. */
export const percentile = (ascending: readonly number[], part: number): number | null =>
  ascending[Math.max(0, Math.ceil(ascending.length * part) - 1)] ?? null

/** Durations, ascending, in bars of equal width. A few that ran for very long share the last one. */
export const barsOf = (sorted: readonly number[]): Bar[] => {
  const first = sorted[0]
  const most = percentile(sorted, 0.99)
  if (first === undefined || most === null) return []
  const width = STEPS_MS.find((step) => (most - first) / step <= MOST_BARS - 2) ?? DAY_MS
  const start = Math.floor(first / width)
  const count = Math.floor(most / width) - start + 1
  const bars = Array.from({ length: count }, (_, n): Bar => ({
    fromMs: (start + n) * width,
    toMs: (start + n + 1) * width,
    videos: 0,
  }))
  const rest: Bar = { fromMs: (start + count) * width, toMs: null, videos: 0 }
  for (const ms of sorted) (bars[Math.floor(ms / width) - start] ?? rest).videos += 1
  return rest.videos === 0 ? bars : [...bars, rest]
}

/**
 * The polls of a job that is accepted at 0. `next`: when it is polled again after a poll at `lastMs`; null: the first.
 */
export const pollsOf = (memory: Durations, next: (lastMs: number | null) => number): PollAhead[] => {
  const longestMs = memory.sorted.at(-1)
  const least = longestMs === undefined ? LEAST_RUNNING_UNLEARNED : LEAST_RUNNING
  const polls: PollAhead[] = []
  for (let lastMs: number | null = null; polls.length < MOST_POLLS;) {
    const running = lastMs === null ? 1 : runningAt(memory, lastMs)
    if (running < least || (lastMs ?? 0) > (longestMs ?? Infinity)) break
    lastMs = next(lastMs)
    polls.push({ afterMs: lastMs, running: runningAt(memory, lastMs) })
  }
  return polls
}

interface LearnedDeps extends Pick<Ports, 'log' | 'random'> {
  clock: Pick<Clock, 'now'>
  store: Pick<Store, 'durations' | 'keepDurations' | 'addDurations'>
  replica: Pick<Replica, 'isAlone'>
  /** `pollsPerJob`: no more polls than these, on average; null: as many as the windows have to spare. */
  settings: { maxAgeMs: number; minIntervalMs: number; pollsPerJob: number | null }
}

/** After so many ends the memory is stored, and the least price is solved again. */
const EVERY = 10
/** With fewer ends of videos from audio, the durations of text tell more. */
const ENOUGH = EVERY

/** How often what other processes learned is read. */
const REREAD_MS = 60_000

const OVERDUE_LOOK_MS = 60_000

/** Of a job that is not known to have ended. */
const MOST_PROGRESS = 0.95

/** Sources that teach durations. An imported job does not: nobody knows when it began. */
const LEARNED = ['text', 'audio'] as const

interface Source {
  memory: Durations
  /** The price at which a job takes the most polls that it may; 0: it may take any number. */
  leastMs: number
  /** Ends seen since the memory was kept. */
  fresh: number
  /** What they taught: part of the memory, and not kept yet. */
  unkept: readonly number[]
  /** The backend changed, so that old durations were forgotten: the memory is kept in place of what was. */
  isThinned: boolean
  /** What the store has was read. Before that, nothing may be stored over it. */
  isLoaded: boolean
  readAtMs: number
}

/** Whose durations report a job. */
type JobKind = Pick<OpenVideo, 'backend' | 'source'>

/** What a poll is timed by, beside the job itself. */
interface PollState {
  nowMs: number
  lastPollAtMs: number | null
  readings: readonly Reading[]
  hintAtMs: number | null
  calledBack: boolean
}

/**
 * What each backend taught about how long its jobs run, and so when to poll the next one (`nextPoll` in progress.ts). Kept across
 * restarts and for other processes, but not durably: losing some of it costs only learning.
 */
export const createLearned = ({ store, clock, log, random, replica, settings }: LearnedDeps) => {
  const sources = new Map<string, Source>()
  const paces = new Map<AccountId, Pace>()

  const leastMsOf = (memory: Durations): number =>
    settings.pollsPerJob === null ? 0 : thetaFor(memory, settings.pollsPerJob, settings.minIntervalMs)
  const unknown: Source = {
    memory: NO_DURATIONS,
    leastMs: leastMsOf(NO_DURATIONS),
    fresh: 0,
    unkept: [],
    isThinned: false,
    isLoaded: false,
    readAtMs: -Infinity,
  }
  const keyOf = (backend: string, from: MadeFrom): string => `${backend}/${from === 'import' ? 'text' : from}`
  const known = (key: string): Source => sources.get(key) ?? unknown
  const of = (backend: string, from: MadeFrom): Source => {
    const [own, text] = [known(keyOf(backend, from)), known(keyOf(backend, 'text'))]
    return own.memory.recent.length >= Math.min(ENOUGH, text.memory.recent.length) ? own : text
  }

  /** Other processes may learn of the same backend: what one measured is added to what the others did. */
  const keep = async (key: string): Promise<void> => {
    const source = sources.get(key)
    if (!source?.isLoaded || source.fresh === 0) return
    const { memory, unkept, isThinned, fresh } = source
    try {
      if (isThinned) await store.keepDurations(key, memory.recent)
      else if (unkept.length > 0) await store.addDurations(key, unkept, REMEMBERED)
      const now = sources.get(key) ?? source
      sources.set(key, {
        ...now,
        fresh: now.fresh - fresh,
        unkept: now.unkept.slice(unkept.length),
        isThinned: isThinned ? false : now.isThinned,
      })
    } catch (error) {
      log.warn({ source: key, err: error }, 'learned durations could not be stored')
    }
  }

  const isFresh = ({ isLoaded, readAtMs }: Source): boolean =>
    isLoaded && (replica.isAlone || clock.now() - readAtMs < REREAD_MS)

  const load = async (key: string): Promise<void> => {
    if (isFresh(known(key))) return
    try {
      const kept = await store.durations(key)
      const before = known(key)
      // A memory that was thinned here is kept soon: what it forgot is not read back.
      const isThinned = before.isLoaded && before.isThinned
      const memory = isThinned ? before.memory : durationsOf([...kept, ...before.unkept])
      const readAtMs = clock.now()
      sources.set(key, { ...before, memory, leastMs: leastMsOf(memory), isThinned, isLoaded: true, readAtMs })
    } catch (error) {
      log.warn({ source: key, err: error }, 'learned durations could not be read yet')
    }
  }

  /** The expected lateness at which such a job is polled: at this pace, and by the polls that it may take. */
  const dueLateness = ({ backend, source }: JobKind, pace: Pace, kind: Kind): number => {
    const { memory, leastMs } = of(backend, source)
    return Math.max(leastMs, dueLatenessMs(pace, kind, memory))
  }

  const pollAt = (
    { backend, source, acceptedAtMs }: JobKind & { acceptedAtMs: number },
    { nowMs, hintAtMs, lastPollAtMs, readings, calledBack }: PollState,
    pace: Pace,
    kind: Kind,
    minIntervalMs = settings.minIntervalMs,
  ): number => {
    const { memory } = of(backend, source)
    const job = { acceptedAtMs, lastPollAtMs, readings, calledBack }
    const endAtMs = acceptedAtMs + settings.maxAgeMs
    // Past the deadline, and not expired: nobody answers, or the clocks disagree. Polls continue, slowly.
    const deadlineAtMs = endAtMs > nowMs ? endAtMs : nowMs + OVERDUE_LOOK_MS
    const thetaMs = dueLateness({ backend, source }, pace, kind)
    return nextPoll(memory, job, { nowMs, thetaMs, minIntervalMs, hintAtMs, deadlineAtMs })
  }

  const paceOfAccount = (account: AccountId): Pace => paces.get(account) ?? unhurried(settings.minIntervalMs)

  return {
    /** What polls of videos from that source are timed by. */
    of,
    /**
     * Loads what other processes learned of these backends: once, or now and then if others share the store. If that
     * fails, the next call tries again.
     */
    async load(backends: readonly string[]): Promise<void> {
      for (const key of backends.flatMap((backend) => LEARNED.map((from) => keyOf(backend, from)))) await load(key)
    },
    /**
     * How far such a job usually is by now, for a backend that reports no progress: its age by the median duration of
     * those that ended, below 1; 0 while none has.
     */
    async usualProgress(video: Pick<VideoRecord, 'backend' | 'input' | 'madeFrom' | 'acceptedAtMs'>): Promise<number> {
      const { backend, acceptedAtMs } = video
      await Promise.all(LEARNED.map((from) => load(keyOf(backend, from))))
      const { sorted } = of(backend, sourceOf(video)).memory
      const medianMs = sorted[sorted.length >> 1]
      if (acceptedAtMs === null || medianMs === undefined) return 0
      const share = Math.max(0, clock.now() - acceptedAtMs) / Math.max(1, medianMs)
      return Math.min(MOST_PROGRESS, Math.round(share * 100) / 100)
    },
    /** What the account's window allows its polls now. */
    paced: (account: AccountId, pace: Pace): void => void paces.set(account, pace),
    dueLatenessMs: dueLateness,
    /** When to poll a running job next, at this pace. */
    pollAt,
    /** When to poll an accepted video next, at the pace of now, if somebody waits for it. */
    nextPollAt: (
      video: Pick<VideoRecord, 'account' | 'backend' | 'input' | 'madeFrom' | 'acceptedAtMs' | 'createdAtMs'>,
      state: PollState,
    ): number => {
      const { account, backend, acceptedAtMs, createdAtMs } = video
      const job = { backend, source: sourceOf(video), acceptedAtMs: acceptedAtMs ?? createdAtMs }
      return pollAt(job, state, paceOfAccount(account), 'awaited')
    },
    /**
     * How a job that is accepted now would be polled, at the pace of now, if it reported no progress. `own`: what
     * videos of only that source taught.
     */
    outlook(
      backend: string,
      source: (typeof LEARNED)[number],
      account: AccountId,
      calledBack: boolean,
    ): { own: Durations; polls: PollAhead[]; thetaMs: number } {
      const pace = paceOfAccount(account)
      const gapMs = Math.max(settings.minIntervalMs, pace.shareMs)
      const job = { backend, source, acceptedAtMs: 0 }
      const polls = pollsOf(of(backend, source).memory, (lastPollAtMs) => {
        const state = { nowMs: lastPollAtMs ?? 0, lastPollAtMs, readings: [], hintAtMs: null, calledBack }
        return pollAt(job, state, pace, 'awaited', gapMs)
      })
      return { own: known(keyOf(backend, source)).memory, polls, thetaMs: dueLateness(job, pace, 'awaited') }
    },
    /** A poll found the end: learns how long the job ran, without believing its own schedule. */
    async ended(
      video: Pick<VideoRecord, 'acceptedAtMs' | 'endedAtMs' | 'lastHintAtMs' | 'backend' | 'input' | 'madeFrom'>,
      lastPollAtMs: number | null,
    ): Promise<void> {
      const { acceptedAtMs, endedAtMs, lastHintAtMs, backend } = video
      if (acceptedAtMs === null || endedAtMs === null) return
      const exact = lastHintAtMs !== null && lastHintAtMs > (lastPollAtMs ?? acceptedAtMs)
      const detectedAtMs = exact ? Math.min(lastHintAtMs, endedAtMs) : endedAtMs
      const lastPollMs = lastPollAtMs === null ? null : lastPollAtMs - acceptedAtMs
      const key = keyOf(backend, sourceOf(video))
      const before = known(key)
      const memory = remember(before.memory, { lastPollMs, detectedMs: detectedAtMs - acceptedAtMs, exact }, random())
      const latest = memory === before.memory ? [] : memory.recent.slice(-1)
      const fresh = before.fresh + 1
      const isDue = fresh % EVERY === 0
      sources.set(key, {
        ...before,
        memory,
        fresh,
        leastMs: isDue ? leastMsOf(memory) : before.leastMs,
        unkept: [...before.unkept, ...latest],
        isThinned: before.isThinned || memory.recent.length < before.memory.recent.length,
      })
      if (isDue) await keep(key)
    },
    /** Keeps what was not kept yet. */
    async close(): Promise<void> {
      for (const key of sources.keys()) await keep(key)
    },
  }
}
export type Learned = ReturnType<typeof createLearned>

interface ChoiceDeps {
  account: Pick<Account, 'id'>
  /** The backend has a list: one request may report many jobs. */
  hasList: boolean
  /** The backend calls back when a job that was made here ends. */
  calledBack: () => boolean
  learned: Pick<Learned, 'of' | 'pollAt' | 'dueLatenessMs' | 'paced'>
  runningJobs: Pick<RunningJobs, 'rows' | 'memories' | 'isAwaited' | 'putBack'>
  settings: { minIntervalMs: number; maxAgeMs: number }
}

/** What a turn begins with. */
interface Turn {
  nowMs: number
  budget: BudgetView
  /** Videos that wait to be sent. */
  waiting: number
}

/** The record was written since the last poll: its due time is the one that a callback set. */
const isNewer = (row: OpenVideo, memory: PollMemory | undefined): boolean => !memory || memory.version < row.version
const isOwed = (hintAtMs: number, memory: PollMemory | undefined, nowMs: number): boolean =>
  hintAtMs <= nowMs && (memory?.lastPollAtMs ?? 0) < hintAtMs

/**
 * Due for another reason than its expected lateness: a callback came, the last poll failed, its end is known, or it is
 * too old.
 */
const mustPoll = (row: OpenVideo, memory: PollMemory | undefined, nowMs: number, maxAgeMs: number): boolean => {
  const isHinted = row.lastHintAtMs !== null && (isNewer(row, memory) || isOwed(row.lastHintAtMs, memory, nowMs))
  return isHinted || row.linkOwed || memory?.must === true || nowMs - (row.acceptedAtMs ?? nowMs) >= maxAgeMs
}

/** Every so many-th poll is of one that nobody waits for, if one is due: counted across windows. */
const OTHERS_TURN = 3
/** `passed`: polls of those that somebody waits for since the last of the others. */
const inTurns = <T>(awaited: readonly T[], others: readonly T[], passed: number): T[] => {
  const [first, second] = [[...awaited], [...others]]
  const all: T[] = []
  for (let since = passed + 1; first.length + second.length > 0; since += 1) {
    const next = (since >= OTHERS_TURN && second.length > 0) || first.length === 0 ? second : first
    all.push(...next.splice(0, 1))
    if (next === second) since = 0
  }
  return all
}

/** With a list, so many due polls are one request (poll-plan.ts). */
const LISTED = 3
/** Polls that may go within so short a time go together: a turn for each would cost more than they do. */
const TOGETHER_MS = 20
/** When to return to a poll that is due but not worth a request. */
const RETHINK_MS = 1_000

/** Chooses which polls of an account go: the most urgent, at the pace that its window allows (`paceOf` in progress.ts). */
export const createChoice = ({ account, hasList, calledBack, learned, runningJobs, settings }: ChoiceDeps) => {
  const { rows, memories, isAwaited } = runningJobs
  let pace: Pace = unhurried(settings.minIntervalMs)
  /** The last poll, or where it counts if several went together. */
  let lastAtMs = 0
  let passed = 0

  const kindOf = (row: OpenVideo): Kind => (isAwaited(row) ? 'awaited' : 'others')
  /** Whether a callback is promised. For a job that was made elsewhere the backend has no URL to call. */
  const isCalledBack = ({ source }: OpenVideo): boolean => calledBack() && source !== 'import'
  const must = (row: OpenVideo, nowMs: number): boolean => mustPoll(row, memories.get(row.id), nowMs, settings.maxAgeMs)

  const urgencyOf = (row: OpenVideo, nowMs: number): number => {
    const { lastPollAtMs = null, readings = [] } = memories.get(row.id) ?? {}
    const job = { acceptedAtMs: row.acceptedAtMs ?? nowMs, lastPollAtMs, readings, calledBack: isCalledBack(row) }
    return urgencyMs(learned.of(row.backend, row.source).memory, job, nowMs)
  }

  const plannedFor = (row: OpenVideo, nowMs: number): number => {
    const { lastPollAtMs = null, readings = [], notBeforeMs = null } = memories.get(row.id) ?? {}
    const state = { nowMs, lastPollAtMs, readings, hintAtMs: notBeforeMs, calledBack: isCalledBack(row) }
    return learned.pollAt({ ...row, acceptedAtMs: row.acceptedAtMs ?? nowMs }, state, pace, kindOf(row))
  }

  /** How urgent its poll is now: without end where it must be polled, negative where it is not due. */
  const dueUrgency = (row: OpenVideo, nowMs: number): number => {
    const memory = memories.get(row.id)
    if (must(row, nowMs)) return plannedAt(row, memory) <= nowMs ? Infinity : -1
    const { notBeforeMs = null, lastPollAtMs = null } = memory ?? {}
    // A promised callback has its time first; and in a row is what the backend asked of a process before this one.
    const plannedMs = isCalledBack(row) || isNewer(row, memory) ? plannedAt(row, memory) : 0
    const earliestMs = Math.max(notBeforeMs ?? 0, (lastPollAtMs ?? -Infinity) + settings.minIntervalMs, plannedMs)
    const urgency = urgencyOf(row, nowMs)
    // Half a millisecond: `nextPoll` rounds up.
    return earliestMs <= nowMs && urgency + 0.5 >= learned.dueLatenessMs(row, pace, kindOf(row)) ? urgency : -1
  }

  return {
    /** Learns what the window allows. */
    setPace({ nowMs, budget, waiting }: Turn): void {
      const requests = (count: number): number => (hasList ? Math.min(LISTED, count) : count)
      const jobs = { awaited: requests(rows.count('awaited')), others: requests(rows.count('others')) }
      pace = paceOf({ nowMs, budget, waiting, jobs, minIntervalMs: settings.minIntervalMs })
      learned.paced(account.id, pace)
    },
    /** A request went out to poll it. */
    polled(row: OpenVideo): void {
      passed = isAwaited(row) ? passed + 1 : 0
    },
    /**
     * Of the polls that are due, those to begin now, `room` at most, best first. The others are put back. `wanted`: how
     * many would go if there were requests for all.
     */
    take(due: readonly OpenVideo[], { nowMs }: Turn, room: number): { polls: OpenVideo[]; wanted: number } {
      const urgencies = new Map(due.map((row) => [row, dueUrgency(row, nowMs)]))
      const urgencyIn = (row: OpenVideo): number => urgencies.get(row) ?? -1
      const ready = due.filter((row) => urgencyIn(row) >= 0)
      const of = (kind: Kind): OpenVideo[] =>
        ready
          .filter((row) => kindOf(row) === kind)
          .toSorted((a, b) => (urgencyIn(a) === urgencyIn(b) ? 0 : urgencyIn(b) - urgencyIn(a)))
      const isFreeNow = pace.freeAtMs(lastAtMs) <= nowMs
      let freeUntilMs = nowMs
      const polls = inTurns(of('awaited'), of('others'), passed).filter((row) => {
        const isFree = hasList ? isFreeNow : pace.freeAtMs(lastAtMs) <= freeUntilMs
        if (room <= 0 || (!isFree && urgencyIn(row) < Infinity)) return false
        if (isFree) freeUntilMs = nowMs + TOGETHER_MS
        if (!hasList) room -= 1
        lastAtMs = hasList ? nowMs : Math.max(pace.freeAtMs(lastAtMs), nowMs)
        return true
      })
      const taken = new Set(polls)
      const freeAtMs = Math.ceil(pace.freeAtMs(lastAtMs))
      for (const row of due) {
        if (taken.has(row)) continue
        const isReady = urgencyIn(row) >= 0
        const memory = memories.get(row.id)
        const keepsPlan = (isCalledBack(row) || isNewer(row, memory)) && plannedAt(row, memory) > nowMs
        if (!must(row, nowMs) && !keepsPlan) {
          const atMs = isReady ? freeAtMs : plannedFor(row, nowMs)
          setMemory(memories, row.id, { version: row.version, dueAtMs: atMs > nowMs ? atMs : nowMs + RETHINK_MS })
        }
        runningJobs.putBack(row, isReady ? freeAtMs : 0)
      }
      return { polls, wanted: ready.length }
    },
  }
}
export type Choice = ReturnType<typeof createChoice>
