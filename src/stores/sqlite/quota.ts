import { iso } from '../../core/time/clock.ts'
import type { OpenLimits } from '../../core/store/videos.ts'
import type { VideoRecord } from '../../core/video.ts'
import { int, type Db } from './db.ts'

/**
 * `months` is kept by triggers (backlog-schema.ts): what is discarded is given back by the same write. What is not priced
 * yet may cost something; what was imported was paid for elsewhere.
 */
const MONTH = `
  SELECT coalesce(sum(videos) FILTER (WHERE status <> 'canceled'), 0) AS videos, coalesce(ceil(sum(credits)), 0) AS credits,
    coalesce(sum(unpriced), 0) AS unpriced
  FROM months WHERE client = ? AND month = ?`

/** What keeps one more video of its client from being made in its month; null: nothing. */
export const quotaReached = (
  db: Db,
  { client, createdAtMs }: Pick<VideoRecord, 'client' | 'createdAtMs'>,
  { videosPerMonth, creditsPerMonth }: OpenLimits,
): 'videos' | 'credits' | null => {
  if (videosPerMonth === null && creditsPerMonth === null) return null
  const month = iso(createdAtMs).slice(0, 7)
  const had = db.get(MONTH, client, month) ?? {}
  if (videosPerMonth !== null && int(had, 'videos') >= videosPerMonth) return 'videos'
  if (creditsPerMonth === null) return null
  return int(had, 'credits') + int(had, 'unpriced') >= creditsPerMonth ? 'credits' : null
}
