import type { SessionRecord } from '../../core/session.ts'
import type { SessionStore } from '../../core/store/sessions.ts'
import { few, int, listOf, text, type Db, type Reader, type Row } from './db.ts'

const PUT = 'INSERT INTO sessions (id, client, key, created_at, seen_at, ends_at) VALUES (?, ?, ?, ?, ?, ?)'
/** More than there can be, so that a smaller bound than before holds at once. */
const OLD = `DELETE FROM sessions WHERE id IN (${few(
  'SELECT id FROM sessions WHERE client = ? ORDER BY created_at DESC, id DESC LIMIT 10000 OFFSET ?',
)})`

interface BeginArgs {
  session: SessionRecord
  most: number
}

export const beginSession = async (db: Db, { session, most }: BeginArgs): Promise<void> => {
  const { id, client, key, createdAtMs, seenAtMs, endsAtMs } = session
  await db.run(PUT, id, client, key, createdAtMs, seenAtMs, endsAtMs)
  await db.run(OLD, client, most)
}

const SEEN = 'UPDATE sessions SET seen_at = ?2, ends_at = ?3 WHERE id = ?1 AND seen_at < ?2'

interface SeenArgs {
  id: string
  seenAtMs: number
  endsAtMs: number
}

export const sessionSeen = async (db: Db, { id, seenAtMs, endsAtMs }: SeenArgs): Promise<void> => {
  await db.run(SEEN, id, seenAtMs, endsAtMs)
}

export const endSession = async (db: Db, { id }: { id: string }): Promise<boolean> =>
  (await db.run('DELETE FROM sessions WHERE id = ?', id)) > 0

const PURGE = `DELETE FROM sessions WHERE id IN (${few(
  'SELECT id FROM sessions WHERE ends_at < ? ORDER BY ends_at LIMIT ?',
)})`

interface PurgeArgs {
  beforeMs: number
  limit: number
}

export const purgeSessions = async (db: Db, { beforeMs, limit }: PurgeArgs): Promise<number> =>
  await db.run(PURGE, beforeMs, limit)

const sessionFrom = (row: Row): SessionRecord => ({
  id: text(row, 'id'),
  client: text(row, 'client'),
  key: text(row, 'key'),
  createdAtMs: int(row, 'created_at'),
  seenAtMs: int(row, 'seen_at'),
  endsAtMs: int(row, 'ends_at'),
})

export const createSessionReads = (db: Reader) =>
  ({
    async sessions(ids) {
      const list = listOf(ids)
      const sql = `SELECT id, client, key, created_at, seen_at, ends_at FROM sessions WHERE id IN (${list.sql})`
      return (await db.all(sql, ...list.values)).map(sessionFrom)
    },
  }) satisfies Partial<SessionStore>
