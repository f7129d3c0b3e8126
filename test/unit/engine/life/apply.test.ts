import { describe, expect, test } from 'vitest'
import type { JobTaken } from '../../../../src/core/store/videos.ts'
import type { VideoRecord } from '../../../../src/core/video.ts'
import { createApply, type Decided } from '../../../../src/engine/life/apply.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { accepted, ended, note, problem, SECOND, T0, video } from '../../../fakes/records.ts'
import { createTally } from '../../../fakes/tally.ts'

const NOW = T0 + 90 * SECOND
/** Polled last ten seconds before it ended. */
const POLLED = { lastPollAtMs: NOW - 10 * SECOND, endedAtMs: NOW, version: 3 }

/** What a decision about `before` makes others learn. `taken`: whose job it would have got. */
const applied = async (before: VideoRecord, decided: Decided, taken: JobTaken | null = null) => {
  const tally = createTally()
  const [log, woken]: [unknown[], unknown[]] = [[], []]
  let isFirst = true
  const line = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void log.push([level, message, fields])
  const apply = createApply({
    wrote: () => undefined,
    takeLesson: () => null,
    clock: fakeClock(NOW),
    log: { info: line('info'), warn: line('warn'), error: line('error') },
    tally,
    wake: {
      changed: (...given) => void woken.push(given),
      hint: (...given) => void woken.push(given),
    },
    store: {
      async change(_id, decide) {
        const change = decide(before, NOW)
        const isTaken = isFirst && taken !== null
        isFirst = false
        if (isTaken) return { video: before, deliveries: [], jobTaken: taken }
        if (change.kind === 'keep') return { video: before, deliveries: [], jobTaken: null }
        if (change.kind === 'discard') return { video: null, deliveries: [], jobTaken: null }
        const after = { ...change.video, version: before.version + 1 }
        return { video: after, deliveries: change.events.map(({ event }) => `d_${event.type}`), jobTaken: null }
      },
    },
    contentUrl: (id) => `https://gateway.example/${id}/content`,
    eventsUrl: (id) => `https://gateway.example/${id}/events`,
    ownBody: () => null,
    quotasOf: () => null,
  })
  const after = await apply(
    before.id,
    () => decided,
    taken ? { onJobTaken: (current) => ({ video: { ...current, told: true }, notes: [note('duplicate_job')] }) } : {},
  )
  const counts = tally.counts('video_ended', 'duplicate_job').map(({ what, labels }) => [what, labels])
  const timings = Object.fromEntries(
    tally.timings('dispatch_wait', 'video', 'detection_uncertainty').map(({ what, ms }) => [what, ms[0]]),
  )
  return { after, counts, timings, log, woken }
}
const step = (after: VideoRecord): Decided => ({ video: after, notes: [] })
const failed = (code: 'backend_failed' | 'create_outcome_unknown', given: Partial<VideoRecord> = {}): VideoRecord => {
  const { message, retryable } = problem({ code: 'backend_error' })
  return ended({ status: 'failed', error: { code, message, retryable, backend_error: null }, ...POLLED, ...given })
}
const RUNNING = accepted({ status: 'processing', version: 2 })

describe('what a step counts and times', () => {
  const WHOLE = { video: 90 * SECOND }
  const LATE = { ...WHOLE, detection_uncertainty: 10 * SECOND }
  const endedAs = (status: string, code = '') => [['video_ended', { backend: 'main', status, code }]]

  test.each<[string, VideoRecord, VideoRecord, unknown[], object]>([
    ['accepted', video(), accepted({ acceptedAtMs: NOW }), [], { dispatch_wait: 90 * SECOND }],
    ['polled', RUNNING, { ...RUNNING, lastPollAtMs: NOW }, [], {}],
    ['completed', RUNNING, ended(POLLED), endedAs('completed'), LATE],
    ['failed by its backend', RUNNING, failed('backend_failed'), endedAs('failed', 'backend_failed'), LATE],
    ['given up', RUNNING, failed('create_outcome_unknown'), endedAs('failed', 'create_outcome_unknown'), WHOLE],
    ['canceled', RUNNING, ended({ ...POLLED, status: 'canceled' }), endedAs('canceled'), WHOLE],
    ['told something after its end', ended(POLLED), ended({ ...POLLED, absentSinceMs: NOW }), [], {}],
  ])('%s', async (_, before, after, counts, timings) => {
    const done = await applied(before, step(after))
    expect([done.counts, done.timings]).toEqual([counts, timings])
  })
})

describe('what the log says', () => {
  test.each<[string, VideoRecord, VideoRecord, boolean]>([
    ['another phase', video({ status: 'queued' }), accepted({ status: 'queued' }), true],
    ['another status', accepted({ status: 'queued' }), RUNNING, true],
    ['neither', RUNNING, { ...RUNNING, lastPollAtMs: NOW }, false],
  ])('%s: a line: %4$s', async (_, before, after, isLine) => {
    const { log } = await applied(before, step(after))
    const { phase, status } = after
    const fields = { video_id: 'vid_1', backend: 'main', client: 'acme', phase, status, job: 'job_1' }
    expect(log).toEqual(isLine ? [['info', 'video moved', expect.objectContaining(fields)]] : [])
  })

  test('a second job that was paid for: one line and one count, of that note only', async () => {
    const notes = [note('callback'), { ...note('duplicate_job'), detail: 'job_2' }]
    const { log, counts } = await applied(RUNNING, { video: { ...RUNNING }, notes })
    const fields = { video_id: 'vid_1', backend: 'main', job: 'job_2', known_job: 'job_1' }
    expect(log).toEqual([['error', 'duplicate_job', fields]])
    expect(counts).toEqual([['duplicate_job', { backend: 'main' }]])
  })

  test('a job that another video has: told once, with its owner', async () => {
    const taken = { jobId: 'job_1', owner: 'vid_2' }
    const { log, counts, after } = await applied(video(), step(accepted()), taken)
    expect(log).toEqual([['error', 'duplicate_job', { video_id: 'vid_1', job: 'job_1', owner: 'vid_2' }]])
    expect(counts).toEqual([['duplicate_job', { backend: 'main' }]])
    expect(after).toMatchObject({ told: true, backendJobId: null })
  })
})

describe('whom a step wakes', () => {
  test('nobody, where nothing was written', async () => {
    for (const decided of ['keep', step(RUNNING)] as const)
      expect(await applied(RUNNING, decided)).toMatchObject({ after: RUNNING, woken: [], log: [], counts: [] })
  })

  test('who reads it, with its new version, and who delivers its events', async () => {
    const { woken } = await applied(RUNNING, step(ended(POLLED)))
    expect(woken).toEqual([
      ['vid_1', 3, 'acme'],
      ['deliver', 'd_video.completed', NOW],
    ])
  })

  test('who read it before it was discarded', async () => {
    const { after, woken } = await applied(video({ version: 4 }), 'discard')
    expect(after).toBeNull()
    expect(woken).toEqual([['vid_1', 5, 'acme']])
  })
})
