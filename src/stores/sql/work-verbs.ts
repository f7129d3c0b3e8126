import { randomUUID } from 'node:crypto'
import type { Lease, LeasedDelivery, WorkKind, WorkStore } from '../../core/store/webhooks.ts'
import {
  type Db,
  deliveryFrom,
  EACH_ALONE,
  int,
  listOf,
  numberOf,
  orNull,
  type Reader,
  type Row,
  text,
  textOf,
} from './db.ts'
import type { Configured, Fact, FactKind, FactStore, Lesson, Served, Spent, Ticket } from '../../core/store/accounts.ts'
import { type AccountId, accountIdOf } from '../../core/vocabulary.ts'
import * as budgets from '../../core/limits/budget.ts'

const DELIVERY_COLUMNS =
  'n, id, event_id, target_kind, target, url, status, attempts, tried, next_attempt_at, asked_at, body'

/** What `deliveryFrom` reads of each row `d` of a table with these columns. */
const deliveriesIn = (table: string): string => `
  SELECT d.n, d.id, d.target_kind, d.target, coalesce(p.url, d.url) AS url, d.status AS delivery_status, d.attempts, d.tried,
         d.next_attempt_at, d.asked_at,
         e.id AS event_id, e.type, e.client, e.video_id, e.sequence, e.at, coalesce(d.body, e.body) AS body, v.trace
  FROM ${table} d JOIN events e ON e.id = d.event_id
    LEFT JOIN videos v ON v.id = e.video_id
    LEFT JOIN endpoints p ON d.target_kind = 'endpoint' AND p.id = d.target`

/**
 * A delivery with its event, and the body that goes there. The URL is that of the endpoint now; of a deleted endpoint,
 * the one of then.
 */
export const DELIVERY = deliveriesIn('deliveries')

/** A delivery may start only if its target is there. Those of a disabled or deleted endpoint wait for `backlogStep`. */
export const TO_SOMEBODY = `
  (target_kind = 'video' OR EXISTS (SELECT 1 FROM endpoints x WHERE x.id = target AND x.disabled_at IS NULL))`

/**
 * Whether delivery `d` may start (the time is given twice): it is due, not leased, and every earlier event of its video
 * to the same target was tried at least once.
 */
const freeToStart = (status: string, dueAt: string): string => `
  ${status} = 'pending' AND ${dueAt} <= ? AND (d.lease_until IS NULL OR d.lease_until <= ?) AND ${TO_SOMEBODY}
    AND NOT EXISTS (
      SELECT 1 FROM deliveries p WHERE p.video_id = d.video_id AND p.target = d.target AND p.sequence < d.sequence
        AND p.target_kind = d.target_kind AND p.status = 'pending' AND p.attempts = 0 ${EACH_ALONE})`
export const FREE_TO_START = freeToStart('d.status', 'd.next_attempt_at')
/** The same of deliveries that are named by their ids. */
const FREE_BY_ID = freeToStart(textOf('d.status'), numberOf('d.next_attempt_at'))

const CLAIM_DELIVERY = `UPDATE deliveries AS d SET lease_token = ?, lease_until = ? WHERE d.id = ? AND ${FREE_BY_ID}`
/** The lock of a process that lives is taken, as in `HOLDERS`: who asks may have read long ago that it was gone. */
const CLAIM_OTHER = `
  INSERT INTO leases (kind, id, token, until, holder) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (kind, id) DO UPDATE SET token = excluded.token, until = excluded.until, holder = excluded.holder
  WHERE leases.until <= ? OR (leases.holder = ?
    /*postgres AND pg_try_advisory_xact_lock(hashtext(current_schema), hashtext(leases.holder)) */)`

interface ClaimArgs {
  kind: WorkKind
  id: string
  leaseMs: number
  /** Who asks; null: it does not say. */
  holder: string | null
  /** Whose lease counts as over; null: nobody's. */
  gone: string | null
  nowMs: number
}

export const claim = async (db: Db, { kind, id, leaseMs, holder, gone, nowMs }: ClaimArgs): Promise<Lease | null> => {
  const lease = { id, token: randomUUID(), untilMs: nowMs + leaseMs }
  const claimed =
    kind === 'deliver'
      ? await db.run(CLAIM_DELIVERY, lease.token, lease.untilMs, id, nowMs, nowMs)
      : await db.run(CLAIM_OTHER, kind, id, lease.token, lease.untilMs, holder, nowMs, gone)
  return claimed > 0 ? lease : null
}

interface ClaimsArgs {
  ids: readonly string[]
  leaseMs: number
  nowMs: number
}

