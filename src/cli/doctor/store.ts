import { readFileSync, statSync, accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { KEY_FILE, parseSecretKey, fitsStore, VARIABLE } from '../../webhooks/secrets.ts'
import {
  type Check,
  type DoctorContext,
  type StoreLook,
  codeOf,
  findings,
  wordsOf,
  type Finding,
  type Rows,
  aheadText,
  spanText,
} from './findings.ts'
import {
  NEEDED_BYTES,
  nearestFolder,
  type SqliteFacts,
  type Volume,
  type PostgresFacts,
  inspectRedis,
  type RedisFacts,
} from '../../stores/inspect.ts'

export const SECRET_KEY_ROWS = {
  key_ok: { level: 'ok', means: 'The secret key is the key of this store.', advice: null },
  key_new: { level: 'ok', means: 'There is no store yet, so any secret key is right.', advice: null },
  key_malformed: {
    level: 'fault',
    means: 'The secret key is not 32 bytes in base64.',
    advice: 'Restore the key of the store. For a new store, make a key: openssl rand -base64 32',
  },
  key_missing: {
    level: 'fault',
    means: '`TALKBRIDGE_SECRET_KEY` is not set. PostgreSQL needs it, with the same value for all replicas.',
    advice: 'Set TALKBRIDGE_SECRET_KEY. For a new store, make a key: openssl rand -base64 32',
  },
  key_lost: {
    level: 'fault',
    means: 'The store needs its secret key, but neither the variable nor the file beside the store has one.',
    advice: 'Restore `secret.key` from the backup, or set TALKBRIDGE_SECRET_KEY.',
  },
  key_other: {
    level: 'fault',
    means: 'The secret key is not the key of this store. The gateway refuses to start.',
    advice: 'Restore the key of this store: in TALKBRIDGE_SECRET_KEY, or as `secret.key`.',
  },
  key_unreadable: {
    level: 'fault',
    means: 'The file with the secret key cannot be read.',
    advice: 'Give the file to the user of the gateway.',
  },
  key_exposed: {
    level: 'warning',
    means: 'Other users of the machine can read the file with the secret key.',
    advice: 'Run chmod 600 on the file.',
  },
} as const satisfies Rows
const sayKey = findings(SECRET_KEY_ROWS)

type Code = keyof typeof SECRET_KEY_ROWS

interface KeyLook {
  key: Buffer | null
  /** Why there is none; null: there is one, or none is needed yet. */
  fault: Code | null
  whence: string
  words: string
  isExposed: boolean
}

const OTHERS = 0o077

const read = (text: string, whence: string): KeyLook => {
  const look = { whence, isExposed: false, words: '' }
  try {
    return { ...look, key: parseSecretKey(text), fault: null }
  } catch (error) {
    return { ...look, key: null, fault: 'key_malformed', words: wordsOf(error, [text.trim()]) }
  }
}

/** The key that a gateway would start with, made by nobody. */
export const lookAtKey = ({ store }: Pick<Config, 'store'>, path: string, env: DoctorContext['env']): KeyLook => {
  const given = env[VARIABLE]
  if (given !== undefined) return read(given, VARIABLE)
  const none = { key: null, isExposed: false, words: '' }
  if (store.driver === 'postgres') return { ...none, fault: 'key_missing', whence: VARIABLE }
  const file = join(dirname(path), KEY_FILE)
  try {
    const isExposed = process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0
    return { ...read(readFileSync(file, 'utf8'), file), isExposed }
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
    return { ...none, fault: isMissing ? null : 'key_unreadable', whence: file, words: wordsOf(error) }
  }
}

const keptIn = ({ driver, facts }: StoreLook): string | null => {
  if (facts === null) return null
  return driver === 'sqlite' ? (facts.store?.secretCheck ?? null) : (facts.store?.secretCheck ?? null)
}

const keyFindings = ({ key, fault, whence, words, isExposed }: KeyLook, kept: string | null): Finding[] => {
  const exposed = isExposed ? [sayKey('key_exposed', whence, 'its mode lets other users read it')] : []
  if (fault !== null) return [sayKey(fault, whence, words || 'it is not set'), ...exposed]
  if (key === null)
    return kept === null
      ? [sayKey('key_new', whence, 'the first start makes it')]
      : [sayKey('key_lost', whence, 'there is none')]
  if (kept === null) return [sayKey('key_new', whence, 'there is a key, and no store yet'), ...exposed]
  return [
    fitsStore(key, kept)
      ? sayKey('key_ok', whence, 'it fits the store')
      : sayKey('key_other', whence, 'it does not fit the store'),
    ...exposed,
  ]
}

/** Whether the gateway would start with its secret key. */
export const secretKeyCheck: Check = {
  name: 'secret key',
  async run({ config, env, store }) {
    const look = await store()
    return keyFindings(lookAtKey(config, look.path, env), keptIn(look))
  },
}

export const STORE_ROWS = {
  store_ok: { level: 'ok', means: 'The store can be opened, and this version knows its schema.', advice: null },
  store_served: { level: 'ok', means: 'A running gateway holds the lock of the store.', advice: null },
  store_new: { level: 'ok', means: 'There is no store yet. The first start creates it.', advice: null },
  store_older: {
    level: 'fault',
    means: 'A development version wrote the store, before the first release. This version refuses to start on it.',
    advice: 'Begin with a new store.',
  },
  store_newer: {
    level: 'fault',
    means: 'A newer Talkbridge wrote the store. This version refuses to start on it.',
    advice: 'Start the newer version, or restore the backup from before the upgrade.',
  },
  store_restored: {
    level: 'fault',
    means: 'The store may be a copy from earlier, such as a restored backup. The gateway refuses to start on it.',
    advice:
      'If you restored a backup, start once with `serve --restored`. If not, put the newest store and its mark back.',
  },
  store_unreadable: {
    level: 'fault',
    means: 'The file at `store.path` cannot be opened, or is not a database.',
    advice: 'Give the file to this user, restore a backup, or set another `store.path`.',
  },
  store_not_ours: {
    level: 'fault',
    means: 'The file at `store.path` is a database of another program.',
    advice: 'Set another `store.path`.',
  },
  store_lock_foreign: {
    level: 'fault',
    means: 'The lock file beside the store is a link, or belongs to another user.',
    advice: 'If no gateway of that user serves the store, remove the lock file.',
  },
  folder_unwritable: {
    level: 'fault',
    means: 'The folder of `store.path` cannot be created, or this user cannot write to it.',
    advice: 'Create the folder and give it to the user of the gateway, or set another `store.path`.',
  },
  disk_full: {
    level: 'fault',
    means: 'The disk of `store.path` is almost full. The gateway refuses new videos.',
    advice: 'Free space on that disk, or move the store to a larger one.',
  },
  disk_low: {
    level: 'warning',
    means: 'The disk of `store.path` has less than 1 GiB left.',
    advice: 'Free space before it is full: lower `retention_days`, or move the store to a larger disk.',
  },
  disk_network: {
    level: 'warning',
    means: 'The store is on a network file system. Locks and writes are not reliable there.',
    advice: 'Put `store.path` on a local disk, or use `store.driver: postgres`.',
  },
  disk_memory: {
    level: 'warning',
    means: 'The store is in memory (tmpfs). A restart of the machine deletes it.',
    advice: 'Put `store.path` on a disk.',
  },
  disk_layer: {
    level: 'warning',
    means: 'The store is in the writable layer of a container. If you replace the container, you lose the store.',
    advice: 'Mount a volume, and put `store.path` on it.',
  },
} as const satisfies Rows
const say = findings(STORE_ROWS)

const LOW_BYTES = 1024 ** 3
const OFF_DISK = { network: 'disk_network', memory: 'disk_memory', layer: 'disk_layer' } as const
const KIND_TEXT = { network: 'on a network file system', memory: 'in memory', layer: 'in the layer of a container' }

const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`

/** What is said of the file. Pure. */
const fileFindings = (path: string, { store, lock }: SqliteFacts): Finding[] => {
  const locked =
    lock === 'held'
      ? [say('store_served', 'store.path', `a gateway serves ${path}`)]
      : lock === 'foreign'
        ? [say('store_lock_foreign', 'store.path', `${path}.lock is not this user's own file`)]
        : []
  if (store === null) return [...locked, say('store_new', 'store.path', `there is no ${path} yet`)]
  const { version, oldest, known, isOurs, copyFault } = store
  const versions = `schema version ${version} of ${known}`
  if (version > known) return [...locked, say('store_newer', 'store.path', `${path} has ${versions} that are known`)]
  // A gateway that died at its first start leaves an empty file.
  if (version === 0 && !isOurs && statSync(path).size === 0)
    return [...locked, say('store_new', 'store.path', `${path} is empty`)]
  if (!isOurs) return [...locked, say('store_not_ours', 'store.path', `${path} has no tables of Talkbridge`)]
  if (version < oldest) return [...locked, say('store_older', 'store.path', `${path}: ${versions}`)]
  if (copyFault !== null) return [...locked, say('store_restored', 'store.path', copyFault)]
  return [...locked, say('store_ok', 'store.path', `${path}: ${versions}`)]
}

