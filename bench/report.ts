import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One line of a benchmark's result. */
export interface Row {
  what: string
  /** What is asked for, in words; null: shown for comparison only. */
  goal: string | null
  measured: string
  /** The best that is possible, where it was computed. */
  optimum: string | null
  met: boolean
  /** Not reached yet: told, but no failure. */
  isOpen?: boolean
}

export interface Result {
  name: string
  /** What a reader must know to read the table. */
  notes: string[]
  rows: Row[]
}

const HEADS = ['', 'goal', 'measured', 'optimum', 'met']

export const tableOf = ({ rows }: Result): string => {
  const cells = rows.map(({ what, goal, measured, optimum, met }) => [
    what,
    goal ?? '',
    measured,
    optimum ?? '',
    goal === null ? '' : met ? 'yes' : 'NO',
  ])
  const widths = HEADS.map((head, i) => Math.max(head.length, ...cells.map((line) => (line[i] ?? '').length)))
  const line = (texts: string[]): string => `| ${texts.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(HEADS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join('\n')
}

export const missed = ({ rows }: Result): Row[] =>
  rows.filter(({ goal, met, isOpen }) => goal !== null && !met && !isOpen)
const notReached = ({ rows }: Result): Row[] => rows.filter(({ goal, met, isOpen }) => goal !== null && !met && isOpen)

/** Prints the result, keeps it as JSON in `folder`, and answers how many goals were missed. */
export const report = (result: Result, folder: string): number => {
  const count = missed(result).length
  process.stdout.write(`${result.name}\n${result.notes.map((note) => `  ${note}\n`).join('')}\n${tableOf(result)}\n`)
  const open = notReached(result).map(({ what }) => `\nnot reached yet: ${what}`)
  process.stdout.write(
    `${open.join('')}\n${count > 0 ? `${count} goals missed` : open.length > 0 ? 'no other goal missed' : 'all goals met'}\n`,
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${result.name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  return count
}
