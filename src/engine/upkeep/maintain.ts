import type { Store } from '../../core/store/index.ts'
import type { Ports } from '../../core/ports.ts'
import { logFailure } from '../../core/expected.ts'

export interface MaintainerDeps extends Pick<Ports, 'clock' | 'log'> {
  store: Pick<
    Store,
    | 'purge'
    | 'purgeResources'
    | 'purgeWebhooks'
    | 'purgeAudit'
    | 'purgeKeys'
    | 'purgeSessions'
    | 'purgeRefusals'
    | 'claim'
    | 'release'
  >
  /** How long terminal videos, their events and attempts are kept, uploads, the audit log, keys that ended, and counts of refused creates. */
  retentionMs: number
}

const EVERY_MS = 10 * 60_000
/** One write removes few, so that other writes do not wait long. */
const AT_ONCE = 100
const LEASE_MS = 60_000

/** Removes what is past its retention, in small batches, in one process at a time. */
export const createMaintainer = ({ store, clock, log, retentionMs }: MaintainerDeps) => {
  let cancel = (): void => {}
  let running: Promise<void> = Promise.resolve()
  const stopping = new AbortController()

  const purgeAll = async (): Promise<void> => {
    const lease = await store.claim('maintain', 'purge', LEASE_MS)
    if (!lease) return
    const all = async (purge: Store['purge']): Promise<number> => {
      let removed = 0
      for (let count = AT_ONCE; count >= AT_ONCE && !stopping.signal.aborted && clock.now() < lease.untilMs;) {
        count = await purge(clock.now() - retentionMs, AT_ONCE)
        removed += count
      }
      return removed
    }
    const removed = await all(store.purge)
    await all(store.purgeResources)
    await all(store.purgeWebhooks)
    await all(store.purgeAudit)
    await all(store.purgeKeys)
    await all(store.purgeRefusals)
    // Over is over: nothing of a session is read once it has ended.
    await all((_beforeMs, limit) => store.purgeSessions(clock.now(), limit))
    await store.release('maintain', lease)
    if (removed > 0) log.info({ removed }, 'videos past their retention were removed')
  }

  const run = (): void => {
    cancel = clock.at(clock.now() + EVERY_MS, run)
    running = purgeAll().catch((error: unknown) =>
      logFailure(log, { err: error }, 'retention failed, and will be tried again'),
    )
  }

  return {
    start: run,
    async stop(): Promise<void> {
      stopping.abort()
      cancel()
      await running
    },
  }
}
export type Maintainer = ReturnType<typeof createMaintainer>
