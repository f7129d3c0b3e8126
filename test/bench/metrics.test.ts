import { expect, test } from 'vitest'
import { metrics, noiseOf, rowsOf, type Sitting } from '../../bench/metrics/index.ts'
import { isFull } from '../fakes/full.ts'

const scrape = { cpuMs: 1.5, bytes: 2_048 }
const sitting = (withUs: number, withoutUs: number, againUs = withoutUs): Sitting => ({
  bare: [50, 50, 50, 50, 900],
  with: [withUs, withUs, withUs, withUs, 900],
  without: [withoutUs, withoutUs, withoutUs, withoutUs, 900],
  again: [againUs, againUs, againUs, againUs, 900],
})
const verdictOf = (...sittings: Sitting[]) => rowsOf(sittings, scrape)[5]

test.runIf(isFull)(
  'the benchmark of metrics runs whole, in small, and measures a bare route and three gateways a sitting',
  async () => {
    const { rows, notes } = await metrics({ clients: 2, videosEach: 2, rounds: 1, requests: 20, sittings: [1, 1] })
    expect(notes[0]).toMatch(/^1 sittings of a bare route and three gateways, one with metrics/)
    expect(rows.map(({ what }) => what)).toEqual([
      'bare Express 5',
      'getVideo without metrics',
      'getVideo without metrics, a second gateway',
      'getVideo with metrics',
      'two equal gateways beside each other',
      'CPU that metrics add, by that of the bare route',
      'one scrape',
    ])
    for (const { measured } of rows.slice(0, 4)) expect(measured).toMatch(/^[1-9]\d* µs CPU \(\d+\)$/)
    expect(rows[6]?.measured).toMatch(/^\d+\.\d ms CPU, [1-9]\d* KiB$/)
  },
)

test('an unlucky process of either side decides nothing; a dearer read in each of them does', () => {
  expect(verdictOf(sitting(100, 100), sitting(130, 100), sitting(100, 120))).toMatchObject({
    met: true,
    measured: '0.0 % to 0.0 %',
  })
  expect(verdictOf(sitting(104, 100), sitting(130, 100))).toMatchObject({ met: true, measured: '8.0 % to 8.0 %' })
  expect(verdictOf(sitting(105, 100), sitting(103.5, 130), sitting(112, 100))).toMatchObject({
    met: false,
    measured: '8.5 % to 8.5 %',
  })
})

test('a cheaper read does not make metrics dearer: their share is that of the bare route', () => {
  expect(verdictOf(sitting(44, 40))).toMatchObject({ met: true, measured: '8.0 % to 8.0 %' })
  expect(verdictOf(sitting(204.5, 200))).toMatchObject({ met: false, measured: '9.0 % to 9.0 %' })
})

test('a goal between two equal gateways gets no verdict', () => {
  expect(verdictOf(sitting(105, 100, 101.5))).toMatchObject({ met: null, measured: '7.0 % to 10.0 %' })
  expect(verdictOf(sitting(107, 102, 101))).toMatchObject({ met: false, measured: '10.0 % to 12.0 %' })
})

test('where two equal gateways differ by more than half of the goal, there is no verdict', () => {
  expect(verdictOf(sitting(108, 103, 100))).toMatchObject({ met: null, measured: '10.0 % to 16.0 %' })
  expect(verdictOf(sitting(103, 100, 103))).toMatchObject({ met: null, measured: '0.0 % to 6.0 %' })
})

test('of a round, what else the machine did is left out', () => {
  const rounds: Sitting = {
    ...sitting(1, 1),
    with: [300, 104, 200, 500],
    without: [100, 400, 600, 101],
    again: [101, 101, 101, 101],
  }
  // The first quartile of four is the second least.
  expect(verdictOf(rounds)).toMatchObject({ met: false, measured: '198.0 % to 198.0 %' })
  expect(rowsOf([rounds], scrape)[1]?.measured).toBe('101 µs CPU (101)')
})

test('how far two equal gateways differ is told, whichever was dearer', () => {
  expect(noiseOf([sitting(1, 100, 110), sitting(1, 120, 105)])).toBeCloseTo(1.05)
  expect(noiseOf([sitting(1, 110, 100)])).toBeCloseTo(1.1)
  expect(rowsOf([sitting(1, 110, 100)], scrape)[4]).toMatchObject({ goal: null, measured: '1.100×' })
})
