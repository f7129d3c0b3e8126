import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types as parsers } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { codeOf } from '../../core/errors.ts'
import { type Db, type Row, STEPS, type Value } from '../sql/db.ts'

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
 * How long things may take, in milliseconds. The server ends a statement (`statement`) before the gateway stops waiting
 * for its answer (`answer`): a connection that has said nothing by then is silent, and no slow server.
 */
export const LIMITS_MS = {
  read: { lock: 3_000, statement: 3_000, answer: 4_000 },
  write: { lock: 4_000, statement: 4_000, answer: 5_000 },
  /** What goes through whole tables. */
  long: { lock: 15_000, statement: 30_000, answer: 40_000 },
}
type Limits = (typeof LIMITS_MS)[keyof typeof LIMITS_MS]

const CONNECT_MS = 5_000
/** A process that stalls in the middle of a transaction holds its locks for so long; then the server ends it. */
const IDLE_IN_TRANSACTION_MS = 5_000

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

/** Which database, as whom, and which schema of it. */
export interface Place {
  /** `postgres://user:password@host:port/database`. */
  url: string
  schema: string
  /** Holds the password in place of the URL, and is read for each connection: it may change. Null: none. */
  passwordFile?: string | null | undefined
  /** What the server lists the connection as. */
  as?: string
}

type Setting = readonly [name: string, value: string]

