import type { RequestHandler, Router } from 'express'
import type { Deps } from '../../deps.ts'
import { noBodyOfReads } from '../middleware/body.ts'
import { acceptsJson, notStored } from '../middleware/request.ts'
import { createRouter } from '../router.ts'
import type { Streams } from '../sse.ts'
import { accountRoutes } from './account/routes.ts'
import { driftRoutes } from './account/drift.ts'
import { auditRoutes } from './admin/audit.ts'
import { clientRoutes } from './admin/clients.ts'
import { adminDeliveryRoutes } from './admin/deliveries.ts'
import { adminEndpointRoutes } from './admin/endpoints.ts'
import { adminEventRoutes } from './admin/events.ts'
import { keyRoutes } from './admin/keys.ts'
import { adminStreamRoutes } from './admin/stream.ts'
import { adminUsageRoutes } from './admin/usage.ts'
import { adminVideoRoutes } from './admin/videos.ts'
import { eventRoutes } from './events/routes.ts'
import { streamRoutes } from './events/streams.ts'
import { linkedStreamRoutes } from './events/video-stream.ts'
import { migrationReportRoutes } from './migration/report-routes.ts'
import { migrationRoutes } from './migration/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { audioRoutes } from './resources/audio.ts'
import { catalogRoutes } from './resources/catalog.ts'
import { checkRoutes } from './videos/check.ts'
import { contentRoutes } from './videos/content.ts'
import { importRoutes } from './videos/import.ts'
import { videoRoutes } from './videos/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** How requests come in: it says whose they are. */
export interface Entrance {
  /** Throws `unauthenticated`; else the request has its caller, and is counted. */
  authenticate: RequestHandler
  /** What comes behind a client that is known otherwise. */
  limited: RequestHandler
  streams: Streams
  /** When it aborts, what is held open ends. */
  ending: AbortSignal
}

/** The operations of the unified API, whoever opens the door. */
export const unifiedRoutes = (deps: Deps, { authenticate, limited, streams, ending }: Entrance): Router => {
  const unified = createRouter()
  unified.use(notStored)
  unified.use(contentRoutes({ ...deps, authenticate }), linkedStreamRoutes({ ...deps, streams, limited }))
  unified.use(authenticate, noBodyOfReads, streamRoutes({ ...deps, streams }), adminStreamRoutes({ ...deps, streams }))
  unified.use(migrationReportRoutes({ ...deps, ending }), adminUsageRoutes(deps), acceptsJson)
  // Before what takes any word for an id.
  unified.use(checkRoutes(deps), importRoutes(deps))
  unified.use(videoRoutes(deps), catalogRoutes(deps), audioRoutes(deps), accountRoutes(deps))
  unified.use(webhookRoutes(deps), eventRoutes(deps), driftRoutes(deps), migrationRoutes(deps))
  unified.use(adminVideoRoutes(deps), adminEventRoutes(deps), adminDeliveryRoutes(deps), adminEndpointRoutes(deps))
  unified.use(overviewRoutes(deps), keyRoutes(deps), clientRoutes(deps), auditRoutes(deps))
  return unified
}
