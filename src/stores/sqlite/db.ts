import { readFileSync, statfsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Clock } from '../../core/time/clock.ts'
import { type Db, int, type List, type Migrated, type RoomyDb, type Row, STEPS, type Value } from '../sql/db.ts'
import { Problem } from '../../core/errors.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Always kept back: for the write-ahead log, indexes, secrets, learned durations. */
const RESERVE_BYTES = 64 * MIB
/** Kept back for each open video: its end, its events, their deliveries and attempts. */
const RESERVE_PER_VIDEO_BYTES = 64 * KIB
/** For the write-ahead log, which grows on the volume even if the file has unused pages. */
const LOG_BYTES = 32 * MIB
/** Below so much on its volume, a store without open videos takes no more. */
export const NEEDED_BYTES = RESERVE_BYTES + LOG_BYTES
/** How long one measurement of the volume is used. */
const HELD_MS = 1_000

/** The database file, in pages. */
export interface FileRoom {
  pageBytes: number
  pages: number
  /** Empty ones of `pages`. Purged rows give their pages back here, never to the volume. */
  unused: number
  /** The limit of the writer's connection. */
  maxPages: number
}

const roomOf = (db: { get(sql: string): Row | undefined }): FileRoom => {
  const row =
    db.get(`
      SELECT page_size, page_count, freelist_count, max_page_count
      FROM pragma_page_size, pragma_page_count, pragma_freelist_count, pragma_max_page_count`) ?? {}
  return {
    pageBytes: int(row, 'page_size'),
    pages: int(row, 'page_count'),
    unused: int(row, 'freelist_count'),
    maxPages: int(row, 'max_page_count'),
  }
}

/**
 * Whether there is room for one more video. Creates stop before the store is full, so that open videos can still
 * settle. `freeBytes` is what the volume has left; null: unknown, and then only the file's own limit counts.
 */
export const hasRoom = (file: FileRoom, freeBytes: number | null, openVideos: number): boolean => {
  const mayGrowBytes = (file.maxPages - file.pages) * file.pageBytes
  const onVolumeBytes = freeBytes === null ? mayGrowBytes : freeBytes - LOG_BYTES
  if (onVolumeBytes < 0) return false
  const leftBytes = file.unused * file.pageBytes + Math.min(mayGrowBytes, onVolumeBytes)
  return leftBytes >= RESERVE_BYTES + openVideos * RESERVE_PER_VIDEO_BYTES
}

/** Bytes that the volume of `folder` has left; null where its file system does not say. */
export const freeBytesOf = (folder: string): number | null => {
  const { bavail, bsize, blocks } = statfsSync(folder)
  return blocks === 0 ? null : bavail * bsize
}

/** What `measure` says, at most once a second. If it fails, the room is unknown, and a write may fail instead. */
export const createFreeBytes = (clock: Clock, measure: () => number | null) => {
  let seen: { atMs: number; freeBytes: number | null } | null = null
  const measured = (): number | null => {
    try {
      return measure()
    } catch {
      return null
    }
  }
  return (): number | null => {
    const nowMs = clock.now()
    if (!seen || Math.abs(nowMs - seen.atMs) >= HELD_MS) seen = { atMs: nowMs, freeBytes: measured() }
    return seen.freeBytes
  }
}

/**
 * How long to wait for a file that somebody else has locked. Reads wait on the main thread. Only a tool that locks the
 * whole file makes them wait.
 */
const BUSY_MS = { read: 250, write: 5_000 } as const

/**
 * node:sqlite with its statements prepared once. Synchronous: reads of indexed rows on the main thread, writes in the
 * writer.
 */
export const openFile = (path: string, options: { readOnly: boolean }) => {
  const raw = new DatabaseSync(path, {
    readOnly: options.readOnly,
    timeout: BUSY_MS[options.readOnly ? 'read' : 'write'],
  })
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = raw.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    raw,
    get: (sql: string, ...values: Value[]): Row | undefined => prepared(sql).get(...values),
    all: (sql: string, ...values: Value[]): Row[] => prepared(sql).all(...values),
    /** Answers how many rows changed. */
    run: (sql: string, ...values: Value[]): number => Number(prepared(sql).run(...values).changes),
    exec: (sql: string): void => raw.exec(sql),
    close: (): void => raw.close(),
  }
}
export type SqliteFile = ReturnType<typeof openFile>

const valueOf = (row: Row, column: string): Value => {
  const value = row[column] ?? null
  if (value !== null && typeof value !== 'string' && typeof value !== 'number')
    throw new Error(`column ${column} is no value`)
  return value
}

