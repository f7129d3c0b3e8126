import { expect, test } from 'vitest'
import { createLearned } from '../../../src/videos/learned.ts'
import { ended, SECOND, T0 } from '../../fakes/records.ts'

/** A store of durations alone, whose reads fail as often as the test says. */
const kept = (recent: number[], failures = 0) => {
  const rows = new Map<string, readonly number[]>([['main/text', recent]])
  const warnings: string[] = []
  let left = failures
  let reads = 0
  const learned = createLearned({
    store: {
      async durations(source) {
        reads += 1
        if (left-- > 0) throw new Error('a bad moment')
        return rows.get(source) ?? []
      },
      keepDurations: async (source, next) => void rows.set(source, next),
    },
    log: { info: () => undefined, warn: (_, message) => void warnings.push(message), error: () => undefined },
    random: () => 0.5,
    settings: { maxAgeMs: 3_600_000, minIntervalMs: SECOND, pollsPerJob: 12 },
  })
  const seeEnd = () => learned.ended(ended({ acceptedAtMs: T0, endedAtMs: T0 + 90_000 }), T0 + 90_000)
  return { learned, warnings, seeEnd, rows, reads: () => reads, row: () => rows.get('main/text') }
}

test('what could not be read is read later, and never written over before', async () => {
  const { learned, warnings, seeEnd, row } = kept([60_000, 61_000], 2)
  await learned.load(['main'])
  for (let n = 0; n < 25; n += 1) await seeEnd()
  await learned.load(['main'])
  await learned.close()
  expect(row()).toEqual([60_000, 61_000])
  expect(warnings).toHaveLength(2)

  await learned.load(['main'])
  // What was seen meanwhile stands beside what was kept.
  expect(learned.of('main').memory.recent.slice(0, 3)).toEqual([60_000, 61_000, 90_000])
  expect(learned.of('main').memory.recent).toHaveLength(27)
  await learned.close()
  expect(row()).toHaveLength(27)
})

test('it is read once, and a stop keeps what was not kept yet, once', async () => {
  const { learned, seeEnd, reads, rows, row } = kept([60_000])
  await learned.load(['main'])
  await learned.load(['main'])
  expect(reads()).toBe(1)
  for (let n = 0; n < 12; n += 1) await seeEnd()
  expect(row()).toHaveLength(11)
  await learned.close()
  expect(row()).toHaveLength(13)
  // Another process may have learned more since.
  rows.set('main/text', [1_000])
  await learned.close()
  expect(row()).toEqual([1_000])
})
