import { MOST_DELIVERIES, MOST_OUTCOMES } from '../../src/core/store/admin.ts'
import type { createOverviewReads } from '../../src/stores/sql/overview.ts'
import { MOST_FOUND, MOST_LOOKED_AT } from '../../src/core/store/videos.ts'
import type { createReads } from '../../src/stores/sql/reads.ts'
import { accountId, HOUR, T0 } from '../fakes/records.ts'

type Reads = ReturnType<typeof createOverviewReads> & ReturnType<typeof createReads>
type Walk = [string, number, (reads: Reads) => Promise<unknown>]

const MAIN = accountId('main')
const ANYTIME = { sinceMs: null, untilMs: null, code: null, at: 'ended_at', webhook: null } as const
const TWO_DAYS = { fromMs: T0 - 48 * HOUR, untilMs: T0 + HOUR, stepMs: HOUR }
const MONTH = { fromMs: T0 - 30 * 24 * HOUR, untilMs: T0 + HOUR, stepMs: 24 * HOUR }

/** Each read of an overview, and how many rows one statement of it may meet. */
export const overviewWalks = (): Walk[] => [
  ...[null, 'client_00', 'client_none'].flatMap((client) =>
    [null, 'alt'].flatMap((backend): Walk[] => [
      [
        `overview of ${client} ${backend}`,
        1.1 * MOST_DELIVERIES,
        (reads) => reads.overview({ client, backend, sinceMs: T0 - 24 * HOUR, limit: 10 }),
      ],
      ...(['completed', 'failed'] as const).map((of): Walk => [
        `outcomes ${of} of ${client} ${backend}`,
        backend === null ? MOST_OUTCOMES : 4 * MOST_OUTCOMES,
        (reads) => reads.outcomes({ of, client, backend, by: ['backend', 'code'], measure: 'took', ...MONTH }),
      ]),
      ...(['late', 'credits'] as const).map((measure): Walk => [
        `${measure} of ${client} ${backend}`,
        backend === null ? MOST_OUTCOMES : 4 * MOST_OUTCOMES,
        (reads) => reads.outcomes({ of: 'failed', client, backend, by: ['client'], measure, ...MONTH }),
      ]),
    ]),
  ),
  ...[null, 'client_00'].map((client): Walk => [
    `deliveries of ${client}`,
    MOST_OUTCOMES,
    (reads) => reads.outcomes({ of: 'delivered', client, backend: null, by: [], measure: 'took', ...MONTH }),
  ]),
  [
    'deliveries by endpoint',
    MOST_OUTCOMES,
    (reads) =>
      reads.outcomes({ of: 'given_up', client: 'client_00', backend: null, by: ['endpoint'], measure: null, ...MONTH }),
  ],
  ...(['accounts', 'clients', { client: 'client_00' }] as const).map((of): Walk => [
    `samples of ${JSON.stringify(of)}`,
    // One for each minute, in the index and in the table.
    2 * 49 * 60,
    (reads) => reads.samples({ of, account: MAIN, ...TWO_DAYS }),
  ]),
  ...[null, 'client_00'].flatMap((client): Walk[] => {
    const all = { client, statuses: ['completed', 'failed'], phases: null, backends: null, ...ANYTIME } as const
    return [
      [`longest of ${client}`, 2 * MOST_FOUND, (on) => on.search(all, { limit: 21, before: null, longestFirst: true })],
      ...(['failed', 'none'] as const).map((webhook): Walk => [
        `${webhook} webhooks of ${client}`,
        // Of a part of the videos, and of those that are shown.
        4 * MOST_LOOKED_AT,
        (on) => on.search({ ...all, webhook }, { limit: 21, before: null, longestFirst: false }),
      ]),
      [`count of ${client}`, 2 * MOST_FOUND + 2, (on) => on.countFound(all)],
    ]
  }),
  ['queueHead', 1_500, (reads) => reads.queueHead(MAIN, null, 20)],
  ['queueHead of a client', 100, (reads) => reads.queueHead(MAIN, 'client_00', 20)],
]
