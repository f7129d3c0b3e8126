import { viewBudget } from '../../core/budget.ts'
import type { IdemKey, ListQuery, Store } from '../../core/ports.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { int, intOrNull, text, type Db } from './db.ts'
import { attemptFrom, deliveryFrom, openVideoFrom, targetFrom, timelineFrom, videoFrom } from './rows.ts'
import { budgetOf } from './budget-verbs.ts'
import { findKey, jobOwner } from './video-verbs.ts'
import { FREE_TO_START } from './work-verbs.ts'

type Reads = Pick<
  Store,
  | 'video'
  | 'videoOf'
  | 'list'
  | 'keyed'
  | 'running'
  | 'counts'
  | 'queue'
  | 'room'
  | 'positions'
  | 'overdue'
  | 'owner'
  | 'backendsOf'
  | 'waitingOf'
  | 'transfersOf'
  | 'durations'
  | 'budget'
  | 'timeline'
  | 'delivery'
  | 'deliveriesOf'
  | 'attempts'
  | 'due'
  | 'dueDeliveries'
>

/** An endpoint is where it is now; one that is gone, where it was when the event was owed to it. */
export const DELIVERY = `
  SELECT d.n, d.id, d.target_kind, d.target, coalesce(p.url, d.url) AS url, d.status AS delivery_status, d.attempts, d.tried,
         d.next_attempt_at, d.asked_at,
         e.id AS event_id, e.type, e.client, e.video_id, e.sequence, e.at, e.body
  FROM deliveries d JOIN events e ON e.id = d.event_id
    LEFT JOIN endpoints p ON d.target_kind = 'endpoint' AND p.id = d.target`

const DUE_DELIVERIES = `
  SELECT d.id, d.client, d.target_kind, d.target, d.url, d.next_attempt_at, d.n FROM deliveries d
  WHERE ${FREE_TO_START} AND (d.next_attempt_at, d.n) > (?, ?) ORDER BY d.next_attempt_at, d.n LIMIT ?`

const WITH_WORK = `SELECT DISTINCT account AS id FROM videos WHERE phase <> 'ended' LIMIT ?`

/**
 * How many are served before each of these waiting videos, plus one: its client's own earlier ones, and of each other
 * client as many, one more if that client's turn comes first.
 */
