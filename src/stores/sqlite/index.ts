import { once } from 'node:events'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem } from '../../core/errors.ts'
import { diskFull } from '../../core/log.ts'
import { type VerbName, type Verbs, type Args, createStore, measured } from '../sql/store.ts'
import { type takeOver, type TakeOverArgs, createStoreFile, openFault, takeOwnership, recognize } from './ownership.ts'
import type { WriterReady, WriterReply, WriterRequest, WriterSetup } from './writer.ts'
import { mkdirSync } from 'node:fs'
import type { ProcessClock } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'
import { SILENT, type Tally } from '../../core/tally.ts'
import { type Migrated, videoFrom } from '../sql/db.ts'
import { createFreeBytes, forCallers, freeBytesOf, openFile, type SqliteFile } from './db.ts'

/** With the time of this process, which is the store's. */
type WriteNow = <V extends VerbName>(verb: V, args: Args<V> & { nowMs: number }) => ReturnType<Verbs[V]>

/** Of a batch nothing is left once it is answered. V8 would let what is left of many fill 64 MB before it tidies up. */
const YOUNG = { maxYoungGenerationSizeMb: 6 }

const unavailable = (message: string): Problem =>
  new Problem('store_unavailable', 'the store cannot be written at the moment', { cause: new Error(message) })

/**
 * Starts the writer thread. Resolves when the schema is in place; rejects if that fails. A verb rejects with
 * `store_unavailable` if it or its commit failed; then nothing of it was written. `onLost` is called once if the thread
 * dies: what it was writing may be written or not, and nothing can be written any more.
 */
export const startWriter = async (setup: WriterSetup, onLost: (cause: Error) => void) => {
  const file = import.meta.url.endsWith('.ts') ? './writer.ts' : './writer.js'
  const worker = new Worker(new URL(file, import.meta.url), { workerData: setup, resourceLimits: YOUNG })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let seq = 0
  let count = 0
  let dead: string | null = null
  let closing = false

  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  // Rejects if the thread dies before it is ready, with the reason (a newer schema, no such folder), and not before it
  // has released of the file.
  const [{ migrated }] = (await once(worker, 'message').catch(async (error: unknown) => {
    await ended
    throw error
  })) as [WriterReady]

  const die = (cause: Error): void => {
    if (dead !== null) return
    dead = cause.message
    if (!closing) onLost(cause)
    for (const { reject } of waiting.values()) reject(unavailable(cause.message))
    waiting.clear()
  }
  worker.on('message', (replies: WriterReply[]) => {
    // First: what was read before is out of date when the first caller learns of its write.
    count += 1
    for (const reply of replies) {
      const caller = waiting.get(reply.seq)
      waiting.delete(reply.seq)
      if (reply.ok) caller?.resolve(reply.value)
      else caller?.reject(reply.isFull ? diskFull(dirname(setup.path)) : unavailable(reply.message))
    }
  })
  worker.on('error', (error) => die(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => die(new Error('the writer thread ended')))

  // All writes of one turn of the event loop go to the thread in one message: a message costs more than a row.
  let outgoing: WriterRequest[] = []
  const post = (): void => {
    const batch = outgoing
    outgoing = []
    if (batch.length > 0) worker.postMessage(batch)
  }
  const send = (verb: string, args: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (dead) return reject(unavailable(dead))
      seq += 1
      waiting.set(seq, { resolve, reject })
      if (outgoing.push({ seq, verb, args }) === 1) setImmediate(post)
    })

  return {
    migrated,
    // The thread answers what the verb of that name returned.
    write: ((verb, args) => send(verb, args)) as WriteNow,
    /** Voids what a process before held. */
    takeOver: (args: TakeOverArgs) => send('takeOver', args) as ReturnType<typeof takeOver>,
    /** How many messages it has answered: it rises before a caller learns of its write. */
    count: (): number => count,
    async close(): Promise<void> {
      if (dead) return
      closing = true
      post()
      worker.postMessage('close')
      await ended
    },
  }
}
export type Writer = Awaited<ReturnType<typeof startWriter>>

export interface SqliteOptions {
  path: string
  clock: ProcessClock
  /**
   * The serving process, of which there is one. Its start voids the leases of the one before, and continues from its
   * time.
   */
  owner: boolean
  /** Called with the number of videos in doubt. Given: the file is a copy that was put in the place of the store. */
  onRestored?: ((doubts: number) => void) | undefined
  /** Called if an older version wrote the file. */
  onMigrated?: (migrated: Migrated) => void
  /** Bytes left for the file, null if unknown; default: of its volume. */
  freeBytes?: () => number | null
  /** As many pages as the file may have; default: as many as SQLite takes. */
  maxPages?: number
  /** Called once if this store cannot be written any more, with the reason. Only a new process can continue. */
  onLost?: (cause: Error) => void
  tally?: Tally
}

/**
 * The embedded driver: one file, WAL, `synchronous=FULL`. Reads run on this thread. One writer thread takes concurrent
 * writes into one commit. Rejects if another process owns the file, if a newer schema wrote it, or if it may be an
 * earlier copy and nobody said so.
 */
export const openSqliteStore = async (options: SqliteOptions): Promise<Store> => {
  const { path, clock, owner, maxPages = null, onLost = () => undefined, onRestored } = options
  const isRestored = onRestored !== undefined
  const closers: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    createStoreFile(path)
    if (owner) closers.push(takeOwnership(path).release)
    const storeId = owner ? recognize(path, isRestored) : null
    const writer = await startWriter({ path, maxPages, storeId }, onLost)
    closers.push(writer.close)
    if (writer.migrated) options.onMigrated?.(writer.migrated)
    if (owner) {
      const { newestMs, doubts } = await writer.takeOver({ storeId, isRestored, nowMs: clock.now() })
      clock.notBefore(newestMs)
      onRestored?.(doubts)
    }
    const file = openFile(path, { readOnly: true })
    closers.push(file.close)
    return {
      ...storeOf(file, measured(writer.write, options.tally ?? SILENT), options),
      // Without the lock others may write, and tell nothing here.
      writeCount: () => (owner ? writer.count() : null),
      close,
    }
  } catch (error) {
    await close()
    throw openFault(path, error)
  }
}

const storeOf = (file: SqliteFile, write: WriteNow, options: SqliteOptions): Omit<Store, 'writeCount' | 'close'> => {
  const { clock, path } = options
  const reader = forCallers(file)
  return {
    ...createStore({
      reader,
      write: (verb, args) => write(verb, { ...args, nowMs: clock.now() }),
      now: clock.now,
      async videoNow(id) {
        const row = await reader.get('SELECT data FROM videos WHERE id = ?', id)
        return row ? { video: videoFrom(row), nowMs: clock.now() } : null
      },
      freeBytes: createFreeBytes(clock, options.freeBytes ?? (() => freeBytesOf(dirname(path)))),
      folder: dirname(path),
    }),
    async ping() {
      // Goes through the thread, the file's lock and an empty commit.
      await write('ping', { nowMs: clock.now() })
      await reader.get('SELECT 1')
    },
  }
}
