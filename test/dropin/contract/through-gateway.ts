import { afterAll, describe, expect, it } from 'vitest'
import { DIFFERENCES } from '../../../src/routes/dropin/differences.ts'
import { CONTRACTS, ROWS, ruleOf } from '../../../packages/sandbox/test/contract/all.ts'
import type { Row } from '../../../packages/sandbox/test/contract/parse.ts'
import { onStage } from '../../../packages/sandbox/test/contract/stage.ts'
import { DECLARED, type Declared } from '../declared.ts'
import { gatewayStages } from './gateway-stage.ts'
import type { Lane } from './setup.ts'

const nameOf = ({ section, name }: Row): string => `${section} › ${name}`

/**
 * Rows that need a gateway and a sandbox of their own: they want the saved puppets of the sandbox's own account, set a
 * fault, or name a job that only the account of the surface's own interface could know.
 */
const NEEDS_OWN =
  /puppet|All request bodies|Every (JSON error|endpoint)|String, length 1|status 50\d|is being created|no such job|jobId\} › status 404|videos\/:id$/i

/** Walks both contracts through a gateway: each row holds, or is declared and does not hold. */
export const walkThroughGateway = (lane: Lane): void => {
  const declared = DECLARED[lane]
  const covers = (one: Declared, row: Row): boolean => one.contract === row.contract && one.rows.test(nameOf(row))
  const stages = gatewayStages(lane)
  afterAll(stages.close)

  describe.each(CONTRACTS)('the %s contract', (contract) => {
    for (const row of ROWS.filter((row) => row.contract === contract)) {
      const difference = declared.find((one) => covers(one, row))
      it(`${nameOf(row)}${difference ? ` [${difference.id}]` : ''}`, async () => {
        const rule = ruleOf(row)
        if (!rule) throw new Error('No test covers this row.')
        const stage = NEEDS_OWN.test(nameOf(row)) ? stages.own : stages.shared
        const walked = onStage(stage, () => rule.run(row))
        await (difference ? expect(walked, 'declared, and it holds').rejects.toThrow(difference.as) : walked)
      })
    }
  })

  describe('the table of what is declared', () => {
    it('covers as many rows as it says, and each by one line', () => {
      const counts = declared.map((one) => ({ ...one, count: ROWS.filter((row) => covers(one, row)).length }))
      expect(counts).toEqual(declared)
      const twice = ROWS.filter((row) => declared.filter((one) => covers(one, row)).length > 1)
      expect(twice.map(nameOf)).toEqual([])
    })

    it('names differences of this surface, with this behind it', () => {
      const known = DIFFERENCES.filter(({ behind }) => behind === 'any' || behind === lane)
      const names = known.map(({ surface, id }) => `${surface} ${id}`)
      for (const { contract, id } of declared) expect(names).toContain(`${contract} ${id}`)
    })
  })
}
