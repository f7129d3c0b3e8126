import * as budgets from '../../core/limits/budget.ts'
import type { RateHeaders } from '../../core/adapter.ts'
import type { Spent, Ticket } from '../../core/store/budget.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { orNull, text, type Db, type Reader, type Row } from './db.ts'

/** Only this file writes `data`, under the schema version that `migrate` checked. */
export const budgetFrom = (row: Row): budgets.Budget => JSON.parse(text(row, 'data')) as budgets.Budget

const known = async (db: Reader, account: AccountId): Promise<budgets.Budget | null> =>
  orNull(await db.get('SELECT data FROM budgets WHERE account = ?', account), budgetFrom)

const PUT = `INSERT INTO budgets (account, data, at) VALUES (?, ?, ?)
  ON CONFLICT (account) DO UPDATE SET data = excluded.data, at = excluded.at`

const putBudget = async (db: Db, account: AccountId, budget: budgets.Budget, nowMs: number): Promise<void> => {
  const data = JSON.stringify(budget)
  await db.run(PUT, account, data, nowMs)
}

/** The account's window, under the limit that is configured now. A new one if nothing was sent yet. */
export const budgetOf = async (db: Reader, account: AccountId, configured: number): Promise<budgets.Budget> => {
  const budget = await known(db, account)
  return budget ? budgets.configure(budget, configured) : budgets.newBudget(configured)
}

interface SpendArgs {
  account: AccountId
  budgetClass: budgets.BudgetClass
  demand: budgets.Demand
  fallbackLimit: number
  most: number
  nowMs: number
}

export const spend = async (
  db: Db,
  { account, budgetClass, demand, fallbackLimit, most, nowMs }: SpendArgs,
): Promise<Spent> => {
  const before = await budgetOf(db, account, fallbackLimit)
  const { budget, taken, retryAtMs } = budgets.take(before, nowMs, budgetClass, demand, most)
  // A refused read changes the window, too: the next one keeps a request for it.
  if (retryAtMs === null || budget !== before) await putBudget(db, account, budget, nowMs)
  if (retryAtMs !== null) return { ok: false, retryAtMs }
  const { limit, resetsAtMs, lengthMs } = budgets.viewBudget(budget, nowMs)
  return { ok: true, ticket: { account, window: budget.window }, taken, limit, untilMs: resetsAtMs ?? nowMs, lengthMs }
}

interface LearnArgs {
  ticket: Ticket
  rates: readonly (RateHeaders | null)[]
  nowMs: number
}

export const learn = async (db: Db, { ticket: { account, window }, rates, nowMs }: LearnArgs): Promise<void> => {
  const before = await known(db, account)
  if (!before) return
  const budget = rates.reduce<budgets.Budget>((so, rate) => budgets.learn(so, window, rate, nowMs), before)
  await putBudget(db, account, budget, nowMs)
}

interface GiveBackArgs {
  ticket: Ticket
  count: number
  budgetClass: budgets.BudgetClass
  nowMs: number
}

export const giveBack = async (
  db: Db,
  { ticket: { account, window }, count, budgetClass, nowMs }: GiveBackArgs,
): Promise<void> => {
  const budget = await known(db, account)
  if (budget) await putBudget(db, account, budgets.giveBack(budget, window, count, budgetClass), nowMs)
}

export const exhausted = async (
  db: Db,
  { account, untilMs, nowMs }: { account: AccountId; untilMs: number; nowMs: number },
): Promise<void> => {
  const budget = await known(db, account)
  if (budget) await putBudget(db, account, budgets.exhaust(budget, untilMs, nowMs), nowMs)
}
