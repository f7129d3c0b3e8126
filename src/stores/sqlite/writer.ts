import { parentPort, workerData } from 'node:worker_threads'
import { inTurn, type Db, type Migrated } from '../sql/db.ts'
import { QUICK, VERBS } from '../sql/store.ts'
import { dbOf, openFile, migrate, PRAGMAS } from './db.ts'
import { keepMark, takeOver } from './ownership.ts'

/**
 * The writer thread: the only connection that writes. It runs all verbs that have arrived in one transaction, and
 * answers after the commit. So a slow disk delays answers, but never the event loop. A savepoint for each verb would
 * copy every page that it changes; few verbs fail, so the others of its batch are run again instead.
 */
export interface WriterSetup {
  path: string
  maxPages: number | null
  /** Of the mark beside the file, which it then keeps; null: it serves nobody. */
  storeId: string | null
}
/** What it says first, once the schema is in place. */
export interface WriterReady {
  migrated: Migrated | null
}
export interface WriterRequest {
  seq: number
  verb: string
  args: unknown
}
export type WriterReply =
  { seq: number; ok: true; value: unknown } | { seq: number; ok: false; message: string; isFull: boolean }

const port = parentPort
if (!port) throw new Error('the writer runs in a worker thread')

// The arguments were typed where `write` in index.ts posted them; a structured clone keeps them as they are.
const table = { ...VERBS, takeOver } as unknown as Record<string, (db: Db, args: unknown) => Promise<unknown>>

const SQLITE_FULL = 13

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const { path, maxPages, storeId } = workerData as WriterSetup
const file = openFile(path, { readOnly: false })
const db = dbOf(file)

const runOne = async ({ seq, verb, args }: WriterRequest): Promise<WriterReply> => ({
  seq,
  ok: true,
  value: await table[verb]?.(db, args),
})

const failed = (batch: readonly WriterRequest[], error: unknown): WriterReply[] => {
  const isFull = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL
  return batch.map(({ seq }) => ({ seq, ok: false, message: messageOf(error), isFull }))
}

const isQuick = (batch: readonly WriterRequest[]): boolean => batch.every(({ verb }) => QUICK.has(verb))

const begin = (batch: readonly WriterRequest[]): void => {
  // A later durable commit syncs the log with all that came before it.
  file.exec(`PRAGMA synchronous = ${isQuick(batch) ? 'NORMAL' : 'FULL'}`)
  file.exec('BEGIN IMMEDIATE')
}

const runBatch = async (batch: readonly WriterRequest[]): Promise<WriterReply[]> => {
  try {
    begin(batch)
  } catch (error) {
    // No verb's fault: each by itself would wait just as long for the file.
    return failed(batch, error)
  }
  try {
    const replies = await inTurn(batch, runOne)
    file.exec('COMMIT')
    // A quick commit may still be undone by a power cut: the store would be behind its mark.
    if (!isQuick(batch)) highWater?.advance()
    return replies
  } catch (error) {
    if (file.raw.isTransaction) file.exec('ROLLBACK')
    // Nothing was written. One verb may have failed the others, so each runs by itself now.
    if (batch.length > 1) return (await inTurn(batch, (request) => runBatch([request]))).flat()
    return failed(batch, error)
  }
}

file.exec(PRAGMAS)
const ready: WriterReady = { migrated: migrate(file.raw) }
// The limit is of this connection, which is the only one that writes.
if (maxPages !== null) file.exec(`PRAGMA max_page_count = ${maxPages}`)
const highWater = storeId === null ? null : keepMark(path, storeId, file)

let queue: WriterRequest[] = []
let isClosing = false
let draining = false

const close = (): void => {
  highWater?.close()
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  file.close()
  port.close()
}

/** Everything that has arrived, until nothing is left. */
const drain = async (): Promise<void> => {
  draining = true
  while (queue.length > 0) {
    const batch = queue
    queue = []
    port.postMessage(await runBatch(batch))
  }
  draining = false
  if (isClosing) close()
}
port.on('message', (message: WriterRequest[] | 'close') => {
  if (message === 'close') {
    isClosing = true
    if (!draining && queue.length === 0) close()
    return
  }
  queue = queue.concat(message)
  if (!draining) {
    draining = true
    setImmediate(() => void drain())
  }
})
port.postMessage(ready)
