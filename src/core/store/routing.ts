import type { AuditEntry } from '../audit.ts'
import type { EventRecord } from '../video.ts'
import type { TerminalStatus } from '../vocabulary.ts'

/** How many videos of one side ended, canceled ones aside, and how many of those failed. */
export interface SideCount {
  videos: number
  failed: number
}

/** A canary that gave its new side up: when, and what it went by. */
export interface Stopped {
  atMs: number
  /** Videos that ended after this time were counted. */
  sinceMs: number
  old: SideCount
  new: SideCount
}

/** What was made of a split since it began with the weight of the file. */
export interface SplitState {
  /** Of its rule (engine/routing/rules.ts). */
  key: string
  /** Rises by one with every write; 0: it was never written. */
  version: number
  /** Per cent of the new side while it is not stopped; null: never stepped, so the file's counts. */
  weight: number | null
  /** When the weight was last set, and by whom; null: never. */
  steppedAtMs: number | null
  steppedBy: string | null
  /** When it last went on after a stop. Outcomes of before count no more. */
  resumedAtMs: number | null
  /** Null: it is not stopped. */
  stopped: Stopped | null
}

/** One write of a split, and what is told of it. */
export interface SplitChange {
  /** As it shall be, with the version that is written. */
  split: SplitState
  audit: AuditEntry
  /** Each goes to all endpoints of its client. */
  events: readonly EventRecord[]
}

/** What is counted of a video that ended. */
export interface EndedVideo {
  id: string
  backend: string
  /** Names the rule that decided; null: none. */
  rule: string | null
  status: TerminalStatus
  createdAtMs: number
  endedAtMs: number
  /** Null: the backend did not tell. */
  credits: number | null
  /** It lost an option. */
  isWarned: boolean
}

export interface EndedQuery {
  /** Exclusive. */
  sinceMs: number
  /** Only those of one side of a split. Null: all. */
  side: { rule: string; backend: string } | null
  /** Exclusive, newest first; null: from the newest. */
  before: { endedAtMs: number; id: string } | null
  limit: number
}

/** How many videos of a side are counted at most: the latest. */
export const MAX_COUNTED = 10_000

/** The part of `Store` about splits, and how videos ended. */
export interface RoutingStore {
  /**
   * D. Writes the split if the stored version is the one before, and with it the audit entry and the events. Answers
   * the deliveries that are due; null, and nothing is written, if another write came between.
   */
  changeSplit(change: SplitChange): Promise<string[] | null>

  // Reads, each indexed.
  /** Those of these splits that were ever written. */
  splits(keys: readonly string[]): Promise<SplitState[]>
  /** Of the latest `MAX_COUNTED` videos of a side that ended after `sinceMs`. */
  countOf(side: { rule: string; backend: string }, sinceMs: number): Promise<SideCount>
  /** Videos that ended, newest first; imported ones are no outcome, and are left out. */
  ended(query: EndedQuery): Promise<EndedVideo[]>
}
