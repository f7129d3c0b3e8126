import { readFileSync, statSync, accessSync, constants, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { KEY_FILE, parseSecretKey, fitsStore, VARIABLE } from '../../webhooks/secrets.ts'
import { codeOf, isUntrusted } from '../../core/errors.ts'
import { counted, spanText } from '../context.ts'
import { accountId } from '../../accounts.ts'
import { say, sayIf, type Code, type Finding } from './findings.ts'
import { type Check, type DoctorContext, aheadText, wordsOf } from './look.ts'
import {
  NEEDED_BYTES,
  nearestFolder,
  type SqliteFacts,
  type Volume,
  type PostgresFacts,
  inspectRedis,
  type RedisFacts,
} from '../../stores/inspect.ts'

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

const keyFinding = ({ key, fault, whence, words }: KeyLook, kept: string | null): Finding => {
  if (fault !== null) return say(fault, whence, words || 'it is not set')
  if (key === null && kept !== null) return say('key_lost', whence, 'there is none')
  if (key === null) return say('key_new', whence, 'the first start makes it')
  if (kept === null) return say('key_new', whence, 'there is a key, and no store yet')
  return fitsStore(key, kept)
    ? say('key_ok', whence, 'it fits the store')
    : say('key_other', whence, 'it does not fit the store')
}

/** Whether the gateway would start with its secret key. */
export const secretKeyCheck: Check = {
  name: 'secret key',
  async run({ config, env, store }) {
    const { path, facts } = await store()
    const look = lookAtKey(config, path, env)
    return [
      keyFinding(look, facts?.store?.secretCheck ?? null),
      ...sayIf(look.isExposed, 'key_exposed', look.whence, 'its mode lets other users read it'),
    ]
  },
}

/** Whether the configuration has the account of each open video: nobody could poll the others. */
export const openVideosCheck: Check = {
  name: 'open videos',
  async run({ config, store }) {
    const { facts } = await store()
    const accounts = new Set<string>(Object.values(config.backends).map(accountId))
    return (facts?.store?.open ?? [])
      .filter(({ account }) => !accounts.has(account))
      .map(({ backend, videos }) =>
        say('account_gone', `backends.${backend}`, `it has ${counted(videos, 'open video')} under another account`),
      )
  },
}

const LOW_BYTES = 1024 ** 3
const OFF_DISK = { network: 'disk_network', memory: 'disk_memory', layer: 'disk_layer' } as const
const KIND_TEXT = { network: 'on a network file system', memory: 'in memory', layer: 'in the layer of a container' }

const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`

const storeFinding = (path: string, store: SqliteFacts['store']): Finding => {
  const told = (code: Code, found: string): Finding => say(code, 'store.path', found)
  if (store === null) return told('store_new', `there is no ${path} yet`)
  const { version, oldest, known, isOurs, copyFault } = store
  const versions = `schema version ${version} of ${known}`
  if (version > known) return told('store_newer', `${path} has ${versions} that are known`)
  // A gateway that died at its first start leaves an empty file.
  if (version === 0 && !isOurs && statSync(path).size === 0) return told('store_new', `${path} is empty`)
  if (!isOurs) return told('store_not_ours', `${path} has no tables of Talkbridge`)
  if (version < oldest) return told('store_older', `${path}: ${versions}`)
  return copyFault === null ? told('store_ok', `${path}: ${versions}`) : told('store_restored', copyFault)
}

const fileFindings = (path: string, { store, lock }: SqliteFacts): Finding[] => [
  ...sayIf(lock === 'held', 'store_served', 'store.path', `a gateway serves ${path}`),
  ...sayIf(lock === 'foreign', 'store_lock_foreign', 'store.path', `${path}.lock is not this user's own file`),
  storeFinding(path, store),
]

/** What is said of its disk. Pure. */
const volumeFindings = ({ kind, freeBytes }: Volume, folder: string, keepsStore: boolean): Finding[] => {
  const off =
    kind === 'disk' || !keepsStore ? [] : [say(OFF_DISK[kind], 'store.path', `${folder} is ${KIND_TEXT[kind]}`)]
  if (freeBytes === null) return off
  const left = `${mebibytes(freeBytes)} left in ${folder}`
  const isFull = freeBytes < NEEDED_BYTES
  return [
    ...off,
    ...sayIf(isFull, 'disk_full', 'store.path', `${left}; ${mebibytes(NEEDED_BYTES)} are reserved`),
    ...sayIf(!isFull && freeBytes < LOW_BYTES, 'disk_low', 'store.path', left),
  ]
}

