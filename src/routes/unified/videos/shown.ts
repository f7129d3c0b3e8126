import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Store } from '../../../core/store/index.ts'
import { isoOrNull } from '../../../core/time/clock.ts'
import type { VideoRecord } from '../../../core/video.ts'
import { isTerminal } from '../../../core/vocabulary.ts'
import type { Passing, ShownPart, Videos } from '../../../engine/index.ts'
import { nextPollMsOf } from './pace.ts'

/** A cache of the client's own may keep a video, and asks each time whether it is still the same. */
export const OWN_AND_CHECKED = 'private, no-cache'

export const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`

/** A video as `getVideo` answers it. */
export interface Shown {
  body: string
  bytes: number
  etag: string
  isTerminal: boolean
  /** Not a number if no poll is planned. */
  nextPollAtMs: number
}

interface Kept extends Shown {
  client: string
  of: ShownPart
  passing: Passing
  /** When it was last known to be what the store has: null if others write there, too. */
  writeCount: number | null
}

/** Room for what clients read in turn: 4,000 videos and more. */
const KEPT_BYTES = 8 * 1024 * 1024
/** What is kept beside a body, about. */
const BESIDE_BYTES = 500

const partOf = ({ id, account, version, phase, dueAtMs, link }: VideoRecord): ShownPart => ({
  id,
  account,
  version,
  phase,
  dueAtMs,
  link,
})

const isSame = (a: Passing, b: Passing): boolean => a.isLinkShown === b.isLinkShown && a.nextPollAtMs === b.nextPollAtMs

interface ShownVideosDeps {
  videos: Pick<Videos, 'render' | 'passing'>
  store: Pick<Store, 'videoOf' | 'versionOf' | 'writeCount'>
}

/**
 * Bodies of videos, each made once for a version of its record, and again when a link has expired or another poll is
 * planned. The place of one that waits changes without a write of its own: it is made each time.
 */
export const createShownVideos = ({ videos, store }: ShownVideosDeps) => {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + BESIDE_BYTES,
  })

  const made = async (video: VideoRecord, writeCount: number | null): Promise<Shown> => {
    const of = partOf(video)
    const passing = videos.passing(of)
    const view = await videos.render(video)
    const body = JSON.stringify(view)
    const shown: Shown = {
      body,
      bytes: Buffer.byteLength(body),
      etag: etagOf(body),
      isTerminal: isTerminal(view.status),
      nextPollAtMs: nextPollMsOf(view),
    }
    const isOfThen =
      passing.isLinkShown === (view.video_url !== null) && isoOrNull(passing.nextPollAtMs) === view.next_poll_at
    if (video.phase !== 'waiting' && isOfThen)
      kept.set(video.id, { ...shown, client: video.client, of, passing, writeCount })
    return shown
  }

  const isStill = (before: Kept): boolean => isSame(before.passing, videos.passing(before.of))

  const read = async (client: string, id: string, before: Kept | undefined): Promise<Shown | null> => {
    const writeCount = store.writeCount()
    if (before && (await store.versionOf(client, id)) === before.of.version && isStill(before)) {
      before.writeCount = writeCount
      return before
    }
    const video = await store.videoOf(client, id)
    return video && made(video, writeCount)
  }

  /**
   * The client's own video of this id, which is one of ours; null for an unknown one, and another client's. Immediately
   * if nothing has to be read.
   */
  return (client: string, id: string): Shown | null | Promise<Shown | null> => {
    const before = kept.get(id)
    const isUnchanged = before && before.writeCount !== null && before.writeCount === store.writeCount()
    if (isUnchanged && before.client === client && isStill(before)) return before
    return read(client, id, before)
  }
}
