import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rowsOf } from '../../bench/install/index.ts'
import { KINDS, measureStarts, type Starts } from '../../bench/install/starts.ts'
import { missed } from '../../bench/report.ts'
import { isFull } from '../fakes/full.ts'

const ROOT = join(import.meta.dirname, '../..')

test.runIf(isFull)('a round starts every side once, and measures its time and its CPU', async () => {
  const subject = { express: join(ROOT, 'bench/install/express.mjs'), talkbridge: join(ROOT, 'src/main.ts') }
  const starts = await measureStarts(subject, 1)
  for (const kind of KINDS) {
    expect(starts[kind], kind).toHaveLength(1)
    for (const time of Object.values(starts[kind][0] ?? {})) expect(time, kind).toBeGreaterThan(0)
  }
  const cpuOf = (kind: (typeof KINDS)[number]): number => starts[kind][0]?.cpuMs ?? 0
  expect(cpuOf('first')).toBeGreaterThan(cpuOf('express'))
  expect(cpuOf('express')).toBeGreaterThan(cpuOf('node'))
})

test('the goals are held on the blocks of the disk, and on the median of the starts', () => {
  const size = { packedBytes: 2e6, contentBytes: 30e6, files: 900, packages: 90, folder: '' }
  const sizes = (diskBytes: number, packages = 6, treeBytes = 479 * 2 ** 20) => ({
    gateway: { ...size, diskBytes },
    client: { ...size, diskBytes, contentBytes: 1.9e6, packages },
    treeBytes,
  })
  const took = (...walls: number[]) => walls.map((wallMs) => ({ wallMs, cpuMs: 2 * wallMs }))
  const starts = (first: Starts['first']): Starts => {
    const reference = took(100, 100, 100)
    return { node: reference, express: reference, first, later: took(300, 300, 300) }
  }
  const missing = (diskBytes: number, ...walls: number[]): string[] =>
    missed({ name: '', notes: [], rows: rowsOf(sizes(diskBytes), starts(took(...walls))) }).map(({ what }) => what)
  expect(missing(39.9e6, 400, 599, 900)).toEqual([])
  expect(missing(40e6, 400, 600, 500)).toEqual(['what npm installs'])
  expect(missing(39.9e6, 400, 600, 900)).toEqual(['the first start'])
  const others = rowsOf(sizes(39e6, 7, 480 * 2 ** 20), starts(took(400)))
  expect(missed({ name: '', notes: [], rows: others }).map(({ what }) => what)).toEqual([
    'the client',
    'a checkout after npm ci',
  ])
  const rows = rowsOf(sizes(39e6), starts(took(400, 500, 900)))
  expect(rows.at(-2)?.measured).toBe('5.0× its CPU, 5.0× its time')
})
