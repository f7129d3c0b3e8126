import type { Request, Response, Router } from 'express'
import type { Cursors } from '../../../core/api/signed.ts'
import { Problem } from '../../../core/errors.ts'
import type { PlacedDelivery, PlacedEvent } from '../../../core/store/webhooks.ts'
import type { Store } from '../../../core/store/index.ts'
import type { ListedDeliveryView } from '../../../core/api/webhooks.ts'
import type { Webhooks } from '../../../webhooks/index.ts'
import { noBody } from '../../middleware/body.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { openCursor, pageOf } from '../paging.ts'
import { ListDeliveriesQuery, ListEventsQuery } from '../webhooks/input.ts'
import { deliveriesShown } from './attempts.ts'
import { detailView, eventView } from './views.ts'

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
