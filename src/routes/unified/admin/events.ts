import type { Request, Response, Router } from 'express'
import type { AdminEventView } from '../../../core/api/admin.ts'
import { entryOf } from '../../../core/access.ts'
import { Problem } from '../../../core/errors.ts'
import type { NewId } from '../../../core/ids.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Webhooks } from '../../../webhooks/index.ts'
import { noBody } from '../../middleware/body.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import type { PlacedEvent } from '../../../core/store/webhooks.ts'
import type { Store } from '../../../core/store/index.ts'
import { actorOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { eventView } from '../events/views.ts'
import { openCursor, pageOf } from '../paging.ts'
import { AdminEventsQuery } from './queries.ts'

interface AdminEventRoutesDeps {
  store: Pick<Store, 'pastEvents' | 'pastEventsOfAll' | 'event'>
  webhooks: Pick<Webhooks, 'endpoints'>
  cursors: Cursors
  newId: NewId
  clock: Clock
}

const view = (placed: PlacedEvent): AdminEventView => ({ ...eventView(placed), client: placed.event.client })

const placeOf = (opened: string | null): { atMs: number; place: number; client: string } | null => {
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
      before: placeOf(openCursor(cursors, scope, cursor)),
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
