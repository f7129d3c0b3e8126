import * as budgets from '../../core/budget.ts'
import type { RateHeaders } from '../../core/adapter.ts'
import type { Spent, Ticket } from '../../core/ports.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { text, type Db } from './db.ts'

/** Written by `putBudget` alone, under the schema version that `migrate` checked. */
const known = (db: Db, account: AccountId): budgets.Budget | null => {
  const row = db.get('SELECT data FROM budgets WHERE account = ?', account)
  return row ? (JSON.parse(text(row, 'data')) as budgets.Budget) : null
}

const putBudget = (db: Db, account: AccountId, budget: budgets.Budget): void => {
  db.run('INSERT OR REPLACE INTO budgets (account, data) VALUES (?, ?)', account, JSON.stringify(budget))
}

/** The account's window as it is; of one that nobody spent from yet, a new one. */
export const budgetOf = (db: Db, account: AccountId, fallbackLimit: number): budgets.Budget =>
  known(db, account) ?? budgets.newBudget(fallbackLimit)

interface SpendArgs {
  account: AccountId
  budgetClass: budgets.BudgetClass
  demand: budgets.Demand
  fallbackLimit: number
  nowMs: number
}

export const spend = (db: Db, { account, budgetClass, demand, fallbackLimit, nowMs }: SpendArgs): Spent => {
  const { budget, retryAtMs } = budgets.take(budgetOf(db, account, fallbackLimit), nowMs, budgetClass, demand)
  if (retryAtMs !== null) return { ok: false, retryAtMs }
  putBudget(db, account, budget)
  return { ok: true, ticket: { account, window: budget.window } }
}

interface LearnArgs {
  ticket: Ticket
  rate: RateHeaders | null
  nowMs: number
}

export const learn = (db: Db, { ticket: { account, window }, rate, nowMs }: LearnArgs): void => {
  const budget = known(db, account)
  if (budget) putBudget(db, account, budgets.learn(budget, window, rate, nowMs))
}

interface ExhaustedArgs {
  account: AccountId
  untilMs: number
  nowMs: number
}

export const exhausted = (db: Db, { account, untilMs, nowMs }: ExhaustedArgs): void => {
  const budget = known(db, account)
  if (budget) putBudget(db, account, budgets.exhaust(budget, untilMs, nowMs))
}
