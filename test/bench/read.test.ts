import { expect, test } from 'vitest'
import { read, rowsOf, type Round } from '../../bench/read/index.ts'

test('the benchmark of reads runs whole, in small, and measures both sides', async () => {
  const { rows } = await read({ clients: 3, videosEach: 2, rounds: 1, requests: 60 })
  expect(rows.map(({ what }) => what)).toEqual(['bare Express 5', 'getVideo', 'CPU per request, getVideo beside it'])
  for (const { measured } of rows.slice(0, 2)) expect(measured).toMatch(/^[1-9]\d* µs CPU, p50 \d+ ms, p99 \d+ ms$/)
  expect(rows[2]?.measured).toMatch(/^\d+\.\d\d× /)
})

test('the goal is held on the median of the rounds, each beside its own reference', () => {
  const round = (cpuUs: number): Round => ({ cpuUs, p50Ms: 1, p99Ms: 2 })
  const bare = [round(10), round(20), round(30)]
  const cost = (...cpuUs: number[]) => rowsOf(cpuUs.map(round), bare)[2]
  expect(cost(20, 40, 900)).toMatchObject({ met: true, measured: expect.stringMatching(/^2\.00×/) as string })
  expect(cost(20, 41, 900)).toMatchObject({ met: false, measured: expect.stringMatching(/^2\.05×/) as string })
})
