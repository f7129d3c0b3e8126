import type { PoolClient } from 'pg'
import { randomUUID } from 'node:crypto'
import { int, type Kind, type Shape, shapeOf, type Value } from '../sql/db.ts'
import { asked, bound, createPool, dbOf, failureOf, refusePooler } from './pool.ts'
import { migrateWithin } from './schema.ts'
import { NOW } from './time.ts'
import { isCommitted, type Mark, markSql, slotSql } from './transaction.ts'

/** The schema that a connection works in, as the server knows it. */
interface Catalog {
  shape: Shape
  /** The columns that number rows by themselves, by table. */
  identities: ReadonlyMap<string, string>
}

const VERSION_TABLE = 'schema_version'

const KINDS: Readonly<Record<string, Kind>> = { text: 'text', bigint: 'integer', 'double precision': 'real' }
/** What holds rows or shows some: tables, views, foreign tables. */
const RELATIONS = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname`
const COLUMNS = `
  SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type, a.attidentity <> '' AS identity
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($2)
    AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`

const catalogOf = async (client: PoolClient, schema: string): Promise<Catalog> => {
  const { rows: columns } = await asked(
    client.query<{ table: string; column: string; type: string; identity: boolean }>(COLUMNS, [
      schema,
      [VERSION_TABLE, 'commits'],
    ]),
  )
  const typed = columns.map(({ table, column, type }) => {
    const kind = KINDS[type]
    if (kind === undefined) throw new Error(`column ${table}.${column} is ${type}, which cannot be copied`)
    return { table, column, kind }
  })
  const numbering = columns.filter(({ identity }) => identity)
  return {
    shape: shapeOf(typed),
    identities: new Map(numbering.map(({ table, column }) => [table, column])),
  }
}

/** The schema cannot take a copy as it is. */
export class CopyRefused extends Error {}
/**
 * The connection was lost while the transaction was being committed, and the server does not return to say how it
 * ended.
 */
export class OutcomeUnknown extends Error {}

/** A page of the source is read within the transaction, perhaps from a slow disk. */
const IDLE_MS = 300_000
/** How long a server may take to come back and say what became of the commit. */
const ASK_MS = 60_000

const TYPES: Readonly<Record<Kind, string>> = { text: 'text', integer: 'bigint', real: 'double precision' }

/** The names are of the catalogue. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const run = async (client: PoolClient, statements: readonly string[]): Promise<void> => {
  if (statements.length > 0) await asked(client.query(statements.join('; ')))
}

const refuse = (schema: string, holds: string): never => {
  throw new CopyRefused(
    `schema ${schema} ${holds}: name another with --schema, or, if nobody needs it, remove it with DROP SCHEMA ${schema} CASCADE`,
  )
}

/** Locked, so that no gateway can start on it meanwhile; and empty. */
const secure = async (client: PoolClient, schema: string, tables: readonly string[]): Promise<void> => {
  await run(
    client,
    tables.map((table) => `ALTER TABLE ${quoted(table)} DISABLE TRIGGER USER`),
  )
  for (const table of tables) {
    const { rows } = await asked(client.query(`SELECT 1 FROM ${quoted(table)} LIMIT 1`))
    if (rows.length > 0) refuse(schema, `holds a store already (there are rows in ${table})`)
  }
}

const prepare = async (client: PoolClient, schema: string): Promise<Catalog> => {
  await run(client, [`SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`])
  const { rows: found } = await asked(client.query<{ name: string }>(RELATIONS, [schema]))
  const [first] = found
  if (first && !found.some(({ name }) => name === VERSION_TABLE))
    refuse(schema, `holds what is not ours (${first.name})`)
  await migrateWithin(client, schema)
  const catalog = await catalogOf(client, schema)
  await secure(client, schema, [...catalog.shape.keys()])
  return catalog
}

/** An empty store in a transaction that nobody else sees. Its triggers do not count what is put in. */
const targetOf = (client: PoolClient, catalog: Catalog, nowMs: number) => ({
  ...catalog,
  /** The database's time, milliseconds since the Unix epoch. */
  nowMs,
  /** How these values are read back: without what PostgreSQL cannot keep. */
  kept: (row: readonly Value[]): Value[] => row.map(bound),
  async put(table: string, columns: ReadonlyMap<string, Kind>, rows: readonly Value[][]): Promise<void> {
    const names = [...columns.keys()].map(quoted).join(', ')
    const lists = [...columns.values()].map((kind, n) => `$${n + 1}::${TYPES[kind]}[]`).join(', ')
    const values = [...columns.keys()].map((_, n) => rows.map((row) => row[n] ?? null))
    await asked(client.query(`INSERT INTO ${quoted(table)} (${names}) SELECT * FROM unnest(${lists})`, values))
  },
  /** All rows of a table, `size` at a time. */
  async *pages(table: string, columns: readonly string[], size: number): AsyncGenerator<Value[][]> {
    await run(client, [
      `DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table)}`,
    ])
    for (;;) {
      const { rows } = await asked(
        client.query<Value[]>({ text: `FETCH FORWARD ${Math.floor(size)} FROM copied`, rowMode: 'array' }),
      )
      if (rows.length === 0) break
      yield rows
    }
    await run(client, ['CLOSE copied'])
  },
  /** The next number that a table gives. */
  continueAt: (table: string, column: string, next: number): Promise<void> =>
    run(client, [`ALTER TABLE ${quoted(table)} ALTER COLUMN ${quoted(column)} RESTART WITH ${Math.floor(next)}`]),
  /** Puts the triggers in force again. Then the planner learns what there is. */
  async finish(): Promise<void> {
    const tables = [...catalog.shape.keys()].map(quoted)
    await run(
      client,
      tables.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
    )
    await run(
      client,
      tables.map((table) => `ANALYZE ${table}`),
    )
  },
})
export type CopyTarget = ReturnType<typeof targetOf>

/**
 * Runs `work` on an empty store of this version, in one transaction: when this resolves all of it is there, when it
 * rejects, or the process dies, nothing is, not even the schema if there was none. Needs no more rights than a gateway.
 */
export const withCopyTarget = async <T>(
  { url, schema }: { url: string; schema: string },
  work: (target: CopyTarget) => Promise<T>,
): Promise<T> => {
  await refusePooler({ url, schema })
  const pool = createPool({ url, schema, size: 1, onError: () => undefined })
  try {
    const client = await asked(pool.connect())
    // One that breaks between two statements says so here; the next statement rejects.
    client.on('error', () => undefined)
    let mark: Mark
    let value: T
    try {
      await run(client, ['BEGIN ISOLATION LEVEL READ COMMITTED'])
      const catalog = await prepare(client, schema)
      const nowMs = int((await dbOf(client).get(NOW)) ?? {}, 'now_ms')
      mark = { slot: `copy-${randomUUID()}`, n: 1, atMs: nowMs }
      await run(client, [slotSql(mark), markSql(mark, { locks: [], durable: true })])
      value = await work(targetOf(client, catalog, nowMs))
    } catch (error) {
      // Closing the connection undoes it.
      client.release(true)
      throw error
    }
    try {
      await asked(client.query('COMMIT'))
      client.release()
    } catch (error) {
      client.release(true)
      if (failureOf(error) !== 'disconnected') throw error
      const committed = await isCommitted(pool, mark, AbortSignal.timeout(ASK_MS)).catch((cause: unknown) => {
        throw new OutcomeUnknown('the connection was lost at the very end', { cause })
      })
      if (!committed) throw error
    }
    return value
  } finally {
    await pool.end()
  }
}
