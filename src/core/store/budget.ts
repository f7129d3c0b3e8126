import type { RateHeaders } from '../adapter.ts'
import type { BudgetClass, Demand } from '../limits/budget.ts'
import type { AccountId } from '../vocabulary.ts'

export interface Ticket {
  account: AccountId
  /** The window that it was taken from. */
  window: number
}
export type Spent = { ok: true; ticket: Ticket } | { ok: false; retryAtMs: number }
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
  /** Takes one request of the account's window, or says when to ask again. */
  spend(account: AccountId, budgetClass: BudgetClass, demand: Demand, fallbackLimit: number): Promise<Spent>
  /** Corrects the window by the answer; `rate` is null when none came. */
  learn(ticket: Ticket, rate: RateHeaders | null): Promise<void>
  /** The backend allows no more requests until then. */
  exhausted(account: AccountId, untilMs: number): Promise<void>
  budget(account: AccountId, demand: Demand, fallbackLimit: number): Promise<BudgetView>
}
