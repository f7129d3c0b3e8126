import type { AccountId, Status, TerminalStatus } from '../vocabulary.ts'
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

/** Deliveries that are counted at most, of all and of each status that they wait in: the latest. */
export const MOST_DELIVERIES = 10_000
/** Videos whose status is counted one by one at most. */
export const MOST_PROCESSING = 10_000

export interface OverviewQuery {
  /** Null: all clients together. */
  client: string | null
  /** Null: all backends. Deliveries and endpoints are of none. */
  backend: string | null
  /** Deliveries that were given up from then on. */
  sinceMs: number
  /** How many of each kind of problem, the latest. */
  limit: number
}

/** Deliveries to one endpoint, or to the `webhook_url` of a client's videos (null), that were given up. */
export interface GivenUp {
  client: string
  endpointId: string | null
  /** At most `MOST_GIVEN_UP`, of all. */
  deliveries: number
  /** The latest of them. */
  deliveryId: string
  atMs: number
  /** What it answered last. */
  status: number | null
}
export const MOST_GIVEN_UP = 1_000

export interface EndedDeliveriesQuery {
  client: string | null
  endpointId: string | null
  statuses: readonly ('delivered' | 'failed')[]
  /** Only those that failed, by the HTTP status of the last answer, from one to another; 0: there was none. */
  answer: { from: number; to: number } | null
  /** Inclusive. */
  sinceMs: number | null
  /** Exclusive. */
  untilMs: number | null
  before: Pick<EndedDelivery, 'endedAtMs' | 'place'> | null
  limit: number
}
export interface EndedDelivery extends PlacedDelivery {
  endedAtMs: number
}

export interface DisabledEndpoint {
  id: string
  client: string
  description: string | null
  reason: DisabledReason
  atMs: number
  /** Deliveries that wait for it. */
  held: number
}

/** So many attempts in a row failed: fewer may be a short fault. */
export const FAILING_LEAST = 5

/** It is enabled, and its latest attempts failed. */
export interface FailingEndpoint {
  id: string
  client: string
  description: string | null
  failures: number
  sinceMs: number
}

export interface Overview {
  open: {
    waiting: number
    /** With a backend that has not begun it, or on the way there. */
    queued: number
    processing: number
    /** Creates whose outcome is unknown: part of `queued`. */
    doubtful: number
    isWhole: boolean
  }
  deliveries: { pending: number; held: number; isWhole: boolean }
  givenUp: GivenUp[]
  /** Not by their own client. */
  disabledEndpoints: DisabledEndpoint[]
  failingEndpoints: FailingEndpoint[]
  doubtfulVideos: VideoRecord[]
}

/** How videos end, and deliveries. */
export type Outcome = TerminalStatus | 'delivered' | 'given_up'
/** What outcomes are grouped by: `code` of videos that failed, `endpoint` of the deliveries of one client. */
export type OutcomeKey = 'backend' | 'client' | 'code' | 'endpoint'

/** A grid of time: `stepMs` each, from `fromMs` on to before `untilMs`. */
export interface Grid {
  fromMs: number
  untilMs: number
  stepMs: number
}

export interface OutcomesQuery extends Grid {
  of: Outcome
  client: string | null
  /** Deliveries are of none: it is for videos only. */
  backend: string | null
  by: readonly OutcomeKey[]
  /**
   * `took`: from created to ended, or a delivery's last attempt. `late`: for how long it may have been over before.
   * `credits`: what a video cost. Deliveries cost nothing.
   */
  measure: 'took' | 'late' | 'credits' | null
}

export interface OutcomeCount {
  /** Of the grid. */
  step: number
  /** In the order of `by`; empty: it has none. */
  keys: string[]
  /** What was measured, to within 2 %; null: nothing. */
  ms: number | null
  /** The sum, if that is measured; null: no backend reported any. */
  credits: number | null
  count: number
  lastAtMs: number
}

/** Rows that one statement counts at most; of a grid, so many statements are made at most. */
export const MOST_OUTCOMES = 20_000
export const MOST_STATEMENTS = 40

/** What is sampled of an account, once in a busy minute. */
export interface Sample {
  account: AccountId
  /** The start of the minute. */
  atMs: number
  waiting: number
  /** Requests of the window, and how many there are of them. */
  used: number
  capacity: number
}
export const SAMPLED_EVERY_MS = 60_000

export interface SampleSum extends Omit<Sample, 'atMs'> {
  client: string
  step: number
  /** `waiting` is the sum of the minutes; `used` the sum of the shares of `capacity`. */
  mostWaiting: number
  mostUsed: number
}

export interface SamplesQuery extends Grid {
  /** `accounts`: whole ones. `clients`: each that was sampled. */
  of: 'accounts' | 'clients' | { readonly client: string }
  account: AccountId | null
}

/** The part of `Store` about how everything goes. */
export interface OverviewStore {
  /** Notes how many wait for an account, in all and of those clients that wait most. Losing it costs only that. */
  putSample(sample: Sample): Promise<void>
  /** Removes up to `limit` samples from before `beforeMs`. */
  purgeSamples(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed. Their cost does not depend on how much there is, up to the numbers above.
  overview(query: OverviewQuery): Promise<Overview>
  /** How videos or deliveries ended, from indexes only. `isWhole`: all were counted. */
  outcomes(query: OutcomesQuery): Promise<{ counts: OutcomeCount[]; isWhole: boolean }>
  samples(query: SamplesQuery): Promise<{ sums: SampleSum[]; isWhole: boolean }>
  /** What `outcomes` counts of deliveries, the last first. */
  endedDeliveries(query: EndedDeliveriesQuery): Promise<EndedDelivery[]>
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
