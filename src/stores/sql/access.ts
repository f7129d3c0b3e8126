import { type ClientRecord, endOf, type KeyRecord, type SessionRecord, type StoredKey } from '../../core/access.ts'
import type { AccessChange, AccessStore } from '../../core/store/admin.ts'
import { putAudit } from './outbox.ts'
import {
  type Db,
  few,
  int,
  intOrNull,
  inTurn,
  listOf,
  type Old,
  orNull,
  type Reader,
  type Row,
  text,
  where,
} from './db.ts'

const NEXT_CHANGE = `INSERT INTO changes (account, n) VALUES ('access', 1)
  ON CONFLICT (account) DO UPDATE SET n = changes.n + 1 RETURNING n`

const NEW_KEY = `INSERT INTO api_keys (id, client, change, ended_at, data) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
const KEY = 'UPDATE api_keys SET change = ?2, ended_at = ?3, data = ?4 WHERE id = ?1 AND change = ?5'
const NEW_CLIENT = 'INSERT INTO api_clients (id, change, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
const CLIENT = 'UPDATE api_clients SET change = ?2, data = ?3 WHERE id = ?1 AND change = ?4'

const CHANGE_OF_KEY = 'SELECT change FROM api_keys WHERE id = ?'
const CHANGE_OF_CLIENT = 'SELECT change FROM api_clients WHERE id = ?'

const isAsRead = async (db: Reader, sql: string, { id, change }: { id: string; change: number }): Promise<boolean> =>
  (orNull(await db.get(sql, id), (row) => int(row, 'change')) ?? 0) === change

/** No two rows have one number: a page may end behind any of them. */
const nextChange = async (db: Db): Promise<number> => int((await db.get(NEXT_CHANGE)) ?? {}, 'n')

const putKey = async (db: Db, { change: before, ...key }: KeyRecord): Promise<number> => {
  const { id, client } = key
  const change = await nextChange(db)
  const data = JSON.stringify(key)
  if (before === 0) await db.run(NEW_KEY, id, client, change, endOf({ ...key, change }), data)
  else await db.run(KEY, id, change, endOf({ ...key, change }), data, before)
  return change
}

const putClient = async (db: Db, { change: before, ...client }: ClientRecord): Promise<number> => {
  const change = await nextChange(db)
  const data = JSON.stringify(client)
  if (before === 0) await db.run(NEW_CLIENT, client.id, change, data)
  else await db.run(CLIENT, client.id, change, data, before)
  return change
}

/** Nothing is written before all were found as they were read: a verb that answers is kept. */
export const changeAccess = async (db: Db, { keys, clients, audit }: AccessChange): Promise<number[] | null> => {
  for (const key of keys) if (!(await isAsRead(db, CHANGE_OF_KEY, key))) return null
  for (const client of clients) if (!(await isAsRead(db, CHANGE_OF_CLIENT, client))) return null
  const ofKeys = await inTurn(keys, (key) => putKey(db, key))
  const ofClients = await inTurn(clients, (client) => putClient(db, client))
  await putAudit(db, audit)
  return [...ofKeys, ...ofClients]
}

const USED = 'UPDATE api_keys SET used_at = ?2 WHERE id = ?1 AND (used_at IS NULL OR used_at < ?2)'

export const keysUsed = async (db: Db, { uses }: { uses: readonly { id: string; atMs: number }[] }): Promise<void> => {
  for (const { id, atMs } of uses) await db.run(USED, id, atMs)
}

const PURGE = `DELETE FROM api_keys WHERE id IN (${few(
  'SELECT id FROM api_keys WHERE ended_at IS NOT NULL AND ended_at < ? ORDER BY ended_at LIMIT ?',
)})`

export const purgeKeys = async (db: Db, { beforeMs, limit }: Old): Promise<number> =>
  await db.run(PURGE, beforeMs, limit)

/** `data` was written by `changeAccess` only, from a record. */
const keyFrom = (row: Row): StoredKey => ({
  ...(JSON.parse(text(row, 'data')) as Omit<KeyRecord, 'change'>),
  change: int(row, 'change'),
  usedAtMs: intOrNull(row, 'used_at'),
})
const clientFrom = (row: Row): ClientRecord => ({
  ...(JSON.parse(text(row, 'data')) as Omit<ClientRecord, 'change'>),
  change: int(row, 'change'),
})

const KEYS = 'SELECT change, used_at, data FROM api_keys'
const CLIENTS = 'SELECT change, data FROM api_clients'

export const createAccessReads = (db: Reader) =>
  ({
    keysSince: async (change, limit) =>
      (await db.all(`${KEYS} WHERE change > ? ORDER BY change LIMIT ?`, change, limit)).map(keyFrom),
    clientsSince: async (change, limit) =>
      (await db.all(`${CLIENTS} WHERE change > ? ORDER BY change LIMIT ?`, change, limit)).map(clientFrom),
    keyOf: async (id) => orNull(await db.get(`${KEYS} WHERE id = ?`, id), keyFrom),
    clientOf: async (id) => orNull(await db.get(`${CLIENTS} WHERE id = ?`, id), clientFrom),
    async keys({ client, before, limit }) {
      const wanted = where([
        ['client = ?', client],
        // Behind any id, so that no plan walks the table.
        ['id < ?', before ?? '~'],
      ])
      return (await db.all(`${KEYS} WHERE ${wanted.sql} ORDER BY id DESC LIMIT ?`, ...wanted.values, limit)).map(
        keyFrom,
      )
    },
  }) satisfies Partial<AccessStore>

const PUT = 'INSERT INTO sessions (id, client, key, created_at, seen_at, ends_at) VALUES (?, ?, ?, ?, ?, ?)'
/** More than there can be, so that a smaller bound than before holds immediately. */
const OLD = `DELETE FROM sessions WHERE id IN (${few(
  'SELECT id FROM sessions WHERE client = ? ORDER BY created_at DESC, id DESC LIMIT 10000 OFFSET ?',
)})`

export const beginSession = async (
  db: Db,
  { session, most }: { session: SessionRecord; most: number },
): Promise<void> => {
  const { id, client, key, createdAtMs, seenAtMs, endsAtMs } = session
  await db.run(PUT, id, client, key, createdAtMs, seenAtMs, endsAtMs)
  await db.run(OLD, client, most)
}

const SEEN = 'UPDATE sessions SET seen_at = ?2, ends_at = ?3 WHERE id = ?1 AND seen_at < ?2'

type Seen = Pick<SessionRecord, 'id' | 'seenAtMs' | 'endsAtMs'>

export const sessionSeen = async (db: Db, { id, seenAtMs, endsAtMs }: Seen): Promise<void> => {
  await db.run(SEEN, id, seenAtMs, endsAtMs)
}

export const endSession = async (db: Db, { id }: { id: string }): Promise<boolean> =>
  (await db.run('DELETE FROM sessions WHERE id = ?', id)) > 0

const PURGE_SESSIONS = `DELETE FROM sessions WHERE id IN (${few(
  'SELECT id FROM sessions WHERE ends_at < ? ORDER BY ends_at LIMIT ?',
)})`

export const purgeSessions = async (db: Db, { beforeMs, limit }: Old): Promise<number> =>
  await db.run(PURGE_SESSIONS, beforeMs, limit)

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
  }) satisfies Partial<AccessStore>
