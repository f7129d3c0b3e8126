import { describe, expect, test } from 'vitest'
import { VideoView } from '../../../../src/core/api/videos.ts'
import type { EventRecord, VideoRecord } from '../../../../src/core/video.ts'
import { VIDEO_EVENT_TYPES } from '../../../../src/core/vocabulary.ts'
import { eventTypesOf, withEvents } from '../../../../src/engine/life/apply.ts'
import { must } from '../../../fakes/must.ts'
import { accepted, ended, LINK, SECOND, T0, video } from '../../../fakes/records.ts'

const HOOK = 'https://hooks.example/a'
const context = (nowMs = T0) => ({
  nowMs,
  contentUrl: (id: string) => `https://gateway.example/unified/v1/videos/${id}/content?sig=${'s'.repeat(43)}`,
  eventsUrl: (id: string) => `https://gateway.example/unified/v1/videos/${id}/events?sig=${'s'.repeat(43)}`,
  ownBody: () => null,
})
const all = { webhookUrl: HOOK, webhookEvents: [...VIDEO_EVENT_TYPES] }

const only = (before: VideoRecord | null, after: VideoRecord, nowMs = T0): EventRecord => {
  const { events } = withEvents(before, after, context(nowMs))
  expect(events).toHaveLength(1)
  return must(events[0]).event
}
const dataOf = ({ body }: EventRecord): Record<string, unknown> => {
  const { data }: { data: Record<string, unknown> } = JSON.parse(body)
  return data
}

describe('which events a step is worth', () => {
  const runs = accepted({ status: 'processing', progress: 0.2 })
  const told = { ...runs, lastProgressEventAtMs: T0 }
  test.each<[string, VideoRecord | null, VideoRecord, number, string[]]>([
    ['new', null, video(), T0, ['video.queued']],
    ['nothing moved', runs, runs, T0, []],
    ['processing', accepted(), runs, T0, ['video.processing']],
    ['completed', runs, ended(), T0, ['video.completed']],
    ['completed at once', accepted(), ended(), T0, ['video.completed']],
    ['failed', runs, ended({ status: 'failed' }), T0, ['video.failed']],
    ['its client is told', video(), video({ told: true }), T0, ['video.queued']],
    [
      'told, and running at once',
      video(),
      accepted({ status: 'processing' }),
      T0,
      ['video.queued', 'video.processing'],
    ],
    ['canceled', video({ told: true }), ended({ status: 'canceled' }), T0, ['video.canceled']],
    ['progress, the first', runs, { ...runs, progress: 0.3 }, T0, ['video.progress']],
    ['progress within 5 s of the last', told, { ...told, progress: 0.3 }, T0 + 4_999, []],
    ['progress after 5 s', told, { ...told, progress: 0.3 }, T0 + 5_000, ['video.progress']],
    ['an end is no progress', { ...runs, status: 'completed' }, ended({ progress: 1 }), T0, []],
  ])('%s', (_, before, after, nowMs, types) => {
    expect(eventTypesOf(before, after, nowMs)).toEqual(types)
  })
})

describe('withEvents', () => {
  test('a step of two events tells each in its own words', () => {
    const after = accepted({ ...all, told: true, status: 'processing', progress: 0.1 })
    const { events } = withEvents(video(all), after, context())
    expect(events.map(({ event }) => dataOf(event))).toMatchObject([
      { status: 'queued', progress: null, sequence: 1 },
      { status: 'processing', progress: 0.1, sequence: 2 },
    ])
  })

  test('numbers the events of a video, and remembers the last progress', () => {
    const before = accepted({ ...all, sequence: 4, progress: 0.1 })
    const { video: after, events } = withEvents(before, { ...before, progress: 0.2 }, context(T0 + SECOND))
    expect(after).toMatchObject({ sequence: 5, lastProgressEventAtMs: T0 + SECOND })
    expect(events).toMatchObject([
      { event: { type: 'video.progress', sequence: 5, atMs: T0 + SECOND }, targets: [{ kind: 'video', url: HOOK }] },
    ])
  })

  test('an event that nobody is owed is kept like any other: it is part of the history', () => {
    const before = accepted({ webhookUrl: HOOK, sequence: 4 })
    const moved = withEvents(before, { ...before, status: 'processing' }, context())
    expect(moved.events).toMatchObject([{ event: { type: 'video.processing', sequence: 5 }, targets: [] }])
    expect(moved.video.sequence).toBe(5)
    for (const given of [{}, { webhookUrl: HOOK, webhookEvents: [] }]) {
      const { events } = withEvents(accepted(given), ended(given), context())
      expect(events).toMatchObject([{ event: { type: 'video.completed', sequence: 1 }, targets: [] }])
    }
  })

  test('ids are the same after any replay, and another’s for another video, type or number', () => {
    const idOf = (given: Partial<VideoRecord>, status: 'completed' | 'failed' = 'completed', nowMs = T0): string =>
      only(accepted(given), ended({ ...given, status }), nowMs).id
    expect(idOf({})).toBe(idOf({}, 'completed', T0 + SECOND))
    expect(idOf({})).toMatch(/^evt_[0-9a-f]{26}$/)
    expect(new Set([idOf({}), idOf({ id: 'vid_2' }), idOf({}, 'failed'), idOf({ sequence: 1 })]).size).toBe(4)
  })
})

