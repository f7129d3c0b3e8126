import { expect, test } from 'vitest'
import { fingerprintOf } from '../../../src/core/ids.ts'

const REQUEST = {
  input: { text: 'Hello', voice_id: 'v1', language: null },
  webhookUrl: null,
  metadata: { b: '2', a: '1' },
}

test('what was not given is no part of it: a field that is added later changes no fingerprint', () => {
  const later = { ...REQUEST, tags: null, labels: [], input: { ...REQUEST.input, pitch: null } }
  expect(fingerprintOf(later)).toBe(fingerprintOf(REQUEST))
})

test('the order of fields is none', () => {
  expect(fingerprintOf({ ...REQUEST, metadata: { a: '1', b: '2' } })).toBe(fingerprintOf(REQUEST))
})

test.each([
  { ...REQUEST, metadata: {} },
  { ...REQUEST, metadata: { a: '2', b: '1' } },
  { ...REQUEST, input: { ...REQUEST.input, language: 'de' } },
  { ...REQUEST, tags: ['x'] },
  { ...REQUEST, loud: false },
  { ...REQUEST, list: ['a', 'b'] },
  { ...REQUEST, list: ['b', 'a'] },
])('what was given is: %j', (other) => {
  const all = [REQUEST, { ...REQUEST, list: ['a', 'b'] }].filter((one) => JSON.stringify(one) !== JSON.stringify(other))
  for (const one of all) expect(fingerprintOf(other)).not.toBe(fingerprintOf(one))
})

test('it is what it was in the version before: keys go on across an upgrade', () => {
  expect(fingerprintOf(REQUEST)).toBe('e0c06ce05cecc23771c2a22e2133e7f2670b566b97913e3c59d0b4b36f8e94b4')
})
