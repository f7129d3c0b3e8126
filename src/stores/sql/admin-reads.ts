import type { MetadataQuery, MetadataStore } from '../../core/store/videos.ts'
import {
  among,
  int,
  merged,
  numberOf,
  orNull,
  type Reader,
  type Row,
  text,
  ENDPOINT,
  endpointFrom,
  videoFrom,
  intOrNull,
  inTurn,
  listOf,
  textOf,
  textOrNull,
  type Value,
  oneOf,
  where,
} from './db.ts'
import { EVENT, eventsSql, placedFrom, readDeliveries } from './event-reads.ts'
import {
  type AdminStore,
  type UsageQuery,
  type UsageRow,
  type DisabledEndpoint,
  type FailedDelivery,
  type FigureStore,
  HOURS,
  MOST_COUNTED,
  MOST_DELIVERIES,
  MOST_ENDED,
  MOST_MEASURED,
  MOST_PROCESSING,
  type Overview,
  type OverviewStore,
} from '../../core/store/admin.ts'
import { type Status, STATUSES, accountIdOf, EVENT_TYPES, TERMINAL } from '../../core/vocabulary.ts'
import { readVideos } from './reads.ts'
import { PHASES, type VideoRecord } from '../../core/video.ts'
import { DISABLED_REASONS } from '../../core/endpoints.ts'

/** Videos with a value that one call passes over, where another filter may want few of them. */
const SCANNED = 1_000

const ORDER = 'created_at DESC, video_id DESC'

/**
 * In the order of the list, by the index only. A video may have the value twice: it is one row, or a call could end
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

const HOUR_MS = 3_600_000
/** A year: no clock of another replica is so far ahead. */
const EVER_MS = 366 * 24 * HOUR_MS
/** A replay owes deliveries of old events: only as many in a row could hide newer ones behind them. */
const PART = 1_000

const openOfAll = async (db: Reader): Promise<Overview['open']> => {
  const row =
    (await db.get(
      `SELECT coalesce(sum(n), 0) AS total, coalesce(sum(n) FILTER (WHERE phase = 'waiting'), 0) AS waiting,
         coalesce(sum(n) FILTER (WHERE phase = 'doubtful'), 0) AS doubtful,
         (SELECT count(*) FROM (SELECT 1 AS one FROM videos INDEXED BY videos_of_status WHERE status = 'processing'
            ORDER BY created_at DESC, id DESC LIMIT ?) AS latest) AS processing
       FROM open_videos`,
      MOST_PROCESSING,
    )) ?? {}
  const [total, waiting, processing] = [int(row, 'total'), int(row, 'waiting'), int(row, 'processing')]
  return {
    waiting,
    processing,
    queued: Math.max(0, total - waiting - processing),
    doubtful: int(row, 'doubtful'),
    isWhole: processing < MOST_PROCESSING,
  }
}

/** A client's months are few, and counted by triggers. */
const openOfOne = async (db: Reader, client: string): Promise<Overview['open']> => {
  const row =
    (await db.get(
      `SELECT (SELECT coalesce(sum(waiting), 0) FROM turns WHERE client = ?1 AND waiting > 0) AS waiting,
         coalesce(sum(videos) FILTER (WHERE status = 'queued'), 0) AS queued,
         coalesce(sum(videos) FILTER (WHERE status = 'processing'), 0) AS processing
       FROM months WHERE client = ?1`,
      client,
    )) ?? {}
  const waiting = int(row, 'waiting')
  const queued = Math.max(0, int(row, 'queued') - waiting)
  return { waiting, queued, processing: int(row, 'processing'), doubtful: null, isWhole: true }
}

