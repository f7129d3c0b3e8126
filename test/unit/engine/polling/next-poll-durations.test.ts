import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countUpTo,
  durationOf,
  durationsOf,
  NO_DURATIONS,
  remember,
  thetaFor,
} from '../../../../src/engine/polling/progress.ts'
import { watch } from '../../../../bench/poll-policy/learner.ts'
import { logNormal } from '../../../../bench/poll-policy/distributions.ts'
import { seededRandom } from '../../../fakes/random.ts'

const seen = (lastPollMs: number | null, detectedMs: number, exact = false) => ({ lastPollMs, detectedMs, exact })

describe('the duration that is remembered', () => {
  test.each([
    ['between two polls, early', seen(60_000, 80_000), 0, 80_000],
    ['between two polls, half', seen(60_000, 80_000), 0.5, 70_000],
    ['the first poll found it, early', seen(null, 100_000), 0, 100_000],
    ['the first poll found it, late', seen(null, 100_000), 1, 70_000],
    ['a callback told', seen(60_000, 80_000, true), 0.9, 80_000],
    ['a clock that went back', seen(90_000, 80_000), 0.9, 80_000],
  ])('%s', (_what, end, random, ms) => expect(durationOf(end, random)).toBe(ms))
})

describe('the memory', () => {
  const durations = fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 60 })

  test('keeps the last thousand, oldest first, and no more', () => {
    let memory = NO_DURATIONS
    const random = seededRandom(1)
    for (let i = 0; i < 1_200; i += 1) memory = remember(memory, seen(null, 1_000 + random() * 1_000, true), 0)
    expect(memory.recent).toHaveLength(1_000)
    expect(memory).toEqual(durationsOf(memory.recent))
  })

  test('is the same whether it grew or was read back', () => {
    fc.assert(
      fc.property(durations, (list) => {
        const grown = list.reduce((memory, ms) => remember(memory, seen(null, ms, true), 0), NO_DURATIONS)
        expect(grown).toEqual(durationsOf(JSON.parse(JSON.stringify(grown.recent))))
      }),
      { seed: 1, numRuns: 200 },
    )
  })

  test('its curve ascends, between the least and the longest, and keeps both', () => {
    fc.assert(
      fc.property(durations, (list) => {
        const { sorted, curve, sums } = durationsOf(list)
        expect(curve.every((ms, i) => i === 0 || ms >= (curve[i - 1] ?? 0) - 1e-6)).toBe(true)
        expect([curve[0], curve.at(-1)]).toEqual([sorted[0], sorted.at(-1)])
        expect(sums.at(-1)).toBeCloseTo(curve.reduce((sum, ms) => sum + ms, 0))
      }),
      { seed: 2, numRuns: 200 },
    )
  })

  test('counts like a filter does', () => {
    fc.assert(
      fc.property(durations, fc.integer({ min: -1, max: 600_001 }), (list, ms) => {
        const { sorted } = durationsOf(list)
        expect(countUpTo(sorted, ms)).toBe(sorted.filter((one) => one <= ms).length)
      }),
      { seed: 3, numRuns: 200 },
    )
  })

  test('leaves out what is no duration', () => {
    const damaged: unknown[] = [1, '2', null, Number.NaN, -1, Infinity, 3]
    expect(durationsOf(damaged).recent).toEqual([1, 3])
    expect(remember(NO_DURATIONS, seen(null, Number.NaN), 0)).toBe(NO_DURATIONS)
    expect(remember(NO_DURATIONS, seen(null, -5), 0)).toBe(NO_DURATIONS)
  })

  test('a shift is noticed in a few jobs, and most of what was before it is forgotten', () => {
    const random = seededRandom(4)
    const grow = (before: typeof NO_DURATIONS, jobs: number, medianS: number) =>
      Array.from({ length: jobs }, () => logNormal(medianS, 0.35).draw(random) * 1_000).reduce(
        (memory, ms) => remember(memory, seen(null, ms, true), 0),
        before,
      )
    const slow = grow(NO_DURATIONS, 1_000, 90)
    expect(slow.recent).toHaveLength(1_000)
    expect(grow(slow, 24, 30).recent.length).toBeLessThan(60)
    expect(grow(slow, 24, 270).recent.length).toBeLessThan(60)
    expect(grow(slow, 2_000, 90).recent).toHaveLength(1_000)
  })
})

test('nothing confirms itself: a recorder of detections drifts late, ours does not', () => {
  const truth = logNormal(90, 0.35)
  const trueMeanMs = 90_000 * Math.exp(0.35 ** 2 / 2)
  const play = (naive: boolean) => {
    const random = seededRandom(9)
    let memory = NO_DURATIONS
    let lateMs = 0
    for (let job = 0; job < 2_000; job += 1) {
      const policy = { memory, thetaMs: thetaFor(memory, 3, 1_000) }
      const { delayMs, lastPollMs, detectedMs } = watch(policy, truth.draw(random) * 1_000, () => null)
      if (job >= 1_000) lateMs += delayMs / 1_000
      memory = remember(memory, seen(lastPollMs, detectedMs, naive), random())
    }
    const { recent } = memory
    return { biasMs: recent.reduce((sum, ms) => sum + ms, 0) / recent.length - trueMeanMs, meanLateMs: lateMs }
  }
  const naive = play(true)
  const ours = play(false)
  expect(Math.abs(ours.biasMs)).toBeLessThan(3_000)
  expect(naive.biasMs).toBeGreaterThan(8_000)
  expect(naive.meanLateMs).toBeGreaterThan(1.15 * ours.meanLateMs)
})
