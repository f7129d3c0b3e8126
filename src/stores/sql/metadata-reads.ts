import type { MetadataQuery, MetadataStore } from '../../core/store/videos.ts'
import { int, orNull, text, type Reader } from './db.ts'
import { videoFrom } from './rows.ts'
import { where } from './webhook-reads.ts'

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
