import { describe, expect, test } from 'vitest'
import type { JobReport, ReadOutcome } from '../../../src/core/adapter.ts'
import type { OpenVideo } from '../../../src/core/ports.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { afterLook, dueAfter, planLooks, type LookMemory } from '../../../src/videos/look.ts'
import { completed, running, unread } from '../../fakes/adapter.ts'
import { accepted, ended, HOUR, LINK, MINUTE, rate, SECOND, T0 } from '../../fakes/records.ts'

const row = (id: string, given: Partial<OpenVideo> = {}): OpenVideo => ({
  id,
  phase: 'accepted',
  dueAtMs: T0,
  leaseUntilMs: null,
  version: 1,
  backend: 'main',
  acceptedAtMs: T0,
  lastHintAtMs: null,
  hasWebhook: false,
  ...given,
})
const memory = (given: Partial<LookMemory> = {}): LookMemory => ({
  version: 1,
  dueAtMs: T0,
  notBeforeMs: null,
  failures: 0,
  lastLookAtMs: null,
  must: false,
  quiet: 0,
  readings: [],
  ...given,
})
const plan = (rows: OpenVideo[], memories: [string, LookMemory][] = []) => planLooks(rows, new Map(memories), T0)

describe('planLooks', () => {
  test('nothing open: nothing to do, nothing to wait for', () => {
    expect(plan([])).toEqual({ due: [], nextAtMs: null })
  })

  test.each([
    ['accepted', 'look'],
    ['doubtful', 'resend'],
  ] as const)('%s and due: %s', (phase, action) => {
    expect(plan([row('a', { phase })]).due).toMatchObject([{ row: { id: 'a' }, action }])
  })

  test('dispatching is nobody’s business before its lease is over', () => {
    const held = row('a', { phase: 'dispatching', dueAtMs: T0 - 5, leaseUntilMs: T0 + 1 })
    expect(plan([held])).toEqual({ due: [], nextAtMs: T0 + 1 })
    expect(plan([{ ...held, leaseUntilMs: T0 }]).due).toMatchObject([{ row: { id: 'a' }, action: 'recover' }])
    expect(plan([{ ...held, leaseUntilMs: null }]).due).toMatchObject([{ row: { id: 'a' }, action: 'recover' }])
  })

  test.each(['waiting', 'ended'] as const)('%s is not looked at', (phase) => {
    expect(plan([row('a', { phase })])).toEqual({ due: [], nextAtMs: null })
  })

  test('the longest due come first; the next of the others is when to come back', () => {
    const rows = [
      row('a', { dueAtMs: T0 }),
      row('b', { dueAtMs: T0 - 9 }),
      row('c', { dueAtMs: T0 + 9 }),
      row('d', { dueAtMs: T0 + 4 }),
      row('e', { dueAtMs: null }),
    ]
    const { due, nextAtMs } = plan(rows)
    expect(due.map((one) => one.row.id)).toEqual(['e', 'b', 'a'])
    expect(nextAtMs).toBe(T0 + 4)
  })

  test('a look that changed nothing is remembered, not written', () => {
    expect(plan([row('a')], [['a', memory({ dueAtMs: T0 + 7 })]])).toEqual({ due: [], nextAtMs: T0 + 7 })
  })

  test('a record that moved since voids the memory', () => {
    const moved = row('a', { version: 2, dueAtMs: T0 })
    expect(plan([moved], [['a', memory({ dueAtMs: T0 + 7 })]]).due).toHaveLength(1)
  })

  test('a row that was read before the remembered write does not', () => {
    const stale = row('a', { version: 1, dueAtMs: T0 })
    expect(plan([stale], [['a', memory({ version: 2, dueAtMs: T0 + 7 })]]).due).toEqual([])
  })
})

