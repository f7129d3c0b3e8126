import type { AdminDeliveryView, AdminEventView } from '../../core/api/admin.ts'
import type { DeliveryView, DeliveryWithAttemptsView, EventView, ListedDeliveryView } from '../../core/api/webhooks.ts'
import { entryOf } from '../../core/access.ts'
import { fieldProblem, Problem } from '../../core/errors.ts'
import type { Delivery, PlacedDelivery, PlacedEvent, RecordedAttempt } from '../../core/store/webhooks.ts'
import { iso, isoOrNull } from '../../core/time/clock.ts'
import { DELIVERY_STATUSES } from '../../core/api/webhooks.ts'
import { USER_AGENT } from '../../core/vocabulary.ts'
import { actorOf } from '../middleware/request.ts'
import { ATTEMPT, COMPLETED, DELIVERY, EVENT, exampleEvent, listOfOne, SENT_REQUEST } from '../openapi/examples.ts'
import { json } from '../openapi/operation.ts'
import { AdminEventsQuery, RecordId, ListEventsQuery, StreamEventsQuery } from './input.ts'
import { z } from 'zod'
import { type Ports, type Whose, listScope, numberOrNull, operation, pageOf, whose } from './operation.ts'
import { streamOfAll, streamOfClient } from './streams.ts'
import { acceptsEvents } from '../sse.ts'
import { DocumentedAs, Instant, PAGE } from '../parse.ts'

/** Comes out as the first and the last status; 0 is no answer. */
const HttpStatusFilter = DocumentedAs(
  z
    .string()
    .regex(/^([345](\d\d|xx)|none)$/, 'must be 300 to 599, 3xx, 4xx, 5xx or none')
    .transform((text) => {
      const from = text === 'none' ? 0 : Number(text.replace('xx', '00'))
      return { from, to: text.endsWith('xx') ? from + 99 : from }
    })
    .optional(),
  {
    type: 'string',
    pattern: '^([345](\\d\\d|xx)|none)$',
    description:
      'Only deliveries that were given up, whose last answer had this HTTP status: one (`503`), any of a class (`5xx`), or `none` for no answer',
    example: '5xx',
  },
)

const ListDeliveriesQuery = z.strictObject({
  ...PAGE,
  endpoint: RecordId.optional().describe('Only deliveries to this endpoint'),
  video: RecordId.optional().describe('Only deliveries about this video'),
  event: RecordId.optional().describe('Only deliveries of this event'),
  status: z.enum(DELIVERY_STATUSES).optional().describe('Only deliveries with this status'),
  http_status: HttpStatusFilter,
  ended_since: Instant('Only deliveries that were delivered or given up at this time or later').optional(),
  ended_before: Instant('Only deliveries that were delivered or given up before this time').optional(),
  expand: z
    .literal('attempts')
    .optional()
    .describe('Adds `attempts` to each delivery: when it was sent, and what the receiver answered'),
})

const AdminDeliveriesQuery = ListDeliveriesQuery.extend({
  client: AdminEventsQuery.shape.client,
  endpoint: ListDeliveriesQuery.shape.endpoint
    .unwrap()
    .optional()
    .describe('Only deliveries to this endpoint. If it was deleted, also give its `client`'),
})

/** Bytes that this gateway made: the envelope of Standard Webhooks. */
const dataOf = (body: string): Record<string, unknown> => {
  const { data } = JSON.parse(body) as { data: Record<string, unknown> }
  return data
}

const eventView = ({ event: { id, type, atMs, videoId, body } }: PlacedEvent): EventView => ({
  id,
  object: 'event',
  type,
  timestamp: iso(atMs),
  video_id: videoId,
  data: dataOf(body),
})

const deliveryView = ({ id, event, target, status, attempts, nextAttemptAtMs }: Delivery): DeliveryView => ({
  id,
  object: 'delivery',
  event_id: event.id,
  event_type: event.type,
  event_at: iso(event.atMs),
  video_id: event.videoId,
  target:
    target.kind === 'endpoint'
      ? { kind: 'endpoint', endpoint_id: target.id, url: target.url }
      : { kind: 'webhook_url', endpoint_id: null, url: target.url },
  status,
  attempt_count: attempts,
  next_attempt_at: isoOrNull(nextAttemptAtMs),
})

/** What `webhooks/sender.ts` sends. Anyone who sees a signature of a secret could send the same again, so none is shown. */
const requestView = ({ event, target }: Delivery, latest: RecordedAttempt | undefined) => ({
  method: 'POST' as const,
  url: target.url,
  headers: {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': event.id,
    ...(latest && { 'webhook-timestamp': String(Math.floor(latest.atMs / 1000)) }),
    'webhook-signature': 'v1,…',
  },
  body: event.body,
})

