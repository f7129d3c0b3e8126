import { expect, test } from 'vitest'
import { firstMinute, rowsOf } from '../../bench/first-minute/index.ts'
import { missed } from '../../bench/report.ts'
import { isFull } from '../fakes/full.ts'
import { skippedWithout } from '../fakes/servers.ts'

test.runIf(isFull && !(await skippedWithout(['terminal'])))(
  'a round starts both on a terminal, and gets the first event',
  async () => {
    const { rows } = await firstMinute(1)
    for (const { measured } of rows) expect(measured).toMatch(/^\d+ ms \(/)
  },
)

test('the goals hold for the medians, beside bare Express in the same rounds', () => {
  const missing = (...minutes: [number, number, number][]): string[] => {
    const rows = rowsOf(minutes.map(([expressMs, readyMs, eventMs]) => ({ expressMs, readyMs, eventMs })))
    return missed({ name: '', notes: [], rows }).map(({ what }) => what)
  }
  expect(missing([100, 450, 2_000], [100, 450, 0], [200, 900, 2_001])).toEqual([])
  expect(missing([100, 451, 0])).toEqual(['the gateway and its sandbox, ready'])
  expect(missing([100, 450, 2_001])).toEqual(['event of the first video, after the end of its job'])
})
