import type { JobReport, ReadOutcome } from '../core/adapter.ts'
import type { Clock } from '../core/clock.ts'
import type { Lease, Store, Wake } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import { leaseMsOf, type Account } from './backends.ts'
import type { Dispatch } from './dispatch.ts'
import type { Log } from '../core/log.ts'
import type { Apply } from './engine.ts'
import { afterLook, dueAfter, plannedAt, planLooks, type Action, type LookMemory } from './look.ts'
import { backoffMs, nextLookAt } from './schedule.ts'
import { end, failure } from './settle.ts'
import { recovered, unknown } from './steps.ts'
import type { Upstream } from './upstream.ts'

export interface PumpDeps {
  store: Store
  wake: Wake
  clock: Clock
  log: Log
  random: () => number
  apply: Apply
  upstream: Upstream
  dispatch: Dispatch
  accounts: readonly Account[]
  settings: { maxAgeMs: number; minIntervalMs: number }
}

const PUMP_LEASE_MS = 45_000
const SWEEP_MS = 1_000
/** Requests of one account under way at once. */
const AT_ONCE = 8
/** How soon to try again when a step of ours failed (the store, mostly). */
const AFTER_FAULT_MS = 1_000

interface AccountState {
  account: Account
  lease: Lease | null
  memories: Map<string, LookMemory>
  inFlight: Map<string, Promise<void>>
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
  const { store, wake, clock, log, random, apply, upstream, dispatch, accounts, settings } = deps
  const states = new Map<string, AccountState>(
    accounts.map((account) => [
      account.id,
      { account, lease: null, memories: new Map(), inFlight: new Map(), ticking: null, again: false, notBeforeMs: 0 },
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
    if (state.lease && state.account.adapter.capabilities.native_webhook) await suspectLostCallbacks(state)
    return state.lease !== null
  }

  /** Callbacks that came while nobody held the account are lost: look at all that were to be called back, once. */
  const suspectLostCallbacks = async (state: AccountState): Promise<void> => {
    for (const { id, phase, version } of await store.running(state.account.id)) {
      if (phase === 'accepted') remember(state, id, { version, dueAtMs: clock.now() })
    }
  }

  /** Runs one action beside the others of its account; whatever it meets, the account goes on. */
  const start = (state: AccountState, id: string, action: () => Promise<void>): void => {
    const running = action()
      .catch((error: unknown) => {
        log.error({ video_id: id, err: error }, 'the engine failed on a video, and will come back to it')
        state.notBeforeMs = clock.now() + AFTER_FAULT_MS
      })
      .finally(() => {
        state.inFlight.delete(id)
        kick(state)
      })
    state.inFlight.set(id, running)
  }

  const remember = (state: AccountState, id: string, memory: Partial<LookMemory> & { version: number }): void => {
    const before = state.memories.get(id) ?? { dueAtMs: 0, looks: 0, failures: 0, lastLookAtMs: null }
    state.memories.set(id, { ...before, ...memory })
  }

  /** A job called completed whose link only its download tells. */
  const withLink = async (
    account: Account,
    jobId: string,
    outcome: ReadOutcome<JobReport>,
  ): Promise<ReadOutcome<JobReport>> => {
    if (!outcome.ok || outcome.value.status !== 'completed' || outcome.value.link) return outcome
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.download(jobId))
    // Not asked is no evidence that there is none.
    if (asked.kind === 'no_budget') return { ...outcome, value: { ...outcome.value, status: null } }
    if (!asked.outcome.ok) return outcome
    return { ...outcome, value: { ...outcome.value, link: asked.outcome.value } }
  }

  const look = async (state: AccountState, id: string): Promise<void> => {
    const { account } = state
    const video = await store.video(id)
    if (video?.phase !== 'accepted' || video.backendJobId === null) return
    const jobId = video.backendJobId
    const startedAtMs = clock.now()
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.status(jobId))
    if (asked.kind === 'no_budget') return remember(state, id, { version: video.version, dueAtMs: asked.retryAtMs })
    const outcome = await withLink(account, jobId, asked.outcome)
    const nowMs = clock.now()
    const memory = state.memories.get(id)
    const failures = outcome.ok || outcome.lost ? 0 : (memory?.failures ?? 0) + 1
    const looks = (memory?.looks ?? 0) + 1
    const hintAtMs = outcome.ok ? outcome.value.nextPollAtMs : outcome.problem.retryAtMs
    const calledBack = dispatch.calledBack(account, video)
    const dueAtMs =
      failures > 0
        ? Math.max(hintAtMs ?? 0, nowMs + backoffMs(failures, random()))
        : nextLookAt({ nowMs, looks, hintAtMs, minIntervalMs: settings.minIntervalMs, calledBack })
    const after = await apply(id, (current) =>
      afterLook(current, outcome, {
        nowMs,
        startedAtMs,
        lastLookAtMs: memory?.lastLookAtMs ?? null,
        dueAtMs,
        maxAgeMs: settings.maxAgeMs,
      }),
    )
    if (after?.phase === 'ended') upstream.resumeSlots(account.id)
    if (!after) return
    const nextAtMs = dueAfter(after, startedAtMs, dueAtMs)
    const lastLookAtMs = outcome.ok ? nowMs : (memory?.lastLookAtMs ?? null)
    state.memories.set(id, { version: after.version, dueAtMs: nextAtMs, looks, failures, lastLookAtMs })
  }

