import { int, intOrNull, listOf, type Db, type Reader } from './db.ts'

const GONE_AT = 'events_gone_at'
const KEEP = `INSERT INTO meta (key, value) VALUES (?1, CAST(CAST(?2 AS BIGINT) AS TEXT))
  ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE CAST(meta.value AS BIGINT) < CAST(?2 AS BIGINT)`

/** The time of the newest event that was removed, or was about to be; 0: none was. */
export const goneAt = async (db: Reader): Promise<number> =>
  int((await db.get('SELECT CAST(value AS BIGINT) AS at FROM meta WHERE key = ?', GONE_AT)) ?? { at: 0 }, 'at')

/** Before events are removed that these ids lead to, by `column`. */
export const keepGoneAt = async (db: Db, column: 'id' | 'video_id', ids: readonly string[]): Promise<void> => {
  const list = listOf(ids)
  const row = await db.get(`SELECT max(at) AS at FROM events WHERE ${column} IN (${list.sql})`, ...list.values)
  const at = intOrNull(row ?? { at: null }, 'at')
  if (at !== null) await db.run(KEEP, GONE_AT, at)
}