/** How everything goes, of one client or of all (null). */
const createOverview = (db: Reader, client: string | null) => {
  /** The condition comes first in the index, and its value first of all, unless it has a number. */
  const own = (column: string, n = ''): string => (client === null ? '' : `${column} = ?${n} AND `)
  const ofOwner: readonly Value[] = client === null ? [] : [client]
  const ends = client === null ? 'videos_ends' : 'videos_ends_of_client'
  // The numbers of one client's deliveries are in another index than the bare ones of all.
  const nth = client === null ? 'd.n' : numberOf('d.n')

  const owed = async (status: 'pending' | 'held'): Promise<number> => {
    // In the order of an index where there are many; those of one client are in one place of theirs.
    const inOrder = `ORDER BY ${status === 'pending' ? 'd.next_attempt_at, d.n' : numberOf('d.n')} `
    const sql = `SELECT count(*) AS n FROM (
        SELECT 1 AS one FROM deliveries d WHERE ${own('d.client')}d.status = '${status}' ${client === null ? inOrder : ''}LIMIT ?) AS latest`
    return int((await db.get(sql, ...ofOwner, MOST_DELIVERIES)) ?? { n: 0 }, 'n')
  }

  /** From the newest on, part by part: until a whole part is older. */
  const settled = async (sinceMs: number) => {
    const sql = `
      SELECT count(*) AS looked, coalesce(min(nth), 0) AS last, coalesce(max(event_at), 0) AS newest,
        count(*) FILTER (WHERE status = 'delivered' AND event_at >= ?) AS delivered,
        count(*) FILTER (WHERE status = 'failed' AND event_at >= ?) AS failed
      FROM (
        SELECT d.status, d.event_at, ${nth} AS nth FROM deliveries d ${client === null ? '' : 'INDEXED BY deliveries_by_client '}
        WHERE ${own('d.client')}${nth} < ? ORDER BY ${nth} DESC LIMIT ?) AS latest`
    const found = { delivered: 0, failed: 0, isWhole: false }
    let before = Number.MAX_SAFE_INTEGER
    for (let looked = 0; looked < MOST_DELIVERIES && !found.isWhole; looked += PART) {
      const row = (await db.get(sql, sinceMs, sinceMs, ...ofOwner, before, PART)) ?? {}
      found.delivered += int(row, 'delivered')
      found.failed += int(row, 'failed')
      found.isWhole = int(row, 'looked') < PART || int(row, 'newest') < sinceMs
      before = int(row, 'last')
    }
    return found
  }

  return {
    open: () => (client === null ? openOfAll(db) : openOfOne(db, client)),

    /** By the hour, each a range of the index only: nothing is sorted. The last hour has no end. */
    async ended(sinceMs: number): Promise<Overview['ended']> {
      const last = `CAST(?1 AS BIGINT) + ${(HOURS - 1) * HOUR_MS}`
      const sql = `
        WITH RECURSIVE hours (start) AS (
          SELECT CAST(?1 AS BIGINT) UNION ALL SELECT start + ${HOUR_MS} FROM hours WHERE start < ${last})
        SELECT start, (
            SELECT count(*) FROM (
              SELECT 1 AS one FROM videos INDEXED BY ${ends}
              WHERE ${own('client', '3')}phase = 'ended' AND status = ?2 AND ended_at >= hours.start
                AND ended_at < hours.start + CASE hours.start WHEN ${last} THEN ${EVER_MS} ELSE ${HOUR_MS} END
              LIMIT ${MOST_ENDED}) AS latest) AS videos
        FROM hours`
      const counted = await inTurn(TERMINAL, async (status) => {
        const rows = await db.all(sql, sinceMs, status, ...ofOwner)
        return rows.map((row) => ({ hour: int(row, 'start') / HOUR_MS, status, videos: int(row, 'videos') }))
      })
      const hours = counted.flat().filter(({ videos }) => videos > 0)
      return { hours, isWhole: hours.every(({ videos }) => videos < MOST_ENDED) }
    },

    async lateMs(sinceMs: number): Promise<number[]> {
      const ofStatus = (status: string): string => `SELECT ended_at, late_ms FROM videos INDEXED BY ${ends}
        WHERE ${own('client', '2')}phase = 'ended' AND status = '${status}' AND ended_at >= ?1 AND late_ms IS NOT NULL`
      const latest = merged(['completed', 'failed'].map(ofStatus), 'ended_at DESC', String(MOST_MEASURED))
      const rows = await db.all(`${latest} ORDER BY ended_at DESC LIMIT ${MOST_MEASURED}`, sinceMs, ...ofOwner)
      return rows.map((row) => int(row, 'late_ms')).toSorted((a, b) => a - b)
    },

    async deliveries(sinceMs: number): Promise<Overview['deliveries']> {
      const { isWhole, ...counts } = await settled(sinceMs)
      const [pending, held] = [await owed('pending'), await owed('held')]
      return { ...counts, pending, held, isWhole: isWhole && pending < MOST_DELIVERIES && held < MOST_DELIVERIES }
    },

    async failedVideos(limit: number): Promise<VideoRecord[]> {
      const sql = `SELECT data FROM videos INDEXED BY ${ends} WHERE ${own('client')}phase = 'ended' AND status = 'failed'
        ORDER BY ended_at DESC LIMIT ?`
      return (await db.all(sql, ...ofOwner, limit)).map(videoFrom)
    },

    async failedDeliveries(limit: number): Promise<FailedDelivery[]> {
      const last = (column: string): string => `(SELECT a.${column} FROM attempts a WHERE a.rowid = (
        SELECT max(l.rowid) FROM attempts l WHERE l.delivery = d.n))`
      const sql = `
        SELECT d.id, d.client, d.video_id, d.target_kind, d.target, d.event_at,
          (SELECT e.type FROM events e WHERE e.id = d.event_id) AS type,
          ${last('at')} AS tried_at, ${last('status')} AS answered, ${last('error')} AS error
        FROM deliveries d WHERE ${own('d.client')}d.status = 'failed' ORDER BY ${numberOf('d.n')} DESC LIMIT ?`
      return (await db.all(sql, ...ofOwner, limit)).map((row) => ({
        id: text(row, 'id'),
        client: text(row, 'client'),
        eventType: oneOf(EVENT_TYPES, text(row, 'type'), 'type'),
        videoId: textOrNull(row, 'video_id'),
        endpointId: text(row, 'target_kind') === 'endpoint' ? text(row, 'target') : null,
        atMs: intOrNull(row, 'tried_at') ?? int(row, 'event_at'),
        status: intOrNull(row, 'answered'),
        error: textOrNull(row, 'error'),
      }))
    },

    /** A client has few endpoints. */
    async disabledEndpoints(limit: number): Promise<DisabledEndpoint[]> {
      const index = client === null ? 'endpoints_disabled' : 'endpoints_by_client'
      const sql = `SELECT id, client, description, disabled_reason, disabled_at FROM endpoints INDEXED BY ${index}
        WHERE ${own('client')}disabled_at IS NOT NULL AND disabled_reason <> 'client' ORDER BY disabled_at DESC, id DESC LIMIT ?`
      return (await db.all(sql, ...ofOwner, limit)).map((row) => ({
        id: text(row, 'id'),
        client: text(row, 'client'),
        description: textOrNull(row, 'description'),
        reason: oneOf(DISABLED_REASONS, text(row, 'disabled_reason'), 'disabled_reason'),
        atMs: int(row, 'disabled_at'),
      }))
    },

    /** There are few at any time. By the phase, too: a replica of before does not keep `doubt`. */
    async doubtfulVideos(limit: number): Promise<VideoRecord[]> {
      const sql = `SELECT data FROM videos INDEXED BY videos_in_doubt
        WHERE ${own('client')}doubt = 'open' AND phase = 'doubtful' ORDER BY created_at DESC LIMIT ?`
      return (await db.all(sql, ...ofOwner, limit)).map(videoFrom)
    },
  }
}

