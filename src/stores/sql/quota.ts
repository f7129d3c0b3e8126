import { iso } from '../../core/time/clock.ts'
import { quotaEvent, warningsOf, type Quotas } from '../../core/quota.ts'
import type { VideoRecord } from '../../core/video.ts'
import { int, type Db, type Reader } from './db.ts'
import { putOwed } from './outbox.ts'

/**
 * What a client used in a month, from `months`, which triggers keep (backlog-schema.ts). A discarded video is given
 * back in the same write. A video without a known price counts as one credit; an imported one costs nothing here.
 */
const MONTH = `
  SELECT coalesce(sum(videos) FILTER (WHERE status <> 'canceled'), 0) AS videos, coalesce(ceil(sum(credits)), 0) AS credits,
    coalesce(sum(unpriced), 0) AS unpriced
  FROM months WHERE client = ? AND month = ?`

type Of = Pick<VideoRecord, 'client' | 'createdAtMs'>

const monthOf = (ms: number): string => iso(ms).slice(0, 7)

const usedBy = async (db: Reader, { client, createdAtMs }: Of): Promise<{ videos: number; credits: number }> => {
  const row = (await db.get(MONTH, client, monthOf(createdAtMs))) ?? {}
  return { videos: int(row, 'videos'), credits: int(row, 'credits') + int(row, 'unpriced') }
}

/** Which quota of its month a new video would exceed; null: none. */
export const quotaReached = async (
  db: Reader,
  of: Of,
  { videosPerMonth, creditsPerMonth }: Quotas,
): Promise<'videos' | 'credits' | null> => {
  if (videosPerMonth === null && creditsPerMonth === null) return null
  const used = await usedBy(db, of)
  if (videosPerMonth !== null && used.videos >= videosPerMonth) return 'videos'
  return creditsPerMonth !== null && used.credits >= creditsPerMonth ? 'credits' : null
}

/** Nothing where this warning was told of this limit, or of a higher one. */
const MARK = `INSERT INTO quota_warnings (client, month, quota, threshold, quota_limit) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (client, month, quota, threshold) DO UPDATE SET quota_limit = excluded.quota_limit
  WHERE quota_warnings.quota_limit < excluded.quota_limit`

/**
 * Tells the client of the quotas that it has nearly or wholly used in the month of this video, each warning once: the
 * mark, the event and its deliveries are of the write that reached it. Nothing is told of a month that is over. Answers
 * deliveries that are due.
 */
export const warnOfQuotas = async (db: Db, of: Of, quotas: Quotas | null, nowMs: number): Promise<string[]> => {
  if (!quotas || (quotas.videosPerMonth === null && quotas.creditsPerMonth === null)) return []
  const { client } = of
  const month = monthOf(of.createdAtMs)
  if (month !== monthOf(nowMs)) return []
  const due: string[] = []
  for (const warning of warningsOf({ client, month }, await usedBy(db, of), quotas)) {
    const { quota, threshold, limit } = warning
    if ((await db.run(MARK, client, month, quota, threshold, limit)) === 0) continue
    due.push(...(await putOwed(db, quotaEvent(warning, nowMs), [])))
  }
  return due
}
