import type { Clock } from '../core/clock.ts'
import { Problem } from '../core/errors.ts'
import type { Lease, Store, Wake } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Account } from './backends.ts'
import type { Confirm } from './confirm.ts'
import type { Dispatch } from './dispatch.ts'
import type { Log } from '../core/log.ts'
import type { Apply } from './engine.ts'
import type { Learned } from './learned.ts'
import { plannedAt, planLooks, type Action } from './look.ts'
import { createDispatchWaiting } from './dispatch-waiting.ts'
import { createLooker, remember, type Memories } from './looker.ts'
import { createGiveUp } from './overdue.ts'
import { createResolver } from './resolve.ts'
import { backoffMs } from './schedule.ts'
import { recovered } from './steps.ts'
import type { Upstream } from './upstream.ts'
import { looksWorthTaking } from './worth.ts'

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
  /** Somebody holds a connection open for it. */
  isAwaited: (id: string) => boolean
  settings: { maxAgeMs: number; minIntervalMs: number; resendWindowMs: number }
}

const PUMP_LEASE_MS = 45_000
const SWEEP_MS = 1_000
/** Requests of one account under way at once. */
const AT_ONCE = 8
/** With fewer looks due together, each is as cheap by itself, and tells more. */
const GLANCE_AT_LEAST = 3
/** As many as one page of a list holds. */
const GLANCE_AT_MOST = 100
/** How soon to try again when a step of ours failed (the store, mostly). */
const AFTER_FAULT_MS = 1_000

interface AccountState {
  account: Account
  lease: Lease | null
  memories: Memories
  inFlight: Map<string, Promise<void>>
  /** Of videos on which a step of ours failed, mostly the store's. */
  faults: Map<string, { count: number; untilMs: number }>
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
  const { store, wake, clock, log, random, apply, upstream, dispatch, learned, accounts, isAwaited, settings } = deps
  const looker = createLooker(deps)
  const giveUpWaiting = createGiveUp(deps)
  const dispatchWaiting = createDispatchWaiting(deps)
  const resolver = createResolver({ ...deps, calledBack: dispatch.calledBack, firstLookAt: dispatch.firstLookAt })
  const states = new Map<string, AccountState>(
    accounts.map((account) => [
      account.id,
      {
        account,
        lease: null,
        memories: new Map(),
        inFlight: new Map(),
        faults: new Map(),
        ticking: null,
        again: false,
        notBeforeMs: 0,
      },
    ]),
  )
  const visiting = new Set<Promise<void>>()
  let stopping = false
  let cancelSweep = (): void => {}
  let stopListening = (): void => {}

  const hold = async (state: AccountState): Promise<boolean> => {
    const { lease } = state
    if (lease && lease.untilMs - clock.now() > PUMP_LEASE_MS / 2) return true
    if (lease && (await store.extend('pump', lease, PUMP_LEASE_MS))) {
      state.lease = { ...lease, untilMs: clock.now() + PUMP_LEASE_MS }
      return true
    }
    state.lease = await store.claim('pump', state.account.id, PUMP_LEASE_MS)
    if (state.lease) await learned.load(state.account.backends)
    if (state.lease && state.account.adapter.capabilities.native_webhook) await suspectLostCallbacks(state)
    return state.lease !== null
  }

  /** Callbacks that came while nobody held the account are lost: look at all that were to be called back, once. */
  const suspectLostCallbacks = async (state: AccountState): Promise<void> => {
    for (const { id, phase, version } of await store.running(state.account.id)) {
      if (phase !== 'accepted') continue
      // One that this process has not looked at yet: what the backend asked for is in its record.
      const notBeforeMs = state.memories.get(id)?.notBeforeMs ?? (await store.video(id))?.nextPollAtMs ?? null
      remember(state.memories, id, { version, dueAtMs: clock.now(), notBeforeMs, must: true })
    }
  }

  /** Runs one action beside the others of its account; whatever it meets, the account goes on. */
  const start = (state: AccountState, id: string, action: () => Promise<void>): void => {
    const running = action()
      .then(() => void state.faults.delete(id))
      .catch((error: unknown) => {
        log.error({ video_id: id, err: error }, 'the engine failed on a video, and will come back to it')
        // That one is left alone for longer each time, and the others go on.
        const count = (state.faults.get(id)?.count ?? 0) + 1
        state.faults.set(id, { count, untilMs: clock.now() + backoffMs(count, random()) })
      })
      .finally(() => {
        state.inFlight.delete(id)
        kick(state)
      })
    state.inFlight.set(id, running)
  }

