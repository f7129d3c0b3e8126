import type { Clock } from '../core/clock.ts'
import type { Lease, OpenVideo, Store, Wake } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Account } from './backends.ts'
import type { Confirm } from './confirm.ts'
import type { Dispatch } from './dispatch.ts'
import type { Log } from '../core/log.ts'
import type { Apply } from './engine.ts'
import { notConfigured } from './operator.ts'
import type { Learned } from './learned.ts'
import { actionOf, lookPlan, plannedAt } from './look.ts'
import { createDispatchWaiting } from './dispatch-waiting.ts'
import { createLooker, remember } from './looker.ts'
import { createGiveUp } from './overdue.ts'
import { createResolver } from './resolve.ts'
import { atOnceFor } from './schedule.ts'
import { recovered } from './steps.ts'
import type { Upstream } from './upstream.ts'
import type { Awaited } from './wait.ts'
import { createWatch, type FlightKind, type Watch } from './watch.ts'
import { createChoice, type Choice } from './worth.ts'

export interface PumpDeps {
  store: Store
  wake: Wake
  clock: Clock
  log: Log
  random: () => number
  apply: Apply
  upstream: Upstream
  dispatch: Dispatch
  confirm: Confirm
  learned: Learned
  accounts: readonly Account[]
  startTransfers: (account: Account) => Promise<void>
  awaited: Pick<Awaited, 'has' | 'videos' | 'clients'>
  settings: { maxAgeMs: number; minIntervalMs: number; resendWindowMs: number }
}

const PUMP_LEASE_MS = 45_000
const SWEEP_MS = 1_000
/** A create that found no room is thought about again after this. */
const RETHINK_MS = 1_000
/** Of what is due, so much is thought about at a turn: with a list all that it may tell, else a choice for the room there is. */
const consideredFor = ({ adapter }: Account, room: number): number =>
  room <= 0 ? 0 : adapter.capabilities.native_list ? 2_000 : 64 + 4 * room
/** How soon to try again when a step of ours failed (the store, mostly). */
const AFTER_FAULT_MS = 1_000

interface AccountState {
  account: Account
  lease: Lease | null
  watch: Watch
  /** Nobody held the account for a while: callbacks of then are lost, and what they told of is not asked after yet. */
  missedCallbacks: boolean
  isGlancing: boolean
  choice: Choice
  ticking: Promise<void> | null
  again: boolean
  /** After a fault of ours, mostly the store's. */
  notBeforeMs: number
}

/**
 * Decides, for each account whose lease this process holds, what to ask of the backend next: dispatch what waits, look
 * at what is due, resolve what is in doubt. Woken by hints, and by a sweep for the hints that were lost.
 */
