import type { Pool, PoolClient } from 'pg'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../core/time/clock.ts'
import type { Db, Row } from '../sql/db.ts'
import { asked, dbOf, failureOf, isMissing, isTimeout, LIMITS_MS, QueryFailed, type Renewal } from './pool.ts'
import { NOW, NOW_COLUMNS, type StoreTime } from './time.ts'

/** How often a transaction is tried when others were in its way, or its connection was lost before it was committed. */
const MOST_TRIES = 4
/** No try begins after a connection was lost so late, in milliseconds: somebody waits. */
const LATE_MS = 6_000
/** Between two questions what became of a commit, in milliseconds. */
const ASK_AGAIN_MS = { first: 50, most: 2_000 }

interface TransactionOptions {
  /** Advisory locks that it takes first, in this order. */
  locks: readonly bigint[]
  /** False: a power cut may undo it (`synchronous_commit`). */
  durable: boolean
  /** True: its statements have the limits of what goes through whole tables. */
  long?: boolean
}

/** One lost connection is one attempt; what was decided on it is forgotten. */
type Outcome<T> = { done: true; value: T } | { done: false; error: unknown }

/** What marks a transaction as committed, and outlives a crash of the server: the number that it writes in its row. */
export interface Mark {
  slot: string
  n: number
  /** No later than the transaction, in the store's time. */
  atMs: number
}

/**
 * Makes the row of a slot, in a transaction of its own. A row that the marked transaction made itself would be
 * invisible until its commit: nobody could wait for the end of that transaction.
 */
export const slotSql = ({ slot, atMs }: Mark): string =>
  `INSERT INTO commits (slot, n, at) VALUES ('${slot}', 0, to_timestamp(${atMs / 1000})) ON CONFLICT (slot) DO NOTHING`

/**
 * Takes the locks in their order, then marks: one statement, so that its limit is one for all of them. Changes no row if
 * the slot is new. Answers the time, after it has its locks. A step that was written down during that wait is not seen:
 * `setBack` notices it.
 */
export const markSql = ({ slot, n, atMs }: Mark, { locks, durable }: TransactionOptions): string =>
  `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(key) FROM unnest('{${locks.join()}}'::bigint[]) AS key)
  UPDATE commits SET n = ${n}, at = to_timestamp(${atMs / 1000}) FROM (SELECT count(*) FROM locked) AS held
  WHERE slot = '${slot}' RETURNING ${durable ? '' : `set_config('synchronous_commit', 'off', true), `}${NOW_COLUMNS}`

const beginSql = (options: TransactionOptions, mark: Mark): string =>
  [
    'BEGIN ISOLATION LEVEL READ COMMITTED',
    ...(options.long ? [`SET LOCAL statement_timeout TO ${LIMITS_MS.long.statement}`] : []),
    markSql(mark, options),
  ].join('; ')

/** The first row of the last answer of several; null without rows. The types of the library know no several. */
const lastRow = (answers: unknown): Row | null => {
  const answer: unknown = Array.isArray(answers) ? answers.at(-1) : null
  const rows: unknown = typeof answer === 'object' && answer !== null && 'rows' in answer ? answer.rows : null
  const row: unknown = Array.isArray(rows) ? rows[0] : null
  return typeof row === 'object' && row !== null ? { ...row } : null
}

/** Begins a marked transaction. Answers the time, after it has its locks; null: the slot has no row. */
const tryBegin = async (client: PoolClient, options: TransactionOptions, mark: Mark): Promise<Row | null> => {
  const answers: unknown = await asked(client.query(beginSql(options, mark)))
  return lastRow(answers)
}

/** `FORGET` may have removed the row of a slot that idled for a day: then the slot is new again. */
const begin = async (client: PoolClient, options: TransactionOptions, mark: Mark): Promise<Row> => {
  const first = mark.n === 1 ? null : await tryBegin(client, options, mark)
  if (first !== null) return first
  if (mark.n > 1) await asked(client.query('ROLLBACK'))
  await asked(client.query(slotSql(mark)))
  const row = await tryBegin(client, options, mark)
  if (row === null) throw new Error('the row that marks a commit is gone')
  return row
}

/** Waits for the end of a transaction that is still open on a connection that we lost. */
const MARKED = 'SELECT n FROM commits WHERE slot = $1 FOR UPDATE'

/**
 * Whether a transaction was committed whose answer was lost. Asks until the server says: nobody may be informed before.
 * Rejects when `closing` aborts.
 */
