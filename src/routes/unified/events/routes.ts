import type { Request, Response, Router } from 'express'
import { iso, isoOrNull } from '../../../core/time/clock.ts'
import type { Cursors } from '../../../core/api/cursor.ts'
import { Problem } from '../../../core/errors.ts'
import type { PlacedEvent } from '../../../core/store/events.ts'
import type { Delivery, RecordedAttempt } from '../../../core/store/deliveries.ts'
import type { Store } from '../../../core/store/index.ts'
import type { DeliveryView, DeliveryWithAttemptsView, EventView } from '../../../core/api/webhooks.ts'
import type { Webhooks } from '../../../webhooks/index.ts'
import { noBody } from '../../middleware/body.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { openCursor, pageOf } from '../paging.ts'
import { ListDeliveriesQuery, ListEventsQuery } from '../webhooks/input.ts'

interface EventRoutesDeps {
  store: Pick<Store, 'eventOf' | 'pastEvents' | 'deliveryOf' | 'deliveries' | 'attempts'>
  webhooks: Pick<Webhooks, 'endpoints'>
  cursors: Cursors
}

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
  video_id: event.videoId,
  target:
    target.kind === 'endpoint'
      ? { kind: 'endpoint', endpoint_id: target.id, url: target.url }
      : { kind: 'webhook_url', endpoint_id: null, url: target.url },
  status,
  attempt_count: attempts,
  next_attempt_at: isoOrNull(nextAttemptAtMs),
})

const attemptView = (attempt: RecordedAttempt): DeliveryWithAttemptsView['attempts'][number] => ({
  at: iso(attempt.atMs),
  duration_ms: attempt.durationMs,
  status: attempt.status,
  error: attempt.error,
  response_body: attempt.responseBody,
  next_attempt_at: isoOrNull(attempt.nextAttemptAtMs),
})

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
    const { limit, cursor, ...filters } = parseQuery(ListDeliveriesQuery, req)
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
    const view = (one: (typeof found)[number]): DeliveryView => deliveryView(one.delivery)
    res.json(pageOf(found, { cursors, scope, limit, view, after: ({ place }) => String(place) }))
  },

  async getDelivery(req: WithId, res: Response): Promise<void> {
    const found = await store.deliveryOf(callerOf(res).id, req.params.id)
    if (!found) throw new Problem('delivery_not_found', `there is no delivery ${req.params.id.slice(0, 64)}`)
    const attempts = (await store.attempts(found.id)).map(attemptView)
    res.json({ ...deliveryView(found), attempts })
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
