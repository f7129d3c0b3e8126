import { isSameDoubt } from '../../../../src/engine/life/create-steps.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JobTraits, ListedJob } from '../../../../src/core/adapter.ts'
import type { Order } from '../../../../src/core/video.ts'
import { type Walk, isMadeOf, judge, mayBe, sentWindow, withWalk } from '../../../../src/engine/doubt/list.ts'
import { HOUR, MINUTE, SECOND, T0, video } from '../../../fakes/records.ts'

const TIMEOUT_MS = 30 * SECOND
const SENT = { sentAtMs: T0, deadlineMs: T0 + TIMEOUT_MS }
const ABSENT_AFTER_MS = 5 * MINUTE

const order = (given: Partial<Order> = {}): Order => ({
  imageUrl: null,
  puppetId: 'pup_1',
  text: 'Hello',
  audioUrl: null,
  voiceId: null,
  language: null,
  expressiveness: null,
  resolution: null,
  ...given,
})
const listed = (given: Partial<ListedJob> = {}): ListedJob => ({
  jobId: 'job_1',
  status: 'processing',
  puppetId: 'pup_1',
  createdAtMs: T0,
  ...given,
})

describe('mayBe: a line of the list', () => {
  const CASES: [string, number, boolean][] = [
    ['as it was sent', 0, true],
    ['two minutes before', -2 * MINUTE, true],
    ['earlier than that', -2 * MINUTE - 1, false],
    ['at the deadline', TIMEOUT_MS, true],
    ['two minutes after the deadline', TIMEOUT_MS + 2 * MINUTE, true],
    ['later than that', TIMEOUT_MS + 2 * MINUTE + 1, false],
    ['an hour ago', -HOUR, false],
  ]
  const SKEWS = [0, 90 * SECOND, -90 * SECOND, HOUR, -HOUR, 400 * 24 * HOUR]

  test.each(CASES.flatMap((given) => SKEWS.map((skewMs) => [...given, skewMs] as const)))(
    'made %s (%i ms): %s, by a clock that is %i ms ahead of ours',
    (_, afterMs, expected, skewMs) => {
      const job = listed({ createdAtMs: T0 + afterMs + skewMs })
      expect(mayBe(order(), SENT, job, skewMs)).toBe(expected)
    },
  )

  test.each<[string, Partial<Order>, Partial<ListedJob>]>([
    ['of another puppet', {}, { puppetId: 'pup_2' }],
    ['of no puppet', {}, { puppetId: null }],
    ['of which nobody says when it was made', {}, { createdAtMs: null }],
    ['where none was asked for', { puppetId: null }, { puppetId: null }],
  ])('one %s is not it', (_, asked, given) => {
    expect(mayBe(order(asked), SENT, listed(given), 0)).toBe(false)
  })
})

describe('isMadeOf: what its detail tells', () => {
  const made = (given: Partial<JobTraits> = {}): JobTraits => ({
    puppetId: 'pup_1',
    voiceId: 'v1',
    resolution: '720p',
    createdAtMs: T0,
    ...given,
  })
  test.each<[string, Partial<Order>, Partial<JobTraits>, boolean]>([
    ['nothing else was asked for: whatever the backend chose', {}, {}, true],
    ['nothing else was asked for, nothing else is told', {}, { voiceId: null, resolution: null }, true],
    ['all of it', { voiceId: 'v1', resolution: '720p' }, {}, true],
    ['another voice', { voiceId: 'v2' }, {}, false],
    ['a voice was asked for, none is told', { voiceId: 'v1' }, { voiceId: null }, false],
    ['another resolution', { resolution: '1080p' }, {}, false],
    ['a resolution was asked for, none is told', { resolution: '720p' }, { resolution: null }, false],
    ['another puppet', {}, { puppetId: 'pup_2' }, false],
    ['no puppet is told', {}, { puppetId: null }, false],
    ['no puppet was asked for', { puppetId: null }, { puppetId: null }, false],
  ])('%s', (_, asked, told, expected) => {
    expect(isMadeOf(order(asked), made(told))).toBe(expected)
  })
})

describe('sentWindow', () => {
  test('is from the sending of this attempt to its deadline', () => {
    expect(sentWindow(video({ createdAtMs: T0 - HOUR, dispatchedAtMs: T0 }), TIMEOUT_MS)).toEqual(SENT)
    expect(sentWindow(video({ createdAtMs: T0, dispatchedAtMs: null }), TIMEOUT_MS)).toEqual(SENT)
  })
})

