import type { HistoryJob, HistoryStore, HistoryWalk } from '../../core/store/videos.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { type Db, orNull, type Reader, text, textOrNull, videoFrom } from './db.ts'
import { goneAt } from './event-reads.ts'

/** Of one account: its newest jobs. */
const KEPT = 10_000

const PUT = `INSERT INTO history (account, id, created_at, place, status, data)
  SELECT CAST(?1 AS TEXT), CAST(?2 AS TEXT), CAST(?3 AS BIGINT), CAST(?4 AS TEXT), CAST(?5 AS TEXT), CAST(?6 AS TEXT)
  WHERE NOT EXISTS (SELECT 1 FROM videos WHERE account = ?1 AND job_id = ?2)
  ON CONFLICT (account, id) DO UPDATE SET status = excluded.status, data = excluded.data
  WHERE history.status <> excluded.status`
const TRIM = `DELETE FROM history WHERE account = ?1 AND (created_at, place) < (
  SELECT created_at, place FROM history WHERE account = ?1 ORDER BY created_at DESC, place DESC LIMIT 1 OFFSET ${KEPT - 1})`
const PUT_WALK = `INSERT INTO history_walks (account, data) VALUES (?, ?)
  ON CONFLICT (account) DO UPDATE SET data = excluded.data`

interface PutHistoryArgs {
  account: AccountId
  jobs: readonly HistoryJob[]
  walk: HistoryWalk | null
}

export const putHistory = async (db: Db, { account, jobs, walk }: PutHistoryArgs): Promise<void> => {
  for (const { jobId, video, place } of jobs)
    await db.run(PUT, account, jobId, video.createdAtMs, place, video.status, JSON.stringify(video))
  await db.run(TRIM, account)
  if (walk) await db.run(PUT_WALK, account, JSON.stringify(walk))
}

export const createHistoryReads = (db: Reader) =>
  ({
    historyJob: async (account, jobId) =>
      orNull(await db.get('SELECT data FROM history WHERE account = ? AND id = ?', account, jobId), videoFrom),
    historyWalk: async (account) =>
      orNull(
        await db.get('SELECT data FROM history_walks WHERE account = ?', account),
        // Only this file writes it.
        (row) => JSON.parse(text(row, 'data')) as HistoryWalk,
      ),
    async historyBounds() {
      const month = textOrNull((await db.get('SELECT min(month) AS month FROM months')) ?? { month: null }, 'month')
      return { goneAtMs: await goneAt(db), firstMs: month === null ? null : Date.parse(`${month}-01`) }
    },
  }) satisfies HistoryReads
type HistoryReads = Omit<HistoryStore, 'putHistory'>