/** What is said of its disk. Pure. */
const volumeFindings = ({ kind, freeBytes }: Volume, folder: string, keepsStore: boolean): Finding[] => {
  const off =
    kind === 'disk' || !keepsStore ? [] : [say(OFF_DISK[kind], 'store.path', `${folder} is ${KIND_TEXT[kind]}`)]
  if (freeBytes === null) return off
  const left = `${mebibytes(freeBytes)} left in ${folder}`
  if (freeBytes < NEEDED_BYTES)
    return [...off, say('disk_full', 'store.path', `${left}; ${mebibytes(NEEDED_BYTES)} are reserved`)]
  return freeBytes < LOW_BYTES ? [...off, say('disk_low', 'store.path', left)] : off
}

const folderFindings = (path: string, { volumeOf }: DoctorContext, keepsStore: boolean): Finding[] => {
  const folder = nearestFolder(dirname(path), existsSync)
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file`)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return volumeFindings(volumeOf(folder), folder, keepsStore)
  } catch (error) {
    return [say('folder_unwritable', 'store.path', wordsOf(error))]
  }
}

/** The file of `store.path`, its folder and its disk. With PostgreSQL only audio on its way is put there. */
export const storeCheck: Check = {
  name: 'store',
  async run(context) {
    const look = await context.store()
    const folder = folderFindings(look.path, context, look.driver === 'sqlite')
    if (look.driver === 'postgres') return folder
    if (folder.some(({ code }) => code === 'folder_unwritable') && !look.facts?.store) return folder
    if (look.facts) return [...fileFindings(look.path, look.facts), ...folder]
    return [say('store_unreadable', 'store.path', wordsOf(look.error)), ...folder]
  },
}

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
const sayPostgres = findings(POSTGRES_ROWS)

const SLOW_MS = 100
const CLOCK_MS = 2_000

const serverFindings = (facts: PostgresFacts, pool: number): Finding[] => {
  const on = (isSo: boolean, code: keyof typeof POSTGRES_ROWS, found: string): Finding[] =>
    isSo ? [sayPostgres(code, 'store.url', found)] : []
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
  const served = isServed ? [sayPostgres('postgres_served', 'store.url', 'a gateway is connected')] : []
  if (!schema.mayUse || !schema.mayCreate) {
    const lacks = schema.exists
      ? `no right to ${schema.mayUse ? 'create in' : 'use'} schema ${name}`
      : `no right to create schema ${name}`
    return [...served, sayPostgres('postgres_rights', 'store.schema', lacks)]
  }
  if (store === null)
    return [...served, sayPostgres('postgres_new', 'store.schema', `schema ${name} holds no store yet`)]
  const versions = `schema version ${store.version} of ${store.known}`
  if (store.version > store.known)
    return [...served, sayPostgres('postgres_newer', 'store.schema', `${name}: ${versions} that are known`)]
  if (store.version < store.oldest)
    return [...served, sayPostgres('postgres_older', 'store.schema', `${name}: ${versions}`)]
  return [...served, ...(copyFault === null ? [] : [sayPostgres('postgres_restored', 'store.url', copyFault)])]
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
      ? [sayPostgres('postgres_clock', 'store.url', `the database's clock is ${aheadText(offMs)} this machine's`)]
      : []
  const all = [...serverFindings(facts, pool), ...schemaFindings(facts, schema), ...clock]
  const isFine = all.every(({ level }) => level === 'ok' || level === 'hint')
  const version = `PostgreSQL ${Math.floor(facts.version / 10_000)}, ${facts.connections} connections`
  return isFine ? [sayPostgres('postgres_ok', 'store.url', version), ...all] : all
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
    return [sayPostgres(refusal(look.error), 'store.url', wordsOf(look.error, [url, passwordOf(url)]))]
  },
}

export const REDIS_ROWS = {
  redis_ok: { level: 'ok', means: 'Redis can be used.', advice: null },
  redis_unreachable: {
    level: 'fault',
    means:
      'Redis does not answer. The gateway works without it, but replicas find work later, and each counts limits by itself.',
    advice: 'Start Redis, or correct `redis.url`. Check the firewall between them.',
  },
  redis_refused: {
    level: 'fault',
    means: 'Redis refuses the user or the password of `redis.url`, or forbids a command.',
    advice: 'Correct user and password in `redis.url`. Give the user all rights under `redis.prefix`.',
  },
  redis_old: {
    level: 'fault',
    means: 'Redis is older than 6.2.',
    advice: 'Upgrade Redis to 6.2 or newer.',
  },
  redis_replica: {
    level: 'fault',
    means: 'The server is a replica. The gateway cannot write to it.',
    advice: 'Set the master in `redis.url`.',
  },
  redis_evicts: {
    level: 'warning',
    means: 'Redis may evict keys when its memory is full. Hints and request counts are then lost.',
    advice: 'Set `maxmemory-policy noeviction`.',
  },
  redis_full: {
    level: 'warning',
    means: 'Redis uses more than 90 % of its memory.',
    advice: 'Raise `maxmemory`, or give the gateways their own Redis.',
  },
  redis_slow: {
    level: 'warning',
    means: 'Redis answers slowly. The gateway waits 250 ms for it, and then continues without it.',
    advice: 'Run the gateway near Redis, and check what else uses Redis.',
  },
} as const satisfies Rows
const sayRedis = findings(REDIS_ROWS)

const REDIS_SLOW_MS = 100
const FULL = 0.9

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 6 || (major === 6 && minor < 2)
}

/** What is said of Redis. Pure. */
export const redisFindings = ({ version, role, evicts, usedShare, tookMs }: RedisFacts): Finding[] => {
  const on = (isSo: boolean, code: keyof typeof REDIS_ROWS, found: string): Finding[] =>
    isSo ? [sayRedis(code, 'redis.url', found)] : []
  const faults = [
    ...on(isOld(version), 'redis_old', `Redis ${version}`),
    ...on(role !== 'master', 'redis_replica', `its role is ${role}`),
    ...on(evicts !== null && evicts !== 'noeviction', 'redis_evicts', `maxmemory-policy is ${evicts}`),
    ...on(usedShare !== null && usedShare > FULL, 'redis_full', `${Math.round((usedShare ?? 0) * 100)} % are in use`),
    ...on(tookMs > REDIS_SLOW_MS, 'redis_slow', `a question took ${spanText(tookMs)}`),
  ]
  return faults.length > 0
    ? faults
    : [sayRedis('redis_ok', 'redis.url', `Redis ${version}, answered in ${spanText(tookMs)}`)]
}

const REFUSAL = /NOAUTH|WRONGPASS|NOPERM|invalid (username-)?password|no password is set/i

/** Version, role, eviction, memory and speed, by one connection that writes nothing. */
export const redisCheck: Check = {
  name: 'redis',
  async run({ config, limitMs }, signal) {
    const { url } = config.redis
    if (url === null) return []
    try {
      return redisFindings(await inspectRedis(url, { limitMs, signal }))
    } catch (error) {
      const words = wordsOf(error, [url, URL.parse(url)?.password])
      return [sayRedis(REFUSAL.test(words) ? 'redis_refused' : 'redis_unreachable', 'redis.url', words)]
    }
  },
}
