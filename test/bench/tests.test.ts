import { expect, test } from 'vitest'
import { missed } from '../../bench/report.ts'
import { rowsOf } from '../../bench/tests/index.ts'

test('a run meets its goal if it passed in time', () => {
  const run = { what: 'npm test', mostSeconds: 360 }
  const rows = rowsOf([
    { ...run, seconds: 360, passed: true },
    { ...run, seconds: 361, passed: true },
    { ...run, seconds: 9, passed: false },
    { ...run, mostSeconds: null, seconds: 900, passed: true },
    { ...run, mostSeconds: null, seconds: 8, passed: false },
  ])
  expect(missed({ name: '', notes: [], rows }).map(({ measured }) => measured)).toEqual([
    '361 s',
    '9 s, and it failed',
    '8 s, and it failed',
  ])
})
