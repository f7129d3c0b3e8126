import type { AccountId } from '../vocabulary.ts'
import type { RateHeaders } from '../adapter.ts'
import type { BudgetClass, Demand } from '../limits/budget.ts'

/** What a process knows of its configuration, to put it in force. */
export interface Configured {
  accounts: readonly AccountId[]
  /** The same for the same accounts and clients, and for no others. */
  mark: string
  /**
   * `start`: one that was in force before, and is not the latest, is of a process that was not told of a newer one, or
   * of an operator who went back by a restart: it opens its own accounts and closes none.
   */
  why: 'start' | 'reload'
}

export interface Served {
  /** Other accounts, which have open videos. If there are any, nothing was written. */
  orphaned: AccountId[]
  /** It was in force before, and another one is the latest. */
  isOfBefore: boolean
}

/** The part of `Store` about which accounts take new videos, at all processes. */
export interface AccountStore {
  /**
   * D. Puts a configuration in force, in one step: its accounts take new videos, and from then on every other account
   * that was ever served takes none (`open` and `adopt` answer `closed`). Refused if others have open videos.
   */
  serve(configured: Configured): Promise<Served>
}

export interface Ticket {
  account: AccountId
  /** The window that it was taken from. */
  window: number
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

/** Part of the store: what is left to each account of its window. */
export interface BudgetStore {
  /**
   * Takes one request of the account's window, or says when to ask again. Of a known window that has many left it takes
   * several at once, up to `most` (default 1).
   */
  spend(
    account: AccountId,
    budgetClass: BudgetClass,
    demand: Demand,
    fallbackLimit: number,
    most?: number,
  ): Promise<Spent>
  /** Corrects the window by the answers to requests of a ticket; null for one that got none. */
  learn(ticket: Ticket, ...rates: readonly (RateHeaders | null)[]): Promise<void>
  /** So many requests of a ticket were not sent, and will not be. */
  giveBack(ticket: Ticket, count: number, budgetClass: BudgetClass): Promise<void>
  /** The backend allows no more requests until then. */
  exhausted(account: AccountId, untilMs: number): Promise<void>
  budget(account: AccountId, demand: Demand, fallbackLimit: number): Promise<BudgetView>
}

/** A group of facts that are read together. */
export type FactKind = 'account' | 'waits' | 'drift'

/** What one process knows, told to those that share the store. `value` is JSON. */
export interface Fact {
  key: string
  value: string
  /** When it was so, by the clock of who told it. */
  atMs: number
}

/** The part of `Store` where processes tell each other what they know. A hint: nothing is lost with it but promptness. */
export interface FactStore {
  /**
   * Keeps facts for `forMs`, each in place of the one under its key unless that is newer (`atMs`). Removes those of the
   * kind whose time is over. Not durable at once.
   */
  putFacts(kind: FactKind, facts: readonly Fact[], forMs: number): Promise<void>

  // Reads, each indexed.
  /** Those of a kind whose time is not over, by key. */
  facts(kind: FactKind): Promise<Fact[]>
}
