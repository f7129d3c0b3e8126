import { expect, test } from 'vitest'
import { routing } from '../../bench/routing/index.ts'

test('the benchmark of routing runs whole, in small, and measures both sides', () => {
  const { rows } = routing({ rules: 10, creates: 100, rounds: 3 })
  expect(rows.map(({ what }) => what)).toEqual(['JSON.parse of a create of 400 characters', 'where it goes'])
  for (const { measured } of rows) expect(measured).toMatch(/^\d+\.\d\d µs \(\d+\.\d×\)$/)
})
