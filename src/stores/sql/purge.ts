import { EACH_ALONE, few, listOf, numberOf, text, type Db, type Reader, type Row } from './db.ts'
import { keepGoneAt } from './gone.ts'

/** What is past its time, and whose: an engine locks its clients before it is removed. */
export interface Past {
  id: string
  client: string
}

const pastFrom = (row: Row): Past => ({ id: text(row, 'id'), client: text(row, 'client') })
const idsOf = (past: readonly Past[]) => listOf(past.map(({ id }) => id))

const videoPast = (endedAt: string): string => `v.phase = 'ended' AND ${endedAt} < ?
  AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.video_id = v.id AND d.status IN ('pending', 'held') ${EACH_ALONE})
  AND NOT EXISTS (SELECT 1 FROM replays r WHERE r.client = v.client ${EACH_ALONE})`

/** Videos that ended before `beforeMs`, up to `limit`; not those with an open delivery or replay. */
export const purgeable = async (db: Reader, beforeMs: number, limit: number): Promise<Past[]> =>
  (
    await db.all(
      `SELECT v.id, v.client FROM videos v WHERE ${videoPast('v.ended_at')} ORDER BY v.ended_at, v.id LIMIT ?`,
      beforeMs,
      limit,
    )
  ).map(pastFrom)

/** Removes those of these videos, which are found by their ids, that are still past their time, with all that belongs to them. */
export const purge = async (
  db: Db,
  { videos, beforeMs }: { videos: readonly Past[]; beforeMs: number },
): Promise<number> => {
  const list = idsOf(videos)
  await keepGoneAt(
    db,
    'video_id',
    videos.map(({ id }) => id),
  )
  const sql = `DELETE FROM videos WHERE id IN (SELECT v.id FROM videos v WHERE v.id IN (${list.sql}) AND ${videoPast(numberOf('v.ended_at'))})`
  return db.run(sql, ...list.values, beforeMs)
}

const EVENT_FREE = `NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND d.status IN ('pending', 'held') ${EACH_ALONE})
  AND NOT EXISTS (SELECT 1 FROM replays r WHERE r.client = e.client ${EACH_ALONE})`

/** Events of no video from before `beforeMs`, up to `limit`. */
export const purgeableEvents = async (db: Reader, beforeMs: number, limit: number): Promise<Past[]> =>
  (
    await db.all(
      `SELECT e.id, e.client FROM events e WHERE e.video_id IS NULL AND e.at < ? AND ${EVENT_FREE} ORDER BY e.at LIMIT ?`,
      beforeMs,
      limit,
    )
  ).map(pastFrom)

const PURGE_SECRETS = `DELETE FROM webhook_secrets WHERE n IN (
  ${few('SELECT n FROM webhook_secrets WHERE expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?')})`

interface PurgeWebhooksArgs {
  events: readonly Past[]
  beforeMs: number
  limit: number
  nowMs: number
}

export const purgeWebhooks = async (db: Db, { events, beforeMs, limit, nowMs }: PurgeWebhooksArgs): Promise<number> => {
  const list = idsOf(events)
  await keepGoneAt(
    db,
    'id',
    events.map(({ id }) => id),
  )
  const sql = `DELETE FROM events WHERE id IN (SELECT e.id FROM events e WHERE e.id IN (${list.sql}) AND ${numberOf('e.at')} < ? AND ${EVENT_FREE})`
  return (await db.run(PURGE_SECRETS, nowMs, limit)) + (await db.run(sql, ...list.values, beforeMs))
}

const PURGE_KEYS = `DELETE FROM keyed WHERE expires_at <= ?1 AND (client, operation, key) IN (
  SELECT client, operation, key FROM keyed WHERE expires_at <= ?1 LIMIT ?2)`
const PURGE_UPLOADS = `DELETE FROM uploads WHERE id IN (${few('SELECT id FROM uploads WHERE created_at < ? ORDER BY created_at LIMIT ?')})`

export const purgeResources = async (
  db: Db,
  { beforeMs, limit, nowMs }: { beforeMs: number; limit: number; nowMs: number },
): Promise<number> => (await db.run(PURGE_KEYS, nowMs, limit)) + (await db.run(PURGE_UPLOADS, beforeMs, limit))
