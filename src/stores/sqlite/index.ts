import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ProcessClock } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'
import { SILENT, type Tally } from '../../core/tally.ts'
import { videoFrom } from '../sql/rows.ts'
import { createStore, measured } from '../sql/store.ts'
import { createFreeBytes, forCallers, freeBytesOf, openFile, type SqliteFile } from './db.ts'
import { createStoreFile, openFault, takeOwnership } from './lock.ts'
import { recognize } from './high-water.ts'
import { createMarks, markOf } from './marks.ts'
import { startWriter, type WriteNow } from './write.ts'

export interface SqliteOptions {
  path: string
  clock: ProcessClock
  /**
   * The serving process, of which there is one. Its start voids the leases of the one before, and goes on from its
   * time.
   */
  owner: boolean
  /** Called with the number of videos in doubt. Given: the file is a copy that was put in the place of the store. */
  onRestored?: ((doubts: number) => void) | undefined
  /** Bytes left for the file, null if unknown; default: of its volume. */
  freeBytes?: () => number | null
  /** As many pages as the file may have; default: as many as SQLite takes. */
  maxPages?: number
  /** Called once if this store cannot be written any more, with the reason. Only a new process can go on. */
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
    const marks = createMarks()
    const writer = await startWriter({ path, maxPages, marks, storeId }, onLost)
    closers.push(writer.close)
    if (owner) {
      const { newestMs, doubts } = await writer.takeOver({ storeId, isRestored, nowMs: clock.now() })
      clock.notBefore(newestMs)
      onRestored?.(doubts)
    }
    const file = openFile(path, { readOnly: true })
    closers.push(file.close)
    return {
      ...storeOf(file, measured(writer.write, options.tally ?? SILENT), options),
      // Without the lock others may write, and mark nothing here.
      markOf: (id) => (owner ? markOf(marks, id) : null),
      close,
    }
  } catch (error) {
    await close()
    throw openFault(path, error)
  }
}

const storeOf = (file: SqliteFile, write: WriteNow, options: SqliteOptions): Omit<Store, 'markOf' | 'close'> => {
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
      unread: (video) => ({ video, nowMs: clock.now() }),
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
