import type { PostgresFacts } from '../../stores/inspect.ts'
import type { Check } from './context.ts'
import { aheadText, codeOf, findings, spanText, wordsOf, type Finding, type Rows } from './findings.ts'

export const POSTGRES_ROWS = {
  postgres_ok: { level: 'ok', means: 'The database can be used.', advice: null },
  postgres_served: { level: 'ok', means: 'A running gateway is connected to the database.', advice: null },
  postgres_new: { level: 'ok', means: 'The schema has no store yet. The first start creates it.', advice: null },
  postgres_restored: {
    level: 'fault',
    means: 'The store is on another server than before: it may be a restored copy. The gateway refuses to start on it.',
    advice:
      'If you restored a backup, start one replica once with `serve --restored`. If nothing was lost, see [replicas](replicas.md#backup).',
  },
  postgres_older: {
    level: 'fault',
    means: 'A development version wrote the store, before the first release. This version refuses to start on it.',
    advice: 'Begin with a new schema (`store.schema`).',
  },
  postgres_newer: {
    level: 'fault',
    means: 'A newer Talkbridge wrote the store. This version refuses to start on it.',
    advice: 'Start the newer version, or restore the backup from before the upgrade.',
  },
  postgres_unreachable: {
    level: 'fault',
    means: 'The database server of `store.url` does not answer, or its name does not resolve.',
    advice: 'Start the server, or correct host and port of `store.url`. Check the firewall between them.',
  },
  postgres_refused: {
    level: 'fault',
    means: 'The server refuses the user or the password of `store.url`.',
    advice: 'Correct user and password; percent-encode special characters, such as / as %2F. Check pg_hba.conf.',
  },
  postgres_no_database: {
    level: 'fault',
    means: 'The server has no database with this name.',
    advice: "Create it (`CREATE DATABASE … ENCODING 'UTF8'`), or correct the name in `store.url`.",
  },
  postgres_failed: {
    level: 'fault',
    means: 'The server answered with another error.',
    advice: 'Follow the message. The log of the server has more.',
  },
  postgres_too_old: {
    level: 'fault',
    means: 'The server is older than PostgreSQL 14.',
    advice: 'Upgrade the server to PostgreSQL 14 or newer.',
  },
  postgres_encoding: {
    level: 'fault',
    means: 'The database is not encoded in UTF8. It cannot store the texts of videos.',
    advice: "Create a database with `ENCODING 'UTF8'`, and set it in `store.url`.",
  },
  postgres_rights: {
    level: 'fault',
    means: 'The user may not create or use the schema `store.schema`.',
    advice: 'Make the user the owner of the schema, or grant it `CREATE` on the database.',
  },
  postgres_read_only: {
    level: 'fault',
    means: 'The server is a replica or read-only. The gateway cannot write to it.',
    advice: 'Set the primary server in `store.url`, or set `default_transaction_read_only` to off.',
  },
  postgres_connections: {
    level: 'warning',
    means: 'The server allows this user too few connections for two gateways. A rolling restart needs two.',
    advice: 'Raise `max_connections` (or the limit of the user or database), or lower `store.pool`.',
  },
  postgres_commits: {
    level: 'warning',
    means: '`synchronous_commit` is off: a crash of the server loses videos that clients got a 202 for.',
    advice: 'Set `synchronous_commit` to on for this database.',
  },
  postgres_fsync: {
    level: 'warning',
    means: '`fsync` is off: a power cut can destroy the database.',
    advice: 'Set `fsync` to on in postgresql.conf.',
  },
  postgres_clock: {
    level: 'warning',
    means: 'The clocks of this machine and of the database differ. All replicas use the database’s clock.',
    advice: 'Synchronize both machines with NTP.',
  },
  postgres_slow: {
    level: 'hint',
    means: 'One query takes more than 100 ms. Every client request needs several queries.',
    advice: 'Run the gateway near the database.',
  },
} as const satisfies Rows
const say = findings(POSTGRES_ROWS)

const SLOW_MS = 100
const CLOCK_MS = 2_000

