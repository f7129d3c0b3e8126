import { codeOf } from '../../core/errors.ts'
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  type Stats,
  fdatasync,
  fsyncSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { type Db, int, orNull, text, videoFrom } from '../sql/db.ts'
import { doubtAll, EarlierCopy, newestMs } from '../sql/upkeep.ts'
import { openFile, type SqliteFile } from './db.ts'
import { budgetFrom } from '../sql/work-verbs.ts'
import * as budgets from '../../core/limits/budget.ts'
import { putVideo } from '../sql/outbox.ts'

const WRITABLE = 'this user must be able to write the file and its folder'
const ELSEWHERE = 'name another store.path'

/** What to do, by SQLite's primary result codes. */
const ADVICE: Readonly<Record<number, string>> = {
  8: WRITABLE,
  11: 'restore a backup',
  13: 'make room on its disk',
  14: WRITABLE,
  26: `${ELSEWHERE}, or restore a backup`,
}

/** The same by error codes of the system, which name no configuration key. */
const SYSTEM_ADVICE: Readonly<Record<string, string>> = {
  EACCES: `${WRITABLE}; else ${ELSEWHERE}`,
  EPERM: `${WRITABLE}; else ${ELSEWHERE}`,
  EROFS: `${WRITABLE}; else ${ELSEWHERE}`,
  ENOSPC: 'make room on its disk',
}

/** SQLite and the system say what is wrong, but not what to do; our own errors say both. */
export const openFault = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if ('errcode' in error && typeof error.errcode === 'number') {
    const advice = ADVICE[error.errcode & 0xff]
    return new Error(`${path}: ${error.message}${advice === undefined ? '' : `: ${advice}`}`, { cause: error })
  }
  if ('syscall' in error && 'code' in error && typeof error.code === 'string') {
    const advice = SYSTEM_ADVICE[error.code] ?? ELSEWHERE
    return new Error(`store.path: cannot open ${path}: ${error.message}: ${advice}`, { cause: error })
  }
  return error
}

const SQLITE_BUSY = 5
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY

/** Null if there is no such file. Does not follow symbolic links. */
const statOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null

/**
 * Creates the file, for its owner only. Never opens an existing one: closing a file frees every lock that this process
 * has on it (POSIX).
 */
