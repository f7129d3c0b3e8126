import { describe, expect, test } from 'vitest'
import type { JobReport } from '../../../../src/core/adapter.ts'
import { NO_INPUT, NO_ORDER, type VideoRecord } from '../../../../src/core/video.ts'
import { atOnceFor, end, expire, failure, lost, observe, owing } from '../../../../src/engine/life/job-steps.ts'
import { accepted, ended, LINK, MINUTE, problem, report, SECOND, T0, video, WIRE } from '../../../fakes/records.ts'

const see = (video: VideoRecord, given: Partial<JobReport>, atMs = T0): VideoRecord =>
  observe(video, report(given), atMs).video

describe('status', () => {
  test.each<[VideoRecord['status'], JobReport['status'], VideoRecord['status']]>([
    ['queued', 'queued', 'queued'],
    ['queued', 'processing', 'processing'],
    ['queued', null, 'queued'],
    ['processing', 'queued', 'processing'],
    ['processing', 'processing', 'processing'],
    ['processing', null, 'processing'],
    ['queued', 'failed', 'failed'],
    ['processing', 'failed', 'failed'],
  ])('%s, told %s: %s', (before, told, after) => {
    expect(see(accepted({ status: before }), { status: told }).status).toBe(after)
  })

  test.each(['queued', 'processing'] as const)('%s, told completed with a link: completed', (status) => {
    const { video, notes } = observe(accepted({ status }), report({ status: 'completed', link: LINK }), T0 + 5)
    expect(video).toMatchObject({
      phase: 'ended',
      status: 'completed',
      progress: 1,
      error: null,
      dueAtMs: null,
      endedAtMs: T0 + 5,
      link: { ...LINK, learnedAtMs: T0 + 5 },
    })
    expect(notes).toEqual([{ at: T0 + 5, type: 'completed', detail: null }])
  })

  test('a link that was told before completes it, too', () => {
    const video = see(see(accepted(), { status: 'processing', link: LINK }), { status: 'completed' })
    expect(video.status).toBe('completed')
  })

  test('a move is one line of history, standing still none', () => {
    expect(observe(accepted(), report({ status: 'processing' }), T0).notes).toEqual([
      { at: T0, type: 'processing', detail: null },
    ])
    expect(observe(accepted(), report({ status: 'queued' }), T0).notes).toEqual([])
  })

  test.each<[string, Partial<JobReport>]>([
    ['another end', { status: 'failed' }],
    ['completed again, with another link', { status: 'completed', link: { url: 'https://x.example', expiresAtMs: 1 } }],
    ['running', { status: 'processing', progress: 0.2 }],
  ])('a video that ended stays as it is, told %s', (_, given) => {
    const before = ended({ link: { ...LINK, learnedAtMs: T0 } })
    expect(observe(before, report(given), T0 + MINUTE)).toEqual({ video: before, notes: [] })
  })

  test('ending twice, losing or expiring after the end: nothing', () => {
    const before = ended()
    expect(end(before, { status: 'canceled' }, T0 + 1)).toEqual({ video: before, notes: [] })
    expect(lost(before, T0 + 1)).toEqual({ video: before, notes: [] })
    expect(expire(before, T0 + 1)).toEqual({ video: before, notes: [] })
  })

  test('an end leaves nothing that would act', () => {
    const busy = accepted({
      wire: WIRE,
      lease: { token: 't', untilMs: T0 },
      evidence: { kind: 'lost', count: 1, sinceMs: T0 },
    })
    expect(see(busy, { status: 'failed' })).toMatchObject({
      wire: null,
      lease: null,
      dueAtMs: null,
      waitReason: null,
      evidence: null,
    })
  })
})