describe('judge', () => {
  const { deadlineMs } = SENT
  const provesFromMs = deadlineMs + ABSENT_AFTER_MS
  const walk = (afterMs: number, total: number | null = 3): Walk => ({ atMs: provesFromMs + afterMs, total })
  const find = (candidates: string[], walks: Walk[], nowMs = walks.at(-1)?.atMs ?? T0) =>
    judge(candidates, walks, { deadlineMs, absentAfterMs: ABSENT_AFTER_MS, nowMs })

  test('one candidate is the job, at any walk, whole or not', () => {
    expect(find(['job_1'], [{ atMs: T0, total: null }])).toEqual({ kind: 'found', jobId: 'job_1' })
    expect(find(['job_1'], [walk(0), walk(MINUTE)])).toEqual({ kind: 'found', jobId: 'job_1' })
  })

  test('two are a guess', () => {
    expect(find(['job_1', 'job_2'], [walk(0)])).toEqual({ kind: 'ambiguous' })
    expect(find(['job_1', 'job_2', 'job_3'], [])).toEqual({ kind: 'ambiguous' })
  })

  test.each<[string, Walk[]]>([
    ['two whole walks of the same length, both late enough', [walk(0), walk(30 * SECOND)]],
    ['whatever came before', [walk(-MINUTE, 9), walk(0), walk(MINUTE)]],
    ['of an empty list', [walk(0, 0), walk(MINUTE, 0)]],
    ['after others that disagreed', [walk(0, 2), walk(MINUTE, 3), walk(2 * MINUTE, 3)]],
  ])('absent: %s', (_, walks) => {
    expect(find([], walks)).toEqual({ kind: 'absent' })
  })

  test.each<[string, Walk[]]>([
    ['no walk at all', []],
    ['one walk', [walk(0)]],
    ['the first of two a millisecond early', [walk(-1), walk(MINUTE)]],
    ['two early ones', [walk(-2 * MINUTE), walk(-MINUTE)]],
    ['totals that differ', [walk(0, 3), walk(MINUTE, 4)]],
    ['a walk that was not whole', [walk(0), walk(MINUTE, null)]],
    ['two that were not whole', [walk(0, null), walk(MINUTE, null)]],
    ['one that was not whole between two that were', [walk(0), walk(MINUTE, null), walk(2 * MINUTE)]],
  ])('not proven: %s', (_, walks) => {
    expect(find([], walks)).toMatchObject({ kind: 'search_again' })
  })

  test('the walks: at once, shortly after the deadline, and twice when absence can be proven', () => {
    const walks: Walk[] = []
    const atMs: number[] = []
    let nowMs = T0 + SECOND
    for (let n = 0; n < 10; n += 1) {
      walks.push({ atMs: nowMs, total: 3 })
      atMs.push(nowMs - deadlineMs)
      const finding = find([], walks, nowMs)
      if (finding.kind === 'absent') break
      if (finding.kind !== 'search_again') throw new Error(finding.kind)
      ;({ atMs: nowMs } = finding)
    }
    expect(atMs).toEqual([SECOND - TIMEOUT_MS, 30 * SECOND, 5 * MINUTE, 5 * MINUTE + 30 * SECOND])
  })

  test('never again at once: a list that never comes to rest is walked every half minute', () => {
    const totals = fc.array(fc.option(fc.nat({ max: 2 })), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(totals, fc.integer({ min: -7 * MINUTE, max: HOUR }), (told, fromMs) => {
        const walks = told.map((total, n) => walk(fromMs + n * 30 * SECOND, total))
        const nowMs = walks.at(-1)?.atMs ?? T0
        const finding = find([], walks, nowMs)
        if (finding.kind !== 'search_again') return
        expect(finding.atMs - nowMs).toBeGreaterThanOrEqual(Math.min(30 * SECOND, Math.max(1, provesFromMs - nowMs)))
      }),
      { seed: 1, numRuns: 500 },
    )
  })

  test('property: absence is never said of fewer than two late whole walks of one length', () => {
    const walks = fc.array(
      fc.record({
        atMs: fc.integer({ min: T0, max: provesFromMs + HOUR }),
        total: fc.option(fc.nat({ max: 2 }), { freq: 3 }),
      }),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(walks, (given) => {
        const ordered = given.toSorted((a, b) => a.atMs - b.atMs)
        if (find([], ordered).kind !== 'absent') return
        const late = ordered.filter(({ atMs }) => atMs >= provesFromMs).slice(-2)
        expect(late).toHaveLength(2)
        expect(late[0]?.total).not.toBeNull()
        expect(late[0]?.total).toBe(late[1]?.total)
      }),
      { seed: 1, numRuns: 1_000 },
    )
  })
})

test('a walk that two processes finish is one, and proves nothing alone', () => {
  const atMs = SENT.deadlineMs + ABSENT_AFTER_MS
  const once = withWalk([], { atMs, total: 3 })
  const again = withWalk(once, { atMs, total: 3 })
  expect(again).toEqual(once)
  const context = { deadlineMs: SENT.deadlineMs, absentAfterMs: ABSENT_AFTER_MS, nowMs: atMs + SECOND }
  expect(judge([], again, context).kind).toBe('search_again')
  expect(judge([], withWalk(again, { atMs: atMs + 30 * SECOND, total: 3 }), context).kind).toBe('absent')
})

test('evidence is about one doubt: of the same attempt, and since the same time', () => {
  const doubt = video({ phase: 'doubtful', attempt: 1, doubtSinceMs: T0 })
  expect(isSameDoubt(doubt, doubt)).toBe(true)
  expect(isSameDoubt({ ...doubt, attempt: 2 }, doubt)).toBe(false)
  // A callback put it in doubt again, after it was proven absent.
  expect(isSameDoubt({ ...doubt, doubtSinceMs: T0 + 1 }, doubt)).toBe(false)
  expect(isSameDoubt({ ...doubt, phase: 'waiting' }, doubt)).toBe(false)
})
