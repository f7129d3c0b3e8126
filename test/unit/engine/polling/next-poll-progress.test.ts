import { describe, expect, test } from 'vitest'
import { logNormal } from '../../../../bench/poll-policy/distributions.ts'
import { learnThenScore, LINEAR_PERCENT, NO_PROGRESS, type Progress } from '../../../../bench/poll-policy/learner.ts'
import { contradictions, endRange, noted, type Reading } from '../../../../src/engine/polling/progress.ts'
import { seededRandom } from '../../../fakes/random.ts'

const S = 1_000
const readings = (...told: [seconds: number, progress: number][]): readonly Reading[] =>
  told.reduce<readonly Reading[]>((all, [s, progress]) => noted(all, { elapsedMs: s * S, progress }), [])

describe('what is noted', () => {
  test.each<[string, [number, number][], [number, number][]]>([
    [
      'what moves',
      [
        [10, 0.1],
        [20, 0.2],
      ],
      [
        [10, 0.1],
        [20, 0.2],
      ],
    ],
    [
      'a standstill once',
      [
        [10, 0.1],
        [20, 0.1],
        [30, 0.1],
      ],
      [[10, 0.1]],
    ],
    [
      'nothing before it starts, nor nonsense',
      [
        [10, 0],
        [20, Number.NaN],
        [30, 2],
        [40, -1],
      ],
      [],
    ],
    [
      'no past',
      [
        [20, 0.2],
        [10, 0.3],
        [20, 0.4],
      ],
      [[20, 0.2]],
    ],
    [
      'a fresh start when it falls',
      [
        [10, 0.5],
        [20, 0.9],
        [30, 0.1],
      ],
      [[30, 0.1]],
    ],
  ])('%s', (_what, told, kept) =>
    expect(readings(...told)).toEqual(kept.map(([s, progress]) => ({ elapsedMs: s * S, progress }))),
  )

  test('the last eight', () =>
    expect(readings(...Array.from({ length: 12 }, (_, i): [number, number] => [i + 1, (i + 1) / 50]))).toHaveLength(8))
})

describe('the range of the end', () => {
  const every = (endS: number, waitedS: number, atS: readonly number[]) =>
    readings(...atS.map((s): [number, number] => [s, Math.floor((100 * (s - waitedS)) / (endS - waitedS)) / 100]))

  test.each([
    ['one poll', 90, 0, [41]],
    ['one poll, early', 90, 0, [7]],
    ['one poll, late', 90, 0, [89]],
    ['two polls', 90, 0, [31, 73]],
    ['two close polls', 90, 0, [50, 51]],
    ['a job that waited first', 90, 12, [41]],
    ['a job that waited first, two polls', 90, 15, [41, 73]],
    ['many polls', 240, 0, [30, 61, 100, 150, 199, 230]],
  ])('holds the end of a job whose progress is linear: %s', (_what, endS, waitedS, atS) => {
    const told = every(endS, waitedS, atS)
    const range = endRange(told)
    expect(range?.fromMs).toBeLessThanOrEqual(endS * S)
    expect(range?.toMs).toBeGreaterThanOrEqual(endS * S)
    expect(contradictions(told, (atS.at(-1) ?? 0) * S)).toBe(0)
  })

  test('is unknown without a reading', () => expect(endRange([])).toBeNull())

  test.each([
    ['a standstill', readings([10, 0.2], [20, 0.4]), 60],
    ['a slower pace', readings([10, 0.2], [20, 0.4], [45, 0.5]), 45],
    ['a faster pace', readings([10, 0.2], [20, 0.4], [25, 0.9]), 25],
    ['the end, and it runs on', readings([10, 0.9]), 30],
  ])('%s contradicts', (_what, told, lastPollS) =>
    expect(contradictions(told, lastPollS * S)).toBeGreaterThanOrEqual(1),
  )
})

describe('progress that is no clock costs little', () => {
  const distribution = logNormal(90, 0.35)
  const score = (progress: Progress) => {
    const random = seededRandom(3)
    const [durationsS = [], heldOutS = []] = [400, 800].map((count) =>
      Array.from({ length: count }, () => distribution.draw(random)),
    )
    return learnThenScore({ pollsPerJob: 12, durationsS, progress, random }, heldOutS)
  }
  const none = score(NO_PROGRESS)

  test.each<[string, Progress, number, number]>([
    ['linear', LINEAR_PERCENT, 4, 0.4],
    ['rounded to the nearest', (part) => Math.round(part * 100) / 100, 5, 0.4],
    ['in steps of 10 %', (part) => Math.floor(part * 10) / 10, 7, 0.8],
    ['after a tenth in a queue', (part) => Math.max(0, Math.floor((part - 0.1) * 111) / 100), 4, 0.4],
    ['stuck at 99 %', (part) => Math.min(0.99, Math.floor(part * 120) / 100), 12, 1.3],
    ['always 90 %', () => 0.9, 18, 1.1],
    ['ever slower', (part) => Math.floor(Math.sqrt(part) * 100) / 100, 10, 0.6],
    ['ever faster', (part) => Math.floor(part ** 2 * 100) / 100, 6, 3],
  ])('%s: at most so many polls, and so much of the delay without', (_what, progress, polls, ratio) => {
    const cost = score(progress)
    expect(cost.polls).toBeLessThan(polls)
    expect(cost.delayS).toBeLessThan(ratio * none.delayS)
  })
})
