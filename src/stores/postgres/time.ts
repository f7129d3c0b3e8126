import type { Pool, PoolClient } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessClock } from '../../core/time/clock.ts'
import { int, intOrNull, textOrNull, type Row } from '../sql/db.ts'
import { asked } from './pool.ts'

/**
 * The store's time, which all processes share: the database's, and what that was set back by. A process notices a step
 * back by the time that passed for it, and writes the step down before it writes anything else; from then on the
 * store's time runs 2 % slower until the database has caught up. A leap ahead is followed: see `Clock.leaptSince`.
 */

const KEY = 'clock'

/**
 * Asks for the database's time, not that of the start of the transaction, and for what was written down of its steps.
 */
export const NOW_COLUMNS = `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms,
  (SELECT value FROM meta WHERE key = '${KEY}') AS clock`
export const NOW = `SELECT ${NOW_COLUMNS}`

/** By how far the store's time was ahead of the database's when that showed `sinceMs`. */
interface Ahead {
  byMs: number
  sinceMs: number
}

/** How much slower the store's time runs until the database has caught up. */
const SLOWER = 0.02
/** What is less than this is no step; how much a clock may run wrong in the time that passed is none either. */
const STEP_MS = 1_000
const DRIFT = SLOWER + 0.01
/** Locks that were waited for leave too little known about the moment of an answer. */
const SLOW_MS = 500

const aheadFrom = (written: string): Ahead => {
  const [byMs = 0, sinceMs = 0] = written.split(' ').map(Number)
  return { byMs, sinceMs }
}

/** The store's time when the database shows `databaseMs`. */
export const storeMs = (databaseMs: number, { byMs, sinceMs }: Ahead): number =>
  databaseMs + Math.max(0, Math.round(byMs - Math.max(0, databaseMs - sinceMs) * SLOWER))

/** What `NOW` answered. */
export interface Reading {
  /** The store's time, milliseconds since the Unix epoch. */
  nowMs: number
  databaseMs: number
  /** What is written down, as it is. */
  written: string | null
}

const WRITE = `INSERT INTO meta (key, value) SELECT '${KEY}', $1 WHERE $2::text IS NULL ON CONFLICT DO NOTHING`
const REWRITE = `UPDATE meta SET value = $1 WHERE key = '${KEY}' AND value = $2`

/** `timeOf` is what tests put in place of the database's time. */
export const createStoreTime = (clock: ProcessClock, timeOf: (databaseMs: number) => number) => {
  /** When `clock.elapsed()` was `atMs`, the store's time was no earlier than this. */
  let known: { leastMs: number; atMs: number } | null = null
  let lastMs = 0
  return {
    read(row: Row): Reading {
      const databaseMs = timeOf(int(row, 'now_ms'))
      const written = textOrNull(row, 'clock')
      return { databaseMs, written, nowMs: written === null ? databaseMs : storeMs(databaseMs, aheadFrom(written)) }
    },
    /**
     * By how many milliseconds the store's time went back since earlier readings; 0: it did not. The question was sent
     * when `clock.elapsed()` was `sentMs`, and is answered now.
     */
    setBack({ nowMs }: Reading, sentMs: number): number {
      const atMs = clock.elapsed()
      // It was asked for at `sentMs`, so that now it is no later than if it had been read then.
      const leastMs = known ? known.leastMs + (atMs - known.atMs) * (1 - DRIFT) : -Infinity
      const byMs = Math.round(leastMs - (nowMs + (atMs - sentMs)))
      if (byMs > STEP_MS) return byMs
      known = { leastMs: Math.max(leastMs, nowMs), atMs }
      lastMs = Math.max(lastMs, nowMs)
      return 0
    },
    /** Whether an answer took too long to say when the database gave it. */
    isSlow: (sentMs: number): boolean => clock.elapsed() - sentMs > SLOW_MS,
    /** The latest reading: no later than the store's time. */
    lastMs: (): number => lastMs,
    /** Writes a step down. Does nothing if another process has. */
    async correct(
      on: Pick<Pool | PoolClient, 'query'>,
      { nowMs, databaseMs, written }: Reading,
      byMs: number,
    ): Promise<void> {
      const value = `${nowMs - databaseMs + byMs} ${databaseMs}`
      await asked(on.query(written === null ? WRITE : REWRITE, [value, written]))
    },
  }
}
export type StoreTime = ReturnType<typeof createStoreTime>

/**
 * The latest time at which a transaction was marked, in the store's time: the database was set back if that is to come.
 */
const MARKED = `SELECT floor(extract(epoch FROM max(at)) * 1000)::bigint AS marked_ms FROM commits`

const EVERY_MS = 5_000

/**
 * Keeps the clock of this process at the store's time. Asks once before it resolves, then every 5 seconds until
 * `closing`. What the database was set back by while no process ran is noticed first.
 */
export const followDatabase = async (
  pool: Pool,
  clock: ProcessClock,
  time: StoreTime,
  closing: AbortSignal,
): Promise<void> => {
  const ask = async (sql: string): Promise<Row> => (await asked(pool.query<Row>(sql))).rows[0] ?? {}
  const once = async (): Promise<void> => {
    const sentMs = clock.elapsed()
    const reading = time.read(await ask(NOW))
    const byMs = time.setBack(reading, sentMs)
    if (byMs > 0) return time.correct(pool, reading, byMs)
    const halfMs = Math.round((clock.elapsed() - sentMs) / 2)
    if (!time.isSlow(sentMs)) clock.agree(reading.nowMs + halfMs, reading.databaseMs + halfMs)
  }
  const onwards = async (): Promise<void> => {
    for (;;) {
      await sleep(EVERY_MS, undefined, { signal: closing, ref: false })
      // While the database is away, the clock continues by itself.
      await once().catch(() => undefined)
    }
  }
  const first = time.read(await ask(NOW))
  const byMs = (intOrNull(await ask(MARKED), 'marked_ms') ?? 0) - first.nowMs
  if (byMs > STEP_MS) await time.correct(pool, first, byMs)
  const { nowMs, databaseMs } = time.read(await ask(NOW))
  clock.agree(nowMs, databaseMs)
  await once()
  // Ends when the store closes.
  onwards().catch(() => undefined)
}
