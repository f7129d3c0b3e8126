import { expect, test } from 'vitest'
import { metrics, noiseOf, rowsOf, type Sitting } from '../../bench/metrics/index.ts'

const scrape = { cpuMs: 1.5, bytes: 2_048 }
const sitting = (withUs: number, withoutUs: number, againUs = withoutUs): Sitting => ({
  with: [withUs, withUs, withUs, withUs, 900],
  without: [withoutUs, withoutUs, withoutUs, withoutUs, 900],
  again: [againUs, againUs, againUs, againUs, 900],
})
const verdictOf = (...sittings: Sitting[]) => rowsOf(sittings, scrape)[4]

test('the benchmark of metrics runs whole, in small, and measures three gateways a sitting', async () => {
  const { rows, notes } = await metrics({ clients: 2, videosEach: 2, rounds: 1, requests: 20, sittings: [1, 1] })
  expect(notes[0]).toMatch(/^1 sittings of three gateways, one with metrics/)
  expect(rows.map(({ what }) => what)).toEqual([
    'getVideo without metrics',
    'getVideo without metrics, a second gateway',
    'getVideo with metrics',
    'two equal gateways beside each other',
    'CPU with metrics, without beside it',
    'one scrape',
  ])
  for (const { measured } of rows.slice(0, 3)) expect(measured).toMatch(/^[1-9]\d* µs CPU \(\d+\)$/)
  expect(rows[5]?.measured).toMatch(/^\d+\.\d ms CPU, [1-9]\d* KiB$/)
})

test('an unlucky process of either side decides nothing; a dearer read in each of them does', () => {
  expect(verdictOf(sitting(100, 100), sitting(130, 100), sitting(100, 120))).toMatchObject({
    met: true,
    measured: '1.000×',
  })
  expect(verdictOf(sitting(105, 100), sitting(130, 100))).toMatchObject({ met: true, measured: '1.050×' })
  expect(verdictOf(sitting(108, 100), sitting(104, 130), sitting(112, 100))).toMatchObject({
    met: false,
    measured: '1.060×',
  })
})

test('both gateways without metrics are the reference', () => {
  expect(verdictOf(sitting(104, 98, 102))).toMatchObject({ met: true, measured: '1.040×' })
})

test('of a round, what else the machine did is left out', () => {
  const rounds: Sitting = { with: [300, 104, 200, 500], without: [100, 400, 600, 101], again: [101, 101, 101, 101] }
  // The first quartile of four is the second least.
  expect(verdictOf(rounds)).toMatchObject({ met: false, measured: '1.980×' })
  expect(rowsOf([rounds], scrape)[0]?.measured).toBe('101 µs CPU (101)')
})

test('how far two equal gateways differ is told, whichever was dearer', () => {
  expect(noiseOf([sitting(1, 100, 110), sitting(1, 120, 105)])).toBeCloseTo(1.05)
  expect(noiseOf([sitting(1, 110, 100)])).toBeCloseTo(1.1)
  expect(rowsOf([sitting(1, 110, 100)], scrape)[3]).toMatchObject({ goal: null, measured: '1.100×' })
})
