import type { AccountId, TerminalStatus } from '../vocabulary.ts'
import type { RateHeaders } from '../adapter.ts'
import type { BudgetClass, Demand } from '../limits/budget.ts'
import type { EventRecord, VideoRecord } from '../video.ts'
import type { AuditEntry } from '../access.ts'

/** What an operator pauses of a backend. */
export type PausedWork = 'creates' | 'polls'

export interface Pause extends Readonly<Record<PausedWork, boolean>> {
  sinceMs: number
  /** When it ends, or ended; null: when somebody resumes it. */
  untilMs: number | null
  reason: string
  /** The id of a client. */
  by: string
}

/** What a process knows of its configuration, to put it in force. */
export interface Configured {
  accounts: readonly AccountId[]
  /** The same for the same accounts and clients, and for no others. */
  mark: string
  /**
   * `start`: one that was in force before, and is not the latest, is of a process that was not informed of a newer one,
   * or of an operator who went back by a restart: it opens its own accounts and closes none.
   */
  why: 'start' | 'reload'
}

export interface Served {
  /** Other accounts, which have open videos. If there are any, nothing was written. */
  orphaned: AccountId[]
  /** It was in force before, and another one is the latest. */
  isOfBefore: boolean
}

export interface Ticket {
  account: AccountId
  /** The window that it was taken from. */
  window: number
  /** It goes by itself: the others wait for its answer. */
  probes: boolean
}
/** Answers to requests of a ticket; null for one that got none. */
export interface Lesson {
  ticket: Ticket
  rates: readonly (RateHeaders | null)[]
}
export type Spent =
  | {
      ok: true
      ticket: Ticket
      /** For how many requests the ticket is. */
      taken: number
      limit: number
      /** When the window ends, as far as is known. */
      untilMs: number
      /** How long a window lasts. */
      lengthMs: number
    }
  | { ok: false; retryAtMs: number }
export interface BudgetView {
  limit: number
  remaining: number
  resetsAtMs: number | null
  /** When the next poll may go; null: now. */
  nextAtMs: number | null
  /** When the next create may go: creates leave room for polls that are due. Null: now. */
  nextCreateAtMs: number | null
  /** How long a window lasts. */
  lengthMs: number
}

/** The part of `Store` about accounts: which take new videos, at all processes; and what is left of their windows. */
export interface BudgetStore {
  /**
   * D. Puts a configuration in force, in one step: its accounts take new videos, and from then on every other account
   * that was ever served takes none (`open` and `adopt` answer `closed`). Refused if others have open videos.
   */
  serve(configured: Configured): Promise<Served>
  /**
   * Takes one request of the account's window, or says when to ask again. Of a known window that has many left it takes
   * several at the same time, up to `most` (default 1). Learns `lesson` before, if there is one.
   */
  spend(
    account: AccountId,
    budgetClass: BudgetClass,
    demand: Demand,
    fallbackLimit: number,
    most?: number,
    lesson?: Lesson | null,
  ): Promise<Spent>
  /** Corrects the window by the answers to requests of a ticket; null for one that got none. */
  learn(ticket: Ticket, ...rates: readonly (RateHeaders | null)[]): Promise<void>
  /** So many reads of a ticket were not sent, and will not be. */
  giveBack(ticket: Ticket, count: number): Promise<void>
  /** The backend allows no more requests until then. */
  exhausted(account: AccountId, untilMs: number): Promise<void>
  budget(account: AccountId, demand: Demand, fallbackLimit: number): Promise<BudgetView>
}

/** A group of facts that are read together. */
export type FactKind = 'account' | 'waits' | 'drift'

/** What one process knows, reported to those that share the store. `value` is JSON. */
export interface Fact {
  key: string
  value: string
  /** When it was so, by the clock of who reported it. */
  atMs: number
}

/**
 * The part of `Store` where processes tell each other what they know. A hint: nothing is lost with it but promptness.
 */
export interface FactStore {
  /**
   * Keeps facts for `forMs`, each in place of the one under its key unless that is newer (`atMs`). Removes those of the
   * kind whose time is over. Not durable immediately.
   */
  putFacts(kind: FactKind, facts: readonly Fact[], forMs: number): Promise<void>

