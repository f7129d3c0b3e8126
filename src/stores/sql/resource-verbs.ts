import { randomUUID } from 'node:crypto'
import type { Lease } from '../../core/store/work.ts'
import type { IdemKey } from '../../core/store/videos.ts'
import type { Begun, Intent, Made } from '../../core/store/resources.ts'
import { unsignedUrl } from '../../core/uploads.ts'
import { accountIdOf, type AccountId } from '../../core/vocabulary.ts'
import { int, text, textOrNull, type Db, type Reader, type RoomyDb, type Row } from './db.ts'
import { hasRoomForMore } from './video-verbs.ts'

/** How long the `Idempotency-Key` of a puppet or an upload is remembered. */
const KEY_KEPT_MS = 24 * 3_600_000

const keyOf = ({ client, operation, key }: IdemKey): string[] => [client, operation, key]

const FIND_KEY = `SELECT fingerprint, account, backend, resource, done, lease_until FROM keyed
  WHERE client = ? AND operation = ? AND key = ? AND expires_at > ?`

/** The record of a key, unless it has expired. */
export const findIntent = async (db: Reader, key: IdemKey, nowMs: number): Promise<Row | undefined> =>
  await db.get(FIND_KEY, ...keyOf(key), nowMs)

export const intentFrom = (row: Row): Intent => ({
  account: accountIdOf(text(row, 'account')),
  backend: text(row, 'backend'),
  resource: textOrNull(row, 'resource'),
})

interface BeginArgs {
  key: IdemKey
  intent: Intent
  leaseMs: number
  /** Of the volume; null: unknown. */
  freeBytes: number | null
  nowMs: number
}

const PUT_KEY = `INSERT INTO keyed
    (client, operation, key, fingerprint, account, backend, resource, done, token, lease_until, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)
  ON CONFLICT (client, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint, account = excluded.account,
    backend = excluded.backend, resource = excluded.resource, done = 0, token = excluded.token,
    lease_until = excluded.lease_until, expires_at = excluded.expires_at`

export const begin = async (
  db: RoomyDb,
  { key, intent, leaseMs, freeBytes, nowMs }: BeginArgs,
): Promise<Begun | { kind: 'no_room' }> => {
  const row = await findIntent(db, key, nowMs)
  if (row && text(row, 'fingerprint') !== key.fingerprint) return { kind: 'conflict' }
  if (row && int(row, 'done') === 1) return { kind: 'done', intent: intentFrom(row) }
  if (row && int(row, 'lease_until') > nowMs) return { kind: 'running', untilMs: int(row, 'lease_until') }
  if (!row && !(await hasRoomForMore(db, freeBytes))) return { kind: 'no_room' }
  // The id of an earlier attempt stays: something may have been made under it.
  const resource = row ? textOrNull(row, 'resource') : intent.resource
  const lease = { id: key.key, token: randomUUID(), untilMs: nowMs + leaseMs }
  const named = [...keyOf(key), key.fingerprint, intent.account, intent.backend]
  await db.run(PUT_KEY, ...named, resource, lease.token, lease.untilMs, nowMs + KEY_KEPT_MS)
  return { kind: 'begun', lease, resource, again: row !== undefined }
}

const PUT_PUPPET = 'INSERT INTO puppets (account, id, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
const PUT_UPLOAD = `INSERT INTO uploads (id, client, unsigned_url, created_at, data) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET unsigned_url = excluded.unsigned_url, data = excluded.data`

/** Writes the record; answers its id. */
const putMade = async (db: Db, made: Made): Promise<string> => {
  const data = JSON.stringify(made.record)
  switch (made.kind) {
    case 'puppet': {
      const { account, puppet } = made.record
      // If a backend answers two clients with the same puppet, it belongs to the first.
      await db.run(PUT_PUPPET, account, puppet.id, data)
      return puppet.id
    }
    case 'upload': {
      const { id, client, audioUrl, createdAtMs } = made.record
      await db.run(PUT_UPLOAD, id, client, unsignedUrl(audioUrl), createdAtMs, data)
      return id
    }
  }
}

const KEY_DONE = `UPDATE keyed SET done = 1, resource = ?, lease_until = 0, expires_at = CASE done WHEN 1 THEN expires_at ELSE ? END
  WHERE client = ? AND operation = ? AND key = ? AND fingerprint = ? AND account = ?`

export const made = async (
  db: Db,
  { made, key, nowMs }: { made: Made; key: IdemKey | null; nowMs: number },
): Promise<void> => {
  const resource = await putMade(db, made)
  if (!key) return
  await db.run(KEY_DONE, resource, nowMs + KEY_KEPT_MS, ...keyOf(key), key.fingerprint, made.record.account)
}

export const unmade = async (
  db: Db,
  { key, lease, outcome }: { key: IdemKey; lease: Lease; outcome: 'free' | 'doubt' },
): Promise<void> => {
  const sql = outcome === 'free' ? 'DELETE FROM keyed' : 'UPDATE keyed SET lease_until = 0'
  await db.run(
    `${sql} WHERE client = ? AND operation = ? AND key = ? AND token = ? AND done = 0`,
    ...keyOf(key),
    lease.token,
  )
}

export const forgetPuppet = async (db: Db, { account, id }: { account: AccountId; id: string }): Promise<void> => {
  await db.run('DELETE FROM puppets WHERE account = ? AND id = ?', account, id)
}

const COUNT_REQUESTS = `INSERT INTO requests (client, month, n) VALUES (?, ?, ?)
  ON CONFLICT (client, month) DO UPDATE SET n = requests.n + excluded.n`

export const countRequests = async (
  db: Db,
  { month, counts }: { month: string; counts: Readonly<Record<string, number>> },
): Promise<void> => {
  for (const [client, n] of Object.entries(counts)) await db.run(COUNT_REQUESTS, client, month, n)
}
