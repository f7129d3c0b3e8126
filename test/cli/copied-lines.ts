import type { AllEventsStore, LinePlaces } from '../../src/core/store/webhooks.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { MetadataStore } from '../../src/core/store/videos.ts'
import { listQuery } from '../fakes/records.ts'

const MOST = 100
const inOrder = (places: LinePlaces) => [...places].toSorted(([a], [b]) => (a < b ? -1 : 1))

/** What happens to all clients, and videos by their metadata, as a copy must have them. */
export const LINE_READS = {
  eventsOfAll: async (store) => {
    const { events, more } = await store.eventsOfAll({ after: new Map(), limit: MOST, types: null })
    return [events.map(({ event, upTo }) => [event, inOrder(upTo)]), more]
  },
  eventSpanOfAll: async (store) => {
    const { last, goneAtMs } = await store.eventSpanOfAll()
    return [inOrder(last), goneAtMs]
  },
  withMetadata: async (store) => [
    await store.withMetadata({ ...listQuery(), client: null, metadata: { key: null, value: 'ß → 🎬' } }),
    await store.withMetadata({ ...listQuery(), client: 'acme', metadata: { key: 'order', value: '4' } }),
  ],
} satisfies { [V in keyof AllEventsStore | keyof MetadataStore]: (store: Store) => Promise<unknown> }