const folderFindings = (path: string, { volumeOf }: DoctorContext, keepsStore: boolean): Finding[] => {
  try {
    // A link that leads nowhere is there, too: no folder can be made in its place.
    const folder = nearestFolder(dirname(path), (at) => lstatSync(at, { throwIfNoEntry: false }) !== undefined)
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

const SLOW_MS = 100
const CLOCK_MS = 2_000

const serverFindings = (facts: PostgresFacts, pool: number): Finding[] => {
  const on = (isSo: boolean, code: Code, found: string): Finding[] => sayIf(isSo, code, 'store.url', found)
  const { version, leastVersion, encoding, isReplica, isReadOnly, connections, synchronousCommit, fsync, tookMs } =
    facts
  // Each gateway opens one more, to show that it lives.
  const needed = 2 * (pool + 1)
  return [
    ...on(version < leastVersion, 'postgres_too_old', `PostgreSQL ${Math.floor(version / 10_000)}`),
    ...on(encoding !== 'UTF8', 'postgres_encoding', `the database is encoded in ${encoding}`),
    ...on(isReplica || isReadOnly, 'postgres_read_only', isReplica ? 'it is a replica' : 'its transactions only read'),
    ...on(connections < needed, 'postgres_connections', `${connections} connections; two gateways open ${needed}`),
    ...on(synchronousCommit === 'off', 'postgres_commits', 'synchronous_commit is off'),
    ...on(fsync === 'off', 'postgres_fsync', 'fsync is off'),
    ...on(tookMs > SLOW_MS, 'postgres_slow', `a question took ${spanText(tookMs)}`),
  ]
}

const schemaFindings = ({ schema, store, copyFault }: PostgresFacts, name: string): Finding[] => {
  if (!schema.mayUse || !schema.mayCreate) {
    const right = schema.exists && !schema.mayUse ? 'use' : schema.exists ? 'create in' : 'create'
    return [say('postgres_rights', 'store.schema', `no right to ${right} schema ${name}`)]
  }
  if (store === null) return [say('postgres_new', 'store.schema', `schema ${name} holds no store yet`)]
  const { version, oldest, known } = store
  const versions = `${name}: schema version ${version} of ${known}`
  if (version > known) return [say('postgres_newer', 'store.schema', `${versions} that are known`)]
  if (version < oldest) return [say('postgres_older', 'store.schema', versions)]
  return copyFault === null ? [] : [say('postgres_restored', 'store.url', copyFault)]
}

/** What is said of the database. Pure. */
export const postgresFindings = (
  facts: PostgresFacts,
  { pool, schema }: { pool: number; schema: string },
  wallMs: number,
): Finding[] => {
  const offMs = facts.nowMs - wallMs
  const clock = `the database's clock is ${aheadText(offMs)} this machine's`
  const all = [
    ...serverFindings(facts, pool),
    ...sayIf(facts.isServed, 'postgres_served', 'store.url', 'a gateway is connected'),
    ...schemaFindings(facts, schema),
    ...sayIf(Math.abs(offMs) > CLOCK_MS + facts.tookMs, 'postgres_clock', 'store.url', clock),
  ]
  const isFine = all.every(({ level }) => level === 'ok' || level === 'hint')
  const version = `PostgreSQL ${Math.floor(facts.version / 10_000)}, ${facts.connections} connections`
  return isFine ? [say('postgres_ok', 'store.url', version), ...all] : all
}

/** By SQLSTATE (PostgreSQL, appendix A), else nobody answered. */
const refusal = (error: unknown): Code => {
  const code = codeOf(error)
  if (code.startsWith('28')) return 'postgres_refused'
  if (code === 'pooler') return 'postgres_pooler'
  if (isUntrusted(error)) return 'postgres_untrusted'
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

const REDIS_SLOW_MS = 100
const FULL = 0.9

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 6 || (major === 6 && minor < 2)
}

/** What is said of Redis. Pure. */
export const redisFindings = (
  { version, role, evicts, usedShare, tookMs }: RedisFacts,
  key = 'redis.url',
): Finding[] => {
  const on = (isSo: boolean, code: Code, found: string): Finding[] => sayIf(isSo, code, key, found)
  const faults = [
    ...on(isOld(version), 'redis_old', `Redis ${version}`),
    ...on(role !== 'master', 'redis_replica', `its role is ${role}`),
    ...on(evicts !== null && evicts !== 'noeviction', 'redis_evicts', `maxmemory-policy is ${evicts}`),
    ...on(usedShare !== null && usedShare > FULL, 'redis_full', `${Math.round((usedShare ?? 0) * 100)} % are in use`),
    ...on(tookMs > REDIS_SLOW_MS, 'redis_slow', `a question took ${spanText(tookMs)}`),
  ]
  return faults.length > 0 ? faults : [say('redis_ok', key, `Redis ${version}, answered in ${spanText(tookMs)}`)]
}

const REFUSAL = /NOAUTH|WRONGPASS|NOPERM|invalid (username-)?password|no password is set/i

/** Version, role, eviction, memory and speed, by one connection that writes nothing. */
export const redisCheck: Check = {
  name: 'redis',
  async run({ config, limitMs }, signal) {
    const { url, sentinels, cluster } = config.redis
    if (!(url ?? sentinels ?? cluster)) return []
    const key = url ? 'redis.url' : sentinels ? 'redis.sentinels' : 'redis.cluster'
    try {
      return redisFindings(await inspectRedis(config.redis, { limitMs, signal }), key)
    } catch (error) {
      const words = wordsOf(error, [url, url && URL.parse(url)?.password])
      return [say(REFUSAL.test(words) ? 'redis_refused' : 'redis_unreachable', key, words)]
    }
  },
}
