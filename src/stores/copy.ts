import { hash } from 'node:crypto'
import { inTurn, type Kind, type Shape, type Value } from './sql/db.ts'
import { type CopyTarget, withCopyTarget } from './postgres/copy-target.ts'
import { type CopySource, openCopySource } from './sqlite/copy-source.ts'

/** What was seen of a table: how many rows, and a sum over all of them that does not depend on their order. */
interface Digest {
  rows: number
  sum: number
  /** Characters of all rows together. */
  size: number
}

const NOTHING: Digest = { rows: 0, sum: 0, size: 0 }

const BYTES = 6
const MODULUS = 2 ** (8 * BYTES)

/** Numbers are reported as JSON reports them, so that both engines' are compared by their value. */
const withRow = ({ rows, sum, size }: Digest, row: readonly Value[]): Digest => {
  const told = JSON.stringify(row)
  const part = hash('sha256', told, 'buffer').readUIntBE(0, BYTES)
  return { rows: rows + 1, sum: (sum + part) % MODULUS, size: size + told.length }
}

/** What both sides must agree in, or something would be lost. One line for each difference. */
const differences = (source: Shape, target: Shape): string[] => {
  const lines: string[] = []
  for (const table of [...new Set([...source.keys(), ...target.keys()])].toSorted()) {
    const [ours, theirs] = [source.get(table), target.get(table)]
    if (!ours || !theirs) {
      lines.push(`table ${table} is only in ${ours ? 'SQLite' : 'PostgreSQL'}`)
      continue
    }
    for (const column of [...new Set([...ours.keys(), ...theirs.keys()])].toSorted()) {
      const [here, there] = [ours.get(column), theirs.get(column)]
      const name = `column ${table}.${column}`
      if (!here || !there) lines.push(`${name} is only in ${here ? 'SQLite' : 'PostgreSQL'}`)
      else if (here !== there) lines.push(`${name} is ${here} in SQLite and ${there} in PostgreSQL`)
    }
  }
  return lines
}

/**
 * Tables that others refer to, each behind those that it refers to itself. PostgreSQL refuses the rows of one that should
 * be here.
 */
const FIRST: readonly string[] = ['videos', 'events', 'deliveries']

/**
 * The source with the number that SQLite gives every row, where the target has it as a column: the order of writing, by
 * which entries are listed.
 */
const withRowNumbers = (source: Shape, target: Shape, numbered: ReadonlySet<string>): Shape =>
  new Map(
    [...source].map(([table, columns]): [string, ReadonlyMap<string, Kind>] => {
      const isKept = numbered.has(table) && target.get(table)?.has('rowid') === true
      return [table, isKept ? new Map([['rowid', 'integer'], ...columns]) : columns]
    }),
  )

export { CopyRefused, OutcomeUnknown } from './postgres/copy-target.ts'
export { failureOf, QueryFailed } from './postgres/pool.ts'

export interface CopyProgress {
  step: 'copied' | 'checked'
  table: string
  /** Rows of this table until now. */
  rows: number
  /** Whether this table is done. */
  isWhole: boolean
  /** Of everything, from 0 to 1. */
  share: number
}

export interface CopyReport {
  /** Rows of each table, counted on both sides. */
  tables: readonly { table: string; source: number; target: number }[]
  /** How far the newest time in the store is ahead of the database's clock, in milliseconds; 0: it is not. */
  aheadMs: number
}

interface CopyOptions {
  /** The SQLite file. */
  path: string
  /** Of PostgreSQL. */
  url: string
  schema: string
  /** Ends the copy, and leaves nothing of it. */
  signal: AbortSignal
  onProgress: (progress: CopyProgress) => void
}

/** Both sides do not have the same rows, or cannot. */
export class CopyDiffers extends Error {}
/** The fault is of the SQLite file. */
export class SourceFault extends Error {}

const MOST_ROWS = 1_000
/** Characters of the rows that are in memory at the same time, about. */
const MOST_SIZE = 2_000_000

interface Table {
  name: string
  columns: ReadonlyMap<string, Kind>
}

const tablesOf = (source: CopySource, target: CopyTarget): Table[] => {
  const shape = withRowNumbers(source.shape, target.shape, source.numbered)
  const faults = differences(shape, target.shape)
  if (faults.length > 0) throw new CopyDiffers(`this version cannot copy: ${faults.join('; ')}: please report this`)
  const names = new Set([...FIRST, ...target.shape.keys()])
  return [...names].map((name) => ({ name, columns: target.shape.get(name) ?? new Map() }))
}

