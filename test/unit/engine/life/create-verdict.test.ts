import { describe, expect, test } from 'vitest'
import { type CreateOutcome, NOWHERE_ELSE, type Otherwise } from '../../../../src/core/adapter.ts'
import type { VideoRecord } from '../../../../src/core/video.ts'
import {
  afterCreate,
  applyVerdict,
  mayBeForgotten,
  type VerdictContext,
} from '../../../../src/engine/life/create-steps.ts'
import {
  acceptedAs,
  doubt,
  HOUR,
  MINUTE,
  refused,
  SECOND,
  T0,
  unreachable,
  video,
  WIRE,
} from '../../../fakes/records.ts'

const context = (given: Partial<VerdictContext> = {}): VerdictContext => ({
  mode: 'first',
  nowMs: T0,
  resendWindowMs: HOUR,
  resends: true,
  random: 0,
  otherwise: NOWHERE_ELSE,
  ...given,
})

/** Everything that a create can come to. */
const OUTCOMES = {
  accepted: acceptedAs('job_1'),
  slot: refused({ code: 'concurrency_limit_reached', retryable: true }, 'slot'),
  'slot, hinted': refused({ retryable: true, retryAtMs: T0 + 7_000 }, 'slot'),
  budget: refused({ code: 'rate_limited', retryable: true }, 'budget'),
  'budget, hinted': refused({ retryable: true, retryAtMs: T0 + 7_000 }, 'budget'),
  check: refused({ code: 'upload_check_unavailable', retryable: true }, 'check'),
  final: refused({ code: 'insufficient_credits', retryable: false }),
  retryable: refused({ code: 'backend_unavailable', retryable: true }),
  'retryable, hinted': refused({ retryable: true, retryAtMs: T0 + 7_000 }),
  unreachable: unreachable(),
  doubt: doubt(),
  'doubt, hinted': doubt({ retryAtMs: T0 + 7_000 }),
  'refused for its key': refused({ code: 'idempotency_key_conflict', retryable: false }),
  'own key taken by a job that nobody names': doubt({ code: 'idempotency_key_conflict', retryable: false }),
} satisfies Record<string, CreateOutcome>
type Name = keyof typeof OUTCOMES

/** Per outcome: what becomes of it where the client listens, and where it was told 202 before. */
const TABLE: [Name, object, object][] = [
  ['accepted', { kind: 'accepted' }, { kind: 'accepted' }],
  ['slot', waits('no_free_slot', 10 * SECOND), waits('no_free_slot', 10 * SECOND)],
  ['slot, hinted', waits('no_free_slot', 7 * SECOND), waits('no_free_slot', 7 * SECOND)],
  ['budget', waits('backend_rate_limited', MINUTE), waits('backend_rate_limited', MINUTE)],
  ['budget, hinted', waits('backend_rate_limited', 7 * SECOND), waits('backend_rate_limited', 7 * SECOND)],
  ['check', waits('backend_unavailable', 30 * SECOND), waits('backend_unavailable', 30 * SECOND)],
  ['final', { kind: 'answer' }, { kind: 'fail' }],
  ['retryable', { kind: 'answer' }, waits('backend_unavailable', 2 * SECOND)],
  ['retryable, hinted', { kind: 'answer' }, waits('backend_unavailable', 7 * SECOND)],
  ['unreachable', { kind: 'answer' }, waits('backend_unavailable', 2 * SECOND)],
  ['doubt', doubts(2 * SECOND), doubts(2 * SECOND)],
  ['doubt, hinted', doubts(7 * SECOND), doubts(7 * SECOND)],
  ['refused for its key', { kind: 'answer' }, { kind: 'fail' }],
  ['own key taken by a job that nobody names', { kind: 'unknown' }, { kind: 'unknown' }],
]

function waits(reason: string, afterMs: number): object {
  return { kind: 'wait', reason, untilMs: T0 + afterMs }
}
function doubts(afterMs: number): object {
  return { kind: 'doubt', resendAtMs: T0 + afterMs }
}

describe.each(TABLE)('%s', (name, first, queued) => {
  const outcome = OUTCOMES[name]
  const problem = outcome.kind === 'accepted' ? { outcome } : { problem: outcome.problem }

  test('where the client listens', () => {
    expect(afterCreate(outcome, video({ attempt: 1 }), context())).toEqual({ ...problem, ...first })
  })

  test('where it was told 202', () => {
    expect(afterCreate(outcome, video({ attempt: 1 }), context({ mode: 'queued' }))).toEqual({ ...problem, ...queued })
  })
})

