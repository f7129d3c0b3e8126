import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONTRACTS, ROWS, ruleOf, RULES } from './contract/all.ts'
import { contractText, type Contract } from './contract/parse.ts'

describe.each(CONTRACTS)('the %s contract', (contract) => {
  for (const row of ROWS.filter((row) => row.contract === contract)) {
    it(`${row.section} › ${row.name}`, async () => {
      const rule = ruleOf(row)
      if (!rule) throw new Error('No test covers this row.')
      await rule.run(row)
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
