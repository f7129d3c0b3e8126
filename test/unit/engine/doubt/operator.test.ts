import { expect, test } from 'vitest'
import { Problem } from '../../../../src/core/errors.ts'
import type { VideoRecord } from '../../../../src/core/video.ts'
import { createDecide, forOperator, notConfigured, refuseReplaced } from '../../../../src/engine/doubt/operator.ts'
import { NO_SEARCH } from '../../../../src/engine/life/job-steps.ts'
import { accountOf, running, scriptedAdapter, unread } from '../../../fakes/adapter.ts'
import { must } from '../../../fakes/must.ts'
import { accepted, ended, T0, video, WIRE } from '../../../fakes/records.ts'

const DOUBT = { phase: 'doubtful', wire: WIRE, attempt: 2, doubtSinceMs: T0 } as const
const doubtful = (given: Partial<VideoRecord> = {}): VideoRecord => video({ ...DOUBT, ...given })

/** What comes of an operator's word about a video that is `now` by the time it is written. */
const decided = async (
  now: VideoRecord,
  jobId: string | null,
  {
    attempt = 2,
    owner = null,
    answer = running(),
  }: { attempt?: number; owner?: string | null; answer?: ReturnType<typeof running> | ReturnType<typeof unread> } = {},
): Promise<{ problem: Problem | null; after: VideoRecord; asked: number }> => {
  const adapter = scriptedAdapter(() => T0)
  adapter.polls.push(answer)
  let after = now
  const decide = createDecide({
    store: { owner: async () => owner },
    apply: async (_id, step) => {
      const made = step(now, T0)
      if (typeof made !== 'string') after = made.video
      return after
    },
    upstream: { ask: async (_account, _class, _patienceMs, send) => ({ kind: 'asked', outcome: await send() }) },
    firstPollAt: () => T0,
  })
  const problem = await decide(accountOf(adapter), doubtful({ attempt }), jobId).then(
    () => null,
    (error: unknown) => error,
  )
  if (problem !== null && !(problem instanceof Problem)) throw problem
  return { problem, after, asked: adapter.callsOf('status').length }
}

test('no job: the attempt is sent again', async () => {
  expect(await decided(doubtful(), null)).toMatchObject({ problem: null, after: { phase: 'waiting' } })
})

test.each<[string, VideoRecord, number, RegExp, { path: string }[] | undefined]>([
  ['has its job meanwhile', accepted({ attempt: 2 }), 2, /is not in doubt: it is queued/, undefined],
  ['waits', video({ attempt: 2 }), 2, /is not in doubt/, undefined],
  ['is at a later attempt', doubtful({ attempt: 3 }), 2, /attempt 2 is over.*attempt 3/, [{ path: 'attempt' }]],
  [
    'had no such attempt',
    doubtful({ attempt: 1 }),
    2,
    /there was no attempt 2: the last one is 1/,
    [{ path: 'attempt' }],
  ],
  [
    'is to be asked about a job that a callback named',
    doubtful({ search: { ...NO_SEARCH, named: [{ jobId: 'job_7', atMs: T0, state: 'pending' }] } }),
    2,
    /a callback named job job_7/,
    undefined,
  ],
])('no job, of one that %s: refused, and nothing is sent again', async (_, now, attempt, message, errors) => {
  const { problem, after } = await decided(now, null, { attempt })
  expect(problem).toMatchObject({ code: 'invalid_request', extras: { videoId: 'vid_1' } })
  expect(must(problem).message).toMatch(message)
  expect(must(problem).extras.errors).toEqual(errors && errors.map((one) => expect.objectContaining(one)))
  expect(after).toBe(now)
})

test('a job: the video’s, if the backend knows it', async () => {
  expect(await decided(doubtful(), 'job_1')).toMatchObject({
    problem: null,
    after: { phase: 'accepted', backendJobId: 'job_1' },
  })
  const { problem, after } = await decided(doubtful(), 'job_1', { answer: unread(true) })
  expect(problem).toMatchObject({ code: 'video_not_found', extras: { param: 'job_id' } })
  expect(after.backendJobId).toBeNull()
})

test('a job of another video, or what cannot be one, is not asked about', async () => {
  const owned = await decided(doubtful(), 'job_1', { owner: 'vid_2' })
  expect(owned.problem).toMatchObject({
    code: 'invalid_request',
    extras: { param: 'job_id' },
    message: 'this job belongs to vid_2',
  })
  const impossible = await decided(doubtful(), '..')
  expect(impossible.problem).toMatchObject({ code: 'video_not_found', extras: { param: 'job_id' } })
  expect([owned.asked, impossible.asked]).toEqual([0, 0])
})

test('a video given up whose job another one adopted is replaced', () => {
  expect(() => refuseReplaced(ended())).not.toThrow()
  expect(() => refuseReplaced(ended({ replacedBy: 'vid_2' }))).toThrow(
    expect.objectContaining({
      code: 'video_replaced',
      extras: { videoId: 'vid_1', details: { replaced_by: 'vid_2' } },
    }),
  )
  expect(notConfigured().code).toBe('backend_unavailable')
})

test('what an operator is shown: a doubt that is open, one that was given up, and none', () => {
  const doubtOf = (one: VideoRecord) => forOperator(one, {} as Parameters<typeof forOperator>[1]).doubt
  const unknown = ended({
    status: 'failed',
    backendJobId: null,
    error: { code: 'create_outcome_unknown', message: 'x', retryable: false },
  } as Partial<VideoRecord>)
  expect(doubtOf(doubtful())).toMatchObject({ open: true, attempt: 2 })
  expect(doubtOf(unknown)).toMatchObject({ open: false })
  expect(doubtOf(accepted())).toBeNull()
})
