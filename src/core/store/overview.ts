import type { DisabledReason } from '../endpoints.ts'
import type { VideoRecord } from '../video.ts'
import type { AccountId, EventType, TerminalStatus } from '../vocabulary.ts'

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
  /** How many of each kind of trouble, the latest. */
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
