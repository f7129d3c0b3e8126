import { statSync } from 'node:fs'
import { int, type Kind, type Row, type Shape, shapeOf, text, type Value } from '../sql/db.ts'
import { EarlierCopy } from '../sql/upkeep.ts'
import { openFile, type SqliteFile } from './db.ts'
import { openFault, StoreHeld, takeOwnership, copyFault } from './ownership.ts'
import { startWriter } from './index.ts'

const KINDS: Readonly<Record<string, Kind>> = { TEXT: 'text', INTEGER: 'integer', REAL: 'real' }

/** The names are of the schema, never of a user. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const COLUMNS = `
  SELECT t.name AS "table", c.name AS "column", upper(c.type) AS type
  FROM pragma_table_list t, pragma_table_xinfo(t.name) c
  WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY t.name, c.cid`
/** Tables in which every row has a number of its own, whether a column shows it or not. */
const WITH_ROWID = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 0`
/** A table without those has a primary key. */
const KEY = 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk'
const SEQUENCES = 'SELECT name, seq FROM sqlite_sequence'

const shapeIn = (file: SqliteFile): Shape =>
  shapeOf(
    file.all(COLUMNS).map((row) => {
      const [table, column, type] = [text(row, 'table'), text(row, 'column'), text(row, 'type')]
      const kind = KINDS[type]
      if (kind === undefined) throw new Error(`column ${table}.${column} is ${type}, which cannot be copied`)
      return { table, column, kind }
    }),
  )

const valuesOf = (row: Row, columns: readonly string[]): Value[] =>
  columns.map((column) => {
    const value = row[column]
    if (value === null || typeof value === 'string' || typeof value === 'number') return value
    throw new Error(`column ${column} holds what is no text and no number`)
  })

/** Throws unless the file is there, and a Talkbridge wrote it: migrating another program's file would spoil it. */
const checkFile = (path: string): void => {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new Error(`there is no file ${path}: give the path of the gateway's store.path`)
  }
  const file = openFile(path, { readOnly: true })
  try {
    const version = int(file.get('PRAGMA user_version') ?? {}, 'user_version')
    const known = file.get(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'videos'`)
    if (version === 0 || !known)
      throw new Error(`${path} holds no store of Talkbridge: give the path of its store.path`)
    const fault = copyFault(path, file)
    if (fault !== null) throw new EarlierCopy(fault)
  } finally {
    file.close()
  }
}

/**
 * Migrates the file, and voids what the process before held, as the start of a gateway does. Answers its newest time.
 */
const prepare = async (path: string): Promise<number> => {
  const writer = await startWriter({ path, maxPages: null, storeId: null }, () => undefined)
  try {
    return (await writer.takeOver({ storeId: null, isRestored: false, nowMs: 0 })).newestMs
  } finally {
    await writer.close()
  }
}

const sourceOf = (file: SqliteFile, newestMs: number) => {
  file.exec('BEGIN')
  const numbered = new Set(file.all(WITH_ROWID).map((row) => text(row, 'name')))
  return {
    shape: shapeIn(file),
    /** The newest time in it, milliseconds since the Unix epoch; 0: none. */
    newestMs,
    /** Tables whose rows are numbered in the order of writing, as `rowid`. */
    numbered,
    /** The highest number that each table ever gave, of those that give none twice. */
    lastNumbers: new Map(file.all(SEQUENCES).map((row) => [text(row, 'name'), int(row, 'seq')])),
    countOf: (table: string): number => int(file.get(`SELECT count(*) AS n FROM ${quoted(table)}`) ?? {}, 'n'),
    /** The highest number in a column; 0: there is none. */
    highest: (table: string, column: string): number =>
      int(file.get(`SELECT coalesce(max(${quoted(column)}), 0) AS n FROM ${quoted(table)}`) ?? {}, 'n'),
    /** The values of these columns, row by row, in the order of writing; without numbers, in that of the primary key. */
    *rows(table: string, columns: readonly string[]): Generator<Value[]> {
      const key = file.all(KEY, table).map((row) => quoted(text(row, 'name')))
      const order = numbered.has(table) ? 'rowid' : key.join(', ')
      const sql = `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table)} ORDER BY ${order}`
      for (const row of file.raw.prepare(sql).iterate()) yield valuesOf(row, columns)
    },
  }
}

/**
 * Opens a stopped gateway's store to copy it: takes its ownership, brings it to this program's version and voids the
 * leases of the process before, which would only delay who continues. All reads see one state of it. Throws if a gateway serves it, or if it is none.
 */
export const openCopySource = async (path: string) => {
  const closers: (() => void)[] = []
  const close = (): void => {
    for (const closer of closers.splice(0).toReversed()) closer()
  }
  try {
    checkFile(path)
    closers.push(takeOwnership(path).release)
    const newestMs = await prepare(path)
    const file = openFile(path, { readOnly: true })
    closers.push(file.close)
    return { ...sourceOf(file, newestMs), close }
  } catch (error) {
    close()
    if (error instanceof StoreHeld) throw new Error(`a gateway serves ${path}: stop it first`, { cause: error })
    throw openFault(path, error)
  }
}
export type CopySource = Awaited<ReturnType<typeof openCopySource>>