export const createPump = (deps: PumpDeps) => {
  const { store, wake, clock, log, apply, upstream, dispatch, learned, accounts, settings } = deps
  const looker = createLooker(deps)
  const giveUpWaiting = createGiveUp(deps)
  const dispatchWaiting = createDispatchWaiting(deps)
  const resolver = createResolver({ ...deps, calledBack: dispatch.calledBack, firstLookAt: dispatch.firstLookAt })
  const stateOf = (account: Account): AccountState => {
    const watch = createWatch(deps, account.id)
    const choice = createChoice({
      account,
      hasList: account.adapter.capabilities.native_list,
      calledBack: () => dispatch.calledBack(account),
      learned,
      watch,
      settings,
    })
    const idle = { missedCallbacks: false, isGlancing: false, ticking: null, again: false, notBeforeMs: 0 }
    return { account, lease: null, watch, choice, ...idle }
  }
  const states = new Map<string, AccountState>(accounts.map((account) => [account.id, stateOf(account)]))
  const visiting = new Set<Promise<void>>()
  let stopping = false
  let cancelSweep = (): void => {}
  let stopListening = (): void => {}

  /** Whether this process acts for the account. */
  const hold = async (state: AccountState): Promise<boolean> => {
    const { lease, watch, account } = state
    if (lease && lease.untilMs - clock.now() > PUMP_LEASE_MS / 2) return true
    if (lease && (await store.extend('pump', lease, PUMP_LEASE_MS))) {
      state.lease = { ...lease, untilMs: clock.now() + PUMP_LEASE_MS }
      return true
    }
    watch.lose()
    state.lease = await store.claim('pump', account.id, PUMP_LEASE_MS)
    if (!state.lease) return false
    state.missedCallbacks = account.adapter.capabilities.native_webhook
    return true
  }

  const start = (state: AccountState, kind: FlightKind, ids: readonly string[], action: () => Promise<void>): void =>
    state.watch.begin(kind, ids, action, () => kick(state))

  /** Ends a doubt: by the same bytes under the same key, or by evidence where there are no keys. */
  const settleDoubt = async (state: AccountState, id: string): Promise<void> => {
    const video = await store.video(id)
    if (video?.phase !== 'doubtful') return
    const { account } = state
    const keyed = account.adapter.capabilities.native_idempotency
    const pause = keyed ? await dispatch.resend(account, video) : await resolver.resolve(account, video)
    if (pause) remember(state.watch.memories, id, { version: video.version, dueAtMs: pause.retryAtMs })
  }

  const recover = async (id: string): Promise<void> => {
    // Its lease may be over because the store has a bad moment: what this process knows of it comes first.
    await dispatch.written(id)
    await apply(id, (current, nowMs) =>
      current.phase === 'dispatching' && (current.lease?.untilMs ?? 0) <= nowMs ? recovered(current, nowMs) : 'keep',
    )
  }

  const kindOf = ({ account }: AccountState, row: OpenVideo): FlightKind =>
    actionOf(row) === 'resend' && account.adapter.capabilities.native_idempotency ? 'resend' : 'look'

  const startOther = (state: AccountState, row: OpenVideo): void =>
    start(state, kindOf(state, row), [row.id], () =>
      actionOf(row) === 'resend' ? settleDoubt(state, row.id) : recover(row.id),
    )

  /** Looks that are due together are few requests where the backend has a list. */
  const startLooks = (state: AccountState, rows: readonly OpenVideo[], room: number): void => {
    const { account, watch, choice, isGlancing } = state
    const isAlone = ({ id, linkOwed }: OpenVideo): boolean => linkOwed || (watch.memories.get(id)?.alone ?? false)
    const hasList = account.adapter.capabilities.native_list
    const { together, single } = lookPlan(rows, isAlone, { hasList, isGlancing, room })
    for (const row of single)
      start(state, 'look', [row.id], () => looker.look(account, watch.memories, row.id, () => choice.looked(row)))
    if (together.length === 0) return
    state.isGlancing = true
    const ids = together.map(({ id }) => id)
    // One flight for all of them: nobody looks at one of them meanwhile.
    start(state, 'look', ids, () =>
      looker.glance(account, watch.memories, together).finally(() => (state.isGlancing = false)),
    )
  }

  const tick = async (state: AccountState): Promise<void> => {
    if (!(await hold(state))) return
    const { account, watch, choice } = state
    if (await watch.catchUp()) {
      await learned.load(account.backends)
      await giveUpWaiting(account.id)
    }
    if (state.missedCallbacks) {
      await watch.suspectAll()
      state.missedCallbacks = false
    }
    const nowMs = clock.now()
    const budget = await upstream.budget(account)
    const atOnce = atOnceFor(budget.limit)
    const room = (kind: FlightKind = 'look'): number => (stopping ? 0 : atOnce - watch.flights(kind))
    // None can go before: which are worth it is decided when one can.
    const shutUntilMs = Math.max(budget.nextAtMs ?? 0, upstream.shutUntilMs(account.id))
    const queue = await store.queue(account.id)
    const turn = { nowMs, budget, waiting: queue.waiting }
    choice.price(turn)
    const due = watch.take(nowMs, consideredFor(account, room()))
    const others = due.filter((row) => actionOf(row) !== 'look')
    const dueLooks = due.filter((row) => actionOf(row) === 'look')
    const looks = dueLooks.length === 0 || shutUntilMs > nowMs ? dueLooks : choice.take(dueLooks, turn)
    const isMore = (watch.nextAtMs() ?? Infinity) <= nowMs
    const isResend = (row: OpenVideo): boolean => kindOf(state, row) === 'resend'
    const searches = others.filter((row) => actionOf(row) === 'resend' && !isResend(row)).length
    const pollsDue = looks.length + searches + (isMore ? 1 : 0)
    upstream.wants(account, { pollsDue, waiting: queue.waiting, held: watch.rows.size() })
    const waitingAtMs = await dispatchWaiting(account, queue, {
      hasRoom: () => room('create') > 0,
      start: (id, action) => start(state, 'create', [id], action),
    })
    for (const row of others) if (room(kindOf(state, row)) > 0) startOther(state, row)
    // A window's first request goes alone: the best of the others would be refused, and those after them go before them.
    const isAlone = budget.resetsAtMs === null && !account.adapter.capabilities.native_list
    if (shutUntilMs <= nowMs) startLooks(state, looks, isAlone ? Math.min(1, room()) : room())
    const left = [...others, ...looks].filter(({ id }) => !watch.isBusy(id))
    for (const row of left) watch.putBack(row, isResend(row) ? nowMs + RETHINK_MS : 0)
    // What found no room is kicked by whoever makes some.
    const freeAtMs = shutUntilMs > nowMs ? shutUntilMs : null
    const nextAtMs = room() <= 0 ? null : left.every(isResend) ? watch.nextAtMs() : freeAtMs
    const againAtMs = Math.min(waitingAtMs ?? Infinity, nextAtMs ?? Infinity)
    if (againAtMs < Infinity) wake.hint('pump', account.id, againAtMs)
  }

  /** One tick at a time for an account; a kick during one asks for another. */
  const kick = (state: AccountState): void => {
    if (stopping || clock.now() < state.notBeforeMs) return
    if (state.ticking) {
      state.again = true
      return
    }
    state.again = false
    state.ticking = tick(state)
      .catch((error: unknown) => {
        state.notBeforeMs = clock.now() + AFTER_FAULT_MS
        state.watch.restore()
        log.error({ err: error }, 'the engine could not look at its work, and will again')
      })
      .finally(() => {
        state.ticking = null
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
          const state = kind === 'pump' ? states.get(id) : undefined
          if (state) kick(state)
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
      for (const state of states.values()) {
        await state.ticking
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
