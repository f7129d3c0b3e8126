import type { DatabaseSync } from 'node:sqlite'
import { TABLES } from './tables.ts'
import { TRIGGERS } from './triggers.ts'

/** The version of the tables as they stand in tables.ts and triggers.ts: no release ever wrote an older one. */
export const FIRST = 39

/**
 * Forward-only: entry n takes a store from version 39 + n to the next. Never edit one that was released. Nor
 * edit tables.ts and triggers.ts, which are version 39.
 */
const STEPS: readonly string[] = []

/** The version that this program writes. */
export const versionAfter = (steps = STEPS): number => FIRST + steps.length

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)

const bringUp = (db: DatabaseSync, version: number, steps: readonly string[]): void => {
  if (version === 0) db.exec(TABLES + TRIGGERS)
  for (const sql of steps.slice(Math.max(0, version - FIRST))) db.exec(sql)
}

/**
 * Brings the database to this program's version, in one transaction: a crash in the middle leaves the old version, whole.
 * Throws, and writes nothing, if a newer program or one from before the first release wrote it, or if a step fails.
 */
export const migrate = (db: DatabaseSync, steps = STEPS): void => {
  const [version, latest] = [versionOf(db), versionAfter(steps)]
  const known = `the store has schema version ${version}, this program knows ${FIRST} to ${latest}`
  if (version > latest) {
    throw new Error(
      `${known}: a newer Talkbridge wrote it; start that one, or restore the backup from before the upgrade`,
    )
  }
  if (version > 0 && version < FIRST) {
    throw new Error(`${known}: a development version wrote it, before the first release; begin with a new store`)
  }
  if (version === latest) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Read again under the lock: another handle may have done it meanwhile.
    bringUp(db, versionOf(db), steps)
    db.exec(`PRAGMA user_version = ${latest}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * `synchronous=FULL`: a commit that returned survives a power cut. `fullfsync`: the same on macOS, whose fsync alone
 * does not guarantee it. `journal_size_limit`: the log shrinks again after a burst. `temp_store`: what a failed statement
 * goes back to is no file.
 * `wal_autocheckpoint`: the log is copied into the file when it is as long as that limit, since pages that are written
 * often are copied once each time. Of up to 4,062 pages readers search one table of their places.
 */
export const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_size_limit = 16777216;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 4000;
`
