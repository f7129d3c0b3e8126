import type { ProcessClock } from '../../core/time/clock.ts'
import { type Log, logFailure } from '../../core/log.ts'
import type { Store } from '../../core/store/index.ts'
import type { Ports } from '../../core/ports.ts'

interface CatchUpDeps {
  store: Pick<Store, 'openAccounts'>
  clock: ProcessClock
  log: Log
}

/** Longer than a window of requests: if two checks in a row find no open video, no window is open either. */
const CHECK_EVERY_MS = 70_000
const WORTH_TELLING_MS = 60_000
/** By how much two readings of one difference may differ. */
const SAME_MS = 5_000

/**
 * Our time never leaps while videos are open: setting the clock must not change the age of a video, a doubt or a lease.
 * While none is open, nothing can be failed by age. So after the clock was set ahead (or the machine was suspended) our
 * time then follows, and stamps are right again. It follows only what two checks in a row saw: a clock that is ahead for a
 * minute is not followed, because there is no quick way back. Logs, once, that the clock was set far.
 */
export const createCatchUp = ({ store, clock, log }: CatchUpDeps) => {
  let cancel = (): void => {}
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  let idle = false
  let seenMs = 0
  let told = false

  const poll = async (): Promise<void> => {
    const wasIdle = idle
    idle = (await store.openAccounts(1)).length === 0
    const aheadMs = clock.wall() - clock.now()
    const isSame = Math.abs(aheadMs - seenMs) <= SAME_MS
    seenMs = aheadMs
    if (idle && wasIdle && isSame) clock.notBefore(clock.wall())
    const setMs = clock.wall() - clock.now()
    const isFar = Math.abs(setMs) >= WORTH_TELLING_MS
    if (isFar && !told) log.warn({ set_ms: setMs }, 'the clock was set: the gateway’s own time approaches it slowly')
    told = isFar
  }

  const run = (): void => {
    running = poll()
      .catch((error: unknown) => logFailure(log, { err: error }, 'the clock could not be compared, and will be again'))
      .finally(() => {
        if (!stopped) cancel = clock.at(clock.now() + CHECK_EVERY_MS, run)
      })
  }

  return {
    start: run,
    async stop(): Promise<void> {
      stopped = true
      cancel()
      await running
    },
  }
}
export type CatchUp = ReturnType<typeof createCatchUp>

interface MaintainerDeps extends Pick<Ports, 'clock' | 'log'> {
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
