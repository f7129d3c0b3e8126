import type { ClientBase, Pool, PoolClient } from 'pg'
import { doubtAll, EarlierCopy } from '../sql/upkeep.ts'
import {
  asked,
  createPool,
  createRenewal,
  dbOf,
  failureOf,
  LIMITS_MS,
  type Place,
  QueryFailed,
  refusePooler,
  type Renewal,
} from './pool.ts'
import { lockKeys, createWriter } from './writer.ts'
import { NOW, type StoreTime, createStoreTime, followDatabase } from './time.ts'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { codeOf, isUntrusted, Problem } from '../../core/errors.ts'
import type { Store } from '../../core/store/index.ts'
import { SILENT, type Tally } from '../../core/tally.ts'
import type { ProcessClock } from '../../core/time/clock.ts'
import { listOf, type Migrated, orNull, text, type Reader, type Value, videoFrom } from '../sql/db.ts'
import { createStore, measured, LOCKS, type ClientOf } from '../sql/store.ts'
import { fill, migrate } from './schema.ts'
import { createPresence } from './presence.ts'
import { createTransactions } from './transaction.ts'

/**
 * Which server a store is on, by what a restored copy cannot have: that of a dump has other numbers for its database
 * and its tables, that of a copy of the files another timeline. The store remembers it; on another server it may be a
 * copy.
 */
const PARTS = {
  system: 'SELECT system_identifier::text AS part FROM pg_control_system()',
  timeline: 'SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS part',
  database: 'SELECT oid::text AS part FROM pg_database WHERE datname = current_database()',
  table: `SELECT to_regclass('meta')::oid::text AS part`,
}
type Identity = Record<string, string | null>

/** A service may keep these functions from its users, or lack them. */
const WITHHELD = new Set(['42501', '42883', '0A000'])

const isWithheld = ({ cause }: QueryFailed): boolean => WITHHELD.has(codeOf(cause))

const identityOf = async (client: ClientBase, onUnknown: (error: Error) => void): Promise<Identity> => {
  const identity: Identity = {}
  for (const [name, sql] of Object.entries(PARTS)) {
    try {
      identity[name] = (await asked(client.query<{ part: string | null }>(sql))).rows[0]?.part ?? null
    } catch (error) {
      if (!(error instanceof QueryFailed) || !isWithheld(error)) throw error
      identity[name] = null
      onUnknown(error)
    }
  }
  return identity
}

const identityFrom = (value: string): Identity => {
  const parsed: unknown = JSON.parse(value)
  const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
  return Object.fromEntries(entries.map(([name, part]) => [name, typeof part === 'string' ? part : null]))
}

/** What differs, in words. What one of the two does not know differs from nothing. */
const differences = (before: Identity, now: Identity): string[] =>
  Object.keys(PARTS).flatMap((name) => {
    const [was, is] = [before[name] ?? null, now[name] ?? null]
    return was === null || is === null || was === is ? [] : [`${name} ${is} and not ${was}`]
  })

const REMEMBERED = `SELECT value FROM meta WHERE key = 'server'`
const REMEMBER = `INSERT INTO meta (key, value) VALUES ('server', $1)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`

/** Why the store may be a copy, by what it remembers; null: it is where it was, or was never served. */
const copyFault = (remembered: string | undefined, identity: Identity): string | null => {
  const found = remembered === undefined ? [] : differences(identityFrom(remembered), identity)
  return found.length === 0 ? null : `the store is on another server than before (${found.join(', ')})`
}

/** What `recognize` would refuse. Changes nothing. */
export const copyFaultOf = async (client: ClientBase): Promise<string | null> => {
  const identity = await identityOf(client, () => undefined)
  const { rows } = await asked(client.query<{ value: string }>(REMEMBERED))
  return copyFault(rows[0]?.value, identity)
}

type RecognizeOptions = Pick<PostgresOptions, 'schema' | 'onRestored' | 'onUnknown'> & { time: StoreTime }

