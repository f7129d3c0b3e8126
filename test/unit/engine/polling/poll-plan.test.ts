import { describe, expect, test } from 'vitest'
import type { JobReport, ReadOutcome } from '../../../../src/core/adapter.ts'
import type { OpenVideo } from '../../../../src/core/store/videos.ts'
import type { VideoRecord } from '../../../../src/core/video.ts'
import {
  NEW,
  type PollMemory,
  actionOf,
  afterOver,
  afterPoll,
  dueAfter,
  dueAtOf,
  openRowOf,
  pollPlan,
  wantsNextPage,
} from '../../../../src/engine/polling/poll-plan.ts'
import { openVideo } from '../../../fakes/open-video.ts'
import { completed, running, unread } from '../../../fakes/adapter.ts'
import { accepted, ended, HOUR, LINK, MINUTE, rate, report, SECOND, T0 } from '../../../fakes/records.ts'

const row = (id: string, given: Partial<OpenVideo> = {}): OpenVideo => openVideo({ id, ...given })
const POLL = { at: T0, type: 'polled', detail: 'processing' }
const memory = (given: Partial<PollMemory> = {}): PollMemory => ({ ...NEW, version: 1, dueAtMs: T0, ...given })

describe('what a running video calls for', () => {
  test.each([
    ['accepted', 'poll'],
    ['doubtful', 'settle'],
    ['dispatching', 'recover'],
    ['waiting', null],
    ['ended', null],
  ] as const)('%s: %s', (phase, action) => {
    expect(actionOf({ phase })).toBe(action)
  })

  test.each<[string, Partial<OpenVideo>, Partial<PollMemory> | null, number]>([
    ['as written', { dueAtMs: T0 + 4 }, null, T0 + 4],
    ['at once if nothing says when', { dueAtMs: null }, null, 0],
    ['as remembered of a poll that changed nothing', {}, { dueAtMs: T0 + 7 }, T0 + 7],
    ['as written since', { version: 2, dueAtMs: T0 + 1 }, { dueAtMs: T0 + 7 }, T0 + 1],
    ['as remembered of a write that came after the row was read', {}, { version: 2, dueAtMs: T0 + 7 }, T0 + 7],
    ['when the lease is over', { phase: 'dispatching', leaseUntilMs: T0 + 5 }, null, T0 + 5],
    ['at once without a lease', { phase: 'dispatching' }, null, 0],
  ])('is due %s', (_, given, remembered, atMs) => {
    expect(dueAtOf(row('a', given), remembered === null ? undefined : memory(remembered))).toBe(atMs)
  })

  test('a record tells the same as its row in a list', () => {
    const video = accepted({ webhookUrl: 'https://hooks.example/' })
    const { id, version, dueAtMs, backend, acceptedAtMs } = video
    const expected = row(id, { version, dueAtMs, backend, acceptedAtMs, hasWebhook: true })
    expect(openRowOf(video)).toEqual(expected)
    expect(openRowOf(ended())).toBeNull()
  })
})

describe('how due polls are taken', () => {
  const IDS = ['a', 'b', 'c', 'd', 'e']
  const plan = (ids: string[], alone: string, given: Partial<Parameters<typeof pollPlan>[2]> = {}) => {
    const { together, single } = pollPlan(ids, (id) => alone.includes(id), {
      hasList: true,
      isListing: false,
      room: 3,
      ...given,
    })
    return [together.join(''), single.join('')]
  }
  test.each<[string, string[], string, Partial<Parameters<typeof pollPlan>[2]>, string, string]>([
    ['together where there is a list', IDS, '', {}, 'abcde', ''],
    ['one by one where there is none, while there is room', IDS, '', { hasList: false }, '', 'abc'],
    ['two are as cheap by themselves', ['a', 'b'], '', {}, '', 'ab'],
    ['those that a list told nothing of by themselves, beside the others', IDS, 'ae', {}, 'bcd', 'ae'],
    ['the list counts as one', IDS, 'ae', { room: 2 }, 'bcd', 'a'],
    ['too few for a list, the most urgent first', IDS, 'bcd', {}, '', 'abc'],
    ['one list at a time', IDS, 'b', { isListing: true }, '', 'b'],
    ['no room', IDS, 'a', { room: 0 }, '', ''],
    ['less than none', IDS, 'abcde', { room: -2 }, '', ''],
  ])('%s', (_, ids, alone, given, together, single) => {
    expect(plan(ids, alone, given)).toEqual([together, single])
  })

  test.each<[string, Partial<Parameters<typeof wantsNextPage>[0]>, boolean]>([
    ['many were there, and many are still to be seen', {}, true],
    ['the list has no more', { totalPages: 1 }, false],
    ['nobody says how long the list is', { totalPages: null }, false],
    ['all were seen', { unseen: 0 }, false],
    ['so few are left that each is as cheap by itself', { unseen: 2 }, false],
    ['the page showed few: what runs stands in front', { found: 2 }, false],
    ['a list without end', { page: 20, totalPages: 9_999 }, false],
  ])('the next page, when %s: %s', (_, given, expected) => {
    expect(wantsNextPage({ page: 1, totalPages: 9, found: 90, unseen: 40, ...given })).toBe(expected)
  })
})

