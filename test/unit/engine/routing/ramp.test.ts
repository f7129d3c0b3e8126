import { expect, test } from 'vitest'
import {
  type Gate,
  type Outcome,
  RAMP,
  curveOf,
  gatesOf,
  measuredSince,
  nextWeight,
  refusedStep,
  resumed,
  rolledBackFrom,
  weighed,
} from '../../../../src/engine/routing/ramp.ts'
import { T0 } from '../../../fakes/records.ts'
import { untouched } from './split.ts'

const LIMITS = { least_videos: 20, failure_rate: 0.02, p95: 1.5, credits: 1.5, warnings: 0.1, not_moved: 0.5 }

const outcome = (given: Partial<Outcome> = {}): Outcome => ({
  videos: 100,
  completed: 100,
  failed: 0,
  canceled: 0,
  success: null,
  seconds: { p50: 10, p95: 20 },
  credits: { total: 100, each: 1 },
  warned: 0,
  ...given,
})
const EMPTY = outcome({ videos: 0, completed: 0, seconds: null, credits: { total: 0, each: null }, warned: null })

const gate = (name: Gate['name'], old: Outcome, fresh: Outcome, notMoved: Record<string, number> = {}): Gate => {
  const found = gatesOf(LIMITS, { old, new: fresh }, notMoved).find((one) => one.name === name)
  if (!found) throw new Error(`no gate ${name}`)
  return found
}

test('the ramp goes up one step at a time, from wherever it stands', () => {
  const walked: number[] = []
  for (let weight: number | null = nextWeight(0); weight !== null; weight = nextWeight(weight)) walked.push(weight)
  expect(walked).toEqual([...RAMP])
  expect([7, 10, 99, 100].map(nextWeight)).toEqual([10, 25, 100, null])
})

test.each<[Gate['name'], string, Outcome, Outcome, boolean]>([
  ['least_videos', 'one too few', outcome(), outcome({ completed: 18, failed: 1 }), false],
  ['least_videos', 'enough, failed ones too', outcome(), outcome({ completed: 19, failed: 1 }), true],
  ['least_videos', 'canceled ones are none', outcome(), outcome({ completed: 19, canceled: 5 }), false],
  [
    'failure_rate',
    'as much more as it may',
    outcome({ completed: 90, failed: 10 }),
    outcome({ completed: 88, failed: 12 }),
    true,
  ],
  ['failure_rate', 'one more', outcome({ completed: 90, failed: 10 }), outcome({ completed: 87, failed: 13 }), false],
  ['failure_rate', 'without an old side', EMPTY, outcome({ completed: 98, failed: 2 }), true],
  ['failure_rate', 'too many without an old side', EMPTY, outcome({ completed: 97, failed: 3 }), false],
  ['failure_rate', 'as many failed as did not', EMPTY, outcome({ completed: 50, failed: 50 }), false],
  ['p95', 'as slow as it may be', outcome(), outcome({ seconds: { p50: 1, p95: 30 } }), true],
  ['p95', 'slower', outcome(), outcome({ seconds: { p50: 1, p95: 30.1 } }), false],
  ['p95', 'nothing to compare with', EMPTY, outcome(), true],
  ['credits', 'as dear as it may be', outcome(), outcome({ credits: { total: 150, each: 1.5 } }), true],
  ['credits', 'dearer', outcome(), outcome({ credits: { total: 151, each: 1.51 } }), false],
  ['credits', 'dearer than nothing', outcome({ credits: { total: 0, each: 0 } }), outcome(), false],
  ['credits', 'a price that nobody tells', outcome(), outcome({ credits: { total: 0, each: null } }), true],
  ['warnings', 'as many as may be', outcome(), outcome({ warned: 0.1 }), true],
  ['warnings', 'more', outcome(), outcome({ warned: 0.11 }), false],
])('%s: %s', (name, _, old, fresh, held) => {
  const found = gate(name, old, fresh)
  expect(found).toMatchObject({ held })
  expect(found.why).not.toMatch(/NaN|null|undefined/)
})

test.each<[string, Outcome, Outcome]>([
  ['old', EMPTY, outcome()],
  ['new', outcome(), EMPTY],
])('a gate says that the %s side has nothing to compare', (side, old, fresh) => {
  expect(gate('p95', old, fresh).why).toContain(`the ${side} side reports no `)
})

test('a gate says its figures', () => {
  const [old, fresh] = [outcome({ completed: 90, failed: 10 }), outcome({ completed: 80, failed: 20 })]
  expect(gate('failure_rate', old, fresh)).toEqual({
    name: 'failure_rate',
    held: false,
    new: 0.2,
    old: 0.1,
    limit: 0.12000000000000001,
    why: '20 % of the new side’s videos failed, 10 % of the old side’s; at most 12 % may',
  })
  expect(gate('p95', outcome(), outcome({ seconds: { p50: 1, p95: 45 } })).why).toBe(
    'seconds to completion (p95): 45 on the new side, more than 1.5 × 20 of the old one',
  )
})

const NAMED = 'passed_over voice_id'

test.each<[string, number, Record<string, number>, boolean, number | null]>([
  ['none of nothing', 0, {}, true, 0],
  ['none of some', 20, {}, true, 0],
  ['as many as were made', 20, { [NAMED]: 15, 'voice_not_found voice_id': 5 }, true, 0.5],
  ['one more', 20, { [NAMED]: 15, 'voice_not_found voice_id': 6 }, false, 21 / 41],
  ['all', 0, { [NAMED]: 1 }, false, 1],
  ['more than the videos that are counted at most', 10_000, { [NAMED]: 30_000 }, true, null],
])('not_moved: %s', (_, videos, notMoved, held, share) => {
  expect(gate('not_moved', EMPTY, outcome({ videos }), notMoved)).toMatchObject({ held, new: share, limit: 0.5 })
})

