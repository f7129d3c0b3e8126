import { createHash } from 'node:crypto'
import type { QuotaWarningView } from './api/webhooks.ts'
import { iso, nextMonthMs } from './time/clock.ts'
import type { EventRecord } from './video.ts'

/** What a client may have in a month; null: no limit. */
export interface Quotas {
  videosPerMonth: number | null
  creditsPerMonth: number | null
}

export const QUOTAS = ['videos_per_month', 'credits_per_month'] as const
export type Quota = (typeof QUOTAS)[number]

/** Per cent of a quota at which its client is warned. */
export const THRESHOLDS = [80, 100] as const

export interface QuotaWarning {
  client: string
  /** `2026-11` */
  month: string
  quota: Quota
  threshold: number
  used: number
  limit: number
}

/** Of each quota and threshold that is reached, the warning that is due if it was not told. Pure. */
export const warningsOf = (
  of: Pick<QuotaWarning, 'client' | 'month'>,
  used: { videos: number; credits: number },
  { videosPerMonth, creditsPerMonth }: Quotas,
): QuotaWarning[] =>
  [
    { quota: 'videos_per_month', used: used.videos, limit: videosPerMonth } as const,
    { quota: 'credits_per_month', used: used.credits, limit: creditsPerMonth } as const,
  ].flatMap(({ quota, used: count, limit }) =>
    limit === null
      ? []
      : THRESHOLDS.filter((threshold) => count * 100 >= limit * threshold).map((threshold) => ({
          ...of,
          quota,
          threshold,
          used: count,
          limit,
        })),
  )

/** The event of a warning: the same warning of the same limit is the same event. */
export const quotaEvent = (warning: QuotaWarning, atMs: number): EventRecord => {
  const { client, month, quota, threshold, used, limit } = warning
  const named = JSON.stringify([client, 'quota.warning', month, quota, threshold, limit])
  const body: QuotaWarningView = {
    type: 'quota.warning',
    timestamp: iso(atMs),
    data: { quota, threshold, used, limit, month, resets_at: iso(nextMonthMs(Date.parse(`${month}-01T00:00:00Z`))) },
  }
  return {
    id: `evt_${createHash('sha256').update(named).digest('hex').slice(0, 26)}`,
    type: 'quota.warning',
    client,
    videoId: null,
    sequence: 1,
    atMs,
    body: JSON.stringify(body),
  }
}
