import { describe, expect, test } from 'vitest'
import type { VideoRecord } from '../../../../src/core/video.ts'
import { calledBack, keptBody } from '../../../../src/engine/life/job-steps.ts'
import { withEvents } from '../../../../src/engine/life/apply.ts'
import { accepted, ended, MINUTE, SECOND, T0 } from '../../../fakes/records.ts'

/** What a backend called back with is kept for a client that speaks its contract, and sent on with the end. */

const HOOK = 'https://hooks.example/'
const BODY = { event: 'done', n: 1 }
const OWN = {
  interface: 'alternate',
  surface: 'alternate',
  webhookUrl: HOOK,
  webhookEvents: ['video.completed'],
} as const
const runs = (given: Partial<VideoRecord> = {}): VideoRecord =>
  accepted({ ...OWN, webhookEvents: [...OWN.webhookEvents], dueAtMs: T0 + MINUTE, ...given })
const call = (
  video: VideoRecord,
  given: { attempt?: number; jobId?: string | null; n?: number; nowMs?: number } = {},
) => {
  const { attempt = 1, jobId = null, n = 1, nowMs = T0 } = given
  return calledBack(video, { attempt, jobId, body: { ...BODY, n } }, video.dueAtMs, nowMs)
}

describe('a body is kept', () => {
  test('with the attempt that it is about, and the job that it names', () => {
    expect(call(runs())?.video.callback).toEqual({ attempt: 1, jobId: null, body: BODY })
    expect(call(runs(), { jobId: 'job_1' })?.video.callback).toEqual({ attempt: 1, jobId: 'job_1', body: BODY })
  })

  test.each<[string, Partial<VideoRecord>]>([
    ['nobody is told of the video', { webhookUrl: null }],
    ['its client speaks the unified API', { surface: 'unified' }],
    ['its client speaks the other contract', { surface: 'primary' }],
    ['it has ended', { phase: 'ended', status: 'completed' }],
    ['it is about an attempt that is not the last', { attempt: 2 }],
  ])('not where %s', (_, given) => {
    expect(call(runs(given))?.video.callback ?? null).toBeNull()
  })

  test('of as many as are worth a poll, and of the first in any case: a flood writes no more', () => {
    const polled = runs({ lastHintAtMs: T0 + SECOND })
    expect(call(polled)?.video).toEqual({ ...polled, callback: { attempt: 1, jobId: null, body: BODY } })
    let video = polled
    let writes = 0
    for (let n = 0; n < 1_000; n += 1) {
      const step = call(video, { n, nowMs: T0 + n * SECOND })
      if (!step) continue
      writes += 1
      video = { ...step.video, dueAtMs: T0 + 9 * MINUTE }
    }
    expect(writes).toBe(4)
    expect(video.callback?.body['n']).toBeGreaterThan(0)
  })
})

describe('what can be kept', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
  test.each([
    ['an object', BODY, true],
    ['an object of 16 KiB', sized(16_384), true],
    ['an object of a byte more', sized(16_385), false],
    ['one whose bytes are more than its characters', { a: 'é'.repeat(8_189) }, false],
    ['one of 32 levels', nested(32), true],
    ['one of 33', nested(33), false],
    ['one of thirty thousand', JSON.parse(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`), false],
    ['a list', [BODY], false],
    ['a text', 'done', false],
    ['nothing', null, false],
  ])('%s', (_, body: unknown, isKept) => {
    expect(keptBody(body)).toEqual(isKept ? body : null)
  })
})

describe('with the end', () => {
  const context = (ownBody: () => string | null) => ({
    nowMs: T0,
    contentUrl: (id: string) => `https://x/${id}`,
    eventsUrl: (id: string) => `https://x/${id}/events`,
    ownBody,
  })
  const callback = { attempt: 1, jobId: null, body: BODY }

  test('its own target gets the body of its own, and the record forgets what was called back', () => {
    const after = ended({ ...OWN, webhookEvents: [...OWN.webhookEvents], callback })
    const { video, events } = withEvents(
      runs({ callback }),
      after,
      context(() => '{"own":1}'),
    )
    expect(events.map(({ targets }) => targets)).toEqual([[{ kind: 'video', url: HOOK, body: '{"own":1}' }]])
    expect(JSON.parse(events[0]?.event.body ?? '')).toMatchObject({ type: 'video.completed' })
    expect(video.callback).toBeNull()
  })

  test('without one, the event’s', () => {
    const after = ended({ ...OWN, webhookEvents: [...OWN.webhookEvents] })
    const { events } = withEvents(
      runs(),
      after,
      context(() => null),
    )
    expect(events.map(({ targets }) => targets)).toEqual([[{ kind: 'video', url: HOOK }]])
  })

  test('before it, none is made', () => {
    const moving = runs({ webhookEvents: ['video.processing'], status: 'queued' })
    const { events } = withEvents(
      moving,
      { ...moving, status: 'processing' },
      context(() => 'never'),
    )
    expect(events.map(({ targets }) => targets)).toEqual([[{ kind: 'video', url: HOOK }]])
  })
})