/** A setting in the `options` of a URL: `-c name=value`, `--name=value`. */
const GIVEN = /(?:^|\s)(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/gs

/** As `current_setting` shows them. */
const settingsOf = (schema: string, { lock, statement }: Limits): Setting[] => [
  ['search_path', `"${schema}"`],
  // Every statement meets few rows: to compile it, or to share it among processes, takes longer than to run it.
  ['jit', 'off'],
  ['max_parallel_workers_per_gather', '0'],
  ['idle_in_transaction_session_timeout', `${IDLE_IN_TRANSACTION_MS / 1_000}s`],
  ['lock_timeout', `${lock / 1_000}s`],
  ['statement_timeout', `${statement / 1_000}s`],
]

const POOLER =
  'a connection pooler loses the settings of a connection: set it to session mode (PgBouncer: pool_mode = session)'
/** The code is for who does not load this file. */
const poolerRefused = (): Error => Object.assign(new Error(POOLER), { code: 'pooler' })

/** The names of settings, and their values. */
const columns = (list: readonly Setting[]) => [list.map(([name]) => name), list.map(([, value]) => value)]
const SET = 'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s (name, value)'
const LOST = 'SELECT name FROM unnest($1::text[], $2::text[]) AS s (name, value) WHERE current_setting(name) <> value'

/** How a connection is made, and what it is set to then. A pooler in between may refuse, or drop, `options`. */
export const connectionOf = ({ url, schema, passwordFile, as = 'talkbridge' }: Place, limits: Limits) => {
  const { options = '', ...parsed } = parseIntoClientConfig(url)
  const given = [...options.matchAll(GIVEN)].map(([, name = '', value = '']): Setting => [
    name.replaceAll('-', '_'),
    value.replaceAll(/\\(.)/gs, '$1'),
  ])
  const rest = options.replaceAll(GIVEN, '').trim()
  const ours = settingsOf(schema, limits)
  const config: ClientConfig = {
    ...parsed,
    ...(rest !== '' && { options: rest }),
    ...(passwordFile && { password: async () => (await readFile(passwordFile, 'utf8')).trimEnd() }),
    application_name: as,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: limits.answer,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types,
  }
  return {
    config,
    /** Of two, the later one holds. Rejects if they do not last. */
    async adjust(client: ClientBase): Promise<void> {
      await client.query(SET, columns([...given, ...ours]))
      const { rows } = await client.query(LOST, columns(ours))
      if (rows.length > 0) throw poolerRefused()
    },
  }
}

const PID = 'SELECT pg_backend_pid() AS pid'
/** A pooler gives out its connections in turn, or the last one first. */
const ROUNDS = 3

/**
 * Rejects unless each of two connections is one of the server, and stays the same: a transaction on the one takes from
 * the other what a pooler lends it for a statement.
 */
export const refusePooler = async (place: Place): Promise<void> => {
  const { config, adjust } = connectionOf(place, LIMITS_MS.read)
  const [one, other] = [new Client(config), new Client(config)]
  const pid = async (client: Client) => (await client.query<{ pid: number }>(PID)).rows[0]?.pid
  try {
    for (const client of [one, other]) {
      client.on('error', () => undefined)
      await client.connect()
      await adjust(client)
    }
    for (let n = 0; n < ROUNDS; n += 1) {
      const first = await pid(one)
      // In turn: two statements get two connections. The last one first: the other's transaction takes it.
      if ((await pid(one)) !== first) throw poolerRefused()
      await other.query('BEGIN')
      if ((await pid(other)) === first || (await pid(one)) !== first) throw poolerRefused()
      await other.query('COMMIT')
    }
  } finally {
    await Promise.allSettled([one.end(), other.end()])
  }
}

interface PoolOptions extends Place {
  /** Connections at most. */
  size: number
  limits?: Limits
  onError: (error: Error) => void
}

/**
 * Connections to the database. Those that idle are watched: an error of one is reported, and the next use opens
 * another.
 */
export const createPool = ({ size, limits = LIMITS_MS.long, onError, ...place }: PoolOptions): Pool => {
  const { config, adjust } = connectionOf(place, limits)
  // It is awaited: the types of the library do not say so.
  const hook = { onConnect: adjust }
  const pool = new Pool({ ...config, ...hook, max: size })
  pool.on('error', onError)
  // One that is in use reports the one that asks; without a listener it would end the process as well.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** How long somebody who met a silent connection waits for new ones, in milliseconds. */
const RENEWED_MS = 1_000

/**
 * What to do after a connection that was lost without a word: the others may be as silent as that one, and each would
 * cost its whole limit. If a new one answers, those that idle are dropped. Never rejects.
 */
export const createRenewal = (place: Place, pools: readonly Pool[]) => {
  const { config } = connectionOf(place, LIMITS_MS.read)
  let asking: Promise<void> | null = null
  const drop = async (pool: Pool): Promise<void> => (await pool.connect()).release(true)
  const ask = async (): Promise<void> => {
    const client = new Client(config)
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('SELECT 1')
      for (const pool of pools) for (let n = pool.idleCount; n > 0; n -= 1) void drop(pool).catch(() => undefined)
    } finally {
      asking = null
      void client.end().catch(() => undefined)
    }
  }
  return async (error: unknown): Promise<void> => {
    // The system, or the server, says why otherwise.
    if (!(error instanceof QueryFailed) || error.kind !== 'disconnected' || codeOf(error.cause) !== '') return
    // If the server is away, the next statement reports that.
    asking ??= ask().catch(() => undefined)
    await Promise.race([asking, sleep(RENEWED_MS, undefined, { ref: false })])
  }
}
export type Renewal = ReturnType<typeof createRenewal>

/** PostgreSQL keeps no NUL in a text, and a receiver may answer with one. Its whole numbers end before infinity. */
export const bound = (value: Value): Value => {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  return value === Infinity ? Number.MAX_SAFE_INTEGER : value
}

const query = (sql: string, values: readonly Value[], query_timeout: number | undefined) => ({
  ...statementOf(sql),
  values: values.map(bound),
  query_timeout,
})

type Connection = Pick<Pool | PoolClient, 'query'>

/** What the verbs ask of an engine, over one connection or over the pool. `answerMs`: its limit, if another. */
export const dbOf = (on: Connection, answerMs?: number): Db => {
  const rows = async (sql: string, values: readonly Value[]): Promise<Row[]> =>
    (await asked(on.query<Row>(query(sql, values, answerMs)))).rows
  return {
    get: async (sql, ...values) => (await rows(sql, values))[0],
    after: (...steps) => {
      const tables = steps.slice(0, -1).map(({ sql }, n) => `${STEPS[n]} AS (${sql})`)
      const values = steps.flatMap((step) => step.values)
      return rows(`WITH ${tables.join(', ')} ${steps.at(-1)?.sql}`, values)
    },
    all: (sql, ...values) => rows(sql, values),
    run: async (sql, ...values) => (await asked(on.query(query(sql, values, answerMs)))).rowCount ?? 0,
  }
}
