import { describe, expect, test } from 'vitest'
import type { NamedJob, Search, VideoRecord } from '../../../../src/core/video.ts'
import {
  adopted,
  confirmedJob,
  isSameDoubt,
  jobTaken,
  resentAsAbsent,
  searchAgain,
  unknown,
  withSeconds,
} from '../../../../src/engine/life/create-steps.ts'
import { accepted, ended, LINK, MINUTE, problem, report, SECOND } from '../../../fakes/records.ts'
import { T0, video, WIRE } from '../../../fakes/records.ts'

const NO_SEARCH: Search = { named: [], walks: [], reading: null, resent: false }
const NAMED: NamedJob = { jobId: 'job_7', atMs: T0, state: 'pending' }
const context = { nowMs: T0, firstPollAt: () => T0 + MINUTE }

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

  test('was just read: the next poll is the planned one', () => {
    const after = adopt({ search: { ...NO_SEARCH, named: [NAMED] } }).video
    expect(after).toMatchObject({ dueAtMs: T0 + MINUTE, search: { named: [{ ...NAMED, state: 'read' }] } })
  })
})

describe('searchAgain', () => {
  test('keeps what it is not told of', () => {
    const walks = [{ atMs: T0, total: 1 }]
    const step = searchAgain(
      doubtful({ search: { named: [{ ...NAMED, state: 'read' }], walks: [], reading: null, resent: true } }),
      { walks },
      T0 + 5,
      T0,
      'why',
    )
    expect(step.video).toMatchObject({
      phase: 'doubtful',
      dueAtMs: T0 + 5,
      search: { named: [{ ...NAMED, state: 'read' }], walks, reading: null, resent: true },
    })
    expect(step.notes).toEqual([{ at: T0, type: 'doubt', detail: 'why' }])
  })
})

test('searchAgain is no later than the job that a callback named meanwhile', () => {
  const named = [{ ...NAMED, atMs: T0 + 30 * SECOND }]
  const again = (given: NamedJob[]) =>
    searchAgain(doubtful({ search: { ...NO_SEARCH, named: given } }), {}, T0 + MINUTE, T0, 'why')
  expect(again(named).video.dueAtMs).toBe(T0 + 30 * SECOND)
  expect(again([{ ...NAMED, state: 'read' }]).video.dueAtMs).toBe(T0 + MINUTE)
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

  test('says nothing to the operator where there is no reason', () => {
    expect(unknown(doubtful(), T0).notes.map(({ type }) => type)).toEqual(['failed'])
  })

  test('what ended stays as it ended', () => {
    const before = ended()
    expect(unknown(before, T0).video).toBe(before)
  })
})

describe('jobTaken', () => {
  const taken = { jobId: 'job_7', owner: 'vid_other' }

  test('a create that was answered with another’s job stays unknown', () => {
    const { video: after, notes } = jobTaken(video({ phase: 'dispatching', wire: WIRE }), taken, T0)
    expect(after).toMatchObject({ status: 'failed', backendJobId: null, error: { code: 'create_outcome_unknown' } })
    expect(notes[0]).toEqual({ at: T0, type: 'duplicate_job', detail: 'job_7, which vid_other has' })
  })

  test('one that ended meanwhile is written all the same, or nobody would see the note', () => {
    const before = ended({ backendJobId: null })
    const { video: after, notes } = jobTaken(before, { jobId: 'job_7', owner: 'vid_2' }, T0)
    expect(after).toEqual(before)
    // The same object would be taken for no change.
    expect(after).not.toBe(before)
    expect(notes).toHaveLength(1)
  })

  test('one that was given a job of its own meanwhile keeps it', () => {
    const before = video({ phase: 'accepted', backendJobId: 'job_8' })
    expect(jobTaken(before, taken, T0)).toMatchObject({ video: before, notes: [{ type: 'duplicate_job' }] })
  })
})

describe('a job that the backend confirmed', () => {
  const confirm = (before: VideoRecord) => confirmedJob(before, 'job_7', report(), 'a callback', context)

  test('is the video’s, where it has none', () => {
    expect(confirm(doubtful())?.video).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
  })

  test.each<[string, VideoRecord]>([
    ['has a job', accepted()],
    ['ended without one', doubtful({ phase: 'ended', status: 'failed' })],
  ])('is a second one, where it %s: told of once', (_, before) => {
    const step = confirm(before)
    expect(step?.video).toMatchObject({ phase: before.phase, backendJobId: before.backendJobId })
    expect(step?.notes).toEqual([{ at: T0, type: 'duplicate_job', detail: 'job_7' }])
    expect(step && confirm(step.video)).toBeNull()
  })

  test('second ones that were confirmed with its own are told of, each once', () => {
    const step = withSeconds({ video: accepted(), notes: [] }, ['job_8', 'job_1', 'job_9', 'job_8'], T0)
    expect(step.notes.map(({ detail }) => detail)).toEqual(['job_8', 'job_9'])
    expect(step.video.search?.named.map(({ jobId }) => jobId)).toEqual(['job_8', 'job_9'])
  })
})

test('a doubt is the same while the video is in it, in the same attempt, since the same time', () => {
  const one = doubtful()
  expect(isSameDoubt({ ...one, resends: 3 }, one)).toBe(true)
  const others: Partial<VideoRecord>[] = [{ phase: 'accepted' }, { attempt: 2 }, { doubtSinceMs: T0 }]
  for (const other of others) expect(isSameDoubt({ ...one, ...other }, one)).toBe(false)
})

test('what a search found out is noted, and nothing where it found nothing', () => {
  const found = (what: string | null) => searchAgain(doubtful(), {}, T0 + MINUTE, T0, what).notes
  expect(found('the list is empty')).toEqual([{ at: T0, type: 'doubt', detail: 'the list is empty' }])
  expect(found(null)).toEqual([])
})
