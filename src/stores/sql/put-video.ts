import { sourceOf, type VideoRecord } from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { int, type Db } from './db.ts'

const NEXT_CHANGE = `INSERT INTO changes (account, n) VALUES (?, 1)
  ON CONFLICT (account) DO UPDATE SET n = changes.n + 1 RETURNING n`

/**
 * The number of the next write to one of the account's videos. Numbers rise in the order in which readers see the
 * writes.
 */
const nextChange = async (db: Db, account: AccountId): Promise<number> =>
  int((await db.get(NEXT_CHANGE, account)) ?? {}, 'n')

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
})

/** What statements search by, beside the whole record in `data`. */
const moving = (video: VideoRecord, change: number) => ({
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
  warned: video.warnings.length > 0 ? 1 : 0,
  change,
  data: JSON.stringify(video),
})

/** Inserts the video; or writes it over `before`, from which it was made. */
export const putVideo = async (db: Db, video: VideoRecord, before: VideoRecord | null): Promise<void> => {
  const moved = moving(video, await nextChange(db, video.account))
  // Of an older database, several videos may record one job, and only one of them has it in its column.
  const job = before?.backendJobId === video.backendJobId ? {} : { job_id: video.backendJobId }
  if (before) {
    const set = { ...moved, ...job }
    const columns = Object.keys(set).map((column) => `${column} = ?`)
    await db.run(`UPDATE videos SET ${columns.join(', ')} WHERE id = ?`, ...Object.values(set), video.id)
    return
  }
  const row = { ...fixed(video), ...moved, ...job }
  const columns = Object.keys(row)
  const values = columns.map(() => '?').join(', ')
  await db.run(`INSERT INTO videos (${columns.join(', ')}) VALUES (${values})`, ...Object.values(row))
}
