import type { Row } from './parse.ts'
import type { Rule } from './rules.ts'

const CELL = /[|\n]/g

/** docs/contract-coverage.md: every row of both contracts with the file of the test that walked it. */
export const coverageDocument = (rows: readonly Row[], ruleOf: (row: Row) => Rule | undefined): string => {
  const lines = [
    '# What the sandbox is tested for',
    '',
    'After this page you know which test checks each statement of the two contracts. `packages/sandbox/test/contract.test.ts` reads the',
    'statements from `docs/contracts/`, and tests each of them over HTTP. It compares every answer with the OpenAPI documents that',
    'the sandbox serves. The test files are in `packages/sandbox/test/contract/`.',
    '',
    '`node scripts/contract-coverage.ts` writes this page when every row passes. The test fails if the page is out of date.',
  ]
  for (const contract of ['primary', 'alternate'] as const) {
    const own = rows.filter((row) => row.contract === contract)
    lines.push('', `## ${contract}: ${own.length} rows`, '', '| Section | Row | Test |', '|---|---|---|')
    for (const row of own) {
      const cells = [row.section, row.name, ruleOf(row)?.file ?? '**none**'].map((cell) => cell.replaceAll(CELL, ' '))
      lines.push(`| ${cells.join(' | ')} |`)
    }
  }
  return `${lines.join('\n')}\n`
}