  /** Ends a doubt: by the same bytes under the same key, or by evidence where there are no keys. */
  const settleDoubt = async (state: AccountState, id: string): Promise<void> => {
    const video = await store.video(id)
    if (video?.phase !== 'doubtful') return
    const { account, memories } = state
    const keyed = account.adapter.capabilities.native_idempotency
    const pause = keyed ? await dispatch.resend(account, video) : await resolver.resolve(account, video)
    if (pause) remember(memories, id, { version: video.version, dueAtMs: pause.retryAtMs })
  }

  const recover = async (id: string): Promise<void> => {
    await apply(id, (current, nowMs) =>
      current.phase === 'dispatching' && (current.lease?.untilMs ?? 0) <= nowMs ? recovered(current, nowMs) : 'keep',
    )
  }

  const run = (state: AccountState, id: string, action: Action): Promise<void> => {
    switch (action) {
      case 'look':
        return looker.look(state.account, state.memories, id)
      case 'resend':
        return settleDoubt(state, id)
      case 'recover':
        return recover(id)
    }
  }

  /** Looks that are due together are one request where the backend has a list. */
  const startLooks = (state: AccountState, ids: readonly string[]): void => {
    const { account, memories } = state
    if (!account.adapter.capabilities.native_list || ids.length < GLANCE_AT_LEAST) {
      for (const id of ids.slice(0, AT_ONCE - state.inFlight.size)) start(state, id, () => run(state, id, 'look'))
      return
    }
    // One flight for all of them: nobody looks at one of them meanwhile.
    let left: Promise<string[]> | null = null
    for (const id of ids.slice(0, GLANCE_AT_MOST)) {
      start(state, id, async () => {
        left ??= looker.glance(account, memories, ids.slice(0, GLANCE_AT_MOST))
        if ((await left).includes(id)) await looker.look(account, memories, id)
      })
    }
  }

  const planOf = async (state: AccountState) => {
    const { account, memories, inFlight, faults } = state
    const running = await store.running(account.id)
    const ids = new Set(running.map((row) => row.id))
    for (const kept of [memories, faults]) {
      for (const id of kept.keys()) if (!ids.has(id) && !inFlight.has(id)) kept.delete(id)
    }
    const plan = planLooks(
      running.filter((row) => !inFlight.has(row.id) && (faults.get(row.id)?.untilMs ?? 0) <= clock.now()),
      memories,
      clock.now(),
    )
    const dueLooks = plan.due.filter(({ action }) => action === 'look').map(({ row }) => row)
    const looks = looksWorthTaking(dueLooks, running, {
      nowMs: clock.now(),
      budget: await upstream.budget(account),
      minIntervalMs: settings.minIntervalMs,
      maxAgeMs: settings.maxAgeMs,
      learned,
      memories,
      calledBack: dispatch.calledBack(account),
      isAwaited,
    })
    const others = plan.due.flatMap(({ row, action }) => (action === 'look' ? [] : [{ id: row.id, action }]))
    return { looks, others, nextAtMs: plan.nextAtMs }
  }

  const tick = async (state: AccountState): Promise<void> => {
    if (!(await hold(state))) return
    await giveUpWaiting(state.account.id)
    const plan = await planOf(state)
    const { waiting, held } = await store.counts(state.account.id)
    upstream.wants(state.account, { pollsDue: plan.looks.length + plan.others.length, waiting, held })
    const waitingAtMs = await dispatchWaiting(state.account, {
      hasRoom: () => !stopping && state.inFlight.size < AT_ONCE,
      start: (id, action) => start(state, id, action),
    })
    for (const { id, action } of plan.others) {
      if (stopping || state.inFlight.size >= AT_ONCE) break
      start(state, id, () => run(state, id, action))
    }
    if (!stopping && state.inFlight.size < AT_ONCE) startLooks(state, plan.looks)
    const nextAtMs = Math.min(waitingAtMs ?? Infinity, plan.nextAtMs ?? Infinity)
    if (nextAtMs < Infinity) wake.hint('pump', state.account.id, nextAtMs)
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
      })
      sweep()
    },
    /** When an accepted video is looked at next; null while a look is under way, for which it may be too late. */
    plannedAtMs(video: VideoRecord): number | null {
      const state = states.get(video.account)
      if (state?.inFlight.has(video.id)) return null
      return plannedAt(video, state?.memories.get(video.id))
    },
    /** An operator's word on a create in doubt: its job, or null for none. */
    async decide(video: VideoRecord, jobId: string | null): Promise<VideoRecord> {
      const state = states.get(video.account)
      if (!state) throw new Problem('backend_unavailable', 'the account of this video is not configured any more')
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
        await Promise.all(state.inFlight.values())
      }
      while (visiting.size > 0) await Promise.all(visiting)
      await dispatch.stop()
      await learned.close()
      for (const { lease } of states.values()) if (lease) await store.release('pump', lease)
    },
  }
}
export type Pump = ReturnType<typeof createPump>