  const resend = async (state: AccountState, id: string): Promise<void> => {
    const video = await store.video(id)
    if (video?.phase !== 'doubtful') return
    if (state.account.adapter.capabilities.native_idempotency) {
      const noTicket = await dispatch.resend(state.account, video)
      if (noTicket) remember(state, id, { version: video.version, dueAtMs: noTicket.retryAtMs })
    } else await apply(id, (current, nowMs) => (current.phase === 'doubtful' ? unknown(current, nowMs) : 'keep'))
  }

  const recover = async (id: string): Promise<void> => {
    await apply(id, (current, nowMs) =>
      current.phase === 'dispatching' && (current.lease?.untilMs ?? 0) <= nowMs ? recovered(current, nowMs) : 'keep',
    )
  }

  const run = (state: AccountState, id: string, action: Action): Promise<void> => {
    switch (action) {
      case 'look':
        return look(state, id)
      case 'resend':
        return resend(state, id)
      case 'recover':
        return recover(id)
    }
  }

  const giveUpOverdue = async ({ account }: AccountState): Promise<void> => {
    for (const id of await store.overdue(account.id, clock.now() - settings.maxAgeMs, 100)) {
      await apply(id, (video, nowMs) => {
        const error =
          video.refusal ?? failure('backend_unavailable', 'the backend had no room for it within the time allowed')
        return video.phase === 'waiting' ? end(video, { status: 'failed', error }, nowMs) : 'keep'
      })
    }
  }

  /** Dispatches what waits while there are slots and tickets. Answers when to try again, if something still waits. */
  const dispatchWaiting = async (state: AccountState): Promise<number | null> => {
    const { account } = state
    for (;;) {
      const { waiting, nextWaitingDueAtMs } = await store.counts(account.id)
      const nowMs = clock.now()
      if (stopping || waiting === 0 || state.inFlight.size >= AT_ONCE) return null
      const budget = await store.budget(account.id, account.requestsPerMinute)
      const notBeforeMs = Math.max(
        nextWaitingDueAtMs ?? 0,
        upstream.slotsPausedUntilMs(account.id),
        budget.nextAtMs ?? 0,
      )
      if (notBeforeMs > nowMs) return notBeforeMs
      const admitted = await store.admit(account.id, { slots: account.slots, leaseMs: leaseMsOf(account) })
      if (!admitted) return null
      start(state, admitted.video.id, async () => {
        await dispatch.dispatch(account, admitted.video, admitted.lease, 'queued')
      })
    }
  }

  const tick = async (state: AccountState): Promise<void> => {
    if (!(await hold(state))) return
    await giveUpOverdue(state)
    const waitingAtMs = await dispatchWaiting(state)
    const rows = (await store.running(state.account.id)).filter((row) => !state.inFlight.has(row.id))
    const plan = planLooks(rows, state.memories, clock.now())
    const ids = new Set([...rows.map((row) => row.id), ...state.inFlight.keys()])
    for (const id of state.memories.keys()) if (!ids.has(id)) state.memories.delete(id)
    for (const { id, action } of plan.due) {
      if (stopping || state.inFlight.size >= AT_ONCE) break
      start(state, id, () => run(state, id, action))
    }
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
    /** Work that a request does itself, so that stopping waits for it. */
    visit<T>(work: Promise<T>): Promise<T> {
      const done = work.then(
        () => {},
        () => {},
      )
      visiting.add(done)
      void done.then(() => visiting.delete(done))
      return work
    },
    /** Starts nothing more, waits for what is under way, and gives the leases back. */
    async stop(): Promise<void> {
      stopping = true
      cancelSweep()
      stopListening()
      for (const state of states.values()) {
        await state.ticking
        await Promise.all(state.inFlight.values())
        if (state.lease) await store.release('pump', state.lease)
      }
      await Promise.all(visiting)
    },
  }
}
export type Pump = ReturnType<typeof createPump>
