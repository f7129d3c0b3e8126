import type { Queue } from '../../core/store/videos.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { int, intOrNull, type Reader } from './db.ts'

// Reads of what triggers count (backlog-schema.ts): their cost does not depend on how many videos are open.

/** Open videos of all accounts. */
export const openInAll = async (db: Reader): Promise<number> =>
  int((await db.get('SELECT coalesce(sum(n), 0) AS n FROM open_videos')) ?? {}, 'n')

export const openOf = async (db: Reader, account: AccountId): Promise<{ waiting: number; held: number }> => {
  const row =
    (await db.get(
      `SELECT coalesce(sum(n) FILTER (WHERE phase = 'waiting'), 0) AS waiting, coalesce(sum(n) FILTER (WHERE phase <> 'waiting'), 0) AS held
       FROM open_videos WHERE account = ?`,
      account,
    )) ?? {}
  return { waiting: int(row, 'waiting'), held: int(row, 'held') }
}

/** Waiting videos of all accounts: of all clients together, and of this one. */
export const waitingNow = async (db: Reader, client: string): Promise<{ queue: number; client: number }> => {
  // One statement: between two, another write could come.
  const row =
    (await db.get(
      `SELECT (SELECT coalesce(sum(n), 0) FROM open_videos WHERE phase = 'waiting') AS queue,
         (SELECT coalesce(sum(waiting), 0) FROM turns WHERE client = ? AND waiting > 0) AS client`,
      client,
    )) ?? {}
  return { queue: int(row, 'queue'), client: int(row, 'client') }
}

export const queueOf = async (db: Reader, account: AccountId): Promise<Queue> => {
  const row =
    (await db.get(
      `SELECT (SELECT coalesce(sum(n), 0) FROM open_videos WHERE account = ?1 AND phase = 'waiting') AS waiting,
         (SELECT min(due_at) FROM videos WHERE account = ?1 AND phase = 'waiting' AND due_at IS NOT NULL) AS next`,
      account,
    )) ?? {}
  return { waiting: int(row, 'waiting'), nextDueAtMs: intOrNull(row, 'next') }
}