  // Reads, each indexed.
  /** Those of a kind whose time is not over, by key. */
  facts(kind: FactKind): Promise<Fact[]>
}

/**
 * What would become of a video on another backend. `unverified`: only that backend's catalogue, or itself, can tell.
 */
export const VERDICTS = ['untouched', 'warnings', 'not_at_all', 'unverified'] as const
export type VerdictWord = (typeof VERDICTS)[number]

/** One kind of loss: a code and the field that it is about; null: none. */
export interface LossKind {
  code: string
  field: string | null
}

/** What a create of one backend would have been on another. */
export interface ShadowRecord {
  videoId: string
  atMs: number
  from: string
  to: string
  verdict: VerdictWord
  kinds: LossKind[]
}

/** The code of creates that a side of a split did not get because it cannot make them. */
export const PASSED_OVER = 'passed_over'

/** Creates of one day (`2026-11-20`, UTC) that were refused and left no video. */
export interface RefusalCount extends LossKind {
  day: string
  backend: string
  count: number
}

/** The last item that was read; null: from the beginning. */
export type Place = { atMs: number; id: string } | null

/** The part of `Store` that a move from one backend to another is judged by. */
export interface RecordedStore {
  /** Keeps them, but for those of videos that are gone, or were kept before. Not durable immediately. */
  putShadows(shadows: readonly ShadowRecord[]): Promise<void>
  /** Adds to what is counted. Not durable immediately. */
  countRefusals(counts: readonly RefusalCount[]): Promise<void>
  /** Removes up to `limit` counts of the days before that of `beforeMs`. Shadows go with their videos. */
  purgeRefusals(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  /** Videos of a backend that were created at `sinceMs` or later, behind `after`, oldest first. */
  recorded(backend: string, sinceMs: number, after: Place, limit: number): Promise<VideoRecord[]>
  /** Shadows from one backend to another of `sinceMs` or later, behind `after`, oldest first. */
  shadows(from: string, to: string, sinceMs: number, after: Place, limit: number): Promise<ShadowRecord[]>
  /** The counts of a backend from the day of `sinceMs` on. */
  refusals(backend: string, sinceMs: number): Promise<RefusalCount[]>
}

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
  /** When it last continued after a stop. Outcomes of before no longer count. */
  resumedAtMs: number | null
  /** Null: it is not stopped. */
  stopped: Stopped | null
}

/** One write of a split, and what is said of it. */
export interface SplitChange {
  /** As it shall be, with the version that is written. */
  split: SplitState
  audit: AuditEntry
  /** Each goes to all endpoints of its client. */
  events: readonly EventRecord[]
}

/** How a backend was paused. */
export interface PauseState {
  /** Of its name (engine/routing/pauses.ts). */
  key: string
  /** Rises by one with every write; 0: it was never written. */
  version: number
  /** One after the other, the latest last. */
  pauses: readonly Pause[]
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

/** The part of `Store` about splits, paused backends, and how videos ended. */
export interface RoutingStore {
  /**
   * D. Writes the split if the stored version is the one before, and with it the audit entry and the events. Answers
   * the deliveries that are due; null, and nothing is written, if another write came between.
   */
  changeSplit(change: SplitChange): Promise<string[] | null>
  /** D. The same of how a backend is paused. False: another write came between. */
  changePause(change: { pause: PauseState; audit: AuditEntry }): Promise<boolean>

  // Reads, each indexed.
  /** Those of these splits and paused backends that were ever written. */
  operated(keys: readonly string[]): Promise<{ splits: SplitState[]; pauses: PauseState[] }>
  /** Of the latest `MAX_COUNTED` videos of a side that ended after `sinceMs`. */
  countOf(side: { rule: string; backend: string }, sinceMs: number): Promise<SideCount>
  /** Videos that ended, newest first; imported ones are no outcome, and are left out. */
  ended(query: EndedQuery): Promise<EndedVideo[]>
}
