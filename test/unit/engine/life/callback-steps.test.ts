import { describe, expect, test } from 'vitest'
import type { NamedJob, Search, VideoRecord } from '../../../../src/core/video.ts'
import {
  calledBack,
  duplicate,
  namedAmong,
  pendingEvidence,
  pendingSecondJob,
  readNow,
  secondJobAt,
  unreadNow,
} from '../../../../src/engine/life/job-steps.ts'
import { dueAfter } from '../../../../src/engine/polling/poll-plan.ts'
import { applyVerdict, resentAsAbsent, type Verdict } from '../../../../src/engine/life/create-steps.ts'
import { must } from '../../../fakes/must.ts'
import { seededRandom } from '../../../fakes/random.ts'
import { accepted, acceptedAs, ended, HOUR, MINUTE, problem, SECOND, T0, video, WIRE } from '../../../fakes/records.ts'

const LEASE = { token: 't', untilMs: T0 + 45 * SECOND }
const context = { nowMs: T0, firstPollAt: () => T0 + MINUTE }
const SEARCH: Search = { named: [], walks: [], reading: null, resent: false }

const dispatching = (given: Partial<VideoRecord> = {}): VideoRecord =>
  video({ phase: 'dispatching', lease: LEASE, dueAtMs: LEASE.untilMs, wire: WIRE, attempt: 1, ...given })
const doubtful = (given: Partial<VideoRecord> = {}): VideoRecord =>
  video({ phase: 'doubtful', told: true, wire: WIRE, attempt: 1, dueAtMs: T0 + MINUTE, doubtSinceMs: T0, ...given })
const runs = (given: Partial<VideoRecord> = {}): VideoRecord => accepted({ dueAtMs: T0 + MINUTE, ...given })

const hint = (before: VideoRecord, plannedAtMs: number | null, nowMs = T0) =>
  calledBack(before, { attempt: 1, jobId: null, body: null }, plannedAtMs, nowMs)
const name = (before: VideoRecord, jobId: string, nowMs = T0, attempt = 1) =>
  calledBack(before, { attempt, jobId, body: null }, before.dueAtMs, nowMs)
const answered = (before: VideoRecord, jobId: string, nowMs = T0, firstPollAtMs = T0 + MINUTE): VideoRecord => {
  const outcome = acceptedAs(jobId)
  if (outcome.kind !== 'accepted') throw new Error('not accepted')
  return applyVerdict(before, { kind: 'accepted', outcome }, { nowMs, firstPollAt: () => firstPollAtMs }).video
}

describe('a callback that names nothing', () => {
  test.each([
    ['ended', ended()],
    ['waiting', video()],
    ['used up', runs({ hintedPolls: 3, lastHintAtMs: T0 - MINUTE })],
  ])('%s: nothing', (_, before) => {
    expect(hint(before, before.dueAtMs)).toBeNull()
  })

  test('the first makes it due now', () => {
    expect(must(hint(runs(), T0 + MINUTE)).video).toMatchObject({ dueAtMs: T0, hintedPolls: 1, lastHintAtMs: T0 })
  })

  test('but not before the backend wants to be asked', () => {
    const before = runs({ nextPollAtMs: T0 + 20 * SECOND })
    expect(must(hint(before, T0 + MINUTE)).video).toMatchObject({
      dueAtMs: T0 + 20 * SECOND,
      lastHintAtMs: T0 + 20 * SECOND,
    })
  })

  test('an earlier poll stays the earlier', () => {
    const before = runs({ dueAtMs: T0 + 5, hintedPolls: 1, lastHintAtMs: T0 - SECOND })
    expect(must(hint(before, T0 + 5)).video.dueAtMs).toBe(T0 + 5)
  })

  test('a poll under way does not count as planned, nor a time that the record only still tells', () => {
    const before = runs({ dueAtMs: T0 - MINUTE, hintedPolls: 1, lastHintAtMs: T0 - 20 * SECOND })
    expect(must(hint(before, null)).video.dueAtMs).toBe(T0 + 10 * SECOND)
    expect(must(hint(before, T0 + MINUTE)).video.dueAtMs).toBe(T0 + 10 * SECOND)
    expect(must(hint(before, T0 - MINUTE)).video.dueAtMs).toBe(T0 - MINUTE)
  })

  test.each([dispatching(), doubtful()])(
    'while there is nothing to poll: one poll is owed, however many come',
    (before) => {
      const once = must(hint(before, before.dueAtMs)).video
      expect(once).toMatchObject({ dueAtMs: before.dueAtMs, lastHintAtMs: T0, hintedPolls: 0 })
      expect(hint(once, once.dueAtMs, T0 + SECOND)).toBeNull()
      expect(answered(once, 'job_1')).toMatchObject({ dueAtMs: T0, hintedPolls: 1 })
    },
  )

  test('one on a token that was never given, or that names the job we know, is no more than that', () => {
    expect(must(name(runs(), 'job_x', T0, 2)).video).toMatchObject({ search: null, dueAtMs: T0 })
    expect(must(name(runs(), 'job_x', T0, 0)).video).toMatchObject({ search: null, dueAtMs: T0 })
    expect(must(name(runs(), 'job_1')).video).toMatchObject({ search: null, dueAtMs: T0 })
  })
})

