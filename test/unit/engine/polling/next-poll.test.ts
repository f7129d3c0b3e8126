import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Durations,
  durationsOf,
  latenessMs,
  NO_DURATIONS,
  pollsPerJob,
  reachesAtMs,
  thetaFor,
  nextPoll,
  urgencyMs,
  type PollRules,
  type RunningJob,
} from '../../../../src/engine/polling/progress.ts'

const T0 = 1_795_168_800_000
const S = 1_000
const DAY = 86_400 * S

const job = (patch: Partial<RunningJob> = {}): RunningJob => ({
  acceptedAtMs: T0,
  lastPollAtMs: null,
  readings: [],
  calledBack: false,
  ...patch,
})
const rules = (patch: Partial<PollRules> = {}): PollRules => ({
  nowMs: T0,
  thetaMs: 500,
  minIntervalMs: S,
  hintAtMs: null,
  deadlineAtMs: T0 + DAY,
  ...patch,
})
const repeated = (seconds: number, times: number) => durationsOf(Array.from({ length: times }, () => seconds * S))
const spread = durationsOf(Array.from({ length: 200 }, (_, i) => (60 + i / 2) * S))
/** Seconds after acceptance. */
const at = (memory: Durations | null, running: RunningJob, when: PollRules): number =>
  (nextPoll(memory, running, when) - T0) / S

describe('when to poll next', () => {
  test('what always took 90 s is polled when it is θ late on average', () => {
    // 1,000 jobs of 90 s, and of the job that nobody has seen 38 s: (1,000 x + 38) / 1,001 = 0.5.
    expect(at(repeated(90, 1_000), job(), rules())).toBeCloseTo(90.46, 1)
  })

  test('with nothing remembered, gaps grow with the root of the time that passed', () => {
    const gaps = [0, 60, 240, 1_000].map((since) => {
      const seenAtMs = T0 + since * S
      return at(null, job({ lastPollAtMs: seenAtMs }), rules({ nowMs: seenAtMs })) - since
    })
    expect(gaps.map((gap) => Math.round(gap))).toEqual([8, 10, 14, 24])
  })

  // Two durations a second from 60 s on: x² + x / 2 + t² / (t + 120 s) = 201 θ, at t = 60 s + x.
  test.each<[string, Partial<RunningJob>, Partial<PollRules>, number]>([
    ['the first poll, before any job has ended', {}, {}, 68.45],
    ['a hint that is later', {}, { hintAtMs: T0 + 80 * S }, 80],
    ['a hint that is sooner', {}, { hintAtMs: T0 + 5 * S }, 68.45],
    ['the deadline is sooner', {}, { deadlineAtMs: T0 + 30 * S }, 30],
    ['the deadline, but the hint is later still', {}, { deadlineAtMs: T0 + 30 * S, hintAtMs: T0 + 40 * S }, 40],
    ['min_interval', { lastPollAtMs: T0 + 80 * S }, { nowMs: T0 + 80 * S, thetaMs: 1, minIntervalMs: 10 * S }, 90],
    ['past its time', {}, { nowMs: T0 + 200 * S }, 200],
    ['past the deadline', { lastPollAtMs: T0 + 99 * S }, { nowMs: T0 + 100 * S, deadlineAtMs: T0 + 50 * S }, 100],
    ['a callback is promised: much later', { calledBack: true }, {}, 104.04],
    [
      'a callback is promised: a minute from now at least',
      { calledBack: true, lastPollAtMs: T0 + 159 * S },
      { nowMs: T0 + 159 * S, thetaMs: 10 },
      219,
    ],
    ['a clock that went back', { acceptedAtMs: T0 + 50 * S }, { nowMs: T0 }, 118.45],
  ])('%s', (_what, patch, when, seconds) => expect(at(spread, job(patch), rules(when))).toBeCloseTo(seconds, 1))

  test('progress bounds it: 50 % at 50 s ends by 100 s, whatever is remembered', () => {
    const readings = [{ elapsedMs: 50 * S, progress: 0.51 }]
    const seen = job({ lastPollAtMs: T0 + 50 * S, readings })
    const next = at(repeated(300, 500), seen, rules({ nowMs: T0 + 50 * S }))
    expect(next).toBeGreaterThan(80)
    expect(next).toBeLessThan(50 / 0.51)
  })

  test('two readings tell the pace, to a percent of the job', () => {
    const readings = [
      { elapsedMs: 40 * S, progress: 0.31 },
      { elapsedMs: 90 * S, progress: 0.81 },
    ]
    // One percent is a second; it ends between 107.3 and 109.4 s.
    const next = at(repeated(300, 500), job({ lastPollAtMs: T0 + 90 * S, readings }), rules({ nowMs: T0 + 90 * S }))
    expect(next).toBeGreaterThan(107)
    expect(next).toBeLessThan(109.5)
  })

  test('progress that contradicts itself twice is not believed', () => {
    const lastPollAtMs = T0 + 70 * S
    const readings = [0.3, 0.31, 0.32, 0.33].map((progress, i) => ({ elapsedMs: (10 + 20 * i) * S, progress }))
    const when = rules({ nowMs: lastPollAtMs })
    expect(at(spread, job({ lastPollAtMs, readings }), when)).toBe(at(spread, job({ lastPollAtMs }), when))
  })
})

