import type { Operation, UnifiedNames } from '../openapi/operation.ts'
import { ACCESS_OPERATIONS, auditRoutes, clientRoutes, keyRoutes } from './access.ts'
import { BACKEND_OPERATIONS, accountRoutes, driftRoutes } from './backends.ts'
import {
  ADMIN_READ_OPERATIONS,
  EVENT_OPERATIONS,
  adminDeliveryRoutes,
  adminEventRoutes,
  eventRoutes,
} from './events.ts'
import { ADMIN_USAGE_OPERATIONS, adminUsageRoutes } from './usage.ts'
import { ADMIN_VIDEO_OPERATIONS, adminVideoRoutes } from './videos/admin.ts'
import {
  MIGRATION_REPORT_OPERATIONS,
  MIGRATION_OPERATIONS,
  migrationReportRoutes,
  migrationRoutes,
} from './migration.ts'
import { AUDIO_OPERATIONS, CATALOG_OPERATIONS, audioRoutes, catalogRoutes } from './resources.ts'
import { WEBHOOK_OPERATIONS, adminEndpointRoutes, webhookRoutes } from './webhooks.ts'
import { ADMIN_OVERVIEW_OPERATIONS, OVERVIEW_OPERATIONS, overviewRoutes } from './overview.ts'
import { VIDEO_OPERATIONS, checkRoutes, contentRoutes, importRoutes, videoRoutes } from './videos/routes.ts'
import type { RequestHandler, Router } from 'express'
import type { Deps } from '../../deps.ts'
import { noBodyOfReads } from '../parse.ts'
import { acceptsJson, notStored } from '../middleware/request.ts'
import { createRouter } from '../middleware/problems.ts'
import type { Streams } from '../sse.ts'
import { adminStreamRoutes, streamRoutes, linkedStreamRoutes } from './streams.ts'

/** Every operation of the unified API, in the order of the document. */
export const UNIFIED_OPERATIONS: readonly Operation<UnifiedNames>[] = [
  ...VIDEO_OPERATIONS,
  ...CATALOG_OPERATIONS,
  ...AUDIO_OPERATIONS,
  ...OVERVIEW_OPERATIONS,
  ...BACKEND_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...ADMIN_OVERVIEW_OPERATIONS,
  ...ADMIN_VIDEO_OPERATIONS,
  ...ADMIN_READ_OPERATIONS,
  ...ADMIN_USAGE_OPERATIONS,
  ...ACCESS_OPERATIONS,
  ...MIGRATION_OPERATIONS,
  ...MIGRATION_REPORT_OPERATIONS,
]

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
