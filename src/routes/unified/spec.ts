import type { Operation, UnifiedNames } from '../openapi/operation.ts'
import { ACCESS_OPERATIONS } from './admin/access-spec.ts'
import { BACKEND_OPERATIONS } from './account/spec.ts'
import { ADMIN_READ_OPERATIONS } from './admin/reads-spec.ts'
import { ADMIN_USAGE_OPERATIONS } from './admin/usage-spec.ts'
import { ADMIN_VIDEO_OPERATIONS } from './admin/videos-spec.ts'
import { MIGRATION_REPORT_OPERATIONS } from './migration/report-spec.ts'
import { AUDIO_OPERATIONS, CATALOG_OPERATIONS } from './resources/spec.ts'
import { EVENT_OPERATIONS } from './events/spec.ts'
import { WEBHOOK_OPERATIONS } from './webhooks/spec.ts'
import { MIGRATION_OPERATIONS } from './migration/spec.ts'
import { ADMIN_OVERVIEW_OPERATIONS, OVERVIEW_OPERATIONS } from './overview/spec.ts'
import { VIDEO_OPERATIONS } from './videos/spec.ts'

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
