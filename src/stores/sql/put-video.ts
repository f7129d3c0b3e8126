import { openDoubtOf, sourceOf, uncertaintyMs, type VideoRecord } from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { int, type Db, type Value } from './db.ts'

const NEXT_CHANGE = `INSERT INTO changes (account, n) VALUES (?, 1)
  ON CONFLICT (account) DO UPDATE SET n = changes.n + 1 RETURNING n`

/** The line of events that are of no video. */
export const NO_VIDEO = 'events'

/**
 * The number of the next write to one of the account's videos. Numbers rise in the order in which readers see the
 * writes.
 */
export const nextChange = async (db: Db, line: AccountId | typeof NO_VIDEO): Promise<number> =>
  int((await db.get(NEXT_CHANGE, line)) ?? {}, 'n')

/**
 * What it is found by beside its columns. It never changes. A database cannot tell some keys apart (half a pair, and
 * PostgreSQL a NUL): the first of them is found.
 */
const putMetadata = async (db: Db, { id, client, createdAtMs, metadata }: VideoRecord): Promise<void> => {
  const pairs = Object.entries(metadata)
  if (pairs.length === 0) return
  await db.run(
    `INSERT INTO video_metadata (video_id, key, value, client, created_at) VALUES ${pairs.map(() => '(?, ?, ?, ?, ?)').join(', ')}
     ON CONFLICT (video_id, key) DO NOTHING`,
    ...pairs.flatMap(([key, value]) => [id, key, value, client, createdAtMs]),
  )
}

/** What never changes. */
const fixed = (video: VideoRecord) => ({
  id: video.id,
  client: video.client,
  account: video.account,
  backend: video.backend,
  created_at: video.createdAtMs,
  has_webhook: video.webhookUrl === null ? 0 : 1,
  source: sourceOf(video),
  rule: video.routing.rule,
  trace: video.trace,
})

/** What statements search by, beside the whole record in `data` and the number of the write. */
const moving = (video: VideoRecord) => ({
  phase: video.phase,
  status: video.status,
  version: video.version,
  due_at: video.dueAtMs,
  lease_until: video.lease?.untilMs ?? null,
  ended_at: video.endedAtMs,
  lane: video.lane,
  accepted_at: video.acceptedAtMs,
  last_hint_at: video.lastHintAtMs,
  link_owed: video.linkOwed ? 1 : 0,
  sent_at: video.dispatchedAtMs,
  second_job_at: video.secondJobAtMs,
  charged: video.credits?.charged ?? null,
  doubt: openDoubtOf(video),
  warned: video.warnings.length > 0 ? 1 : 0,
  // Where there was no job the gateway ended the video itself, and was not late.
  late_ms: video.phase === 'ended' && video.acceptedAtMs !== null ? uncertaintyMs(video) : null,
})

/** Inserts the video; or writes it over `before`, from which it was made. */
export const putVideo = async (db: Db, video: VideoRecord, before: VideoRecord | null): Promise<void> => {
  const written = { change: await nextChange(db, video.account), data: JSON.stringify(video) }
  // Of an older database, several videos may record one job, and only one of them has it in its column.
  const job = before?.backendJobId === video.backendJobId ? {} : { job_id: video.backendJobId }
  if (before) {
    // An index is written again if a statement names its columns, whether they change or not.
    const were: Record<string, Value> = moving(before)
    const moved = Object.entries(moving(video)).filter(([column, value]) => were[column] !== value)
    const set = [...moved, ...Object.entries({ ...written, ...job })]
    const columns = set.map(([column]) => `${column} = ?`)
    await db.run(`UPDATE videos SET ${columns.join(', ')} WHERE id = ?`, ...set.map(([, value]) => value), video.id)
    return
  }
  const row = { ...fixed(video), ...moving(video), ...written, ...job }
  const columns = Object.keys(row)
  const values = columns.map(() => '?').join(', ')
  await db.run(`INSERT INTO videos (${columns.join(', ')}) VALUES (${values})`, ...Object.values(row))
  await putMetadata(db, video)
}
