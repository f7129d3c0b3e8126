import { expect, test } from 'vitest'
import { missed } from '../../bench/report.ts'
import { webhooks } from '../../bench/webhooks/index.ts'
import { isFull } from '../fakes/full.ts'

test.runIf(isFull)('the benchmark of the sender delivers what it is asked to, and says so', async () => {
  const result = await webhooks({ rounds: 1, deliveries: 300 })
  const [ratio, ...others] = result.rows
  expect(ratio).toMatchObject({ goal: '≥ 0.50×', measured: expect.stringMatching(/^\d+\.\d\d× \(rounds: /) })
  // So small a run says nothing of the goal, but one round always has a verdict.
  expect(missed(result).length).toBe(ratio?.met === true ? 0 : 1)
  expect([true, false]).toContain(ratio?.met)
  for (const { measured } of others) expect(Number.parseInt(measured, 10)).toBeGreaterThan(0)
})
