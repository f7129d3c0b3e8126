import type { Request, Response, Router } from 'express'
import type { AdminDeliveryView } from '../../../core/api/admin.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import { Problem } from '../../../core/errors.ts'
import type { Store } from '../../../core/store/index.ts'
import type { PlacedDelivery } from '../../../core/store/webhooks.ts'
import { needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { deliveriesShown } from '../events/attempts.ts'
import { detailView } from '../events/views.ts'
import { openCursor, pageOf } from '../paging.ts'
import { AdminDeliveriesQuery } from './queries.ts'

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
