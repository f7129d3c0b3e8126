import { expect, test } from 'vitest'
import { DIFFERENCES } from '../../src/routes/dropin/differences.ts'
import { RULES } from '../parity/allowed.ts'
import { DECLARED } from './declared.ts'

const LANES = ['same', 'other'] as const
/**
 * What neither meets, by the test that shows it: both begin with an empty account, end within the day, and delete only
 * puppets that they saved.
 */
const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  'others-puppets': 'test/routes/dropin/primary-resources.test.ts',
  'older-videos': 'test/e2e/older-videos.test.ts',
  removed: 'test/routes/dropin/removed.test.ts',
}
const lanesOf = (behind: (typeof LANES)[number] | 'any') => (behind === 'any' ? LANES : [behind])

test('every difference is met by the walk of the contracts or by parity: one that is gone is not told any more', () => {
  const walked = LANES.flatMap((lane) => DECLARED[lane].map(({ contract, id }) => `${contract} ${lane} ${id}`))
  const compared = RULES.flatMap(({ surface, lane, id }) => lanesOf(lane).map((one) => `${surface} ${one} ${id}`))
  const met = new Set([...walked, ...compared])
  const unmet = DIFFERENCES.filter(
    ({ surface, behind, id }) =>
      !Object.hasOwn(SHOWN_ELSEWHERE, id) && !lanesOf(behind).some((lane) => met.has(`${surface} ${lane} ${id}`)),
  )
  expect(unmet.map(({ surface, behind, id }) => `${surface} ${behind} ${id}`)).toEqual([])
})