export const isCommitted = async (pool: Pool, { slot, n }: Mark, closing: AbortSignal): Promise<boolean> => {
  for (let waitMs = ASK_AGAIN_MS.first; ; waitMs = Math.min(waitMs * 2, ASK_AGAIN_MS.most)) {
    try {
      const { rows } = await pool.query<{ n: number }>(MARKED, [slot])
      return rows[0]?.n === n
    } catch (error) {
      // A schema that was made in it and is not there. Otherwise the server is not back yet.
      if (isMissing(error)) return false
    }
    await sleep(waitMs, undefined, { signal: closing })
  }
}

/** Of processes that are long gone, as far as anybody can tell. */
const FORGET = 'DELETE FROM commits WHERE at < to_timestamp($1)'
const FORGOTTEN_S = 86_400

interface TransactionsOptions {
  pool: Pool
  /** Connections that no transaction waits for. */
  reads: Pool
  time: StoreTime
  clock: Pick<Clock, 'elapsed'>
  /** Aborted when the store closes. */
  closing: AbortSignal
  renew: Renewal
  onError: (error: Error) => void
}

/** Runs transactions over a pool. */
export const createTransactions = ({ pool, reads, time, clock, closing, renew, onError }: TransactionsOptions) => {
  const process = randomUUID()
  /** Rows that no transaction is using, and the number that each was last marked with. */
  const free: Mark[] = []
  let slots = 0
  const take = (): Mark => {
    const { slot, n } = free.pop() ?? { slot: `${process}-${(slots += 1)}`, n: 0 }
    return { slot, n: n + 1, atMs: time.lastMs() }
  }

  /** Gives the connection back, without a transaction on it; closes it if that fails. */
  const undo = async (client: PoolClient, error: unknown): Promise<void> => {
    if (failureOf(error) === 'disconnected') return client.release(true)
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    )
  }

  /** Begins a transaction in the store's time. If the database was set back, that is written down first. */
  const beginInTime = async (client: PoolClient, mark: Mark, options: TransactionOptions): Promise<number> => {
    for (;;) {
      const sentMs = clock.elapsed()
      const first = time.read(await begin(client, options, mark))
      const askedMs = clock.elapsed()
      const isSlow = time.isSlow(sentMs)
      const reading = isSlow ? time.read((await dbOf(client).get(NOW)) ?? {}) : first
      const byMs = time.setBack(reading, isSlow ? askedMs : sentMs)
      if (byMs === 0) return reading.nowMs
      await asked(client.query('ROLLBACK'))
      await time.correct(client, reading, byMs)
    }
  }

  const attempt = async <T>(
    mark: Mark,
    options: TransactionOptions,
    work: (db: Db, nowMs: number) => Promise<T>,
  ): Promise<Outcome<T>> => {
    const client = await asked(pool.connect())
    let value: T
    try {
      const nowMs = await beginInTime(client, mark, options)
      value = await work(dbOf(client, options.long ? LIMITS_MS.long.answer : undefined), nowMs)
    } catch (error) {
      await undo(client, error)
      return { done: false, error }
    }
    try {
      await asked(client.query('COMMIT'))
    } catch (error) {
      client.release(true)
      onError(new Error('the answer to a commit was lost: the server is asked what became of it', { cause: error }))
      await renew(error)
      return (await isCommitted(reads, mark, closing)) ? { done: true, value } : { done: false, error }
    }
    client.release()
    return { done: true, value }
  }

  const marked = async <T>(
    options: TransactionOptions,
    work: (db: Db, nowMs: number) => Promise<T>,
  ): Promise<Outcome<T>> => {
    const mark = take()
    const outcome = await attempt(mark, options, work).catch((error: unknown) => {
      if (error instanceof QueryFailed) return { done: false, error } as const
      throw error
    })
    free.push(mark)
    return outcome
  }

  /**
   * Runs `work` in a transaction: all of it or nothing, once. Tries again after a conflict, after a connection that was
   * lost before it was committed, and after a timeout before its time, since the server's clock leapt. Rejects with
   * what `work` threw, or with `QueryFailed`; then nothing was written.
   */
  const transact = async <T>(options: TransactionOptions, work: (db: Db, nowMs: number) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const sinceMs = clock.elapsed()
      const outcome = await marked(options, work)
      if (outcome.done) return outcome.value
      const failure = failureOf(outcome.error)
      await renew(outcome.error)
      const tookMs = clock.elapsed() - sinceMs
      const isTooEarly = isTimeout(outcome.error) && tookMs < LIMITS_MS.write.lock / 2
      const isLate = failure === 'disconnected' && tookMs > LATE_MS
      if (failure === null || (failure === 'refused' && !isTooEarly) || isLate || tries === MOST_TRIES)
        throw outcome.error
    }
  }
  return {
    transact,
    /** Removes the rows of processes that are long gone. */
    async forget(): Promise<void> {
      await pool.query(FORGET, [time.lastMs() / 1000 - FORGOTTEN_S])
    },
  }
}
export type Transact = ReturnType<typeof createTransactions>['transact']
