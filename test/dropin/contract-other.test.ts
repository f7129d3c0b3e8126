import { describe, it } from 'vitest'
import { CONTRACTS, ROWS, ruleOf } from '../sandbox/contract/all.ts'
import { onStage } from '../sandbox/contract/stage.ts'
import { gatewayStage } from './contract/gateway-stage.ts'

describe.each(CONTRACTS)('the %s contract', (contract) => {
  for (const row of ROWS.filter((row) => row.contract === contract)) {
    it(`${row.section} › ${row.name}`, async () => {
      const rule = ruleOf(row)
      if (!rule) throw new Error('No test covers this row.')
      await onStage(gatewayStage('other'), () => rule.run(row))
    })
  }
})
