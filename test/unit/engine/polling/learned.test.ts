import { expect, test } from 'vitest'
import { createLearned } from '../../../../src/engine/polling/choose.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { accepted, ended, INPUT, SECOND, T0 } from '../../../fakes/records.ts'

type Rows = Map<string, readonly number[]>

/** A store of durations alone, whose reads fail as often as the test says; `shared`: with other processes. */
const kept = (recent: number[], failures = 0, shared?: Rows) => {
  const rows: Rows = shared ?? new Map([['main/text', recent]])
  const clock = fakeClock()
  const warnings: string[] = []
  let left = failures
  let reads = 0
  const learned = createLearned({
    store: {
      async durations(source) {
        reads += 1
        if (source === 'main/text' && left-- > 0) throw new Error('a bad moment')
        return rows.get(source) ?? []
      },
      keepDurations: async (source, next) => void rows.set(source, next),
      addDurations: async (source, next, most) =>
        void rows.set(source, [...(rows.get(source) ?? []), ...next].slice(-most)),
    },
    clock,
    replica: { isAlone: shared === undefined },
    log: { info: () => undefined, warn: (_, message) => void warnings.push(message), error: () => undefined },
    random: () => 0.5,
    settings: { maxAgeMs: 3_600_000, minIntervalMs: SECOND, pollsPerJob: 12 },
  })
  const seeEnd = (input = INPUT, tookMs = 90_000) =>
    learned.ended(ended({ input, acceptedAtMs: T0, endedAtMs: T0 + tookMs }), T0 + tookMs)
  return { clock, learned, warnings, seeEnd, rows, reads: () => reads, row: () => rows.get('main/text') }
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
  expect(learned.of('main', 'text').memory.recent.slice(0, 3)).toEqual([60_000, 61_000, 90_000])
  expect(learned.of('main', 'text').memory.recent).toHaveLength(27)
  await learned.close()
  expect(row()).toHaveLength(27)
})

test('it is read once, and a stop keeps what was not kept yet, once', async () => {
  const { learned, seeEnd, reads, rows, row } = kept([60_000])
  await learned.load(['main'])
  await learned.load(['main'])
  expect(reads()).toBe(2)
  for (let n = 0; n < 12; n += 1) await seeEnd()
  expect(row()).toHaveLength(11)
  await learned.close()
  expect(row()).toHaveLength(13)
  // Another process may have learned more since.
  rows.set('main/text', [1_000])
  await learned.close()
  expect(row()).toEqual([1_000])
})

const AUDIO = { ...INPUT, text: null, audio_url: 'https://audio.example/a.mp3' }

test('text and audio take their own time: each learns from its own, and is kept by itself', async () => {
  const { learned, seeEnd, rows } = kept([60_000])
  await learned.load(['main'])
  for (let n = 0; n < 10; n += 1) {
    await seeEnd()
    await seeEnd(AUDIO, 600_000)
  }
  expect(Math.max(...learned.of('main', 'text').memory.recent)).toBe(90_000)
  expect(Math.min(...learned.of('main', 'audio').memory.recent)).toBe(600_000)
  await learned.close()
  expect(rows.get('main/text')).toHaveLength(11)
  expect(rows.get('main/audio')).toHaveLength(10)
})

test('until enough audio was seen to end, and for what was made elsewhere, text is the best guess there is', async () => {
  const { learned, seeEnd } = kept(Array<number>(10).fill(60_000))
  await learned.load(['main'])
  for (let n = 0; n < 9; n += 1) await seeEnd(AUDIO, 600_000)
  expect(learned.of('main', 'audio')).toBe(learned.of('main', 'text'))
  const polls = (input: typeof INPUT) => {
    const state = { nowMs: T0, lastPollAtMs: null, readings: [], hintAtMs: null, calledBack: false }
    return learned.nextPollAt(accepted({ input, acceptedAtMs: T0 }), state)
  }
  expect(polls(AUDIO)).toBe(polls(INPUT))
  await seeEnd(AUDIO, 600_000)
  expect(polls(AUDIO)).toBeGreaterThan(polls(INPUT))
  expect(learned.of('main', 'import')).toBe(learned.of('main', 'text'))
})

test('where only audio is made, it is learned from the first', async () => {
  const { learned, seeEnd } = kept([])
  await learned.load(['main'])
  await seeEnd(AUDIO, 600_000)
  expect(learned.of('main', 'audio').memory.recent).toEqual([600_000])
})

test('two processes that learn of one backend add to what is kept, and read what the other learned', async () => {
  const rows: Rows = new Map([['main/text', [60_000]]])
  const [one, other] = [kept([], 0, rows), kept([], 0, rows)]
  await Promise.all([one.learned.load(['main']), other.learned.load(['main'])])
  for (let n = 0; n < 10; n += 1) await one.seeEnd(INPUT, 90_000)
  for (let n = 0; n < 10; n += 1) await other.seeEnd(INPUT, 95_000)
  const all = [60_000, ...Array<number>(10).fill(90_000), ...Array<number>(10).fill(95_000)]
  expect(rows.get('main/text')).toEqual(all)
  await one.learned.load(['main'])
  expect(one.learned.of('main', 'text').memory.recent).toHaveLength(11)
  await one.seeEnd(INPUT, 91_000)
  await one.clock.advance(60_000)
  await one.learned.load(['main'])
  // What it has not kept yet is not forgotten over it.
  expect(one.learned.of('main', 'text').memory.recent).toEqual([...all, 91_000])
})

test('when the backend changed, what was is forgotten for the other processes too', async () => {
  const rows: Rows = new Map([['main/text', Array<number>(200).fill(60_000)]])
  const [one, other] = [kept([], 0, rows), kept([], 0, rows)]
  await one.learned.load(['main'])
  for (let n = 0; n < 20; n += 1) await one.seeEnd(INPUT, 600_000)
  expect(rows.get('main/text')?.length).toBeLessThan(100)
  await other.learned.load(['main'])
  expect(other.learned.of('main', 'text').memory.recent).toEqual(rows.get('main/text'))
})
