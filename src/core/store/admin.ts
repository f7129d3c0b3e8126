import type { AccountId, EventType, Status, TerminalStatus } from '../vocabulary.ts'
import type { Doubt, Phase, VideoRecord } from '../video.ts'
import type { DisabledReason, EndpointRecord } from '../endpoints.ts'
import type { DeliveriesQuery, PastEventsQuery, PlacedDelivery, PlacedEvent } from './webhooks.ts'
import type { ListQuery } from './videos.ts'
import type { AuditAction, AuditEntry, ClientRecord, KeyRecord, SessionRecord, StoredKey } from '../access.ts'

/** What operators watch of the whole store. */
export interface Figures {
  /** Videos that have not ended. */
  open: { backend: string; phase: Exclude<Phase, 'ended'>; videos: number }[]
  /** When the oldest of an account's waiting videos was created. */
  waiting: { account: AccountId; oldestAtMs: number }[]
  deliveries: {
    /** At most `MOST_COUNTED`. */
    pending: number
    /** When the first of them is, or was, due; null: none is pending. */
    firstDueAtMs: number | null
  }
  /** Of the store's volume; null: unknown. */
  freeBytes: number | null
}

/** Pending deliveries that are counted at most. */
export const MOST_COUNTED = 10_000

/** The part of `Store` about how much there is. */
export interface FigureStore {
  /** Its cost does not depend on how much there is. */
  figures(): Promise<Figures>
}

/** For so many hours back is counted how videos ended. */
export const HOURS = 24
/** Videos of one status that are counted at most of an hour. */
export const MOST_ENDED = 10_000
/** Deliveries that are counted at most, of all and of each status that they wait in: the latest. */
export const MOST_DELIVERIES = 10_000
/** Videos whose status is counted one by one at most. */
export const MOST_PROCESSING = 10_000
/** By how many videos it is measured how late ends are found: the latest. */
export const MOST_MEASURED = 1_000

export interface OverviewQuery {
  /** Null: all clients together. */
  client: string | null
  /** What ended, or was to be delivered, from then on: the start of an hour, `HOURS - 1` before that of now. */
  sinceMs: number
  /** How many of each kind of problem, the latest. */
  limit: number
}

/** A delivery that was given up, and how its last attempt went. */
export interface FailedDelivery {
  id: string
  client: string
  eventType: EventType
  videoId: string | null
  /** Null: it went to the `webhook_url` of its video. */
  endpointId: string | null
  /** Of its last attempt; of the event where none was made. */
  atMs: number
  status: number | null
  error: string | null
}

export interface DisabledEndpoint {
  id: string
  client: string
  description: string | null
  reason: DisabledReason
  atMs: number
}

export interface Overview {
  open: {
    waiting: number
    /** With a backend that has not begun it, or on the way there. */
    queued: number
    processing: number
    /** Creates whose outcome is unknown: part of `queued`. Null for one client. */
    doubtful: number | null
    isWhole: boolean
  }
  /** By the hour of the epoch; hours in which none ended are left out. */
  ended: { hours: { hour: number; status: TerminalStatus; videos: number }[]; isWhole: boolean }
  /** For how long jobs may have been over before it was found: of the latest, ascending. */
  lateMs: number[]
  deliveries: { delivered: number; failed: number; pending: number; held: number; isWhole: boolean }
  failedVideos: VideoRecord[]
  failedDeliveries: FailedDelivery[]
  /** Not by their own client. */
  disabledEndpoints: DisabledEndpoint[]
  doubtfulVideos: VideoRecord[]
}

/** The part of `Store` about how everything goes. */
export interface OverviewStore {
  // Reads, each indexed. Their cost does not depend on how much there is, up to the numbers above.
  overview(query: OverviewQuery): Promise<Overview>
  /** The first videos that wait for an account, in the order in which they go; of one client, or of all (null). */
  queueHead(account: AccountId, client: string | null, limit: number): Promise<VideoRecord[]>
}

export interface EventsOfAllQuery extends Omit<PastEventsQuery, 'before'> {
  /** Exclusive, newest first: from just before the event at this time, of this client, at this place. */
  before: { atMs: number; client: string; place: number } | null
}

/** Creates whose outcome is not known. */
export interface DoubtsQuery extends Pick<ListQuery, 'limit' | 'before'> {
  doubt: Doubt
  /** Only those of this one. */
  account?: AccountId
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
  /** Of these; null: of all, and of none. */
  backends: readonly string[] | null
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

/** Keys and clients as they shall be, each with the `change` that was read, and what is said of it. */
export interface AccessChange {
  keys: readonly KeyRecord[]
  clients: readonly ClientRecord[]
  audit: AuditEntry
}

interface KeysQuery {
  /** Null: of all. */
  client: string | null
  /** Exclusive, newest first; null: from the newest. */
  before: string | null
  limit: number
}

export interface AuditQuery {
  actor: string | null
  action: AuditAction | null
  subject: string | null
  /** Null: as long as there are any. */
  sinceMs: number | null
  /** The place of an entry, exclusive, newest first; null: from the newest. */
  before: number | null
  limit: number
}

interface PlacedEntry {
  place: number
  entry: AuditEntry
}

/** The part of `Store` about issued keys, clients beside those of the configuration, the audit log, and sessions. */
export interface AccessStore {
  /**
   * D. Writes all of them, or nothing (null) if one is not as it was read. Answers the new `change` of each, keys
   * first.
   */
  changeAccess(change: AccessChange): Promise<number[] | null>
  /** When keys were last used; losing it costs only that. */
  keysUsed(uses: readonly { id: string; atMs: number }[]): Promise<void>
  /** Removes up to `limit` keys that ended before `beforeMs`. */
  purgeKeys(beforeMs: number, limit: number): Promise<number>
  /** Removes up to `limit` audit entries from before `beforeMs`. */
  purgeAudit(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  /** A page of the keys written after a change, in the order of writing. Fewer than `limit`: these are all. */
  keysSince(change: number, limit: number): Promise<StoredKey[]>
  clientsSince(change: number, limit: number): Promise<ClientRecord[]>
  keyOf(id: string): Promise<StoredKey | null>
  /** A deleted one, too. */
  clientOf(id: string): Promise<ClientRecord | null>
  /** Newest first. */
  keys(query: KeysQuery): Promise<StoredKey[]>
  /** Newest first. */
  audit(query: AuditQuery): Promise<PlacedEntry[]>
  /** Newest first. */
  auditOf(subject: string, limit: number): Promise<AuditEntry[]>

  // Who signed in to the console.
  /** D. Keeps it; of its client only the newest `most`. */
  beginSession(session: SessionRecord, most: number): Promise<void>
  /** Unless it was seen later already; nothing if it has ended. */
  sessionSeen(id: string, seenAtMs: number, endsAtMs: number): Promise<void>
  /** D. False: there is none. */
  endSession(id: string): Promise<boolean>
  /** Removes up to `limit` that were over before `beforeMs`. */
  purgeSessions(beforeMs: number, limit: number): Promise<number>

  // Indexed.
  /** Those that there are, over or not, in no order. */
  sessions(ids: readonly string[]): Promise<SessionRecord[]>
}
