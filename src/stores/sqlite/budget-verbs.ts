import * as budgets from '../../core/limits/budget.ts'
import type { RateHeaders } from '../../core/adapter.ts'
import type { Spent, Ticket } from '../../core/store/budget.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { orNull, text, type Db, type Row } from './db.ts'

/** Only this file writes `data`, under the schema version that `migrate` checked. */
const budgetFrom = (row: Row): budgets.Budget => JSON.parse(text(row, 'data')) as budgets.Budget

const known = (db: Db, account: AccountId): budgets.Budget | null =>
  orNull(db.get('SELECT data FROM budgets WHERE account = ?', account), budgetFrom)

const putBudget = (db: Db, account: AccountId, budget: budgets.Budget, nowMs: number): void => {
  const data = JSON.stringify(budget)
  db.run('INSERT OR REPLACE INTO budgets (account, data, at) VALUES (?, ?, ?)', account, data, nowMs)
}

/** The account's window, under the limit that is configured now. A new one if nothing was sent yet. */
export const budgetOf = (db: Db, account: AccountId, configured: number): budgets.Budget => {
  const budget = known(db, account)
  return budget ? budgets.configure(budget, configured) : budgets.newBudget(configured)
}

/**
 * A new owner of the file goes on with the windows of the one before. Their times stay valid: our clock never goes
 * back.
 */
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
  most: number
  nowMs: number
}

export const spend = (db: Db, { account, budgetClass, demand, fallbackLimit, most, nowMs }: SpendArgs): Spent => {
  const before = budgetOf(db, account, fallbackLimit)
  const { budget, taken, retryAtMs } = budgets.take(before, nowMs, budgetClass, demand, most)
  // A refused read changes the window, too: the next one keeps a request for it.
  if (retryAtMs === null || budget !== before) putBudget(db, account, budget, nowMs)
  if (retryAtMs !== null) return { ok: false, retryAtMs }
  const { limit, resetsAtMs, lengthMs } = budgets.viewBudget(budget, nowMs)
  return { ok: true, ticket: { account, window: budget.window }, taken, limit, untilMs: resetsAtMs ?? nowMs, lengthMs }
}

interface LearnArgs {
  ticket: Ticket
  rates: readonly (RateHeaders | null)[]
  nowMs: number
}

export const learn = (db: Db, { ticket: { account, window }, rates, nowMs }: LearnArgs): void => {
  const before = known(db, account)
  if (!before) return
  const budget = rates.reduce<budgets.Budget>((so, rate) => budgets.learn(so, window, rate, nowMs), before)
  putBudget(db, account, budget, nowMs)
}

export const giveBack = (
  db: Db,
  { ticket: { account, window }, count, nowMs }: { ticket: Ticket; count: number; nowMs: number },
): void => {
  const budget = known(db, account)
  if (budget) putBudget(db, account, budgets.giveBack(budget, window, count), nowMs)
}

export const exhausted = (
  db: Db,
  { account, untilMs, nowMs }: { account: AccountId; untilMs: number; nowMs: number },
): void => {
  const budget = known(db, account)
  if (budget) putBudget(db, account, budgets.exhaust(budget, untilMs, nowMs), nowMs)
}
