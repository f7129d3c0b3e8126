import { expect, test } from 'vitest'
import { rowsOf, backlog, type Pair } from '../../bench/backlog/index.ts'
import type { Measured } from '../../bench/backlog/protocol.ts'

const MB = 1024 * 1024
const measured = (cpuUs: number, heldMs = 1, rssMb = 100): Measured => ({ cpuUs, heldMs, rssBytes: rssMb * MB })
const pair = (beside: number[], none: number[]): Pair => ({
  beside: beside.map((us) => measured(us)),
  none: none.map((us) => measured(us)),
})

test('the benchmark of a backlog runs whole, in small, and measures both sides', async () => {
  const { rows } = await backlog({ running: 40, waiting: 30, retries: 50, rounds: 1, works: 20 })
  expect(rows).toHaveLength(5)
  for (const { measured: told } of rows.slice(0, 3))
    expect(told).toMatch(/^\d+\.\d\d× \([1-9]\d* µs CPU; with none [1-9]\d* µs\)$/)
  expect(rows[3]?.measured).toMatch(/^[1-9]?\d+\.\d ms$/)
  expect(rows[4]?.measured).toMatch(/^[1-9]\d+ MB$/)
})

test('costs are held to the median of the rounds, holds and memory to the worst of all', () => {
  const even = pair([10, 20, 30], [10, 20, 30])
  const rows = (given: Partial<Record<'reads' | 'creates' | 'turns', Pair>>, after: Measured[] = []) =>
    rowsOf({ reads: even, creates: even, turns: even, ...given }, after).map(({ met }) => met)
  expect(rows({})).toEqual([true, true, true, true, true])
  expect(rows({ reads: pair([20, 40, 900], [10, 20, 30]) })[0]).toBe(true)
  expect(rows({ turns: pair([20, 41, 63], [10, 20, 30]) })[2]).toBe(false)
  expect(rows({}, [measured(1, 10.1)])).toEqual([true, true, true, false, true])
  expect(rows({}, [measured(1, 1, 151)])).toEqual([true, true, true, true, false])
})