describe('where another member of its pool may make what waited', () => {
  const otherwise: Otherwise = { movesOn: ['down', 'no_credits'], waitsWhenDown: false }
  const verdict = (name: Name, given: Partial<VideoRecord> = {}, mode: VerdictContext['mode'] = 'queued') =>
    afterCreate(OUTCOMES[name], video({ attempt: 1, wire: WIRE, ...given }), context({ otherwise, mode }))

  test.each<[Name, number]>([
    ['final', MINUTE],
    ['retryable', MINUTE],
    ['unreachable', MINUTE],
  ])('%s: it waits as never sent', (name, afterMs) => {
    expect(verdict(name)).toMatchObject({ kind: 'pass', untilMs: T0 + afterMs })
  })

  test.each<[Name, string]>([
    ['doubt', 'doubt'],
    ['own key taken by a job that nobody names', 'unknown'],
    ['slot', 'wait'],
    ['budget', 'wait'],
    ['check', 'wait'],
    ['refused for its key', 'fail'],
  ])('%s: it stays', (name, kind) => {
    expect(verdict(name).kind).toBe(kind)
  })

  test('what was ever sent before stays, and so does a doubt that is sent again', () => {
    expect(verdict('final', { attempt: 2 }).kind).toBe('fail')
    expect(verdict('unreachable', { wire: null }).kind).toBe('wait')
    expect(verdict('final', { phase: 'doubtful', dispatchedAtMs: T0 }, 'resend').kind).toBe('doubt')
  })

  test('of its sending only the refusal is left', () => {
    const sent = video({ phase: 'dispatching', attempt: 1, wire: WIRE, dispatchedAtMs: T0, sentOffsetMs: 5 })
    const passing = verdict('final')
    if (passing.kind !== 'pass') throw new Error(passing.kind)
    const { video: after, notes } = applyVerdict(sent, passing, { nowMs: T0 + 1, firstPollAt: () => T0 })
    expect(after).toEqual({
      ...sent,
      phase: 'waiting',
      told: true,
      attempt: 0,
      wire: null,
      dispatchedAtMs: null,
      sentOffsetMs: null,
      dueAtMs: T0 + MINUTE,
      waitReason: 'backend_unavailable',
      refusal: expect.objectContaining({ code: 'insufficient_credits' }),
    })
    expect(notes).toEqual([{ at: T0 + 1, type: 'waiting', detail: 'insufficient_credits' }])
  })
})

describe('where another backend may make it', () => {
  const otherwise: Otherwise = { movesOn: ['down', 'no_slot', 'no_budget', 'no_credits'], waitsWhenDown: true }
  const codes = ['backend_unavailable', 'concurrency_limit_reached', 'rate_limited', 'quota_exceeded'] as const

  test.each(codes)('what is refused as %s is tried there', (code) => {
    const outcome = refused({ code, retryable: true })
    expect(afterCreate(outcome, video(), context({ otherwise }))).toMatchObject({ kind: 'answer' })
    expect(afterCreate(outcome, video(), context({ otherwise, mode: 'queued' }))).toMatchObject({ kind: 'wait' })
  })

  test.each(codes)('a doubt with the code %s is not: a second job would be paid for', (code) => {
    expect(afterCreate(doubt({ code }), video(), context({ otherwise }))).toMatchObject({ kind: 'doubt' })
  })
})

describe('an earlier attempt may have been taken', () => {
  const doubtful = video({ phase: 'doubtful', attempt: 1, doubtSinceMs: T0 })
  const names = Object.keys(OUTCOMES).filter((name): name is Name => name in OUTCOMES && name !== 'accepted')

  test('a job id ends the doubt', () => {
    const outcome = OUTCOMES.accepted
    expect(afterCreate(outcome, doubtful, context({ mode: 'resend' }))).toEqual({ kind: 'accepted', outcome })
  })

  const TAKEN = 'own key taken by a job that nobody names'
  test('own key taken by a job that nobody names: asking again will not name it', () => {
    const verdict = afterCreate(OUTCOMES[TAKEN], doubtful, context({ mode: 'resend' }))
    expect(verdict.kind).toBe('unknown')
  })

  test.each(names.filter((name) => name !== TAKEN))('%s proves nothing: the doubt stays, whoever said no', (name) => {
    const verdict = afterCreate(OUTCOMES[name], doubtful, context({ mode: 'resend', nowMs: T0 + HOUR - 1 }))
    expect(verdict.kind).toBe('doubt')
  })

  test.each(names)('%s: when the window of resending is over, it is unknown', (name) => {
    const verdict = afterCreate(OUTCOMES[name], doubtful, context({ mode: 'resend', nowMs: T0 + HOUR }))
    expect(verdict.kind).toBe('unknown')
  })

  test('a job id that comes after the window still counts', () => {
    const verdict = afterCreate(OUTCOMES.accepted, doubtful, context({ mode: 'resend', nowMs: T0 + 2 * HOUR }))
    expect(verdict.kind).toBe('accepted')
  })

  test.each([
    [0, 2],
    [1, 4],
    [2, 8],
    [5, 60],
    [40, 60],
  ])('after %i resends it backs off %i s', (resends, seconds) => {
    const verdict = afterCreate(OUTCOMES.doubt, video({ ...doubtful, resends }), context({ mode: 'resend' }))
    expect(verdict).toMatchObject({ kind: 'doubt', resendAtMs: T0 + seconds * SECOND })
  })
})

