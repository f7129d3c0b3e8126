import type { Store } from '../../src/core/store/index.ts'

const OWNERS = [
  ['acme', 'we_1'],
  ['acme', 'we_2'],
  ['other', 'we_1'],
] as const
const MOST = 1_000

/** A question for every read of endpoints. */
export const ENDPOINT_READS = {
  endpointOf: (store: Store) => Promise.all(OWNERS.map(([client, id]) => store.endpointOf(client, id))),
  endpointById: (store: Store) => Promise.all(OWNERS.map(([, id]) => store.endpointById(id))),
  pendingFor: (store: Store) => Promise.all(OWNERS.map(([client, id]) => store.pendingFor(client, id))),
  endpointsOf: (store: Store) => Promise.all(OWNERS.map(([client]) => store.endpointsOf(client))),
  endpointsOfAll: (store: Store) => store.endpointsOfAll({ before: null, limit: MOST }),
}
