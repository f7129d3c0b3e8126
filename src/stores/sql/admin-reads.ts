import type { MetadataQuery, MetadataStore } from '../../core/store/videos.ts'
import {
  among,
  forPostgres,
  int,
  orNull,
  type Reader,
  type Row,
  text,
  ENDPOINT,
  endpointFrom,
  videoFrom,
  intOrNull,
  textOf,
  where,
} from './db.ts'
import { EVENT, eventsSql, placedFrom, readDeliveries } from './event-reads.ts'
import {
  type AdminStore,
  type UsageQuery,
  type UsageRow,
  type FigureStore,
  MOST_COUNTED,
} from '../../core/store/admin.ts'
import { type Status, STATUSES, accountIdOf } from '../../core/vocabulary.ts'
import { readVideos } from './reads.ts'
import { PHASES } from '../../core/video.ts'

/** Videos with a value that one call passes over, where another filter may want few of them. */
const SCANNED = 1_000

const ORDER = 'created_at DESC, video_id DESC'

/** A collation of its own, as PostgreSQL's index for all clients has: its other one is never taken for one client. */
const VALUE_OF_ALL = `value${forPostgres('COLLATE "POSIX"')}`

/**
 * In the order of the list, by the index only. A video may have the value twice: it is one row, or a call could end
 * between the two. `wanted`: under the key that is asked for, 1 or 0.
 */
const withValue = ({ client, metadata, createdAfterMs, createdBeforeMs, before }: MetadataQuery) => {
  const wanted = where([
    ['client = ?', client],
    [`${client === null ? VALUE_OF_ALL : 'value'} = ?`, metadata.value],
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
    const { status, backends, limit, metadata } = query
    const found = withValue(query)
    const others = where([
      ['m.wanted = ?', metadata.key === null ? null : 1],
      ['v.status = ?', status],
      among('v.backend', backends),
    ])
    const isFiltered = others.values.length > 0
    const rows = await db.all(
      `SELECT v.data FROM (${found.sql}) AS m CROSS JOIN videos v WHERE v.id = m.video_id AND ${others.sql}
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
const readUsage = async (db: Reader, { month, client, backends, after, limit }: UsageQuery): Promise<UsageRow[]> => {
  const counted = where([
    ['month = ?', month],
    ['client = ?', client],
    among('backend', backends),
    after && ['(client, backend) > (?, ?)', after.client, after.backend ?? ''],
  ])
  const rows = await db.all(
    `SELECT client, backend, ${STATUSES.join(', ')}, credits FROM backend_months WHERE ${counted.sql} ORDER BY client, backend LIMIT ?`,
    ...counted.values,
    limit,
  )
  const found = new Map(rows.map(usageFrom).map((row) => [usageKey(row), row]))
  if (backends === null) {
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
    listOfAll: async (query) => await readVideos(db, null, query),
    doubts: async ({ doubt, account = null, before, limit }) => {
      const wanted = where([
        // By the phase, too: a replica of before ends a doubt and does not keep `doubt`.
        [doubt === 'open' ? "doubt = ? AND phase = 'doubtful'" : 'doubt = ?', doubt],
        [`${textOf('account')} = ?`, account],
        before && ['(created_at, id) < (?, ?)', before.createdAtMs, before.id],
      ])
      const sql = `SELECT data FROM videos INDEXED BY videos_in_doubt WHERE ${wanted.sql} ORDER BY created_at DESC, id DESC LIMIT ?`
      return (await db.all(sql, ...wanted.values, limit)).map(videoFrom)
    },
    event: async (id) => orNull(await db.get(`${EVENT} WHERE id = ?`, id), placedFrom),
    pastEventsOfAll: async (query) => {
      const { sql, values } = eventsSql(null, query)
      return (await db.all(sql, ...values)).map(placedFrom)
    },
    deliveriesOfAll: async (query) => await readDeliveries(db, null, query),
    endpointsOfAll: async ({ before, limit }) => {
      const { sql, values } = where([['id < ?', before]])
      return (await db.all(`${ENDPOINT} WHERE ${sql} ORDER BY id DESC LIMIT ?`, ...values, limit)).map(endpointFrom)
    },
    endpointById: async (id) => orNull(await db.get(`${ENDPOINT} WHERE id = ?`, id), endpointFrom),
    usage: async (query) => await readUsage(db, query),
  }) satisfies AdminStore

const OPEN_PHASES = PHASES.filter((phase) => phase !== 'ended')

const OPEN =
  'SELECT backend, phase, sum(n) AS n FROM open_videos WHERE n > 0 GROUP BY backend, phase ORDER BY backend, phase'
/** One step through the index for each account. */
const OLDEST = `
  SELECT account, (SELECT min(created_at) FROM videos WHERE account = o.account AND phase = 'waiting') AS oldest
  FROM (SELECT DISTINCT account FROM open_videos WHERE phase = 'waiting' AND n > 0) o ORDER BY account`
/** Ordered, so that no planner reads the table for it. */
const PENDING = `
  SELECT count(*) AS n, min(next_attempt_at) AS first FROM (
    SELECT next_attempt_at FROM deliveries WHERE status = 'pending' ORDER BY next_attempt_at, n LIMIT ?) p`

/** What triggers count, and the ends of indexes. */
export const createFigures = (db: Reader, freeBytes: () => number | null): FigureStore => ({
  async figures() {
    const [open, oldest, pending] = await Promise.all([db.all(OPEN), db.all(OLDEST), db.get(PENDING, MOST_COUNTED)])
    return {
      open: open.flatMap((row) => {
        const phase = OPEN_PHASES.find((one) => one === text(row, 'phase'))
        return phase ? [{ backend: text(row, 'backend'), phase, videos: int(row, 'n') }] : []
      }),
      waiting: oldest.flatMap((row) => {
        const oldestAtMs = intOrNull(row, 'oldest')
        return oldestAtMs === null ? [] : [{ account: accountIdOf(text(row, 'account')), oldestAtMs }]
      }),
      deliveries: {
        pending: int(pending ?? { n: 0 }, 'n'),
        firstDueAtMs: pending ? intOrNull(pending, 'first') : null,
      },
      freeBytes: freeBytes(),
    }
  },
})
