import type { Delivery, RecordedAttempt, PlacedEvent, PlacedDelivery } from '../../core/store/webhooks.ts'
import { iso, isoOrNull, type Clock } from '../../core/time/clock.ts'
import { USER_AGENT } from '../../core/vocabulary.ts'
import type { DeliveryView, DeliveryWithAttemptsView, EventView, ListedDeliveryView } from '../../core/api/webhooks.ts'
import type { Store } from '../../core/store/index.ts'
import type { Request, Response, Router } from 'express'
import type { Cursors } from '../../core/api/signed.ts'
import { Problem } from '../../core/errors.ts'
import type { Webhooks } from '../../webhooks/index.ts'
import { noBody, noQuery, parseQuery } from '../parse.ts'
import { callerOf, needs, actorOf } from '../middleware/caller.ts'
import { onlyMethods, createRouter } from '../middleware/problems.ts'
import { openCursor, pageOf } from './paging.ts'
import {
  ListDeliveriesQuery,
  ListEventsQuery,
  AdminEventsQuery,
  AdminDeliveriesQuery,
  StreamEventsQuery,
  AdminEndpointsQuery,
} from './input.ts'
import type { AdminEventView, AdminDeliveryView } from '../../core/api/admin.ts'
import { entryOf } from '../../core/access.ts'
import type { NewId } from '../../core/ids.ts'
import {
  COMPLETED,
  exampleEvent,
  listOfOne,
  ATTEMPT,
  DELIVERY,
  EVENT,
  SENT_REQUEST,
  ENDPOINT,
} from '../openapi/examples.ts'
import { json, operations } from '../openapi/operation.ts'

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

/** What `attempt.ts` sends. Whoever sees a signature of a secret could send the same again, so none is shown. */
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

