import type { Request, Response, Router } from 'express'
import type { AdminEndpointView } from '../../../core/api/admin.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import type { EndpointRecord } from '../../../core/endpoints.ts'
import type { Store } from '../../../core/store/index.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { unknownEndpoint } from '../../../webhooks/endpoints.ts'
import { needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { openCursor, pageOf } from '../paging.ts'
import { endpointView } from '../webhooks/views.ts'
import { AdminEndpointsQuery } from './queries.ts'

interface AdminEndpointRoutesDeps {
  store: Pick<Store, 'endpointsOf' | 'endpointsOfAll' | 'endpointById' | 'pendingFor'>
  cursors: Cursors
  clock: Pick<Clock, 'now'>
}

/** Where the events of any client go. Secrets are their owner's: no route here shows one. */
export const adminEndpointRoutes = ({ store, cursors, clock }: AdminEndpointRoutesDeps): Router => {
  const view = (endpoint: EndpointRecord): AdminEndpointView => ({
    ...endpointView(endpoint, clock.now()),
    client: endpoint.client,
  })
  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, client } = parseQuery(AdminEndpointsQuery, req)
    const scope = JSON.stringify(['admin endpoints', client])
    const before = openCursor(cursors, scope, cursor)
    const found =
      client === undefined
        ? await store.endpointsOfAll({ before, limit: limit + 1 })
        : // A client has few.
          (await store.endpointsOf(client)).filter(({ id }) => before === null || id < before).slice(0, limit + 1)
    res.json(pageOf(found, { cursors, scope, limit, view, after: ({ id }) => id }))
  }

  const get = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const found = await store.endpointById(req.params.id)
    if (!found) throw unknownEndpoint(req.params.id)
    res.json({ ...view(found), pending: await store.pendingFor(found.client, found.id) })
  }

  const router = createRouter()
  router.route('/admin/endpoints').get(needs('admin'), list).all(onlyMethods('GET', 'HEAD'))
  router.route('/admin/endpoints/:id').get(needs('admin'), noQuery, get).all(onlyMethods('GET', 'HEAD'))
  return router
}