describe('for any memory', () => {
  const memories = fc.oneof(
    fc.constant(NO_DURATIONS),
    fc.integer({ min: 0, max: 3_600_000 }).map((ms) => durationsOf([ms])),
    fc.integer({ min: 0, max: 3_600_000 }).map((ms) => durationsOf(Array.from({ length: 50 }, () => ms))),
    fc.array(fc.integer({ min: 0, max: 3_600_000 }), { maxLength: 80 }).map(durationsOf),
  )
  const readings = fc
    .array(fc.record({ elapsedMs: fc.integer({ min: 1, max: 600_000 }), progress: fc.double({ min: 0.01, max: 1 }) }))
    .map((list) => list.toSorted((a, b) => a.elapsedMs - b.elapsedMs))
  const cases = fc.record({
    memory: memories,
    lastMs: fc.option(fc.integer({ min: 0, max: 7_200_000 })),
    waitedMs: fc.integer({ min: -10_000, max: 600_000 }),
    thetaMs: fc.double({ min: 1, max: 60_000, noNaN: true }),
    hintMs: fc.option(fc.integer({ min: 0, max: 10_800_000 })),
    minIntervalMs: fc.integer({ min: 10, max: 60_000 }),
    deadlineMs: fc.integer({ min: 0, max: 7_200_000 }),
    calledBack: fc.boolean(),
    readings: fc.oneof(fc.constant([]), readings),
  })
  const given = ({ lastMs, waitedMs, thetaMs, hintMs, minIntervalMs, deadlineMs, calledBack, ...rest }: Case) => ({
    memory: rest.memory,
    job: job({ lastPollAtMs: lastMs === null ? null : T0 + lastMs, readings: rest.readings, calledBack }),
    rules: rules({
      nowMs: T0 + (lastMs ?? 0) + waitedMs,
      thetaMs,
      hintAtMs: hintMs === null ? null : T0 + hintMs,
      minIntervalMs,
      deadlineAtMs: T0 + deadlineMs,
    }),
  })
  type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never
  const holds = (check: (one: ReturnType<typeof given>, next: number) => void): void =>
    fc.assert(
      fc.property(cases, (one) => {
        const it = given(one)
        check(it, nextPoll(it.memory, it.job, it.rules))
      }),
      { seed: 5, numRuns: 1_000 },
    )

  test('it is a finite whole number, never in the past', () =>
    holds(({ rules: { nowMs } }, next) => {
      expect(Number.isSafeInteger(next)).toBe(true)
      expect(next).toBeGreaterThanOrEqual(nowMs)
    }))

  test('it is never before the hint, nor sooner than min_interval after the last poll', () =>
    holds(({ job: { lastPollAtMs }, rules: { hintAtMs, minIntervalMs } }, next) => {
      expect(next).toBeGreaterThanOrEqual(hintAtMs ?? 0)
      if (lastPollAtMs !== null) expect(next).toBeGreaterThanOrEqual(lastPollAtMs + minIntervalMs)
    }))

  test('it is never after the deadline, unless the hint, min_interval or now are', () =>
    holds(({ job: { lastPollAtMs }, rules: { nowMs, hintAtMs, minIntervalMs, deadlineAtMs } }, next) => {
      expect(next).toBeLessThanOrEqual(
        Math.max(deadlineAtMs, hintAtMs ?? 0, nowMs, (lastPollAtMs ?? 0) + minIntervalMs),
      )
    }))

  test('a greater θ never makes it sooner', () =>
    holds((it, next) => {
      const dearer = { ...it.rules, thetaMs: it.rules.thetaMs * 1.5 }
      // A millisecond: halving ends there.
      expect(nextPoll(it.memory, it.job, dearer)).toBeGreaterThanOrEqual(next - 2)
    }))

  test('the urgency is finite, not negative, and grows with time', () =>
    holds(({ memory, job: running, rules: { nowMs } }) => {
      const now = urgencyMs(memory, running, nowMs)
      expect(Number.isFinite(now)).toBe(true)
      expect(now).toBeGreaterThanOrEqual(0)
      expect(urgencyMs(memory, running, nowMs + 5_000)).toBeGreaterThanOrEqual(now)
    }))

  test('the poll is when the mean lateness is θ', () => {
    fc.assert(
      fc.property(
        memories,
        fc.integer({ min: 0, max: 7_200_000 }),
        fc.integer({ min: 1, max: 60_000 }),
        (m, s, theta) => {
          expect(latenessMs(m, s, reachesAtMs(m, s, theta)) / theta).toBeCloseTo(1, 6)
        },
      ),
      { seed: 6, numRuns: 1_000 },
    )
  })

  test('the lateness is what a sum over all remembered says', () => {
    const list = Array.from({ length: 400 }, (_, i) => (i * 7_919) % 300_000)
    const memory = durationsOf(list)
    const [since, now] = [70_000, 150_000]
    const longer = memory.curve.filter((ms) => ms > since)
    const sum = longer.reduce((total, ms) => total + Math.max(0, now - ms), 0) + (now - since) ** 2 / (now + 120_000)
    expect(latenessMs(memory, since, now)).toBeCloseTo(sum / (longer.length + 1), 6)
  })
})

describe('θ', () => {
  test.each([
    ['no memory', NO_DURATIONS],
    ['one job', durationsOf([30 * S])],
    ['a spread', spread],
  ])('is solved for the polls that are asked for: %s', (_what, memory) => {
    for (const polls of [2, 5, 12, 30]) {
      const theta = thetaFor(memory, polls, 10)
      expect(pollsPerJob(memory, theta, 10)).toBeLessThanOrEqual(polls)
      expect(pollsPerJob(memory, theta * 0.9, 10)).toBeGreaterThan(polls * 0.98)
    }
  })

  test('is the least there is where even that takes fewer polls, and bounded where none is enough', () => {
    expect(thetaFor(repeated(90, 1_000), 1_000, S)).toBeCloseTo(1, 1)
    expect(thetaFor(spread, 0.5, S)).toBeCloseTo(3_600_000, -2)
  })
})