const POSITIONS = `
  WITH
    asked AS MATERIALIZED (
      SELECT v.id, v.account, v.client FROM json_each(?1) AS j CROSS JOIN videos v ON v.id = j.value WHERE v.phase = 'waiting'),
    queues AS MATERIALIZED (
      SELECT v.account, v.client, count(*) AS n, coalesce(t.turn, 0) AS turn, min(v.id) AS first
      FROM videos v LEFT JOIN turns t ON t.account = v.account AND t.client = v.client
      WHERE v.account IN (SELECT account FROM asked) AND v.phase = 'waiting' GROUP BY v.account, v.client),
    ranks AS MATERIALIZED (
      SELECT v.id, row_number() OVER (PARTITION BY v.account, v.client ORDER BY v.id) - 1 AS rank
      FROM videos v WHERE v.phase = 'waiting' AND (v.account, v.client) IN (SELECT account, client FROM asked))
  SELECT asked.id, 1 + ranks.rank + (
    SELECT coalesce(sum(min(q.n, ranks.rank + ((q.turn, q.first) < (mine.turn, mine.first)))), 0)
    FROM queues q WHERE q.account = asked.account AND q.client <> asked.client) AS position
  FROM asked JOIN ranks ON ranks.id = asked.id
    JOIN queues mine ON mine.account = asked.account AND mine.client = asked.client`

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
        `SELECT id, client, phase, version, due_at, lease_until, backend, accepted_at, last_hint_at, has_webhook, source FROM videos
         WHERE account = ? AND phase <> 'ended' AND phase IN ('dispatching', 'doubtful', 'accepted')`,
        account,
      )
      .map(openVideoFrom),
  counts: async (account) => {
    // By the index alone: its rows are not read, however many they are.
    const row =
      db.get(
        `SELECT count(*) FILTER (WHERE phase = 'waiting') AS waiting, count(*) FILTER (WHERE phase <> 'waiting') AS held
         FROM videos WHERE account = ? AND phase <> 'ended' AND phase IN ('waiting', 'dispatching', 'doubtful', 'accepted')`,
        account,
      ) ?? {}
    return { waiting: int(row, 'waiting'), held: int(row, 'held') }
  },
  queue: async (account) => {
    const row =
      db.get(
        `SELECT count(*) AS waiting, min(due_at) AS next FROM videos WHERE account = ? AND phase <> 'ended' AND phase = 'waiting'`,
        account,
      ) ?? {}
    return { waiting: int(row, 'waiting'), nextDueAtMs: intOrNull(row, 'next') }
  },
  room: async (client) => {
    // One statement: of two, each would see the writes between them alone.
    const row =
      db.get(
        `SELECT (SELECT count(*) FROM videos WHERE phase = 'waiting') AS queue,
           (SELECT count(*) FROM videos WHERE phase = 'waiting' AND client = ?) AS client`,
        client,
      ) ?? {}
    return { queue: int(row, 'queue'), client: int(row, 'client') }
  },
  backendsOf: async (account) =>
    db
      .all(`SELECT DISTINCT backend FROM videos WHERE account = ? AND phase <> 'ended'`, account)
      .map((row) => text(row, 'backend')),
  waitingOf: async (account) =>
    db
      .all(`SELECT id, client FROM videos WHERE account = ? AND phase = 'waiting' ORDER BY id`, account)
      .map((row) => ({ id: text(row, 'id'), client: text(row, 'client') })),
  transfersOf: async (account, limit) =>
    db
      .all(
        `SELECT id, client FROM
           (SELECT id, client, row_number() OVER (PARTITION BY client ORDER BY id) AS turn
            FROM videos WHERE account = ? AND phase = 'waiting' AND due_at IS NULL) ranks
         ORDER BY turn, id LIMIT ?`,
        account,
        limit,
      )
      .map((row) => ({ id: text(row, 'id'), client: text(row, 'client') })),
  owner: async (account, jobId) => jobOwner(db, account, jobId),
  budget: async (account, demand, fallbackLimit) => viewBudget(budgetOf(db, account, fallbackLimit), nowMs(), demand),
  durations: async (source) => {
    const row = db.get('SELECT recent FROM durations WHERE source = ?', source)
    const recent: unknown = row ? JSON.parse(text(row, 'recent')) : []
    return Array.isArray(recent) ? recent.filter((ms) => typeof ms === 'number') : []
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
  positions: async (ids) =>
    new Map(db.all(POSITIONS, JSON.stringify(ids)).map((row) => [text(row, 'id'), int(row, 'position')])),
  timeline: async (id) => db.all('SELECT * FROM timeline WHERE video_id = ? ORDER BY rowid', id).map(timelineFrom),
  delivery: async (id) => {
    const row = db.get(`${DELIVERY} WHERE d.id = ?`, id)
    return row ? deliveryFrom(row) : null
  },
  deliveriesOf: async (videoId) =>
    db.all(`${DELIVERY} WHERE d.video_id = ? ORDER BY d.sequence`, videoId).map(deliveryFrom),
  attempts: async (id) =>
    db
      .all('SELECT * FROM attempts WHERE delivery = (SELECT n FROM deliveries WHERE id = ?) ORDER BY rowid', id)
      .map(attemptFrom),
  due: async (_kind, limit) => db.all(WITH_WORK, limit).map((row) => text(row, 'id')),
  dueDeliveries: async (limit, after = { dueAtMs: -1, n: 0 }) =>
    db.all(DUE_DELIVERIES, nowMs(), nowMs(), after.dueAtMs, after.n, limit).map((row) => ({
      id: text(row, 'id'),
      client: text(row, 'client'),
      target: targetFrom(row),
      place: { dueAtMs: int(row, 'next_attempt_at'), n: int(row, 'n') },
    })),
})
