import express, { type Express } from 'express'
import type { Deps } from './deps.ts'
import { hookRoutes } from './routes/hooks.ts'
import { noBodyOfReads } from './routes/middleware/body.ts'
import { answerProblem, notFound } from './routes/middleware/problems.ts'
import { limitRate } from './routes/middleware/rate.ts'
import { acceptsJson, authenticate, counted, identify, notStored, unambiguous } from './routes/middleware/request.ts'
import { docsRoutes } from './routes/ops/docs.ts'
import { healthRoutes } from './routes/ops/health.ts'
import { createRouter } from './routes/router.ts'
import { createStreams } from './routes/sse.ts'
import { dropinRoutes } from './routes/dropin/routes.ts'
import { accountRoutes } from './routes/unified/account/routes.ts'
import { adminRoutes } from './routes/unified/account/admin.ts'
import { audioRoutes } from './routes/unified/resources/audio.ts'
import { catalogRoutes } from './routes/unified/resources/catalog.ts'
import { migrationReportRoutes } from './routes/unified/migration/report-routes.ts'
import { checkRoutes } from './routes/unified/videos/check.ts'
import { contentRoutes } from './routes/unified/videos/content.ts'
import { driftRoutes } from './routes/unified/account/drift.ts'
import { importRoutes } from './routes/unified/videos/import.ts'
import { eventRoutes } from './routes/unified/events/routes.ts'
import { webhookRoutes } from './routes/unified/webhooks/routes.ts'
import { streamRoutes } from './routes/unified/events/streams.ts'
import { migrationRoutes } from './routes/unified/migration/routes.ts'
import { videoRoutes } from './routes/unified/videos/routes.ts'

/** The order of everything that a request passes. Never listens. */
export const buildApp = (deps: Deps): Express => {
  const { store, stopping, clients } = deps
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', 'simple')
  app.enable('case sensitive routing').enable('strict routing')
  app.set('trust proxy', deps.config.server.trust_proxy)

  app.use(identify(deps), unambiguous)
  app.use(healthRoutes({ store, isStopping: () => stopping.signal.aborted }))
  app.use(docsRoutes(deps))
  app.use(hookRoutes(deps))

  // Who a request is from, and whether one more may come.
  const auth = createRouter().use(authenticate(clients), counted(deps.resources.requests), limitRate(deps))
  const ends = AbortSignal.any([stopping.signal, deps.ending.signal])
  const { clock, streamPlaces: places, config } = deps
  const streams = createStreams({ clock, ending: ends, limit: config.server.streams, places })
  const unified = createRouter()
  unified.use(notStored)
  unified.use(contentRoutes({ ...deps, authenticate: auth }))
  unified.use(auth, noBodyOfReads, streamRoutes({ ...deps, streams }))
  unified.use(migrationReportRoutes({ ...deps, ending: ends }), acceptsJson)
  // Before what takes any word for an id.
  unified.use(checkRoutes(deps), importRoutes(deps))
  unified.use(videoRoutes(deps), catalogRoutes(deps), audioRoutes(deps), accountRoutes(deps))
  unified.use(webhookRoutes(deps), eventRoutes(deps), driftRoutes(deps), adminRoutes(deps), migrationRoutes(deps))
  app.use('/unified/v1', unified)

  app.use(dropinRoutes(deps))

  app.use(notFound)
  app.use(answerProblem(deps))
  return app
}