/** One statement for all: which of them may start depends on nothing that another's lease changes. */
export const claimDeliveries = async (
  db: Db,
  { ids, leaseMs, nowMs }: ClaimsArgs,
): Promise<ReadonlyMap<string, LeasedDelivery>> => {
  if (ids.length === 0) return new Map()
  const [token, untilMs] = [randomUUID(), nowMs + leaseMs]
  const { sql, values } = listOf(ids)
  const claimed = {
    sql: `UPDATE deliveries AS d SET lease_token = ?, lease_until = ? WHERE d.id IN (${sql}) AND ${FREE_BY_ID}
      RETURNING ${DELIVERY_COLUMNS}`,
    values: [token, untilMs, ...values, nowMs, nowMs],
  }
  const rows = await db.after(claimed, { sql: deliveriesIn('first'), values: [] })
  return new Map(
    rows.map(deliveryFrom).map((delivery) => [delivery.id, { lease: { id: delivery.id, token, untilMs }, delivery }]),
  )
}

interface LeaseArgs {
  kind: WorkKind
  lease: Lease
}

const EXTEND_DELIVERY = 'UPDATE deliveries SET lease_until = ? WHERE id = ? AND lease_token = ? AND lease_until > ?'
const EXTEND_OTHER = 'UPDATE leases SET until = ? WHERE kind = ? AND id = ? AND token = ? AND until > ?'

export const extend = async (
  db: Db,
  { kind, lease: { id, token }, leaseMs, nowMs }: LeaseArgs & { leaseMs: number; nowMs: number },
): Promise<boolean> => {
  const untilMs = nowMs + leaseMs
  const extended =
    kind === 'deliver'
      ? await db.run(EXTEND_DELIVERY, untilMs, id, token, nowMs)
      : await db.run(EXTEND_OTHER, untilMs, kind, id, token, nowMs)
  return extended > 0
}

const RELEASE_DELIVERY = 'UPDATE deliveries SET lease_token = NULL, lease_until = NULL WHERE id = ? AND lease_token = ?'

export const release = async (db: Db, { kind, lease: { id, token } }: LeaseArgs): Promise<void> => {
  if (kind === 'deliver') await db.run(RELEASE_DELIVERY, id, token)
  else await db.run('DELETE FROM leases WHERE kind = ? AND id = ? AND token = ?', kind, id, token)
}

export const meta = async (db: Db, { key, candidate }: { key: string; candidate: string }): Promise<string> => {
  await db.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING', key, candidate)
  return text((await db.get('SELECT value FROM meta WHERE key = ?', key)) ?? {}, 'value')
}

const PUT_DURATIONS = `INSERT INTO durations (source, recent) VALUES (?, ?)
  ON CONFLICT (source) DO UPDATE SET recent = excluded.recent`

export const keepDurations = async (
  db: Db,
  { source, recent }: { source: string; recent: readonly number[] },
): Promise<void> => {
  await db.run(PUT_DURATIONS, source, JSON.stringify(recent.map(Math.round)))
}

/** What was learned of a source, oldest first. */
export const durationsOf = async (db: Reader, source: string): Promise<number[]> => {
  const row = await db.get('SELECT recent FROM durations WHERE source = ?', source)
  const recent: unknown = row ? JSON.parse(text(row, 'recent')) : []
  return Array.isArray(recent) ? recent.filter((ms) => typeof ms === 'number') : []
}

export const addDurations = async (
  db: Db,
  { source, measured, most }: { source: string; measured: readonly number[]; most: number },
): Promise<void> =>
  await keepDurations(db, { source, recent: [...(await durationsOf(db, source)), ...measured].slice(-most) })

const PUT_FACT = `
  INSERT INTO facts (kind, key, value, at, until) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, at = excluded.at, until = excluded.until
  WHERE facts.at <= excluded.at OR facts.until <= ?`

interface FactArgs {
  kind: FactKind
  facts: readonly Fact[]
  forMs: number
  nowMs: number
}

export const putFacts = async (db: Db, { kind, facts, forMs, nowMs }: FactArgs): Promise<void> => {
  for (const { key, value, atMs } of facts) await db.run(PUT_FACT, kind, key, value, atMs, nowMs + forMs, nowMs)
  await db.run('DELETE FROM facts WHERE kind = ? AND until <= ?', kind, nowMs)
}

const FACTS = 'SELECT key, value, at FROM facts WHERE kind = ? AND until > ? ORDER BY key'
/** A lock is free after the session of its process has ended (`createPresence`). SQLite serves one process. */
const HOLDERS = `SELECT id, holder
    /*postgres , pg_try_advisory_xact_lock(hashtext(current_schema), hashtext(holder)) AS gone */
  FROM leases WHERE kind = ? AND holder IS NOT NULL AND until > ?`

export const createReplicaReads = (db: Reader, now: () => number) =>
  ({
    facts: async (kind) =>
      (await db.all(FACTS, kind, now())).map((row) => ({
        key: text(row, 'key'),
        value: text(row, 'value'),
        atMs: int(row, 'at'),
      })),
    holders: async (kind) =>
      (await db.all(HOLDERS, kind, now())).map((row) => ({
        id: text(row, 'id'),
        holder: text(row, 'holder'),
        isGone: row['gone'] === true,
      })),
  }) satisfies Partial<FactStore & WorkStore>

