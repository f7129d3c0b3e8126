import { readFileSync } from 'node:fs'

export type Contract = 'primary' | 'alternate'

/** One thing that a contract says: a row of a table, a status of an operation, or a paragraph or list item. */
export interface Row {
  readonly contract: Contract
  /** Headings from the second level down, joined by ` › `. */
  readonly section: string
  readonly name: string
  /** The row's cells by the column's heading; of a rule its whole text as `text`. */
  readonly cells: Readonly<Record<string, string>>
}

interface Block {
  readonly section: string
  readonly kind: 'table' | 'text'
  readonly lines: readonly string[]
}

export const contractText = (contract: Contract): string =>
  readFileSync(new URL(`../../../../docs/contracts/${contract}-interface.md`, import.meta.url), 'utf8')

/** Every row of a contract, in its order. */
export const rowsOf = (contract: Contract): Row[] => {
  const blocks = blocksOf(contractText(contract))
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? tableRows(block) : ruleRows(block)))
  const all = [...resolved(rows), ...statusRows(blocks)].map((row) => ({ contract, ...row }))
  return all.filter(({ name }) => name !== '')
}

const blocksOf = (markdown: string): Block[] => {
  const blocks: { section: string; kind: 'table' | 'text'; lines: string[] }[] = []
  const headings: string[] = []
  let open = false
  for (const line of markdown.split('\n')) {
    const heading = /^(#+) (.*)$/.exec(line)
    if (heading) headings.splice((heading[1] ?? '').length - 1, Infinity, heading[2] ?? '')
    // A list item is a block of its own.
    const starts = /^(- |\d+\. )/.test(line)
    const kind = line.startsWith('|') ? 'table' : 'text'
    const last = blocks.at(-1)
    if (heading || line.trim() === '') open = false
    else if (open && !starts && last?.kind === kind) last.lines.push(line)
    else open = blocks.push({ section: headings.slice(1).join(' › '), kind, lines: [line] }) > 0
  }
  return blocks
}

type Found = Omit<Row, 'contract'>

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** Columns that list several names in one cell: each of them is a row. */
const MANY = /^(Aliases|Fields)/

const tableRows = ({ section, lines }: Block): Found[] => {
  const [head = '', , ...body] = lines
  const columns = cellsOf(head)
  return body.flatMap((line) => {
    const values = cellsOf(line)
    const cells = Object.fromEntries(columns.map((column, at) => [column, values[at] ?? '']))
    return namesOf(columns, cells).map((name) => ({ section, name, cells }))
  })
}

const namesOf = (columns: readonly string[], cells: Readonly<Record<string, string>>): string[] => {
  const [first = ''] = columns
  const key = cells[first] ?? ''
  if (first === 'Method') return [`${key} ${cells['Path'] ?? ''}`]
  if (columns.includes('Condition')) {
    const what = `${key} ${cells['error'] ?? ''}: ${cells['Condition'] ?? ''}`
    const codes = (cells['retry_block_code'] ?? '').split(' / ').map((code) => code.replace(/ \(.*\)$/, ''))
    return codes.map((code) => (code === '' ? what : `${what} → ${code}`))
  }
  const many = columns.find((column) => MANY.test(column))
  if (many !== undefined) return splitNames(cells[many] ?? '').map((name) => `${key}: ${name}`)
  return splitNames(key)
}

/** `a, b (integer), c` → a, b, c */
const splitNames = (cell: string): string[] => cell.split(', ').map((name) => name.replace(/ \(.*\)$/, '').trim())

/** "same twelve aliases as text-to-video": the names of the other section. */
const resolved = (rows: readonly Found[]): Found[] =>
  rows.flatMap((row) => {
    if (!row.name.startsWith('Image: same twelve')) return [row]
    const images = rows.filter(({ section, name }) => section.endsWith('/videos/text') && name.startsWith('Image: '))
    return images.map(({ name }) => ({ ...row, name }))
  })

/** Sentences that say that nothing is said. */
const SILENT = /not shown|not reconciled|left open/

const ruleRows = ({ section, lines }: Block): Found[] => {
  const text = lines.join(' ').replace(/^(- |\d+\. )/, '')
  const said = text.split(/(?<=\.) (?=[A-Z`])/).filter((sentence) => !SILENT.test(sentence))
  const isStatus =
    OPERATION.test(section) && (/Other statuses|^(Also )?\d{3}/.test(text) || text.startsWith('No parameters.'))
  const isLabel = text.endsWith(':')
  if (section === '' || isStatus || isLabel || said.length === 0) return []
  const whole = said.join(' ')
  return [{ section, name: whole.length > 90 ? `${whole.slice(0, 89)}…` : whole, cells: { text: whole } }]
}

const statusesIn = (text: string): string[] => [...text.matchAll(/\b([2-5]\d\d)\b/g)].map((match) => match[1] ?? '')

const OPERATION = /^Endpoints › ((GET|POST|DELETE) \/\S+)$/

/** Operations × statuses: every status that an operation's section names. */
const statusRows = (blocks: readonly Block[]): Found[] => {
  const sections = [...new Set(blocks.map(({ section }) => section))].filter((section) => OPERATION.test(section))
  const proseOf = (section: string): string =>
    blocks
      .filter((block) => block.section === section && block.kind === 'text')
      .flatMap(({ lines }) => lines)
      .join(' ')
  return sections.flatMap((section) => {
    const prose = proseOf(section)
    // "Same body limit, headers and statuses as text-to-video, except there is no 404 for voices."
    const inherits = prose.includes('statuses as text-to-video, except there is no 404')
    const text = inherits ? proseOf('Endpoints › POST /api/v1/videos/text') : prose
    const statuses = [...new Set(statusesIn(text))].filter((status) => !inherits || status !== '404')
    return statuses.toSorted().map((status) => ({ section, name: `status ${status}`, cells: { status } }))
  })
}
