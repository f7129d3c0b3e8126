import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { CONTRACTS, ROWS, ruleOf, RULES } from './contract/all.ts'
import { coverageDocument } from './contract/coverage.ts'
import { contractText, type Contract, type Row } from './contract/parse.ts'

const PAGE = new URL('../../../docs/contract-coverage.md', import.meta.url)
const passed = new Set<Row>()

describe.each(CONTRACTS)('the %s contract', (contract) => {
  for (const row of ROWS.filter((row) => row.contract === contract)) {
    it(`${row.section} › ${row.name}`, async () => {
      const rule = ruleOf(row)
      if (!rule) throw new Error('No test covers this row.')
      await rule.run(row)
      passed.add(row)
    })
  }
})

describe('the walk itself', () => {
  it('has no test without a row', () => {
    const used = new Set(ROWS.map(ruleOf))
    expect(RULES.filter((rule) => !used.has(rule)).map(({ what }) => what)).toEqual([])
  })

  it('finds what it should find in the contracts', () => {
    const count = (contract: Contract) => ROWS.filter((row) => row.contract === contract).length
    expect([count('primary') > 280, count('alternate') > 55]).toEqual([true, true])
    const names = ROWS.map((row) => `${row.contract} ${row.section} › ${row.name}`)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('is told in docs/contract-coverage.md, which is up to date', () => {
    if (process.env['WRITE_CONTRACT_COVERAGE'] !== undefined) return
    const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
    expect(page, 'stale: run node scripts/contract-coverage.ts').toBe(coverageDocument(ROWS, ruleOf))
  })

  it('reads the contracts as they were given', () => {
    for (const contract of CONTRACTS) {
      const original = new URL(`../../../../shared/contracts/${contract}-interface.md`, import.meta.url)
      if (existsSync(original)) expect(contractText(contract)).toBe(readFileSync(original, 'utf8'))
      // Loudly: a checkout elsewhere has only the copies, and nothing here can tell whether they are still true.
      else
        process.stderr.write(
          `\nNOT CHECKED: no ../shared/contracts/, so the copy of the ${contract} contract is trusted.\n`,
        )
    }
  })
})

afterAll(() => {
  if (process.env['WRITE_CONTRACT_COVERAGE'] === undefined) return
  if (passed.size < ROWS.length) throw new Error(`${ROWS.length - passed.size} rows did not pass: nothing is written.`)
  writeFileSync(PAGE, coverageDocument(ROWS, ruleOf))
})