describe('a callback that names the job of a doubt', () => {
  const named: NamedJob = { jobId: 'job_7', atMs: T0, state: 'pending' }

  test('it is read at once', () => {
    const { video: after, notes } = must(name(doubtful(), 'job_7'))
    expect(after).toMatchObject({
      phase: 'doubtful',
      dueAtMs: T0,
      hintedPolls: 1,
      search: { ...SEARCH, named: [named] },
    })
    expect(notes).toEqual([{ at: T0, type: 'doubt', detail: 'a callback named job_7' }])
    expect(pendingEvidence(after)).toEqual(named)
    expect(pendingSecondJob(after)).toBeNull()
  })

  test('again while it is to be read: nothing; another one is read too, 30 s after it', () => {
    const first = must(name(doubtful(), 'job_7')).video
    expect(name(first, 'job_7', T0 + SECOND)).toBeNull()
    const both = must(name(first, 'job_8', T0 + SECOND)).video
    expect(both).toMatchObject({ dueAtMs: T0, hintedPolls: 2 })
    const next = readNow(both, 'job_7', T0)
    expect(pendingEvidence(next)).toMatchObject({ jobId: 'job_8', atMs: T0 + 30 * SECOND })
  })

  test('the fourth poll is not granted, whatever it names', () => {
    let before = doubtful()
    for (const job of ['a', 'b', 'c']) before = readNow(must(name(before, job, T0 + HOUR)).video, job, T0 + HOUR)
    expect(name(before, 'd', T0 + 2 * HOUR)).toBeNull()
    expect(name(before, 'a', T0 + 2 * HOUR)).toBeNull()
  })

  test('while it is dispatched: remembered, and its lease is left alone', () => {
    const after = must(name(dispatching(), 'job_7')).video
    expect(after).toMatchObject({ phase: 'dispatching', lease: LEASE, dueAtMs: LEASE.untilMs })
    const verdict: Verdict = { kind: 'doubt', resendAtMs: T0 + MINUTE, problem: problem() }
    expect(applyVerdict(after, verdict, context).video).toMatchObject({ phase: 'doubtful', dueAtMs: T0 })
    // Answered with that job: what was to be read is the poll.
    const taken = answered(after, 'job_7')
    expect(taken).toMatchObject({ backendJobId: 'job_7', dueAtMs: T0, hintedPolls: 1 })
    expect([pendingEvidence(taken), pendingSecondJob(taken)]).toEqual([null, null])
  })

  test('and then the create is answered with another job: no poll, but a claim to follow', () => {
    const taken = answered(must(name(dispatching(), 'job_7')).video, 'job_1')
    expect(taken).toMatchObject({ backendJobId: 'job_1', dueAtMs: T0 + MINUTE })
    expect(pendingSecondJob(taken)).toEqual(named)
  })

  test('that was proven absent, and waits to be sent again: back in doubt, and not sent before it was read', () => {
    const waits = resentAsAbsent(doubtful(), T0).video
    expect(must(name(waits, 'job_7')).video).toMatchObject({
      phase: 'doubtful',
      dueAtMs: T0,
      doubtSinceMs: T0,
      search: { named: [named], walks: [], resent: false },
    })
    // What was never sent is not in doubt by a callback.
    const refused = must(name(video({ attempt: 1 }), 'job_7')).video
    expect(refused.phase).toBe('waiting')
    expect(pendingSecondJob(refused)).toEqual(named)
  })
})

