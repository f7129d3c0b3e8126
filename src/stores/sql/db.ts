/** What a column holds. Every engine has these three, under names of its own. */
export type Kind = 'text' | 'integer' | 'real'

/** The columns of each table, as an engine has them. */
export type Shape = ReadonlyMap<string, ReadonlyMap<string, Kind>>

/** Groups rows of `table`, `column`, `kind`. */
export const shapeOf = (rows: readonly { table: string; column: string; kind: Kind }[]): Shape => {
  const shape = new Map<string, Map<string, Kind>>()
  for (const { table, column, kind } of rows) {
    const columns = shape.get(table) ?? new Map<string, Kind>()
    columns.set(column, kind)
    shape.set(table, columns)
  }
  return shape
}

/**
 * What the verbs ask of an engine: statements with `?` or `?1` for values. They keep to what SQLite and PostgreSQL both
 * understand. They name their columns: a prepared `SELECT *` fails once a newer process has added one. `INDEXED BY` and a `+` before a column only guide SQLite's planner: PostgreSQL's driver leaves them out. What
 * only guides PostgreSQL's planner stands in a comment, which that driver opens: see `forPostgres`.
 */
export interface Reader {
  /** The first row; undefined: there is none. */
  get(sql: string, ...values: Value[]): Promise<Row | undefined>
  all(sql: string, ...values: Value[]): Promise<Row[]>
}
export interface Db extends Reader {
  /** Answers how many rows changed. */
  run(sql: string, ...values: Value[]): Promise<number>
}
/** Of an engine whose files may fill up. `freeBytes`: of their volume; null: unknown. */
export interface RoomyDb extends Db {
  /** Whether there is room for one more video, beside what is kept back for those that are open. */
  hasRoom(openVideos: number, freeBytes: number | null): Promise<boolean>
}
export type Value = string | number | null
export type Row = Record<string, unknown>

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

/** A part of a statement that PostgreSQL alone reads. It may change how rows are found, and never which. */
export const forPostgres = (sql: string): string => `/*postgres ${sql} */`

/** PostgreSQL looks for each row by an index, where it would join all rows of both tables: it expects to need few of them. */
export const EACH_ALONE = forPostgres('OFFSET 0')

/** A query of one column for `IN`. PostgreSQL takes the limit, which is not known as it plans, for a tenth of the table. */
export const few = (sql: string): string => `${forPostgres('SELECT unnest(ARRAY(')}${sql}${forPostgres('))')}`

/**
 * A number that PostgreSQL finds nothing by, unless an index holds this very expression. Those of a client's rows, in the
 * order of their numbers, do: by the bare number it would go through everybody's rows, and pass over those of others.
 */
export const numberOf = (column: string): string => `${column}${forPostgres('+ 0')}`

/** A text that PostgreSQL finds nothing by: what is named by its id is not looked for among all of its state. */
export const textOf = (column: string): string => `${column}${forPostgres(`|| ''`)}`

/**
 * Queries as one, in one order, to be followed by `ORDER BY` and `LIMIT`. SQLite merges them as it reads them. PostgreSQL
 * does where each has that order and an end by itself: `most` rows, as many as are asked of all together.
 */
export const merged = (queries: readonly string[], orderBy: string, most: string): string =>
  queries
    .map((sql) => `${forPostgres('SELECT * FROM (')}${sql}${forPostgres(`ORDER BY ${orderBy} LIMIT ${most}) AS part`)}`)
    .join(' UNION ALL ')

/**
 * The smallest power of two that is not below `count`, as placeholders: so that lists of any length make few statements.
 * The last value fills the rest. An empty list finds nothing.
 */
export const listOf = (values: readonly string[]): { sql: string; values: Value[] } => {
  let size = 1
  while (size < values.length) size *= 2
  const last = values.at(-1) ?? null
  return {
    sql: Array.from({ length: size }, () => '?').join(', '),
    values: Array.from({ length: size }, (_, n) => values[n] ?? last),
  }
}

/** One after the other: a connection does one thing at a time. */
export const inTurn = async <A, B>(items: readonly A[], act: (item: A) => Promise<B>): Promise<B[]> => {
  const done: B[] = []
  for (const item of items) done.push(await act(item))
  return done
}
