import { describe, expect, test } from 'vitest'
import type { VariantName } from '@talkbridge/sandbox'
import { requestOf } from './generator.ts'
import { run } from './run.ts'
import { startTwins } from './stage.ts'
import { createTally, type Tally } from './tally.ts'
import { SURFACES, type Surface } from './vocabulary.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number)

/** The service beside another one. */
const twins = async (surface: Surface, variant?: VariantName, count = 120): Promise<Tally> => {
  const tally = createTally([])
  const start = () => startTwins(surface, 1, variant)
  const cases = { requests: upTo(count), sequences: upTo(count / 10) }
  await run({ surface, variant: 'standard', seed: 1, ...cases, tally, start, progress: () => {} })
  return tally
}

describe.each(SURFACES)('%s', (surface) => {
  test('a service answers as another one like it', async () => {
    const { unexplained, comparisons } = await twins(surface)
    expect([...unexplained.keys()]).toEqual([])
    expect(comparisons).toBeGreaterThan(120)
  })

  test('a request of a number is the same in every run', () => {
    const some = () => upTo(200).map((number) => requestOf(surface, 7, number))
    expect(some()).toEqual(some())
    expect(requestOf(surface, 8, 1)).not.toEqual(requestOf(surface, 7, 1))
  })
})

/** What each way of filling the contract's gaps changes, of what these requests meet. */
const SHOWN: readonly (readonly [Surface, VariantName, string])[] = [
  ['primary', 'other-words', 'same getPuppet 404/404 body.error value'],
  ['primary', 'link-names', 'same createHostedAudioUploadUrl 200/200 body.upload_url missing'],
  ['primary', 'envelopes', 'same getDeveloperApiUsage 200/200 body.data added'],
  ['primary', 'puppet-fields', 'same createPuppet 201/201 body.puppet_id added'],
  ['primary', 'terse', 'same createVideoFromText 202/202 body.created_at missing'],
  ['alternate', 'other-words', 'same createVideo 400/400 body.error missing'],
  ['alternate', 'success-codes', 'same createVideo 201/202 status status'],
]

test.each(SHOWN)('%s: a service that decided otherwise is told from it: %s', async (surface, variant, kind) => {
  const { unexplained } = await twins(surface, variant)
  expect([...unexplained.keys()]).toContain(`${surface} ${kind}`)
})
