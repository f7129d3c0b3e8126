import type { PageQuery, VideoPage } from '../../core/store/videos.ts'
import { int, merged, type Reader } from './db.ts'
import { videoFrom } from './rows.ts'

/** Columns that the index has, so that no row is read: of all of a client's videos, or of those of each status. */
const ofAll = (columns: string): string => `SELECT ${columns} FROM videos INDEXED BY videos_by_client WHERE client = ?1`
const ofEach = (count: number, columns: string): string[] =>
  Array.from(
    { length: count },
    (_, n) => `SELECT ${columns} FROM videos INDEXED BY videos_by_status WHERE client = ?1 AND status = ?${n + 2}`,
  )
const ORDER = 'created_at DESC, id DESC'

/**
 * A list by page numbers. What comes before a page can only be counted off, and so can all of it: both walk an index
 * and no rows. The lists of several statuses are merged as they are read.
 */
export const pageOf = async (
  db: Reader,
  client: string,
  { statuses, offset, limit }: PageQuery,
): Promise<VideoPage> => {
  const of = (columns: string): string[] => (statuses === null ? [ofAll(columns)] : ofEach(statuses.length, columns))
  const wanted = [client, ...(statuses ?? [])]
  const counts = await db.all(of('count(*) AS n').join(' UNION ALL '), ...wanted)
  const total = counts.reduce((sum, row) => sum + int(row, 'n'), 0)
  if (offset >= total) return { videos: [], total }
  const [most, before] = [`?${wanted.length + 1}`, `?${wanted.length + 2}`]
  const ids = `${merged(of('created_at, id'), ORDER, `CAST(${most} AS BIGINT) + CAST(${before} AS BIGINT)`)} ORDER BY ${ORDER} LIMIT ${most} OFFSET ${before}`
  const sql = `SELECT v.data FROM (${ids}) AS p CROSS JOIN videos v WHERE v.id = p.id ORDER BY p.created_at DESC, p.id DESC`
  return { videos: (await db.all(sql, ...wanted, limit, offset)).map(videoFrom), total }
}
