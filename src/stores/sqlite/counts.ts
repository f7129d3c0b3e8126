import type { Queue } from '../../core/store/videos.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { int, intOrNull, type Db } from './db.ts'

// Of what triggers count (backlog-schema.ts): each costs the same however many videos are open.

/** Open videos of all accounts. */
export const openInAll = (db: Db): number => int(db.get('SELECT coalesce(sum(n), 0) AS n FROM open_videos') ?? {}, 'n')

export const openOf = (db: Db, account: AccountId): { waiting: number; held: number } => {
  const row =
    db.get(
      `SELECT coalesce(sum(n) FILTER (WHERE phase = 'waiting'), 0) AS waiting, coalesce(sum(n) FILTER (WHERE phase <> 'waiting'), 0) AS held
       FROM open_videos WHERE account = ?`,
      account,
    ) ?? {}
  return { waiting: int(row, 'waiting'), held: int(row, 'held') }
}

/** Waiting videos of all accounts: of all clients together, and of this one. */
export const waitingNow = (db: Db, client: string): { queue: number; client: number } => {
  // One statement: of two, each would see the writes between them alone.
  const row =
    db.get(
      `SELECT (SELECT coalesce(sum(n), 0) FROM open_videos WHERE phase = 'waiting') AS queue,
         (SELECT coalesce(sum(waiting), 0) FROM turns WHERE client = ? AND waiting > 0) AS client`,
      client,
    ) ?? {}
  return { queue: int(row, 'queue'), client: int(row, 'client') }
}

export const queueOf = (db: Db, account: AccountId): Queue => {
  const row =
    db.get(
      `SELECT (SELECT coalesce(sum(n), 0) FROM open_videos WHERE account = ?1 AND phase = 'waiting') AS waiting,
         (SELECT min(due_at) FROM videos WHERE account = ?1 AND phase = 'waiting' AND due_at IS NOT NULL) AS next`,
      account,
    ) ?? {}
  return { waiting: int(row, 'waiting'), nextDueAtMs: intOrNull(row, 'next') }
}
