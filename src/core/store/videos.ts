import type { EventRecord, MadeFrom, Phase, TimelineEntry, VideoRecord } from '../video.ts'
import type { AccountId, Status } from '../vocabulary.ts'
import type { VideoTarget } from './deliveries.ts'
import type { Lease } from './work.ts'

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

/** The part of `Store` about videos: how they open, wait, move and are listed. */
export interface VideoStore {
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
  /** Videos of an account, of any phase, that have a job beside their own to be read now, the longest due first. */
  secondJobs(account: AccountId, limit: number): Promise<string[]>
  /** Waiting videos of an account that were created before `beforeMs`, oldest first. */
  overdue(account: AccountId, beforeMs: number, limit: number): Promise<string[]>
  /** How many videos wait before each of these, plus one; nothing of those that wait no more. */
  positions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  timeline(id: string): Promise<TimelineEntry[]>
}
