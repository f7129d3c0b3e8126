import type { OverviewView, TroubleView } from '../../../core/api/admin.ts'
import { HOURS, type Overview } from '../../../core/store/admin.ts'
import { iso } from '../../../core/time/clock.ts'
import type { TerminalStatus } from '../../../core/vocabulary.ts'

const HOUR_MS = 3_600_000

/** The start of the first of 24 hours of which this is in the last. */
export const firstHourMs = (nowMs: number): number => (Math.floor(nowMs / HOUR_MS) - HOURS + 1) * HOUR_MS

type Counts = Record<TerminalStatus, number>
const NONE: Counts = { completed: 0, failed: 0, canceled: 0 }

const hoursOf = ({ hours }: Overview['ended'], sinceMs: number): (Counts & { from: string })[] => {
  const rows = Array.from({ length: HOURS }, (_, n) => ({ from: iso(sinceMs + n * HOUR_MS), ...NONE }))
  for (const { hour, status, videos } of hours) {
    const row = rows[hour - sinceMs / HOUR_MS]
    if (row) row[status] += videos
  }
  return rows
}

const percentile = (ascending: readonly number[], part: number): number =>
  (ascending[Math.max(0, Math.ceil(ascending.length * part) - 1)] ?? 0) / 1_000

interface Context {
  nowMs: number
  sinceMs: number
  client: string | null
  isOperator: boolean
  troubles: TroubleView[]
}

/** Pure. */
export const overviewView = (
  { open, ended, lateMs, deliveries }: Overview,
  { nowMs, sinceMs, client, isOperator, troubles }: Context,
): OverviewView => {
  const hours = hoursOf(ended, sinceMs)
  const sum = (status: TerminalStatus): number => hours.reduce((all, hour) => all + hour[status], 0)
  const { isWhole: openIsWhole, doubtful, ...counts } = open
  const { isWhole: deliveriesAreWhole, ...delivered } = deliveries
  return {
    object: 'overview',
    at: iso(nowMs),
    client,
    videos: { ...counts, doubtful: isOperator ? doubtful : null, complete: openIsWhole },
    ended: {
      since: iso(sinceMs),
      completed: sum('completed'),
      failed: sum('failed'),
      canceled: sum('canceled'),
      hours,
      complete: ended.isWhole,
    },
    detection: {
      videos: lateMs.length,
      seconds: lateMs.length === 0 ? null : { p50: percentile(lateMs, 0.5), p95: percentile(lateMs, 0.95) },
    },
    deliveries: { ...delivered, complete: deliveriesAreWhole },
    troubles,
  }
}
