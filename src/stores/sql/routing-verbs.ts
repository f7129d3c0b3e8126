import type { SplitChange } from '../../core/store/routing.ts'
import { putAudit } from './audit.ts'
import { inTurn, type Db } from './db.ts'
import { putOwed } from './outbox.ts'

const NEW_SPLIT = 'INSERT INTO splits (key, version, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
const SPLIT = 'UPDATE splits SET version = ?2, data = ?3 WHERE key = ?1 AND version = ?2 - 1'

export const changeSplit = async (db: Db, { split, audit, events }: SplitChange): Promise<string[] | null> => {
  const put = split.version === 1 ? NEW_SPLIT : SPLIT
  if ((await db.run(put, split.key, split.version, JSON.stringify(split))) === 0) return null
  await putAudit(db, audit)
  return (await inTurn(events, (event) => putOwed(db, event, []))).flat()
}
