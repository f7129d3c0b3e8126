import type { Store } from '../../src/core/store/index.ts'
import { ACCOUNT, T0 } from '../fakes/records.ts'

const OF_ALL = { client: null, sinceMs: T0, limit: 100 }

/** What operators read of how everything goes. */
export const OVERVIEW_READS = {
  overview: async (store: Store) => [await store.overview(OF_ALL), await store.overview({ ...OF_ALL, client: 'acme' })],
  queueHead: (store: Store) => store.queueHead(ACCOUNT, null, 100),
}
