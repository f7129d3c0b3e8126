import type { EndpointRecord } from '../endpoints.ts'
import type { Delivery, DeliveryStatus } from './deliveries.ts'
import type { PlacedEvent } from './events.ts'
import type { EventType, VideoEventType } from '../vocabulary.ts'

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
  events?: VideoEventType[]
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

/** A delivery at its place among its client's: rises with every new one. */
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

/** `many`: more than one call may ask for. `disabled`: nothing can be sent to it. */
export type ReplayTaken =
  { kind: 'taken'; events: number } | { kind: 'many' } | { kind: 'disabled' } | { kind: 'unknown' }

/** The part of `Store` about registered endpoints, their secrets, and what is sent once more. */
export interface WebhookStore {
  /** D. With its first secret; null if its client has as many as it may have. */
  createEndpoint(endpoint: NewEndpoint): Promise<EndpointRecord | null>
  /**
   * D. Null if there is none. Disabling it holds what is due to it; enabling it releases what is held, slowly, and
   * forgets its failures, as does another URL, to which what is under way to the old one is due. However much is due or
   * held, one call moves a bounded part of it, the rest is for `backlogStep`; nothing of a disabled one starts meanwhile.
   */
  changeEndpoint(client: string, id: string, patch: EndpointPatch): Promise<EndpointRecord | null>
  /** D. With its secrets; what was due to it fails, part by part as with `changeEndpoint`. False if there is none. */
  deleteEndpoint(client: string, id: string): Promise<boolean>
  /** D. Encrypted live secrets, newest first; keeps and answers `candidate` if there was none. None of an unknown endpoint. */
  secrets(keeper: SecretKeeper, candidate: string): Promise<string[]>
  /** D. A new newest secret; those of before live until `oldUntilMs` at most. False if there is no such endpoint. */
  rotateSecret(keeper: SecretKeeper, secret: string, oldUntilMs: number): Promise<boolean>
  /**
   * D. Sends the event once more, from the start of the schedule, to the targets that it was owed to and the endpoints
   * that want it now, those that are disabled aside, and to whoever follows. Answers the deliveries; null if the client
   * has no such event.
   */
  redeliver(client: string, eventId: string): Promise<string[] | null>
  /** D. Accepts the work of a replay, for `replayStep` to do. */
  replay(replay: Replay): Promise<ReplayTaken>
  /**
   * D. Does a part of an accepted replay, each event once, the oldest of the client with the fewest; null when there is
   * none. Answers deliveries that are due.
   */
  replayStep(limit: number): Promise<string[] | null>
  /**
   * D. Does a part of what disabling, enabling or deleting an endpoint left to do: holds, releases or gives up some of its
   * deliveries, in order. Held events are released little before they may go. False when nothing is to be done now.
   */
  backlogStep(): Promise<boolean>
  /** Removes up to `limit` events that are of no video and from before `beforeMs`, and secrets that are past their time. */
  purgeWebhooks(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  /** Clients with an enabled endpoint that is to be told how each of their videos ends. */
  clientsTold(): Promise<string[]>
  /** Terminal events that could not be held for a disabled endpoint, ever. */
  droppedEvents(): Promise<number>
  endpointOf(client: string, id: string): Promise<EndpointRecord | null>
  /** All of a client's, newest first. */
  endpointsOf(client: string): Promise<EndpointRecord[]>
  eventOf(client: string, id: string): Promise<PlacedEvent | null>
  pastEvents(client: string, query: PastEventsQuery): Promise<PlacedEvent[]>
  deliveryOf(client: string, id: string): Promise<Delivery | null>
  deliveries(client: string, query: DeliveriesQuery): Promise<PlacedDelivery[]>
}
