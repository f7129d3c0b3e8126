import type { DeliveryStore, RecordedAttempt } from '../../core/store/deliveries.ts'
import { MAX_PENDING_COUNTED } from '../../core/endpoints.ts'
import type { DeliveriesQuery, PastEventsQuery, PlacedDelivery, WebhookStore } from '../../core/store/webhooks.ts'
import { DEFAULT_EVENT_TYPES } from '../../core/vocabulary.ts'
import { placedFrom } from './event-reads.ts'
import { int, listOf, numberOf, orNull, text, type Reader } from './db.ts'
import { droppedEvents } from './outbox.ts'
import { DELIVERY } from './reads.ts'
import { attemptFrom, deliveryFrom, ENDPOINT, endpointFrom } from './rows.ts'
import { findEndpoint } from './webhook-verbs.ts'

type Condition = [sql: string, value: string | number | null, ...more: (string | number)[]]

/** Joins the conditions that are given. */
export const where = (
  conditions: readonly (Condition | null | false)[],
): { sql: string; values: (string | number)[] } => {
  const used = conditions.flatMap((one) => {
    if (!one) return []
    const [sql, value, ...more] = one
    return value === null ? [] : [{ sql, values: [value, ...more] }]
  })
  return { sql: used.map(({ sql }) => sql).join(' AND '), values: used.flatMap(({ values }) => values) }
}

export const EVENT = 'SELECT id AS event_id, place, type, client, video_id, sequence, at, body FROM events'

/** A video of this client. One read of a row, whether the video is unknown or another client's. */
const OWN_VIDEO = '(SELECT id FROM videos WHERE id = ? AND client = ?)'
const OWN_EVENT = '(SELECT id FROM events WHERE id = ? AND client = ?)'

const eventsSql = (client: string, { type, videoId, sinceMs, untilMs, before }: PastEventsQuery) => {
  const wanted = where([
    // A video has few events: its index is better than that of the client's whole history.
    videoId === null ? ['client = ?', client] : [`video_id = ${OWN_VIDEO}`, videoId, client],
    ['type = ?', type],
    ['at >= ?', sinceMs],
    // An index uses one of two upper bounds: the cursor, which is lower.
    ['at < ?', before ? null : untilMs],
  ])
  const behind = before === null ? '' : ' AND (at, place) < (?, ?)'
  const place = before === null ? [] : [before.atMs, before.place]
  // The index is named, because by itself SQLite may choose another one when a time has two bounds.
  const index = videoId === null ? (type === null ? 'events_by_time' : 'events_by_type') : 'events_by_video'
  return { sql: `${EVENT} INDEXED BY ${index} WHERE ${wanted.sql}${behind}`, values: [...wanted.values, ...place] }
}

/**
 * Takes the narrowest index: an event's or a video's deliveries, which are few; else an endpoint's; else the client's.
 * The index of an endpoint begins with the client, because deliveries outlive their endpoint.
 */
const deliveriesSql = (client: string, query: DeliveriesQuery) => {
  const { endpointId, videoId, eventId, status, before } = query
  const isNarrow = eventId !== null || videoId !== null
  const plus = isNarrow ? '+' : ''
  return where([
    isNarrow ? null : ['d.client = ?', client],
    eventId === null ? null : [`d.event_id = ${OWN_EVENT}`, eventId, client],
    videoId === null ? null : [`${eventId === null ? '' : '+'}d.video_id = ${OWN_VIDEO}`, videoId, client],
    [`d.target_kind = 'endpoint' AND ${plus}d.target = ?`, endpointId],
    [`${plus}d.status = ?`, status],
    [`${numberOf('d.n')} < ?`, before],
  ])
}

/** Of each delivery those that are told in a list, cut to what a page of them may weigh. */
const LATEST_KEPT = 20
const ANSWER_CUT = 1_000
const latestSql = (ids: string): string => `
  SELECT latest.id, latest.at, latest.duration_ms, latest.status, latest.error, latest.response_body, latest.next_attempt_at FROM (
    SELECT d.id, a.rowid AS n, a.at, a.duration_ms, a.status, a.error, a.response_body,
      a.next_attempt_at, row_number() OVER (PARTITION BY a.delivery ORDER BY a.rowid DESC) AS back
    FROM deliveries d CROSS JOIN attempts a WHERE d.id IN (${ids}) AND a.delivery = d.n) AS latest
  WHERE latest.back <= ${LATEST_KEPT} ORDER BY latest.id, latest.n`

/** Not by the store: SQLite's `substr` ends at a NUL. */
const shortened = (attempt: RecordedAttempt): RecordedAttempt => ({
  ...attempt,
  responseBody:
    attempt.responseBody === null
      ? null
      : Array.from(attempt.responseBody.slice(0, 2 * ANSWER_CUT))
          .slice(0, ANSWER_CUT)
          .join(''),
})

const latestAttempts = async (db: Reader, ids: readonly string[]): Promise<Map<string, RecordedAttempt[]>> => {
  const found = new Map<string, RecordedAttempt[]>(ids.map((id) => [id, []]))
  const list = listOf(ids)
  for (const row of await db.all(latestSql(list.sql), ...list.values))
    found.get(text(row, 'id'))?.push(shortened(attemptFrom(row)))
  return found
}

const TOLD_OF_ENDS = DEFAULT_EVENT_TYPES.map((type) => `replace(events, '"${type}"', '') <> events`).join(' OR ')
const CLIENTS_TOLD = `SELECT DISTINCT client FROM endpoints WHERE disabled_at IS NULL AND (${TOLD_OF_ENDS})`

const PENDING_FOR = `SELECT count(*) AS n FROM (
  SELECT 1 FROM deliveries WHERE client = ? AND target = ? AND target_kind = 'endpoint' AND status = 'pending' LIMIT ?) AS met`

export const createWebhookReads = (db: Reader) =>
  ({
    clientsTold: async () => (await db.all(CLIENTS_TOLD)).map((row) => text(row, 'client')),
    droppedEvents: async () => await droppedEvents(db),
    endpointOf: async (client, id) => await findEndpoint(db, client, id),
    endpointsOf: async (client) =>
      (await db.all(`${ENDPOINT} WHERE client = ? ORDER BY id DESC`, client)).map(endpointFrom),
    pendingFor: async (client, endpointId) =>
      int((await db.get(PENDING_FOR, client, endpointId, MAX_PENDING_COUNTED)) ?? {}, 'n'),
    eventOf: async (client, id) => orNull(await db.get(`${EVENT} WHERE id = ? AND client = ?`, id, client), placedFrom),
    pastEvents: async (client, query) => {
      const { sql, values } = eventsSql(client, query)
      return (await db.all(`${sql} ORDER BY at DESC, place DESC LIMIT ?`, ...values, query.limit)).map(placedFrom)
    },
    deliveryOf: async (client, id) =>
      orNull(await db.get(`${DELIVERY} WHERE d.id = ? AND d.client = ?`, id, client), deliveryFrom),
    latestAttempts: async (ids) => await latestAttempts(db, ids),
    deliveries: async (client, query) => {
      const { sql, values } = deliveriesSql(client, query)
      const rows = await db.all(
        `${DELIVERY} WHERE ${sql} ORDER BY ${numberOf('d.n')} DESC LIMIT ?`,
        ...values,
        query.limit,
      )
      return rows.map((row): PlacedDelivery => ({ place: int(row, 'n'), delivery: deliveryFrom(row) }))
    },
  }) satisfies Partial<WebhookStore & DeliveryStore>
