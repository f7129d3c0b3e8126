import type { AuditEntry, Quotas } from '../access.ts'
import type { EventRecord, MadeFrom, Outgoing, Phase, TimelineEntry, VideoRecord } from '../video.ts'
import type { AccountId, Status } from '../vocabulary.ts'
import type { Lease, OwedTarget } from './webhooks.ts'
import type { Lesson, Ticket } from './accounts.ts'
import type { Budget, Demand } from '../limits/budget.ts'
import type { Puppet } from '../adapter.ts'
import type { UploadRecord } from '../media.ts'

/** An idempotency key and its scope: client, method and path. `fingerprint` is a hash of the normalized body. */
export interface IdemKey {
  client: string
  operation: string
  key: string
  fingerprint: string
}

export type Opened =
  /** `ticket`: of its first request, if that was taken. */
  | { kind: 'opened'; video: VideoRecord; lease: Lease | null; ticket: Ticket | null; deliveries: string[] }
  | { kind: 'replay'; video: VideoRecord }
  | { kind: 'conflict'; videoId: string }
  /** The video that it has its file from is there no more. */
  | { kind: 'gone' }
  /**
   * `queue`: the gateway holds `engine.queue_limit` waiting videos; `client`: this client holds its `queued_videos`;
   * `videos`, `credits`: it had what it may have in this month; `deliveries` are of the warning, if it was due.
   */
  | { kind: 'full'; scope: FullScope; deliveries: string[] }
  /** A newer configuration lacks the account (`serve`). */
  | { kind: 'closed' }
export type FullScope = 'queue' | 'client' | 'videos' | 'credits'

export type Adopted =
  | { kind: 'adopted'; video: VideoRecord; deliveries: string[] }
  /** The job has its video already, no matter whose that is. */
  | { kind: 'known'; video: VideoRecord }
  | { kind: 'closed' }

/**
 * The quotas are of the calendar month (UTC) in which the video is created, canceled ones aside; a video whose price is
 * not known yet is taken for one credit.
 */
export interface OpenLimits extends Quotas {
  queue: number
  client: number
}

/** What one write does to one video. Each event comes with its targets; the client's endpoints are added to them. */
export type Change =
  /** `lesson`: learned of the account’s window, whatever becomes of the write. */
  | ({ kind: 'save'; lesson?: Lesson | null } & NewVideo)
  /** Forgets the video and frees its idempotency key: nothing was paid. */
  | { kind: 'discard' }
  | { kind: 'keep' }

export interface Changed {
  /** As it is now; null when the video is gone. */
  video: VideoRecord | null
  /** Ids of deliveries that this write created. */
  deliveries: string[]
  /** The change would have given it another video's job, so nothing was written; otherwise null. */
  jobTaken: JobTaken | null
}

/** One job belongs to one video: the first that recorded it, also after that video ended. */
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
  /** How many have a slot. */
  held: number
  /** When the first that waits may go; null when nothing waits. */
  nextDueAtMs: number | null
  /** A normal video waits, for its time or a slot. If not, a new one goes before the low ones that wait. */
  normalWaits: boolean
  /** Some wait for their audio: `transfersOf`. */
  hasTransfers: boolean
  /** When the first of `secondJobs` is due; null: there is none. */
  nextSecondJobAtMs: number | null
  /** Of its requests, as written last; null: none was sent yet. */
  window: Budget | null
}

export interface ListQuery {
  limit: number
  /** Exclusive, newest first: from just before the video of this time and id. */
  before: { createdAtMs: number; id: string } | null
  status: Status | null
  /** Of any of these; null: of all. */
  backends: readonly string[] | null
  createdAfterMs: number | null
  createdBeforeMs: number | null
}

/** Videos by how they are, or how they ended. */
export interface SearchQuery {
  /** Null: of all clients. */
  client: string | null
  /** Those of these statuses. */
  statuses: readonly Status[]
  /** Only those of these phases, which have not ended. */
  phases: readonly Phase[] | null
  backends: readonly string[] | null
  /** Of what happened at `at`: inclusive. */
  sinceMs: number | null
  /** Exclusive. */
  untilMs: number | null
  /** Of the error. */
  code: string | null
  /** By what they are found and ordered, the newest first. `ended_at`: only those that have ended. */
  at: 'created_at' | 'ended_at'
  /** How their deliveries are; `none`: they have none. Not with `longestFirst`, and not counted. */
  webhook: WebhookState | 'none' | null
}

/** Where a page continues: behind the video of this rank and id. */
export interface SearchPage {
  limit: number
  before: { rank: number; id: string } | null
  /** The longest first, of the `MOST_FOUND` newest; only of `ended_at`. Otherwise the newest first. */
  longestFirst: boolean
}

