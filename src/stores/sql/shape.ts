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
