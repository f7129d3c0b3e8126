import type { Kind, Shape } from '../sql/shape.ts'

/** What both sides must agree in, or something would be lost. One line for each difference. */
export const differences = (source: Shape, target: Shape): string[] => {
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

/** The tables in an order in which each comes after those that it refers to. Throws on a circle. */
export const inOrder = (tables: readonly string[], references: readonly { table: string; to: string }[]): string[] => {
  const ordered: string[] = []
  let left = tables.toSorted()
  while (left.length > 0) {
    const waits = (name: string) =>
      references.some(({ table, to }) => table === name && to !== name && left.includes(to))
    const next = left.filter((name) => !waits(name))
    if (next.length === 0) throw new Error(`the tables ${left.join(', ')} refer to each other in a circle`)
    ordered.push(...next)
    left = left.filter((name) => !next.includes(name))
  }
  return ordered
}

/**
 * The source with the number that SQLite gives every row, where the target has it as a column: the order of writing, by
 * which entries are listed.
 */
export const withRowNumbers = (source: Shape, target: Shape, numbered: ReadonlySet<string>): Shape =>
  new Map(
    [...source].map(([table, columns]): [string, ReadonlyMap<string, Kind>] => {
      const isKept = numbered.has(table) && target.get(table)?.has('rowid') === true
      return [table, isKept ? new Map([['rowid', 'integer'], ...columns]) : columns]
    }),
  )
