import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY

/**
 * One serving process owns the store. The lock is an exclusive transaction on a side file: the system gives it back
 * when the process dies, however it dies, and opening the store for reading needs none of it. Throws when it is held.
 */
export const takeOwnership = (storePath: string): { release(): void } => {
  const db = new DatabaseSync(`${storePath}.lock`, { timeout: 0 })
  try {
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw error
    throw new Error(`another process serves ${storePath}: stop it first, or give this one a store.path of its own`, {
      cause: error,
    })
  }
  return { release: () => db.close() }
}
