import { expect, test } from 'vitest'
import type { Comparison } from './asking.ts'
import type { Exchange } from './exchange.ts'
import type { Rule } from './judge.ts'
import { createTally, sameKindsOf, unmetOf } from './tally.ts'

const exchange = (status: number): Exchange => ({
  ask: { method: 'GET', path: '/' },
  answer: { status, headers: [], body: Buffer.from('{}') },
})

const comparison = (there: number, here: number, lane: 'same' | 'other' = 'same'): Comparison => ({
  lane,
  operation: 'createVideoFromText',
  client: 'anna',
  direct: exchange(there),
  gateway: exchange(here),
  divergences: there === here ? [] : [{ place: 'status', kind: 'status', direct: there, gateway: here }],
})

const QUEUES: Rule = {
  id: 'queues',
  surface: 'primary',
  lane: 'same',
  at: /^createVideo/,
  places: /^status$/,
  there: ({ direct }) => direct.answer.status === 429,
  here: ({ gateway }) => gateway.answer.status === 202,
}

const judged = (one: Comparison, surface: 'primary' | 'alternate' = 'primary') => {
  const tally = createTally([QUEUES])
  tally.add(surface, 'requests:7', one)
  return { unexplained: [...tally.unexplained.keys()], unmet: unmetOf([QUEUES], 'primary', tally), tally }
}

test('a difference both of whose sides are as declared is allowed', () => {
  const { unexplained, unmet, tally } = judged(comparison(429, 202))
  expect([unexplained, unmet, sameKindsOf(tally)]).toEqual([[], [], ['queues']])
})

test.each([
  ['the service answers otherwise', comparison(400, 202), 'primary'],
  ['the gateway answers otherwise', comparison(429, 200), 'primary'],
  ['in another lane', comparison(429, 202, 'other'), 'primary'],
  ['on another surface', comparison(429, 202), 'alternate'],
] as const)('it is not if %s', (_what, one, surface) => {
  const { unexplained, unmet } = judged(one, surface)
  expect([unexplained.length, unmet]).toEqual([1, ['primary queues']])
})

test('a rule whose difference is gone is unmet', () => {
  expect(judged(comparison(429, 429))).toMatchObject({ unexplained: [], unmet: ['primary queues'] })
})

test('what nobody explains is named with the case that shows it', () => {
  const { tally } = judged(comparison(200, 500))
  const [one] = tally.unexplained.values()
  expect(one).toMatchObject({ name: 'requests:7', count: 1, about: 'same createVideoFromText 200/500' })
})
