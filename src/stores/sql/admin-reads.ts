import type { ListQuery, MetadataQuery, MetadataStore } from '../../core/store/videos.ts'
import { int, numberOf, orNull, type Reader, type Row, text } from './db.ts'
import { deliveryFrom, ENDPOINT, endpointFrom, videoFrom } from './rows.ts'
import { EVENT, where } from './webhook-reads.ts'
import type { AdminStore, EventsOfAllQuery, UsageQuery, UsageRow } from '../../core/store/admin.ts'
import type { DeliveriesQuery, PlacedDelivery } from '../../core/store/webhooks.ts'
import { type Status, STATUSES } from '../../core/vocabulary.ts'
import { placedFrom } from './event-reads.ts'
import { DELIVERY } from './reads.ts'

/** Videos with a value that one call passes over, where another filter may want few of them. */
const SCANNED = 1_000

const ORDER = 'created_at DESC, video_id DESC'

/**
 * In the order of the list, by the index alone. A video may have the value twice: it is one row, or a call could end
 * between the two. `wanted`: under the key that is asked for, 1 or 0.
 */
const withValue = ({ client, metadata, createdAfterMs, createdBeforeMs, before }: MetadataQuery) => {
  const wanted = where([
    ['client = ?', client],
    ['value = ?', metadata.value],
    ['created_at > ?', createdAfterMs],
    // An index uses one of two upper bounds: the cursor, which is lower.
    ['created_at < ?', before ? null : createdBeforeMs],
    before && ['(created_at, video_id) < (?, ?)', before.createdAtMs, before.id],
  ])
  const { key } = metadata
  const columns = `created_at, video_id${key === null ? '' : ', max(CASE WHEN key = ? THEN 1 ELSE 0 END) AS wanted'}`
  const index = client === null ? 'metadata_of_all' : 'metadata_by_client'
  return {
    sql: `SELECT ${columns} FROM video_metadata INDEXED BY ${index} WHERE ${wanted.sql}
      GROUP BY created_at, video_id ORDER BY ${ORDER} LIMIT ?`,
    values: [...(key === null ? [] : [key]), ...wanted.values],
  }
}

/** Videos by what their clients wrote to them. */
export const createMetadataReads = (db: Reader): MetadataStore => ({
  async withMetadata(query) {
    const { status, backend, limit, metadata } = query
    const found = withValue(query)
    const others = where([
      ['m.wanted = ?', metadata.key === null ? null : 1],
      ['v.status = ?', status],
      ['v.backend = ?', backend],
    ])
    const isFiltered = others.values.length > 0
    const rows = await db.all(
      `SELECT v.data FROM (${found.sql}) AS m CROSS JOIN videos v WHERE v.id = m.video_id${isFiltered ? ` AND ${others.sql}` : ''}
       ORDER BY m.created_at DESC, m.video_id DESC LIMIT ?`,
      ...found.values,
      isFiltered ? SCANNED : limit + 1,
      ...others.values,
      limit + 1,
    )
    const videos = rows.slice(0, limit).map(videoFrom)
    const last = videos.at(-1)
    if (rows.length > limit && last) return { videos, next: { createdAtMs: last.createdAtMs, id: last.id } }
    if (!isFiltered) return { videos, next: null }
    const end = await db.get(`${found.sql} OFFSET ${SCANNED - 1}`, ...found.values, 1)
    return { videos, next: orNull(end, (row) => ({ createdAtMs: int(row, 'created_at'), id: text(row, 'video_id') })) }
  },
})

const WHOLE = '1 = 1'
const DOUBTS = 'SELECT data FROM videos INDEXED BY videos_in_doubt'

const videosIndex = ({ status, backend }: ListQuery): string => {
  if (status !== null && backend !== null) return 'videos_of_both'
  if (backend !== null) return 'videos_recorded'
  return status === null ? 'videos_of_all' : 'videos_of_status'
}

const videosSql = (query: ListQuery) => {
  const { status, backend, createdAfterMs, createdBeforeMs, before } = query
  const wanted = where([
    ['status = ?', status],
    ['backend = ?', backend],
    ['created_at > ?', createdAfterMs],
    // An index uses one of two upper bounds: the cursor, which is lower.
    ['created_at < ?', before ? null : createdBeforeMs],
    before && ['(created_at, id) < (?, ?)', before.createdAtMs, before.id],
  ])
  return {
    sql: `SELECT data FROM videos INDEXED BY ${videosIndex(query)} WHERE ${wanted.sql || WHOLE} ORDER BY created_at DESC, id DESC LIMIT ?`,
    values: wanted.values,
  }
}

const eventsIndex = ({ type, videoId }: EventsOfAllQuery): string => {
  if (videoId !== null) return 'events_by_video'
  return type === null ? 'events_of_all' : 'events_of_type'
}

const eventsSql = (query: EventsOfAllQuery) => {
  const { type, videoId, sinceMs, untilMs, before } = query
  const index = eventsIndex(query)
  // PostgreSQL would take the list of everything for that of a type, and go through it for a rare one.
  const at = index === 'events_of_all' ? numberOf('at') : 'at'
  const wanted = where([
    ['video_id = ?', videoId],
    ['type = ?', type],
    [`${at} >= ?`, sinceMs],
    [`${at} < ?`, before ? null : untilMs],
    // A video's events are few, and one client's.
    before && videoId !== null && [`(${at}, place) < (?, ?)`, before.atMs, before.place],
    before && videoId === null && [`(${at}, client, place) < (?, ?, ?)`, before.atMs, before.client, before.place],
  ])
  const order = videoId === null ? `${at} DESC, client DESC, place DESC` : `${at} DESC, place DESC`
  return {
    sql: `${EVENT} INDEXED BY ${index} WHERE ${wanted.sql || WHOLE} ORDER BY ${order} LIMIT ?`,
    values: wanted.values,
  }
}

