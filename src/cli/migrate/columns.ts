/** Others named keys and rules: what moves a terminal's cursor or colours it is shown as a sign for it. */
const plain = (cell: string): string => cell.replaceAll(/\p{Cc}/gu, '\uFFFD')

/** Rows of text as columns, each as wide as its widest cell, with two spaces between them. Pure. */
export const columns = (given: readonly (readonly string[])[]): string => {
  const rows = given.map((row) => row.map(plain))
  const widths: number[] = []
  for (const row of rows) for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length)
  const line = (row: readonly string[]): string => row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}