describe('the body', () => {
  const done = ended({ ...all, link: { ...LINK, expiresAtMs: T0 + 1_000, learnedAtMs: T0 } })

  test('is the envelope of Standard Webhooks around a Video', () => {
    const { type, timestamp, data } = JSON.parse(only(accepted(all), done, T0 + SECOND).body)
    expect({ type, timestamp }).toEqual({ type: 'video.completed', timestamp: '2026-11-20T10:00:01.000Z' })
    const Data = VideoView.omit({ input: true })
    const { sequence, timing, ...rest } = data
    expect(Data.parse(rest)).toMatchObject({ id: 'vid_1', status: 'completed' })
    expect(sequence).toBe(1)
    expect(timing).toBeDefined()
  })

  test('has no input, and no link that dies', () => {
    const event = only(accepted(all), done)
    expect(dataOf(event)).toMatchObject({ video_url: null, video_url_expires_at: null })
    expect(dataOf(event)).not.toHaveProperty('input')
    expect(event.body).not.toContain('Hello there')
    expect(event.body).not.toContain(LINK.url)
    expect(dataOf(event)['content_url']).toContain('/unified/v1/videos/vid_1/content?sig=')
  })

  test('only an end has timing', () => {
    expect(dataOf(only(accepted(all), accepted({ ...all, status: 'processing' })))).not.toHaveProperty('timing')
  })

  test.each<[string, Partial<VideoRecord>, object]>([
    [
      'since the last poll',
      { acceptedAtMs: T0, lastPollAtMs: T0 + 3_000, endedAtMs: T0 + 5_000 },
      { accepted_at: '2026-11-20T10:00:00.000Z', detected_at: '2026-11-20T10:00:05.000Z', uncertainty_ms: 2_000 },
    ],
    [
      'since it was sent, without a poll before',
      { dispatchedAtMs: T0, acceptedAtMs: T0 + 1_000, lastPollAtMs: null, endedAtMs: T0 + 5_000 },
      { accepted_at: '2026-11-20T10:00:01.000Z', uncertainty_ms: 5_000 },
    ],
    [
      'nobody knows when: it was over when it was imported',
      { dispatchedAtMs: null, acceptedAtMs: T0, lastPollAtMs: null, endedAtMs: T0 },
      { uncertainty_ms: null },
    ],
    [
      'never accepted: no uncertainty',
      { acceptedAtMs: null, status: 'failed', endedAtMs: T0 + 5_000 },
      { accepted_at: null, uncertainty_ms: 0 },
    ],
    [
      'a clock that went back: not below nought',
      { acceptedAtMs: T0, lastPollAtMs: T0 + 9_000, endedAtMs: T0 + 5_000 },
      { uncertainty_ms: 0 },
    ],
  ])('the end lies %s', (_, given, expected) => {
    expect(dataOf(only(accepted(all), ended({ ...all, ...given })))['timing']).toMatchObject(expected)
  })

  const words = '漢'.repeat(300)
  test.each([
    // A job that failed carries its own words, a create that was refused the refusal's.
    ['a failed job', { backendStatus: words }, { status: null, code: words, block_code: null, message: words }],
    ['a refused create', { backendStatus: null }, { status: 402, code: words, block_code: words, message: words }],
  ])('is under 20 kB with everything that a client and a backend may put into it: %s', (_, given, backendError) => {
    // Bounds: 8 KiB of metadata as JSON and 2,048 characters of URL at the edge, 300 of a backend's words in the adapters.
    const longest = {
      ...all,
      metadata: Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`k${n + 10}`, '"'.repeat(251)])),
      webhookUrl: `https://hooks.example/${'漢'.repeat(2_026)}`,
      thumbnailUrl: `https://cdn.example/${'t'.repeat(900_000)}`,
      ...given,
      backendJobId: 'j'.repeat(200),
      warnings: ['language', 'expressiveness', 'resolution'].map((param) => ({
        code: 'option_ignored' as const,
        param,
        message: `the primary interface has no equivalent of ${param}`,
      })),
      error: {
        code: 'backend_failed' as const,
        message: words,
        retryable: false,
        backend_error: backendError,
      },
    }
    const { body } = only(accepted(longest), ended({ ...longest, status: 'failed' }))
    const metadataBytes = Buffer.byteLength(JSON.stringify(longest.metadata))
    expect(metadataBytes).toBeGreaterThan(8_100)
    expect(metadataBytes).toBeLessThanOrEqual(8_192)
    expect(Buffer.byteLength(body)).toBeLessThan(20_000)
  })

  test('tells a thumbnail of a sane length, and leaves out one that is absurd', () => {
    const thumbnailOf = (thumbnailUrl: string): unknown =>
      dataOf(only(accepted(all), ended({ ...all, thumbnailUrl })))['thumbnail_url']
    expect(thumbnailOf(`https://cdn.example/${'t'.repeat(2_000)}`)).toContain('https://cdn.example/t')
    expect(thumbnailOf(`https://cdn.example/${'t'.repeat(2_100)}`)).toBeNull()
  })
})

describe('what is kept of a step', () => {
  const callback = { attempt: 1, jobId: null, body: { id: 'x' } }

  test('a callback’s body, until the video has ended', () => {
    const runs = accepted({ ...all, callback, status: 'processing' })
    expect(withEvents(accepted(all), runs, context()).video.callback).toEqual(callback)
    expect(withEvents(runs, ended({ ...all, callback }), context()).video.callback).toBeNull()
  })

  test('when its last progress was told: by an event of progress alone', () => {
    const runs = accepted({ ...all, status: 'processing', progress: 0.1, lastProgressEventAtMs: null })
    expect(withEvents(accepted(all), runs, context()).video.lastProgressEventAtMs).toBeNull()
    const more = withEvents(runs, { ...runs, progress: 0.2 }, context(T0 + SECOND)).video
    expect(more.lastProgressEventAtMs).toBe(T0 + SECOND)
  })
})
