import type { AdminStore } from '../../src/core/store/admin.ts'
import type { Store } from '../../src/core/store/index.ts'
import * as records from '../fakes/records.ts'
import { inTurn } from '../../src/stores/sql/db.ts'

const MOST = 100
type Ids = (store: Store) => Promise<string[]>

/** A question for every read of operators, and for those of many deliveries. */
export const adminReads = (deliveryIds: Ids, eventIds: Ids) =>
  ({
    latestAttempts: async (store) => Object.fromEntries(await store.latestAttempts(await deliveryIds(store))),
    listOfAll: (store) => store.listOfAll(records.listQuery({ limit: MOST })),
    doubts: (store) =>
      inTurn(['open', 'given_up'] as const, (doubt) => store.doubts({ doubt, before: null, limit: MOST })),
    event: async (store) => inTurn(await eventIds(store), (id) => store.event(id)),
    pastEventsOfAll: (store) => store.pastEventsOfAll({ ...records.pastQuery({ limit: MOST }), before: null }),
    deliveriesOfAll: (store) => store.deliveriesOfAll(records.deliveriesQuery({ limit: MOST })),
    usage: (store) => store.usage({ month: '2026-11', client: null, backend: null, after: null, limit: MOST }),
  }) satisfies Readonly<
    Record<
      Exclude<keyof AdminStore, 'endpointById' | 'endpointsOfAll'> | 'latestAttempts',
      (store: Store) => Promise<unknown>
    >
  >
