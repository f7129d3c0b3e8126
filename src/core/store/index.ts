import type { BudgetStore } from './budget.ts'
import type { ResourceStore } from './resources.ts'
import type { EventStore } from './events.ts'
import type { Attempted, DueDelivery, DuePlace, WebhookStore } from './webhooks.ts'
import type { EventRecord, MadeFrom, TimelineEntry, VideoRecord, Phase } from '../video.ts'
import type { AccountId, Status } from '../vocabulary.ts'

// ---------------------------------------------------------------- Store

/** An idempotency key and its scope: client, method and path. `fingerprint` is a hash of the normalized body. */
export interface IdemKey {
  client: string
  operation: string
  key: string
  fingerprint: string
}

export type Opened =
  | { kind: 'opened'; video: VideoRecord; lease: Lease | null; deliveries: string[] }
  | { kind: 'replay'; video: VideoRecord }
  | { kind: 'conflict'; videoId: string }
  /**
   * `queue`: the gateway holds `engine.queue_limit` waiting videos; `client`: this client holds its `queued_videos`;
   * `videos`, `credits`: it had what it may have in this month.
   */
  | { kind: 'full'; scope: FullScope }
export type FullScope = 'queue' | 'client' | 'videos' | 'credits'

export type Adopted =
  | { kind: 'adopted'; video: VideoRecord; deliveries: string[] }
  /** The job has its video already, whoever's that is. */
  | { kind: 'known'; video: VideoRecord }

export interface OpenLimits {
  queue: number
  client: number
  /** Of the calendar month (UTC) in which the video is created, canceled ones aside; null: no limit. */
  videosPerMonth: number | null
  /** Likewise; a video whose price is not known yet is taken for one credit. */
  creditsPerMonth: number | null
}

/** A right to act on one piece of work until `untilMs` by the store's clock. A successor waits for its expiry. */
export interface Lease {
  id: string
  token: string
  untilMs: number
}

/** What one write does to one video. `events` come with the targets that each is owed to, beside its client's endpoints. */
export type Change =
  | {
      kind: 'save'
      video: VideoRecord
      events: { event: EventRecord; targets: VideoTarget[] }[]
      notes: TimelineEntry[]
    }
  /** Forgets the video and frees its idempotency key: nothing was paid. */
  | { kind: 'discard' }
  | { kind: 'keep' }

/** Where an event goes: the `webhook_url` of its video, or a registered endpoint, at the URL that it has now. */
export type Target = VideoTarget | { kind: 'endpoint'; id: string; url: string }
export interface VideoTarget {
  kind: 'video'
  url: string
}

export interface Changed {
  /** As it is now; null when the video is gone. */
  video: VideoRecord | null
  /** Ids of deliveries that this write created. */
  deliveries: string[]
  /** The change would have given it a job that is another video's, so nothing was written; else null. */
  jobTaken: JobTaken | null
}

/** One job is one video's, the owner's: whoever recorded it first has it, also after that one ended. */
export interface JobTaken {
  jobId: string
  owner: string
}

export interface OpenVideo {
  id: string
  client: string
  phase: Phase
  dueAtMs: number | null
  leaseUntilMs: number | null
  version: number
  backend: string
  acceptedAtMs: number | null
  lastHintAtMs: number | null
  /** It has a `webhook_url`. */
  hasWebhook: boolean
  /** Its job is over, and only its link is asked for. */
  linkOwed: boolean
  source: MadeFrom
}

export interface Queue {
  waiting: number
  /** When the first of them may go; null when nothing waits. */
  nextDueAtMs: number | null
}