test('a hint in the past is now, never earlier', () => {
  const outcome = refused({ retryable: true, retryAtMs: T0 - 5_000 }, 'slot')
  expect(afterCreate(outcome, video(), context())).toMatchObject({ kind: 'wait', untilMs: T0 })
})

test.each([
  [1, 2],
  [2, 4],
  [9, 60],
])('a refusal that may pass, on attempt %i, backs off %i s', (attempt, seconds) => {
  const verdict = afterCreate(OUTCOMES.retryable, video({ attempt }), context({ mode: 'queued' }))
  expect(verdict).toMatchObject({ kind: 'wait', untilMs: T0 + seconds * SECOND })
})

describe('audio that the backend does not host', () => {
  const outcome = refused({ code: 'upload_not_found', retryable: false })
  const withStep = (step: 'possible' | 'needed' | 'done') => video({ transfer: { step, tries: 0 } })

  test.each(['first', 'queued'] as const)('a stranger’s is brought there (%s)', (mode) => {
    expect(afterCreate(outcome, withStep('possible'), context({ mode }))).toMatchObject({ kind: 'transfer' })
  })

  test.each([
    ['an upload', video()],
    ['what was brought there already', withStep('done')],
  ])('%s stays refused', (_name, record) => {
    expect(afterCreate(outcome, record, context())).toMatchObject({ kind: 'answer' })
    expect(afterCreate(outcome, record, context({ mode: 'queued' }))).toMatchObject({ kind: 'fail' })
  })

  test('of another refusal nothing is brought', () => {
    const other = refused({ code: 'invalid_image', retryable: false })
    expect(afterCreate(other, withStep('possible'), context())).toMatchObject({ kind: 'answer' })
  })

  test('a doubt stays one, whatever a resend is refused with', () => {
    expect(afterCreate(outcome, withStep('possible'), context({ mode: 'resend' }))).toMatchObject({ kind: 'doubt' })
  })
})

describe('a listening client’s video, where nothing else may make it', () => {
  const otherwise: Otherwise = { movesOn: [], waitsWhenDown: true }
  test.each<[string, CreateOutcome, Otherwise, string]>([
    ['down', OUTCOMES.unreachable, otherwise, 'wait'],
    ['down, and it says so', OUTCOMES.retryable, otherwise, 'wait'],
    ['down, but it is not to wait', OUTCOMES.unreachable, NOWHERE_ELSE, 'answer'],
    ['another refusal that may pass', refused({ code: 'insufficient_credits', retryable: true }), otherwise, 'answer'],
    ['down, and final', refused({ code: 'backend_unavailable', retryable: false }), otherwise, 'answer'],
  ])('%s: %j', (_, outcome, given, kind) => {
    expect(afterCreate(outcome, video({ attempt: 1 }), context({ otherwise: given })).kind).toBe(kind)
  })
})

test('audio that the backend does not host is brought there, where it can be', () => {
  const outcome = refused({ code: 'upload_not_found' })
  const of = (transfer: VideoRecord['transfer']): string => afterCreate(outcome, video({ transfer }), context()).kind
  expect(of({ step: 'possible', tries: 0 })).toBe('transfer')
  expect(of({ step: 'done', tries: 1 })).toBe('answer')
  expect(of(null)).toBe('answer')
})

describe('the backend may have forgotten the key', () => {
  const DAY = 24 * HOUR
  const sent = { phase: 'doubtful', dispatchedAtMs: T0, doubtSinceMs: T0 + HOUR } as const
  test.each<[string, Partial<VideoRecord>, number, number, boolean]>([
    ['a day after the first sending', {}, DAY, HOUR, true],
    ['not a moment before', {}, DAY - 1, HOUR, false],
    ['a longer window counts instead', {}, 2 * DAY - 1, 2 * DAY, false],
    ['and ends', {}, 2 * DAY, 2 * DAY, true],
    ['the sending is not known: a day after the doubt began', { dispatchedAtMs: null }, DAY + HOUR, HOUR, true],
    ['nor a moment before', { dispatchedAtMs: null }, DAY + HOUR - 1, HOUR, false],
    ['of a restored copy, when the window is over', { restoredAtMs: T0 }, HOUR, HOUR, true],
    ['and not before', { restoredAtMs: T0 }, HOUR - 1, HOUR, false],
  ])('%s', (_, given, afterMs, windowMs, isForgotten) => {
    expect(mayBeForgotten(video({ ...sent, ...given }), T0 + afterMs, windowMs)).toBe(isForgotten)
  })
})
