import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

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
  /** How many announcements are owed: 0 for `[[never-callback]]`, 2 for `[[callback-twice]]`. */
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
