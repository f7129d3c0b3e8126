import type { Pool, PoolClient } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { int, text, type Db, type Row } from '../sql/db.ts'
import { asked, failureOf, QueryFailed } from './faults.ts'
import { dbOf } from './pool.ts'

/** How often a transaction is tried when others were in its way, or its connection was lost before it was committed. */
const MOST_TRIES = 4
/** Between two questions what became of a commit, in milliseconds. */
const ASK_AGAIN_MS = { first: 50, most: 2_000 }

export interface TransactionOptions {
  /** Advisory locks that it takes first, in this order. */
  locks: readonly bigint[]
  /** False: a power cut may undo it (`synchronous_commit`). */
  durable: boolean
}

/** One lost connection is one attempt; what was decided on it is forgotten. */
type Outcome<T> = { done: true; value: T } | { done: false; error: unknown }

const NOW = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms, pg_current_xact_id()::text AS xid`

const beginSql = ({ locks, durable }: TransactionOptions): string =>
  [
    'BEGIN ISOLATION LEVEL READ COMMITTED',
    ...(durable ? [] : ['SET LOCAL synchronous_commit TO off']),
    ...locks.map((key) => `SELECT pg_advisory_xact_lock(${key})`),
    NOW,
  ].join('; ')

interface Begun {
  nowMs: number
  /** Of PostgreSQL: by it, what became of a commit can be asked on another connection. */
  xid: string
}

/** The answer to several statements in one message is a list; the types of the library do not say so. */
const lastRow = (answer: unknown): Row => {
  const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer
  const rows: unknown = typeof last === 'object' && last !== null && 'rows' in last ? last.rows : null
  const row: unknown = Array.isArray(rows) ? rows[0] : null
  if (typeof row !== 'object' || row === null) throw new Error('the server did not tell its time')
  return { ...row }
}

const begin = async (client: PoolClient, options: TransactionOptions): Promise<Begun> => {
  const row = lastRow(await asked(client.query(beginSql(options))))
  return { nowMs: int(row, 'now_ms'), xid: text(row, 'xid') }
}

const STATUS = 'SELECT pg_xact_status($1::text::xid8) AS status'

/**
 * Whether a transaction was committed whose answer was lost. Asks until the server says: nobody may be told before.
 * Rejects when `closing` aborts.
 */
export const isCommitted = async (pool: Pool, xid: string, closing: AbortSignal): Promise<boolean> => {
  for (let waitMs = ASK_AGAIN_MS.first; ; waitMs = Math.min(waitMs * 2, ASK_AGAIN_MS.most)) {
    try {
      const status = (await pool.query<{ status: string | null }>(STATUS, [xid])).rows[0]?.status
      if (status === 'committed') return true
      if (status === 'aborted') return false
    } catch {
      // The server is not back yet.
    }
    await sleep(waitMs, undefined, { signal: closing })
  }
}

/** Runs transactions over a pool. `closing`: aborted when the store closes. */
export const createTransactions = (pool: Pool, closing: AbortSignal) => {
  const once = async <T>(
    client: PoolClient,
    options: TransactionOptions,
    work: (db: Db, nowMs: number) => Promise<T>,
  ): Promise<{ value: T; xid: string }> => {
    const { nowMs, xid } = await begin(client, options)
    return { value: await work(dbOf(client), nowMs), xid }
  }

  /** Gives the connection back, without a transaction on it; closes it if that fails. */
  const undo = async (client: PoolClient, error: unknown): Promise<void> => {
    if (failureOf(error) === 'disconnected') return client.release(true)
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    )
  }

  const attempt = async <T>(
    options: TransactionOptions,
    work: (db: Db, nowMs: number) => Promise<T>,
  ): Promise<Outcome<T>> => {
    const client = await asked(pool.connect())
    let made: { value: T; xid: string }
    try {
      made = await once(client, options, work)
    } catch (error) {
      await undo(client, error)
      return { done: false, error }
    }
    try {
      await asked(client.query('COMMIT'))
    } catch (error) {
      client.release(true)
      if (await isCommitted(pool, made.xid, closing)) return { done: true, value: made.value }
      return { done: false, error }
    }
    client.release()
    return { done: true, value: made.value }
  }

  /**
   * Runs `work` in a transaction: all of it or nothing, once. Tries again after a conflict and after a connection that
   * was lost before it was committed. Rejects with what `work` threw, or with `QueryFailed`; then nothing was written.
   */
  return async <T>(options: TransactionOptions, work: (db: Db, nowMs: number) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const outcome = await attempt(options, work).catch((error: unknown) => {
        if (error instanceof QueryFailed) return { done: false, error } as const
        throw error
      })
      if (outcome.done) return outcome.value
      const failure = failureOf(outcome.error)
      if (failure === null || failure === 'refused' || tries === MOST_TRIES) throw outcome.error
    }
  }
}
export type Transactions = ReturnType<typeof createTransactions>
