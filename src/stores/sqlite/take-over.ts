import { budgetFrom } from '../sql/budget-verbs.ts'
import * as budgets from '../../core/limits/budget.ts'
import { text, type Db } from '../sql/db.ts'
import { putVideo } from '../sql/put-video.ts'
import { doubtAll, newestMs } from '../sql/restored.ts'
import { videoFrom } from '../sql/rows.ts'
import { PUT_STORE_ID } from './high-water.ts'

/**
 * A new owner of the file goes on with the windows of the one before. Their times stay valid: our clock never goes
 * back.
 */
const keepWindows = async (db: Db): Promise<void> => {
  for (const row of await db.all('SELECT account, data FROM budgets')) {
    const budget = budgets.restarted(budgetFrom(row))
    await db.run('UPDATE budgets SET data = ? WHERE account = ?', JSON.stringify(budget), text(row, 'account'))
  }
}

const DISPATCHING = `SELECT data FROM videos WHERE phase IN ('dispatching', 'doubtful') AND phase = 'dispatching'`

export interface TakeOverArgs {
  /** That of the mark beside the file; null: whoever takes over does not serve. */
  storeId: string | null
  /** The file is a copy that was put in the place of the store. */
  isRestored: boolean
  nowMs: number
}

/**
 * Voids all leases: the new owner of the file is alone, and leases of a dead process would only delay it. Answers the
 * newest time in the store, which it cannot be earlier than now; and how many videos of a copy are in doubt.
 */
export const takeOver = async (
  db: Db,
  { storeId, isRestored, nowMs }: TakeOverArgs,
): Promise<{ newestMs: number; doubts: number }> => {
  if (storeId !== null) await db.run(PUT_STORE_ID, storeId)
  const doubts = isRestored ? await doubtAll(db, nowMs) : 0
  await keepWindows(db)
  await db.run('DELETE FROM leases')
  await db.run(`UPDATE keyed SET lease_until = 0 WHERE done = 0`)
  await db.run(`UPDATE deliveries SET lease_token = NULL, lease_until = NULL WHERE lease_until IS NOT NULL`)
  for (const row of await db.all(DISPATCHING)) {
    const video = videoFrom(row)
    await putVideo(db, { ...video, version: video.version + 1, dueAtMs: 0, lease: null }, video)
  }
  return { newestMs: await newestMs(db), doubts }
}
