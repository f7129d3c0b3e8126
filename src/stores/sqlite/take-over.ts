import { budgetFrom } from '../sql/budget-verbs.ts'
import * as budgets from '../../core/limits/budget.ts'
import { int, text, type Db } from '../sql/db.ts'
import { putVideo } from '../sql/put-video.ts'
import { videoFrom } from '../sql/rows.ts'

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

/** The newest time in the store; 0: none. It cannot be earlier now, whatever the clock was set to since. */
const NEWEST = `
  SELECT max(coalesce((SELECT at FROM timeline ORDER BY rowid DESC LIMIT 1), 0),
             coalesce((SELECT at FROM attempts ORDER BY rowid DESC LIMIT 1), 0),
             coalesce((SELECT max(at) FROM budgets), 0)) AS at`

const DISPATCHING = `SELECT data FROM videos WHERE phase IN ('dispatching', 'doubtful') AND phase = 'dispatching'`

/**
 * Voids all leases: the new owner of the file is alone, and leases of a dead process would only delay it. Answers the
 * newest time that the process before wrote.
 */
export const takeOver = async (db: Db): Promise<number> => {
  await keepWindows(db)
  await db.run('DELETE FROM leases')
  await db.run(`UPDATE keyed SET lease_until = 0 WHERE done = 0`)
  await db.run(`UPDATE deliveries SET lease_token = NULL, lease_until = NULL WHERE lease_until IS NOT NULL`)
  for (const row of await db.all(DISPATCHING)) {
    const video = videoFrom(row)
    await putVideo(db, { ...video, version: video.version + 1, dueAtMs: 0, lease: null }, video)
  }
  return int((await db.get(NEWEST)) ?? {}, 'at')
}
