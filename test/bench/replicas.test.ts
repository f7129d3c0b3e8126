import { expect, test } from 'vitest'
import { commandRowsOf, replicas, rowsOf, type Side } from '../../bench/replicas/index.ts'
import { missed } from '../../bench/report.ts'
import { isFull } from '../fakes/full.ts'

test.runIf(isFull)('the benchmark of replicas delivers and reads, with one process on SQLite', async () => {
  const { rows } = await replicas({ replicas: [], deliveries: 40, reads: 96, rounds: 1, cost: null })
  expect(rows.map(({ what }) => what)).toEqual([
    'deliveries: SQLite, 1 process',
    'reads: SQLite, 1 process',
    'deliveries doubled',
  ])
  for (const { measured } of rows.slice(0, 2)) expect(Number.parseInt(measured, 10)).toBeGreaterThan(0)
  expect(rows[2]).toMatchObject({ measured: '0', met: true })
})

test('one doubled delivery of any side misses the goal', () => {
  const side = (doubled: number): Side => ({
    name: 'a side',
    deliveriesPerSecond: 1_000,
    doubled,
    deliveryCpuUs: 200,
    readsPerSecond: [3, 1, 2],
    readCpuUs: 100,
  })
  const verdict = (sides: Side[]) => missed({ name: 'replicas', notes: [], rows: rowsOf(sides) }).length
  expect([verdict([side(0), side(0)]), verdict([side(0), side(1)])]).toEqual([0, 1])
  expect(rowsOf([side(0)])[1]?.measured).toBe('2 /s (100 µs CPU each)')
})

test('too many Redis commands miss the goal', () => {
  const met = (idlePerSecond: number, perVideo: number) =>
    commandRowsOf({ idlePerSecond, perVideo }).map((row) => row.met)
  expect([met(5, 30), met(5.1, 30), met(1, 31)]).toEqual([
    [true, true],
    [false, true],
    [true, false],
  ])
})