const attemptView = (attempt: RecordedAttempt): DeliveryWithAttemptsView['attempts'][number] => ({
  at: iso(attempt.atMs),
  duration_ms: attempt.durationMs,
  status: attempt.status,
  error: attempt.error,
  response_body: attempt.responseBody,
  next_attempt_at: isoOrNull(attempt.nextAttemptAtMs),
})

/** A delivery with all that its store knows of its attempts. */
const detailView = (delivery: Delivery, attempts: readonly RecordedAttempt[]): DeliveryWithAttemptsView => ({
  ...deliveryView(delivery),
  request: requestView(delivery, attempts.at(-1)),
  attempts: attempts.map(attemptView),
})

/**
 * How the deliveries of a page are shown: with `expand=attempts` each has its latest ones, read for all immediately.
 */
const deliveriesShown = async (
  store: Pick<Ports['store'], 'latestAttempts'>,
  page: readonly { delivery: Delivery }[],
  expand: 'attempts' | undefined,
): Promise<(delivery: Delivery) => ListedDeliveryView> => {
  if (expand === undefined) return deliveryView
  const attempts: ReadonlyMap<string, readonly RecordedAttempt[]> =
    page.length === 0 ? new Map() : await store.latestAttempts(page.map(({ delivery }) => delivery.id))
  return (delivery) => ({
    ...deliveryView(delivery),
    attempts: (attempts.get(delivery.id) ?? []).map(attemptView),
  })
}

const placeOf = (opened: string | null) => {
  if (opened === null) return null
  const [atMs = '', place = '', client = ''] = opened.split(' ')
  return { atMs: Number(atMs), place: Number(place), client }
}

const withClient = (placed: PlacedEvent): AdminEventView => ({ ...eventView(placed), client: placed.event.client })

const pageOfEvents = (
  ports: Ports,
  of: Whose,
  query: z.output<typeof AdminEventsQuery>,
  [name, view]: [name: string, view: (placed: PlacedEvent) => EventView],
) => {
  const { store } = ports
  const { type = null, video: videoId = null, since: sinceMs = null, until: untilMs = null } = query
  return pageOf(ports, listScope(name, of, query), query, {
    read: (place, limit) => {
      const wish = { limit, before: placeOf(place), type, videoId, sinceMs, untilMs }
      return of === 'all' ? store.pastEventsOfAll(wish) : store.pastEvents(of.client, wish)
    },
    views: (events) => events.map(view),
    after: ({ event, place }) => `${event.atMs} ${place} ${event.client}`,
  })
}

/** The filters about how deliveries ended; null: there are none. Throws `invalid_request` where the filters exclude each other. */
const endedOf = (query: z.output<typeof AdminDeliveriesQuery>) => {
  const { http_status: answer, ended_since: since, ended_before: before, status } = query
  if (answer === undefined && since === undefined && before === undefined) return null
  for (const name of ['video', 'event'] as const)
    if (query[name] !== undefined)
      throw fieldProblem('invalid_request', name, 'cannot be combined with http_status, ended_since or ended_before')
  const statuses = (answer ? ENDED_STATUSES.slice(1) : ENDED_STATUSES).filter((one) => (status ?? one) === one)
  if (statuses.length === 0)
    throw fieldProblem(
      'invalid_request',
      'status',
      `no delivery of this status was ${answer ? 'given up' : 'delivered or given up'}`,
    )
  return { statuses, answer: answer ?? null, sinceMs: since ?? null, untilMs: before ?? null }
}
const ENDED_STATUSES = ['delivered', 'failed'] as const

const pageOfDeliveries = <V>(
  ports: Ports,
  of: Whose,
  { expand, ...query }: z.output<typeof AdminDeliveriesQuery>,
  [name, view]: [name: string, view: (shown: ListedDeliveryView, delivery: Delivery) => V],
) => {
  const { store } = ports
  const { endpoint: endpointId = null, video: videoId = null, event: eventId = null, status = null } = query
  const scope = listScope(name, of, query)
  const views = async (page: readonly PlacedDelivery[]) => {
    const shown = await deliveriesShown(store, page, expand)
    return page.map(({ delivery }) => view(shown(delivery), delivery))
  }
  const ended = endedOf(query)
  if (ended)
    return pageOf(ports, scope, query, {
      read: (place, limit) => {
        const [endedAtMs = '', n = ''] = place?.split(' ') ?? []
        const before = place === null ? null : { endedAtMs: Number(endedAtMs), place: Number(n) }
        return store.endedDeliveries({ ...ended, client: of === 'all' ? null : of.client, endpointId, before, limit })
      },
      views,
      after: ({ endedAtMs, place }) => `${endedAtMs} ${place}`,
    })
  return pageOf(ports, scope, query, {
    read: (place, limit) => {
      const wish = { limit, before: numberOrNull(place), endpointId, videoId, eventId, status }
      return of === 'all' ? store.deliveriesOfAll(wish) : store.deliveries(of.client, wish)
    },
    views,
    after: ({ place }) => String(place),
  })
}

