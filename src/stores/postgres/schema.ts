import type { Pool, PoolClient } from 'pg'
import { ACCESS } from './access-tables.ts'
import { ADMIN } from './admin-tables.ts'
import { DOUBTS } from './doubt-tables.ts'
import { ENDPOINT_HEALTH } from './endpoint-tables.ts'
import { INDEXES } from './indexes.ts'
import { LINES, METADATA } from './line-tables.ts'
import { lockKeys } from './locks.ts'
import { OVERVIEW } from './overview-tables.ts'
import { REPLICAS } from './replica-tables.ts'
import { TRACES } from './trace-tables.ts'
import { SESSIONS } from './session-tables.ts'
import { TABLES } from './tables.ts'
import { TRIGGERS } from './triggers.ts'

/**
 * Numbered, forward-only: entry n takes a schema from version n to n + 1. Never edit one that was released. Processes of
 * the version before still serve while a step runs: a step only adds. What it makes useless goes a release later.
 */
export const MIGRATIONS: readonly string[] = [
  [TABLES, INDEXES, TRIGGERS].join('\n'),
  REPLICAS,
  ADMIN,
  ACCESS,
  SESSIONS,
  DOUBTS,
  OVERVIEW,
  ENDPOINT_HEALTH,
  LINES,
  METADATA,
  TRACES,
]

/** As `SHOW server_version_num` has it. */
export const LEAST_SERVER = 140_000
/** A step may make an index of millions of rows. */
const MIGRATION_MS = 6 * 3_600_000

const numberOf = async (client: PoolClient, sql: string, column: string): Promise<number> => {
  const { rows } = await client.query<Record<string, unknown>>(sql)
  return Number(rows[0]?.[column] ?? 0)
}

const checkServer = async (client: PoolClient): Promise<void> => {
  const version = await numberOf(client, 'SHOW server_version_num', 'server_version_num')
  if (version < LEAST_SERVER)
    throw new Error(`PostgreSQL 14 or newer is needed; this is ${Math.floor(version / 10_000)}`)
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding')
  if (rows[0]?.server_encoding !== 'UTF8') {
    throw new Error(
      `the database is encoded in ${rows[0]?.server_encoding ?? 'unknown'}: create one with ENCODING 'UTF8'`,
    )
  }
}

/** What `migrate` does, within a transaction of the caller's, who undoes it if this throws. */
export const migrateWithin = async (client: PoolClient, schema: string, migrations = MIGRATIONS): Promise<void> => {
  await checkServer(client)
  for (const key of lockKeys(schema, new Set(['schema']))) await client.query(`SELECT pg_advisory_xact_lock(${key})`)
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS found', [schema])
  // Not IF NOT EXISTS: that needs the right to create one even where it exists. The name is checked by the configuration.
  if (rows[0]?.found !== true) await client.query(`CREATE SCHEMA ${schema}`)
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)')
  const version = await numberOf(client, 'SELECT max(version) AS version FROM schema_version', 'version')
  if (version > migrations.length) {
    throw new Error(
      `the store has schema version ${version}, this program knows ${migrations.length}: a newer Talkbridge wrote it; start that one`,
    )
  }
  await client.query('SET LOCAL statement_timeout TO 0')
  for (const text of migrations.slice(version)) {
    const slow = { text, query_timeout: MIGRATION_MS }
    await client.query(slow)
  }
  if (version < migrations.length) await client.query('INSERT INTO schema_version VALUES ($1)', [migrations.length])
}

/**
 * Brings the schema to this program's version, in one transaction under a lock: of several processes that start, one does
 * it. Throws, and writes nothing, if a newer program wrote it, the server is too old, or a step fails.
 */
export const migrate = async (pool: Pool, schema: string, migrations = MIGRATIONS): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await migrateWithin(client, schema, migrations)
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    // Closing the connection undoes it.
    client.release(true)
    throw error
  }
}