export interface Found {
  video: VideoRecord
  /** What it is ordered by: its time, or how many milliseconds it took. */
  rank: number
}
export interface FoundPage {
  found: Found[]
  /** The page behind this one continues there; null: there is none. */
  next: SearchPage['before']
}
/** Videos whose deliveries are looked at in one call at most. */
export const MOST_LOOKED_AT = 1_000
/** Videos that are counted at most, or ordered by how long they took. */
export const MOST_FOUND = 10_000

/** How the deliveries of a video are: `failed` if one was given up, else `pending` if one is still to come. */
export type WebhookState = 'failed' | 'pending' | 'delivered'

/** A list of the videos whose metadata has a value: exactly that, under this key or any. */
export interface MetadataQuery extends ListQuery {
  /** Null: of all clients. */
  client: string | null
  metadata: { key: string | null; value: string }
}

/** The part of `Store` that finds videos by what their clients wrote to them. */
export interface MetadataStore {
  // Reads, each indexed.
  /**
   * Newest first. One call reads a bounded number: where many have the value, and few of them the rest, a page may be
   * short. `next`: continue before that video; null: these were the last.
   */
  withMetadata(
    query: MetadataQuery,
  ): Promise<{ videos: VideoRecord[]; next: { createdAtMs: number; id: string } | null }>
}

/** A page by its place in the list, and how long the list is. */
export interface PageQuery {
  /** Null: all. */
  statuses: readonly Status[] | null
  /** How many of the newest are left out. */
  offset: number
  limit: number
  /** Accounts whose older jobs are in the list. */
  history: readonly AccountId[]
}
export interface VideoPage {
  videos: VideoRecord[]
  total: number
}

export interface Admission {
  /** Running jobs that the account allows; null: as many as come. */
  slots: number | null
  leaseMs: number
}

/** The create that sends a new video: one request of its account's window. */
export interface FirstRequest {
  demand: Demand
  fallbackLimit: number
  /** Stored with the video if the request is taken. Null: they are stored later, as nothing could end a doubt. */
  outgoing: Outgoing | null
}

/** The same for a video that waits, as `nextWaiting` answered it. Its bytes are stored only if it is the next still. */
export interface NextRequest extends FirstRequest {
  id: string
  version: number
}

export interface Admitted {
  video: VideoRecord
  lease: Lease
  /** Null: no request was taken for it. */
  ticket: Ticket | null
}

/** A new record. */
export interface NewVideo {
  video: VideoRecord
  /** Written immediately if the video waits. If it is dispatched, written when its client is informed. */
  events: { event: EventRecord; targets: OwedTarget[] }[]
  notes: TimelineEntry[]
  /** An operator did it. */
  audit?: AuditEntry | undefined
  /** What its client may have in this month, if it is to be warned of that. `open` goes by its limits. */
  quotas?: Quotas | null
}

/** Whose videos: one client's, or everybody's but these clients'. */
export type PurgedClients = { client: string } | { except: readonly string[] }

/** The part of `Store` about videos: how they open, wait, move and are listed. */
export interface VideoStore {
  /**
   * D. Checks the limits and writes the idempotency record, the video, its first notes and events, in one step. With
   * `admit`, the video continues to `dispatching` in the same step if a slot is free and no other waits before it.
   * `first` is taken then, if the window has a request left. One that has another video's file has ended, so no queue limits
   * it. Throws `store_unavailable` while the room that is left is
   * kept for open videos.
   */
  open(
    draft: NewVideo,
    key: IdemKey | null,
    limits: OpenLimits,
    admit: Admission | null,
    first?: FirstRequest | null,
  ): Promise<Opened>
  /** D. Inserts a video whose job exists already, or answers the video that has the job. Needs room, like `open`. */
  adopt(draft: NewVideo & { video: { backendJobId: string } }): Promise<Adopted>
  /**
   * D. Moves the next due waiting video of the account to `dispatching`; null if none is due or no slot is free. Takes
   * `first` in the same step, if the window has a request left.
   */
  admit(account: AccountId, admission: Admission, first?: NextRequest | null): Promise<Admitted | null>
  /**
   * D. Takes a video over that waits at the account `from`, as `nextInPool` answered it, to `dispatching` at the account
   * of `video`: the record as it is to be there, of the version that was read. Null: it was written since or sent, or
   * there is no free slot or lane, or a newer configuration lacks the account. Takes `first` like `admit`.
   */
  takeFromPool(
    from: AccountId,
    video: VideoRecord,
    admission: Admission,
    first?: FirstRequest | null,
  ): Promise<Admitted | null>
  /**
   * D. Applies `decide` to the video and writes the outcome, all of it or nothing. `decide` is pure; it is called again
   * if another write came between. A discarded video takes its idempotency record with it. A job that another video of
   * the account has is not written: see `jobTaken`. `known`: as the caller has it, which saves reading it; the time is
   * then that of this process. It is read if it was written since, and before anything is kept as it is.
   */
  change(
    id: string,
    decide: (video: VideoRecord, nowMs: number) => Change,
    known?: VideoRecord | null,
  ): Promise<Changed>
  /**
   * Removes up to `limit` videos that ended before `beforeMs`, with all that belongs to them. Keeps those with an open
   * delivery or replay. `whose`: default everybody's.
   */
  purge(beforeMs: number, limit: number, whose?: PurgedClients): Promise<number>

