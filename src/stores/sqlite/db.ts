import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Problem } from '../../core/errors.ts'

/**
 * How long to wait for a file that somebody else has locked. Reads wait on the main thread. Only a tool that locks the
 * whole file makes them wait.
 */
const BUSY_MS = { read: 250, write: 5_000 } as const

export type Row = Record<string, unknown>

/** node:sqlite with its statements prepared once. Synchronous: reads of indexed rows on the main thread, writes in the writer. */
export const openDb = (path: string, options: { readOnly: boolean }) => {
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
    get: (sql: string, ...values: SQLInputValue[]): Row | undefined => prepared(sql).get(...values),
    all: (sql: string, ...values: SQLInputValue[]): Row[] => prepared(sql).all(...values),
    /** Answers how many rows changed. */
    run: (sql: string, ...values: SQLInputValue[]): number => Number(prepared(sql).run(...values).changes),
    exec: (sql: string): void => raw.exec(sql),
    close: (): void => raw.close(),
  }
}
export type Db = ReturnType<typeof openDb>

/** The same for callers of the store: a fault of SQLite becomes `store_unavailable`. */
export const forCallers = (db: Db): Db => {
  const guarded =
    <T>(read: (sql: string, ...values: SQLInputValue[]) => T) =>
    (sql: string, ...values: SQLInputValue[]): T => {
      try {
        return read(sql, ...values)
      } catch (cause) {
        throw new Problem('store_unavailable', 'the store cannot be read at the moment', { cause })
      }
    }
  return { ...db, get: guarded(db.get), all: guarded(db.all) }
}

/** What was read of a row; null if there is none. */
export const orNull = <T>(row: Row | undefined, from: (row: Row) => T): T | null => (row ? from(row) : null)

export const text = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`column ${column} is no text`)
  return value
}
export const textOrNull = (row: Row, column: string): string | null => (row[column] === null ? null : text(row, column))
export const int = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`column ${column} is no number`)
  return value
}
export const intOrNull = (row: Row, column: string): number | null => (row[column] === null ? null : int(row, column))