/**
 * Which rows, as PostgreSQL keeps them, are left out: of metadata whose keys it cannot tell apart only the first is
 * found there, whether it was created there or copied.
 */
const createTwins = ({ name, columns }: Table) => {
  const names = [...columns.keys()]
  const [video, key] = [names.indexOf('video_id'), names.indexOf('key')]
  // The rows of a video are together.
  let last: Value = null
  const seen = new Set<Value>()
  return (kept: readonly Value[]): boolean => {
    if (name !== 'video_metadata' || !String(kept[key]).includes('\ufffd')) return false
    if (kept[video] !== last) seen.clear()
    last = kept[video] ?? null
    const found = kept[key] ?? null
    const isTwin = seen.has(found)
    seen.add(found)
    return isTwin
  }
}

const copyAll = async (source: CopySource, target: CopyTarget, options: CopyOptions): Promise<CopyReport> => {
  const { signal, onProgress } = options
  const tables = tablesOf(source, target)
  const total = tables.reduce((sum, { name }) => sum + source.countOf(name), 0) * 2
  const done = new Map<string, number>()
  /** Some more rows of a table. Every row is copied and checked. */
  const told = (step: CopyProgress['step'], table: string, { rows }: Digest, isWhole = false): void => {
    done.set(`${step} ${table}`, rows)
    const sum = done.values().reduce((a, b) => a + b, 0)
    onProgress({ step, table, rows, isWhole, share: total === 0 ? 1 : Math.min(sum / total, 1) })
  }

  const copyTable = async (table: Table): Promise<Digest & { twins: number }> => {
    const { name, columns } = table
    const isTwin = createTwins(table)
    let digest = NOTHING
    let twins = 0
    let batch: Value[][] = []
    let sent = digest
    const send = async (): Promise<void> => {
      signal.throwIfAborted()
      if (batch.length > 0) await target.put(name, columns, batch)
      batch = []
      sent = digest
      told('copied', name, digest)
    }
    for (const row of source.rows(name, [...columns.keys()])) {
      const kept = target.kept(row)
      if (isTwin(kept)) {
        twins += 1
        continue
      }
      batch.push(kept)
      digest = withRow(digest, kept)
      if (batch.length === MOST_ROWS || digest.size - sent.size >= MOST_SIZE) await send()
    }
    await send()
    told('copied', name, digest, true)
    return { ...digest, twins }
  }

  type Copied = Awaited<ReturnType<typeof copyTable>>
  const check = async ({ name, columns }: Table, copied: Copied): Promise<CopyReport['tables'][number]> => {
    const size = copied.rows === 0 ? 1 : (MOST_SIZE * copied.rows) / copied.size
    let found = NOTHING
    for await (const page of target.pages(name, [...columns.keys()], Math.min(Math.max(1, size), MOST_ROWS))) {
      signal.throwIfAborted()
      for (const row of page) found = withRow(found, row)
      told('checked', name, found)
    }
    told('checked', name, found, true)
    const rows = source.countOf(name) - copied.twins
    if (found.rows !== rows) throw new CopyDiffers(`${name}: ${rows} rows in SQLite, ${found.rows} in PostgreSQL`)
    if (found.sum !== copied.sum) throw new CopyDiffers(`${name}: rows in PostgreSQL differ from those in SQLite`)
    return { table: name, source: rows, target: found.rows }
  }

  const copied = await inTurn(tables, async (table) => ({ table, digest: await copyTable(table) }))
  // Numbers continue behind the highest that was ever given, so that no cursor meets one twice.
  for (const [table, column] of target.identities) {
    const highest = Math.max(source.highest(table, column), source.lastNumbers.get(table) ?? 0)
    await target.continueAt(table, column, highest + 1)
  }
  await target.finish()
  const checked = await inTurn(copied, ({ table, digest }) => check(table, digest))
  return { tables: checked, aheadMs: Math.max(0, source.newestMs - target.nowMs) }
}

/**
 * Copies the store of a stopped gateway into an empty schema, every row as it is, and reads all of it back before it is
 * committed. Rejects if both sides differ; if it rejects for any other reason than `OutcomeUnknown`, the database is as
 * it was. The file stays a store that a gateway can serve.
 */
export const copyStore = async (options: CopyOptions): Promise<CopyReport> => {
  const { path, url, schema, signal } = options
  const source = await openCopySource(path).catch((cause: unknown) => {
    throw new SourceFault(cause instanceof Error ? cause.message : String(cause), { cause })
  })
  try {
    signal.throwIfAborted()
    return await withCopyTarget({ url, schema }, (target) => copyAll(source, target, options))
  } finally {
    source.close()
  }
}
