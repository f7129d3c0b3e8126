import type { DeliveriesQuery, PastEventsQuery, PlacedDelivery, WebhookStore } from '../../core/webhook-store.ts'
import { DEFAULT_EVENT_TYPES } from '../../core/vocabulary.ts'
import { placedFrom } from './event-reads.ts'
import { int, text, type Db } from './db.ts'
import { droppedEvents } from './outbox.ts'
import { DELIVERY } from './reads.ts'
import { deliveryFrom, endpointFrom } from './rows.ts'
import { ENDPOINT, findEndpoint } from './webhook-verbs.ts'

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

type Condition = [sql: string, value: string | number | null]

/** Those that are asked for. */
const where = (conditions: readonly Condition[]): { sql: string; values: (string | number)[] } => {
  const used = conditions.flatMap(([sql, value]) => (value === null ? [] : [{ sql, value }]))
  return { sql: used.map(({ sql }) => sql).join(' AND '), values: used.map(({ value }) => value) }
}

const EVENT = 'SELECT id AS event_id, place, type, client, video_id, sequence, at, body FROM events'

const eventsSql = (client: string, { type, videoId, sinceMs, untilMs, before }: PastEventsQuery) => {
  // A video's events are few: its index before that of its client's whole history.
  const own = videoId === null ? 'client = ?' : '+client = ?'
  const wanted = where([
    [own, client],
    ['video_id = ?', videoId],
    [videoId === null ? 'type = ?' : '+type = ?', type],
    ['at >= ?', sinceMs],
    ['at < ?', untilMs],
  ])
  return before === null
    ? { sql: wanted.sql, values: wanted.values }
    : { sql: `${wanted.sql} AND (at, place) < (?, ?)`, values: [...wanted.values, before.atMs, before.place] }
}

/** The narrowest index that there is: an event's or a video's deliveries, else those of an endpoint, else the client's. */
const deliveriesSql = (client: string, query: DeliveriesQuery) => {
  const { endpointId, videoId, eventId, status, before } = query
  const narrow = eventId !== null || videoId !== null
  const byEndpoint = !narrow && endpointId !== null
  const plus = (column: string, isIndexed: boolean): string => `${isIndexed ? '' : '+'}d.${column} = ?`
  const open = status !== null && status !== 'delivered' && !narrow ? ` AND d.status <> 'delivered'` : ''
  const wanted = where([
    [plus('client', !narrow && !byEndpoint), client],
    ['d.event_id = ?', eventId],
    [plus('video_id', eventId === null), videoId],
    [plus('target', byEndpoint), endpointId],
    [plus('status', open !== ''), status],
    ['d.n < ?', before],
  ])
  const kind = endpointId === null ? '' : ` AND d.target_kind = 'endpoint'`
  return { sql: `${wanted.sql}${kind}${open}`, values: wanted.values }
}

const TOLD_OF_ENDS = DEFAULT_EVENT_TYPES.map((type) => `instr(events, '"${type}"') > 0`).join(' OR ')
const CLIENTS_TOLD = `SELECT DISTINCT client FROM endpoints WHERE disabled_at IS NULL AND (${TOLD_OF_ENDS})`

export const createWebhookReads = (db: Db): WebhookReads => ({
  clientsTold: async () => db.all(CLIENTS_TOLD).map((row) => text(row, 'client')),
  droppedEvents: async () => droppedEvents(db),
  endpointOf: async (client, id) => findEndpoint(db, client, id),
  endpointsOf: async (client) => db.all(`${ENDPOINT} WHERE p.client = ? ORDER BY p.id DESC`, client).map(endpointFrom),
  eventOf: async (client, id) => {
    const row = db.get(`${EVENT} WHERE id = ? AND client = ?`, id, client)
    return row ? placedFrom(row) : null
  },
  pastEvents: async (client, query) => {
    const { sql, values } = eventsSql(client, query)
    return db.all(`${EVENT} WHERE ${sql} ORDER BY at DESC, place DESC LIMIT ?`, ...values, query.limit).map(placedFrom)
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
