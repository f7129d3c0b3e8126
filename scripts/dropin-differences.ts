import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DIFFERENCES, type Difference } from '../src/routes/dropin/differences.ts'

/** The tables of docs/dropin.md, out of the list that the tests hold. A test holds the page to what this would write. */
export const DROPIN_PAGE = join(import.meta.dirname, '../docs/dropin.md')

const BEGIN = '<!-- written by `npm run dropin-differences` -->'
const END = '<!-- until here -->'

const SURFACES = [
  { surface: 'primary', title: 'On `/api/v1`', same: 'a primary backend', other: 'an alternate backend' },
  { surface: 'alternate', title: 'On `/v1`', same: 'an alternate backend', other: 'a primary backend' },
] as const

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')

const tableOf = (title: string, rows: readonly Difference[]): string[] => [
  `### ${title}`,
  '',
  ...(rows.length === 0
    ? ['None.']
    : [
        '| What | The service | The gateway | Why |',
        '|---|---|---|---|',
        ...rows.map(({ what, there, here, why }) => `| ${[what, there, here, why].map(cell).join(' | ')} |`),
      ]),
  '',
]

/** A table for each surface and each kind of backend behind it. Pure. */
export const differenceTables = (differences: readonly Difference[]): string =>
  SURFACES.flatMap(({ surface, title, same, other }) => {
    const of = (behind: Difference['behind']) =>
      differences.filter((one) => one.surface === surface && one.behind === behind)
    return [
      ...tableOf(`${title}, whatever is behind`, of('any')),
      ...tableOf(`${title}, ${same} behind`, of('same')),
      ...tableOf(`${title}, ${other} behind`, of('other')),
    ]
  }).join('\n')

/** `page` with these tables between its markers. Throws without markers. */
export const withTables = (page: string, tables: string): string => {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`the page lacks ${begin < 0 ? BEGIN : END}`)
  return `${page.slice(0, begin)}${BEGIN}\n\n${tables}\n${page.slice(end)}`
}

if (import.meta.main) {
  const page = await readFile(DROPIN_PAGE, 'utf8')
  await writeFile(DROPIN_PAGE, withTables(page, differenceTables(DIFFERENCES)))
}