  // Reads, each indexed.
  video(id: string): Promise<VideoRecord | null>
  videoOf(client: string, id: string): Promise<VideoRecord | null>
  /** As `videoOf`; `same`: the record is still of this version. */
  videoUnless(client: string, id: string, version: number): Promise<VideoRecord | 'same' | null>
  /**
   * How many answers to writes this process has had. It reads nothing. While it answers the same as before a read,
   * nobody has learned of a later record. Null: other processes write, too, so only a read can tell.
   */
  writeCount(): number | null
  list(client: string, query: ListQuery): Promise<VideoRecord[]>
  /** A page may be short, where few videos have the `webhook` that is asked for. */
  search(query: SearchQuery, page: SearchPage): Promise<FoundPage>
  /** How many there are, at most one more than `MOST_FOUND`. */
  countFound(query: SearchQuery): Promise<number>
  /** Of those of these videos that have deliveries. */
  webhookStates(videoIds: readonly string[]): Promise<ReadonlyMap<string, WebhookState>>
  /** Newest first. Costs by the length of the client's list: for contracts that number their pages. */
  page(client: string, query: PageQuery): Promise<VideoPage>
  /** The latest video of one of these accounts with this hash that was completed after `sinceMs`. */
  reusable(accounts: readonly AccountId[], inputHash: string, sinceMs: number): Promise<VideoRecord | null>
  /** The video that this key opened, if any. */
  keyed(key: IdemKey): Promise<{ video: VideoRecord; fingerprint: string } | null>
  /**
   * A page of the accepted, doubtful and dispatching videos of an account, by id, behind `after`. An empty page is the
   * end.
   */
  running(account: AccountId, after?: string): Promise<OpenVideo[]>
  /**
   * A page of its videos, of any phase, in the order of writing, behind `since`. Continue at `upTo`; an empty page is the
   * end.
   */
  movedSince(account: AccountId, since: number): Promise<{ videos: OpenVideo[]; upTo: number }>
  /** The number of the account's last write, for `movedSince`. */
  lastMove(account: AccountId): Promise<number>
  /** Dispatching and doubtful videos of an account. */
  undecided(account: AccountId): Promise<string[]>
  /** Waiting videos of all clients together, and of this one. */
  room(client: string): Promise<{ queue: number; client: number }>
  /** What is open on an account, and its window. */
  queue(account: AccountId): Promise<Queue>
  /** The video that `admit` would take now, if one of its `slots` is free; null: none may go. */
  nextWaiting(account: AccountId, slots: number | null): Promise<VideoRecord | null>
  /**
   * The same for a member of a pool: of its own queue and of what waits at other members and was never sent, as if all of
   * it were its queue. `passed`: clients and ids of which nothing is taken over.
   */
  nextInPool(
    pool: string,
    account: AccountId,
    slots: number | null,
    passed?: readonly string[],
  ): Promise<VideoRecord | null>
  /** The names under which an account's open videos were made. */
  backendsOf(account: AccountId): Promise<string[]>
  /** A page of its waiting videos with their clients, behind `after`. An empty page is the end. */
  waitingOf(account: AccountId, after?: { id: string; client: string }): Promise<{ id: string; client: string }[]>
  /**
   * Its waiting videos whose audio must be brought to the backend first. In turn among clients, the oldest of each
   * first.
   */
  transfersOf(account: AccountId, limit: number): Promise<{ id: string; client: string }[]>
  /** Videos of one lane, decided or not, whose last attempt was sent at `sinceMs` or later. */
  sentInLane(account: AccountId, lane: string, sinceMs: number): Promise<VideoRecord[]>
  /** The video that a job of an account belongs to, or null. */
  owner(account: AccountId, jobId: string): Promise<string | null>
  /** Videos of an account, of any phase, that have a job beside their own to be read now, the longest due first. */
  secondJobs(account: AccountId, limit: number): Promise<string[]>
  /** Waiting videos of an account that were created before `beforeMs`, oldest first. */
  overdue(account: AccountId, beforeMs: number, limit: number): Promise<string[]>
  /** The place in the queue of each of these, from 1. Those that no longer wait are left out. */
  positions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  timeline(id: string): Promise<TimelineEntry[]>
}