const FIRST_CLIENTS = 'SELECT client FROM turns WHERE account = ? AND waiting > 0 ORDER BY turn, first LIMIT ?'
const FIRST_OF_CLIENT = `SELECT id FROM videos INDEXED BY videos_in_turn WHERE account = ? AND client = ? AND phase = 'waiting'
  ORDER BY low_until, id LIMIT ?`

/** How everything goes, and who is next. */
export const createOverviewReads = (db: Reader) =>
  ({
    async overview({ client, sinceMs, limit }) {
      const read = createOverview(db, client)
      // One after the other: a page that is read again every second must not take all connections at the same time.
      return {
        open: await read.open(),
        ended: await read.ended(sinceMs),
        lateMs: await read.lateMs(sinceMs),
        deliveries: await read.deliveries(sinceMs),
        failedVideos: await read.failedVideos(limit),
        failedDeliveries: await read.failedDeliveries(limit),
        disabledEndpoints: await read.disabledEndpoints(limit),
        doubtfulVideos: await read.doubtfulVideos(limit),
      }
    },
    async queueHead(account, client, limit) {
      const rows = client === null ? await db.all(FIRST_CLIENTS, account, limit) : [{ client }]
      const queues = await inTurn(rows, async (row) =>
        (await db.all(FIRST_OF_CLIENT, account, text(row, 'client'), limit)).map((one) => text(one, 'id')),
      )
      // Clients take turns: the first of each, then the second of each.
      const ids = Array.from({ length: limit }, (_, round) => queues.flatMap((queue) => queue[round] ?? []))
        .flat()
        .slice(0, limit)
      const list = listOf(ids)
      const found = await db.all(`SELECT data FROM videos WHERE id IN (${list.sql})`, ...list.values)
      const videos = new Map(found.map(videoFrom).map((video) => [video.id, video]))
      return ids.flatMap((id) => videos.get(id) ?? [])
    },
  }) satisfies OverviewStore
