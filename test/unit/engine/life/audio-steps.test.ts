import { describe, expect, test } from 'vitest'
import type { VideoRecord } from '../../../../src/core/video.ts'
import {
  failure,
  idempotencyKeyOf,
  needsTransfer,
  putOff,
  toldOfTransfer,
  transferred,
  untransferred,
} from '../../../../src/engine/life/job-steps.ts'
import { problem, T0, video, WIRE } from '../../../fakes/records.ts'

const NEEDED = { step: 'needed', tries: 2 } as const
const DONE = { step: 'done', tries: 2 } as const

describe('the key that goes to the backend', () => {
  // Another key for the same bytes would be a second paid job.
  test.each<[string, Partial<VideoRecord>]>([
    ['first', {}],
    ['after other attempts', { attempt: 3 }],
    ['after resends', { resends: 2, phase: 'doubtful', doubtSinceMs: T0 }],
    ['after other writes', { version: 9 }],
    ['where the backend may have to host the audio', { transfer: { step: 'possible', tries: 0 } }],
    ['while the audio is brought there', { transfer: NEEDED }],
  ])('%s: the same', (_, given) => {
    const one = video(given)
    expect(idempotencyKeyOf(one)).toBe(`${one.id}.1`)
  })

  test('the backend hosts the audio: the body is another, and so is the key', () => {
    const one = video({ transfer: DONE, attempt: 5 })
    expect(idempotencyKeyOf(one)).toBe(`${one.id}.2`)
  })
})

test.each<[Partial<VideoRecord>, boolean]>([
  [{ transfer: NEEDED }, true],
  [{ transfer: NEEDED, phase: 'ended' }, false],
  [{ transfer: DONE }, false],
  [{ transfer: { step: 'possible', tries: 0 } }, false],
  [{ transfer: null }, false],
])('%j: its audio is to be brought to the backend: %s', (given, needs) => {
  expect(needsTransfer(video(given))).toBe(needs)
})

describe('the audio of a video', () => {
  test('is not at its backend: nothing is under way while it is brought there', () => {
    const sent = video({ phase: 'dispatching', lease: { token: 't', untilMs: T0 }, wire: WIRE, dueAtMs: T0 })
    const step = untransferred(sent, problem({ code: 'upload_not_found' }), T0)
    const parked = { phase: 'waiting', lease: null, wire: null, dueAtMs: null, waitReason: 'audio_transfer' }
    expect(step.video).toMatchObject({ ...parked, transfer: { step: 'needed', tries: 0 } })
    expect(step.video.refusal?.code).toBe('upload_not_found')
    expect(step.notes).toEqual([{ at: T0, type: 'waiting', detail: 'audio_transfer' }])
  })

  test('is there now: the create is due, with its new address', () => {
    const before = video({ transfer: NEEDED, dueAtMs: null, told: false, refusal: failure('audio_unreachable', 'x') })
    const step = transferred(before, 'https://b.example/audio', 'upl_1', T0)
    expect(step.video).toMatchObject({
      told: true,
      dueAtMs: T0,
      waitReason: 'no_free_slot',
      transfer: DONE,
      refusal: null,
    })
    expect(step.video.order).toEqual({ ...before.order, audioUrl: 'https://b.example/audio' })
    expect(step.notes).toEqual([{ at: T0, type: 'audio_transferred', detail: 'upl_1' }])
  })

  test.each([
    [null, 1],
    [8, 9],
  ])('cannot be brought there after %j tries: later', (tries, after) => {
    const before = video({ transfer: tries === null ? null : { step: 'needed', tries }, told: false })
    const error = failure('backend_unavailable', 'no answer')
    const step = putOff(before, error, T0)
    expect(step.video).toMatchObject({ phase: 'waiting', told: true, transfer: { step: 'needed', tries: after } })
    expect(step.video.refusal).toEqual(error)
    const detail = 'backend_unavailable: no answer'
    expect(step.notes).toEqual([{ at: T0, type: 'audio_transfer_delayed', detail }])
  })

  test('cannot be brought there at the tenth try: the video fails, with the last error', () => {
    const error = failure('backend_unavailable', 'no answer')
    const { video: after } = putOff(video({ transfer: { step: 'needed', tries: 9 } }), error, T0)
    expect(after).toMatchObject({ phase: 'ended', status: 'failed', error })
  })

  test('is still on its way when its client is answered: told once', () => {
    const untold = video({ told: false, transfer: NEEDED })
    expect(toldOfTransfer(untold)).toEqual({ video: { ...untold, told: true }, notes: [] })
    expect(toldOfTransfer({ ...untold, told: true })).toBe('keep')
  })
})