/** How the deliveries of a page are shown: with `expand=attempts` each has its latest ones, read for all at once. */
const deliveriesShown = async (
  store: Pick<Store, 'latestAttempts'>,
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

interface EventRoutesDeps {
  store: Pick<Store, 'eventOf' | 'pastEvents' | 'deliveryOf' | 'deliveries' | 'attempts' | 'latestAttempts'>
  webhooks: Pick<Webhooks, 'endpoints'>
  cursors: Cursors
}

const placeOf = (opened: string | null): { atMs: number; place: number } | null => {
  if (opened === null) return null
  const [atMs = 0, place = 0] = opened.split(' ').map(Number)
  return { atMs, place }
}

type WithId = Request<{ id: string }>

const handlers = ({ store, webhooks, cursors }: EventRoutesDeps) => ({
  async listEvents(req: Request, res: Response): Promise<void> {
    const { limit, cursor, ...filters } = parseQuery(ListEventsQuery, req)
    const { id } = callerOf(res)
    const scope = JSON.stringify(['events', id, filters])
    const found = await store.pastEvents(id, {
      limit: limit + 1,
      before: placeOf(openCursor(cursors, scope, cursor)),
      type: filters.type ?? null,
      videoId: filters.video ?? null,
      sinceMs: filters.since ?? null,
      untilMs: filters.until ?? null,
    })
    const after = ({ event, place }: PlacedEvent): string => `${event.atMs} ${place}`
    res.json(pageOf(found, { cursors, scope, limit, view: eventView, after }))
  },

  async getEvent(req: WithId, res: Response): Promise<void> {
    const found = await store.eventOf(callerOf(res).id, req.params.id)
    if (!found) throw new Problem('event_not_found', `there is no event ${req.params.id.slice(0, 64)}`)
    res.json(eventView(found))
  },

  async redeliver(req: WithId, res: Response): Promise<void> {
    const deliveries = await webhooks.endpoints.redeliver(callerOf(res).id, req.params.id)
    res.status(202).json({ object: 'redelivery', event_id: req.params.id, deliveries })
  },

  async listDeliveries(req: Request, res: Response): Promise<void> {
    const { limit, cursor, expand, ...filters } = parseQuery(ListDeliveriesQuery, req)
    const { id } = callerOf(res)
    const scope = JSON.stringify(['deliveries', id, filters])
    const before = openCursor(cursors, scope, cursor)
    const found = await store.deliveries(id, {
      limit: limit + 1,
      before: before === null ? null : Number(before),
      endpointId: filters.endpoint ?? null,
      videoId: filters.video ?? null,
      eventId: filters.event ?? null,
      status: filters.status ?? null,
    })
    const shown = await deliveriesShown(store, found.slice(0, limit), expand)
    const view = ({ delivery }: PlacedDelivery): ListedDeliveryView => shown(delivery)
    res.json(pageOf(found, { cursors, scope, limit, view, after: ({ place }) => String(place) }))
  },

  async getDelivery(req: WithId, res: Response): Promise<void> {
    const found = await store.deliveryOf(callerOf(res).id, req.params.id)
    if (!found) throw new Problem('delivery_not_found', `there is no delivery ${req.params.id.slice(0, 64)}`)
    res.json(detailView(found, await store.attempts(found.id)))
  },
})

/** What happened to a client's videos and endpoints, and how it was delivered. */
export const eventRoutes = (deps: EventRoutesDeps): Router => {
  const of = handlers(deps)
  const reads = needs('webhooks:read')
  const onlyGet = onlyMethods('GET', 'HEAD')
  const router = createRouter()
  router.route('/events').get(reads, of.listEvents).all(onlyGet)
  router.route('/events/:id').get(reads, noQuery, of.getEvent).all(onlyGet)
  router
    .route('/events/:id/redeliver')
    .post(needs('webhooks:write'), noBody, noQuery, of.redeliver)
    .all(onlyMethods('POST'))
  router.route('/deliveries').get(reads, of.listDeliveries).all(onlyGet)
  router.route('/deliveries/:id').get(reads, noQuery, of.getDelivery).all(onlyGet)
  return router
}

interface AdminEventRoutesDeps {
  store: Pick<Store, 'pastEvents' | 'pastEventsOfAll' | 'event'>
  webhooks: Pick<Webhooks, 'endpoints'>
  cursors: Cursors
  newId: NewId
  clock: Clock
}

const view = (placed: PlacedEvent): AdminEventView => ({ ...eventView(placed), client: placed.event.client })

const placeOfAny = (opened: string | null): { atMs: number; place: number; client: string } | null => {
  if (opened === null) return null
  const [atMs, place, client = ''] = opened.split(' ')
  return { atMs: Number(atMs), place: Number(place), client }
}

/** What happened to the videos and endpoints of any client, and sending it once more. */
export const adminEventRoutes = ({ store, webhooks, cursors, newId, clock }: AdminEventRoutesDeps): Router => {
  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, ...filters } = parseQuery(AdminEventsQuery, req)
    const scope = JSON.stringify(['admin events', filters])
    const query = {
      limit: limit + 1,
      before: placeOfAny(openCursor(cursors, scope, cursor)),
      type: filters.type ?? null,
      videoId: filters.video ?? null,
      sinceMs: filters.since ?? null,
      untilMs: filters.until ?? null,
    }
    const found = await (filters.client === undefined
      ? store.pastEventsOfAll(query)
      : store.pastEvents(filters.client, query))
    const after = ({ event, place }: PlacedEvent): string => `${event.atMs} ${place} ${event.client}`
    res.json(pageOf(found, { cursors, scope, limit, view, after }))
  }

  const redeliver = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const { id } = req.params
    const client = (await store.event(id))?.event.client
    if (client === undefined) throw new Problem('event_not_found', `there is no event ${id.slice(0, 64)}`)
    const deed = { action: 'event.redeliver', subject: id, detail: { client } } as const
    const audit = entryOf(actorOf(res), newId('aud'), clock.now(), deed)
    const deliveries = await webhooks.endpoints.redeliver(client, id, audit)
    res.status(202).json({ object: 'redelivery', event_id: id, deliveries })
  }

  const router = createRouter()
  router.route('/admin/events').get(needs('admin'), list).all(onlyMethods('GET', 'HEAD'))
  router.route('/admin/events/:id/redeliver').post(needs('admin'), noBody, noQuery, redeliver).all(onlyMethods('POST'))
  return router
}

interface AdminDeliveryRoutesDeps {
  store: Pick<Store, 'deliveries' | 'deliveriesOfAll' | 'delivery' | 'attempts' | 'latestAttempts'>
  cursors: Cursors
}

