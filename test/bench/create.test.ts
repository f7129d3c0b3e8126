import { expect, test } from 'vitest'
import { create, rowsOf } from '../../bench/create/index.ts'
import { missed } from '../../bench/report.ts'
import type { Round } from '../../bench/servers/load.ts'
import { isFull } from '../fakes/full.ts'

const round = (cpuUs: number): Round => ({ cpuUs, p50Ms: 1, p99Ms: 2 })

test.runIf(isFull)(
  'the benchmark of creates runs whole, in small; without Portkey’s package that goal counts as missed',
  async () => {
    const size = { clients: 3, rounds: 1, requests: 30 }
    const result = await create(size, async () => ({ ok: false, why: 'no registry answers' }))
    const [durable, gateway, ratio, portkey] = result.rows
    for (const row of [durable, gateway]) expect(row?.measured).toMatch(/^[1-9]\d* µs CPU, p50 \d+ ms, p99 \d+ ms$/)
    expect(ratio?.measured).toMatch(/^\d+\.\d\d× /)
    expect(portkey?.measured).toBe('not measured: no registry answers')
    expect(missed(result).map(({ what }) => what)).toContain(portkey?.what)
  },
)

test('each goal is held on the rounds, each beside its own references; between them there is no verdict', () => {
  const rounds = { durable: [10, 20, 30].map(round), portkey: [20, 40, 60].map(round) }
  const verdicts = (...cpuUs: number[]) =>
    rowsOf({ ...rounds, gateway: cpuUs.map(round) }, null).flatMap(({ goal, met }) => (goal === null ? [] : [met]))
  expect(verdicts(16, 32, 48)).toEqual([true, true])
  expect(verdicts(17, 33, 50)).toEqual([false, true])
  expect(verdicts(19, 37, 900)).toEqual([false, false])
  expect(verdicts(16, 33, 900)).toEqual([null, null])
})
