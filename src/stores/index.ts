import type { Log } from '../core/log.ts'
import type { Store } from '../core/store/index.ts'
import type { Tally } from '../core/tally.ts'
import type { ProcessClock } from '../core/time/clock.ts'
import { openSqliteStore, type SqliteOptions } from './sqlite/index.ts'

export interface StoreConfig {
  driver: 'sqlite' | 'postgres'
  path: string
  url: string | null
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
  if (config.driver === 'sqlite')
    return openSqliteStore({ path: config.path, clock, owner: true, onLost, onRestored, tally, ...room })
  if (config.url === null) throw new Error('store.url: is required with driver: postgres')
  const { url, schema, pool } = config
  const { openPostgresStore } = await import('./postgres/index.ts')
  return openPostgresStore({
    url,
    schema,
    pool,
    clock,
    tally,
    onRestored,
    onError: (err) => log.warn({ err }, 'a connection to the database was lost'),
    onUnknown: (err) =>
      log.warn({ err }, 'the database does not say which server it is: a restored copy goes unnoticed'),
  })
}
