import type { Router } from 'express'
import type { Deps } from '../../deps.ts'
import type { Backend } from '../../engine/index.ts'
import type { Client } from '../clients.ts'
import { contractHeaders, limitRate } from '../middleware/caller.ts'
import { counted } from '../middleware/request.ts'
import { createRouter } from '../middleware/problems.ts'
import { alternateRoutes } from './alternate/routes.ts'
import { createPassthrough, type PassthroughTarget } from './passthrough.ts'
import { previewRoutes } from './previews.ts'
import { primaryRoutes } from './primary/routes.ts'
import { behind, DROPINS } from './surface.ts'

/** The surfaces that speak the backends' own contracts. Mounted behind every route of the gateway's own. */
export const dropinRoutes = (deps: Deps): Router => {
  const { config, resources, handThrough, tracing } = deps
  const targets = (name: string): PassthroughTarget => {
    const backend = config.backends[name]
    if (!backend) throw new Error(`there is no backend ${name}`)
    return { baseUrl: backend.base_url, apiKey: backend.api_key }
  }
  const passthrough = createPassthrough({ through: resources.through, handThrough, targets, tracing })
  const backendsOf = (client: Client | null): Backend[] =>
    DROPINS.map((surface) => behind(surface, client ?? { visible: deps.backends }, config.routing).backend)
  const admit = createRouter().use(counted(resources.requests), limitRate(deps, contractHeaders))

  const router = createRouter()
  router.use('/api/v1', primaryRoutes({ ...deps, passthrough }))
  router.use('/v1', alternateRoutes({ ...deps, passthrough }))
  router.use(previewRoutes({ ...deps, passthrough, targets, backendsOf, admit }))
  return router
}
