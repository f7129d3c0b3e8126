import {
  type Db,
  EACH_ALONE,
  few,
  int,
  listOf,
  numberOf,
  type Old,
  type Reader,
  type Row,
  text,
  videoFrom,
} from './db.ts'
import { goneUpTo, keepGoneAt } from './event-reads.ts'
import type { PurgedClients } from '../../core/store/videos.ts'
import type { VideoRecord } from '../../core/video.ts'
import { putVideo } from './outbox.ts'

/** What is past its time, and whose: an engine locks its clients before it is removed. */
interface Past {
  id: string
  client: string
}

const pastFrom = (row: Row): Past => ({ id: text(row, 'id'), client: text(row, 'client') })
const idsOf = (past: readonly Past[]) => listOf(past.map(({ id }) => id))

const videoPast = (endedAt: string): string => `v.phase = 'ended' AND ${endedAt} < ?
  AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.video_id = v.id AND d.status IN ('pending', 'held') ${EACH_ALONE})
  AND NOT EXISTS (SELECT 1 FROM replays r WHERE r.client = v.client ${EACH_ALONE})`

/** Videos that ended before `beforeMs`, up to `limit`; not those with an open delivery or replay. */
export const purgeable = async (
  db: Reader,
  beforeMs: number,
  limit: number,
  whose: PurgedClients = { except: [] },
): Promise<Past[]> => {
  const past = `SELECT v.id, v.client FROM videos v WHERE ${videoPast('v.ended_at')}`
  if ('client' in whose) {
    // By the index of the client's ends.
    const sql = `${past} AND v.client = ? AND v.status IN ('completed', 'failed', 'canceled') LIMIT ?`
    return (await db.all(sql, beforeMs, whose.client, limit)).map(pastFrom)
  }
  const others = whose.except.length > 0 ? listOf(whose.except) : null
  const isOther = others ? `AND v.client NOT IN (${others.sql})` : ''
  const sql = `${past} ${isOther} ORDER BY v.ended_at, v.id LIMIT ?`
  return (await db.all(sql, beforeMs, ...(others?.values ?? []), limit)).map(pastFrom)
}

/**
 * Removes those of these videos, which are found by their ids, that are still past their time, with all that belongs to
 * them.
 */
export const purge = async (
  db: Db,
  { videos, beforeMs }: { videos: readonly Past[]; beforeMs: number },
): Promise<number> => {
  const list = idsOf(videos)
  await keepGoneAt(db, 'video_id', list)
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

interface PurgeWebhooksArgs extends Old {
  events: readonly Past[]
  nowMs: number
}

export const purgeWebhooks = async (db: Db, { events, beforeMs, limit, nowMs }: PurgeWebhooksArgs): Promise<number> => {
  const list = idsOf(events)
  await keepGoneAt(db, 'id', list)
  const sql = `DELETE FROM events WHERE id IN (SELECT e.id FROM events e WHERE e.id IN (${list.sql}) AND ${numberOf('e.at')} < ? AND ${EVENT_FREE})`
  return (await db.run(PURGE_SECRETS, nowMs, limit)) + (await db.run(sql, ...list.values, beforeMs))
}

const PURGE_KEYS = `DELETE FROM keyed WHERE expires_at <= ?1 AND (client, operation, key) IN (
  SELECT client, operation, key FROM keyed WHERE expires_at <= ?1 LIMIT ?2)`
const PURGE_UPLOADS = `DELETE FROM uploads WHERE id IN (${few('SELECT id FROM uploads WHERE created_at < ? ORDER BY created_at LIMIT ?')})`

export const purgeResources = async (db: Db, { beforeMs, limit, nowMs }: Old & { nowMs: number }): Promise<number> =>
  (await db.run(PURGE_KEYS, nowMs, limit)) + (await db.run(PURGE_UPLOADS, beforeMs, limit))

/** The store is a copy from earlier, or may be one. What to do is part of the message. */
export class EarlierCopy extends Error {
  /** `found`: why, with what was compared. */
  constructor(found: string) {
    super(
      `${found}. If it is a restored backup, what waits in it may have been sent since, and sending it again would pay twice: ` +
        'start once with `serve --restored`',
    )
  }
}

const NEWEST = [
  'SELECT at FROM timeline ORDER BY rowid DESC LIMIT 1',
  'SELECT at FROM attempts ORDER BY rowid DESC LIMIT 1',
  'SELECT coalesce(max(at), 0) AS at FROM budgets',
]

/** The newest time in the store, which is about that of its last write; 0: none. */
export const newestMs = async (db: Reader): Promise<number> => {
  let newest = 0
  for (const sql of NEWEST) newest = Math.max(newest, int((await db.get(sql)) ?? { at: 0 }, 'at'))
  return newest
}

/**
 * A video that waited, was being sent or was in doubt when the copy was made. After that, and until the restore, it may
 * have been sent any number of times. One that was being sent for the first time may have been refused since, and made by
 * another member of its pool: no bytes are left of it, as of what was never sent. Its doubt counts from the last write of the copy: the backend's memory of its key
 * may begin there, or at the create that the copy knows.
 */
const inDoubt = (video: VideoRecord, newestAtMs: number, nowMs: number): VideoRecord => {
  const lastWriteMs = Math.max(newestAtMs, video.createdAtMs)
  const sent =
    video.wire === null
      ? { attempt: video.attempt + 1, dispatchedAtMs: lastWriteMs, sentOffsetMs: null }
      : { dispatchedAtMs: video.dispatchedAtMs ?? lastWriteMs }
  const mayHaveMoved = video.phase === 'dispatching' && video.pool !== null && video.attempt === 1
  return {
    ...video,
    ...sent,
    wire: mayHaveMoved ? null : video.wire,
    version: video.version + 1,
    phase: 'doubtful',
    told: true,
    lease: null,
    waitReason: null,
    dueAtMs: nowMs,
    doubtSinceMs: lastWriteMs,
    restoredAtMs: nowMs,
  }
}

const UNDECIDED = `SELECT data FROM videos WHERE phase IN ('waiting', 'dispatching', 'doubtful')`

/** Of a copy: puts in doubt what it would send, all of it in the caller's transaction. Answers how many videos. */
export const doubtAll = async (db: Db, atMs: number): Promise<number> => {
  const newestAtMs = await newestMs(db)
  // Time continues from the newest in the store, whatever the clock says.
  const nowMs = Math.max(atMs, newestAtMs)
  await goneUpTo(db, nowMs)
  const rows: readonly Row[] = await db.all(UNDECIDED)
  for (const row of rows) {
    const video = videoFrom(row)
    const note = { at: nowMs, type: 'doubtful', detail: 'the store was restored from a copy' }
    await putVideo(db, inDoubt(video, newestAtMs, nowMs), video, [note])
  }
  return rows.length
}