const serverFindings = (facts: PostgresFacts, pool: number): Finding[] => {
  const on = (isSo: boolean, code: keyof typeof POSTGRES_ROWS, found: string): Finding[] =>
    isSo ? [say(code, 'store.url', found)] : []
  const { version, leastVersion, encoding, isReplica, isReadOnly, connections, synchronousCommit, fsync, tookMs } =
    facts
  return [
    ...on(version < leastVersion, 'postgres_too_old', `PostgreSQL ${Math.floor(version / 10_000)}`),
    ...on(encoding !== 'UTF8', 'postgres_encoding', `the database is encoded in ${encoding}`),
    ...on(isReplica || isReadOnly, 'postgres_read_only', isReplica ? 'it is a replica' : 'its transactions only read'),
    ...on(connections < 2 * pool, 'postgres_connections', `${connections} connections; two gateways open ${2 * pool}`),
    ...on(synchronousCommit === 'off', 'postgres_commits', 'synchronous_commit is off'),
    ...on(fsync === 'off', 'postgres_fsync', 'fsync is off'),
    ...on(tookMs > SLOW_MS, 'postgres_slow', `a question took ${spanText(tookMs)}`),
  ]
}

const schemaFindings = ({ schema, store, isServed, copyFault }: PostgresFacts, name: string): Finding[] => {
  const served = isServed ? [say('postgres_served', 'store.url', 'a gateway is connected')] : []
  if (!schema.mayUse || !schema.mayCreate) {
    const lacks = schema.exists
      ? `no right to ${schema.mayUse ? 'create in' : 'use'} schema ${name}`
      : `no right to create schema ${name}`
    return [...served, say('postgres_rights', 'store.schema', lacks)]
  }
  if (store === null) return [...served, say('postgres_new', 'store.schema', `schema ${name} holds no store yet`)]
  const versions = `schema version ${store.version} of ${store.known}`
  if (store.version > store.known)
    return [...served, say('postgres_newer', 'store.schema', `${name}: ${versions} that are known`)]
  if (store.version < store.oldest) return [...served, say('postgres_older', 'store.schema', `${name}: ${versions}`)]
  return [...served, ...(copyFault === null ? [] : [say('postgres_restored', 'store.url', copyFault)])]
}

/** What is said of the database. Pure. */
export const postgresFindings = (
  facts: PostgresFacts,
  { pool, schema }: { pool: number; schema: string },
  wallMs: number,
): Finding[] => {
  const offMs = facts.nowMs - wallMs
  const clock =
    Math.abs(offMs) > CLOCK_MS + facts.tookMs
      ? [say('postgres_clock', 'store.url', `the database's clock is ${aheadText(offMs)} this machine's`)]
      : []
  const all = [...serverFindings(facts, pool), ...schemaFindings(facts, schema), ...clock]
  const isFine = all.every(({ level }) => level === 'ok' || level === 'hint')
  const version = `PostgreSQL ${Math.floor(facts.version / 10_000)}, ${facts.connections} connections`
  return isFine ? [say('postgres_ok', 'store.url', version), ...all] : all
}

/** By SQLSTATE (PostgreSQL, appendix A), else nobody answered. */
const refusal = (error: unknown): keyof typeof POSTGRES_ROWS => {
  const code = codeOf(error)
  if (code.startsWith('28')) return 'postgres_refused'
  if (code === '3D000') return 'postgres_no_database'
  return /^[0-9A-Z]{5}$/.test(code) ? 'postgres_failed' : 'postgres_unreachable'
}

const passwordOf = (url: string | null): string | null => {
  const password = URL.parse(url ?? '')?.password ?? ''
  try {
    return decodeURIComponent(password) || null
  } catch {
    return password
  }
}

/** Version, encoding, rights, connections, settings, clock and schema, by one connection that only reads. */
export const postgresCheck: Check = {
  name: 'postgres',
  async run({ config, store, wall }) {
    const look = await store()
    if (look.driver !== 'postgres') return []
    if (look.facts) return postgresFindings(look.facts, config.store, wall())
    const url = config.store.url
    return [say(refusal(look.error), 'store.url', wordsOf(look.error, [url, passwordOf(url)]))]
  },
}
