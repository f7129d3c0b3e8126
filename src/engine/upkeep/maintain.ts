import { type ProcessClock, breath } from '../../core/time/clock.ts'
import { type Log, logFailure } from '../../core/log.ts'
import type { Store } from '../../core/store/index.ts'
import type { Ports } from '../../core/ports.ts'
import { createHash } from 'node:crypto'
import type { VideoRecord } from '../../core/video.ts'
import { accountIdOf, type AccountId } from '../../core/vocabulary.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Apply, Decided } from '../life/apply.ts'
import { laneOf } from '../doubt/list.ts'
import { end } from '../life/job-steps.ts'

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
 * time then follows, and stamps are right again. It follows only what two checks in a row saw: a clock that is ahead
 * for a minute is not followed, because there is no quick way back. Logs, once, that the clock was set far.
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
    | 'purgeSamples'
    | 'claim'
    | 'release'
  >
  /**
   * How long terminal videos, their events and attempts are kept, uploads, the audit log, keys that ended, counts
   * of refused creates, and samples.
   */
  retentionMs: number
  /** In its place, for the videos of these clients. */
  clientRetentionMs: ReadonlyMap<string, number>
}

const EVERY_MS = 10 * 60_000
/** One write removes few, so that other writes do not wait long. */
const AT_ONCE = 100
const LEASE_MS = 60_000

/** Removes what is past its retention, in small batches, in one process at a time. */
export const createMaintainer = ({ store, clock, log, retentionMs, clientRetentionMs }: MaintainerDeps) => {
  let cancel = (): void => {}
  let running: Promise<void> = Promise.resolve()
  const stopping = new AbortController()

  const purgeAll = async (): Promise<void> => {
    const lease = await store.claim('maintain', 'purge', LEASE_MS)
    if (!lease) return
    const all = async (purge: Store['purgeKeys'], keptMs = retentionMs): Promise<number> => {
      let removed = 0
      for (let count = AT_ONCE; count >= AT_ONCE && !stopping.signal.aborted && clock.now() < lease.untilMs;) {
        count = await purge(clock.now() - keptMs, AT_ONCE)
        removed += count
      }
      return removed
    }
    const except = [...clientRetentionMs.keys()]
    let removed = await all((beforeMs, limit) => store.purge(beforeMs, limit, { except }))
    for (const [client, keptMs] of clientRetentionMs)
      removed += await all((beforeMs, limit) => store.purge(beforeMs, limit, { client }), keptMs)
    await all(store.purgeResources)
    await all(store.purgeWebhooks)
    await all(store.purgeAudit)
    await all(store.purgeKeys)
    await all(store.purgeRefusals)
    await all(store.purgeSamples)
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

interface ReconcileDeps {
  store: Store
  apply: Apply
  accounts: ReadonlyMap<string, Account>
}

const AT_MOST = 1_000

/** What is said of accounts that would be left; none where their videos have ended meanwhile. */
const orphanFaults = async (store: Store, orphaned: readonly AccountId[]): Promise<string[]> => {
  const faults: string[] = []
  for (const account of orphaned) {
    const { waiting, held } = await store.queue(account)
    const [backend] = await store.backendsOf(account)
    if (waiting + held === 0) continue
    faults.push(
      `backend ${backend ?? '?'} has ${waiting + held} open video(s) under a base_url or api_key that is no longer configured: ` +
        'put it back, with `drain: true` (under another name, if need be), until they have ended',
    )
  }
  return faults
}

/**
 * Refuses a configuration that removes, re-keys or re-points a backend with open videos: nobody could poll them any
 * more. Throws, and says what to do.
 */
export const refuseOrphans = async ({ store, accounts }: Pick<ReconcileDeps, 'store' | 'accounts'>): Promise<void> => {
  const orphaned = (await store.openAccounts(AT_MOST)).map(accountIdOf).filter((id) => !accounts.has(id))
  const faults = await orphanFaults(store, orphaned)
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/**
 * Puts a configuration in force at all processes: those with an older one take no new videos on an account that is
 * gone. Throws like `refuseOrphans`, and then nothing has changed. Answers whether it is an older one itself, of which
 * nobody said that it counts again.
 */
export const serve = async (
  { store, accounts }: Pick<ReconcileDeps, 'store' | 'accounts'>,
  clients: ReadonlySet<string>,
  why: 'start' | 'reload',
): Promise<boolean> => {
  const own = [...accounts.values()].map(({ id }) => id)
  const mark = createHash('sha256')
    .update(JSON.stringify([own.toSorted(), [...clients].toSorted()]))
    .digest('base64url')
  for (;;) {
    const { orphaned, isOfBefore } = await store.serve({ accounts: own, mark, why })
    if (orphaned.length === 0) return isOfBefore
    const faults = await orphanFaults(store, orphaned)
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }
}

/** How an open video changes to fit the configuration. */
const adjusted = (
  video: VideoRecord,
  account: Account,
  clients: ReadonlySet<string> | null,
  nowMs: number,
): Decided => {
  if (video.phase === 'waiting' && clients?.has(video.client) === false)
    return end(video, { status: 'canceled' }, nowMs)
  const lane = laneOf(account, video.order)
  const isSending = video.phase === 'waiting' || video.phase === 'dispatching' || video.phase === 'doubtful'
  return isSending && video.lane !== lane ? { video: { ...video, lane }, notes: [] } : 'keep'
}

/**
 * Fits open videos to a configuration. Waiting videos of a removed client are canceled (`clients` null: of none); its
 * running ones continue to their end. Creates that are not decided yet get the lane that their account now needs, or
 * lose theirs.
 */
export const adjust = async (
  { store, apply, accounts }: ReconcileDeps,
  clients: ReadonlySet<string> | null,
): Promise<void> => {
  for (const account of accounts.values()) {
    const fit = (id: string): Promise<unknown> => apply(id, (video, nowMs) => adjusted(video, account, clients, nowMs))
    const mayHaveLanes = !account.adapter.capabilities.native_idempotency
    for (
      let page = await store.waitingOf(account.id);
      page.length > 0;
      page = await store.waitingOf(account.id, page.at(-1))
    ) {
      for (const { id, client } of page) if (mayHaveLanes || clients?.has(client) === false) await fit(id)
      await breath()
    }
    if (mayHaveLanes) for (const id of await store.undecided(account.id)) await fit(id)
  }
}
