import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { statSync } from 'node:fs'
import { NOT_UTF8, readSource } from '../config-file.ts'
import { CliError, counted, plain } from '../context.ts'

/** One row of the file: its cells by their columns. */
export interface SourceRow {
  /** Of a CSV, 1 is the row below the header; of JSON lines, the line. It stays the same when other rows are filled in. */
  readonly number: number
  readonly cells: ReadonlyMap<string, string>
}
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly SourceRow[]
}

export const MAX_FILE_BYTES = 32 * 1024 * 1024
export const MAX_ROWS = 10_000
const MAX_COLUMNS = 200
/** No request of the gateway may be larger. */
export const MAX_CELL_CHARS = 65_536
const FAULTS_SHOWN = 20

const endWith = (faults: readonly string[]): never => {
  throw new CliError(2, faults.map((fault) => `talkbridge batch: ${plain(fault)}`).join('\n'))
}

/** Ends the command with a fault of what it was given. */
export const fail = (fault: string): never => endWith([fault])

/** The same with many; does nothing if there are none. */
export const refuse = (faults: readonly string[]): void => {
  if (faults.length === 0) return
  const more = faults.length - FAULTS_SHOWN
  endWith([...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`and ${counted(more, 'more fault')}`] : [])])
}

const headerFaults = (columns: readonly string[]): string[] => {
  if (columns.length > MAX_COLUMNS) return [`header: ${columns.length} columns: the limit is ${MAX_COLUMNS}`]
  return columns.flatMap((column, n) => {
    if (column === '') return [`header: column ${n + 1} has no name`]
    return columns.indexOf(column) < n ? [`header: column "${column}" is there twice`] : []
  })
}

const MAX_HEADER_CHARS = 1_000_000

/** Spreadsheets of many countries write semicolons. */
const delimiterOf = (text: string): string => {
  const [header = ''] = /^[^\r\n]*/.exec(text.slice(0, MAX_HEADER_CHARS).replaceAll(/"[^"]*"/g, '')) ?? []
  return [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ','
}

/** Without the empty cells on the right. */
const widthOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell.trim() !== '') + 1

/** What was read, with its faults. `last`: the number of the last row, empty ones counted. */
type Parsed = Table & { faults: string[]; last: number }

/** A row whose cells are all empty is left out, and keeps its number. Throws a `CliError` for what is no CSV. */
const parseCsv = (text: string): Parsed => {
  const options = { delimiter: delimiterOf(text), record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }
  const [header = [], ...records] = parse(text, { ...options, to: MAX_ROWS + 2 })
  // Spreadsheets write empty columns on the right, too.
  const used = records.reduce((most, record) => Math.max(most, widthOf(record)), widthOf(header))
  const columns = header.slice(0, used).map((column) => column.trim())
  const faults = headerFaults(columns)
  if (faults.length > 0) return { columns, rows: [], faults, last: 0 }
  const rows = records.flatMap((record, at): SourceRow[] => {
    const number = at + 1
    if (record.every((cell) => cell.trim() === '')) return []
    const cells = Math.min(record.length, Math.max(columns.length, widthOf(record)))
    if (cells !== columns.length) {
      const has = counted(cells, 'cell')
      faults.push(`row ${number}: ${has}, but the header has ${counted(columns.length, 'column')}`)
    }
    return [{ number, cells: new Map(columns.map((column, n) => [column, record[n] ?? ''])) }]
  })
  return { columns, rows, faults, last: records.length }
}

const Line = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]).transform((value) => String(value ?? '')),
)

const lineOf = (line: string) => {
  try {
    return Line.safeParse(JSON.parse(line))
  } catch {
    return Line.safeParse(null)
  }
}

const parseJsonLines = (text: string): Parsed => {
  const faults: string[] = []
  const lines = text.split('\n').map((line, at) => ({ number: at + 1, line }))
  const rows = lines.flatMap(({ number, line }): SourceRow[] => {
    if (line.trim() === '') return []
    const { data = {}, error } = lineOf(line)
    for (const { path } of error?.issues ?? [])
      faults.push(
        path[0] === undefined
          ? `row ${number}: must be an object in JSON, such as {"name": "Ada"}`
          : `row ${number}, column "${String(path[0])}": must be a string, a number or a boolean`,
      )
    return [{ number, cells: new Map(Object.entries(data)) }]
  })
  const columns = new Set(rows.flatMap(({ cells }) => [...cells.keys()]))
  return { columns: [...columns], rows, faults, last: rows.at(-1)?.number ?? 0 }
}

/** The text of a file, without a byte order mark. Throws a `CliError` that names it. */
export const readText = (path: string, shown: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  // Reading a pipe can block for ever, and no signal ends that.
  if (found && !found.isFile() && !found.isDirectory()) return fail(`${shown}: is no regular file: save it as one`)
  const source = readSource(path, MAX_FILE_BYTES + 1)
  if ('message' in source)
    return fail(`${shown}: ${source.message}${source.message === NOT_UTF8 ? ': save it as CSV UTF-8' : ''}`)
  if (Buffer.byteLength(source.text) <= MAX_FILE_BYTES) return source.text
  return fail(`${shown}: larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`)
}

const parsedOf = (text: string, isCsv: boolean): Parsed => {
  try {
    return isCsv ? parseCsv(text) : parseJsonLines(text)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { columns: [], rows: [], faults: [`is no CSV: ${error.message}`], last: 0 }
  }
}

/** Reads `FILE.csv` or `FILE.jsonl`. Throws a `CliError` with its faults. */
export const readTable = (path: string, shown: string): Table => {
  if (!/\.(csv|jsonl)$/i.test(path)) fail(`${shown}: must end with .csv or .jsonl`)
  const { columns, rows, faults, last } = parsedOf(readText(path, shown), /csv$/i.test(path))
  if (last > MAX_ROWS) faults.push(`more than ${MAX_ROWS} rows: split the file, and give each part its own --name`)
  for (const { number, cells } of rows)
    for (const [column, { length }] of cells)
      if (length > MAX_CELL_CHARS)
        faults.push(`row ${number}, column "${column}": ${length} characters: the limit is ${MAX_CELL_CHARS}`)
  if (rows.length === 0 && faults.length === 0) faults.push('it has no rows')
  refuse(faults.map((fault) => `${shown}: ${fault}`))
  return { columns, rows }
}
