import { describe, expect, test } from 'vitest'
import { VideoView } from '../../../../src/core/api/videos.ts'
import type { VideoRecord } from '../../../../src/core/video.ts'
import { renderVideo } from '../../../../src/engine/life/apply.ts'
import { accepted, ended, LINK, problem, SECOND, T0, video } from '../../../fakes/records.ts'

const view = (record: VideoRecord, position: number | null = null, isPaused = false): VideoView => {
  const contentUrl = (id: string): string => `https://gateway.example/unified/v1/videos/${id}/content?sig=s`
  const eventsUrl = (id: string): string => `https://gateway.example/unified/v1/videos/${id}/events?sig=s`
  return VideoView.parse(
    renderVideo(record, {
      nowMs: T0 + SECOND,
      contentUrl,
      eventsUrl,
      position,
      isPaused,
      plannedPollAtMs: record.dueAtMs,
    }),
  )
}
const linkUntil = (expiresAtMs: number | null) => ({ ...LINK, expiresAtMs, learnedAtMs: T0 })

const FAILED: Partial<VideoRecord> = {
  status: 'failed',
  error: { code: 'backend_failed', message: 'no face', retryable: false, backend_error: problem().backendError },
}

describe('every phase is a Video as the API documents it', () => {
  test.each<[string, VideoRecord, number | null, object]>([
    [
      'waiting',
      video({ waitReason: 'no_budget' }),
      3,
      { status: 'queued', queue: { position: 3, reason: 'no_budget' } },
    ],
    [
      'waiting, before a reason is known',
      video({ waitReason: null }),
      1,
      { queue: { position: 1, reason: 'no_free_slot' } },
    ],
    [
      'waiting for its audio',
      video({
        waitReason: 'audio_transfer',
        input: { ...video().input, text: null, audio_url: 'https://a.example/a' },
      }),
      1,
      { source: 'audio', queue: { position: 1, reason: 'audio_transfer' } },
    ],
    ['dispatching', video({ phase: 'dispatching' }), null, { status: 'queued', queue: null, backend_job_id: null }],
    ['doubtful', video({ phase: 'doubtful', doubtSinceMs: T0 }), null, { status: 'queued', error: null }],
    ['accepted', accepted(), null, { backend_job_id: 'job_1', dispatched_at: '2026-11-20T10:00:00.000Z' }],
    ['completed', ended({ link: linkUntil(null), progress: 1 }), null, { video_url: LINK.url, progress: 1 }],
    ['failed', ended(FAILED), null, { error: FAILED.error, completed_at: '2026-11-20T10:00:00.000Z' }],
    ['canceled', ended({ status: 'canceled' }), null, { status: 'canceled' }],
  ])('%s', (_, record, position, expected) => {
    expect(view(record, position)).toMatchObject(expected)
  })

  test('with every field set', () => {
    const full = accepted({
      progress: 0.42,
      credits: { charged: 1, remaining: 9 },
      warnings: [{ code: 'option_ignored', param: 'language', message: 'm' }],
      metadata: { order: '42' },
      webhookUrl: 'https://hooks.example/',
      thumbnailUrl: 'https://t.example/',
      durationSeconds: 3.5,
      durationEstimateSeconds: 4,
      dueAtMs: T0 + 9 * SECOND,
    })
    expect(view(full)).toMatchObject({ metadata: { order: '42' }, next_poll_at: '2026-11-20T10:00:09.000Z' })
  })
})

test('what waits at a paused backend says so, whatever it waited for before', () => {
  expect(view(video({ waitReason: 'no_budget' }), 2, true).queue).toEqual({ position: 2, reason: 'backend_paused' })
  expect(view(accepted(), null, true).queue).toBeNull()
})

describe('what is shown only while it is true', () => {
  test.each([
    ['lives', T0 + 2 * SECOND, LINK.url, '2026-11-20T10:00:02.000Z'],
    ['has expired', T0 + SECOND, null, null],
    ['tells no expiry', null, LINK.url, null],
  ])('a link that %s', (_, expiresAtMs, url, expiresAt) => {
    expect(view(ended({ link: linkUntil(expiresAtMs) }))).toMatchObject({
      video_url: url,
      video_url_expires_at: expiresAt,
    })
  })

  test.each<[string, VideoRecord]>([
    ['a poll that is past', accepted({ dueAtMs: T0 })],
    ['one that waits', video({ dueAtMs: T0 + 9 * SECOND })],
    ['one that ended', ended()],
  ])('no next poll for %s', (_, record) => {
    expect(view(record).next_poll_at).toBeNull()
  })
})

test('nothing of the gateway’s inner life gets out', () => {
  const keys = Object.keys(view(accepted({ attempt: 3, resends: 2, hintedPolls: 1 })))
  expect(keys).toEqual(Object.keys(VideoView.shape))
  const waits = view(video({ lease: { token: 'secret-token', untilMs: T0 }, client: 'acme-inc' }), 1)
  expect(JSON.stringify(waits)).not.toMatch(/secret-token|acme-inc|acct_/)
})