export interface ListQuery {
  limit: number
  /** Exclusive, newest first: from just before the video of this time and id. */
  before: { createdAtMs: number; id: string } | null
  status: Status | null
  backend: string | null
  createdAfterMs: number | null
  createdBeforeMs: number | null
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'held'

/** One event on its way to one target. */
export interface Delivery {
  id: string
  event: EventRecord
  target: Target
  status: DeliveryStatus
  attempts: number
  /** Of them, those since it was last asked for: where it stands in its schedule. */
  tried: number
  nextAttemptAtMs: number | null
  /** It was asked for later than its event: sent again, replayed or released. */
  isAskedLater: boolean
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

/**
 * `pump`: one leased holder per account decides its dispatches and polls. `deliver`: one delivery. `transfer`: one
 * video's audio on its way to its backend. `maintain`: upkeep of the store.
 */
export type WorkKind = 'pump' | 'deliver' | 'transfer' | 'maintain'

/**
 * The truth. Every verb is atomic; those marked D are durable when they return. The clock is the store's own.
 * A driver may reject with a `Problem` `store_unavailable`, and then has written nothing.
 */
export interface Store extends ResourceStore, EventStore, WebhookStore, BudgetStore {
  /**
   * D. Idempotency record, limits, insert, first notes and events in one step; with `admit`, also takes the video to
   * `dispatching` in the same step if a slot is free and nobody of its account waits before it. A new video is refused
   * with `store_unavailable` while what room is left is kept for those that are open.
   */
  open(draft: NewVideo, key: IdemKey | null, limits: OpenLimits, admit: Admission | null): Promise<Opened>
  /** D. Inserts a video whose job exists already, or answers the one of the account that has the job. Needs room like `open`. */
  adopt(draft: NewVideo & { video: { backendJobId: string } }): Promise<Adopted>
  /** D. Takes the first due waiting video of the account to `dispatching`, unless all `slots` are held; null then. */
  admit(account: AccountId, admission: Admission): Promise<{ video: VideoRecord; lease: Lease } | null>
  /**
   * D. Applies `decide` to the video as it is and writes the outcome, all of it or nothing; `decide` is pure and is
   * asked again if another write came between. The video and its idempotency record go and stay together. A job that
   * another video of the account has cannot be given to this one: see `jobTaken`.
   */
  change(id: string, decide: (video: VideoRecord, nowMs: number) => Change): Promise<Changed>
  /** Who has work: accounts with open videos. */
  due(kind: 'pump', limit: number): Promise<string[]>
  /** Deliveries that are due and free to start, the longest due first; with `after`, those behind that place. */
  dueDeliveries(limit: number, after?: DuePlace): Promise<DueDelivery[]>
  /** Leases the work to one caller for `leaseMs`; null if it is not due, already leased or done. */
  claim(kind: WorkKind, id: string, leaseMs: number): Promise<Lease | null>
  /** Prolongs a lease that is still the caller's; false if it is not. */
  extend(kind: WorkKind, lease: Lease, leaseMs: number): Promise<boolean>
  /** Gives a lease back, if it is still the caller's. */
  release(kind: WorkKind, lease: Lease): Promise<void>
  /**
   * D. Always appends the attempt, once a lease; of one delivery the latest 100 are kept, the latest 5 with their answers.
   * The delivery's state moves only under a live lease, but a 2xx wins,
   * unless it was asked for once more after the attempt began. An endpoint that fails too long is disabled in the same
   * step, and its client's other endpoints are owed word of that.
   */
  attempted(lease: Lease, attempt: Attempt, after: AfterAttempt): Promise<Attempted>
  /** D. A fact about the store itself; keeps and answers `candidate` if there was none. */
  meta(key: string, candidate: string): Promise<string>
  /** What was learned of a backend's durations for a source (`main/text`), oldest first, in milliseconds; empty when nothing was. */
  durations(source: string): Promise<readonly number[]>
  /** Keeps what was learned, in place of what was; losing it costs only learning. */
  keepDurations(source: string, recent: readonly number[]): Promise<void>
  /** Removes up to `limit` videos that ended before `beforeMs`, with all that is theirs, unless a delivery or a replay is open. */
  purge(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  video(id: string): Promise<VideoRecord | null>
  videoOf(client: string, id: string): Promise<VideoRecord | null>
  list(client: string, query: ListQuery): Promise<VideoRecord[]>
  /** The video that this key opened, if any. */
  keyed(key: IdemKey): Promise<{ video: VideoRecord; fingerprint: string } | null>
  /** Accepted, doubtful and dispatching videos of an account, by id: a page, the first or that behind `after`; the last is empty. */
  running(account: AccountId, after?: string): Promise<OpenVideo[]>
  /** A page of its videos, of any phase, written after `since`, in that order; the next goes on at `upTo`, the last is empty. */
  movedSince(account: AccountId, since: number): Promise<{ videos: OpenVideo[]; upTo: number }>
  /** The account's last write: `movedSince` tells what comes after it. */
  lastMove(account: AccountId): Promise<number>
  /** Dispatching and doubtful videos of an account. */
  undecided(account: AccountId): Promise<string[]>
  counts(account: AccountId): Promise<{ waiting: number; held: number }>
  /** Waiting videos of all clients together, and of this one. */
  room(client: string): Promise<{ queue: number; client: number }>
  /** What waits for an account. */
  queue(account: AccountId): Promise<Queue>
  /** The names under which an account's open videos were made. */
  backendsOf(account: AccountId): Promise<string[]>
  /** Its waiting videos, and whose they are, a page of them: the first, or that behind one. The last page is empty. */
  waitingOf(account: AccountId, after?: { id: string; client: string }): Promise<{ id: string; client: string }[]>
  /**
   * Its waiting videos that no time makes due: their audio is to be brought to the backend first. In turn among clients,
   * each one's oldest first.
   */
  transfersOf(account: AccountId, limit: number): Promise<{ id: string; client: string }[]>
  /** Creates of one lane, undecided or not, the last attempt of which was sent at `sinceMs` or later. */
  sentInLane(account: AccountId, lane: string, sinceMs: number): Promise<VideoRecord[]>
  /** The video that a job of an account belongs to, or null. */
  owner(account: AccountId, jobId: string): Promise<string | null>
  /** Waiting videos of an account that were created before `beforeMs`, oldest first. */
  overdue(account: AccountId, beforeMs: number, limit: number): Promise<string[]>
  /** How many videos wait before each of these, plus one; nothing of those that wait no more. */
  positions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  timeline(id: string): Promise<TimelineEntry[]>
  delivery(id: string): Promise<Delivery | null>
  attempts(deliveryId: string): Promise<RecordedAttempt[]>
  deliveriesOf(videoId: string): Promise<Delivery[]>
  /** Rejects unless the store can be read and written. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface Admission {
  /** Running jobs that the account allows; null: as many as come. */
  slots: number | null
  leaseMs: number
}

/** A record before anybody was told of it. */
export interface NewVideo {
  video: VideoRecord
  /** Owed from the start if it waits; if it is dispatched at once, the engine owes them when its client is told. */
  events: { event: EventRecord; targets: VideoTarget[] }[]
  notes: TimelineEntry[]
}

// ---------------------------------------------------------------- Wake

export interface WakeHandlers {
  /** Something of this kind is due; may come late, twice or never: the sweep finds what it forgot. */
  work(kind: WorkKind, id: string): void
  /** A video of this client moved on. */
  changed(id: string, version: number, client: string): void
}

/** A lossy alarm clock that spreads work. It never holds state that matters. */
export interface Wake {
  hint(kind: WorkKind, id: string, dueAtMs: number): void
  changed(id: string, version: number, client: string): void
  on(handlers: Partial<WakeHandlers>): () => void
  close(): Promise<void>
}