const remember = async (client: PoolClient, identity: Identity, { schema, time, onRestored }: RecognizeOptions) => {
  await asked(client.query('BEGIN'))
  for (const key of lockKeys(schema, new Set(['server']))) {
    await asked(client.query(`SELECT pg_advisory_xact_lock(${key})`))
  }
  const { rows } = await asked(client.query<{ value: string }>(REMEMBERED))
  const remembered = rows[0]?.value
  const fault = onRestored ? null : copyFault(remembered, identity)
  if (fault !== null) throw new EarlierCopy(fault)
  let doubts = 0
  if (onRestored) {
    // Another replica that runs even so waits, and then reads what is written here.
    await asked(client.query('LOCK TABLE videos IN ACCESS EXCLUSIVE MODE'))
    const db = dbOf(client)
    doubts = await doubtAll(db, time.read((await db.get(NOW)) ?? {}).nowMs)
  }
  const value = JSON.stringify(identity)
  if (value !== remembered) await asked(client.query(REMEMBER, [value]))
  await asked(client.query('COMMIT'))
  onRestored?.(doubts)
}

/**
 * Throws `EarlierCopy` if the store may be a restored copy, unless that is known (`onRestored`): then all that it would
 * send is in doubt. Otherwise, and then, it remembers where it is. One transaction.
 */
export const recognize = async (pool: Pool, options: RecognizeOptions): Promise<void> => {
  const client = await asked(pool.connect())
  try {
    const identity = await identityOf(client, options.onUnknown ?? (() => undefined))
    await remember(client, identity, options)
    client.release()
  } catch (error) {
    // Closing the connection undoes it.
    client.release(true)
    throw error
  }
}

export interface PostgresOptions extends Place {
  /** Connections of this process. */
  pool: number
  /** Called when a connection that idled is lost. */
  onError: (error: Error) => void
  /** Called with the number of videos in doubt. Given: the database was restored from a copy. */
  onRestored?: ((doubts: number) => void) | undefined
  /** Called if the user may not see which server this is. */
  onUnknown?: ((error: Error) => void) | undefined
  /** Called if this process brought an older schema to this version. */
  onMigrated?: (migrated: Migrated) => void
  /** Is led by the store's time. */
  clock: ProcessClock
  /** What tests put in place of the database's time, milliseconds since the Unix epoch. */
  timeOf?: (databaseMs: number) => number
  /** What tests take away, to see what it is for. */
  locks?: typeof LOCKS
  /** Steps of a version of the schema that is still to come, as tests have them. */
  later?: readonly string[]
  tally?: Tally
  /** The longest that a read of a caller may take, with all that it waits for, in milliseconds. */
  readMs?: number
}

const KNOWN_DELIVERIES = 10_000
/** How long a close waits for a database that does not answer, twice. */
const CLOSE_MS = 5_000

const VIDEO_NOW = `${NOW}, data FROM videos WHERE id = ?`

const inTime = <T>(work: Promise<T>, ms: number): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error('the database did not answer in time')), ms)
  void work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}

/** Reads of callers: asked again after a lost connection; a fault, or a long wait, becomes `store_unavailable`. */
const forCallers = (reader: Reader, renew: Renewal, ms: number): Reader => {
  const guarded =
    <T>(read: (sql: string, ...values: Value[]) => Promise<T>) =>
    async (sql: string, ...values: Value[]): Promise<T> => {
      try {
        const first = read(sql, ...values).catch(async (error: unknown) => {
          if (failureOf(error) !== 'disconnected') throw error
          await renew(error)
          return read(sql, ...values)
        })
        return await inTime(first, ms)
      } catch (cause) {
        throw new Problem('store_unavailable', 'the store cannot be read at the moment', { cause })
      }
    }
  return { get: guarded(reader.get), all: guarded(reader.all) }
}

