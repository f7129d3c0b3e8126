import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../core/errors.ts'
import type { Store } from '../../core/store/index.ts'
import { SILENT, type Tally } from '../../core/tally.ts'
import type { ProcessClock } from '../../core/time/clock.ts'
import { listOf, orNull, text, type Reader, type Value } from '../sql/db.ts'
import { videoFrom } from '../sql/rows.ts'
import { createStore, measured } from '../sql/store.ts'
import { createPool, dbOf, failureOf } from './pool.ts'
import { LOCKS, type ClientOf } from './locks.ts'
import { migrate } from './schema.ts'
import { recognize } from './identity.ts'
import { createStoreTime, followDatabase, NOW } from './time.ts'
import { createTransactions } from './transaction.ts'
import { createWriter } from './writer.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string
  schema: string
  /** Connections of this process. */
  pool: number
  /** Called when a connection that idled is lost. */
  onError: (error: Error) => void
  /** Called with the number of videos in doubt. Given: the database was restored from a copy. */
  onRestored?: ((doubts: number) => void) | undefined
  /** Called if the user may not see which server this is. */
  onUnknown?: ((error: Error) => void) | undefined
  /** Is led by the store's time. */
  clock: ProcessClock
  /** What tests put in place of the database's time, milliseconds since the Unix epoch. */
  timeOf?: (databaseMs: number) => number
  /** What tests take away, to see what it is for. */
  locks?: typeof LOCKS
  tally?: Tally
}

const KNOWN_DELIVERIES = 10_000
/** How long a close waits for a database that does not answer, twice. */
const CLOSE_MS = 5_000

const VIDEO_NOW = `${NOW}, data FROM videos WHERE id = ?`

/** Reads of callers: asked once more after a lost connection; a fault becomes `store_unavailable`. */
const forCallers = (reader: Reader): Reader => {
  const guarded =
    <T>(read: (sql: string, ...values: Value[]) => Promise<T>) =>
    async (sql: string, ...values: Value[]): Promise<T> => {
      try {
        return await read(sql, ...values).catch((error: unknown) => {
          if (failureOf(error) === 'disconnected') return read(sql, ...values)
          throw error
        })
      } catch (cause) {
        throw new Problem('store_unavailable', 'the store cannot be read at the moment', { cause })
      }
    }
  return { get: guarded(reader.get), all: guarded(reader.all) }
}

/** Remembers whose each delivery is: it never changes. All that are asked for in one turn of the loop are one read. */
const createClientOf = (reader: Reader): ClientOf => {
  const known = new LRUCache<string, string>({ max: KNOWN_DELIVERIES })
  let asked = new Set<string>()
  let reading: Promise<ReadonlyMap<string, string>> | null = null
  const readAll = async (): Promise<ReadonlyMap<string, string>> => {
    await turn()
    const list = listOf([...asked])
    asked = new Set()
    reading = null
    const rows = await reader.all(`SELECT id, client FROM deliveries WHERE id IN (${list.sql})`, ...list.values)
    const found = new Map(rows.map((row) => [text(row, 'id'), text(row, 'client')]))
    for (const [id, client] of found) known.set(id, client)
    return found
  }
  const ask = async (id: string): Promise<string | null> => {
    asked.add(id)
    reading ??= readAll()
    return (await reading).get(id) ?? null
  }
  return (id) => known.get(id) ?? ask(id)
}

/**
 * The driver for any number of equal processes. Every write is a transaction under advisory locks (locks.ts); the time
 * is the store's (time.ts). Rejects if the database cannot be reached, if a newer program wrote the schema, or if it may be a
 * restored copy and nobody said so.
 */
export const openPostgresStore = async (options: PostgresOptions): Promise<Store> => {
  const { url, schema, pool: size, onError, clock, timeOf = (databaseMs) => databaseMs, locks = LOCKS } = options
  const { tally = SILENT } = options
  // Of their own, so that neither waits for connections that the others hold.
  const forWrites = Math.ceil(size / 2)
  const pool = createPool({ url, schema, size: forWrites, onError })
  const reads = createPool({ url, schema, size: size - forWrites, onError })
  const end = (): Promise<unknown> => Promise.all([pool.end(), reads.end()])
  const closing = new AbortController()
  const reader = forCallers(dbOf(reads))
  const time = createStoreTime(clock, timeOf)
  try {
    await migrate(pool, schema)
    await recognize(pool, { ...options, time })
    await followDatabase(reads, clock, time, closing.signal)
  } catch (cause) {
    await end()
    throw new Error(`store.url: ${cause instanceof Error ? cause.message : 'the database cannot be opened'}`, { cause })
  }
  const { transact, forget } = createTransactions({ pool, reads, time, clock, closing: closing.signal, onError })
  await forget().catch(onError)
  const clientOf = createClientOf(reader)
  const writer = createWriter({ transact, schema, locks, clientOf, concurrency: forWrites })
  return {
    ...createStore({
      reader,
      write: measured(writer.write, tally),
      now: clock.now,
      videoNow: async (id) =>
        orNull(await reader.get(VIDEO_NOW, id), (row) => ({ video: videoFrom(row), nowMs: time.read(row).nowMs })),
      unread: () => null,
      freeBytes: () => null,
      folder: '',
    }),
    // Other processes write, too.
    markOf: () => null,
    async ping() {
      await reader.get('SELECT 1 AS n')
      await writer.write('ping', {})
    },
    async close() {
      await Promise.race([writer.drained(), sleep(CLOSE_MS, undefined, { ref: false })])
      closing.abort()
      await Promise.race([end(), sleep(CLOSE_MS, undefined, { ref: false })])
    },
  }
}
