import { chmodSync, closeSync, lstatSync, openSync, type Stats } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

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
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY

/** Null if there is no such file. Does not follow symbolic links. */
const statOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null

/**
 * Creates the file, for its owner alone. Never opens an existing one: closing a file frees every lock that this process
 * has on it (POSIX).
 */
const createPrivate = (path: string): void => {
  if (statOf(path)) return
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (error) {
    // Another process that starts now was faster: who of both has the store, the lock tells.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** SQLite gives the files beside the store the same mode. So all are private, even in a shared folder. */
export const createStoreFile = (path: string): void => {
  if (statOf(path)?.isDirectory()) throw new Error(`store.path: ${path} is a folder: name a file in it`)
  createPrivate(path)
}

/** Whoever can open the lock file can keep the gateway from starting. So it must belong to the owner of the store. */
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
 * process dies, however it dies, and opening the store for reading needs none of it. Throws when it is held. Of two that
 * ask at the same moment one has it: an exclusive transaction could be refused to both, each by the other's first look.
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
