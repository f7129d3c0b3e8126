import type { EventRecord } from '../video.ts'
import type { EndpointEventType, EventType } from '../vocabulary.ts'
import type { AuditEntry } from '../access.ts'
import type { EndpointRecord } from '../endpoints.ts'
import type { Delivery, DeliveryStatus } from './deliveries.ts'

/**
 * An event at its place in its client's history. Places rise by one with every event and are never used again. An event
 * that was sent once more has a second place; the newest counts.
 */
export interface PlacedEvent {
  place: number
  event: EventRecord
}

export interface EventsQuery {
  /** Exclusive; 0: from the oldest that is kept. */
  after: number
  limit: number
  /** null: every type. */
  types: readonly EndpointEventType[] | null
}

export interface EventPage {
  events: PlacedEvent[]
  /** All matching events between `after` and here are in `events`: go on from here. */
  upTo: number
  /** There may be more behind it. */
  more: boolean
}

/** How far a client's history goes. */
export interface EventSpan {
  /** The place of its newest event, even if that is removed; 0: it had none. */
  last: number
  /** Events up to here may have been removed with their videos, after `retention_days`. */
  gone: number
}

/** The part of `Store` about what happened, in the order in which it was written. */
export interface EventStore {
  // Reads, each indexed.
  /** A client's events, oldest first; redelivered ones at both of their places. One call reads a bounded number. */
  eventsOf(client: string, query: EventsQuery): Promise<EventPage>
  eventSpan(client: string): Promise<EventSpan>
}

/**
 * How far a reader of everybody's events is, by line (an account's videos, or what is of no video): everything is told
 * before the event of this number and place. A line that is not named: nothing.
 */
export type LinePlaces = ReadonlyMap<string, { n: number; place: number }>

export interface AllEventsQuery extends Omit<EventsQuery, 'after'> {
  after: LinePlaces
}

export interface AllEventsPage {
  /** Each with where to go on behind it. */
  events: { event: EventRecord; upTo: LinePlaces }[]
  upTo: LinePlaces
  more: boolean
}

/** How far everybody's events go. */
export interface AllEventsSpan {
  last: LinePlaces
  /** Events of up to this time may have been removed; 0: none was. */
  goneAtMs: number
}

/** The part of `Store` about everybody's events. */
export interface AllEventsStore {
  // Reads, each indexed.
  /**
   * Events of all clients. Those of one video come in order; others nearly, by their time. One call reads a bounded
   * number.
   */
  eventsOfAll(query: AllEventsQuery): Promise<AllEventsPage>
  eventSpanOfAll(): Promise<AllEventsSpan>
}

/** Whose events a secret signs: a client's own (`webhook_url`), or those of one endpoint. */
export interface SecretKeeper {
  kind: 'client' | 'endpoint'
  id: string
}

export interface NewEndpoint extends Pick<EndpointRecord, 'id' | 'client' | 'url' | 'events' | 'description'> {
  enabled: boolean
  /** Its first secret, encrypted. */
  secret: string
}

export interface EndpointPatch {
  url?: string
  events?: EndpointEventType[]
  description?: string | null
  enabled?: boolean
}

export interface PastEventsQuery {
  limit: number
  /** Exclusive, newest first: from just before the event at this time and place. */
  before: { atMs: number; place: number } | null
  type: EventType | null
  videoId: string | null
  /** Inclusive. */
  sinceMs: number | null
  /** Exclusive. */
  untilMs: number | null
}

/** A delivery at its place among its client's. Places rise with every new one. */
export interface PlacedDelivery {
  place: number
  delivery: Delivery
}

export interface DeliveriesQuery {
  limit: number
  /** Exclusive, newest first. */
  before: number | null
  endpointId: string | null
  videoId: string | null
  eventId: string | null
  status: DeliveryStatus | null
}

export interface Replay {
  client: string
  endpointId: string
  sinceMs: number
  untilMs: number
  /** Only events whose delivery to the endpoint failed for good; else all of the types that it subscribes to. */
  onlyFailed: boolean
}

/** `many`: more events than one call may ask for. `disabled`: the endpoint is disabled. */
export type ReplayTaken =
  { kind: 'taken'; events: number } | { kind: 'many' } | { kind: 'disabled' } | { kind: 'unknown' }

/** The part of `Store` about registered endpoints, their secrets, and what is sent once more. */
export interface WebhookStore {
  /** D. Creates it with its first secret; null if its client has the most that it may have. */
  createEndpoint(endpoint: NewEndpoint): Promise<EndpointRecord | null>
  /**
   * D. Null if there is none. Disabling holds its due deliveries. Enabling releases them slowly and forgets its
   * failures. So does a new URL, and deliveries under way to the old one become due to the new one. One call moves a
   * bounded part; the rest is for `backlogStep`. Meanwhile nothing starts for a disabled endpoint.
   */
  changeEndpoint(client: string, id: string, patch: EndpointPatch): Promise<EndpointRecord | null>
  /**
   * D. Deletes it with its secrets. Its due deliveries fail, part by part as in `changeEndpoint`. False if there is
   * none.
   */
  deleteEndpoint(client: string, id: string): Promise<boolean>
  /** D. Encrypted live secrets, newest first. Stores `candidate` if there was none. Empty for an unknown endpoint. */
  secrets(keeper: SecretKeeper, candidate: string): Promise<string[]>
  /** D. Adds a secret; earlier ones live until `oldUntilMs` at most. False if there is no such endpoint. */
  rotateSecret(keeper: SecretKeeper, secret: string, oldUntilMs: number): Promise<boolean>
  /**
   * D. Sends the event once more, from the start of the schedule: to its targets, to enabled endpoints that want it
   * now, and to followers. Answers the deliveries; null if the client has no such event. `audit`: an operator did it.
   */
  redeliver(client: string, eventId: string, audit?: AuditEntry): Promise<string[] | null>
  /** D. Accepts a replay; `replayStep` does it. */
  replay(replay: Replay): Promise<ReplayTaken>
  /**
   * D. Does a part of an accepted replay, each event once. Takes the oldest replay of the client with the fewest.
   * Answers deliveries that are due; null when there is no replay.
   */
  replayStep(limit: number): Promise<string[] | null>
  /**
   * D. Does a part of what disabling, enabling or deleting an endpoint left to do: holds, releases or gives up some of
   * its deliveries, in order. Held events are released shortly before they may go. False when there is nothing to do
   * now.
   */
  backlogStep(): Promise<boolean>
  /** Removes up to `limit` events of no video from before `beforeMs`, and secrets that have expired. */
  purgeWebhooks(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  /** Clients with an enabled endpoint that is told how their videos end. */
  clientsTold(): Promise<string[]>
  /** Terminal events that could not be held for a disabled endpoint, ever. */
  droppedEvents(): Promise<number>
  endpointOf(client: string, id: string): Promise<EndpointRecord | null>
  /** All of a client's, newest first. */
  endpointsOf(client: string): Promise<EndpointRecord[]>
  eventOf(client: string, id: string): Promise<PlacedEvent | null>
  pastEvents(client: string, query: PastEventsQuery): Promise<PlacedEvent[]>
  /** How many deliveries to the endpoint wait for an attempt, up to `MAX_PENDING_COUNTED`. */
  pendingFor(client: string, endpointId: string): Promise<number>
  deliveryOf(client: string, id: string): Promise<Delivery | null>
  deliveries(client: string, query: DeliveriesQuery): Promise<PlacedDelivery[]>
}
