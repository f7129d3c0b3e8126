import type { Router } from 'express'
import type { Store } from '../../core/store/index.ts'
import { Problem } from '../../core/errors.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { createRouter } from '../router.ts'

interface HealthRoutesDeps {
  store: Pick<Store, 'ping'>
  /** True from the moment that the process was asked to stop. */
  isLeaving: () => boolean
}

/** `/healthz`: the process answers. `/readyz`: it can take work; a dead backend does not make it unready. */
export const healthRoutes = ({ store, isLeaving }: HealthRoutesDeps): Router => {
  const router = createRouter()
  router
    .route('/healthz')
    .get((_req, res) => void res.json({ status: 'ok' }))
    .all(onlyMethods('GET', 'HEAD'))
  router
    .route('/readyz')
    .get(async (_req, res) => {
      if (isLeaving()) throw new Problem('shutting_down', 'the gateway is stopping')
      await store.ping()
      res.json({ status: 'ready' })
    })
    .all(onlyMethods('GET', 'HEAD'))
  return router
}
