import type { Clock } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'
import type { FailoverReason } from '../../core/vocabulary.ts'
import type { Backend } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'

/** What `routing` says about backends that cannot take a create. */
export interface FailoverPolicy {
  /** Which backends stand in for one, in order. */
  standIns: Readonly<Record<string, readonly string[]>>
  on: readonly FailoverReason[]
  /** Whether a create waits where its backend is down and nothing stands in; else it is refused. */
  waitsWhenDown: (backend: string) => boolean
}

/** Why it would not be tried at all now: what is known of the account, without asking it. */
export const createStanding =
  ({ store, upstream, clock }: { store: Pick<Store, 'counts'>; upstream: Upstream; clock: Clock }) =>
  async ({ account }: Backend, on: readonly FailoverReason[]): Promise<FailoverReason | null> => {
    await upstream.heed()
    const nowMs = clock.now()
    const isShut = upstream.shutUntilMs(account.id) > nowMs
    const isKeyRefused = upstream.keyRefusedUntilMs(account.id) > nowMs
    if (on.includes('down') && (isShut || isKeyRefused)) return 'down'
    if (on.includes('no_slot') && account.slots !== null) {
      const { waiting, held } = await store.counts(account.id)
      if (waiting > 0 || held >= account.slots || upstream.slotsPausedUntilMs(account.id) > nowMs) return 'no_slot'
    }
    if (on.includes('no_budget')) {
      const { nextCreateAtMs } = await upstream.budget(account)
      if ((nextCreateAtMs ?? 0) > nowMs) return 'no_budget'
    }
    return null
  }
export type Standing = ReturnType<typeof createStanding>
