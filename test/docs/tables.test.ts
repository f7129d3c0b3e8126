import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { PROBLEM_CODES, PROBLEMS } from '../../src/core/errors.ts'
import { UNIFIED_OPERATIONS } from '../../src/routes/unified/operations/index.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** The cells of the table below a heading line, without the heading and the rule. */
const tableBelow = (page: string, heading: string): string[][] => {
  const [, below = ''] = textOf(page).split(`${heading}\n`)
  const lines = below.split('\n')
  const rows = lines.slice(
    1,
    lines.findIndex((line, at) => at > 0 && !line.startsWith('|')),
  )
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

test('docs/api/errors.md has every code as it is, with when it occurs and what to do', () => {
  const table = tableBelow('docs/api/errors.md', '| Status | Code | Again | When | What to do |')
  expect(table.map(([status, code, again]) => [status, code, again])).toEqual(
    PROBLEM_CODES.map((code) => [
      String(PROBLEMS[code].status),
      `\`${code}\``,
      PROBLEMS[code].retryable ? 'yes' : 'no',
    ]),
  )
  expect(table.filter((cells) => cells.length !== 5 || cells.includes(''))).toEqual([])
})

test('docs/api.md has every operation with the scope that it needs', () => {
  const table = tableBelow('docs/api.md', '| Operation | | Scope |')
  expect(table).toEqual(
    UNIFIED_OPERATIONS.map(({ method, path, summary, scope }) => [
      `\`${method.toUpperCase()} ${path.replace('/unified/v1', '')}\``,
      summary,
      `\`${scope ?? ''}\``,
    ]),
  )
})

test('no page links to a file or heading that is not there', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  const anchorsOf = (page: string): string[] =>
    Array.from(textOf(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    )
  const broken = pages.flatMap((page) =>
    Array.from(textOf(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g), ([, file = '', anchor]) => {
      const target = file === '' ? page : join(dirname(page), file)
      const there = existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).includes(anchor))
      return there ? [] : [`${page}: ${file}${anchor === undefined ? '' : `#${anchor}`}`]
    }).flat(),
  )
  expect(broken).toEqual([])
})