/** How events of any client were delivered. */
export const adminDeliveryRoutes = ({ store, cursors }: AdminDeliveryRoutesDeps): Router => {
  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, expand, ...filters } = parseQuery(AdminDeliveriesQuery, req)
    const scope = JSON.stringify(['admin deliveries', filters])
    const before = openCursor(cursors, scope, cursor)
    const query = {
      limit: limit + 1,
      before: before === null ? null : Number(before),
      endpointId: filters.endpoint ?? null,
      videoId: filters.video ?? null,
      eventId: filters.event ?? null,
      status: filters.status ?? null,
    }
    const found = await (filters.client === undefined
      ? store.deliveriesOfAll(query)
      : store.deliveries(filters.client, query))
    const shown = await deliveriesShown(store, found.slice(0, limit), expand)
    const view = ({ delivery }: PlacedDelivery): AdminDeliveryView => ({
      ...shown(delivery),
      client: delivery.event.client,
    })
    res.json(pageOf(found, { cursors, scope, limit, view, after: ({ place }) => String(place) }))
  }

  const get = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const found = await store.delivery(req.params.id)
    if (!found) throw new Problem('delivery_not_found', `there is no delivery ${req.params.id.slice(0, 64)}`)
    const attempts = await store.attempts(found.id)
    res.json({ ...detailView(found, attempts), client: found.event.client })
  }

  const router = createRouter()
  router.route('/admin/deliveries').get(needs('admin'), list).all(onlyMethods('GET', 'HEAD'))
  router.route('/admin/deliveries/:id').get(needs('admin'), noQuery, get).all(onlyMethods('GET', 'HEAD'))
  return router
}

export const EVENT_OPERATIONS = operations('Webhooks', {
  streamEvents: {
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
  },
  listEvents: {
    at: ['get', '/unified/v1/events'],
    summary: 'List events',
    description:
      'Lists the events of all your videos and endpoints, newest first, also those that were sent to nobody. The gateway keeps them for 30 days.',
    scope: 'webhooks:read',
    query: ListEventsQuery,
    answers: { 200: json('A page.', 'EventList', listOfOne(EVENT)) },
    problems: ['invalid_cursor'],
  },
  getEvent: {
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
  },
  redeliverEvent: {
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
  },
  listDeliveries: {
    at: ['get', '/unified/v1/deliveries'],
    summary: 'List deliveries',
    description: 'Lists one delivery for each event and target, newest first.',
    scope: 'webhooks:read',
    query: ListDeliveriesQuery,
    answers: { 200: json('A page.', 'DeliveryList', listOfOne(DELIVERY)) },
    problems: ['invalid_cursor'],
  },
  getDelivery: {
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
  },
})

const whose = { client: 'acme' }

export const ADMIN_READ_OPERATIONS = operations('Administration', {
  listAdminEvents: {
    at: ['get', '/unified/v1/admin/events'],
    summary: 'List the events of all clients',
    description: 'Lists the events of all clients, or of one `client`, newest first. Each is as its client sees it.',
    scope: 'admin',
    query: AdminEventsQuery,
    answers: { 200: json('A page.', 'AdminEventList', listOfOne({ ...EVENT, ...whose })) },
    problems: ['invalid_cursor'],
  },
  streamAdminEvents: {
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
  },
  redeliverAdminEvent: {
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
  },
  listAdminDeliveries: {
    at: ['get', '/unified/v1/admin/deliveries'],
    summary: 'List the deliveries of all clients',
    description:
      'Lists the deliveries of all clients, or of one `client`, newest first. `status=failed` shows what did not arrive.',
    scope: 'admin',
    query: AdminDeliveriesQuery,
    answers: { 200: json('A page.', 'AdminDeliveryList', listOfOne({ ...DELIVERY, ...whose })) },
    problems: ['invalid_cursor'],
  },
  getAdminDelivery: {
    at: ['get', '/unified/v1/admin/deliveries/{id}'],
    summary: 'Read a delivery of any client',
    description: 'Shows its attempts, and what the receiver answered.',
    scope: 'admin',
    answers: {
      200: json('As it is now.', 'AdminDeliveryWithAttempts', {
        ...DELIVERY,
        ...whose,
        request: SENT_REQUEST,
        attempts: [ATTEMPT],
      }),
    },
    problems: ['delivery_not_found'],
  },
  listAdminEndpoints: {
    at: ['get', '/unified/v1/admin/endpoints'],
    summary: 'List the webhook endpoints of all clients',
    description: 'Lists the endpoints of all clients, or of one `client`, newest first. No answer shows a secret.',
    scope: 'admin',
    query: AdminEndpointsQuery,
    answers: { 200: json('A page.', 'AdminEndpointList', listOfOne({ ...ENDPOINT, ...whose })) },
    problems: ['invalid_cursor'],
  },
  getAdminEndpoint: {
    at: ['get', '/unified/v1/admin/endpoints/{id}'],
    summary: 'Read a webhook endpoint of any client',
    description: 'Shows the endpoint, with the number of deliveries that wait. No answer shows a secret.',
    scope: 'admin',
    answers: { 200: json('As it is now.', 'AdminEndpointDetail', { ...ENDPOINT, ...whose, pending: 0 }) },
    problems: ['endpoint_not_found'],
  },
})
