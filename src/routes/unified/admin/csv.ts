export type Cell = string | number | null

/** What a spreadsheet would take for a formula, or for the end of one. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * One cell (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it, which spreadsheets
 * do not show. Numbers are numbers.
 */
const cellOf = (value: Cell): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record, with its end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`
