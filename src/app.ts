import type { RequestListener } from 'node:http'
import express, { type Express, type RequestHandler } from 'express'
import type { Deps } from './deps.ts'
import { CONSOLE_PATHS, consoleRoutes } from './routes/console/routes.ts'
import { dropinRoutes } from './routes/dropin/routes.ts'
import { CALLBACK_PATH, hookRoutes } from './routes/hooks.ts'
import { answerProblem, notFound } from './routes/middleware/problems.ts'
import {
  authenticate,
  chain,
  counted,
  createRouteOf,
  differsByOrigin,
  limitRate,
  receive,
  setEveryHeader,
  unambiguous,
} from './routes/middleware/request.ts'
import { OPERATIONS, SURFACE_DOCS } from './routes/openapi/document.ts'
import { ASSET_PATH, GUIDE_PATHS, docsRoutes } from './routes/ops/docs.ts'
import { healthRoutes, metricsRoutes } from './routes/ops/gateway.ts'
import { createStreams } from './routes/sse.ts'
import { unifiedRoutes } from './routes/unified/routes.ts'
import { createShownVideos } from './routes/unified/videos/read.ts'

/** What a page of another origin may ask. An admin key has no business in one, and the rest is for proxies and machines. */
const OPEN = ['/unified/v1', '/api/v1', '/v1']
const CLOSED = ['/unified/v1/admin']

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Prefer',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'traceparent',
  'tracestate',
].join(', ')
/** Chromium believes a preflight no longer. */
const MAX_AGE_S = 7_200

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

/** Every header that a document names, so that a page reads what a program does. */
const exposed = (): string => {
  const documented = SURFACE_DOCS.flatMap(({ headers }) => Object.keys(headers.headers))
  return [...new Set([...documented, 'X-Backend-Request-Id'])].join(', ')
}

/**
 * CORS (the Fetch standard, "HTTP extensions") for pages of these origins; `*`: of all. Before everything that may
 * refuse: a browser hides an error without these headers. Never with credentials of the browser's own: keys are in
 * `Authorization`, and there are no cookies. Of a few lines, since the package for it answers every OPTIONS, and lets any
 * page send any header.
 */
const shareAcrossOrigins = (origins: readonly string[]): RequestHandler[] => {
  if (origins.length === 0) return []
  const isForAll = origins.includes('*')
  const exposedHeaders = exposed()
  return [
    (req, res, next) => {
      if (!OPEN.some((prefix) => isBelow(req.path, prefix)) || CLOSED.some((prefix) => isBelow(req.path, prefix)))
        return next()
      // Also where there is none: a cache must not show that answer to a page.
      if (differsByOrigin(origins)) res.vary('Origin')
      const origin = req.get('origin')
      if (origin === undefined || !(isForAll || origins.includes(origin))) return next()
      res.setHeader('access-control-allow-origin', isForAll ? '*' : origin)
      if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) {
        res.setHeader('access-control-expose-headers', exposedHeaders)
        return next()
      }
      res.setHeader('access-control-allow-methods', METHODS)
      res.setHeader('access-control-allow-headers', REQUEST_HEADERS)
      res.setHeader('access-control-max-age', String(MAX_AGE_S))
      res.status(204).end()
    },
  ]
}

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

  // Who a request is from, and whether one more may come.
  const limited = chain(counted(deps.resources.requests), limitRate(deps))
  const ending = AbortSignal.any([stopping.signal, deps.ending.signal])
  const { clock, streamPlaces: places, config } = deps
  const streams = createStreams({ clock, ending, limit: config.server.streams, places })
  const entrance = { limited, streams, shown: createShownVideos(deps), ending }
  app.use('/unified/v1', unifiedRoutes(deps, { ...entrance, authenticate: chain(authenticate(clients), limited) }))
  app.use(healthRoutes({ store, isLeaving: () => leaving.aborted }))
  app.use(metricsRoutes(deps))
  app.use(docsRoutes(deps))
  app.use(hookRoutes(deps))
  app.use(consoleRoutes(deps, entrance))

  app.use(dropinRoutes(deps))

  app.use(notFound)
  app.use(answerProblem(deps))
  return app
}

/** All that a request passes: what is said of it, and every route. Never listens. */
export const buildApp = (deps: Deps, leaving?: AbortSignal): RequestListener => {
  const routes = buildRoutes(deps, leaving)
  const routeOf = createRouteOf([...PATHS, CALLBACK_PATH, ASSET_PATH, ...GUIDE_PATHS, ...CONSOLE_PATHS(PATHS)])
  const received = receive({ ...deps, routeOf })
  return (req, res) =>
    received(req, res, (requestId) => {
      setEveryHeader(res, requestId)
      routes(req, res)
    })
}
