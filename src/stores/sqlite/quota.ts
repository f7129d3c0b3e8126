import { iso } from '../../core/clock.ts'
import type { OpenLimits } from '../../core/ports.ts'
import type { VideoRecord } from '../../core/video.ts'
import { int, type Db } from './db.ts'

/** `months` is kept by triggers (resource-schema.ts): what is discarded is given back by the same write. */
const MONTH = `
  SELECT coalesce(sum(videos) FILTER (WHERE status <> 'canceled'), 0) AS videos, coalesce(ceil(sum(credits)), 0) AS credits
  FROM months WHERE client = ? AND month = ?`

/** They may cost something yet; what was imported was paid for elsewhere. */
const UNPRICED = `
  SELECT count(*) AS n FROM videos WHERE client = ? AND status IN ('queued', 'processing') AND source <> 'import' AND created_at >= ?
    AND data ->> '$.credits.charged' IS NULL`

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
  const unpriced = int(db.get(UNPRICED, client, Date.parse(`${month}-01T00:00:00Z`)) ?? {}, 'n')
  return int(had, 'credits') + unpriced >= creditsPerMonth ? 'credits' : null
}