/** A job that stood in an account's list, and that no video has; as a video that is in no store. */
export interface HistoryJob {
  jobId: string
  video: VideoRecord
  /** Orders jobs of one moment, the oldest first. */
  place: string
}

/** How far an account's list was walked, from the newest job on. Times are the backend's. */
export interface HistoryWalk {
  /** The next one. */
  page: number
  /** An earlier walk has seen every job from before; null: none has come to its end. */
  seenMs: number | null
  /** What `seenMs` is once this walk has come to its end. */
  thenMs: number
}

/** The part of `Store` about jobs that no video has: what an account made before the gateway. */
export interface HistoryStore {
  /**
   * D. Adds jobs to the account's older ones, of which the newest 10,000 are kept, but none that a video has. `walk`:
   * how far its list is walked then; null: that stays.
   */
  putHistory(account: AccountId, jobs: readonly HistoryJob[], walk: HistoryWalk | null): Promise<void>

  // Reads, each indexed.
  historyJob(account: AccountId, jobId: string): Promise<VideoRecord | null>
  /** Null: its list was never walked. */
  historyWalk(account: AccountId): Promise<HistoryWalk | null>
  /**
   * `goneAtMs`: videos up to then may have been removed; 0: none was. `firstMs`: the gateway made none until then; null:
   * it never made one.
   */
  historyBounds(): Promise<{ goneAtMs: number; firstMs: number | null }>
}

/** A saved portrait that a client created through the gateway: only that client may delete it. */
export interface PuppetRecord {
  client: string
  account: AccountId
  /** As its backend answered the create. */
  puppet: Puppet
}

/** What a create under an idempotency key is about to ask for. */
export interface Intent {
  account: AccountId
  backend: string
  /** Its id, if we choose it; otherwise null until the backend named it. */
  resource: string | null
}

export type Begun =
  /** `again`: an earlier attempt under this key may have made something, and its intent counts. */
  | { kind: 'begun'; lease: Lease; resource: string | null; again: boolean }
  | { kind: 'done'; intent: Intent }
  | { kind: 'running'; untilMs: number }
  | { kind: 'conflict' }

export type Made = { kind: 'upload'; record: UploadRecord } | { kind: 'puppet'; record: PuppetRecord }

/** A client's own counts of a calendar month (UTC). A video counts in the month of its creation. */
interface MonthCounts {
  videos: Readonly<Record<Status, number>>
  creditsCharged: number
  requests: number
}

/** The part of `Store` about what is no video: creates under a key, what they made, and counts by month. */
export interface ResourceStore {
  /**
   * D. Leases an idempotency key for one attempt, before a byte of it goes out. After a doubt or a crash, the next
   * request with the same fingerprint gets the lease. A key is kept for 24 h, or until what it made is forgotten.
   */
  begin(key: IdemKey, intent: Intent, leaseMs: number): Promise<Begun>
  /** D. Stores what an attempt made, with its key if it had one. Needs no lease: it may come late. */
  made(made: Made, key: IdemKey | null): Promise<void>
  /** D. The attempt made nothing (`free`: the key is free again), or nobody knows (`doubt`). Needs the lease. */
  unmade(key: IdemKey, lease: Lease, outcome: 'free' | 'doubt'): Promise<void>
  /** D. The puppet is gone. */
  forgetPuppet(account: AccountId, id: string): Promise<void>
  /** Adds to what is counted of a month (`2026-11`). */
  countRequests(month: string, counts: Readonly<Record<string, number>>): Promise<void>
  /** Removes up to `limit` keys that are past their time and up to `limit` uploads made before `beforeMs`. */
  purgeResources(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  /** What this key was used for last, whatever the fingerprint. */
  intentOf(key: IdemKey): Promise<Intent | null>
  puppetMade(account: AccountId, id: string): Promise<PuppetRecord | null>
  uploadOf(client: string, id: string): Promise<UploadRecord | null>
  /** The upload under this URL (less query and fragment): the client's own before another's, the latest first. */
  uploadAt(client: string, unsignedUrl: string): Promise<UploadRecord | null>
  /** `atMs`: any moment of the month. */
  monthOf(client: string, atMs: number): Promise<MonthCounts>
}
