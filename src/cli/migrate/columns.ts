/** Rows of text as columns, each as wide as its widest cell, with two spaces between them. Pure. */
export const columns = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = []
  for (const row of rows) for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length)
  const line = (row: readonly string[]): string => row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}
