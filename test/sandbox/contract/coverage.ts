import type { Row } from './parse.ts'
import type { Rule } from './rules.ts'

const CELL = /[|\n]/g

/** docs/contract-coverage.md: every row of both contracts with the file of the test that walked it. */
export const coverageDocument = (rows: readonly Row[], ruleOf: (row: Row) => Rule | undefined): string => {
  const lines = [
    '# What of the contracts the sandbox is tested for',
    '',
    'Written by `node scripts/contract-coverage.ts` after a run of `test/sandbox/contract.test.ts` in which every row',
    'passed; that test fails when this page is stale. Rows are parsed from `docs/contracts/`; each is walked over HTTP,',
    'and every answer on the way is held against the OpenAPI documents that the sandbox serves. Test files are under',
    '`test/sandbox/contract/`.',
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
