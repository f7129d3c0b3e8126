import { parentPort, workerData } from 'node:worker_threads'
import { openDb, type Db } from './db.ts'
import { migrate, PRAGMAS } from './schema.ts'
import { QUICK, VERBS } from './verbs.ts'

/**
 * The writer thread: the only connection that writes. It runs all verbs that have arrived in one transaction, each in a
 * savepoint, and answers after the commit. So a slow disk delays answers, but never the event loop.
 */
export interface WriterSetup {
  path: string
  maxPages: number | null
}
export interface WriterRequest {
  seq: number
  verb: string
  args: unknown
}
export type WriterReply = { seq: number; ok: true; value: unknown } | { seq: number; ok: false; message: string }

const port = parentPort
if (!port) throw new Error('the writer runs in a worker thread')

// The arguments were typed where `write` in index.ts posted them; a structured clone keeps them as they are.
const table = VERBS as unknown as Record<string, (db: Db, args: unknown) => unknown>

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const runOne = (db: Db, { seq, verb, args }: WriterRequest): WriterReply => {
  db.run('SAVEPOINT verb')
  try {
    const value = table[verb]?.(db, args)
    db.run('RELEASE verb')
    return { seq, ok: true, value }
  } catch (error) {
    // A full disk may have ended the whole transaction already. Then the whole batch fails, below.
    if (!db.raw.isTransaction) throw error
    db.run('ROLLBACK TO verb')
    db.run('RELEASE verb')
    return { seq, ok: false, message: messageOf(error) }
  }
}

const failed = (batch: readonly WriterRequest[], error: unknown): WriterReply[] =>
  batch.map(({ seq }) => ({ seq, ok: false, message: messageOf(error) }))

const begin = (db: Db, batch: readonly WriterRequest[]): void => {
  // A later durable commit syncs the log with all that came before it.
  db.exec(`PRAGMA synchronous = ${batch.every(({ verb }) => QUICK.has(verb)) ? 'NORMAL' : 'FULL'}`)
  db.exec('BEGIN IMMEDIATE')
}

const runBatch = (db: Db, batch: WriterRequest[]): WriterReply[] => {
  try {
    begin(db, batch)
  } catch (error) {
    // No verb's fault: each alone would wait just as long for the file.
    return failed(batch, error)
  }
  try {
    const replies = batch.map((request) => runOne(db, request))
    db.exec('COMMIT')
    return replies
  } catch (error) {
    if (db.raw.isTransaction) db.exec('ROLLBACK')
    // Nothing was written. One verb may have failed the others, so each runs alone now.
    if (batch.length > 1) return batch.flatMap((request) => runBatch(db, [request]))
    return failed(batch, error)
  }
}

const { path, maxPages } = workerData as WriterSetup
const db = openDb(path, { readOnly: false })
db.exec(PRAGMAS)
migrate(db.raw)
// The limit is of this connection, which is the only one that writes.
if (maxPages !== null) db.exec(`PRAGMA max_page_count = ${maxPages}`)

let queue: WriterRequest[] = []
const drain = (): void => {
  const batch = queue
  queue = []
  port.postMessage(runBatch(db, batch))
}
port.on('message', (message: WriterRequest[] | 'close') => {
  if (message === 'close') {
    if (queue.length > 0) drain()
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    port.close()
    return
  }
  if (queue.length === 0) setImmediate(() => queue.length > 0 && drain())
  queue = queue.concat(message)
})
port.postMessage('ready')
