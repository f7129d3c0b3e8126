import { iso } from '../../core/time/clock.ts'
import type { PuppetRecord, ResourceStore } from '../../core/store/resources.ts'
import type { UploadRecord } from '../../core/uploads.ts'
import { STATUSES, type Status } from '../../core/vocabulary.ts'
import { int, orNull, text, type Reader, type Row } from './db.ts'
import { findIntent, intentFrom } from './resource-verbs.ts'

/** `data` was written by `made` alone, from one of these records, under the schema version that `migrate` checked. */
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
        orNull(
          rows.find((one) => one['status'] === status),
          (row) => int(row, 'videos'),
        ) ?? 0
      const asked = await db.get('SELECT n FROM requests WHERE client = ? AND month = ?', client, month)
      return {
        videos: Object.fromEntries(STATUSES.map((status) => [status, videosOf(status)])) as Record<Status, number>,
        creditsCharged: rows.reduce((sum, row) => sum + int(row, 'credits'), 0),
        requests: asked ? int(asked, 'n') : 0,
      }
    },
  }) satisfies Partial<ResourceStore>
