import type { BudgetView } from '../../core/store/accounts.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Learned } from './learned.ts'
import { type Kind, type Pace, paceOf, unhurried, urgencyMs } from './progress.ts'
import { type PollMemory, remember } from './poll-memory.ts'
import { plannedAt } from './poll-plan.ts'
import type { RunningJobs } from './running-jobs.ts'

export interface ChoiceDeps {
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
export interface Turn {
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
      const polls = inTurns(of('awaited'), of('others'), passed).filter((row, n) => {
        const isFree = hasList ? isFreeNow : pace.freeAtMs(lastAtMs) <= nowMs + (n > 0 ? TOGETHER_MS : 0)
        if (room <= 0 || (!isFree && urgencyIn(row) < Infinity)) return false
        if (!hasList) room -= 1
        lastAtMs = hasList ? nowMs : Math.max(pace.freeAtMs(lastAtMs), nowMs)
        return true
      })
      const taken = new Set(polls)
      const freeAtMs = pace.freeAtMs(lastAtMs)
      for (const row of due) {
        if (taken.has(row)) continue
        const isReady = urgencyIn(row) >= 0
        const memory = memories.get(row.id)
        const keepsPlan = (isCalledBack(row) || isNewer(row, memory)) && plannedAt(row, memory) > nowMs
        if (!must(row, nowMs) && !keepsPlan) {
          const atMs = isReady ? freeAtMs : plannedFor(row, nowMs)
          remember(memories, row.id, { version: row.version, dueAtMs: atMs > nowMs ? atMs : nowMs + RETHINK_MS })
        }
        runningJobs.putBack(row, isReady ? freeAtMs : 0)
      }
      return { polls, wanted: ready.length }
    },
  }
}
export type Choice = ReturnType<typeof createChoice>
