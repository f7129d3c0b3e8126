import { describe, expect, test } from 'vitest'
import { read, rowsOf } from '../../bench/read/index.ts'
import type { Round } from '../../bench/servers/load.ts'
import { isFull } from '../fakes/full.ts'

test.runIf(isFull)('the benchmark of reads runs whole, in small, and measures both sides', async () => {
  const { rows } = await read({ clients: 3, videosEach: 2, rounds: 1, requests: 60 })
  expect(rows.map(({ what }) => what)).toEqual([
    'bare Express 5',
    'getVideo',
    'getVideo, not modified',
    'CPU of a read by that of the bare route',
    'CPU of a 304 by that of the 200',
    'CPU of a 304 by that of the bare route',
  ])
  for (const { measured } of rows.slice(0, 3)) expect(measured).toMatch(/^[1-9]\d* µs CPU, p50 \d+ ms, p99 \d+ ms$/)
  for (const { measured } of rows.slice(3)) expect(measured).toMatch(/^\d+\.\d\d× /)
})

describe('the goals are held on the rounds, each beside its own reference', () => {
  const round = (cpuUs: number): Round => ({ cpuUs, p50Ms: 1, p99Ms: 2 })
  const sides = (reads: number[], unchanged: number[]) =>
    rowsOf(
      [10, 20, 30].map((bare, n) => ({
        bare: round(bare),
        read: round(reads[n] ?? 0),
        unchanged: round(unchanged[n] ?? 0),
      })),
    )

  test('a read beside the bare route', () => {
    const cost = (...reads: number[]) => sides(reads, [1, 1, 1])[3]
    expect(cost(16, 30, 45)).toMatchObject({ met: true, measured: expect.stringMatching(/^1\.50×/) as string })
    expect(cost(17, 33, 51)).toMatchObject({ met: false, measured: expect.stringMatching(/^1\.70×/) as string })
    expect(cost(17, 30, 30)).toMatchObject({
      met: null,
      measured: expect.stringMatching(/^1\.00× to 1\.70×/) as string,
    })
  })

  test('a 304 beside the read, and for comparison beside the bare route', () => {
    const cost = (...unchanged: number[]) => sides([20, 30, 60], unchanged)
    expect(cost(20, 30, 45)[4]).toMatchObject({ met: true, measured: expect.stringMatching(/^1\.00×/) as string })
    expect(cost(21, 33, 66)[4]).toMatchObject({ met: false, measured: expect.stringMatching(/^1\.10×/) as string })
    expect(cost(20, 30, 45)[5]).toMatchObject({ goal: null, measured: expect.stringMatching(/^1\.50×/) as string })
  })
})
