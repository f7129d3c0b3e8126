import type { SplitChange } from '../../core/store/routing.ts'
import { few, inTurn, type Db } from './db.ts'
import { putOwed } from './outbox.ts'

const NEW_SPLIT = 'INSERT INTO splits (key, version, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
const SPLIT = 'UPDATE splits SET version = ?2, data = ?3 WHERE key = ?1 AND version = ?2 - 1'
const AUDIT = 'INSERT INTO audit (id, at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?, ?)'

export const changeSplit = async (db: Db, { split, audit, events }: SplitChange): Promise<string[] | null> => {
  const put = split.version === 1 ? NEW_SPLIT : SPLIT
  if ((await db.run(put, split.key, split.version, JSON.stringify(split))) === 0) return null
  const { id, atMs, actor, action, subject, detail } = audit
  await db.run(AUDIT, id, atMs, actor, action, subject, JSON.stringify(detail))
  return (await inTurn(events, (event) => putOwed(db, event, []))).flat()
}

const PURGE = `DELETE FROM audit WHERE n IN (${few('SELECT n FROM audit WHERE at < ? ORDER BY at LIMIT ?')})`

export const purgeAudit = async (db: Db, { beforeMs, limit }: { beforeMs: number; limit: number }): Promise<number> =>
  await db.run(PURGE, beforeMs, limit)
