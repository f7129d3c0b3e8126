import type { AccessStore, AdminStore, FigureStore, OverviewStore } from './admin.ts'
import type { BudgetStore, FactStore, RecordedStore, RoutingStore } from './accounts.ts'
import type { DeliveryStore, WorkStore, AllEventsStore, EventStore, WebhookStore } from './webhooks.ts'
import type { HistoryStore, ResourceStore, MetadataStore, VideoStore } from './videos.ts'

/**
 * The truth. Every verb is atomic; those marked D are durable when they return. The clock is the store's own.
 * A driver may reject with a `Problem` `store_unavailable`, and then has written nothing.
 */
export interface Store
  extends
    VideoStore,
    MetadataStore,
    HistoryStore,
    WorkStore,
    DeliveryStore,
    WebhookStore,
    EventStore,
    AllEventsStore,
    ResourceStore,
    RecordedStore,
    BudgetStore,
    FactStore,
    FigureStore,
    RoutingStore,
    AccessStore,
    AdminStore,
    OverviewStore {
  /** D. A fact about the store itself; keeps and answers `candidate` if there was none. */
  meta(key: string, candidate: string): Promise<string>
  /** Rejects unless the store can be read and written. */
  ping(): Promise<void>
  close(): Promise<void>
}
