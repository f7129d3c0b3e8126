import type { LinePlaces } from '../../src/core/store/webhooks.ts'
import type { MetadataQuery } from '../../src/core/store/videos.ts'
import type { createLineReads } from '../../src/stores/sql/event-reads.ts'
import type { createMetadataReads } from '../../src/stores/sql/admin-reads.ts'
import { everySet, HOUR, listQuery, T0 } from '../fakes/records.ts'

type Reads = ReturnType<typeof createLineReads> & ReturnType<typeof createMetadataReads>
type Asked = [name: string, read: (reads: Reads) => Promise<unknown>]
type Walk = [name: string, most: number, read: (reads: Reads) => Promise<unknown>]

const MONTH_MS = 30 * 24 * HOUR
const LIMIT = 20

const placesAt = (n: number): LinePlaces =>
  new Map(['acct_main', 'acct_main2', 'acct_alt', 'acct_alt2', 'events'].map((line) => [line, { n, place: 0 }]))

export const lineReads = (count: number): Asked[] => [
  ['eventSpanOfAll', (reads) => reads.eventSpanOfAll()],
  ['eventsOfAll the start', (reads) => reads.eventsOfAll({ after: new Map(), limit: 16, types: null })],
  ...[0.5, 0.999].map((part): Asked => {
    const after = placesAt(Math.round(count * part))
    return [`eventsOfAll at ${part}`, (reads) => reads.eventsOfAll({ after, limit: 16, types: null })]
  }),
]

const metadataQueries = (count: number): MetadataQuery[] =>
  everySet({
    before: { createdAtMs: T0 - MONTH_MS / 2, id: `vid_${String(Math.round(count / 2)).padStart(26, '0')}` },
    createdAfterMs: T0 - MONTH_MS * 0.9,
    createdBeforeMs: T0 - MONTH_MS * 0.3,
  }).flatMap((query) =>
    [null, 'client_00', 'client_40'].flatMap((client) =>
      [`order-${Math.round(count / 3)}`, 'place-3', 'prod', 'none'].map((value) => ({
        ...listQuery({ ...query, limit: LIMIT }),
        client,
        metadata: { key: null, value },
      })),
    ),
  )

/** By a value alone: no more than is answered. */
export const metadataReads = (count: number): Asked[] =>
  metadataQueries(count).map((query) => [`withMetadata ${JSON.stringify(query)}`, (reads) => reads.withMetadata(query)])

/** Beside another filter pairs are passed over: so many, and no more. */
export const lineWalks = (count: number): Walk[] => [
  ...metadataQueries(count).flatMap((query) =>
    everySet({ status: 'failed' as const, backends: ['alt'] }).flatMap((also): Walk[] => {
      if (Object.keys(also).length === 0) return []
      const whole = { ...query, ...also, metadata: { ...query.metadata, key: 'env' } }
      return [[`withMetadata ${JSON.stringify(whole)}`, 2_100, (reads) => reads.withMetadata(whole)]]
    }),
  ),
  [
    'eventsOfAll types',
    1_100,
    (reads) => reads.eventsOfAll({ after: new Map(), limit: 16, types: ['video.failed', 'video.canceled'] }),
  ],
]