/**
 * The narrowest index, as for one client. An endpoint's deliveries are found by its client. `numberOf` is what the
 * indexes of a client and of a status hold; all deliveries are in the order of their bare numbers.
 */
const deliveriesSql = ({ endpointId, videoId, eventId, status, before }: DeliveriesQuery) => {
  const isNarrow = eventId !== null || videoId !== null
  const plus = isNarrow ? '+' : ''
  const n = isNarrow || endpointId !== null || status !== null ? numberOf('d.n') : 'd.n'
  const wanted = where([
    ['d.event_id = ?', eventId],
    [`${eventId === null ? '' : '+'}d.video_id = ?`, videoId],
    isNarrow ? null : ['d.client = (SELECT client FROM endpoints WHERE id = ?)', endpointId],
    [`d.target_kind = 'endpoint' AND ${plus}d.target = ?`, endpointId],
    [`${plus}d.status = ?`, status],
    [`${n} < ?`, before],
  ])
  return {
    sql: `${DELIVERY} WHERE ${wanted.sql || WHOLE} ORDER BY ${n} DESC LIMIT ?`,
    values: wanted.values,
  }
}

const usageFrom = (row: Row): UsageRow => ({
  client: text(row, 'client'),
  backend: text(row, 'backend') || null,
  videos: Object.fromEntries(STATUSES.map((status) => [status, int(row, status)])) as Record<Status, number>,
  creditsCharged: int(row, 'credits'),
  requests: null,
})

const NO_VIDEOS = { queued: 0, processing: 0, completed: 0, failed: 0, canceled: 0 }

const usageKey = ({ client, backend }: Pick<UsageRow, 'client' | 'backend'>): string => `${client}\0${backend ?? ''}`

/** Both lists are in the order of their keys, so that the first `limit` of both are the first of all. */
const readUsage = async (db: Reader, { month, client, backend, after, limit }: UsageQuery): Promise<UsageRow[]> => {
  const counted = where([
    ['month = ?', month],
    ['client = ?', client],
    ['backend = ?', backend],
    after && ['(client, backend) > (?, ?)', after.client, after.backend ?? ''],
  ])
  const rows = await db.all(
    `SELECT client, backend, ${STATUSES.join(', ')}, credits FROM backend_months WHERE ${counted.sql} ORDER BY client, backend LIMIT ?`,
    ...counted.values,
    limit,
  )
  const found = new Map(rows.map(usageFrom).map((row) => [usageKey(row), row]))
  if (backend === null) {
    const asked = where([['month = ?', month], ['client = ?', client], after && ['client > ?', after.client]])
    const sql = `SELECT client, n FROM requests WHERE ${asked.sql} ORDER BY client LIMIT ?`
    for (const row of await db.all(sql, ...asked.values, limit)) {
      const of = { client: text(row, 'client'), backend: null }
      const known = found.get(usageKey(of)) ?? { ...of, videos: NO_VIDEOS, creditsCharged: 0 }
      found.set(usageKey(of), { ...known, requests: int(row, 'n') })
    }
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([, row]) => (row.backend === null ? { ...row, requests: row.requests ?? 0 } : row))
}

/** Reads of all clients together, by index. */
export const createAdminReads = (db: Reader) =>
  ({
    listOfAll: async (query) => {
      const { sql, values } = videosSql(query)
      return (await db.all(sql, ...values, query.limit)).map(videoFrom)
    },
    doubts: async ({ doubt, before, limit }) => {
      const wanted = where([
        // By the phase, too: a replica of before ends a doubt and does not keep `doubt`.
        [doubt === 'open' ? "doubt = ? AND phase = 'doubtful'" : 'doubt = ?', doubt],
        before && ['(created_at, id) < (?, ?)', before.createdAtMs, before.id],
      ])
      return (
        await db.all(`${DOUBTS} WHERE ${wanted.sql} ORDER BY created_at DESC, id DESC LIMIT ?`, ...wanted.values, limit)
      ).map(videoFrom)
    },
    event: async (id) => orNull(await db.get(`${EVENT} WHERE id = ?`, id), placedFrom),
    pastEventsOfAll: async (query) => {
      const { sql, values } = eventsSql(query)
      return (await db.all(sql, ...values, query.limit)).map(placedFrom)
    },
    deliveriesOfAll: async (query) => {
      const { sql, values } = deliveriesSql(query)
      return (await db.all(sql, ...values, query.limit)).map((row): PlacedDelivery => ({
        place: int(row, 'n'),
        delivery: deliveryFrom(row),
      }))
    },
    endpointsOfAll: async ({ before, limit }) => {
      const wanted = where([['id < ?', before]])
      return (
        await db.all(`${ENDPOINT} WHERE ${wanted.sql || WHOLE} ORDER BY id DESC LIMIT ?`, ...wanted.values, limit)
      ).map(endpointFrom)
    },
    endpointById: async (id) => orNull(await db.get(`${ENDPOINT} WHERE id = ?`, id), endpointFrom),
    usage: async (query) => await readUsage(db, query),
  }) satisfies AdminStore