const createPrivate = (path: string): void => {
  if (statOf(path)) return
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (error) {
    // Another process that starts now was faster: the lock says which of both has the store.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** SQLite gives the files beside the store the same mode. So all are private, even in a shared folder. */
export const createStoreFile = (path: string): void => {
  if (statOf(path)?.isDirectory()) throw new Error(`store.path: ${path} is a folder: name a file in it`)
  createPrivate(path)
}

/**
 * Anyone who can open the lock file can keep the gateway from starting. So it must belong to the owner of the store.
 */
const guardLockFile = (path: string, storePath: string): void => {
  createPrivate(path)
  const file = lstatSync(path)
  if (file.isSymbolicLink())
    throw new Error(`${path} is a symbolic link, so anybody's lock could stand for it: remove it`)
  const owners = [process.getuid?.(), statOf(storePath)?.uid]
  if (process.getuid && !owners.includes(file.uid)) {
    throw new Error(
      `${path} belongs to another user (uid ${file.uid}): if no gateway of that user serves ${storePath}, remove it`,
    )
  }
  // An older version made it readable for everybody.
  if ((file.mode & 0o077) !== 0) chmodSync(path, 0o600)
}

/** Another process owns the store. */
export class StoreHeld extends Error {}

/**
 * One serving process owns the store. The lock is a write transaction on a side file: the system gives it back when the
 * process dies, however it dies, and opening the store for reading needs none of it. Throws when it is held. Of two
 * that ask at the same moment one has it: an exclusive transaction could be refused to both, each by the other's first
 * look.
 */
export const takeOwnership = (storePath: string): { release(): void } => {
  const path = `${storePath}.lock`
  guardLockFile(path, storePath)
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE')
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw error
    throw new StoreHeld(
      `another process serves ${storePath}: stop it first, or give this one a store.path of its own`,
      {
        cause: error,
      },
    )
  }
  return { release: () => db.close() }
}

/**
 * A file beside the store says how far the store has come. A copy from before that is behind it, and is not served as
 * if nothing had happened since (docs/store.md, "An earlier copy is noticed"). The mark is written after the commit
 * that it speaks of is on the disk, so that no crash leaves it ahead of its own store.
 */
interface HighWater {
  /**
   * A random id, which is in the store too. A restored copy gets a new one: what came after the copy is another story.
   */
  store: string
  /** Writes to videos, of all accounts. */
  changes: number
}

const markPath = (path: string): string => `${path}.mark`

/** Written over in place, so always as long: what is shorter than a sector is written whole or not at all. */
const LENGTH = 128
const lineOf = (mark: HighWater): string => `${JSON.stringify(mark).padEnd(LENGTH - 1)}\n`

/** Null: there is none that can be read. */
const readMark = (path: string): HighWater | null => {
  try {
    const mark: unknown = JSON.parse(readFileSync(markPath(path), 'utf8'))
    if (typeof mark !== 'object' || mark === null || !('store' in mark) || !('changes' in mark)) return null
    const { store, changes } = mark
    return typeof store === 'string' && typeof changes === 'number' ? { store, changes } : null
  } catch (error) {
    // Neither missing nor broken: nobody knows what it says.
    if (error instanceof Error && 'code' in error && error.code !== 'ENOENT') throw error
    return null
  }
}

/** Puts a new mark in its place, whole and on the disk when this returns. */
const putMark = (path: string, mark: HighWater): void => {
  const sync = (file: number): void => {
    fsyncSync(file)
    closeSync(file)
  }
  const draft = `${markPath(path)}.new`
  const file = openSync(draft, 'w', 0o600)
  writeSync(file, lineOf(mark))
  sync(file)
  renameSync(draft, markPath(path))
  sync(openSync(dirname(path), 'r'))
}

const STORE_ID = 'store_id'
const PUT_STORE_ID = `INSERT INTO meta (key, value) VALUES ('${STORE_ID}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`
const CHANGES = 'SELECT coalesce(sum(n), 0) AS n FROM changes'
const TABLES = `SELECT count(*) FILTER (WHERE name = 'meta') AS meta, count(*) FILTER (WHERE name = 'changes') AS changes
  FROM sqlite_schema WHERE type = 'table'`

/** What the store itself says. `store` null: it was never served with a mark. The whole null: it is new. */
const insideOf = (file: Pick<SqliteFile, 'get'>): { store: string | null; changes: number } | null => {
  const tables = file.get(TABLES) ?? {}
  if (int(tables, 'meta') === 0) return null
  return {
    store: orNull(file.get(`SELECT value FROM meta WHERE key = '${STORE_ID}'`), (row) => text(row, 'value')),
    changes: int(tables, 'changes') === 0 ? 0 : int(file.get(CHANGES) ?? {}, 'n'),
  }
}

/** Why the store may be an earlier copy; null: it is the one that the mark speaks of. */
export const copyFault = (path: string, file: Pick<SqliteFile, 'get'>): string | null => {
  // First: of a store that is being served the mark moves on meanwhile, and so does the store.
  const mark = readMark(path)
  const inside = insideOf(file)
  const beside = markPath(path)
  if (inside === null || (mark === null && inside.store === null)) return null
  if (mark === null) return `${path} was served with a mark beside it, and there is none to read at ${beside}`
  if (inside.store !== null && inside.store !== mark.store) return `${beside} is the mark of another store than ${path}`
  return mark.changes > inside.changes
    ? `${path} is a copy from earlier: it has ${inside.changes} writes, and ${beside} says ${mark.changes}`
    : null
}

/**
 * The id that the store is served under, with a mark beside it. Throws `EarlierCopy` if it may be a copy, unless that
 * is known: then the id is new, and until the store has it, too, no start without that word succeeds.
 */
export const recognize = (path: string, isRestored: boolean): string => {
  const file = openFile(path, { readOnly: false })
  try {
    const fault = isRestored ? null : copyFault(path, file)
    if (fault !== null) throw new EarlierCopy(fault)
    const inside = insideOf(file)
    const mark = isRestored || inside === null ? null : readMark(path)
    if (mark) return mark.store
    const fresh = { store: randomUUID(), changes: inside?.changes ?? 0 }
    putMark(path, fresh)
    return fresh.store
  } finally {
    file.close()
  }
}

const SYNC_MS = 1_000

/**
 * Keeps the mark of a store up to date. It survives this process immediately, and a power cut a second later. A write that fails is made up for by the
 * next: a mark that is behind refuses no store.
 */
export const keepMark = (path: string, store: string, db: Pick<SqliteFile, 'get'>) => {
  const file = openSync(markPath(path), 'r+')
  let written = -1
  let syncing: NodeJS.Timeout | null = null
  const sync = (): void => {
    syncing = null
    fdatasync(file, () => undefined)
  }
  return {
    /** Call after each commit that is on the disk, and before anybody learns of it. */
    advance(): void {
      const changes = int(db.get(CHANGES) ?? {}, 'n')
      if (changes === written) return
      try {
        writeSync(file, lineOf({ store, changes }), 0)
        written = changes
      } catch {
        return
      }
      syncing ??= setTimeout(sync, SYNC_MS).unref()
    },
    close(): void {
      if (syncing) clearTimeout(syncing)
      fsyncSync(file)
      closeSync(file)
    },
  }
}

/**
 * A new owner of the file continues with the windows of the one before. Their times stay valid: our clock never goes
 * back.
 */
const keepWindows = async (db: Db): Promise<void> => {
  for (const row of await db.all('SELECT account, data FROM budgets')) {
    const budget = budgets.restarted(budgetFrom(row))
    await db.run('UPDATE budgets SET data = ? WHERE account = ?', JSON.stringify(budget), text(row, 'account'))
  }
}

const DISPATCHING = `SELECT data FROM videos WHERE phase IN ('dispatching', 'doubtful') AND phase = 'dispatching'`

export interface TakeOverArgs {
  /** That of the mark beside the file; null: the process that takes over does not serve. */
  storeId: string | null
  /** The file is a copy that was put in the place of the store. */
  isRestored: boolean
  nowMs: number
}

/**
 * Voids all leases: the new owner of the file is the only one, and leases of a dead process would only delay it.
 * Answers the newest time in the store, which it cannot be earlier than now; and how many videos of a copy are in
 * doubt.
 */
export const takeOver = async (
  db: Db,
  { storeId, isRestored, nowMs }: TakeOverArgs,
): Promise<{ newestMs: number; doubts: number }> => {
  if (storeId !== null) await db.run(PUT_STORE_ID, storeId)
  const doubts = isRestored ? await doubtAll(db, nowMs) : 0
  await keepWindows(db)
  await db.run('DELETE FROM leases')
  await db.run(`UPDATE keyed SET lease_until = 0 WHERE done = 0`)
  await db.run(`UPDATE deliveries SET lease_token = NULL, lease_until = NULL WHERE lease_until IS NOT NULL`)
  for (const row of await db.all(DISPATCHING)) {
    const video = videoFrom(row)
    await putVideo(db, { ...video, version: video.version + 1, dueAtMs: 0, lease: null }, video, [])
  }
  return { newestMs: await newestMs(db), doubts }
}