describe('what a report teaches', () => {
  test.each<[number | null, number | null, number | null]>([
    [null, null, null],
    [null, 0.2, 0.2],
    [0.2, null, 0.2],
    [0.2, 0.5, 0.5],
    [0.5, 0.2, 0.5],
    [0.5, 0, 0.5],
  ])('progress %s, told %s: %s', (before, told, after) => {
    expect(see(accepted({ progress: before }), { status: 'processing', progress: told }).progress).toBe(after)
  })

  test('the word verbatim, also one that is not known', () => {
    expect(see(accepted({ backendStatus: 'processing' }), { backendStatus: 'Marinating' })).toMatchObject({
      status: 'queued',
      backendStatus: 'Marinating',
    })
  })

  test('what it does not say is kept', () => {
    const before = accepted({ thumbnailUrl: 'https://t', durationSeconds: 3, durationEstimateSeconds: 4 })
    expect(see(before, { status: 'processing' })).toMatchObject({
      thumbnailUrl: 'https://t',
      durationSeconds: 3,
      durationEstimateSeconds: 4,
    })
  })
})

describe('failed', () => {
  test('carries the backend’s own words', () => {
    const failed = see(accepted(), {
      status: 'failed',
      failure: { message: 'no face', retryable: true, code: 'no_face' },
    })
    expect(failed.error).toEqual({
      code: 'backend_failed',
      message: 'no face',
      retryable: true,
      backend_error: { status: null, code: 'no_face', block_code: null, message: 'no face' },
    })
  })

  test('without any, ours', () => {
    expect(see(accepted(), { status: 'failed' }).error).toMatchObject({
      code: 'backend_failed',
      message: 'the backend failed to make the video',
      retryable: false,
    })
  })

  test('progress stays where it was', () => {
    expect(see(accepted({ progress: 0.4 }), { status: 'failed' }).progress).toBe(0.4)
  })

  test('a problem’s error is in the failure', () => {
    const told = problem({ code: 'insufficient_credits', retryable: false })
    expect(failure(told.code, told.message, told)).toEqual({
      code: 'insufficient_credits',
      message: told.message,
      retryable: false,
      backend_error: told.backendError,
    })
  })
})

describe('the evidence rule', () => {
  const kinds = {
    lost: { code: 'backend_job_lost', step: lost },
    link_missing: {
      code: 'video_url_missing',
      step: (video: VideoRecord, atMs: number) => observe(video, report({ status: 'completed' }), atMs),
    },
    error_without_word: {
      code: 'backend_failed',
      step: (video: VideoRecord, atMs: number) =>
        observe(
          video,
          report({ status: 'processing', failure: { message: 'hm', retryable: false, code: null } }),
          atMs,
        ),
    },
  }

  describe.each(Object.entries(kinds))('%s', (kind, { code, step }) => {
    /** So many such answers, spread evenly over so long. */
    const after = (count: number, spanMs: number): VideoRecord => {
      let video = accepted()
      for (let n = 0; n < count; n += 1) video = step(video, T0 + (n * spanMs) / (count - 1)).video
      return video
    }

    test.each([
      [5, 15 * MINUTE, true],
      [6, 15 * MINUTE, true],
      [5, 15 * MINUTE - 1, false],
      [4, 60 * MINUTE, false],
      [500, 14 * MINUTE, false],
    ])('%i answers over %i ms end the job: %s', (count, spanMs, ends) => {
      const video = after(count, spanMs)
      expect(video.phase).toBe(ends ? 'ended' : 'accepted')
      expect(video.error?.code).toBe(ends ? code : undefined)
      if (!ends) expect(video.evidence).toEqual({ kind, count, sinceMs: T0 })
    })

    test('a healthy answer in between begins it anew', () => {
      const healthy = see(after(4, 14 * MINUTE), { status: 'processing' })
      expect(healthy.evidence).toBeNull()
      expect(step(healthy, T0 + 16 * MINUTE).video).toMatchObject({ phase: 'accepted', evidence: { count: 1 } })
    })

    test('a word that nobody knows is no healthy answer', () => {
      const before = after(4, 14 * MINUTE)
      expect(see(before, { backendStatus: 'Marinating' }).evidence).toEqual(before.evidence)
    })

    test('each answer is a line of history', () => {
      expect(step(accepted(), T0).notes).toEqual([{ at: T0, type: 'thin_evidence', detail: `${kind} × 1` }])
    })
  })

  test('one kind does not count for another', () => {
    let video = accepted()
    for (let n = 0; n < 4; n += 1) video = lost(video, T0 + n * 5 * MINUTE).video
    expect(see(video, { status: 'completed' }, T0 + 20 * MINUTE)).toMatchObject({
      phase: 'accepted',
      evidence: { kind: 'link_missing', count: 1, sinceMs: T0 + 20 * MINUTE },
    })
  })

  test('completed without a link is shown as processing', () => {
    expect(see(accepted(), { status: 'completed', backendStatus: 'done' })).toMatchObject({
      status: 'processing',
      backendStatus: 'done',
    })
  })

  test('a failed word needs no evidence', () => {
    const told = { status: 'failed', failure: { message: 'x', retryable: false, code: null } } as const
    expect(see(accepted(), told).phase).toBe('ended')
  })
})