describe('a second job', () => {
  test.each([
    ['runs', runs({ attempt: 2 })],
    ['ended', ended({ attempt: 2 })],
    ['given up', ended({ attempt: 2, backendJobId: null, status: 'failed' })],
  ])('that a callback names, of one that %s: a claim, and no poll', (_, before) => {
    const { video: after, notes } = must(name(before, 'job_2'))
    expect(after).toMatchObject({ phase: before.phase, dueAtMs: before.dueAtMs, lastHintAtMs: null, hintedPolls: 1 })
    expect(pendingSecondJob(after)).toMatchObject({ jobId: 'job_2', atMs: T0 })
    expect(notes).toEqual([{ at: T0, type: 'callback', detail: 'a callback named job_2' }])
  })

  test('of an earlier attempt is none while the video has no job: it is evidence in the doubt of the later', () => {
    const after = must(name(doubtful({ attempt: 2 }), 'job_1')).video
    expect(pendingEvidence(after)).toMatchObject({ jobId: 'job_1' })
    expect([pendingSecondJob(after), after.dueAtMs]).toEqual([null, T0])
  })

  test('of an earlier attempt, while the next is about to be sent: nothing is sent before it was read', () => {
    const search = { ...SEARCH, resent: true }
    const after = must(name(dispatching({ wire: null, search }), 'job_1')).video
    expect(after).toMatchObject({ phase: 'doubtful', lease: null, dueAtMs: T0, search: { resent: false } })
  })

  test('is told of once', () => {
    const { video: after, notes } = must(duplicate(runs(), 'job_2', T0))
    expect(notes).toEqual([{ at: T0, type: 'duplicate_job', detail: 'job_2' }])
    expect(duplicate(after, 'job_2', T0)).toBeNull()
    expect(name(after, 'job_2', T0 + HOUR)).toBeNull()
    expect(duplicate(runs(), 'job_1', T0)).toBeNull()
  })

  test('however many are found, what is remembered of them is bounded', () => {
    let before = runs()
    for (let n = 2; n < 100; n += 1) before = must(duplicate(before, `job_${n}`, T0)).video
    expect(before.search?.named).toHaveLength(10)
  })
})

describe('ten thousand callbacks', () => {
  const CALLBACKS = 10_000
  const NEVER = T0 + 100 * HOUR
  const JOBS = ['job_1', 'job_2', 'job_3', 'job_4', 'job_5', null, null]
  const STARTS = [
    runs(),
    doubtful(),
    dispatching(),
    runs({ attempt: 2 }),
    doubtful({ attempt: 2 }),
    ended(),
    resentAsAbsent(doubtful(), T0).video,
  ]

  /** One life under a flood; answers when polls were made for callbacks alone: no other poll is ever due. */
  const flood = (start: VideoRecord, seed: number): number[] => {
    const random = seededRandom(seed)
    const pick = <T>(from: readonly T[]): T => must(from[Math.floor(random() * from.length)])
    let before: VideoRecord = { ...start, dueAtMs: start.dueAtMs === null ? null : NEVER }
    const polls: number[] = []
    let nowMs = T0
    for (let n = 0; n < CALLBACKS; n += 1) {
      nowMs += Math.floor(random() * 2 * SECOND)
      const jobId = JOBS[Math.floor(random() * JOBS.length)] ?? null
      const callback = { attempt: pick([0, 1, 1, 1, 2, 3]), jobId, body: null }
      before = calledBack(before, callback, before.dueAtMs, nowMs)?.video ?? before
      if (before.phase === 'dispatching' && n > 20) before = answered(before, 'job_1', nowMs, NEVER)
      const evidence = before.phase === 'doubtful' ? pendingEvidence(before) : null
      const due = [evidence, pendingSecondJob(before)].flatMap((one) => one ?? [])
      for (const { jobId: read, atMs } of due.filter((one) => one.atMs <= nowMs)) {
        polls.push(Math.max(atMs, nowMs))
        before =
          random() < 0.5
            ? readNow(before, read, nowMs)
            : (duplicate(before, read, nowMs)?.video ?? readNow(before, read, nowMs))
      }
      if (before.phase === 'accepted' && (before.dueAtMs ?? Infinity) <= nowMs) {
        polls.push(nowMs)
        before = { ...before, dueAtMs: dueAfter(before, nowMs, NEVER) }
      }
    }
    return polls
  }

  test.each(STARTS.map((start, n) => [`${n}: ${start.phase}, attempt ${start.attempt}`, start] as const))(
    'of every kind, on one that is %s: three polls at most, 30 s apart',
    (_, start) => {
      for (let seed = 1; seed <= 10; seed += 1) {
        const polls = flood(start, seed)
        expect(polls.length).toBeLessThanOrEqual(3)
        for (const [n, atMs] of polls.entries()) {
          // What is due is polled at the next callback, up to 2 s late.
          if (n > 0) expect(atMs - (polls[n - 1] ?? 0)).toBeGreaterThanOrEqual(28 * SECOND)
        }
      }
      // And they are granted: a flood that costs nothing would be one that is not heard.
      if (start.phase !== 'waiting') expect(flood(start, 1).length).toBeGreaterThan(0)
    },
  )

  test('that name nothing make three polls, 30 s apart', () => {
    let before = runs()
    const polls: number[] = []
    for (let atMs = T0; atMs < T0 + 5 * MINUTE; atMs += 250) {
      before = hint(before, before.dueAtMs, atMs)?.video ?? before
      if ((before.dueAtMs ?? Infinity) <= atMs) {
        polls.push(atMs - T0)
        before = { ...before, dueAtMs: dueAfter(before, atMs, atMs + 10 * MINUTE) }
      }
    }
    expect(polls).toEqual([0, 30 * SECOND, 60 * SECOND])
  })
})

