import type { RateHeaders } from '../adapter.ts'
import type { BudgetClass, Demand } from '../limits/budget.ts'
import type { AccountId } from '../vocabulary.ts'

export interface Ticket {
  account: AccountId
  /** The window it was drawn from. */
  window: number
}
export type Spent = { ok: true; ticket: Ticket } | { ok: false; retryAtMs: number }
export interface BudgetView {
  limit: number
  remaining: number
  resetsAtMs: number | null
  /** When the next poll may go; null: now. */
  nextAtMs: number | null
  /** When the next create may go, which leaves room for polls that are due; null: now. */
  nextCreateAtMs: number | null
  /** How long a window lasts. */
  lengthMs: number
}

/** Part of the store: what is left to each account of its window. */
export interface BudgetStore {
  /** One request of the account's window, or when to ask again. One window for all handles: it is the account's. */
  spend(account: AccountId, budgetClass: BudgetClass, demand: Demand, fallbackLimit: number): Promise<Spent>
  /** What came of it; `rate` null when no answer came. */
  learn(ticket: Ticket, rate: RateHeaders | null): Promise<void>
  /** The backend said no more until then. */
  exhausted(account: AccountId, untilMs: number): Promise<void>
  budget(account: AccountId, demand: Demand, fallbackLimit: number): Promise<BudgetView>
}