test('expired: failed, with what was known', () => {
  const { video } = expire(accepted({ progress: 0.9, backendStatus: 'processing' }), T0 + SECOND)
  expect(video).toMatchObject({
    phase: 'ended',
    status: 'failed',
    progress: 0.9,
    backendStatus: 'processing',
    error: { code: 'backend_job_expired', retryable: false },
    endedAtMs: T0 + SECOND,
  })
})

describe('canceled', () => {
  const cancel = (before: VideoRecord): VideoRecord => end(before, { status: 'canceled' }, T0).video

  test('before it was sent: what was to be made of it is not kept', () => {
    expect(cancel(video({ told: false }))).toMatchObject({
      status: 'canceled',
      told: true,
      input: NO_INPUT,
      order: NO_ORDER,
      madeFrom: 'text',
    })
  })

  test.each<[string, Partial<VideoRecord>]>([
    ['after a doubt, a job of it may still turn up', { search: { named: [], walks: [], reading: null, resent: true } }],
    ['it was emptied before', { madeFrom: 'audio' }],
  ])('%s: what is there is kept', (_, given) => {
    const before = video(given)
    const { input, order, madeFrom } = before
    expect(cancel(before)).toMatchObject({ status: 'canceled', input, order, madeFrom })
  })

  test('a video that failed keeps its input', () => {
    const { input, order } = video()
    const error = failure('backend_failed', 'x')
    expect(end(video(), { status: 'failed', error }, T0).video).toMatchObject({ input, order, madeFrom: null })
  })
})

describe('a link that is owed', () => {
  test('is asked for alone from now on, and noted once', () => {
    const { video: owes, notes } = owing(accepted(), report({ backendStatus: 'done', verbatim: { id: 1 } }), T0)
    expect(owes).toMatchObject({ status: 'processing', linkOwed: true, backendStatus: 'done', verbatim: { id: 1 } })
    expect(notes).toEqual([{ at: T0, type: 'link_owed', detail: null }])
    const again = owing(owes, report({}), T0)
    expect(again.notes).toEqual([])
    expect(again.video.verbatim).toEqual({ id: 1 })
  })

  test('not of a video that ended; one that ends owes none', () => {
    const before = ended()
    expect(owing(before, report({ backendStatus: 'done' }), T0)).toEqual({ video: before, notes: [] })
    expect(expire(accepted({ linkOwed: true }), T0).video.linkOwed).toBe(false)
  })
})

test.each([
  [1, 8],
  [480, 8],
  [481, 9],
  [6_000, 100],
  [15_360, 256],
  [64_000, 256],
])('%i requests a minute: %i at once', (perMinute, atOnce) => {
  expect(atOnceFor(perMinute)).toBe(atOnce)
})

test.each([
  ['rate_limited', true],
  ['backend_failed', false],
] as const)('%s, where no backend said so: retryable as its table says: %s', (code, retryable) => {
  expect(failure(code, 'x').retryable).toBe(retryable)
})
