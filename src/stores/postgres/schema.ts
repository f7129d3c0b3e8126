import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { codeOf } from '../../core/errors.ts'
import type { Migrated } from '../sql/db.ts'
import { asked, QueryFailed } from './pool.ts'
import { lockKeys } from './writer.ts'

/** The version of the first of these: no release ever wrote an older one. */
export const FIRST = 11

/**
 * Forward-only: each brings a schema to the version in its name. Never edit one that was released. Processes of the
 * previous version still serve while a step runs: a step only adds. What it makes useless goes a release later.
 *
 * The first line of a file says how it runs where others serve:
 * - `-- concurrently`: its statements one by one, outside of transactions, as `CREATE INDEX CONCURRENTLY` must be.
 * - `-- fill`: one statement, again and again. It writes the next 1,000 rows after the id `$1`, in the order of their
 *   ids, and answers the `last` of them. Where no other step follows, it runs after the start.
 * - any other: in one transaction. It begins with `LOCK TABLE … IN ACCESS EXCLUSIVE MODE` if it alters a table, and with
 *   all of them if it alters several.
 */
const MIGRATIONS = [
  '0011-baseline.sql',
  '0012-queue-counts.sql',
  '0013-hot-updates.sql',
  '0014-history.sql',
  '0015-history-taken.sql',
  '0016-priority.sql',
  '0017-priority-indexes.sql',
  '0018-pools.sql',
  '0019-pools-index.sql',
  '0020-reuse.sql',
  '0021-reuse-index.sql',
  '0022-series.sql',
  '0023-series-indexes.sql',
  '0024-ended-deliveries.sql',
  '0025-series-codes.sql',
  '0026-series-deliveries.sql',
  '0027-metadata-of-all.sql',
  '0028-credits.sql',
  '0029-failing-endpoints.sql',
]

/** The version that this program writes. */
export const VERSION = FIRST + MIGRATIONS.length - 1

/** As `SHOW server_version_num` has it. */
export const LEAST_SERVER = 140_000
/** A step may make an index of millions of rows. */
const MIGRATION_MS = 6 * 3_600_000
/**
 * How long a step waits for its locks, and everybody else behind it. Then it lets go, and tries again after a pause. It
 * is less than the server's `deadlock_timeout` (1 s): of a deadlock the step is the victim, and never a client.
 */
const LOCK_MS = 500
const PAUSE_MS = 1_000
/** How long a step tries. A backup that runs holds a lock on every table. */
const PATIENCE_MS = 600_000
/** How soon a replica asks again whether the one that fills has died. */
const FILL_AGAIN_MS = 5_000

type Kind = 'transaction' | 'concurrently' | 'fill'
interface Step {
  name: string
  version: number
  sql: string
  kind: Kind
}

const kindOf = (sql: string): Kind =>
  (['concurrently', 'fill'] as const).find((kind) => sql.startsWith(`-- ${kind}`)) ?? 'transaction'

const stepsOf = (later: readonly string[]): Step[] =>
  [
    ...MIGRATIONS.map((name) => ({ name, sql: readFileSync(new URL(name, import.meta.url), 'utf8') })),
    ...later.map((sql, n) => ({ name: `later step ${n + 1}`, sql })),
  ].map(({ name, sql }, n) => ({ name, version: FIRST + n, sql, kind: kindOf(sql) }))

const SERVER = `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`

const checkServer = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ version: number; encoding: string }>(SERVER)
  const { version = 0, encoding = 'unknown' } = rows[0] ?? {}
  if (version < LEAST_SERVER)
    throw new Error(`PostgreSQL 14 or newer is needed; this is ${Math.floor(version / 10_000)}`)
  if (encoding !== 'UTF8') throw new Error(`the database is encoded in ${encoding}: create one with ENCODING 'UTF8'`)
}

