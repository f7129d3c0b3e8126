import { randomUUID } from 'node:crypto'
import type { Lease } from '../../core/store/webhooks.ts'
import type { IdemKey, Begun, Intent, Made, PuppetRecord, ResourceStore } from '../../core/store/videos.ts'
import { unsignedUrl, type UploadRecord } from '../../core/media.ts'
import { type AccountId, accountIdOf, type Status, STATUSES } from '../../core/vocabulary.ts'
import { type Db, int, orNull, type Reader, type RoomyDb, type Row, text, textOrNull } from './db.ts'
import { hasRoomForMore } from './video-verbs.ts'
import { iso } from '../../core/time/clock.ts'

/** How long the `Idempotency-Key` of a puppet or an upload is remembered. */
const KEY_KEPT_MS = 24 * 3_600_000

const keyOf = ({ client, operation, key }: IdemKey): string[] => [client, operation, key]

const FIND_KEY = `SELECT fingerprint, account, backend, resource, done, lease_until FROM keyed
  WHERE client = ? AND operation = ? AND key = ? AND expires_at > ?`

/** The record of a key, unless it has expired. */
const findIntent = async (db: Reader, key: IdemKey, nowMs: number): Promise<Row | undefined> =>
  await db.get(FIND_KEY, ...keyOf(key), nowMs)

const intentFrom = (row: Row): Intent => ({
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

const STILL_THERE = `SELECT 1 AS n FROM puppets WHERE account = ? AND id = ? UNION ALL SELECT 1 FROM uploads WHERE id = ?`

/** A key is forgotten with what it made: the same request then makes another one. */
const isForgotten = async (db: Db, row: Row): Promise<boolean> => {
  if (int(row, 'done') === 0) return false
  const { account, resource } = intentFrom(row)
  return (await db.get(STILL_THERE, account, resource, resource)) === undefined
}

export const begin = async (
  db: RoomyDb,
  { key, intent, leaseMs, freeBytes, nowMs }: BeginArgs,
): Promise<Begun | { kind: 'no_room' }> => {
  const found = await findIntent(db, key, nowMs)
  const row = found && (await isForgotten(db, found)) ? undefined : found
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

/** `data` was written by `made` only, from one of these records, under the schema version that `migrate` checked. */
const uploadFrom = (row: Row): UploadRecord => JSON.parse(text(row, 'data')) as UploadRecord
const puppetFrom = (row: Row): PuppetRecord => JSON.parse(text(row, 'data')) as PuppetRecord

const UPLOAD_AT =
  'SELECT data FROM uploads WHERE unsigned_url = ? ORDER BY client <> ?, created_at DESC, id DESC LIMIT 1'

export const createResourceReads = (db: Reader, now: () => number) =>
  ({
    intentOf: async (key) => orNull(await findIntent(db, key, now()), intentFrom),
    puppetMade: async (account, id) =>
      orNull(await db.get('SELECT data FROM puppets WHERE account = ? AND id = ?', account, id), puppetFrom),
    uploadOf: async (client, id) =>
      orNull(await db.get('SELECT data FROM uploads WHERE id = ? AND client = ?', id, client), uploadFrom),
    uploadAt: async (client, unsignedUrl) => orNull(await db.get(UPLOAD_AT, unsignedUrl, client), uploadFrom),
    monthOf: async (client, atMs) => {
      const month = iso(atMs).slice(0, 7)
      const rows = await db.all(
        'SELECT status, videos, credits FROM months WHERE client = ? AND month = ?',
        client,
        month,
      )
      const videosOf = (status: Status): number =>
        int(rows.find((one) => one['status'] === status) ?? { videos: 0 }, 'videos')
      const asked = await db.get('SELECT n FROM requests WHERE client = ? AND month = ?', client, month)
      return {
        videos: Object.fromEntries(STATUSES.map((status) => [status, videosOf(status)])) as Record<Status, number>,
        creditsCharged: rows.reduce((sum, row) => sum + int(row, 'credits'), 0),
        requests: asked ? int(asked, 'n') : 0,
      }
    },
  }) satisfies Partial<ResourceStore>
