import type { Store } from '../../core/store/index.ts'
import { isGivenUp, type VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { likeSinceMs, sentWindow } from './evidence.ts'

/**
 * Other undecided creates of the same lane, which may have made the same job. Lanes normally keep them apart. They do
 * not for creates that were sent before the account was exclusive, nor for one that was to be resent and is in doubt
 * again.
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

/** It may have made a job that no video has: it was given up, or an earlier attempt of it has an unknown outcome. */
const mayHaveLeftJob = (video: VideoRecord): boolean => isGivenUp(video) || video.search?.resent === true

/**
 * Whether a job in the list may have been left behind by an earlier create of the lane. Asked when no undecided create
 * but this one can have made it.
 */
export const createMayBeLeft =
  ({ store }: { store: Pick<Store, 'sentInLane'> }) =>
  async (account: Account, video: VideoRecord): Promise<boolean> => {
    if (video.lane === null) return false
    const like = await store.sentInLane(account.id, video.lane, likeSinceMs(sentWindow(video, account.timeoutMs)))
    return like.some((one) => one.id !== video.id && mayHaveLeftJob(one))
  }
