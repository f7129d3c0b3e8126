import { readFileSync } from 'node:fs'
import type { Pool, PoolClient } from 'pg'
import { lockKeys } from './writer.ts'

/** The version of the first of these: no release ever wrote an older one. */
export const FIRST = 11

/**
 * Forward-only: each brings a schema to the version in its name. Never edit one that was released. Processes of the
 * previous version still serve while a step runs: a step only adds. What it makes useless goes a release later.
 */
const MIGRATIONS = ['0011-baseline.sql', '0012-queue-counts.sql']

/** The version that this program writes. */
export const VERSION = FIRST + MIGRATIONS.length - 1

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
export const migrateWithin = async (
  client: PoolClient,
  schema: string,
  later: readonly string[] = [],
): Promise<void> => {
  await checkServer(client)
  for (const key of lockKeys(schema, new Set(['schema']))) await client.query(`SELECT pg_advisory_xact_lock(${key})`)
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS found', [schema])
  // Not IF NOT EXISTS: that needs the right to create one even where it exists. The name is checked by the configuration.
  if (rows[0]?.found !== true) await client.query(`CREATE SCHEMA ${schema}`)
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)')
  const version = await numberOf(client, 'SELECT max(version) AS version FROM schema_version', 'version')
  const latest = VERSION + later.length
  const known = `the store has schema version ${version}, this program knows ${FIRST} to ${latest}`
  if (version > latest) throw new Error(`${known}: a newer Talkbridge wrote it; start that one`)
  if (version > 0 && version < FIRST) {
    throw new Error(`${known}: a development version wrote it, before the first release; begin with a new schema`)
  }
  await client.query('SET LOCAL statement_timeout TO 0')
  const behind = version === 0 ? 0 : version - FIRST + 1
  const due = [
    ...MIGRATIONS.slice(behind).map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')),
    ...later.slice(Math.max(0, behind - MIGRATIONS.length)),
  ]
  for (const text of due) {
    const slow = { text, query_timeout: MIGRATION_MS }
    await client.query(slow)
  }
  if (version < latest) await client.query('INSERT INTO schema_version VALUES ($1)', [latest])
}

/**
 * Brings the schema to this program's version, in one transaction under a lock: of several processes that start, one does
 * it. Throws, and writes nothing, if a newer program wrote it, the server is too old, or a step fails.
 * `later`: steps of a version that is still to come, as tests have them.
 */
export const migrate = async (pool: Pool, schema: string, later: readonly string[] = []): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await migrateWithin(client, schema, later)
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    // Closing the connection undoes it.
    client.release(true)
    throw error
  }
}
