import { randomUUID } from 'node:crypto'
import type { Clock, ProcessClock } from '../core/time/clock.ts'
import type { Wake, WakeHandlers } from '../core/ports.ts'
import { createRates, createStreamPlaces } from '../core/limits/rates.ts'
import type { Log } from '../core/log.ts'
import type { Tally } from '../core/tally.ts'
import type { Store } from '../core/store/index.ts'
import type { RedisPlace } from './redis/client.ts'
import type { RedisDriver } from './redis/index.ts'
import type { Migrated } from './sql/db.ts'
import { openSqliteStore, type SqliteOptions } from './sqlite/index.ts'

/** Work that is due later gets no timer: the sweep finds it as well. */
const AHEAD_MS = 60_000
/** The most timers for deliveries that are not due yet. Accounts are few and need no limit. */
const MOST_AHEAD = 10_000

/** `Wake` for one process: timers in memory. The sweep finds what it forgets. */
export const createLocalWake = (clock: Clock): Wake => {
  const handlers = new Set<Partial<WakeHandlers>>()
  const alarms = new Map<string, { atMs: number; cancel: () => void }>()
  return {
    hint(kind, id, dueAtMs) {
      const key = `${kind}:${id}`
      const set = alarms.get(key)
      const aheadMs = dueAtMs - clock.now()
      if (aheadMs > AHEAD_MS || (kind === 'deliver' && aheadMs > 0 && !set && alarms.size >= MOST_AHEAD)) return
      if (set && set.atMs <= dueAtMs) return
      set?.cancel()
      const cancel = clock.at(dueAtMs, () => {
        alarms.delete(key)
        for (const handler of handlers) handler.work?.(kind, id)
      })
      alarms.set(key, { atMs: dueAtMs, cancel })
    },
    changed(id, version, client) {
      for (const handler of handlers) handler.changed?.(id, version, client)
    },
    on(handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
    async close() {
      for (const { cancel } of alarms.values()) cancel()
      alarms.clear()
      handlers.clear()
    },
  }
}

/**
 * What processes tell each other beside the store, and may lose: in Redis, for all of them; or in memory, for this one.
 * Rejects only if the URL is none, or a file cannot be read.
 */
export const openSharing = async (
  { prefix, ...place }: RedisPlace & { prefix: string },
  { clock, log, tally }: { clock: Clock; log: Log; tally: Tally },
): Promise<Omit<RedisDriver, 'isUp'>> => {
  const wake = createLocalWake(clock)
  if (place.url ?? place.sentinels ?? place.cluster) {
    // Loaded only where it is used: it is as large as the rest of the gateway.
    const { openRedis } = await import('./redis/index.ts')
    return openRedis({ place, prefix, clock, log, tally, local: wake, randomId: randomUUID })
  }
  return {
    wake,
    rates: (windowMs) => createRates(clock, windowMs),
    streamPlaces: createStreamPlaces(),
    close: () => wake.close(),
  }
}

interface StoreConfig {
  driver: 'sqlite' | 'postgres'
  path: string
  url: string | null
  password_file: string | null
  pool: number
  schema: string
}

export interface StoreContext {
  /** Led by the database, if there is one: all processes keep one time. */
  clock: ProcessClock
  log: Log
  tally: Tally
  /** Called once if the store can be written no more. A database comes back by itself. */
  onLost: (cause: Error) => void
  /** The store is a copy that was put in the place of an earlier one: what it would send is in doubt. */
  isRestored: boolean
  /** Less room for the store than there is. */
  room: Pick<SqliteOptions, 'freeBytes' | 'maxPages'> | undefined
}

/** Opens the store that the configuration names. Rejects if it cannot be opened. */
export const openStore = async (
  config: StoreConfig,
  { clock, log, tally, onLost, isRestored, room }: StoreContext,
): Promise<Store> => {
  const onRestored = isRestored
    ? (doubts: number): void => log.warn({ doubts }, 'the store was restored from a copy: nothing of it is sent unseen')
    : undefined
  const onMigrated = (migrated: Migrated): void => log.info({ ...migrated }, 'the store was migrated')
  if (config.driver === 'sqlite')
    return openSqliteStore({ path: config.path, clock, owner: true, onLost, onRestored, onMigrated, tally, ...room })
  if (config.url === null) throw new Error('store.url: is required with driver: postgres')
  const { url, schema, pool, password_file: passwordFile } = config
  const { openPostgresStore } = await import('./postgres/index.ts')
  return openPostgresStore({
    url,
    schema,
    passwordFile,
    pool,
    clock,
    tally,
    onRestored,
    onMigrated,
    onError: (err) => log.warn({ err }, 'a connection to the database was lost'),
    onUnknown: (err) =>
      log.warn({ err }, 'the database does not say which server it is: a restored copy goes unnoticed'),
  })
}
