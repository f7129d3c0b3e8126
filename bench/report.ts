import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
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

/** Where the figures of a benchmark stand in `docs/benchmarks.md`. */
export const FIGURES = /<!-- figures: ([a-z-]+) -->\n([^]*?)<!-- end -->/g

/** The page with a result in its place: the table, the day and the machine. Throws where the page has no such place. */
export const written = (page: string, result: Result, measuredOn: string): string => {
  let isThere = false
  const next = page.replaceAll(FIGURES, (whole, name: string) => {
    if (name !== result.name) return whole
    isThere = true
    return `<!-- figures: ${name} -->\n\n${tableOf(result)}\n\n${measuredOn}\n\n<!-- end -->`
  })
  if (!isThere) throw new Error(`docs/benchmarks.md has no place for the figures of ${result.name}`)
  return next
}

/** The day and the machine of a measurement, in one line for the page. */
export const machineLine = (now: Date): string =>
  `Measured on ${now.toISOString().slice(0, 10)}: Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), load ${loadavg()[0]?.toFixed(1)}.`

export const writePage = (result: Result, path: string): void =>
  writeFileSync(path, written(readFileSync(path, 'utf8'), result, machineLine(new Date())))
