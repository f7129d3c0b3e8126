import type { VideoRecord } from '../../core/video.ts'
import { int, type Db, type Reader, type Row } from './db.ts'
import { putOutbox } from './outbox.ts'
import { putVideo } from './put-video.ts'
import { videoFrom } from './rows.ts'

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
 * A video that waited or was being sent when the copy was made. After that, and until the restore, it may have been sent
 * any number of times. Its doubt counts from the last write of the copy: the backend's memory of its key may begin there.
 */
const inDoubt = (video: VideoRecord, newestAtMs: number, nowMs: number): VideoRecord => {
  const lastWriteMs = Math.max(newestAtMs, video.createdAtMs)
  const sent =
    video.wire === null
      ? { attempt: video.attempt + 1, dispatchedAtMs: lastWriteMs, sentOffsetMs: null }
      : { dispatchedAtMs: video.dispatchedAtMs ?? lastWriteMs }
  return {
    ...video,
    ...sent,
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

const UNDECIDED = `SELECT data FROM videos WHERE phase = 'waiting' OR phase = 'dispatching'`

/** Of a copy: puts in doubt what it would send, all of it in the caller's transaction. Answers how many videos. */
export const doubtAll = async (db: Db, atMs: number): Promise<number> => {
  const newestAtMs = await newestMs(db)
  // Time goes on from the newest in the store, whatever the clock says.
  const nowMs = Math.max(atMs, newestAtMs)
  const rows: readonly Row[] = await db.all(UNDECIDED)
  for (const row of rows) {
    const video = videoFrom(row)
    await putVideo(db, inDoubt(video, newestAtMs, nowMs), video)
    const note = { at: nowMs, type: 'doubtful', detail: 'the store was restored from a copy' }
    await putOutbox(db, video.id, { notes: [note], events: [] })
  }
  return rows.length
}
