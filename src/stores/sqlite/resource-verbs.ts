import type { IdemKey } from '../../core/store/videos.ts'
import type { Begun, Intent, Made } from '../../core/store/resources.ts'
import { unsignedUrl } from '../../core/uploads.ts'
import { accountIdOf, type AccountId } from '../../core/vocabulary.ts'
import { int, text, textOrNull, type Db, type Row } from './db.ts'
import { hasRoomForMore } from './video-verbs.ts'

/** How long the `Idempotency-Key` of a puppet or an upload is remembered. */
const KEY_KEPT_MS = 24 * 3_600_000

/** The record of a key that is not past its time. */
export const findIntent = (db: Db, key: IdemKey, nowMs: number): Row | undefined =>
  db.get(
    'SELECT * FROM keyed WHERE client = ? AND operation = ? AND key = ? AND expires_at > ?',
    key.client,
    key.operation,
    key.key,
    nowMs,
  )

export const intentFrom = (row: Row): Intent => ({
  account: accountIdOf(text(row, 'account')),
  backend: text(row, 'backend'),
  resource: textOrNull(row, 'resource'),
})

interface BeginArgs {
  key: IdemKey
  intent: Intent
  token: string
  untilMs: number
  /** Of the volume; null: unknown. */
  freeBytes: number | null
  nowMs: number
}

export const begin = (
  db: Db,
  { key, intent, token, untilMs, freeBytes, nowMs }: BeginArgs,
): Begun | { kind: 'no_room' } => {
  const row = findIntent(db, key, nowMs)
  if (row && text(row, 'fingerprint') !== key.fingerprint) return { kind: 'conflict' }
  if (row && int(row, 'done') === 1) return { kind: 'done', intent: intentFrom(row) }
  if (row && int(row, 'lease_until') > nowMs) return { kind: 'running', untilMs: int(row, 'lease_until') }
  if (!row && !hasRoomForMore(db, freeBytes)) return { kind: 'no_room' }
  // The name that an earlier attempt was given stays: it may have been made under it.
  const resource = row ? textOrNull(row, 'resource') : intent.resource
  db.run(
    `INSERT OR REPLACE INTO keyed (client, operation, key, fingerprint, account, backend, resource, done, token, lease_until, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    key.client,
    key.operation,
    key.key,
    key.fingerprint,
    intent.account,
    intent.backend,
    resource,
    token,
    untilMs,
    nowMs + KEY_KEPT_MS,
  )
  return { kind: 'begun', lease: { id: key.key, token, untilMs }, resource, again: row !== undefined }
}

interface MadeArgs {
  made: Made
  key: IdemKey | null
  nowMs: number
}

/** Writes the record; answers what it is called. */
const putMade = (db: Db, made: Made): string => {
  const data = JSON.stringify(made.record)
  switch (made.kind) {
    case 'puppet': {
      const { account, puppet } = made.record
      // Where a backend answers two clients with one puppet, it stays the first one's.
      db.run(
        'INSERT INTO puppets (account, id, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        account,
        puppet.id,
        data,
      )
      return puppet.id
    }
    case 'upload': {
      const { id, client, audioUrl, createdAtMs } = made.record
      db.run(
        `INSERT INTO uploads (id, client, unsigned_url, created_at, data) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET unsigned_url = excluded.unsigned_url, data = excluded.data`,
        id,
        client,
        unsignedUrl(audioUrl),
        createdAtMs,
        data,
      )
      return id
    }
  }
}

export const made = (db: Db, { made, key, nowMs }: MadeArgs): void => {
  const resource = putMade(db, made)
  if (!key) return
  db.run(
    `UPDATE keyed SET done = 1, resource = ?, lease_until = 0, expires_at = iif(done, expires_at, ?)
     WHERE client = ? AND operation = ? AND key = ? AND fingerprint = ? AND account = ?`,
    resource,
    nowMs + KEY_KEPT_MS,
    key.client,
    key.operation,
    key.key,
    key.fingerprint,
    made.record.account,
  )
}

interface UnmadeArgs {
  key: IdemKey
  token: string
  outcome: 'free' | 'doubt'
}

export const unmade = (db: Db, { key, token, outcome }: UnmadeArgs): void => {
  const sql = outcome === 'free' ? 'DELETE FROM keyed' : 'UPDATE keyed SET lease_until = 0'
  db.run(
    `${sql} WHERE client = ? AND operation = ? AND key = ? AND token = ? AND done = 0`,
    key.client,
    key.operation,
    key.key,
    token,
  )
}

export const forgetPuppet = (db: Db, { account, id }: { account: AccountId; id: string }): void => {
  db.run('DELETE FROM puppets WHERE account = ? AND id = ?', account, id)
}

interface CountArgs {
  month: string
  counts: Readonly<Record<string, number>>
}

export const countRequests = (db: Db, { month, counts }: CountArgs): void => {
  for (const [client, n] of Object.entries(counts)) {
    db.run(
      'INSERT INTO requests (client, month, n) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
      client,
      month,
      n,
    )
  }
}

export const purgeResources = (
  db: Db,
  { beforeMs, limit, nowMs }: { beforeMs: number; limit: number; nowMs: number },
): number =>
  db.run(
    `DELETE FROM keyed WHERE (client, operation, key) IN (
       SELECT client, operation, key FROM keyed WHERE expires_at <= ? LIMIT ?)`,
    nowMs,
    limit,
  ) + db.run('DELETE FROM uploads WHERE id IN (SELECT id FROM uploads WHERE created_at < ? LIMIT ?)', beforeMs, limit)
