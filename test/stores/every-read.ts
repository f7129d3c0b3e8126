import { createReads } from '../../src/stores/sql/reads.ts'
import { createResourceReads } from '../../src/stores/sql/resource-reads.ts'
import { createWebhookReads } from '../../src/stores/sql/webhook-reads.ts'
import { createEventReads } from '../../src/stores/sql/event-reads.ts'
import { createRoutingReads } from '../../src/stores/sql/routing-reads.ts'
import { createRecordedReads } from '../../src/stores/sql/recorded.ts'
import { createAccessReads } from '../../src/stores/sql/access-verbs.ts'
import { createSessionReads } from '../../src/stores/sql/session-verbs.ts'
import { createAuditReads } from '../../src/stores/sql/audit.ts'
import { createFigures } from '../../src/stores/sql/figures.ts'
import { createAdminReads } from '../../src/stores/sql/admin-reads.ts'
import { createOverviewReads } from '../../src/stores/sql/overview.ts'
import { createLineReads } from '../../src/stores/sql/line-reads.ts'
import { createMetadataReads } from '../../src/stores/sql/metadata-reads.ts'
import { createReplicaReads } from '../../src/stores/sql/replica-verbs.ts'
import type { Reader } from '../../src/stores/sql/db.ts'
import { T0 } from '../fakes/records.ts'

/** Every read of the store, over one connection. */
export const readsOf = (on: Reader) => ({
  ...createReads(on, () => T0),
  ...createResourceReads(on, () => T0),
  ...createWebhookReads(on),
  ...createEventReads(on),
  ...createRoutingReads(on),
  ...createRecordedReads(on),
  ...createAccessReads(on),
  ...createSessionReads(on),
  ...createAuditReads(on),
  ...createFigures(on, () => null),
  ...createAdminReads(on),
  ...createOverviewReads(on),
  ...createLineReads(on),
  ...createMetadataReads(on),
  ...createReplicaReads(on, () => T0),
})
