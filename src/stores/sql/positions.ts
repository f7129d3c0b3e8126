import { int, listOf, text, type Reader } from './db.ts'

/**
 * The place of each of these waiting videos: one more than the number that is served before it. These are its client's
 * own earlier ones (`ranks`), and as many of each other client, one more if that client's turn comes first (`others`;
 * clients with equally many waiting are counted together). It costs by the number of waiting clients and of parts of
 * one client's queue, not by the length of the queue.
 */
const positionsSql = (ids: string): string => `
  WITH
    asked AS MATERIALIZED (
      SELECT v.id, v.account, v.client, (
          SELECT max(p.first) FROM queue_parts p WHERE p.account = v.account AND p.client = v.client AND p.first <= v.id) AS part
      FROM videos v WHERE v.id IN (${ids}) AND v.phase = 'waiting'),
    ranks AS MATERIALIZED (
      SELECT a.id, a.account, a.client, (
          SELECT coalesce(sum(p.n), 0) FROM queue_parts p
          WHERE p.account = a.account AND p.client = a.client AND p.first < a.part
        ) + (
          SELECT count(*) FROM videos w
          WHERE w.account = a.account AND w.client = a.client AND w.phase = 'waiting' AND w.id >= a.part AND w.id < a.id
        ) AS rank
      FROM asked a),
    mine AS MATERIALIZED (
      SELECT t.account, t.client, t.turn, t.first FROM (SELECT DISTINCT account, client FROM asked) AS a
      CROSS JOIN turns t WHERE t.account = a.account AND t.client = a.client),
    others AS MATERIALIZED (
      SELECT m.account, m.client, q.waiting, CASE WHEN (q.turn, q.first) < (m.turn, m.first) THEN 1 ELSE 0 END AS ahead, count(*) AS clients
      FROM mine m CROSS JOIN turns q WHERE q.account = m.account AND q.client <> m.client AND q.waiting > 0
      GROUP BY 1, 2, 3, 4)
  SELECT r.id, 1 + r.rank + (
      SELECT coalesce(sum(o.clients * CASE WHEN o.waiting < r.rank + o.ahead THEN o.waiting ELSE r.rank + o.ahead END), 0) FROM others o
      WHERE o.account = r.account AND o.client = r.client) AS position
  FROM ranks r`

export const positionsOf = async (db: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const list = listOf(ids)
  const rows = await db.all(positionsSql(list.sql), ...list.values)
  return new Map(rows.map((row) => [text(row, 'id'), int(row, 'position')]))
}
