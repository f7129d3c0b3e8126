import type { Log } from '../../core/log.ts'
import type { VideoRecord } from '../../core/video.ts'
import { notConfigured } from '../doubt/operator.ts'
import { createResolver } from '../doubt/search.ts'
import { createSecondJobs } from '../doubt/second-jobs.ts'
import type { Awaited } from '../read/wait.ts'
import type { Account } from '../upstream/accounts.ts'
import { createChoice } from './choose.ts'
import { plannedAt } from './poll-plan.ts'
import { createLooker } from './poll.ts'
import { createWatch } from './running-jobs.ts'
import { createTurn, type AccountState, type TurnDeps } from './turn.ts'

export interface PumpDeps extends Omit<
  TurnDeps,
  'looker' | 'resolver' | 'secondJobs' | 'isStopping' | 'kick' | 'settings'
> {
  log: Log
  random: () => number
  accounts: readonly Account[]
  awaited: Pick<Awaited, 'has' | 'videos' | 'clients'>
  settings: { maxAgeMs: number; minIntervalMs: number; resendWindowMs: number }
}

const SWEEP_MS = 1_000
/** How soon to try again when a step of ours failed (the store, mostly). */
const AFTER_FAULT_MS = 1_000

interface Turning extends AccountState {
  turning: Promise<void> | null
  again: boolean
  /** After a fault of ours, mostly the store's. */
  notBeforeMs: number
}

/**
 * Takes turns for each account whose lease this process holds (turn.ts). Woken by hints, by what ends, and by a sweep for
 * the hints that were lost.
 */
export const createPump = (deps: PumpDeps) => {
  const { wake, clock, log, dispatch, learned, accounts, settings } = deps
  const looker = createLooker(deps)
  const resolver = createResolver(deps)
  const secondJobs = createSecondJobs(deps)
  const stateOf = (account: Account): Turning => {
    const watch = createWatch(deps, account.id)
    const choice = createChoice({
      account,
      hasList: account.adapter.capabilities.native_list,
      calledBack: () => deps.calledBack(account),
      learned,
      watch,
      settings,
    })
    const knows = {
      account,
      lease: null,
      watch,
      choice,
      missedCallbacks: false,
      isGlancing: false,
      wasSecondJob: false,
    }
    return { ...knows, turning: null, again: false, notBeforeMs: 0 }
  }
  const states = new Map<string, Turning>(accounts.map((account) => [account.id, stateOf(account)]))
  const visiting = new Set<Promise<void>>()
  let stopping = false
  let cancelSweep = (): void => {}
  let stopListening = (): void => {}

  const kickOf = (account: string): void => {
    const state = states.get(account)
    if (state) kick(state)
  }
  const turn = createTurn({
    ...deps,
    looker,
    resolver,
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
    state.again = false
    state.turning = turn(state)
      .catch((error: unknown) => {
        state.notBeforeMs = clock.now() + AFTER_FAULT_MS
        state.watch.restore()
        log.error({ err: error }, 'the engine could not look at its work, and will again')
      })
      .finally(() => {
        state.turning = null
        if (state.again) kick(state)
      })
  }

  const sweep = (): void => {
    cancelSweep = clock.at(clock.now() + SWEEP_MS, sweep)
    for (const state of states.values()) kick(state)
  }

  const visit = <T>(work: Promise<T>): Promise<T> => {
    const done: Promise<void> = Promise.allSettled([work]).then(() => void visiting.delete(done))
    visiting.add(done)
    return work
  }

  return {
    start(): void {
      stopListening = wake.on({
        work(kind, id) {
          if (kind === 'pump') kickOf(id)
        },
        changed(id) {
          const known = [...states.values()].find(({ watch }) => watch.knows(id))
          for (const { watch } of known ? [known] : states.values()) watch.touch(id)
        },
      })
      sweep()
    },
    /** When an accepted video is looked at next; null while a look is under way, for which it may be too late. */
    plannedAtMs(video: VideoRecord): number | null {
      const state = states.get(video.account)
      if (state?.watch.isBusy(video.id)) return null
      return plannedAt(video, state?.watch.memories.get(video.id))
    },
    /** An operator's word on a create in doubt: its job, or null for none. */
    async decide(video: VideoRecord, jobId: string | null): Promise<VideoRecord> {
      const state = states.get(video.account)
      if (!state) throw notConfigured()
      const after = await resolver.decide(state.account, video, jobId)
      kick(state)
      return after
    },
    /** Work that a request does itself, so that stopping waits for it. */
    visit,
    /** Starts nothing more; what requests do themselves goes on. */
    halt(): void {
      stopping = true
      cancelSweep()
      stopListening()
    },
    /** Waits for what is under way, and gives the leases back. Call `halt` first, and when no more requests come. */
    async stop(): Promise<void> {
      dispatch.halt()
      secondJobs.halt()
      for (const state of states.values()) {
        await state.turning
        await state.watch.idle()
      }
      while (visiting.size > 0) await Promise.all(visiting)
      await dispatch.stop()
      await learned.close()
      for (const state of states.values()) {
        const { lease, watch } = state
        state.lease = null
        if (lease) await looker.leave(watch.memories, lease)
      }
    },
  }
}
export type Pump = ReturnType<typeof createPump>
