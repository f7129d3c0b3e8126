import { expect, test } from 'vitest'
import { isShallow, NOWHERE_ELSE, reasonOf } from '../../../src/core/adapter.ts'

test.each([
  ['backend_unavailable', 'down'],
  ['backend_credentials_rejected', 'down'],
  ['concurrency_limit_reached', 'no_slot'],
  ['rate_limited', 'no_budget'],
  ['insufficient_credits', 'no_credits'],
  ['quota_exceeded', 'no_credits'],
  ['invalid_request', null],
  ['backend_error', null],
] as const)('%s says about the backend: %s', (code, reason) => {
  expect(reasonOf({ code })).toBe(reason)
})

test('with nowhere else to go, nothing moves on, and nothing waits for what is down', () => {
  expect(NOWHERE_ELSE).toEqual({ movesOn: [], waitsWhenDown: false })
})

/** A value inside of so many objects and arrays, beside one that is shallow. */
const inside = (levels: number): unknown => {
  let value: unknown = 'x'
  for (let n = 0; n < levels; n += 1) value = n % 2 === 0 ? { flat: 1, value } : [value, null]
  return value
}

test.each([
  [0, true],
  [1, true],
  [32, true],
  [33, false],
  [100_000, false],
])('JSON of %i levels is shallow enough: %s', (levels, shallow) => {
  expect(isShallow(inside(levels))).toBe(shallow)
})