describe('afterLook', () => {
  const DUE = T0 + 10 * SECOND
  const look = (
    video: VideoRecord,
    outcome: ReadOutcome<JobReport>,
    given: { nowMs?: number; startedAtMs?: number; lastLookAtMs?: number | null } = {},
  ) =>
    afterLook(video, outcome, {
      nowMs: T0 + SECOND,
      startedAtMs: T0,
      lastLookAtMs: null,
      dueAtMs: DUE,
      maxAgeMs: 24 * HOUR,
      quiet: 0,
      ...given,
    })
  const record = (decided: ReturnType<typeof look>): VideoRecord => {
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
    expect(look(video, outcome)).toBe('keep')
  })

  test.each<[string, Partial<JobReport>]>([
    ['a status', { status: 'processing' }],
    ['a word', { backendStatus: 'Rendering' }],
    ['progress', { progress: 0.1 }],
    ['a link', { link: LINK }],
    ['a thumbnail', { thumbnailUrl: 'https://t' }],
    ['a duration', { durationSeconds: 4 }],
    ['an estimate', { durationEstimateSeconds: 5 }],
  ])('%s is news: written, with when to look next', (_, given) => {
    const after = record(look(accepted(), running({ status: 'queued', backendStatus: null, ...given })))
    expect(after).toMatchObject({ phase: 'accepted', lastLookAtMs: T0 + SECOND, dueAtMs: DUE })
  })

  test('an end keeps the time of the look before: the end lies between them', () => {
    expect(record(look(accepted(), completed(), { lastLookAtMs: T0 + 400 })).lastLookAtMs).toBe(T0 + 400)
    expect(record(look(accepted({ lastLookAtMs: T0 + 500 }), completed(), { lastLookAtMs: T0 + 400 }))).toMatchObject({
      phase: 'ended',
      lastLookAtMs: T0 + 500,
    })
    expect(record(look(accepted(), completed())).lastLookAtMs).toBeNull()
  })

  test('"no such job" is thin evidence, and written', () => {
    expect(record(look(accepted(), unread(true)))).toMatchObject({
      phase: 'accepted',
      evidence: { kind: 'lost', count: 1 },
    })
  })

  test('a look that a callback asked for during this one is still owed', () => {
    const called = accepted({ lastHintAtMs: T0 + 500 })
    expect(dueAfter(called, T0, DUE)).toBe(T0 + 500)
    expect(record(look(called, running()))).toMatchObject({ status: 'processing', dueAtMs: T0 + 500 })
  })

  test('one that it asked for before is served by this one', () => {
    expect(dueAfter(accepted({ lastHintAtMs: T0 }), T0, DUE)).toBe(DUE)
    expect(dueAfter(accepted(), T0, DUE)).toBe(DUE)
  })

  describe('at the deadline', () => {
    const late = { nowMs: T0 + 24 * HOUR }
    const young = { nowMs: T0 + 24 * HOUR - 1 }
    const known = accepted({ status: 'processing', backendStatus: 'processing' })

    test('a look that finds it running ends it', () => {
      expect(look(known, running(), young)).toBe('keep')
      expect(record(look(known, running(), late)).error?.code).toBe('backend_job_expired')
    })

    test.each([
      ['younger by the backend’s own clock: it goes on', 24 * HOUR - 1, 'keep'],
      ['as old there: it ends', 24 * HOUR, 'backend_job_expired'],
    ])('%s', (_, agoMs, expected) => {
      const told = accepted({ status: 'processing', backendStatus: 'processing', acceptedDateMs: T0 - 5 * MINUTE })
      const decided = look(told, running({}, rate({ dateMs: T0 - 5 * MINUTE + agoMs })), late)
      expect(decided === 'keep' ? decided : record(decided).error?.code).toBe(expected)
    })

    test('a look that finds the end is believed', () => {
      expect(record(look(known, completed(), late)).status).toBe('completed')
      const failed = running({ status: 'failed' })
      expect(record(look(known, failed, late)).error?.code).toBe('backend_failed')
    })

    test('so does one that finds no such job', () => {
      expect(record(look(known, unread(true), late)).error?.code).toBe('backend_job_expired')
    })

    test('without an answer it is asked after for an hour more', () => {
      expect(look(known, unread(), late)).toBe('keep')
      expect(look(known, unread(), { nowMs: T0 + 25 * HOUR - 1 })).toBe('keep')
      expect(record(look(known, unread(), { nowMs: T0 + 25 * HOUR })).error?.code).toBe('backend_job_expired')
    })

    test('its age counts from the acceptance', () => {
      const waitedLong = accepted({ ...known, createdAtMs: T0 - 20 * HOUR })
      expect(look(waitedLong, running(), { nowMs: T0 + 23 * HOUR + 59 * MINUTE })).toBe('keep')
    })
  })
})
