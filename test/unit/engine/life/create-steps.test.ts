import { describe, expect, test } from 'vitest'
import type { VideoRecord } from '../../../../src/core/video.ts'
import {
  type AcceptContext,
  applyVerdict,
  recovered,
  sending,
  unknown,
  type Verdict,
  waiting,
} from '../../../../src/engine/life/create-steps.ts'
import { acceptedAs, LINK, MINUTE, problem, SECOND, T0, video, WIRE } from '../../../fakes/records.ts'

const LEASE = { token: 't', untilMs: T0 + 45 * SECOND }
const dispatching = (given: Partial<VideoRecord> = {}): VideoRecord =>
  video({ phase: 'dispatching', lease: LEASE, dueAtMs: LEASE.untilMs, waitReason: null, ...given })
/** The first poll is when the backend says, or two seconds from now. */
const context: AcceptContext = { nowMs: T0, firstPollAt: (_, hintAtMs) => hintAtMs ?? T0 + 2 * SECOND }

test('sending: the bytes and the attempt are known before they go', () => {
  const { video: sent, notes } = sending(dispatching(), { wire: WIRE, offsetMs: 7 }, MINUTE, T0 + 1)
  expect(sent).toMatchObject({ phase: 'dispatching', wire: WIRE, attempt: 1, dispatchedAtMs: T0 + 1, sentOffsetMs: 7 })
  // Whatever the ticket took: the lease covers the exchange from here.
  expect(sent).toMatchObject({ lease: { token: LEASE.token, untilMs: T0 + 1 + MINUTE }, dueAtMs: T0 + 1 + MINUTE })
  expect(notes).toEqual([{ at: T0 + 1, type: 'dispatched', detail: 'attempt 1' }])
})

test('waiting: nothing is out any more, nobody holds it, and its client was told', () => {
  const { video: waits } = waiting(dispatching({ wire: WIRE, attempt: 1 }), T0 + MINUTE, 'no_budget', T0)
  expect(waits).toMatchObject({
    phase: 'waiting',
    told: true,
    lease: null,
    wire: null,
    attempt: 1,
    dueAtMs: T0 + MINUTE,
    waitReason: 'no_budget',
  })
})

describe('recovered, after its holder died', () => {
  test('before any bytes were stored: it waits', () => {
    const { video: after } = recovered(dispatching(), T0)
    expect(after).toMatchObject({ phase: 'waiting', told: true, lease: null, dueAtMs: T0, doubtSinceMs: null })
  })

  test('with bytes stored: a doubt, to be resolved at once, with the bytes kept', () => {
    const { video: after } = recovered(dispatching({ wire: WIRE, attempt: 1 }), T0)
    expect(after).toMatchObject({
      phase: 'doubtful',
      told: true,
      lease: null,
      wire: WIRE,
      attempt: 1,
      dueAtMs: T0,
      doubtSinceMs: T0,
    })
  })

  test('a doubt keeps the time since when it is one', () => {
    expect(recovered(dispatching({ wire: WIRE, doubtSinceMs: T0 - MINUTE }), T0).video.doubtSinceMs).toBe(T0 - MINUTE)
  })
})

