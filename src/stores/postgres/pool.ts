import { Pool, types as parsers, type PoolClient, type QueryConfig } from 'pg'
import type { Db, Row, Value } from '../sql/db.ts'
import { asked } from './faults.ts'
import { statementOf } from './statements.ts'

/**
 * How long things may take, in milliseconds. A process that stalls in the middle of a transaction holds its locks for
 * `idleInTransaction`; then the server ends it.
 */
export const LIMITS_MS = { connect: 5_000, idleInTransaction: 5_000, lock: 15_000, statement: 30_000, answer: 40_000 }

const INT8 = 20
const NUMERIC = 1700
const PARSED = new Set([INT8, NUMERIC])

/** Whole numbers and sums come as numbers: none is beyond 2⁵³. */
const types = {
  getTypeParser: ((oid, format) =>
    PARSED.has(oid) && format !== 'binary'
      ? Number
      : parsers.getTypeParser(oid, format)) as typeof parsers.getTypeParser,
}

export interface PoolOptions {
  url: string
  schema: string
  /** Connections at most. */
  size: number
  onError: (error: Error) => void
}

const OPTIONS = 'options'

/** The URL without its own `options`, which the library would take in place of ours; and these. */
const withoutOptions = (url: string): { url: string; given: readonly string[] } => {
  const parsed = URL.parse(url)
  const given = parsed?.searchParams.getAll(OPTIONS) ?? []
  if (!parsed || given.length === 0) return { url, given: [] }
  parsed.searchParams.delete(OPTIONS)
  return { url: parsed.href, given }
}

/** Connections to the database. Those that idle are watched: an error of one is told, and the next use opens another. */
export const createPool = ({ url, schema, size, onError }: PoolOptions): Pool => {
  const settings = {
    search_path: schema,
    // Every statement meets few rows: to compile it, or to share it among processes, takes longer than to run it.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    idle_in_transaction_session_timeout: LIMITS_MS.idleInTransaction,
    lock_timeout: LIMITS_MS.lock,
    statement_timeout: LIMITS_MS.statement,
  }
  const { url: connectionString, given } = withoutOptions(url)
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const pool = new Pool({
    connectionString,
    max: size,
    connectionTimeoutMillis: LIMITS_MS.connect,
    query_timeout: LIMITS_MS.answer,
    keepAlive: true,
    application_name: 'talkbridge',
    // Of two, the server takes the later one.
    options: [...given, ...ours].join(' '),
    types,
  })
  pool.on('error', onError)
  // One that is in use tells whoever asks; without a listener it would end the process as well.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** PostgreSQL keeps no NUL in a text, and a receiver may answer with one. Its whole numbers end before infinity. */
export const bound = (value: Value): Value => {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  return value === Infinity ? Number.MAX_SAFE_INTEGER : value
}

const query = (sql: string, values: readonly Value[]): QueryConfig => ({
  ...statementOf(sql),
  values: values.map(bound),
})

type Connection = Pick<Pool | PoolClient, 'query'>

/** What the verbs ask of an engine, over one connection or over the pool. */
export const dbOf = (on: Connection): Db => {
  const rows = async (sql: string, values: readonly Value[]): Promise<Row[]> =>
    (await asked(on.query<Row>(query(sql, values)))).rows
  return {
    get: async (sql, ...values) => (await rows(sql, values))[0],
    all: (sql, ...values) => rows(sql, values),
    run: async (sql, ...values) => (await asked(on.query(query(sql, values)))).rowCount ?? 0,
  }
}
