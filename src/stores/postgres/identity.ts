import type { ClientBase, Pool, PoolClient } from 'pg'
import { doubtAll, EarlierCopy } from '../sql/upkeep.ts'
import { asked, dbOf, QueryFailed } from './pool.ts'
import { lockKeys } from './locks.ts'
import { NOW, type StoreTime } from './time.ts'

/**
 * Which server a store is on, by what a restored copy cannot have: that of a dump has other numbers for its database and
 * its tables, that of a copy of the files another timeline. The store remembers it; on another server it may be a copy.
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

const isWithheld = ({ cause }: QueryFailed): boolean =>
  cause instanceof Error && 'code' in cause && WITHHELD.has(String(cause.code))

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

interface RecognizeOptions {
  schema: string
  time: StoreTime
  onRestored?: ((doubts: number) => void) | undefined
  onUnknown?: ((error: Error) => void) | undefined
}

const remember = async (client: PoolClient, identity: Identity, { schema, time, onRestored }: RecognizeOptions) => {
  await asked(client.query('BEGIN'))
  for (const key of lockKeys(schema, new Set(['schema']))) {
    await asked(client.query(`SELECT pg_advisory_xact_lock(${key})`))
  }
  const { rows } = await asked(client.query<{ value: string }>(REMEMBERED))
  const remembered = rows[0]?.value
  const fault = onRestored ? null : copyFault(remembered, identity)
  if (fault !== null) throw new EarlierCopy(fault)
  let doubts = 0
  if (onRestored) {
    // Another replica that runs all the same waits, and then reads what is written here.
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
 * send is in doubt. Else, and then, it remembers where it is. One transaction.
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