const eventOr404 = (id: string, placed: PlacedEvent | null): PlacedEvent => {
  if (!placed) throw new Problem('event_not_found', `there is no event ${id.slice(0, 64)}`)
  return placed
}

const deliveryOr404 = (id: string, delivery: Delivery | null): Delivery => {
  if (!delivery) throw new Problem('delivery_not_found', `there is no delivery ${id.slice(0, 64)}`)
  return delivery
}

export const EVENT_OPERATIONS = [
  operation('Webhooks', {
    id: 'streamEvents',
    at: ['get', '/unified/v1/events/stream'],
    summary: 'Follow all your videos',
    description:
      'A stream of server-sent events: every event of your videos, in order, with or without a webhook. `data:` is the body of the webhook. `id:` begins with its `webhook-id` and a dot. The stream starts now, or after `Last-Event-ID`, and sends each event one time. A comment every 15 seconds keeps the connection open.\n\nThe gateway keeps events for `retention_days`. If some after your `Last-Event-ID` may be gone, the first event is `stream.gap`, without an id. Then comes the oldest event that is kept.',
    scope: 'webhooks:read',
    query: StreamEventsQuery,
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, until you close the connection.',
        raw: {
          mediaType: 'text/event-stream',
          example: `retry: 3000\n\nid: evt_6f2c1d0b9a8e7f6a5b4c3d2e1f.q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx\nevent: video.completed\ndata: {"type":"video.completed","timestamp":"2026-11-20T10:00:00.000Z","data":{"id":"${COMPLETED.id}","object":"video","status":"completed"}}\n\n: heartbeat\n`,
        },
      },
    },
    problems: ['invalid_cursor'],
    accepts: acceptsEvents,
    handle: streamOfClient,
  }),
  operation('Webhooks', {
    id: 'listEvents',
    at: ['get', '/unified/v1/events'],
    summary: 'List events',
    description:
      'Lists the events of all your videos and endpoints, newest first, also those that were sent to nobody. The gateway keeps them for 30 days.',
    scope: 'webhooks:read',
    query: ListEventsQuery,
    answers: { 200: json('A page.', 'EventList', listOfOne(EVENT)) },
    problems: ['invalid_cursor'],
    handle: (ports, { client, query }) => pageOfEvents(ports, { client: client.id }, query, ['events', eventView]),
  }),
  operation('Webhooks', {
    id: 'getEvent',
    at: ['get', '/unified/v1/events/{id}'],
    summary: 'Read an event',
    scope: 'webhooks:read',
    answers: {
      200: json('The event, with the data that was sent.', 'Event', {
        ...EVENT,
        data: exampleEvent('video.completed').data,
      }),
    },
    problems: ['event_not_found'],
    handle: async ({ store }, { client, id }) => eventView(eventOr404(id, await store.eventOf(client.id, id))),
  }),
  operation('Webhooks', {
    id: 'redeliverEvent',
    at: ['post', '/unified/v1/events/{id}/redeliver'],
    summary: 'Resend an event',
    description:
      'Sends the event again under the same id: to its first targets, and to the endpoints that subscribe to it now. Disabled endpoints get nothing. Streams repeat the event too. A retry that waits is canceled, because this delivery starts again. You may resend 20,000 deliveries an hour; more get 429.',
    scope: 'webhooks:write',
    answers: {
      202: json('The event will be sent.', 'Redelivery', {
        object: 'redelivery',
        event_id: EVENT.id,
        deliveries: [DELIVERY.id],
      }),
    },
    problems: ['event_not_found'],
    handle: async ({ webhooks }, { client, id }) => {
      const deliveries = await webhooks.endpoints.redeliver(client.id, id)
      return { object: 'redelivery', event_id: id, deliveries }
    },
  }),
  operation('Webhooks', {
    id: 'listDeliveries',
    at: ['get', '/unified/v1/deliveries'],
    summary: 'List deliveries',
    description:
      'Lists one delivery for each event and target, newest first. With `http_status`, `ended_since` or `ended_before`, the last to end comes first.',
    scope: 'webhooks:read',
    query: ListDeliveriesQuery,
    answers: { 200: json('A page.', 'DeliveryList', listOfOne(DELIVERY)) },
    problems: ['invalid_cursor'],
    handle: (ports, { client, query }) =>
      pageOfDeliveries(ports, { client: client.id }, query, ['deliveries', (shown) => shown]),
  }),
  operation('Webhooks', {
    id: 'getDelivery',
    at: ['get', '/unified/v1/deliveries/{id}'],
    summary: 'Read a delivery',
    description: 'Shows its attempts, what the gateway sent, and what the receiver answered.',
    scope: 'webhooks:read',
    answers: {
      200: json('As it is now.', 'DeliveryWithAttempts', {
        ...DELIVERY,
        request: SENT_REQUEST,
        attempts: [ATTEMPT],
      }),
    },
    problems: ['delivery_not_found'],
    handle: async ({ store }, { client, id }) => {
      const found = deliveryOr404(id, await store.deliveryOf(client.id, id))
      return detailView(found, await store.attempts(found.id))
    },
  }),
]

