import type { RateHeaders } from '../adapter.ts'
import type { BudgetClass, Demand } from '../limits/budget.ts'
import type { AccountId } from '../vocabulary.ts'

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
