import type { ListedJob } from '../../core/adapter.ts'
import type { Store } from '../../core/store/index.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { isStampedAsSent, isVague, sentWindow } from './evidence.ts'

/** How many of the newest jobs are compared with our records: each costs two reads of the store. */
const HELD_AGAINST = 20

/**
 * Whether a job that the list lacks is really absent, so that its create may be paid once more. Each job in the list
 * must be ruled out by what it tells, and the stamps of our own jobs must fit the times at which they were sent.
 */
export const createIsTelling =
  ({ store }: { store: Pick<Store, 'owner' | 'video'> }) =>
  async (account: Account, video: VideoRecord, items: readonly ListedJob[], offsetMs: number): Promise<boolean> => {
    const sent = sentWindow(video, account.timeoutMs)
    const vague = new Set(items.filter((job) => isVague(video.order, sent, job, offsetMs)))
    const newest = items.toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0)).slice(0, HELD_AGAINST)
    for (const job of new Set([...vague, ...newest])) {
      const owner = await store.owner(account.id, job.jobId)
      if (owner === null && vague.has(job)) return false
      const own = owner === null ? null : await store.video(owner)
      if (own && !isStampedAsSent(own, job, account.timeoutMs)) return false
    }
    return true
  }
