import type { EndpointRecord } from '../endpoints.ts'
import type { Doubt, VideoRecord } from '../video.ts'
import type { Status } from '../vocabulary.ts'
import type { PlacedEvent } from './events.ts'
import type { ListQuery } from './videos.ts'
import type { DeliveriesQuery, PastEventsQuery, PlacedDelivery } from './webhooks.ts'

export interface EventsOfAllQuery extends Omit<PastEventsQuery, 'before'> {
  /** Exclusive, newest first: from just before the event at this time, of this client, at this place. */
  before: { atMs: number; client: string; place: number } | null
}

/** Creates whose outcome is not known. */
export interface DoubtsQuery extends Pick<ListQuery, 'limit' | 'before'> {
  doubt: Doubt
}

/** What a client did on a backend in a month. */
export interface UsageRow {
  client: string
  /** Null: what belongs to none: its requests, and videos of which it is not known any more. */
  backend: string | null
  videos: Readonly<Record<Status, number>>
  creditsCharged: number
  /** Only where `backend` is null. */
  requests: number | null
}

export interface UsageQuery {
  /** `2026-11` */
  month: string
  /** Null: of all. */
  client: string | null
  /** Null: of all, and of none. */
  backend: string | null
  /** Exclusive, by client and then by backend, what belongs to none first; null: from the beginning. */
  after: Pick<UsageRow, 'client' | 'backend'> | null
  limit: number
}

/** The part of `Store` that only operators read: of all clients together. */
export interface AdminStore {
  // Reads, each indexed.
  listOfAll(query: ListQuery): Promise<VideoRecord[]>
  /** Newest first. */
  doubts(query: DoubtsQuery): Promise<VideoRecord[]>
  pastEventsOfAll(query: EventsOfAllQuery): Promise<PlacedEvent[]>
  /** Of any client. */
  event(id: string): Promise<PlacedEvent | null>
  /** Those of an endpoint that was deleted are found by their client only (`deliveries`). */
  deliveriesOfAll(query: DeliveriesQuery): Promise<PlacedDelivery[]>
  /** Newest first, behind the endpoint `before`. */
  endpointsOfAll(query: { before: string | null; limit: number }): Promise<EndpointRecord[]>
  /** Of any client. */
  endpointById(id: string): Promise<EndpointRecord | null>
  usage(query: UsageQuery): Promise<UsageRow[]>
}
