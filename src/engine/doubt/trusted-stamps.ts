import type { ListedJob } from '../../core/adapter.ts'
import type { Store } from '../../core/store/index.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { isStampedAsSent, isVague, sentWindow } from './evidence.ts'

/** So many of the newest are held against what is known of them: each costs two reads of the store. */
const HELD_AGAINST = 20

/**
 * Whether what a list lacks can be called absent, and so be paid once more: each job in it is ruled out by what it
 * tells, and those of ours are stamped as they were sent, by the clock that its `Date` tells.
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
