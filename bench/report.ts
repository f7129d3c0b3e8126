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
  /** Null: no verdict, for the goal lies within what was measured. */
  met: boolean | null
  /** Not reached yet: told, but no failure. */
  isOpen?: boolean
}

export interface Result {
  name: string
  /** What a reader must know to read the table. */
  notes: string[]
  rows: Row[]
}

/** A value without a goal, for comparison only. */
export const shownRow = (what: string, measured: string): Row => ({
  what,
  goal: null,
  measured,
  optimum: null,
  met: true,
})

const HEADS = ['', 'goal', 'measured', 'optimum', 'met']

export const tableOf = ({ rows }: Result): string => {
  const cells = rows.map(({ what, goal, measured, optimum, met }) => [
    what,
    goal ?? '',
    measured,
    optimum ?? '',
    goal === null ? '' : met === null ? 'unclear' : met ? 'yes' : 'NO',
  ])
  const widths = HEADS.map((head, i) => Math.max(head.length, ...cells.map((line) => (line[i] ?? '').length)))
  const line = (texts: string[]): string => `| ${texts.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(HEADS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join('\n')
}

/** NaN of none, which meets no goal. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

export type Goal = { readonly most: number } | { readonly least: number }

/** Without the lowest and the highest quarter, which a busy moment of the machine makes. Sorted. */
const middleOf = (values: readonly number[]): number[] => {
  const quarter = Math.floor(values.length / 4)
  return values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter)
}

/** Whether all of the values hold the goal, or none; null where they lie on both sides of it. */
export const verdictOf = (values: readonly number[], goal: Goal): boolean | null => {
  const held = values.map((value) => ('most' in goal ? value <= goal.most : value >= goal.least))
  return held.every((one) => one === held[0]) ? held[0] === true : null
}

/** The median of the rounds, and from where to where they go without what a busy moment made. Pure. */
export const spreadOf = (values: readonly number[], digits: number, unit: string): string => {
  const middle = middleOf(values)
  const [half, from, to] = [median(values), Math.min(...middle), Math.max(...middle)].map((one) => one.toFixed(digits))
  return `${half}${unit} (${from} to ${to})`
}

/** What `verdictOf` says without the lowest and the highest quarter of the rounds. */
export const middleVerdictOf = (values: readonly number[], goal: Goal): boolean | null =>
  verdictOf(middleOf(values), goal)

const times = (value: number): string => `${value.toFixed(2)}×`

/**
 * The ratios of the rounds: their median, or from where to where they go if the goal lies between. The lowest and the
 * highest quarter of the rounds have no say. `goal` null: for comparison only. Pure.
 */
export const ratioRow = (what: string, ratios: readonly number[], goal: Goal | null): Row => {
  const middle = middleOf(ratios)
  const met = goal === null || middleVerdictOf(ratios, goal)
  const range = `${times(Math.min(...middle))} to ${times(Math.max(...middle))}`
  return {
    what,
    goal: goal && ('most' in goal ? `≤ ${times(goal.most)}` : `≥ ${times(goal.least)}`),
    measured: `${met === null ? range : times(median(ratios))} (rounds: ${ratios.map((one) => one.toFixed(2)).join(' ')})`,
    optimum: null,
    met,
  }
}

export const missed = ({ rows }: Result): Row[] =>
  rows.filter(({ goal, met, isOpen }) => goal !== null && met === false && !isOpen)
const notReached = ({ rows }: Result): Row[] =>
  rows.filter(({ goal, met, isOpen }) => goal !== null && met === false && isOpen)

/** Prints the result, keeps it as JSON in `folder`, and answers how many goals were missed. */
export const report = (result: Result, folder: string): number => {
  const count = missed(result).length
  process.stdout.write(`${result.name}\n${result.notes.map((note) => `  ${note}\n`).join('')}\n${tableOf(result)}\n`)
  const open = [
    ...notReached(result).map(({ what }) => `\nnot reached yet: ${what}`),
    ...result.rows.flatMap(({ what, met }) => (met === null ? [`\nunclear: ${what}`] : [])),
  ]
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