/** Remembers whose each delivery is: it never changes. All that are asked for in one turn of the loop are one read. */
const createClientOf = (reader: Reader): { clientOf: ClientOf; know: (id: string, client: string) => void } => {
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
  return { clientOf: (id) => known.get(id) ?? ask(id), know: (id, client) => void known.set(id, client) }
}

const open = async (options: PostgresOptions): Promise<Store> => {
  const { schema, pool: size, onError, clock, timeOf = (databaseMs) => databaseMs, locks = LOCKS } = options
  const { tally = SILENT, later = [], readMs = 5_000 } = options
  const closing = new AbortController()
  const time = createStoreTime(clock, timeOf)
  // Of their own, so that neither waits for connections that the others hold.
  const forWrites = Math.ceil(size / 2)
  // For what may take minutes, in which the others are needed.
  const slow = createPool({ ...options, size: 1 })
  const pool = createPool({ ...options, size: forWrites, limits: LIMITS_MS.write })
  const reads = createPool({ ...options, size: size - forWrites, limits: LIMITS_MS.read })
  const forPresence = createPool({ ...options, size: 1, limits: LIMITS_MS.read })
  const end = (): Promise<unknown> => Promise.all([pool.end(), reads.end(), forPresence.end()])
  try {
    await refusePooler(options)
    const migrated = await migrate(slow, schema, later)
    if (migrated) options.onMigrated?.(migrated)
    await recognize(slow, { ...options, time })
    await followDatabase(reads, clock, time, closing.signal)
  } catch (error) {
    await Promise.all([slow.end(), end()])
    throw error
  }
  const renew = createRenewal(options, [pool, reads])
  const reader = forCallers(dbOf(reads), renew, readMs)
  const { transact, forget } = createTransactions({ pool, reads, time, clock, closing: closing.signal, renew, onError })
  await forget().catch(onError)
  const filled = fill(slow, schema, { later, signal: closing.signal, onError }).then(() => slow.end())
  const { clientOf, know } = createClientOf(reader)
  const writer = createWriter({ transact, schema, locks, clientOf, concurrency: forWrites })
  const presence = createPresence({ pool: forPresence, closing: closing.signal, onError })
  const store = createStore({
    reader,
    write: measured(writer.write, tally),
    now: clock.now,
    videoNow: async (id) =>
      orNull(await reader.get(VIDEO_NOW, id), (row) => ({ video: videoFrom(row), nowMs: time.read(row).nowMs })),
    freeBytes: () => null,
    folder: '',
  })
  return {
    ...store,
    // What is hinted at is read, and then claimed.
    async deliveriesById(ids) {
      const found = await store.deliveriesById(ids)
      for (const [id, { event }] of found) know(id, event.client)
      return found
    },
    // Whom others do not see live would lose it to them.
    claim: async (kind, id, leaseMs, holder = null, gone = null) =>
      kind === 'account' && holder !== null && !(await presence.show(holder))
        ? null
        : store.claim(kind, id, leaseMs, holder, gone),
    // Other processes write, too.
    writeCount: () => null,
    async ping() {
      await reader.get('SELECT 1 AS n')
      await writer.write('ping', {})
    },
    async close() {
      await Promise.race([writer.drained(), sleep(CLOSE_MS, undefined, { ref: false })])
      closing.abort()
      await Promise.race([Promise.all([end(), filled]), sleep(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

/**
 * The driver for any number of equal processes. Every write is a transaction under advisory locks (`WRITES` in store.ts); the time
 * is the store's (time.ts). Rejects if the database cannot be reached, if a pooler would lose what a connection is set
 * to, if a newer program wrote the schema, or if it may be a restored copy and nobody said so.
 */
export const openPostgresStore = async (options: PostgresOptions): Promise<Store> => {
  try {
    return await open(options)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'the database cannot be opened'
    const advice = isUntrusted(cause) ? ' (see sslrootcert, and the host name)' : ''
    throw new Error(`store.url: ${message}${advice}`, { cause })
  }
}