describe('a job that is to be read', () => {
  const job = (jobId: string, atMs: number, state: NamedJob['state'] = 'pending'): NamedJob => ({ jobId, atMs, state })
  const naming = (named: NamedJob[], given: Partial<VideoRecord> = {}): VideoRecord =>
    doubtful({ search: { ...SEARCH, named }, hintedPolls: named.length, ...given })
  const namedIn = (record: VideoRecord): readonly NamedJob[] => must(record.search).named
  const [first, second, third] = [job('job_a', T0), job('job_b', T0 + 30 * SECOND), job('job_c', T0 + MINUTE)]

  test('was read: the others keep their order, and each its distance', () => {
    const after = readNow(naming([first, second, third]), 'job_a', T0 + 20 * SECOND)
    expect(namedIn(after)).toEqual([
      job('job_b', T0 + 50 * SECOND),
      job('job_c', T0 + 80 * SECOND),
      job('job_a', T0 + 20 * SECOND, 'read'),
    ])
  })

  test.each<[string, string]>([
    ['was read before', 'job_a'],
    ['was never named', 'job_z'],
  ])('%s: nothing changes', (_, jobId) => {
    const before = naming([job('job_a', T0, 'read'), second])
    expect(readNow(before, jobId, T0 + SECOND)).toBe(before)
    expect(unreadNow(before, job(jobId, T0), T0, T0 + SECOND)).toBe(before)
  })

  test('could not be read: again, for one more poll, not before the backend wants to be asked', () => {
    const before = naming([first, job('job_b', T0, 'duplicate')], { hintedPolls: 1 })
    const after = unreadNow(before, first, T0 + 2 * MINUTE, T0 + SECOND)
    expect(namedIn(after)).toEqual([job('job_b', T0, 'duplicate'), job('job_a', T0 + 2 * MINUTE)])
    expect(after.hintedPolls).toBe(2)
    // At least 30 s after the read that failed.
    expect(namedIn(unreadNow(before, first, T0, T0 + SECOND)).at(-1)).toEqual(job('job_a', T0 + 31 * SECOND))
  })

  test('could not be read, and no poll is left: it counts as read', () => {
    const after = unreadNow(naming([first], { hintedPolls: 3 }), first, T0, T0 + SECOND)
    expect(namedIn(after)).toEqual([job('job_a', T0 + SECOND, 'read')])
    expect(after.hintedPolls).toBe(3)
  })

  test('is a second job where the video has its own: due at its time', () => {
    expect(secondJobAt(naming([second], { phase: 'accepted', backendJobId: 'job_1' }))).toBe(T0 + 30 * SECOND)
    expect(secondJobAt(naming([second]))).toBeNull()
  })

  test('which of some were named, in the order of naming', () => {
    expect(namedAmong(naming([second, first, third]), ['job_a', 'job_b', 'job_x'])).toEqual(['job_b', 'job_a'])
  })

  test('a job that was reported as a second one may be the evidence of a later doubt', () => {
    const doubted = naming([job('job_a', T0 - HOUR, 'duplicate'), second], { hintedPolls: 0 })
    const after = must(name(doubted, 'job_a', T0 + MINUTE)).video
    expect(namedIn(after)).toEqual([second, job('job_a', T0 + MINUTE)])
    expect(name({ ...doubted, backendJobId: 'job_1', phase: 'accepted' }, 'job_a', T0 + MINUTE)).toBeNull()
  })

  test('another than the one that is to be read is left alone', () => {
    const before = naming([first])
    expect(readNow(before, 'job_z', T0)).toBe(before)
    expect(unreadNow(before, job('job_z', T0), T0, T0)).toBe(before)
    expect(must(duplicate(naming([job('job_b', T0, 'duplicate')]), 'job_a', T0)).notes).toHaveLength(1)
  })

  test('was read, and is named again: it is read again', () => {
    expect(namedIn(must(name(naming([job('job_a', T0, 'read')]), 'job_a', T0 + MINUTE)).video)).toEqual([
      job('job_a', T0 + MINUTE),
    ])
  })

  test('is evidence in a doubt of a restored copy, too, which has no bytes', () => {
    expect(pendingEvidence(naming([first], { wire: null }))).toEqual(first)
  })

  test('no callback came before the create was answered: all polls are left', () => {
    expect(answered(dispatching(), 'job_1')).toMatchObject({ hintedPolls: 0, lastHintAtMs: null })
  })
})