describe('afterPoll', () => {
  const DUE = T0 + 10 * SECOND
  const poll = (
    video: VideoRecord,
    outcome: ReadOutcome<JobReport>,
    given: Partial<
      Pick<Parameters<typeof afterPoll>[2], 'nowMs' | 'startedAtMs' | 'ranAtMs' | 'over' | 'upSinceMs'>
    > = {},
  ) =>
    afterPoll(video, outcome, {
      nowMs: T0 + SECOND,
      over: null,
      startedAtMs: T0,
      ranAtMs: null,
      dueAtMs: DUE,
      maxAgeMs: 24 * HOUR,
      upSinceMs: 0,
      polls: [POLL],
      ...given,
    })
  const record = (decided: ReturnType<typeof poll>): VideoRecord => {
    if (decided === 'keep' || decided === 'discard') throw new Error(decided)
    return decided.video
  }

  test.each<[string, VideoRecord, ReadOutcome<JobReport>]>([
    ['what was known already', accepted({ status: 'processing', backendStatus: 'processing' }), running()],
    ['nothing', accepted(), unread()],
    ['anything about a video that ended meanwhile', ended(), running({ progress: 0.5 })],
    ['anything about one that is not accepted', accepted({ phase: 'doubtful' }), completed()],
    [
      'the same link again',
      accepted({ link: { ...LINK, learnedAtMs: 1 } }),
      running({ status: null, backendStatus: null, link: LINK }),
    ],
  ])('learned %s: nothing is written', (_, video, outcome) => {
    expect(poll(video, outcome)).toBe('keep')
  })

  test.each<[string, Partial<JobReport>]>([
    ['a status', { status: 'processing' }],
    ['a word', { backendStatus: 'Rendering' }],
    ['progress', { progress: 0.1 }],
    ['a link', { link: LINK }],
    ['a thumbnail', { thumbnailUrl: 'https://t' }],
    ['a duration', { durationSeconds: 4 }],
    ['an estimate', { durationEstimateSeconds: 5 }],
  ])('%s is news: written, with when to poll next', (_, given) => {
    const after = record(poll(accepted(), running({ status: 'queued', backendStatus: null, ...given })))
    expect(after).toMatchObject({ phase: 'accepted', lastPollAtMs: T0, dueAtMs: DUE })
  })

  test.each<[string, Partial<JobReport>]>([
    ['done, without a link', { status: 'completed', link: null }],
    ['in a word that nobody knows', { status: null, backendStatus: 'Frobnicating' }],
  ])('a job that is %s may have ended before: no such poll says that it ran', (_, given) => {
    expect(record(poll(accepted({ lastPollAtMs: 7 }), running(given))).lastPollAtMs).toBe(7)
  })

  test('an end keeps the time of the poll before: the end lies between them', () => {
    expect(record(poll(accepted(), completed(), { ranAtMs: T0 + 400 })).lastPollAtMs).toBe(T0 + 400)
    expect(record(poll(accepted({ lastPollAtMs: T0 + 500 }), completed(), { ranAtMs: T0 + 400 }))).toMatchObject({
      phase: 'ended',
      lastPollAtMs: T0 + 500,
    })
    expect(record(poll(accepted(), completed())).lastPollAtMs).toBeNull()
  })

  test('"no such job" is thin evidence, and written', () => {
    expect(record(poll(accepted(), unread(true)))).toMatchObject({
      phase: 'accepted',
      evidence: { kind: 'lost', count: 1 },
    })
  })

  test('a poll that a callback asked for during this one is still owed', () => {
    const called = accepted({ lastHintAtMs: T0 + 500 })
    expect(dueAfter(called, T0, DUE)).toBe(T0 + 500)
    expect(record(poll(called, running()))).toMatchObject({ status: 'processing', dueAtMs: T0 + 500 })
  })

  test('one that it asked for before is served by this one', () => {
    expect(dueAfter(accepted({ lastHintAtMs: T0 }), T0, DUE)).toBe(DUE)
    expect(dueAfter(accepted(), T0, DUE)).toBe(DUE)
  })

  describe('the link of a job that is over', () => {
    const over = report({ status: 'completed', backendStatus: 'done', durationSeconds: 7, thumbnailUrl: 'https://t' })
    const told = { backendStatus: 'done', durationSeconds: 7, thumbnailUrl: 'https://t' }

    test('came: it ends, with what its state told', () => {
      const decided = poll(accepted(), completed({ backendStatus: null }), { over })
      expect(record(decided)).toMatchObject({ ...told, status: 'completed', link: LINK, linkOwed: false })
      expect(decided).toMatchObject({ notes: [{ type: 'polled' }, { type: 'completed' }] })
    })

    test.each<[string, ReadOutcome<JobReport>, object]>([
      [
        'does not exist: thin evidence',
        running({ status: 'completed', backendStatus: null, link: null }),
        { count: 1 },
      ],
      ['could not be read: no evidence', unread(), {}],
    ])('%s; from then on it alone is owed', (_, outcome, evidence) => {
      const after = record(poll(accepted(), outcome, { over }))
      expect(after).toMatchObject({ ...told, phase: 'accepted', status: 'processing', linkOwed: true })
      expect(after.evidence ?? {}).toMatchObject(evidence)
    })

    test('could not be asked for: owed from when it may be, once', () => {
      const asked = {
        nowMs: T0 + SECOND,
        dueAtMs: T0 + MINUTE,
        ranAtMs: T0 + 5,
        polls: [POLL, { ...POLL, at: T0 + 9 }],
      }
      const decided = afterOver(accepted(), over, asked)
      expect(record(decided)).toMatchObject({
        ...told,
        status: 'processing',
        linkOwed: true,
        evidence: null,
        dueAtMs: T0 + MINUTE,
        lastPollAtMs: T0 + 5,
      })
      expect(decided).toMatchObject({ notes: [POLL, { type: 'polled', at: T0 + 9 }, { type: 'link_owed' }] })
      expect(afterOver(record(decided), over, asked)).toBe('keep')
      expect(afterOver(ended(), over, asked)).toBe('keep')
    })
  })

  describe('at the deadline', () => {
    const late = { nowMs: T0 + 24 * HOUR }
    const young = { nowMs: T0 + 24 * HOUR - 1 }
    const known = accepted({ status: 'processing', backendStatus: 'processing' })

    test('a poll that finds it running ends it', () => {
      expect(poll(known, running(), young)).toBe('keep')
      expect(record(poll(known, running(), late)).error?.code).toBe('backend_job_expired')
    })

    test.each([
      ['younger by the backend’s own clock: it goes on', 24 * HOUR - 1, 'keep'],
      ['as old there: it ends', 24 * HOUR, 'backend_job_expired'],
    ])('%s', (_, agoMs, expected) => {
      const told = accepted({ status: 'processing', backendStatus: 'processing', acceptedDateMs: T0 - 5 * MINUTE })
      const decided = poll(told, running({}, rate({ dateMs: T0 - 5 * MINUTE + agoMs })), late)
      expect(decided === 'keep' ? decided : record(decided).error?.code).toBe(expected)
    })

    test.each([
      ['for as long again', 48 * HOUR - 1, 'keep'],
      ['and no longer', 48 * HOUR, 'backend_job_expired'],
    ])('a clock of the backend’s that stands still is believed %s', (_, ageMs, expected) => {
      const told = accepted({ status: 'processing', backendStatus: 'processing', acceptedDateMs: T0 })
      const decided = poll(told, running({}, rate({ dateMs: T0 })), { nowMs: T0 + ageMs })
      expect(decided === 'keep' ? decided : record(decided).error?.code).toBe(expected)
    })

    test('a poll that finds the end is believed', () => {
      expect(record(poll(known, completed(), late)).status).toBe('completed')
      const failed = running({ status: 'failed' })
      expect(record(poll(known, failed, late)).error?.code).toBe('backend_failed')
    })

    test('so does one that finds no such job', () => {
      expect(record(poll(known, unread(true), late)).error?.code).toBe('backend_job_expired')
    })

    test('without an answer it is asked after for an hour more', () => {
      expect(poll(known, unread(), late)).toBe('keep')
      expect(poll(known, unread(), { nowMs: T0 + 25 * HOUR - 1 })).toBe('keep')
      expect(record(poll(known, unread(), { nowMs: T0 + 25 * HOUR })).error?.code).toBe('backend_job_expired')
    })

    test('a process that starts after the deadline asks for an hour itself', () => {
      const upSinceMs = T0 + 60 * HOUR
      expect(poll(known, unread(), { nowMs: upSinceMs + HOUR - 1, upSinceMs })).toBe('keep')
      expect(record(poll(known, unread(), { nowMs: upSinceMs + HOUR, upSinceMs })).error?.code).toBe(
        'backend_job_expired',
      )
      expect(record(poll(known, running(), { nowMs: upSinceMs, upSinceMs })).error?.code).toBe('backend_job_expired')
    })

    test('its age counts from the acceptance', () => {
      const waitedLong = accepted({ ...known, createdAtMs: T0 - 20 * HOUR })
      expect(poll(waitedLong, running(), { nowMs: T0 + 23 * HOUR + 59 * MINUTE })).toBe('keep')
    })
  })
})