test('not_moved says what did not move, the most frequent kinds, and how it counts', () => {
  const notMoved = { [NAMED]: 60, 'voice_not_found voice_id': 25, invalid_image: 10, queue_full: 5 }
  expect(gate('not_moved', EMPTY, outcome({ videos: 20 }), notMoved).why).toBe(
    'the new side finished 20 videos and did not get 100 creates (60 passed_over voice_id, 25 voice_not_found voice_id, 10 invalid_image, …): 83.3 %, at most 50 % may be. Creates count by whole days (UTC), for all splits with this new side',
  )
  const { queue_full: _, ...three } = notMoved
  expect(gate('not_moved', EMPTY, outcome(), three).why).toContain('10 invalid_image): 48.7 %')
  expect(gate('not_moved', EMPTY, outcome({ videos: 20 })).why).toBe(
    'the new side finished 20 videos and did not get 0 creates: 0 %, at most 50 % may be',
  )
})

const CLOSED = gatesOf(LIMITS, { old: outcome(), new: EMPTY }, {})
const STOPPED = { atMs: T0, sinceMs: 0, old: { videos: 0, failed: 0 }, new: { videos: 1, failed: 1 } }

test('a closed gate refuses a step, with its name and figures; force passes over it', () => {
  expect(refusedStep(untouched(), 10, CLOSED, false)).toEqual({
    reason: 'gates',
    message: 'least_videos: the new side finished only 0 videos since the last step; 20 are needed',
  })
  expect(refusedStep(untouched(), 10, CLOSED, true)).toBeNull()
})

test('at 0 % there is nothing to measure', () => expect(refusedStep(untouched(), 0, CLOSED, false)).toBeNull())

test.each([true, false])('neither one that stopped steps nor one at 100 % (force: %s)', (force) => {
  const open = gatesOf(LIMITS, { old: outcome(), new: outcome() }, {})
  expect(refusedStep(untouched({ stopped: STOPPED }), 10, open, force)).toMatchObject({ reason: 'stopped' })
  expect(refusedStep(untouched(), 100, open, force)).toMatchObject({ reason: 'complete' })
  expect(refusedStep(untouched(), 50, open, force)).toBeNull()
})

test('a step and a rollback keep a stop; a resume ends it, and keeps the weight', () => {
  const before = untouched({ version: 4, weight: 10, steppedAtMs: T0 - 9, steppedBy: 'a', stopped: STOPPED })
  expect(weighed(before, 0, 'b', T0)).toEqual({ ...before, version: 5, weight: 0, steppedAtMs: T0, steppedBy: 'b' })
  expect(resumed(before, T0)).toEqual({ ...before, version: 5, stopped: null, resumedAtMs: T0 })
})

test('a curve has 24 steps at most, none shorter than a minute, from its time or from the first video on', () => {
  const at = (endedAtMs: number, status: 'completed' | 'failed' = 'completed') => ({ endedAtMs, status })
  const old = [at(T0), at(T0 + 59_999, 'failed'), at(T0 + 60_000)]
  const short = curveOf({ old, new: [at(T0 + 90_000)] }, T0, T0 + 90_000)
  expect(short).toEqual([
    { from: new Date(T0).toISOString(), old: { videos: 2, failed: 1 }, new: { videos: 0, failed: 0 } },
    { from: new Date(T0 + 60_000).toISOString(), old: { videos: 1, failed: 0 }, new: { videos: 1, failed: 0 } },
  ])
  expect(curveOf({ old, new: [] }, 0, T0 + 90_000)).toEqual(
    short.map((step) => ({ ...step, new: { videos: 0, failed: 0 } })),
  )
  const long = curveOf({ old, new: [at(T0 + 48 * 3_600_000, 'failed')] }, T0, T0 + 48 * 3_600_000)
  expect(long).toHaveLength(24)
  expect(long.at(-1)).toMatchObject({
    from: new Date(T0 + 46 * 3_600_000).toISOString(),
    new: { videos: 1, failed: 1 },
  })
})

test.each<[string, number, readonly [string, number][], number | null]>([
  ['a rollback', 0, [['rollback', 25]], 25],
  [
    'one from 0 after it',
    0,
    [
      ['rollback', 0],
      ['rollback', 25],
    ],
    25,
  ],
  [
    'a stop after it',
    0,
    [
      ['stop', 0],
      ['rollback', 25],
    ],
    25,
  ],
  [
    'a step after it',
    1,
    [
      ['step', 0],
      ['rollback', 25],
    ],
    null,
  ],
  ['one from 0 only', 0, [['rollback', 0]], null],
  [
    'a resume after it',
    0,
    [
      ['resume', 25],
      ['rollback', 25],
    ],
    null,
  ],
  ['nothing', 0, [], null],
])('what a resume goes back to: %s', (_name, weight, done, from) => {
  const audit = done.map(([deed, was]) => ({ action: `split.${deed}` as 'split.step', detail: { from: was } }))
  expect(rolledBackFrom(weight, audit)).toBe(from)
})

test('gates measure from the last step or resume on', () => {
  expect(measuredSince(untouched())).toBe(0)
  expect(measuredSince(untouched({ steppedAtMs: T0 }))).toBe(T0)
  expect(measuredSince(untouched({ steppedAtMs: T0, resumedAtMs: T0 + 1 }))).toBe(T0 + 1)
})
