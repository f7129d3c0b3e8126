import type { RequestHandler } from 'express'
import type { Deps } from '../../deps.ts'
import { acceptsJson, chain, mount, notStored, onReads } from '../middleware/request.ts'
import { noBody } from '../parse.ts'
import type { Streams } from '../sse.ts'
import { ACCESS_OPERATIONS } from './access.ts'
import { ADMIN_BACKEND_OPERATIONS, BACKEND_OPERATIONS } from './backends.ts'
import { ADMIN_OVERVIEW_OPERATIONS, OVERVIEW_OPERATIONS } from './overview.ts'
import { ADMIN_READ_OPERATIONS, EVENT_OPERATIONS } from './events.ts'
import { MIGRATION_OPERATIONS, MIGRATION_REPORT_OPERATIONS } from './migration.ts'
import type { ServedOperation } from './operation.ts'
import { AUDIO_OPERATIONS, CATALOG_OPERATIONS } from './resources.ts'
import { linkedStreamRoutes } from './streams.ts'
import { ADMIN_USAGE_OPERATIONS } from './usage.ts'
import { ADMIN_VIDEO_OPERATIONS } from './videos/admin.ts'
import { ADMIN_SEARCH_OPERATION, SEARCH_OPERATION } from './videos/search.ts'
import type { ShownVideos } from './videos/read.ts'
import { contentRoutes, VIDEO_OPERATIONS } from './videos/routes.ts'
import { ADMIN_ENDPOINT_OPERATIONS, WEBHOOK_OPERATIONS } from './webhooks.ts'

/** Every operation of the unified API, in the order of the document. */
export const UNIFIED_OPERATIONS: readonly ServedOperation[] = [
  // Before the reads of one video, whose ids they would be.
  SEARCH_OPERATION,
  ...VIDEO_OPERATIONS,
  ...CATALOG_OPERATIONS,
  ...AUDIO_OPERATIONS,
  ...OVERVIEW_OPERATIONS,
  ...BACKEND_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...ADMIN_OVERVIEW_OPERATIONS,
  ...ADMIN_BACKEND_OPERATIONS,
  ADMIN_SEARCH_OPERATION,
  ...ADMIN_VIDEO_OPERATIONS,
  ...ADMIN_READ_OPERATIONS,
  ...ADMIN_ENDPOINT_OPERATIONS,
  ...ADMIN_USAGE_OPERATIONS,
  ...ACCESS_OPERATIONS,
  ...MIGRATION_OPERATIONS,
  ...MIGRATION_REPORT_OPERATIONS,
]

/** How requests come in: it says whose they are. */
export interface Entrance {
  /** Throws `unauthenticated`; otherwise the request has its caller, and is counted. */
  authenticate: RequestHandler
  /** What comes behind a client that is known otherwise. */
  limited: RequestHandler
  streams: Streams
  shown: ShownVideos
  /** When it aborts, what is held open ends. */
  ending: AbortSignal
}

/** The operations of the unified API, for callers of whom `authenticate` knows. */
export const unifiedRoutes = (
  deps: Deps,
  { authenticate, limited, streams, shown, ending }: Entrance,
): RequestHandler => {
  const ports = { ...deps, streams, shown, ending, reports: { isBusy: false } }
  const served = UNIFIED_OPERATIONS.filter(({ serve }) => serve !== null)
  const mounted = (operations: readonly ServedOperation[]): RequestHandler =>
    mount(operations, '/unified/v1', ({ serve }) => serve?.(ports) ?? [])
  return chain(
    notStored,
    // A signature in the link may represent the key.
    contentRoutes(ports, authenticate),
    linkedStreamRoutes(ports, limited),
    authenticate,
    onReads(noBody),
    mounted(served.filter(({ accepts }) => accepts !== undefined)),
    acceptsJson,
    mounted(served.filter(({ accepts }) => accepts === undefined)),
  )
}
