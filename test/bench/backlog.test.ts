import { expect, test } from 'vitest'
import { rowsOf, backlog, type Found, type Pair } from '../../bench/backlog/index.ts'
import type { Measured } from '../../bench/backlog/protocol.ts'
import { missed } from '../../bench/report.ts'
import { isFull } from '../fakes/full.ts'

const MB = 1024 * 1024
const measured = (cpuUs: number, heldMs = 1, rssMb = 100, heapMb = 20): Measured => ({
  cpuUs,
  heldMs,
  rssBytes: rssMb * MB,
  heapBytes: heapMb * MB,
})
const pair = (beside: number[], none: number[]): Pair => ({
  beside: beside.map((us) => measured(us)),
  none: none.map((us) => measured(us)),
})

test.runIf(isFull)('the benchmark of a backlog runs whole, in small, and measures both sides', async () => {
  const { rows } = await backlog({ running: 40, waiting: 30, retries: 50, rounds: 1, works: 20 })
  expect(rows).toHaveLength(6)
  for (const { measured: told } of rows.slice(0, 3))
    expect(told).toMatch(/^\d+\.\d\d× \([1-9]\d* µs CPU; with none [1-9]\d* µs\)$/)
  expect(rows[3]?.measured).toMatch(/^[1-9]?\d+\.\d ms \(once [1-9]?\d+\.\d ms\)$/)
  expect(rows[4]?.measured).toMatch(/^-?\d+ MB$/)
  expect(rows[5]?.measured).toMatch(/^[1-9]\d+ MB \(with none [1-9]\d+ MB\)$/)
})

test('costs are held to the median of the rounds, so are holds of each kind, and memory to the worst', () => {
  const even = pair([10, 20, 30], [10, 20, 30])
  const rows = (given: Partial<Found>) =>
    rowsOf({
      reads: even,
      creates: even,
      turns: even,
      starts: [measured(1)],
      retries: [measured(1)],
      kept: { beside: measured(1), none: measured(1) },
      ...given,
    })
  const met = (given: Partial<Found>) => rows(given).map((row) => row.met)
  expect(met({})).toEqual([true, true, true, true, true, true])
  expect(met({ reads: pair([20, 40, 900], [10, 20, 30]) })[0]).toBe(true)
  expect(met({ turns: pair([20, 41, 63], [10, 20, 30]) })[2]).toBe(false)
  // One of three may have been a neighbor's doing.
  const held = (...ms: number[]): Measured[] => ms.map((heldMs) => measured(1, heldMs))
  const once = rows({ starts: held(1, 90, 1) })[3]
  expect([once?.met, once?.measured]).toEqual([true, '1.0 ms (once 90.0 ms)'])
  expect(met({ starts: held(1, 20.1, 21) })[3]).toBe(false)
  expect(met({ creates: { beside: held(21, 21, 1), none: held(1, 1, 1) } })[3]).toBe(false)
  expect(met({ kept: { beside: measured(1, 1, 1, 69), none: measured(1) } })[4]).toBe(false)
})

test('more memory of the process than it was to have is told, and fails nothing: idle, it has nearly as much', () => {
  const even = pair([10], [10])
  const rows = rowsOf({
    reads: even,
    creates: even,
    turns: even,
    starts: [measured(1, 1, 301)],
    retries: [measured(1)],
    kept: { beside: measured(1), none: measured(1) },
  })
  expect([rows[5]?.met, missed({ name: 'backlog', notes: [], rows })]).toEqual([false, []])
})
