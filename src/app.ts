import express, { type Express } from 'express'
import type { RequestListener } from 'node:http'
import type { Deps } from './deps.ts'
import { CONSOLE_PATHS } from './routes/console/session.ts'
import { consoleRoutes } from './routes/console/routes.ts'
import { dropinRoutes } from './routes/dropin/routes.ts'
import { CALLBACK_PATH, hookRoutes } from './routes/hooks.ts'
import { shareAcrossOrigins } from './routes/middleware/cors.ts'
import { answerProblem, notFound, createRouter } from './routes/middleware/problems.ts'
import {
  authenticate,
  counted,
  createRouteOf,
  limitRate,
  receive,
  setEveryHeader,
  unambiguous,
} from './routes/middleware/request.ts'
import { ASSET_PATH, docsRoutes, GUIDE_PATHS } from './routes/ops/docs.ts'
import { healthRoutes, metricsRoutes } from './routes/ops/gateway.ts'
import { OPERATIONS } from './routes/openapi/document.ts'
import { createStreams } from './routes/sse.ts'
import { unifiedRoutes } from './routes/unified/routes.ts'
import { createShortRead } from './routes/unified/videos/read.ts'

const PATHS = OPERATIONS.map(({ path }) => path)

/** Every operation, in the order in which a request is tried on them. `leaving`: aborted when no more should come. */
export const buildRoutes = (deps: Deps, leaving: AbortSignal = deps.stopping.signal): Express => {
  const { store, stopping, clients } = deps
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', 'simple')
  app.enable('case sensitive routing').enable('strict routing')
  app.set('trust proxy', deps.config.server.trust_proxy)

  app.use(...shareAcrossOrigins(deps.config.server.cors.origins), unambiguous)
  app.use(healthRoutes({ store, isLeaving: () => leaving.aborted }))
  app.use(metricsRoutes(deps))
  app.use(docsRoutes(deps))
  app.use(hookRoutes(deps))

  // Who a request is from, and whether one more may come.
  const limited = createRouter().use(counted(deps.resources.requests), limitRate(deps))
  const ending = AbortSignal.any([stopping.signal, deps.ending.signal])
  const { clock, streamPlaces: places, config } = deps
  const streams = createStreams({ clock, ending, limit: config.server.streams, places })
  const entrance = { limited, streams, ending }
  app.use(
    '/unified/v1',
    unifiedRoutes(deps, { ...entrance, authenticate: createRouter().use(authenticate(clients), limited) }),
  )
  app.use(consoleRoutes(deps, entrance))

  app.use(dropinRoutes(deps))

  app.use(notFound)
  app.use(answerProblem(deps))
  return app
}

/**
 * All that a request passes: what is said of it, the short way of the read that clients repeat, every route. Never
 * listens.
 */
export const buildApp = (deps: Deps, leaving?: AbortSignal): RequestListener => {
  const routes = buildRoutes(deps, leaving)
  const routeOf = createRouteOf([...PATHS, CALLBACK_PATH, ASSET_PATH, ...GUIDE_PATHS, ...CONSOLE_PATHS(PATHS)])
  const received = receive({ ...deps, routeOf })
  const readShort = createShortRead(deps)
  return (req, res) =>
    received(req, res, (requestId) =>
      readShort(req, res, requestId, () => {
        setEveryHeader(res, requestId)
        routes(req, res)
      }),
    )
}
