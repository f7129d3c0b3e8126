import type { Clock } from '../../core/time/clock.ts'
import type { Queue } from '../../core/store/videos.ts'
import type { Store } from '../../core/store/index.ts'
import { leaseMsOf, type Account } from '../upstream/accounts.ts'
import type { Dispatch } from './dispatch.ts'
import type { Upstream } from '../upstream/tickets.ts'

export interface DispatchWaitingDeps {
  store: Store
  clock: Clock
  upstream: Upstream
  dispatch: Dispatch
  /** Starts on videos that wait for their audio, not for a turn. */
  startTransfers: (account: Account) => Promise<void>
}

/** Whether the account may have more work under way, and how to begin it. */
export interface Room {
  hasRoom(): boolean
  start(videoId: string, action: () => Promise<void>): void
}

/** Dispatches what waits while there are slots and tickets. Answers when to try again, if something still waits. */
export const createDispatchWaiting =
  ({ store, clock, upstream, dispatch, startTransfers }: DispatchWaitingDeps) =>
  async (account: Account, queue: Queue, { hasRoom, start }: Room): Promise<number | null> => {
    if (queue.waiting > 0) await startTransfers(account)
    for (let { waiting, nextDueAtMs } = queue; ; { waiting, nextDueAtMs } = await store.queue(account.id)) {
      if (waiting === 0 || nextDueAtMs === null || !hasRoom()) return null
      const budget = await upstream.budget(account)
      const notBeforeMs = Math.max(
        nextDueAtMs,
        upstream.slotsPausedUntilMs(account.id),
        upstream.shutUntilMs(account.id),
        budget.nextCreateAtMs ?? 0,
      )
      if (notBeforeMs > clock.now()) return notBeforeMs
      const admitted = await store.admit(account.id, { slots: account.slots, leaseMs: leaseMsOf(account) })
      if (!admitted) return null
      start(admitted.video.id, async () => {
        await dispatch.dispatch(account, admitted.video, admitted.lease, 'queued')
      })
    }
  }
