import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { differenceTables, DROPIN_PAGE, withTables } from '../../scripts/dropin-differences.ts'
import { DIFFERENCES, type Difference } from '../../src/routes/dropin/differences.ts'

test('docs/dropin.md has the tables of the code', () => {
  const page = readFileSync(DROPIN_PAGE, 'utf8')
  expect(page, 'stale: run npm run dropin-differences').toBe(withTables(page, differenceTables(DIFFERENCES)))
})

test('every difference has an id of its own on its surface, and says what, here, there and why', () => {
  const ids = DIFFERENCES.map(({ id, surface, behind }) => `${surface} ${behind} ${id}`)
  expect(new Set(ids).size).toBe(ids.length)
  const silent = DIFFERENCES.filter(({ what, here, there, why }) =>
    [what, here, there, why].some((text) => !/\S/.test(text)),
  )
  expect(silent).toEqual([])
})

const difference = (surface: Difference['surface'], behind: Difference['behind'], what: string): Difference => ({
  id: what,
  surface,
  behind,
  what,
  here: 'a | b',
  there: 'c',
  why: 'd',
})

test('a table has the differences of its surface and of what is behind, and the page keeps the rest', () => {
  const tables = differenceTables([
    difference('primary', 'other', 'one'),
    difference('alternate', 'any', 'two'),
    difference('primary', 'other', 'three'),
  ])
  const page = withTables(
    'before\n<!-- written by `npm run dropin-differences` -->\nold\n<!-- until here -->\nafter\n',
    tables,
  )
  expect(page.split('\n').filter((line) => line !== '')).toEqual([
    'before',
    '<!-- written by `npm run dropin-differences` -->',
    '### On `/api/v1`, whatever is behind',
    'None.',
    '### On `/api/v1`, a primary backend behind',
    'None.',
    '### On `/api/v1`, an alternate backend behind',
    '| What | The service | The gateway | Why |',
    '|---|---|---|---|',
    String.raw`| one | c | a \| b | d |`,
    String.raw`| three | c | a \| b | d |`,
    '### On `/v1`, whatever is behind',
    '| What | The service | The gateway | Why |',
    '|---|---|---|---|',
    String.raw`| two | c | a \| b | d |`,
    '### On `/v1`, an alternate backend behind',
    'None.',
    '### On `/v1`, a primary backend behind',
    'None.',
    '<!-- until here -->',
    'after',
  ])
  expect(withTables(page, tables)).toBe(page)
  expect(() => withTables('no markers', tables)).toThrow('the page lacks')
})
