import type { DeliveriesQuery, PastEventsQuery, PlacedDelivery, WebhookStore } from '../../core/store/webhooks.ts'
import { DEFAULT_EVENT_TYPES } from '../../core/vocabulary.ts'
import { placedFrom } from './event-reads.ts'
import { int, text, type Db } from './db.ts'
import { droppedEvents } from './outbox.ts'
import { DELIVERY } from './reads.ts'
import { deliveryFrom, endpointFrom } from './rows.ts'
import { findEndpoint } from './webhook-verbs.ts'

type WebhookReads = Pick<
  WebhookStore,
  | 'clientsTold'
  | 'droppedEvents'
  | 'endpointOf'
  | 'endpointsOf'
  | 'eventOf'
  | 'pastEvents'
  | 'deliveryOf'
  | 'deliveries'
>

type Condition = [sql: string, value: string | number | null, ...more: string[]]

/** Those that are asked for. */
const where = (conditions: readonly (Condition | null)[]): { sql: string; values: (string | number)[] } => {
  const used = conditions.flatMap((one) => {
    if (!one) return []
    const [sql, value, ...more] = one
    return value === null ? [] : [{ sql, values: [value, ...more] }]
  })
  return { sql: used.map(({ sql }) => sql).join(' AND '), values: used.flatMap(({ values }) => values) }
}

const EVENT = 'SELECT id AS event_id, place, type, client, video_id, sequence, at, body FROM events'

/** An id of another client's is none: found, or not, by one look at its row. */
const OWN_VIDEO = '(SELECT id FROM videos WHERE id = ? AND client = ?)'
const OWN_EVENT = '(SELECT id FROM events WHERE id = ? AND client = ?)'

const eventsSql = (client: string, { type, videoId, sinceMs, untilMs, before }: PastEventsQuery) => {
  const wanted = where([
    // A video's events are few: its index before that of its client's whole history.
    videoId === null ? ['client = ?', client] : [`video_id = ${OWN_VIDEO}`, videoId, client],
    ['type = ?', type],
    ['at >= ?', sinceMs],
    // Of two upper bounds an index takes one: the cursor is the lower.
    ['at < ?', before ? null : untilMs],
  ])
  const behind = before === null ? '' : ' AND (at, place) < (?, ?)'
  const place = before === null ? [] : [before.atMs, before.place]
  // Said, for SQLite itself may take another one when a time has two ends.
  const index = videoId === null ? (type === null ? 'events_by_time' : 'events_by_type') : 'events_by_video'
  return { sql: `${EVENT} INDEXED BY ${index} WHERE ${wanted.sql}${behind}`, values: [...wanted.values, ...place] }
}

/**
 * The narrowest index that there is: an event's or a video's deliveries, which are few, else those of an endpoint, else the
 * client's. An endpoint that is gone still has its deliveries: its index begins with the client instead.
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
    ['d.n < ?', before],
  ])
}

const TOLD_OF_ENDS = DEFAULT_EVENT_TYPES.map((type) => `instr(events, '"${type}"') > 0`).join(' OR ')
const CLIENTS_TOLD = `SELECT DISTINCT client FROM endpoints WHERE disabled_at IS NULL AND (${TOLD_OF_ENDS})`

export const createWebhookReads = (db: Db): WebhookReads => ({
  clientsTold: async () => db.all(CLIENTS_TOLD).map((row) => text(row, 'client')),
  droppedEvents: async () => droppedEvents(db),
  endpointOf: async (client, id) => findEndpoint(db, client, id),
  endpointsOf: async (client) =>
    db.all('SELECT * FROM endpoints WHERE client = ? ORDER BY id DESC', client).map(endpointFrom),
  eventOf: async (client, id) => {
    const row = db.get(`${EVENT} WHERE id = ? AND client = ?`, id, client)
    return row ? placedFrom(row) : null
  },
  pastEvents: async (client, query) => {
    const { sql, values } = eventsSql(client, query)
    return db.all(`${sql} ORDER BY at DESC, place DESC LIMIT ?`, ...values, query.limit).map(placedFrom)
  },
  deliveryOf: async (client, id) => {
    const row = db.get(`${DELIVERY} WHERE d.id = ? AND d.client = ?`, id, client)
    return row ? deliveryFrom(row) : null
  },
  deliveries: async (client, query) => {
    const { sql, values } = deliveriesSql(client, query)
    return db
      .all(`${DELIVERY} WHERE ${sql} ORDER BY d.n DESC LIMIT ?`, ...values, query.limit)
      .map((row): PlacedDelivery => ({ place: int(row, 'n'), delivery: deliveryFrom(row) }))
  },
})
