import { MOST_DELIVERIES, MOST_ENDED } from '../../src/core/store/admin.ts'
import type { createOverviewReads } from '../../src/stores/sql/admin-reads.ts'
import { accountId, HOUR, T0 } from '../fakes/records.ts'

type Reads = ReturnType<typeof createOverviewReads>
type Walk = [string, number, (reads: Reads) => Promise<unknown>]

const MAIN = accountId('main')

/** Hours of a day, and statuses of an end. */
const COUNTS = 24 * 3

/**
 * Each read of an overview, and how many rows it may meet. Counted in an index are so many deliveries, and the ends of a day
 * of the month's `count`.
 */
export const overviewWalks = (count: number): Walk[] => [
  ...[null, 'client_00', 'client_none'].map((client): Walk => [
    `overview of ${client}`,
    1.1 * Math.max(MOST_DELIVERIES, Math.min(MOST_ENDED * COUNTS, count / 30)),
    (reads) => reads.overview({ client, sinceMs: T0 - 24 * HOUR, limit: 10 }),
  ]),
  ['queueHead', 1_500, (reads) => reads.queueHead(MAIN, null, 20)],
  ['queueHead of a client', 100, (reads) => reads.queueHead(MAIN, 'client_00', 20)],
]