const OWNER = { client: 'acme' }

export const ADMIN_READ_OPERATIONS = [
  operation('Administration', {
    id: 'listAdminEvents',
    at: ['get', '/unified/v1/admin/events'],
    summary: 'List the events of all clients',
    description: 'Lists the events of all clients, or of one `client`, newest first. Each is as its client sees it.',
    scope: 'admin',
    query: AdminEventsQuery,
    answers: { 200: json('A page.', 'AdminEventList', listOfOne({ ...EVENT, ...OWNER })) },
    problems: ['invalid_cursor'],
    handle: (ports, { query }) => pageOfEvents(ports, whose(query.client), query, ['admin events', withClient]),
  }),
  operation('Administration', {
    id: 'streamAdminEvents',
    at: ['get', '/unified/v1/admin/events/stream'],
    summary: 'Follow the videos of all clients',
    description:
      'Works like `GET /events/stream`, for all clients: `client` in `data:` names the owner. Events of one video come in order. Events of different videos come almost in order.',
    scope: 'admin',
    query: StreamEventsQuery,
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, until you close the connection.',
        raw: {
          mediaType: 'text/event-stream',
          example: `retry: 3000\n\nid: ${EVENT.id}.q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx\nevent: video.completed\ndata: {"client":"acme","type":"video.completed","timestamp":"2026-11-20T10:00:00.000Z","data":{"id":"${COMPLETED.id}","object":"video","status":"completed"}}\n\n: heartbeat\n`,
        },
      },
    },
    problems: ['invalid_cursor'],
    accepts: acceptsEvents,
    handle: streamOfAll,
  }),
  operation('Administration', {
    id: 'redeliverAdminEvent',
    at: ['post', '/unified/v1/admin/events/{id}/redeliver'],
    summary: 'Resend an event of any client',
    description:
      "Works like redeliverEvent, to the targets of the event's client. It counts towards what that client may resend in an hour. The audit log records it.",
    scope: 'admin',
    answers: {
      202: json('The event will be sent.', 'Redelivery', {
        object: 'redelivery',
        event_id: EVENT.id,
        deliveries: [DELIVERY.id],
      }),
    },
    problems: ['event_not_found'],
    handle: async ({ store, webhooks, newId, clock }, { res, id }) => {
      const { client } = eventOr404(id, await store.event(id)).event
      const deed = { action: 'event.redeliver', subject: id, detail: { client } } as const
      const audit = entryOf(actorOf(res), newId('aud'), clock.now(), deed)
      return { object: 'redelivery', event_id: id, deliveries: await webhooks.endpoints.redeliver(client, id, audit) }
    },
  }),
  operation('Administration', {
    id: 'listAdminDeliveries',
    at: ['get', '/unified/v1/admin/deliveries'],
    summary: 'List the deliveries of all clients',
    description:
      'Lists the deliveries of all clients, or of one `client`, newest first. `status=failed` shows what did not arrive.',
    scope: 'admin',
    query: AdminDeliveriesQuery,
    answers: { 200: json('A page.', 'AdminDeliveryList', listOfOne({ ...DELIVERY, ...OWNER })) },
    problems: ['invalid_cursor'],
    handle: (ports, { query }) => {
      const view = (shown: ListedDeliveryView, { event: { client } }: Delivery): AdminDeliveryView => ({
        ...shown,
        client,
      })
      return pageOfDeliveries(ports, whose(query.client), query, ['admin deliveries', view])
    },
  }),
  operation('Administration', {
    id: 'getAdminDelivery',
    at: ['get', '/unified/v1/admin/deliveries/{id}'],
    summary: 'Read a delivery of any client',
    description: 'Shows its attempts, and what the receiver answered.',
    scope: 'admin',
    answers: {
      200: json('As it is now.', 'AdminDeliveryWithAttempts', {
        ...DELIVERY,
        ...OWNER,
        request: SENT_REQUEST,
        attempts: [ATTEMPT],
      }),
    },
    problems: ['delivery_not_found'],
    handle: async ({ store }, { id }) => {
      const found = deliveryOr404(id, await store.delivery(id))
      return { ...detailView(found, await store.attempts(found.id)), client: found.event.client }
    },
  }),
]
