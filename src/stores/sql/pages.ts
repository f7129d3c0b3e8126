import { LRUCache } from 'lru-cache'
import type { PageQuery, VideoPage } from '../../core/store/videos.ts'
import { int, merged, orNull, type Reader } from './db.ts'
import { videoFrom } from './rows.ts'

/** Columns that the index has, so that no row is read: of all of a client's videos, or of those of each status. */
const ofAll = (columns: string): string => `SELECT ${columns} FROM videos INDEXED BY videos_by_client WHERE client = ?1`
const ofEach = (count: number, columns: string): string[] =>
  Array.from(
    { length: count },
    (_, n) => `SELECT ${columns} FROM videos INDEXED BY videos_by_status WHERE client = ?1 AND status = ?${n + 2}`,
  )
const queriesOf = (statuses: PageQuery['statuses'], columns: string): string[] =>
  statuses === null ? [ofAll(columns)] : ofEach(statuses.length, columns)

/** From the newest, or from the oldest. */
const orderOf = (way: 'DESC' | 'ASC'): string => `created_at ${way}, id ${way}`

/** How many numbers of videos are remembered, and for how long, in milliseconds. */
const KEPT = { max: 1_000, ms: 1_000 }
const SPAN = 'SELECT last, gone FROM event_spans WHERE client = ?'

/**
 * A list by page numbers. What comes before a page can only be counted off, and so can all of it: both walk an index
 * and no rows. So that a client's thousand pages do not count all of its videos a thousand times, a count holds for a
 * second, unless the client's history has moved: whatever clients are told of is an event. A page of the older half is
 * counted off from the oldest. The lists of several statuses are merged as they are read.
 */
export const createPages = (db: Reader, now: () => number) => {
  const totals = new LRUCache<string, { total: number; span: string; atMs: number }>({ max: KEPT.max })

  const spanOf = async (client: string): Promise<string> =>
    orNull((await db.all(SPAN, client))[0], (row) => `${int(row, 'last')} ${int(row, 'gone')}`) ?? ''

  const totalOf = async (client: string, statuses: PageQuery['statuses']): Promise<number> => {
    const name = JSON.stringify([client, statuses])
    const nowMs = now()
    // Read first: what happens during the count makes it old.
    const span = await spanOf(client)
    const known = totals.get(name)
    if (known?.span === span && Math.abs(nowMs - known.atMs) < KEPT.ms) return known.total
    const counts = await db.all(queriesOf(statuses, 'count(*) AS n').join(' UNION ALL '), client, ...(statuses ?? []))
    const total = counts.reduce((sum, row) => sum + int(row, 'n'), 0)
    totals.set(name, { total, span, atMs: nowMs })
    return total
  }

  return async (client: string, { statuses, offset, limit }: PageQuery): Promise<VideoPage> => {
    const total = await totalOf(client, statuses)
    if (offset >= total) return { videos: [], total }
    const wanted = [client, ...(statuses ?? [])]
    const [most, before] = [`?${wanted.length + 1}`, `?${wanted.length + 2}`]
    const isOld = offset > total / 2
    const count = isOld ? Math.min(limit, total - offset) : limit
    const passed = isOld ? total - offset - count : offset
    const order = orderOf(isOld ? 'ASC' : 'DESC')
    const ids = `${merged(queriesOf(statuses, 'created_at, id'), order, `CAST(${most} AS BIGINT) + CAST(${before} AS BIGINT)`)} ORDER BY ${order} LIMIT ${most} OFFSET ${before}`
    const sql = `SELECT v.data FROM (${ids}) AS p CROSS JOIN videos v WHERE v.id = p.id ORDER BY p.created_at DESC, p.id DESC`
    return { videos: (await db.all(sql, ...wanted, count, passed)).map(videoFrom), total }
  }
}
