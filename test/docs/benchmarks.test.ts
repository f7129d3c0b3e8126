import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIGURES, written } from '../../bench/report.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8')
const places = [...PAGE.matchAll(FIGURES)].map(([, name = '', figures = '']) => ({ name, figures }))

const RESULT = {
  name: 'read',
  notes: [],
  rows: [{ what: 'a read', goal: '≤ 1.6×', measured: '1.41×', optimum: null, met: true }],
}

test('the page has one place for the figures of each benchmark, under its heading', () => {
  const folders = readdirSync(join(ROOT, 'bench'), { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() && !['many-jobs', 'servers'].includes(one.name) ? [one.name] : [],
  )
  expect(places.map(({ name }) => name).toSorted()).toEqual(folders.toSorted())
  for (const { name } of places) expect(PAGE).toContain(`\n## ${name}\n`)
})

test('a place has what the tool writes, with the day and the machine, or nothing', () => {
  for (const { figures } of places)
    expect(figures).toMatch(/^$|^\n\| .*\n(\|.*\n)+\nMeasured on \d{4}-\d\d-\d\d: Node v\d+.*\.\n\n$/)
})

test('no figure stands outside of them', () => {
  const rest = PAGE.replaceAll(FIGURES, '')
  expect(rest.split('\n').filter((line) => line.startsWith('|') && /\d ?(?:µs|MB|×) CPU|\d µs/.test(line))).toEqual([])
})

test('`--write` puts a result in its place, and again', () => {
  const once = written(PAGE, RESULT, 'Measured on 2001-11-24: Node v26.0.0, 2 cores (x), load 0.1.')
  expect(once).toContain('<!-- figures: read -->\n\n|        | goal')
  expect(once).toContain('| a read | ≤ 1.6× | 1.41×')
  expect(written(once, RESULT, 'Measured on 2001-11-25: Node v26.0.0, 2 cores (x), load 0.1.')).not.toContain(
    '2001-11-24',
  )
  expect(() => written(PAGE, { ...RESULT, name: 'nothing' }, '')).toThrow('no place for the figures of nothing')
})
