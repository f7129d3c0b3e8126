import type { Store } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'

/**
 * Others that may have made a job that the list shows, for all that it tells: creates of the same lane that are not
 * decided. Lanes keep such apart, but not those that were sent before their account was exclusive.
 */
export const createRivalsOf =
  ({ store }: { store: Pick<Store, 'running' | 'video'> }) =>
  async ({ id, account, lane }: VideoRecord): Promise<VideoRecord[]> => {
    const undecided = (await store.running(account)).filter((row) => row.phase !== 'accepted' && row.id !== id)
    const videos = await Promise.all(undecided.map((row) => store.video(row.id)))
    return videos.flatMap((one) => (one?.lane === lane && one.wire !== null && one.phase !== 'accepted' ? [one] : []))
  }