describe('applyVerdict', () => {
  const acceptedVerdict = (given = {}): Extract<Verdict, { kind: 'accepted' }> => {
    const outcome = acceptedAs('job_1', given)
    if (outcome.kind !== 'accepted') throw new Error('not accepted')
    return { kind: 'accepted', outcome }
  }

  test('accepted: the job is known, the bytes are not needed any more, the next poll is set', () => {
    const { video: after, notes } = applyVerdict(dispatching({ wire: WIRE, attempt: 1 }), acceptedVerdict(), context)
    expect(after).toMatchObject({
      phase: 'accepted',
      status: 'queued',
      told: true,
      backendJobId: 'job_1',
      backendStatus: 'queued',
      lease: null,
      wire: null,
      refusal: null,
      credits: { charged: 1, remaining: 9 },
      acceptedAtMs: T0,
      dueAtMs: T0 + 2 * SECOND,
    })
    expect(notes).toEqual([{ at: T0, type: 'accepted', detail: 'job_1' }])
  })

  test('accepted with a hint: the poll is not before it', () => {
    const { video: after } = applyVerdict(dispatching(), acceptedVerdict({ nextPollAtMs: T0 + 10 * SECOND }), context)
    expect(after.dueAtMs).toBe(T0 + 10 * SECOND)
  })

  test('accepted after the callback came: polled now', () => {
    const called = dispatching({ wire: WIRE, lastHintAtMs: T0 - 5 })
    const { video: after } = applyVerdict(called, acceptedVerdict(), context)
    expect(after.dueAtMs).toBe(T0)
  })

  test('accepted and finished in one answer: it ends, and the history says both', () => {
    const { video: after, notes } = applyVerdict(
      dispatching(),
      acceptedVerdict({ status: 'completed', link: LINK }),
      context,
    )
    expect(after).toMatchObject({ phase: 'ended', status: 'completed', backendJobId: 'job_1', dueAtMs: null })
    expect(notes.map(({ type }) => type)).toEqual(['accepted', 'completed'])
  })

  test('credits are recorded once', () => {
    const before = dispatching({ credits: { charged: 2, remaining: 7 } })
    expect(applyVerdict(before, acceptedVerdict(), context).video.credits).toEqual({ charged: 2, remaining: 7 })
  })

  test('wait: it remembers the refusal', () => {
    const refusal = problem({ code: 'rate_limited', message: 'slowly' })
    const verdict: Verdict = { kind: 'wait', untilMs: T0 + MINUTE, reason: 'backend_rate_limited', problem: refusal }
    expect(applyVerdict(dispatching({ wire: WIRE }), verdict, context).video).toMatchObject({
      phase: 'waiting',
      wire: null,
      dueAtMs: T0 + MINUTE,
      waitReason: 'backend_rate_limited',
      refusal: { code: 'rate_limited', message: 'slowly', retryable: true, backend_error: refusal.backendError },
    })
  })

  test('fail: it ends with the refusal’s code', () => {
    const verdict: Verdict = { kind: 'fail', problem: problem({ code: 'insufficient_credits', retryable: false }) }
    expect(applyVerdict(dispatching(), verdict, context).video).toMatchObject({
      phase: 'ended',
      status: 'failed',
      error: { code: 'insufficient_credits', retryable: false },
      endedAtMs: T0,
    })
  })

  test('doubt: the bytes stay, the job is still shown as queued', () => {
    const verdict: Verdict = { kind: 'doubt', resendAtMs: T0 + 2_000, problem: problem() }
    const once = applyVerdict(dispatching({ wire: WIRE, attempt: 1 }), verdict, context).video
    expect(once).toMatchObject({
      phase: 'doubtful',
      status: 'queued',
      told: true,
      lease: null,
      wire: WIRE,
      dueAtMs: T0 + 2_000,
      doubtSinceMs: T0,
      resends: 0,
    })
    const twice = applyVerdict(once, verdict, { ...context, nowMs: T0 + MINUTE }).video
    expect(twice).toMatchObject({ doubtSinceMs: T0, resends: 1 })
  })

  test('unknown: failed, with what the backend said last', () => {
    const refusal = {
      code: 'backend_error',
      message: 'm',
      retryable: true,
      backend_error: problem().backendError,
    } as const
    const { video: after } = unknown(dispatching({ refusal }), T0)
    expect(after).toMatchObject({
      phase: 'ended',
      status: 'failed',
      error: { code: 'create_outcome_unknown', retryable: false, backend_error: refusal.backend_error },
    })
    expect(unknown(dispatching(), T0).video.error).toMatchObject({
      code: 'create_outcome_unknown',
      backend_error: null,
    })
  })
})

test('a doubt is noted: after an answer that tells nothing, and after the death of its process', () => {
  const told = { kind: 'doubt' as const, resendAtMs: T0, problem: problem({ message: 'slow' }) }
  const doubts = applyVerdict(dispatching({ wire: WIRE }), told, context).notes
  expect(doubts).toEqual([{ at: T0, type: 'doubtful', detail: 'slow' }])
  const after = recovered(dispatching({ wire: WIRE }), T0).notes
  expect(after).toEqual([{ at: T0, type: 'doubtful', detail: 'the gateway stopped during the create' }])
})

test('no free slot: the account waits for one, and its first video may go as soon as one of ours frees', () => {
  const wait = (reason: 'no_free_slot' | 'backend_unavailable') =>
    applyVerdict(dispatching(), { kind: 'wait', untilMs: T0 + MINUTE, reason, problem: problem() }, context)
  expect(wait('no_free_slot').video.dueAtMs).toBe(T0)
  expect(wait('backend_unavailable').video.dueAtMs).toBe(T0 + MINUTE)
})

test('transfer: nothing is out while its audio is brought to the backend', () => {
  const verdict = { kind: 'transfer' as const, problem: problem({ code: 'upload_not_found' }) }
  const { video: after } = applyVerdict(dispatching({ wire: WIRE }), verdict, context)
  expect(after).toMatchObject({ phase: 'waiting', lease: null, wire: null, waitReason: 'audio_transfer' })
})