/** Whether a newer configuration lacks the account: null unless it does. */
export const CLOSED = '(SELECT 1 FROM served_accounts WHERE account = ?1 AND is_closed = 1)'

export const isClosed = async (db: Reader, account: AccountId): Promise<boolean> =>
  int((await db.get(`SELECT count(${CLOSED}) AS n`, account)) ?? {}, 'n') > 0

const PUT_CONFIGURATION = `INSERT INTO configurations (mark, n) VALUES (?, ?)
  ON CONFLICT (mark) DO UPDATE SET n = excluded.n`
const OPEN_ACCOUNT = `INSERT INTO served_accounts (account, is_closed) VALUES (?, 0)
  ON CONFLICT (account) DO UPDATE SET is_closed = 0`

const latest = async (db: Reader): Promise<number> =>
  int((await db.get('SELECT coalesce(max(n), 0) AS n FROM configurations')) ?? { n: 0 }, 'n')

/** Whether it is of a process that was not informed of a newer one, or of one that went back to it by a restart. */
const isKnownOfBefore = async (db: Reader, mark: string): Promise<boolean> => {
  const known = await db.get('SELECT n FROM configurations WHERE mark = ?', mark)
  return known !== undefined && int(known, 'n') < (await latest(db))
}

export const serve = async (db: Db, { accounts, mark, why }: Configured): Promise<Served> => {
  const own = new Set<string>(accounts)
  const open = await db.all('SELECT DISTINCT account AS id FROM open_videos WHERE n > 0')
  const orphaned = open.map((row) => text(row, 'id')).filter((id) => !own.has(id))
  const isOfBefore = why === 'start' && (await isKnownOfBefore(db, mark))
  if (orphaned.length > 0) return { orphaned: orphaned.map(accountIdOf), isOfBefore }
  if (!isOfBefore) {
    // All of them, by their key.
    await db.run(`UPDATE served_accounts SET is_closed = 1 WHERE account > ''`)
    await db.run(PUT_CONFIGURATION, mark, (await latest(db)) + 1)
  }
  for (const account of own) await db.run(OPEN_ACCOUNT, account)
  return { orphaned: [], isOfBefore }
}

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

export const budgetOf = async (db: Reader, account: AccountId, configured: number): Promise<budgets.Budget> =>
  budgets.budgetUnder(await known(db, account), configured)

interface SpendArgs {
  account: AccountId
  budgetClass: budgets.BudgetClass
  demand: budgets.Demand
  fallbackLimit: number
  most: number
  lesson?: Lesson | null
  nowMs: number
}

const learned = (budget: budgets.Budget, { ticket: { window }, rates }: Lesson, nowMs: number): budgets.Budget =>
  rates.reduce<budgets.Budget>((so, rate) => budgets.learn(so, window, rate, nowMs), budget)

export const spend = async (db: Db, args: SpendArgs): Promise<Spent> => spendOf(db, await known(db, args.account), args)

/** The same of a window that was read within the same write. */
export const spendOf = async (
  db: Db,
  window: budgets.Budget | null,
  { account, budgetClass, demand, fallbackLimit, most, lesson = null, nowMs }: SpendArgs,
): Promise<Spent> => {
  const read = budgets.budgetUnder(window, fallbackLimit)
  const before = lesson ? learned(read, lesson, nowMs) : read
  const { budget, taken, retryAtMs } = budgets.take(before, nowMs, budgetClass, demand, most)
  // A refused read changes the window, too: the next one keeps a request for it.
  if (retryAtMs === null || budget !== read) await putBudget(db, account, budget, nowMs)
  if (retryAtMs !== null) return { ok: false, retryAtMs }
  const { limit, resetsAtMs, lengthMs } = budgets.viewBudget(budget, nowMs)
  const ticket = { account, window: budget.window, probes: budget.probing }
  return { ok: true, ticket, taken, limit, untilMs: resetsAtMs ?? nowMs, lengthMs }
}

export const learn = async (db: Db, { nowMs, ...lesson }: Lesson & { nowMs: number }): Promise<void> => {
  const { account } = lesson.ticket
  const before = await known(db, account)
  if (before) await putBudget(db, account, learned(before, lesson, nowMs), nowMs)
}

interface GiveBackArgs {
  ticket: Ticket
  count: number
  nowMs: number
}

export const giveBack = async (db: Db, { ticket: { account, window }, count, nowMs }: GiveBackArgs): Promise<void> => {
  const budget = await known(db, account)
  if (budget) await putBudget(db, account, budgets.giveBack(budget, window, count), nowMs)
}

export const exhausted = async (
  db: Db,
  { account, untilMs, nowMs }: { account: AccountId; untilMs: number; nowMs: number },
): Promise<void> => {
  const budget = await known(db, account)
  if (budget) await putBudget(db, account, budgets.exhaust(budget, untilMs, nowMs), nowMs)
}
