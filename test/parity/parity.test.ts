import { describe, expect, test } from 'vitest'
import type { VariantName } from '@talkbridge/sandbox'
import { DIFFERENCES } from '../../src/routes/dropin/differences.ts'
import { isFull } from '../fakes/full.ts'
import { MAX_SAME_KINDS, RULES } from './allowed.ts'
import { reportText } from './report.ts'
import { run } from './run.ts'
import { startStage } from './stage.ts'
import { createTally, sameKindsOf, unmetOf } from './tally.ts'
import { SURFACES, type Surface } from './vocabulary.ts'

const SEED = 1
const PARTS = 4
/** Of a small part of the cases, not every difference is met. */
const CASES = isFull ? { requests: 300, sequences: 30 } : { requests: 60, sequences: 8 }
const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number)
const partOf = (count: number, part: number): number[] =>
  upTo(count).slice(Math.ceil((count * part) / PARTS), Math.ceil((count * (part + 1)) / PARTS))

/** `npm run parity` is the same with many more. */
describe('the gateway answers as the services do, but for what is declared', () => {
  const tally = createTally(RULES)

  // In parts: each takes less than a hanging test may.
  const parts = SURFACES.flatMap((surface) => upTo(PARTS).map((part) => [surface, part] as const))

  test.each(parts)('on %s, part %i', async (surface, part) => {
    const cases = { requests: partOf(CASES.requests, part), sequences: partOf(CASES.sequences, part) }
    await run({ surface, variant: 'standard', seed: SEED, ...cases, tally, start: startStage, progress: () => {} })
    const found = [...tally.unexplained.values()].filter((one) => one.surface === surface)
    const report = reportText({ seed: SEED, variant: 'standard', tally, unmet: [], sameKinds: sameKindsOf(tally) })
    expect(found.length, report).toBe(0)
  })

  test.runIf(isFull).each(SURFACES)('what is declared for %s is met', (surface) => {
    expect(unmetOf(RULES, surface, tally), 'declared, but never met').toEqual([])
  })

  test('few kinds of difference are needed where the same interface is behind', () => {
    expect(sameKindsOf(tally).length).toBeLessThanOrEqual(MAX_SAME_KINDS)
  })
})

/** What a variant changes. On the other surface it is the standard. */
test.each<[VariantName, Surface]>([
  ['other-words', 'primary'],
  ['other-words', 'alternate'],
  ['link-names', 'primary'],
  ['link-names', 'alternate'],
  ['envelopes', 'primary'],
  ['envelopes', 'alternate'],
  ['puppet-fields', 'primary'],
  ['success-codes', 'alternate'],
  ['terse', 'primary'],
  ['terse', 'alternate'],
])('what the contracts do not show is as a service with %s answers it, on %s', async (variant, surface) => {
  const tally = createTally(RULES)
  const cases = { requests: upTo(40), sequences: upTo(10) }
  await run({ surface, variant, seed: SEED, ...cases, tally, start: startStage, progress: () => {} })
  const sameKinds = sameKindsOf(tally)
  expect(tally.unexplained.size, reportText({ seed: SEED, variant, tally, unmet: [], sameKinds })).toBe(0)
  expect(sameKinds.length).toBeLessThanOrEqual(MAX_SAME_KINDS)
})

test('every rule has its difference in the table, of the same surface and lane', () => {
  const strays = RULES.filter(
    ({ id, surface, lane }) =>
      !DIFFERENCES.some((one) => one.id === id && one.surface === surface && ['any', lane].includes(one.behind)),
  )
  expect(strays.map(({ id, surface, lane }) => `${surface} ${lane} ${id}`)).toEqual([])
})
