import { expect, test } from 'vitest'
import { missed } from '../../bench/report.ts'
import { webhooks } from '../../bench/webhooks/index.ts'

test('the benchmark of the sender delivers what it is asked to, and says so', async () => {
  const result = await webhooks({ rounds: 1, deliveries: 300 })
  const [ratio, ...others] = result.rows
  expect(ratio).toMatchObject({ goal: '≥ 0.5×', measured: expect.stringMatching(/^\d+\.\d\d×$/) })
  // So small a run says nothing of the goal, but the verdict must be that of the number.
  expect(missed(result).length === 0).toBe(Number.parseFloat(ratio?.measured ?? '') >= 0.5)
  for (const { measured } of others.slice(1)) expect(Number.parseInt(measured, 10)).toBeGreaterThan(0)
})
