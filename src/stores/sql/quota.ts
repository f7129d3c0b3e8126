import { iso } from '../../core/time/clock.ts'
import type { OpenLimits } from '../../core/store/videos.ts'
import type { VideoRecord } from '../../core/video.ts'
import { int, type Reader } from './db.ts'

/**
 * What a client used in a month, from `months`, which triggers keep (backlog-schema.ts). A discarded video is given
 * back in the same write. A video without a known price counts as one credit; an imported one costs nothing here.
 */
const MONTH = `
  SELECT coalesce(sum(videos) FILTER (WHERE status <> 'canceled'), 0) AS videos, coalesce(ceil(sum(credits)), 0) AS credits,
    coalesce(sum(unpriced), 0) AS unpriced
  FROM months WHERE client = ? AND month = ?`

/** Which quota of its month a new video would exceed; null: none. */
export const quotaReached = async (
  db: Reader,
  { client, createdAtMs }: Pick<VideoRecord, 'client' | 'createdAtMs'>,
  { videosPerMonth, creditsPerMonth }: OpenLimits,
): Promise<'videos' | 'credits' | null> => {
  if (videosPerMonth === null && creditsPerMonth === null) return null
  const month = iso(createdAtMs).slice(0, 7)
  const had = (await db.get(MONTH, client, month)) ?? {}
  if (videosPerMonth !== null && int(had, 'videos') >= videosPerMonth) return 'videos'
  if (creditsPerMonth === null) return null
  return int(had, 'credits') + int(had, 'unpriced') >= creditsPerMonth ? 'credits' : null
}
