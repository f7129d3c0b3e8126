import type { EventRecord } from '../video.ts'
import type { EndpointEventType, EventType } from '../vocabulary.ts'
import type { AuditEntry } from '../access.ts'
import type { EndpointRecord, DisabledReason } from '../endpoints.ts'

/**
 * An event at its place in its client's history. Places rise by one with every event and are never used again. An event
 * that was sent again has a second place; the newest counts.
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
  /** All matching events between `after` and here are in `events`: continue from here. */
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
 * How far a reader of everybody's events is, by line (an account's videos, or what is of no video): everything is
 * reported before the event of this number and place. A line that is not named: nothing.
 */
export type LinePlaces = ReadonlyMap<string, { n: number; place: number }>

export interface AllEventsQuery extends Omit<EventsQuery, 'after'> {
  after: LinePlaces
}

export interface AllEventsPage {
  /** Each with where to continue behind it. */
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
  /** Only events whose delivery to the endpoint failed for good; otherwise all of the types that it subscribes to. */
  onlyFailed: boolean
}

/** `many`: more events than one call may ask for. `disabled`: the endpoint is disabled. */
export type ReplayTaken =
  { kind: 'taken'; events: number } | { kind: 'many' } | { kind: 'disabled' } | { kind: 'unknown' }

/** The part of `Store` about registered endpoints, their secrets, and what is sent again. */
export interface WebhookStore {
  /** D. Creates it with its first secret; null if its client has the most that it may have. */
  createEndpoint(endpoint: NewEndpoint): Promise<EndpointRecord | null>
  /**
   * D. Null if there is none. Disabling holds its due deliveries. Enabling releases them slowly and forgets its
   * failures. So does a new URL, and deliveries under way to the old one become due to the new one. One call moves a
   * bounded part; the rest is for `backlogStep`. Meanwhile nothing starts for a disabled endpoint. `audit`: an operator
   * did it; with an empty patch only the entry is written.
   */
  changeEndpoint(client: string, id: string, patch: EndpointPatch, audit?: AuditEntry): Promise<EndpointRecord | null>
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
   * D. Sends the event again, from the start of the schedule: to its targets, to enabled endpoints that want it
   * now, and to followers. Answers the deliveries; null if the client has no such event. `audit`: an operator did it.
   */
  redeliver(client: string, eventId: string, audit?: AuditEntry): Promise<string[] | null>
  /** D. Accepts a replay; `replayStep` does it. `audit`: an operator asked for it. */
  replay(replay: Replay, audit?: AuditEntry): Promise<ReplayTaken>
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
  /** Clients with an enabled endpoint that is informed how their videos end. */
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

/** A right to act on one piece of work until `untilMs` by the store's clock. A successor waits for its expiry. */
export interface Lease {
  id: string
  token: string
  untilMs: number
}

/**
 * `account`: one leased holder per account decides its dispatches and polls. `deliver`: one delivery. `transfer`: one
 * video's audio on its way to its backend. `maintain`: upkeep of the store, and
 * what one process at a time should ask of a backend.
 */
export type WorkKind = 'account' | 'deliver' | 'transfer' | 'maintain'

/** Who has a lease. */
interface Holder {
  id: string
  /** As the caller named itself. */
  holder: string
  /** No such process is connected to the store; false where nobody can tell. */
  isGone: boolean
}

/** The part of `Store` about who does what: leases, and what a process learned. */
export interface WorkStore {
  /** Accounts with open videos. */
  openAccounts(limit: number): Promise<string[]>
  /**
   * Leases the work to one caller for `leaseMs`; null if it is not due, already leased or done. `holder`: who that is,
   * for `holders`. `gone`: the lease of this holder counts as over, if it is gone still. Null as well if others would
   * not see `holder` live.
   */
  claim(
    kind: WorkKind,
    id: string,
    leaseMs: number,
    holder?: string | null,
    gone?: string | null,
  ): Promise<Lease | null>
  /** Prolongs a lease that is still the caller's; false if it is not. */
  extend(kind: WorkKind, lease: Lease, leaseMs: number): Promise<boolean>
  /** Gives a lease back, if it is still the caller's. */
  release(kind: WorkKind, lease: Lease): Promise<void>
  /** Work of a kind that is leased now to callers who said who they are. Not for `deliver`. */
  holders(kind: Exclude<WorkKind, 'deliver'>): Promise<Holder[]>
  /**
   * What was learned of a backend's durations for a source (`main/text`), oldest first, in milliseconds; empty when
   * nothing was.
   */
  durations(source: string): Promise<readonly number[]>
  /** Keeps what was learned, in place of what was; losing it costs only learning. */
  keepDurations(source: string, recent: readonly number[]): Promise<void>
  /** Adds what was learned to what was, of which the latest `most` are kept; losing it costs only learning. */
  addDurations(source: string, measured: readonly number[], most: number): Promise<void>
}

/** Where an event goes: the `webhook_url` of its video, or a registered endpoint, at the URL that it has now. */
export type Target = VideoTarget | { kind: 'endpoint'; id: string; url: string }
export interface VideoTarget {
  kind: 'video'
  url: string
}

/** A target of a new event. `body`: what is sent there in place of the event's own, each time. */
export interface OwedTarget extends VideoTarget {
  body?: string
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'held'

/** One event on its way to one target. */
export interface Delivery {
  id: string
  /** With the body that this target is sent. */
  event: EventRecord
  target: Target
  status: DeliveryStatus
  attempts: number
  /** Attempts since it was last asked for: where it stands in its schedule. */
  tried: number
  nextAttemptAtMs: number | null
  /** It was asked for later than its event: sent again, replayed or released. */
  isAskedLater: boolean
  /** `traceparent` of the create of the video that it is about; null: it had none, or there is no such video. */
  trace: string | null
}

export interface Attempt {
  atMs: number
  durationMs: number
  /** HTTP status; null when none came. */
  status: number | null
  error: string | null
  /** At most 16 KiB of the answer. */
  responseBody: string | null
}

export type AfterAttempt = { status: 'delivered' | 'failed' } | { status: 'pending'; nextAttemptAtMs: number }

export interface RecordedAttempt extends Attempt {
  nextAttemptAtMs: number | null
}

/** What is known of a delivery before its turn: enough to find its lane and its video. */
export interface DueDelivery {
  id: string
  client: string
  /** Null: its event is about no video. */
  videoId: string | null
  target: VideoTarget | { kind: 'endpoint'; id: string }
  place: DuePlace
}

/** A place among due deliveries. */
export interface DuePlace {
  dueAtMs: number
  n: number
}

/** What the record of an attempt changed. */
export interface Attempted {
  /** The delivery's new status; null when this attempt could no longer change it. */
  status: DeliveryStatus | null
  /** Why its endpoint was disabled now; null when it was not. */
  disabled: DisabledReason | null
}

/** A delivery as it is under its lease. */
export interface LeasedDelivery {
  lease: Lease
  delivery: Delivery
}

/** The part of `Store` about deliveries: one event on its way to one target. */
export interface DeliveryStore {
  /** Deliveries that are due and free to start, the longest due first; with `after`, those behind that place. */
  dueDeliveries(limit: number, after?: DuePlace): Promise<DueDelivery[]>
  /**
   * Leases those of these deliveries that are due and free to start, all in one write: each as `claim` would, in this
   * order. Answers them by id.
   */
  claimDeliveries(ids: readonly string[], leaseMs: number): Promise<ReadonlyMap<string, LeasedDelivery>>
  /**
   * D. Appends the attempt, once for each lease. The latest 100 of a delivery are kept, the latest 5 with their
   * answers. The delivery moves only under a live lease. A 2xx moves it in any case, unless the delivery was asked for
   * again after the attempt began. An endpoint that has failed for too long is disabled in the same step, and its
   * client's other endpoints get an event about it.
   */
  attempted(lease: Lease, attempt: Attempt, after: AfterAttempt): Promise<Attempted>

  // Reads, each indexed.
  /**
   * When the next pending delivery may be due: not before this time. One that is under way counts from the end of its
   * lease. One whose endpoint is disabled may count too. Null: none is pending.
   */
  nextDueDelivery(): Promise<number | null>
  delivery(id: string): Promise<Delivery | null>
  /** Those of these deliveries that there are, by id. */
  deliveriesById(ids: readonly string[]): Promise<ReadonlyMap<string, Delivery>>
  attempts(deliveryId: string): Promise<RecordedAttempt[]>
  /** Of each of these deliveries the latest 20, oldest first, with the first 1,000 characters of each answer. */
  latestAttempts(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, RecordedAttempt[]>>
  deliveriesOf(videoId: string): Promise<Delivery[]>
}
