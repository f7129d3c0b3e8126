import { expect, test } from 'vitest'
import { passthrough, rowsOf } from '../../bench/passthrough/index.ts'
import type { Round } from '../../bench/servers/load.ts'
import { isFull } from '../fakes/full.ts'

test.runIf(isFull)('the benchmark of what is handed through runs whole, in small, and measures all sides', async () => {
  const { rows } = await passthrough({ clients: 3, rounds: 1, requests: 60 })
  expect(rows.map(({ what }) => what)).toEqual([
    'bare Express 5 and http-proxy-middleware',
    'the bare proxy with a new connection for each request',
    'the gateway',
    'CPU per request, the gateway beside it',
    'CPU per request, beside the proxy with new connections',
  ])
  for (const { measured } of rows.slice(0, 3)) expect(measured).toMatch(/^[1-9]\d* µs CPU, p50 \d+ ms, p99 \d+ ms$/)
  for (const { measured } of rows.slice(3)) expect(measured).toMatch(/^\d+\.\d\d× /)
})

test('the goal is held on the rounds, each beside its own reference', () => {
  const round = (cpuUs: number): Round => ({ cpuUs, p50Ms: 1, p99Ms: 2 })
  const bare = [round(100), round(200), round(300)]
  const cost = (...cpuUs: number[]) => rowsOf({ bare, fresh: bare, gateway: cpuUs.map(round) })[3]
  expect(cost(130, 280, 300)).toMatchObject({ met: true, measured: expect.stringMatching(/^1\.30×/) as string })
  expect(cost(141, 284, 900)).toMatchObject({ met: false, measured: expect.stringMatching(/^1\.42×/) as string })
  expect(cost(130, 284, 900)).toMatchObject({
    met: null,
    measured: expect.stringMatching(/^1\.30× to 3\.00×/) as string,
  })
})