/** A step of `Db.after`, to which the rows of the one before are a table. */
const withRows = (name: string | undefined, rows: readonly Row[], { sql, values }: List): List => {
  const columns = Object.keys(rows[0] ?? {})
  const row = `(${columns.map(() => '?').join(', ')})`
  return {
    sql: `WITH ${name} (${columns.join(', ')}) AS (VALUES ${rows.map(() => row).join(', ')}) ${sql}`,
    values: [...rows.flatMap((one) => columns.map((column) => valueOf(one, column))), ...values],
  }
}

/** The file as the verbs of every engine use it. Each statement is done when its call returns. */
export const dbOf = (file: SqliteFile): RoomyDb => ({
  get: async (sql, ...values) => file.get(sql, ...values),
  all: async (sql, ...values) => file.all(sql, ...values),
  run: async (sql, ...values) => file.run(sql, ...values),
  async after(...steps) {
    let rows: Row[] = []
    for (const [n, step] of steps.entries()) {
      const { sql, values } = n === 0 ? step : withRows(STEPS[n - 1], rows, step)
      rows = file.all(sql, ...values)
      if (rows.length === 0) break
    }
    return rows
  },
  hasRoom: async (openVideos, freeBytes) => hasRoom(roomOf(file), freeBytes, await openVideos()),
})

/** The same for callers of the store, who read: a fault of SQLite becomes `store_unavailable`. */
export const forCallers = (file: Pick<SqliteFile, 'get' | 'all'>): Pick<Db, 'get' | 'all'> => {
  const guarded =
    <T>(read: (sql: string, ...values: Value[]) => T) =>
    async (sql: string, ...values: Value[]): Promise<T> => {
      try {
        return read(sql, ...values)
      } catch (cause) {
        throw new Problem('store_unavailable', 'the store cannot be read at the moment', { cause })
      }
    }
  return { get: guarded(file.get), all: guarded(file.all) }
}

/** The version of the first of these: no release ever wrote an older one. */
export const FIRST = 39

/** Forward-only: each brings a store to the version in its name. Never edit one that was released. */
const MIGRATIONS = [
  '0039-baseline.sql',
  '0040-queue-counts.sql',
  '0041-history.sql',
  '0042-history-taken.sql',
  '0043-priority.sql',
  '0044-pools.sql',
  '0045-reuse.sql',
  '0046-series.sql',
  '0047-ended-deliveries.sql',
  '0048-credits.sql',
  '0049-failing-endpoints.sql',
]

/** The version that this program writes. */
export const VERSION = FIRST + MIGRATIONS.length - 1

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)

const bringUp = (db: DatabaseSync, version: number, later: readonly string[]): void => {
  const behind = version === 0 ? 0 : version - FIRST + 1
  for (const name of MIGRATIONS.slice(behind)) db.exec(readFileSync(new URL(name, import.meta.url), 'utf8'))
  for (const sql of later.slice(Math.max(0, behind - MIGRATIONS.length))) db.exec(sql)
}

/**
 * Brings the database to this program's version, in one transaction: a crash in the middle leaves the old version,
 * whole. Throws, and writes nothing, if a newer program or one from before the first release wrote it, or if a step
 * fails. `later`: steps of a version that is still to come, as tests have them. Answers null if the file is new, or of
 * this version.
 */
export const migrate = (db: DatabaseSync, later: readonly string[] = []): Migrated | null => {
  const [version, latest] = [versionOf(db), VERSION + later.length]
  const known = `the store has schema version ${version}, this program knows ${FIRST} to ${latest}`
  if (version > latest) {
    throw new Error(
      `${known}: a newer Talkbridge wrote it; start that one, or restore the backup from before the upgrade`,
    )
  }
  if (version > 0 && version < FIRST) {
    throw new Error(`${known}: a development version wrote it, before the first release; begin with a new store`)
  }
  if (version === latest) return null
  db.exec('BEGIN IMMEDIATE')
  try {
    // Read again under the lock: another handle may have done it meanwhile.
    bringUp(db, versionOf(db), later)
    db.exec(`PRAGMA user_version = ${latest}`)
    db.exec('COMMIT')
    return version === 0 ? null : { from: version, to: latest }
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * `synchronous=FULL`: a commit that returned survives a power cut. `fullfsync`: the same on macOS, whose fsync only
 * does not guarantee it. `journal_size_limit`: the log shrinks again after a burst. `temp_store`: what a failed
 * statement goes back to is no file. `wal_autocheckpoint`: the log is copied into the file when it is as long as that
 * limit, since pages that are written often are copied once each time. Of up to 4,062 pages readers search one table of
 * their places.
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
