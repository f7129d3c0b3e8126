import { lstatSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { int, text } from '../sql/db.ts'
import { copyFault, isBusy, openFault } from './ownership.ts'
import { FIRST, VERSION } from './db.ts'

/** What a check of the file says; nothing is written, and nothing is made. */
export interface SqliteFacts {
  /** Null: there is no file. */
  store: {
    /** Of the file; and the latest that this program knows. */
    version: number
    /** Versions that this program can read. */
    oldest: number
    known: number
    /** Whether the gateway's tables are in it. */
    isOurs: boolean
    /** What the secret key is checked with; null: no gateway served it yet. */
    secretCheck: string | null
    /** Why it may be a copy from earlier; null: it is not. */
    copyFault: string | null
    /** Videos that have not ended. */
    open: readonly { account: string; backend: string; videos: number }[]
  } | null
  lock: 'free' | 'held' | 'foreign'
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/**
 * Read-only. While nobody has the file open there is no log beside it, and SQLite would make one even to read: then it
 * is read as a file that nobody changes.
 */
const openToRead = (path: string): DatabaseSync => {
  if (exists(`${path}-wal`)) return new DatabaseSync(path, { readOnly: true, timeout: 250 })
  const url = pathToFileURL(path)
  url.search = '?immutable=1&mode=ro'
  return new DatabaseSync(url, { readOnly: true })
}

const OPEN = 'SELECT account, backend, sum(n) AS videos FROM open_videos WHERE n > 0 GROUP BY account, backend'

const storeIn = (path: string): SqliteFacts['store'] => {
  if (!exists(path)) return null
  const db = openToRead(path)
  try {
    const { n } = db.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('meta', 'videos')`).get() ?? {}
    const isOurs = n === 2
    const check = isOurs ? db.prepare(`SELECT value FROM meta WHERE key = 'secret_check'`).get() : undefined
    const version = int(db.prepare('PRAGMA user_version').get() ?? {}, 'user_version')
    const open = isOurs && version === VERSION ? db.prepare(OPEN).all() : []
    return {
      version,
      oldest: FIRST,
      known: VERSION,
      isOurs,
      secretCheck: check ? text(check, 'value') : null,
      copyFault: isOurs ? copyFault(path, { get: (sql) => db.prepare(sql).get() }) : null,
      open: open.map((row) => ({
        account: text(row, 'account'),
        backend: text(row, 'backend'),
        videos: int(row, 'videos'),
      })),
    }
  } finally {
    db.close()
  }
}

/**
 * Whether a gateway serves the store, by its lock. To ask, the lock is taken for as long as one statement: nothing else
 * says. Nothing is written to it, and it is not made.
 */
const lockOf = (path: string): SqliteFacts['lock'] => {
  const lock = `${path}.lock`
  const file = lstatSync(lock, { throwIfNoEntry: false })
  if (!file) return 'free'
  const owners = [process.getuid?.(), statSync(path, { throwIfNoEntry: false })?.uid]
  if (file.isSymbolicLink() || (process.getuid && !owners.includes(file.uid))) return 'foreign'
  const db = new DatabaseSync(lock, { timeout: 0 })
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK')
    return 'free'
  } catch (error) {
    if (isBusy(error)) return 'held'
    throw error
  } finally {
    db.close()
  }
}

/** Throws, with what to do, if the file cannot be read. */
export const inspectSqlite = (path: string): SqliteFacts => {
  try {
    return { store: storeIn(path), lock: lockOf(path) }
  } catch (error) {
    throw openFault(path, error)
  }
}
