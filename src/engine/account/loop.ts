import type { AuditEntry } from '../../core/access.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import { notConfigured } from '../doubt/operator.ts'
import { createDoubtSearch, createSecondJobs } from '../doubt/search.ts'
import type { SharedWaits } from '../replicas/board.ts'
import type { Account } from '../upstream/accounts.ts'
import { createChoice } from '../polling/choose.ts'
import { NO_POLLS, type Unwritten, plannedAt } from '../polling/poll-plan.ts'
import { createPoller } from '../polling/poll.ts'
import { createRunningJobs } from '../polling/running-jobs.ts'
import { createTurn, type AccountState, type TurnDeps } from './turn.ts'
import { logFailure } from '../../core/log.ts'
import { breath } from '../../core/time/clock.ts'

interface AccountLoopDeps
  extends
    Omit<TurnDeps, 'poller' | 'doubtSearch' | 'secondJobs' | 'isStopping' | 'kick' | 'settings'>,
    Pick<Ports, 'log' | 'random' | 'tally' | 'tracing'> {
  accounts: readonly Account[]
  awaited: SharedWaits
  /** When this process began. */
  upSinceMs: number
  settings: { maxAgeMs: number; minIntervalMs: number; resendWindowMs: number }
}

const SWEEP_MS = 1_000
/** The pause after a fault of ours, mostly of the store. */
const AFTER_FAULT_MS = 1_000

interface Turning extends AccountState {
  turning: Promise<void> | null
  again: boolean
  /** No turn before then, after a fault of ours. */
  notBeforeMs: number
}

/**
 * Takes turns for each account whose lease this process holds (turn.ts). Hints and ended work wake it; a sweep makes up
 * for lost hints.
 */
export const createAccountLoop = (deps: AccountLoopDeps) => {
  const { wake, clock, log, tracing, dispatch, learned, accounts, settings } = deps
  const poller = createPoller(deps)
  const doubtSearch = createDoubtSearch(deps)
  const secondJobs = createSecondJobs(deps)
  const stateOf = (account: Account): Turning => {
    const runningJobs = createRunningJobs(deps, account.id)
    const choice = createChoice({
      account,
      hasList: account.adapter.capabilities.native_list,
      calledBack: () => deps.calledBack(account),
      learned,
      runningJobs,
      settings,
    })
    const knows = {
      account,
      lease: null,
      restsUntilMs: 0,
      runningJobs,
      choice,
      missedCallbacks: false,
      isListing: false,
      wasSecondJob: false,
      isAsked: false,
      quiet: null,
      sampledAtMs: 0,
    }
    return { ...knows, turning: null, again: false, notBeforeMs: 0 }
  }
  const states = new Map<string, Turning>(accounts.map((account) => [account.id, stateOf(account)]))
  const visiting = new Set<Promise<void>>()
  let stopping = false
  let leaving: Promise<unknown> | null = null
  let cancelSweep = (): void => {}
  let stopListening = (): void => {}

  const kickOf = (account: string): void => {
    const state = states.get(account)
    if (state) ask(state)
  }
  const turn = createTurn({
    ...deps,
    poller,
    doubtSearch,
    secondJobs,
    isStopping: () => stopping,
    kick: ({ account }) => kickOf(account.id),
  })

  /** One turn at a time for an account; a kick during one asks for another. */
  const kick = (state: Turning): void => {
    if (stopping || clock.now() < state.notBeforeMs) return
    if (state.turning) {
      state.again = true
      return
    }
    // It makes no difference who asked for the turn: it is no part of that request.
    state.turning = tracing
      .within(null, async () => {
        // What ends meanwhile shares the turn: otherwise each of hundreds of polls under way would take its own.
        if (state.runningJobs.flights('poll') > 0) await breath()
        state.again = false
        await turn(state)
      })
      .catch((error: unknown) => {
        state.notBeforeMs = clock.now() + AFTER_FAULT_MS
        state.runningJobs.restore()
        logFailure(log, { err: error }, 'the engine could not see to its work, and will again')
      })
      .finally(() => {
        state.turning = null
        if (state.again) kick(state)
      })
  }

  /** For a reason, unlike a sweep. */
  const ask = (state: Turning): void => {
    state.isAsked = true
    kick(state)
  }

  const sweep = (): void => {
    cancelSweep = clock.at(clock.now() + SWEEP_MS, sweep)
    deps.awaited.tell()
    for (const state of states.values()) kick(state)
  }

  /** What is still under way is guarded by versions, and creates by their own leases. */
  const leave = async (state: Turning): Promise<void> => {
    await state.turning
    if (state.lease) await poller.leave(state.runningJobs.memories, state.lease)
  }
  const leaveAll = () => Promise.all([...states.values()].map(leave))

  const visit = <T>(work: Promise<T>): Promise<T> => {
    const done: Promise<void> = Promise.allSettled([work]).then(() => void visiting.delete(done))
    visiting.add(done)
    return work
  }

  return {
    start(): void {
      stopListening = wake.on({
        work(kind, id) {
          if (kind === 'account') kickOf(id)
        },
        changed(id, version) {
          const known = [...states.values()].find(({ runningJobs }) => runningJobs.knows(id))
          for (const { runningJobs } of known ? [known] : states.values()) runningJobs.touch(id, version)
        },
      })
      sweep()
    },
    /** This process has the newest record: the next turn need not read it. Called before `wake.changed`. */
    wrote: (video: VideoRecord): void => states.get(video.account)?.runningJobs.wrote(video),
    /** When an accepted video is polled next; null while a poll is under way, for which it may be too late. */
    plannedAtMs(video: Pick<VideoRecord, 'id' | 'account' | 'version' | 'dueAtMs'>): number | null {
      const state = states.get(video.account)
      if (state?.runningJobs.isBusy(video.id)) return null
      return plannedAt(video, state?.runningJobs.memories.get(video.id))
    },
    /** Polls of the video that this process has not written yet. */
    unwrittenPolls(id: string): Unwritten {
      for (const { runningJobs } of states.values()) {
        if (runningJobs.memories.has(id)) return runningJobs.memories.unwritten(id)
      }
      return NO_POLLS
    },
    /** An operator's word on a create in doubt: its job, or null for none. */
    async decide(video: VideoRecord, jobId: string | null, audit?: AuditEntry): Promise<VideoRecord> {
      const state = states.get(video.account)
      if (!state) throw notConfigured()
      const after = await doubtSearch.decide(state.account, video, jobId, audit)
      ask(state)
      return after
    },
    /** Work that a request does itself, so that stopping waits for it. */
    visit,
    /** Starts nothing more, and gives the leases back; what requests do themselves continues. */
    halt(): void {
      stopping = true
      cancelSweep()
      stopListening()
      leaving ??= leaveAll()
    },
    /** Waits for what is under way. Call `halt` first, and when no more requests come. */
    async stop(): Promise<void> {
      dispatch.halt()
      secondJobs.halt()
      await leaving
      for (const { runningJobs } of states.values()) await runningJobs.idle()
      while (visiting.size > 0) await Promise.all(visiting)
      await dispatch.stop()
      await learned.close()
      // What polls that were under way have learned.
      await leaveAll()
      for (const state of states.values()) state.lease = null
    },
  }
}
export type AccountLoop = ReturnType<typeof createAccountLoop>
