import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Problem } from '../../core/errors.ts'
import type { Db, RoomyDb, Row, Value } from '../sql/db.ts'
import { hasRoom, roomOf } from './room.ts'

/**
 * How long to wait for a file that somebody else has locked. Reads wait on the main thread. Only a tool that locks the
 * whole file makes them wait.
 */
const BUSY_MS = { read: 250, write: 5_000 } as const

/** node:sqlite with its statements prepared once. Synchronous: reads of indexed rows on the main thread, writes in the writer. */
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

/** The file as the verbs of every engine use it. Each statement is done when its call returns. */
export const dbOf = (file: SqliteFile): RoomyDb => ({
  get: async (sql, ...values) => file.get(sql, ...values),
  all: async (sql, ...values) => file.all(sql, ...values),
  run: async (sql, ...values) => file.run(sql, ...values),
  hasRoom: async (openVideos, freeBytes) => hasRoom(roomOf(file), freeBytes, openVideos),
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
