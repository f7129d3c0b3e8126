import type { Operation, UnifiedNames } from '../openapi/operation.ts'
import { ADMIN_OPERATIONS, BACKEND_OPERATIONS } from './account/spec.ts'
import { MIGRATION_REPORT_OPERATIONS } from './migration/report-spec.ts'
import { AUDIO_OPERATIONS, CATALOG_OPERATIONS } from './resources/spec.ts'
import { EVENT_OPERATIONS } from './events/spec.ts'
import { WEBHOOK_OPERATIONS } from './webhooks/spec.ts'
import { MIGRATION_OPERATIONS } from './migration/spec.ts'
import { VIDEO_OPERATIONS } from './videos/spec.ts'

/** Every operation of the unified API, in the order of the document. */
export const UNIFIED_OPERATIONS: readonly Operation<UnifiedNames>[] = [
  ...VIDEO_OPERATIONS,
  ...CATALOG_OPERATIONS,
  ...AUDIO_OPERATIONS,
  ...BACKEND_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...ADMIN_OPERATIONS,
  ...MIGRATION_OPERATIONS,
  ...MIGRATION_REPORT_OPERATIONS,
]
