import { createHash } from 'node:crypto'
import type { Store } from '../../core/store/index.ts'
import type { VideoRecord } from '../../core/video.ts'
import { accountIdOf, type AccountId } from '../../core/vocabulary.ts'
import type { Account } from '../upstream/accounts.ts'
import { breath } from '../../core/time/clock.ts'
import type { Apply, Decided } from '../life/apply.ts'
import { laneOf } from '../doubt/evidence.ts'
import { end } from '../life/job-steps.ts'

export interface ReconcileDeps {
  store: Store
  apply: Apply
  accounts: ReadonlyMap<string, Account>
}

const AT_MOST = 1_000

/** What is said of accounts that would be left; none where their videos have ended meanwhile. */
const orphanFaults = async (store: Store, orphaned: readonly AccountId[]): Promise<string[]> => {
  const faults: string[] = []
  for (const account of orphaned) {
    const { waiting, held } = await store.counts(account)
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
 * Puts a configuration in force at all processes: those with an older one take no new videos on an account that is gone.
 * Throws like `refuseOrphans`, and then nothing has changed. Answers whether it is an older one itself, of which nobody
 * said that it counts again.
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
 * running ones go on to their end. Creates that are not decided yet get the lane that their account now needs, or lose theirs.
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
