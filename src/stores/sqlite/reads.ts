import type { IdemKey, ListQuery, Store } from '../../core/ports.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { int, intOrNull, text, type Db } from './db.ts'
import { attemptFrom, deliveryFrom, openVideoFrom, timelineFrom, videoFrom } from './rows.ts'
import { findKey } from './video-verbs.ts'
import { FREE_TO_START } from './work-verbs.ts'

type Reads = Pick<
  Store,
  | 'video'
  | 'videoOf'
  | 'list'
  | 'keyed'
  | 'running'
  | 'counts'
  | 'position'
  | 'overdue'
  | 'timeline'
  | 'delivery'
  | 'deliveriesOf'
  | 'nextDeliveryAtMs'
  | 'attempts'
  | 'due'
>

const DELIVERY = `
  SELECT d.id, d.target_kind, d.target_url, d.status AS delivery_status, d.attempts, d.next_attempt_at,
         e.id AS event_id, e.type, e.client, e.video_id, e.sequence, e.at, e.body
  FROM deliveries d JOIN events e ON e.id = d.event_id`

const DUE_DELIVERIES = `SELECT d.id FROM deliveries d WHERE ${FREE_TO_START} ORDER BY d.next_attempt_at LIMIT ?`

const listSql = (query: ListQuery): { sql: string; values: (string | number)[] } => {
  const wanted: [string, string | number | null][] = [
    ['id < ?', query.before],
    ['status = ?', query.status],
    ['backend = ?', query.backend],
    ['created_at > ?', query.createdAfterMs],
    ['created_at < ?', query.createdBeforeMs],
  ]
  const used = wanted.flatMap(([sql, value]) => (value === null ? [] : [{ sql, value }]))
  const where = ['client = ?', ...used.map((condition) => condition.sql)].join(' AND ')
  return {
    sql: `SELECT data FROM videos WHERE ${where} ORDER BY id DESC LIMIT ?`,
    values: used.map((condition) => condition.value),
  }
}

/** Synchronous reads of indexed rows on the caller's thread: they see every commit that was answered. */
export const createReads = (db: Db, nowMs: () => number): Reads => ({
  video: async (id) => {
    const row = db.get('SELECT data FROM videos WHERE id = ?', id)
    return row ? videoFrom(row) : null
  },
  videoOf: async (client, id) => {
    const row = db.get('SELECT data FROM videos WHERE id = ? AND client = ?', id, client)
    return row ? videoFrom(row) : null
  },
  list: async (client, query) => {
    const { sql, values } = listSql(query)
    return db.all(sql, client, ...values, query.limit).map(videoFrom)
  },
  keyed: async (key: IdemKey) => findKey(db, key, nowMs()),
  running: async (account: AccountId) =>
    db
      .all(
        `SELECT id, phase, version, due_at, lease_until FROM videos
         WHERE account = ? AND phase <> 'ended' AND phase IN ('dispatching', 'doubtful', 'accepted')`,
        account,
      )
      .map(openVideoFrom),
  counts: async (account) => {
    const row =
      db.get(
        `SELECT count(*) FILTER (WHERE phase = 'waiting') AS waiting, count(*) FILTER (WHERE phase <> 'waiting') AS held,
                min(due_at) FILTER (WHERE phase = 'waiting') AS next
         FROM videos WHERE account = ? AND phase <> 'ended' AND phase IN ('waiting', 'dispatching', 'doubtful', 'accepted')`,
        account,
      ) ?? {}
    return { waiting: int(row, 'waiting'), held: int(row, 'held'), nextWaitingDueAtMs: intOrNull(row, 'next') }
  },
  overdue: async (account, beforeMs, limit) =>
    db
      .all(
        `SELECT id FROM videos WHERE account = ? AND phase <> 'ended' AND phase = 'waiting' AND created_at < ? ORDER BY id LIMIT ?`,
        account,
        beforeMs,
        limit,
      )
      .map((row) => text(row, 'id')),
  position: async (video) =>
    // Itself counted apart: it may have left the queue since it was read, and still has a place.
    1 +
    int(
      db.get(
        `SELECT count(*) AS n FROM videos WHERE account = ? AND phase <> 'ended' AND phase = 'waiting' AND id < ?`,
        video.account,
        video.id,
      ) ?? {},
      'n',
    ),
  timeline: async (id) => db.all('SELECT * FROM timeline WHERE video_id = ? ORDER BY rowid', id).map(timelineFrom),
  delivery: async (id) => {
    const row = db.get(`${DELIVERY} WHERE d.id = ?`, id)
    return row ? deliveryFrom(row) : null
  },
  deliveriesOf: async (videoId) =>
    db.all(`${DELIVERY} WHERE d.video_id = ? ORDER BY d.sequence`, videoId).map(deliveryFrom),
  nextDeliveryAtMs: async () =>
    intOrNull(
      db.get(`SELECT min(next_attempt_at) AS at FROM deliveries WHERE status = 'pending'`) ?? { at: null },
      'at',
    ),
  attempts: async (id) => db.all('SELECT * FROM attempts WHERE delivery_id = ? ORDER BY rowid', id).map(attemptFrom),
  due: async (kind, limit) =>
    kind === 'pump'
      ? db
          .all(`SELECT DISTINCT account AS id FROM videos WHERE phase <> 'ended' LIMIT ?`, limit)
          .map((row) => text(row, 'id'))
      : db.all(DUE_DELIVERIES, nowMs(), nowMs(), limit).map((row) => text(row, 'id')),
})