/** 0: there is none. */
const versionOf = async (client: PoolClient): Promise<number> => {
  const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass('schema_version') IS NOT NULL AS found`)
  if (rows[0]?.found !== true) return 0
  return (
    (await client.query<{ version: number }>('SELECT max(version) AS version FROM schema_version')).rows[0]?.version ??
    0
  )
}

/** What the schema lacks. Throws if this program cannot use it. */
const lacking = async (client: PoolClient, steps: readonly Step[]): Promise<Step[]> => {
  await checkServer(client)
  const version = await versionOf(client)
  const latest = FIRST + steps.length - 1
  const known = `the store has schema version ${version}, this program knows ${FIRST} to ${latest}`
  if (version > latest) throw new Error(`${known}: a newer Talkbridge wrote it; start that one`)
  if (version > 0 && version < FIRST) {
    throw new Error(`${known}: a development version wrote it, before the first release; begin with a new schema`)
  }
  return steps.filter((step) => step.version > version)
}

const slowly = (client: PoolClient, text: string, values: string[] = []) => {
  const slow = { text, values, query_timeout: MIGRATION_MS }
  return asked(client.query<{ last: string | null }>(slow))
}

const record = async (client: PoolClient, version: number): Promise<void> => {
  await client.query('INSERT INTO schema_version VALUES ($1)', [version])
}

/**
 * Brings a schema without rows, or that does not exist, to this program's version: all steps in the caller's
 * transaction, who undoes it if this throws.
 */
export const migrateWithin = async (
  client: PoolClient,
  schema: string,
  later: readonly string[] = [],
): Promise<void> => {
  for (const key of lockKeys(schema, new Set(['schema']))) await client.query(`SELECT pg_advisory_xact_lock(${key})`)
  const due = await lacking(client, stepsOf(later))
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS found', [schema])
  // Not IF NOT EXISTS: that needs the right to create one even where it exists. The name is checked by the configuration.
  if (rows[0]?.found !== true) await client.query(`CREATE SCHEMA "${schema}"`)
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)')
  await client.query('SET LOCAL statement_timeout TO 0')
  for (const { sql, kind } of due) {
    if (kind !== 'fill') await slowly(client, sql.replaceAll(' CONCURRENTLY', ''))
  }
  const last = due.at(-1)
  if (last) await record(client, last.version)
}

/** It waited for a lock in vain, or was the victim of a deadlock. */
const isHeldUp = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(codeOf(error instanceof QueryFailed ? error.cause : error))

const OLDEST = `SELECT coalesce(nullif(application_name, ''), backend_type, 'a client') AS name, pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY xact_start LIMIT 1`

/** Tries until it has its locks. Between two tries, those who waited behind it continue. */
const patiently = async <T>(
  client: PoolClient,
  { name, patienceMs }: { name: string; patienceMs: number },
  attempt: () => Promise<T>,
): Promise<T> => {
  const untilMs = performance.now() + patienceMs
  for (;;) {
    try {
      return await attempt()
    } catch (cause) {
      if (!isHeldUp(cause)) throw cause
      await client.query('ROLLBACK')
      if (performance.now() > untilMs) {
        const { rows } = await client.query<{ name: string; pid: number }>(OLDEST)
        const whose = rows[0] ? `; the oldest is of ${rows[0].name} (pid ${rows[0].pid})` : ''
        throw new Error(
          `${name} waited ${patienceMs / 1_000} s for locks that other sessions hold${whose}. Wait for it or end it, and start again`,
          { cause },
        )
      }
      await sleep(PAUSE_MS)
    }
  }
}

/** Of the session: it ends with the connection. */
const lock = async (client: PoolClient, schema: string, name: string): Promise<void> => {
  for (const key of lockKeys(schema, new Set([name]))) await client.query(`SELECT pg_advisory_lock(${key})`)
}

const INDEX = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?(\w+)/
const IS_VALID = 'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)'

/** Makes what is not there. An index that a crash left half made takes part in every write, and in no read. */
const runConcurrently = async (client: PoolClient, sql: string): Promise<void> => {
  for (const statement of sql.split(/;\s*$/m)) {
    const name = INDEX.exec(statement)?.[1]
    const { rows } = await client.query<{ valid: boolean }>(IS_VALID, [name ?? null])
    if (rows[0]?.valid === false) await slowly(client, `DROP INDEX CONCURRENTLY ${name}`)
    if (rows[0]?.valid !== true) await slowly(client, statement)
  }
}

/** Can be done again: after a crash it begins at the first row. */
const runFill = async (client: PoolClient, step: Step, patienceMs: number, signal?: AbortSignal): Promise<void> => {
  for (let last: string | null = ''; last !== null;) {
    const after: string = last
    const { rows } = await patiently(client, { name: step.name, patienceMs }, async () => {
      signal?.throwIfAborted()
      return slowly(client, step.sql, [after])
    })
    last = rows[0]?.last ?? null
  }
  await record(client, step.version)
}

const LOCKED = /^LOCK TABLE ([\w, ]+) IN/m
const LOCKED_OUT = /^LOCK TABLE ([\w, ]+) IN ACCESS EXCLUSIVE/m

/** How long a step waits for the lock of each table: who waits for the first one waits until it has the last. */
const lockMsOf = (sql: string): number => Math.floor(LOCK_MS / (LOCKED_OUT.exec(sql)?.[1]?.split(',').length ?? 1))

/**
 * Of autovacuum the server asks to make room, but only for one who has waited as long as `deadlock_timeout`. With this
 * lock neither readers nor writers wait meanwhile.
 */
const lockOutVacuum = async (client: PoolClient, tables: string, patienceMs: number): Promise<void> => {
  await slowly(client, `SET LOCAL lock_timeout TO ${patienceMs}; LOCK TABLE ${tables} IN SHARE UPDATE EXCLUSIVE MODE`)
}

const runStep = async (client: PoolClient, { sql, kind, version }: Step, patienceMs: number): Promise<void> => {
  // Making an index keeps nobody waiting: it may itself wait for everybody's transactions.
  const lockMs = kind === 'concurrently' ? patienceMs : LOCK_MS
  await client.query(`SET lock_timeout TO ${lockMs}`)
  if (kind === 'concurrently') await runConcurrently(client, sql)
  await client.query('BEGIN')
  if (kind === 'transaction') {
    const tables = LOCKED.exec(sql)?.[1]
    if (tables !== undefined) await lockOutVacuum(client, tables, patienceMs)
    await client.query(`SET LOCAL lock_timeout TO ${lockMsOf(sql)}`)
    await slowly(client, sql)
  }
  await record(client, version)
  await client.query('COMMIT')
}

/**
 * Brings the schema to this program's version: of several processes that start, one does it. A new schema is made in
 * one transaction. Another is in use: each step is recorded as it is done, and one that was interrupted continues at the
 * next start. Throws if a newer program wrote it, the server is too old, a step fails, or other sessions hold locks for
 * longer than `patienceMs`. `later`: steps of a version that is still to come, as tests have them. Answers null if the
 * schema is new, or lacks nothing.
 */
export const migrate = async (
  pool: Pool,
  schema: string,
  later: readonly string[] = [],
  patienceMs = PATIENCE_MS,
): Promise<Migrated | null> => {
  const client = await pool.connect()
  try {
    await client.query(`SET lock_timeout TO ${LOCK_MS}; SET statement_timeout TO 0`)
    const name = 'the schema: another process changes it, or copies a store into it: this one'
    await patiently(client, { name, patienceMs }, () => lock(client, schema, 'schema'))
    const due = await lacking(client, stepsOf(later))
    if (due[0]?.version === FIRST) {
      await client.query('BEGIN')
      await migrateWithin(client, schema, later)
      await client.query('COMMIT')
      return null
    }
    const last = due.findLastIndex(({ kind }) => kind !== 'fill')
    for (const step of due.slice(0, last + 1)) {
      if (step.kind === 'fill') await runFill(client, step, patienceMs)
      else await patiently(client, { name: step.name, patienceMs }, () => runStep(client, step, patienceMs))
    }
    const [done, to] = [due[0], due[last]]
    return done && to ? { from: done.version - 1, to: to.version } : null
  } finally {
    // Closing the connection undoes what is not committed, and gives the lock and the settings back.
    client.release(true)
  }
}

/**
 * Runs the steps that `migrate` left for after the start, while all serve: on one connection of one replica, which the
 * next one follows if it dies. Resolves when they are done, or `signal` aborts.
 */
export const fill = async (
  pool: Pool,
  schema: string,
  { later = [], signal, onError }: { later?: readonly string[]; signal: AbortSignal; onError: (error: Error) => void },
): Promise<void> => {
  const steps = stepsOf(later)
  const fills = steps.slice(steps.findLastIndex(({ kind }) => kind !== 'fill') + 1)
  const once = async (client: PoolClient): Promise<void> => {
    await client.query(`SET lock_timeout TO ${LOCK_MS}; SET statement_timeout TO 0`)
    await lock(client, schema, 'fill')
    const version = await versionOf(client)
    for (const step of fills) if (step.version > version) await runFill(client, step, PATIENCE_MS, signal)
  }
  while (fills.length > 0 && !signal.aborted) {
    try {
      const client = await pool.connect()
      return await once(client).finally(() => client.release(true))
    } catch (error) {
      if (signal.aborted) return
      if (!isHeldUp(error)) onError(error instanceof Error ? error : new Error('filling failed', { cause: error }))
    }
    await sleep(FILL_AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }
}
