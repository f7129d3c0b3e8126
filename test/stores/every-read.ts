import { createReads } from '../../src/stores/sql/reads.ts'
import { createResourceReads } from '../../src/stores/sql/resources.ts'
import { createWebhookReads, createEventReads, createLineReads } from '../../src/stores/sql/event-reads.ts'
import { createRecordedReads, createRoutingReads } from '../../src/stores/sql/routing.ts'
import { createAccessReads, createSessionReads } from '../../src/stores/sql/access.ts'
import { createAuditReads } from '../../src/stores/sql/outbox.ts'
import { createFigures, createAdminReads, createMetadataReads } from '../../src/stores/sql/admin-reads.ts'
import { createOverviewReads } from '../../src/stores/sql/overview.ts'
import { createHistoryReads } from '../../src/stores/sql/history.ts'
import { createReplicaReads } from '../../src/stores/sql/work-verbs.ts'
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
  ...createHistoryReads(on),
})
