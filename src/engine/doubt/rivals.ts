import type { Store } from '../../core/store/index.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { likeSinceMs, sentWindow } from './evidence.ts'
import { isGivenUp } from './operator.ts'

/**
 * Others that may have made a job that the list shows, for all that it tells: creates of the same lane that are not
 * decided. Lanes keep such apart, but not those that were sent before their account was exclusive, nor one that was to be
 * sent again and is in doubt anew.
 */
export const createRivalsOf =
  ({ store }: { store: Pick<Store, 'undecided' | 'video'> }) =>
  async ({ id, account, lane }: VideoRecord): Promise<VideoRecord[]> => {
    const others = (await store.undecided(account)).filter((other) => other !== id)
    const videos = await Promise.all(others.map((other) => store.video(other)))
    const mayHave = (one: VideoRecord): boolean =>
      one.phase === 'doubtful' || (one.phase === 'dispatching' && one.wire !== null)
    return videos.flatMap((one) => (one?.lane === lane && mayHave(one) ? [one] : []))
  }

/** It may have made a job that no video has: it was given up, or what became of an attempt before its last one is not known. */
const mayHaveLeftJob = (video: VideoRecord): boolean => isGivenUp(video) || video.search?.resent === true

/**
 * Whether a job that only this create in doubt can have made, by those that are undecided, may be one that an earlier
 * create of its lane left behind.
 */
export const createMayBeLeft =
  ({ store }: { store: Pick<Store, 'sentInLane'> }) =>
  async (account: Account, video: VideoRecord): Promise<boolean> => {
    if (video.lane === null) return false
    const like = await store.sentInLane(account.id, video.lane, likeSinceMs(sentWindow(video, account.timeoutMs)))
    return like.some((one) => one.id !== video.id && mayHaveLeftJob(one))
  }
