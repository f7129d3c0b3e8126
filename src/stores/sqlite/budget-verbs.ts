import * as budgets from '../../core/limits/budget.ts'
import type { RateHeaders } from '../../core/adapter.ts'
import type { Spent, Ticket } from '../../core/store/budget.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { text, type Db, type Row } from './db.ts'

/** Written by this file alone, under the schema version that `migrate` checked. */
const budgetFrom = (row: Row): budgets.Budget => JSON.parse(text(row, 'data')) as budgets.Budget

const known = (db: Db, account: AccountId): budgets.Budget | null => {
  const row = db.get('SELECT data FROM budgets WHERE account = ?', account)
  return row ? budgetFrom(row) : null
}

const putBudget = (db: Db, account: AccountId, budget: budgets.Budget, nowMs: number): void => {
  const data = JSON.stringify(budget)
  db.run('INSERT OR REPLACE INTO budgets (account, data, at) VALUES (?, ?, ?)', account, data, nowMs)
}

/** The account's window as it is, under the limit that is configured now; of one that nobody spent from yet, a new one. */
export const budgetOf = (db: Db, account: AccountId, configured: number): budgets.Budget => {
  const budget = known(db, account)
  return budget ? budgets.configure(budget, configured) : budgets.newBudget(configured)
}

/** A new owner of the file goes on with the windows of the one before; their times are of a clock that never goes back. */
export const keepWindows = (db: Db): void => {
  for (const row of db.all('SELECT account, data FROM budgets')) {
    const budget = budgets.restarted(budgetFrom(row))
    db.run('UPDATE budgets SET data = ? WHERE account = ?', JSON.stringify(budget), text(row, 'account'))
  }
}

interface SpendArgs {
  account: AccountId
  budgetClass: budgets.BudgetClass
  demand: budgets.Demand
  fallbackLimit: number
  nowMs: number
}

export const spend = (db: Db, { account, budgetClass, demand, fallbackLimit, nowMs }: SpendArgs): Spent => {
  const before = budgetOf(db, account, fallbackLimit)
  const { budget, retryAtMs } = budgets.take(before, nowMs, budgetClass, demand)
  // A read that is refused is kept a request of the next window: that is remembered, too.
  if (retryAtMs === null || budget !== before) putBudget(db, account, budget, nowMs)
  if (retryAtMs !== null) return { ok: false, retryAtMs }
  return { ok: true, ticket: { account, window: budget.window } }
}

interface LearnArgs {
  ticket: Ticket
  rate: RateHeaders | null
  nowMs: number
}

export const learn = (db: Db, { ticket: { account, window }, rate, nowMs }: LearnArgs): void => {
  const budget = known(db, account)
  if (budget) putBudget(db, account, budgets.learn(budget, window, rate, nowMs), nowMs)
}

interface ExhaustedArgs {
  account: AccountId
  untilMs: number
  nowMs: number
}

export const exhausted = (db: Db, { account, untilMs, nowMs }: ExhaustedArgs): void => {
  const budget = known(db, account)
  if (budget) putBudget(db, account, budgets.exhaust(budget, untilMs, nowMs), nowMs)
}
