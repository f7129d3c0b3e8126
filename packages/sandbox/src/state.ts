import {
  mkdirSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  type ReadStream,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { createHash, randomBytes, createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock, NewId } from './clock.ts'
import { rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Documents by kind and id: what the sandbox's collections write through to. */
interface Database {
  /** Oldest first, in the order of their first writing. */
  load(kind: string): { id: string; json: string }[]
  put(kind: string, id: string, json: string): void
  remove(kind: string, id: string): void
  /** All writes of `work`, or none of them. */
  atomically<T>(work: () => T): T
  close(): void
}

const inMemory: Database = {
  load: () => [],
  put: () => {},
  remove: () => {},
  atomically: (work) => work(),
  close: () => {},
}

/** `null`: nothing is kept. A folder: `sandbox.db` in it, so that a restarted sandbox knows its jobs and credits. */
export const openDatabase = (dataDir: string | null): Database => {
  if (dataDir === null) return inMemory
  mkdirSync(dataDir, { recursive: true })
  const db = new DatabaseSync(join(dataDir, 'sandbox.db'))
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS documents (
      place INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (kind, id)
    ) STRICT`)
  const select = db.prepare('SELECT id, json FROM documents WHERE kind = ? ORDER BY place')
  const upsert = db.prepare(
    'INSERT INTO documents (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json',
  )
  const remove = db.prepare('DELETE FROM documents WHERE kind = ? AND id = ?')
  return {
    load: (kind) => select.all(kind).map((row) => ({ id: String(row['id']), json: String(row['json']) })),
    put: (kind, id, json) => void upsert.run(kind, id, json),
    remove: (kind, id) => void remove.run(kind, id),
    atomically: (work) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        const done = work()
        db.exec('COMMIT')
        return done
      } catch (cause) {
        db.exec('ROLLBACK')
        throw cause
      }
    },
    close: () => db.close(),
  }
}

export const Interface = z.enum(['primary', 'alternate'])
export type Interface = z.infer<typeof Interface>

/** An API key: only its hash is kept, so that neither the ledger nor the file can show one. */
export const Key = z.object({
  id: z.string(),
  hash: z.string(),
  interface: Interface,
  account: z.string(),
  scopes: z.array(z.string()),
  active: z.boolean(),
})
export type Key = z.infer<typeof Key>

const Callback = z.object({
  url: z.string(),
  /** How many announcements are due: 0 for `[[never-callback]]`, 2 for `[[callback-twice]]`. */
  owed: z.int(),
  settled: z.boolean(),
})

/** A video job of either interface. Its status is not stored: it follows from the times and the clock (jobs.ts). */
export const Job = z.object({
  id: z.string(),
  interface: Interface,
  keyId: z.string(),
  account: z.string(),
  createdAtMs: z.number(),
  startsAtMs: z.number(),
  /** `null`: it never ends. */
  endsAtMs: z.number().nullable(),
  outcome: z.enum(['completed', 'failed', 'failed_retryable']),
  resolution: z.enum(['720p', '1080p']),
  speechSeconds: z.number(),
  voiceId: z.string(),
  imageUrl: z.string().nullable(),
  puppetId: z.string().nullable(),
  /** The origin that the creating request called: links in a callback name it. */
  origin: z.string(),
  /** The next `left` status reads answer `status` (primary, 502 and 504 of the status read). */
  failingReads: z
    .object({ status: z.union([z.literal(502), z.literal(504)]), left: z.int() })
    .nullable()
    .default(null),
  /** Balance after the create's debit (primary). */
  creditsRemaining: z.int().nullable(),
  callback: Callback.nullable(),
})
export type Job = z.infer<typeof Job>

const Charge = z.object({
  jobId: z.string(),
  keyId: z.string(),
  account: z.string(),
  credits: z.int(),
  atMs: z.number(),
})
type Charge = z.infer<typeof Charge>

/** What an account has used in one UTC month. */
export const Quota = z.object({
  account: z.string(),
  month: z.string(),
  credits: z.int(),
  characters: z.int().default(0),
  uploads: z.int().default(0),
})
export type Quota = z.infer<typeof Quota>

/** An accepted request under an idempotency key (primary, "Idempotency-Key"). */
const Remembered = z.object({ fingerprint: z.string(), resourceId: z.string() })

export const Puppet = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  imageUrl: z.string(),
  createdAtMs: z.number(),
  /** Kept as a place for cursors. */
  deleted: z.boolean().default(false),
})
export type Puppet = z.infer<typeof Puppet>

/** Audio hosted for a key: reserved by createHostedAudioUploadUrl, or made by createServiceSpeech. */
export const Audio = z.object({
  id: z.string(),
  keyId: z.string(),
  account: z.string(),
  mimeType: z.string(),
  sizeBytes: z.int(),
  createdAtMs: z.number(),
  /** `null`: pending, nothing was PUT yet. */
  uploadedAtMs: z.number().nullable(),
  /** Length of the sound, once it is there. */
  seconds: z.number().nullable(),
})
export type Audio = z.infer<typeof Audio>

/** Small facts of the sandbox itself: the secret of its links, the time of a virtual clock. */
const Fact = z.object({ value: z.string() })

/** A map that writes through to the database and forgets its oldest entries beyond `max`. */
interface Collection<T> {
  get(id: string): T | undefined
  put(id: string, value: T): void
  remove(id: string): void
  /** Oldest first. */
  values(): T[]
}

const collection = <T>(db: Database, kind: string, schema: z.ZodType<T>, max: number): Collection<T> => {
  const items = new Map<string, T>()
  for (const { id, json } of db.load(kind)) items.set(id, schema.parse(JSON.parse(json)))
  const remove = (id: string): void => {
    if (items.delete(id)) db.remove(kind, id)
  }
  return {
    get: (id) => items.get(id),
    put(id, value) {
      items.set(id, value)
      db.put(kind, id, JSON.stringify(value))
      const oldest = items.size > max ? items.keys().next().value : undefined
      if (oldest !== undefined) remove(oldest)
    },
    remove,
    values: () => [...items.values()],
  }
}

/** Everything that outlives a request. Bounded: a benchmark may create jobs for hours. */
export const openState = (db: Database) => ({
  keys: collection(db, 'key', Key, 1_000),
  jobs: collection(db, 'job', Job, 50_000),
  charges: collection(db, 'charge', Charge, 50_000),
  quotas: collection(db, 'quota', Quota, 10_000),
  idempotency: collection(db, 'idempotency', Remembered, 50_000),
  puppets: collection(db, 'puppet', Puppet, 10_000),
  audio: collection(db, 'audio', Audio, 10_000),
  facts: collection(db, 'fact', Fact, 10),
  atomically: db.atomically,
  close: db.close,
})
export type State = ReturnType<typeof openState>

/** The primary's scopes (contract, Operations). The alternate has none: its keys carry an empty list. */
export const SCOPES = ['voices:read', 'videos:read', 'videos:create', 'tts:create', 'uploads:create'] as const

export const PRIMARY_KEY = 'sandbox-primary-key'
export const ALTERNATE_KEY = 'sandbox-alternate-key'
export const DEFAULT_ACCOUNT = 'sandbox'

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** The keys that exist from the start, with all scopes. */
export const seedKeys = (state: State): void => {
  const seed = (id: string, key: string, from: Interface, scopes: readonly string[]) => {
    const hash = hashOf(key)
    if (state.keys.get(hash)) return
    state.keys.put(hash, { id, hash, interface: from, account: DEFAULT_ACCOUNT, scopes: [...scopes], active: true })
  }
  seed('key_primary', PRIMARY_KEY, 'primary', SCOPES)
  seed('key_alternate', ALTERNATE_KEY, 'alternate', [])
}

/**
 * A new key, shown once. On the primary it revokes the account's old one ("One active key per account is allowed").
 */
export const issueKey = (
  state: State,
  newId: NewId,
  wanted: { interface: Interface; account: string; scopes: readonly string[] },
): { record: Key; key: string } => {
  const key = `sk_sandbox_${randomBytes(18).toString('base64url')}`
  const record: Key = { id: newId('key'), hash: hashOf(key), ...wanted, scopes: [...wanted.scopes], active: true }
  if (wanted.interface === 'primary') {
    for (const old of state.keys.values()) {
      if (old.interface === 'primary' && old.account === wanted.account && old.active)
        state.keys.put(old.hash, { ...old, active: false })
    }
  }
  state.keys.put(record.hash, record)
  return { record, key }
}

/** The active key of this interface that an Authorization header carries, or `null`. */
export const keyOf = (state: State, from: Interface, authorization: string | undefined): Key | null => {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return null
  const key = state.keys.get(hashOf(token))
  return key?.active && key.interface === from ? key : null
}

/** A key's rate window, as the X-RateLimit-* headers tell it. */
export interface Window {
  readonly limit: number
  readonly remaining: number
  /** Always a whole second: see undecided.ts. */
  readonly resetAtMs: number
  readonly allowed: boolean
}

const UNLIMITED = 1_000_000

const endOf = (nowMs: number, windowMs: number): number => Math.ceil((nowMs + windowMs) / 1000) * 1000

/** Both contracts count requests per minute; `windowMs` is that minute divided by the speed. */
export const createRates = (clock: Clock, windowMs: number, unlimited: boolean) => {
  const windows = new Map<string, { used: number; resetAtMs: number }>()
  const current = (keyId: string, nowMs: number) => {
    const open = windows.get(keyId)
    // The second condition ends a window that a clock set back would keep open for hours.
    return open && nowMs < open.resetAtMs && open.resetAtMs <= endOf(nowMs, windowMs)
      ? open
      : { used: 0, resetAtMs: endOf(nowMs, windowMs) }
  }
  return {
    /** Counts one request of the key. */
    take(keyId: string, stated: number): Window {
      const limit = unlimited ? UNLIMITED : stated
      const open = current(keyId, clock.now())
      const allowed = open.used < limit
      const used = allowed ? open.used + 1 : open.used
      windows.set(keyId, { used, resetAtMs: open.resetAtMs })
      return { limit, remaining: limit - used, resetAtMs: open.resetAtMs, allowed }
    },
    /** The headers of a caller without a key: an untouched window, nothing counted. */
    untouched(stated: number): Window {
      const limit = unlimited ? UNLIMITED : stated
      return { limit, remaining: limit, resetAtMs: endOf(clock.now(), windowMs), allowed: true }
    },
  }
}
export type Rates = ReturnType<typeof createRates>

/** The bytes of hosted audio and of videos, by id. An id is the sandbox's own: letters, digits, `_`. */
export interface Blobs {
  /** The path of a file of the sandbox's own, which `make` gives the bytes of once. */
  made(id: string, make: () => Buffer): string
  /**
   * Writes exactly `sizeBytes` from the stream, or nothing; what the stream has beyond is read and thrown away, so that
   * the refusal can still be sent. Rejects when the stream breaks.
   */
  receive(id: string, from: Readable, sizeBytes: number): Promise<'stored' | 'too-short' | 'too-long'>
  /** Its first bytes. Rejects when it is not there. */
  head(id: string, bytes: number): Promise<Buffer>
  path(id: string): string
  remove(id: string): Promise<void>
  close(): void
}

/** A folder in `dataDir`; without one, a temporary folder that is made when first needed and removed by `close`. */
export const openBlobs = (dataDir: string | null): Blobs => {
  let folder: string | null = null
  let parts = 0
  const open = (): string => {
    if (folder !== null) return folder
    if (dataDir === null) return (folder = mkdtempSync(join(tmpdir(), 'sandbox-audio-')))
    folder = join(dataDir, 'audio')
    mkdirSync(folder, { recursive: true })
    return folder
  }
  const path = (id: string): string => join(open(), id)
  return {
    path,
    made(id, make) {
      const file = path(id)
      if (existsSync(file)) return file
      // Whole or not at all: a process may end while it writes.
      writeFileSync(`${file}.part`, make())
      renameSync(`${file}.part`, file)
      return file
    },
    async receive(id, from, sizeBytes) {
      // Under a name of its own: two uploads at the same time, or a broken one, spoil nothing.
      const part = `${path(id)}.${(parts += 1)}.part`
      let seen = 0
      const counted = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const chunk of source) {
          const before = seen
          seen += chunk.length
          if (before < sizeBytes) yield chunk.subarray(0, sizeBytes - before)
        }
      }
      try {
        await pipeline(from, counted, createWriteStream(part))
        if (seen !== sizeBytes) return seen < sizeBytes ? 'too-short' : 'too-long'
        await rename(part, path(id))
        return 'stored'
      } finally {
        await rm(part, { force: true })
      }
    },
    async head(id, bytes) {
      const chunks: Buffer[] = []
      const stream: ReadStream = createReadStream(path(id), { end: bytes - 1 })
      for await (const chunk of stream) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks)
    },
    remove: (id) => rm(path(id), { force: true }),
    close: () => {
      if (dataDir === null && folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Signs and checks the sandbox's own media URLs. */
export const createLinks = (secret: string) => {
  const digest = (path: string, expires: string) => createHmac('sha256', secret).update(`${path}\n${expires}`).digest()
  return {
    /** `path?expires=…&signature=…`: readable without a key until `expiresAtMs`. */
    sign(path: string, expiresAtMs: number): string {
      const expires = String(Math.ceil(expiresAtMs))
      return `${path}?expires=${expires}&signature=${digest(path, expires).toString('base64url')}`
    },
    check(path: string, expires: unknown, signature: unknown, nowMs: number): 'valid' | 'invalid' | 'expired' {
      if (typeof expires !== 'string' || typeof signature !== 'string') return 'invalid'
      const given = Buffer.from(signature, 'base64url')
      const expected = digest(path, expires)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid'
      return nowMs < Number(expires) ? 'valid' : 'expired'
    },
  }
}
export type Links = ReturnType<typeof createLinks>
