import type { DisabledReason } from '../endpoints.ts'
import type { EventRecord } from '../video.ts'

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
  untilMs: number
}

/** The part of `Store` about who does what: leases, and what a process learned. */
export interface WorkStore {
  /** Accounts with open videos. */
  openAccounts(limit: number): Promise<string[]>
  /**
   * Leases the work to one caller for `leaseMs`; null if it is not due, already leased or done. `holder`: who that is,
   * for `holders`.
   */
  claim(kind: WorkKind, id: string, leaseMs: number, holder?: string | null): Promise<Lease | null>
  /** Prolongs a lease that is still the caller's; false if it is not. */
  extend(kind: WorkKind, lease: Lease, leaseMs: number): Promise<boolean>
  /** Gives a lease back, if it is still the caller's. */
  release(kind: WorkKind, lease: Lease): Promise<void>
  /** Work of a kind that is leased now to callers who said who they are. Not for `deliver`. */
  holders(kind: Exclude<WorkKind, 'deliver'>): Promise<Holder[]>
  /** What was learned of a backend's durations for a source (`main/text`), oldest first, in milliseconds; empty when nothing was. */
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
  /** `traceparent` of the create of the video that it tells of; null: it had none, or there is no such video. */
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

/** What is known of a delivery before its turn: enough to find its lane. */
export interface DueDelivery {
  id: string
  client: string
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

/** The part of `Store` about deliveries: one event on its way to one target. */
export interface DeliveryStore {
  /** Deliveries that are due and free to start, the longest due first; with `after`, those behind that place. */
  dueDeliveries(limit: number, after?: DuePlace): Promise<DueDelivery[]>
  /**
   * Leases those of these deliveries that are due and free to start, all in one write: each as `claim` would, in this
   * order. Answers their leases by id.
   */
  claimDeliveries(ids: readonly string[], leaseMs: number): Promise<ReadonlyMap<string, Lease>>
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
