import { describe, expect, test } from 'vitest'
import type { VideoRecord } from '../../../src/core/video.ts'
import { adopted, applyVerdict, named, resentAsAbsent, searchAgain, unknown } from '../../../src/videos/steps.ts'
import type { Verdict } from '../../../src/videos/verdict.ts'
import { must } from '../../fakes/must.ts'
import { accepted, acceptedAs, ended, LINK, MINUTE, problem, report, SECOND } from '../../fakes/records.ts'
import { T0, video, WIRE } from '../../fakes/records.ts'

const LEASE = { token: 't', untilMs: T0 + 45 * SECOND }
const NO_SEARCH = { namedJobId: null, walks: [], reading: null, resent: false }
const context = { nowMs: T0, firstLookAt: () => T0 + MINUTE }

const dispatching = (given: Partial<VideoRecord> = {}): VideoRecord =>
  video({ phase: 'dispatching', lease: LEASE, dueAtMs: LEASE.untilMs, wire: WIRE, attempt: 1, ...given })
const doubtful = (given: Partial<VideoRecord> = {}): VideoRecord =>
  video({
    phase: 'doubtful',
    told: true,
    wire: WIRE,
    attempt: 1,
    dueAtMs: T0 + MINUTE,
    doubtSinceMs: T0 - SECOND,
    refusal: { code: 'backend_timeout', message: 'slow', retryable: true, backend_error: problem().backendError },
    ...given,
  })

describe('named, by a callback', () => {
  test('in doubt: it is looked into at once', () => {
    const { video: after, notes } = must(named(doubtful(), 'job_7', T0))
    expect(after).toMatchObject({ phase: 'doubtful', dueAtMs: T0, search: { ...NO_SEARCH, namedJobId: 'job_7' } })
    expect(notes).toEqual([{ at: T0, type: 'doubt', detail: 'a callback named job_7' }])
  })

  test('while it is dispatched: remembered, and its lease is left alone', () => {
    const { video: after } = must(named(dispatching(), 'job_7', T0))
    expect(after).toMatchObject({ phase: 'dispatching', lease: LEASE, dueAtMs: LEASE.untilMs })
    expect(after.search?.namedJobId).toBe('job_7')
  })

  test.each<[string, VideoRecord]>([
    ['is accepted', accepted()],
    ['waits', video()],
    ['ended', ended({ backendJobId: null })],
    ['was named already', doubtful({ search: { ...NO_SEARCH, namedJobId: 'job_1' } })],
  ])('nothing where it %s', (_, before) => {
    expect(named(before, 'job_7', T0)).toBeNull()
  })

  test('what was searched before stays', () => {
    const walks = [{ atMs: T0 - 1, total: 4 }]
    const { video: after } = must(
      named(doubtful({ search: { namedJobId: null, walks, reading: null, resent: true } }), 'j', T0),
    )
    expect(after.search).toEqual({ namedJobId: 'j', walks, reading: null, resent: true })
  })

  test('then the create is in doubt: looked into at once, not at the pause', () => {
    const called = must(named(dispatching(), 'job_7', T0 - SECOND)).video
    const verdict: Verdict = { kind: 'doubt', resendAtMs: T0 + MINUTE, problem: problem() }
    expect(applyVerdict(called, verdict, context).video).toMatchObject({ phase: 'doubtful', dueAtMs: T0 })
  })

  test('then the create is answered: there is something to see, now', () => {
    const called = must(named(dispatching(), 'job_7', T0 - SECOND)).video
    const outcome = acceptedAs('job_7')
    if (outcome.kind !== 'accepted') throw new Error('not accepted')
    expect(applyVerdict(called, { kind: 'accepted', outcome }, context).video).toMatchObject({
      backendJobId: 'job_7',
      dueAtMs: T0,
    })
  })
})

describe('adopted', () => {
  const adopt = (given: Partial<VideoRecord> = {}, told = report({ status: 'processing' })) =>
    adopted(doubtful(given), 'job_7', told, 'a callback', context)

  test('is as if the create had answered so, but nobody knows the credits', () => {
    const { video: after, notes } = adopt()
    expect(after).toMatchObject({
      phase: 'accepted',
      status: 'processing',
      backendJobId: 'job_7',
      wire: null,
      refusal: null,
      credits: null,
      acceptedAtMs: T0,
    })
    expect(notes.map(({ type, detail }) => [type, detail])).toEqual([
      ['doubt', 'a callback named job_7'],
      ['accepted', 'job_7'],
      ['processing', null],
    ])
  })

  test('with a job that ended: it ends', () => {
    const { video: after, notes } = adopt({}, report({ status: 'completed', link: LINK }))
    expect(after).toMatchObject({ phase: 'ended', status: 'completed', backendJobId: 'job_7', dueAtMs: null })
    expect(notes.map(({ type }) => type)).toEqual(['doubt', 'accepted', 'completed'])
  })

  test('was just read: the next look is the planned one', () => {
    const search = { ...NO_SEARCH, namedJobId: 'job_7' }
    expect(adopt({ search }).video.dueAtMs).toBe(T0 + MINUTE)
  })
})

describe('searchAgain', () => {
  test('keeps what it is not told of', () => {
    const walks = [{ atMs: T0, total: 1 }]
    const step = searchAgain(
      doubtful({ search: { namedJobId: 'j', walks: [], reading: null, resent: true } }),
      { walks },
      T0 + 5,
      T0,
      'why',
    )
    expect(step.video).toMatchObject({
      phase: 'doubtful',
      dueAtMs: T0 + 5,
      search: { namedJobId: 'j', walks, reading: null, resent: true },
    })
    expect(step.notes).toEqual([{ at: T0, type: 'doubt', detail: 'why' }])
  })
})

describe('resentAsAbsent', () => {
  test('waits for its turn, with nothing out and no doubt', () => {
    const walks = [{ atMs: T0, total: 1 }]
    const { video: after, notes } = resentAsAbsent(doubtful({ search: { ...NO_SEARCH, walks } }), T0)
    expect(after).toMatchObject({
      phase: 'waiting',
      told: true,
      attempt: 1,
      wire: null,
      lease: null,
      doubtSinceMs: null,
      refusal: null,
      dueAtMs: T0,
      search: { ...NO_SEARCH, reading: null, resent: true },
    })
    expect(notes.map(({ type }) => type)).toEqual(['doubt', 'waiting'])
  })
})

describe('unknown', () => {
  test('says why to the operator, and to the client what to do', () => {
    const { video: after, notes } = unknown(doubtful(), T0, 'more than one job may be it: job_1, job_2')
    expect(after).toMatchObject({ phase: 'ended', status: 'failed', error: { code: 'create_outcome_unknown' } })
    expect(after.error?.message).not.toContain('job_1')
    expect(notes[0]).toEqual({ at: T0, type: 'doubt', detail: 'more than one job may be it: job_1, job_2' })
    expect(notes.map(({ type }) => type)).toEqual(['doubt', 'failed'])
  })

  test('what ended stays as it ended', () => {
    const before = ended()
    expect(unknown(before, T0).video).toBe(before)
  })
})
