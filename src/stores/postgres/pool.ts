import { types as parsers, Pool, type PoolClient, type QueryConfig } from 'pg'
import { codeOf } from '../../core/errors.ts'
import type { Db, Row, Value } from '../sql/db.ts'

/** SQLSTATEs (PostgreSQL, appendix A) after which the same transaction may succeed. */
const CONFLICTS = new Set(['40001', '40P01'])
/** The server ended the session, or takes none now: a new connection may succeed. */
const SESSION_ENDED = new Set(['25P03', '57P01', '57P02', '57P03', '57P05'])

/**
 * Why a statement failed. `conflict`: two transactions were in each other's way, and this one was undone.
 * `disconnected`: the connection is gone, and what was under way may be done or not. `refused`: the server said no.
 */
type FailureKind = 'conflict' | 'disconnected' | 'refused'

/** An SQLSTATE; a code of the system has no digit (`EPIPE`). */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

/** There is no such table. */
export const isMissing = (cause: unknown): boolean => codeOf(cause) === '42P01'

const kindOf = (cause: unknown): FailureKind => {
  const code = codeOf(cause)
  if (CONFLICTS.has(code)) return 'conflict'
  const isAnswer = SQLSTATE.test(code)
  return !isAnswer || code.startsWith('08') || SESSION_ENDED.has(code) ? 'disconnected' : 'refused'
}

/** A statement failed, in contrast to the code around it. */
export class QueryFailed extends Error {
  readonly kind: FailureKind
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the statement failed', { cause })
    this.kind = kindOf(cause)
  }
}

/** A full disk, a lock or a statement that took too long, a server that only reads: whatever is needed of it then. */
const OF_THE_SERVER = /^(53...|55P03|57014|25006)$/

/** Whether other writes would fail alike, and perhaps after as long. */
export const isOfServer = (error: unknown): boolean =>
  error instanceof QueryFailed && (error.kind === 'disconnected' || OF_THE_SERVER.test(codeOf(error.cause)))

const ENDED_BY_TIME = /^(55P03|57014)$/

/** The server ended a statement, or its wait for a lock, for the time that it took. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof QueryFailed && ENDED_BY_TIME.test(codeOf(error.cause))

export const failureOf = (error: unknown): FailureKind | null => (error instanceof QueryFailed ? error.kind : null)

/** Runs a call of the library; what it rejects with becomes a `QueryFailed`. */
export const asked = async <T>(query: Promise<T>): Promise<T> => {
  try {
    return await query
  } catch (cause) {
    // The row that failed, or its values: texts and URLs of clients, which no log may hold.
    if (cause instanceof Error)
      for (const told of ['detail', 'where', 'internalQuery']) Reflect.deleteProperty(cause, told)
    throw new QueryFailed(cause)
  }
}

/** A statement of the shared verbs, as PostgreSQL takes it. Prepared once a connection, under its name. */
interface Statement {
  name: string
  text: string
}

/** What only guides SQLite's planner. */
const HINTS = / INDEXED BY \w+|\+(?=d\.)/g
/** What only guides this engine's planner. */
const OPENED = /\/\*postgres (.*?) \*\//gs
const PLACEHOLDER = /\?(\d*)/g

/** `?` and `?1` as `$1`. No statement has a question mark in a text. */
const translate = (sql: string): string => {
  let last = 0
  return sql
    .replace(HINTS, '')
    .replace(OPENED, ' $1 ')
    .replace(PLACEHOLDER, (_, given: string) => {
      last = given === '' ? last + 1 : Number(given)
      return `$${last}`
    })
}

const statements = new Map<string, Statement>()

const statementOf = (sql: string): Statement => {
  const known = statements.get(sql)
  if (known) return known
  const made = { name: `s${statements.size}`, text: translate(sql) }
  statements.set(sql, made)
  return made
}

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

interface PoolOptions {
  url: string
  schema: string
  /** Connections at most. */
  size: number
  onError: (error: Error) => void
}

const OPTIONS = 'options'

/** The URL without its own `options`, which the library would read place of ours; and these. */
const withoutOptions = (url: string): { url: string; given: readonly string[] } => {
  const parsed = URL.parse(url)
  const given = parsed?.searchParams.getAll(OPTIONS) ?? []
  if (!parsed || given.length === 0) return { url, given: [] }
  parsed.searchParams.delete(OPTIONS)
  return { url: parsed.href, given }
}

/**
 * Connections to the database. Those that idle are watched: an error of one is reported, and the next use opens
 * another.
 */
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
  // One that is in use reports the one that asks; without a listener it would end the process as well.
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
