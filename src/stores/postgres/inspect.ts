import { Client } from 'pg'
import { copyFaultOf } from './index.ts'
import { connectionOf, LIMITS_MS, type Place, refusePooler } from './pool.ts'
import { FIRST, LEAST_SERVER, VERSION } from './schema.ts'

/** What a check of the database says; nothing is written. */
export interface PostgresFacts {
  /** As `SHOW server_version_num` has it; and the oldest that will do. */
  version: number
  leastVersion: number
  encoding: string
  isReplica: boolean
  isReadOnly: boolean
  synchronousCommit: string
  fsync: string
  /** What this user may open in this database immediately: the least of the limits that apply. */
  connections: number
  schema: { exists: boolean; mayUse: boolean; mayCreate: boolean }
  /** Null: no gateway used the schema yet. */
  /** `oldest` to `known`: the versions that this program can read. */
  store: {
    version: number
    oldest: number
    known: number
    secretCheck: string | null
    /** Videos that have not ended. */
    open: readonly { account: string; backend: string; videos: number }[]
  } | null
  /** Why the store may be a restored copy; null: it is not. */
  copyFault: string | null
  /** Gateways are connected. */
  isServed: boolean
  /** Milliseconds since the Unix epoch. */
  nowMs: number
  /** Of one question. */
  tookMs: number
}

const SETTINGS = `
  SELECT current_setting('server_version_num')::int AS version,
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() AS "isReplica",
    current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('fsync') AS fsync,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      -- A superuser is held by neither.
      (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user AND NOT rolsuper),
      (SELECT nullif(datconnlimit, -1) FROM pg_database, pg_roles
        WHERE datname = current_database() AND rolname = current_user AND NOT rolsuper)
    ) AS connections,
    EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'talkbridge'
      AND pid <> pg_backend_pid()) AS "isServed",
    to_regnamespace($1) IS NOT NULL AS exists,
    CASE WHEN to_regnamespace($1) IS NULL THEN has_database_privilege(current_database(), 'CREATE')
      ELSE has_schema_privilege($1, 'USAGE') END AS "mayUse",
    CASE WHEN to_regnamespace($1) IS NULL THEN has_database_privilege(current_database(), 'CREATE')
      ELSE has_schema_privilege($1, 'CREATE') END AS "mayCreate",
    -- Whoever may not use a schema may not even ask what is in it.
    CASE WHEN to_regnamespace($1) IS NULL OR NOT has_schema_privilege($1, 'USAGE') THEN false
      ELSE to_regclass($1 || '.schema_version') IS NOT NULL AND to_regclass($1 || '.meta') IS NOT NULL
      END AS "hasStore"`

const NOW = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms'

type Named =
  'version' | 'encoding' | 'isReplica' | 'isReadOnly' | 'synchronousCommit' | 'fsync' | 'connections' | 'isServed'
type Settings = Pick<PostgresFacts, Named> & PostgresFacts['schema'] & { hasStore: boolean }

const storeIn = async (client: Client, schema: string): Promise<PostgresFacts['store']> => {
  const { rows } = await client.query<{ version: number; secret_check: string | null }>(
    `SELECT (SELECT max(version) FROM "${schema}".schema_version)::int AS version,
      (SELECT value FROM "${schema}".meta WHERE key = 'secret_check') AS secret_check`,
  )
  const row = rows[0]
  if (!row) return null
  const sql = `SELECT account, backend, sum(n)::int AS videos FROM "${schema}".open_videos WHERE n > 0 GROUP BY account, backend`
  const { rows: open } =
    row.version === VERSION
      ? await client.query<{ account: string; backend: string; videos: number }>(sql)
      : { rows: [] }
  return { version: row.version, oldest: FIRST, known: VERSION, secretCheck: row.secret_check, open }
}

const TRIES = 3

/**
 * The quickest of a few questions: a process that was held up says nothing of the server. The time is that of the last.
 */
const quickest = async (client: Client): Promise<Pick<PostgresFacts, 'nowMs' | 'tookMs'>> => {
  let best = { nowMs: 0, tookMs: Infinity }
  for (let n = 0; n < TRIES; n += 1) {
    const beganMs = performance.now()
    const { rows } = await client.query<{ now_ms: number }>(NOW)
    const tookMs = performance.now() - beganMs
    const nowMs = (rows[0]?.now_ms ?? 0) + tookMs / 2
    best = { nowMs, tookMs: Math.min(best.tookMs, tookMs) }
  }
  return best
}

const look = async (client: Client, schema: string): Promise<PostgresFacts> => {
  await client.query('BEGIN READ ONLY')
  const { rows } = await client.query<Settings>(SETTINGS, [schema])
  const [row] = rows
  if (!row) throw new Error('the database answered nothing')
  const { exists, mayUse, mayCreate, hasStore, ...settings } = row
  const store = hasStore && mayUse ? await storeIn(client, schema) : null
  const { nowMs, tookMs } = await quickest(client)
  // What the user may not see fails a transaction.
  await client.query('COMMIT')
  const copyFault = store === null || row.isReplica ? null : await copyFaultOf(client)
  const rights = { exists, mayUse, mayCreate }
  return { ...settings, leastVersion: LEAST_SERVER, schema: rights, store, copyFault, nowMs, tookMs }
}

/**
 * One connection, and one transaction that only reads; before that, two that are compared. Rejects as the library does,
 * or with the code `pooler`.
 */
export const inspectPostgres = async (
  at: Place,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<PostgresFacts> => {
  const place = { ...at, as: 'talkbridge doctor' }
  const { config, adjust } = connectionOf(place, LIMITS_MS.read)
  const client = new Client({ ...config, connectionTimeoutMillis: limitMs, query_timeout: limitMs })
  client.on('error', () => undefined)
  const end = (): void => void client.end().catch(() => undefined)
  signal.addEventListener('abort', end, { once: true })
  try {
    await client.connect()
    await refusePooler(place)
    await adjust(client)
    return await look(client, place.schema)
  } finally {
    signal.removeEventListener('abort', end)
    await client.end().catch(() => undefined)
  }
}
