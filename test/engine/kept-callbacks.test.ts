import { describe, expect, onTestFinished, test } from 'vitest'
import { createLastingHinted } from '../../src/engine/jobs/import.ts'
import { completed, scriptedAdapter } from '../fakes/adapter.ts'
import { fakeClock } from '../fakes/clock.ts'
import { MINUTE, SECOND, T0 } from '../fakes/records.ts'
import { openEngine } from './harness.ts'

const gone = (): Promise<never> => Promise.reject(new Error('the store is away'))

test('a callback that comes while the store is away makes the engine poll once, when it is back', async () => {
  const callbackUrl = 'https://gateway.example/hooks/main/token'
  const engine = await openEngine({ callbackUrl, adapter: (now) => scriptedAdapter(now, 'alternate') })
  engine.videos.start()
  onTestFinished(engine.destroy)
  onTestFinished(() => engine.videos.stop())
  engine.adapter.polls.push(completed())
  const { video } = await engine.create()
  await engine.pass(SECOND)
  const read = engine.store.video
  engine.store.video = gone
  await expect(engine.videos.hinted(video.id, 1, null)).rejects.toThrow('the store is away')
  await engine.pass(10 * SECOND)
  expect(engine.adapter.callsOf('status')).toHaveLength(0)
  engine.store.video = read
  await engine.pass(2 * SECOND)
  expect((await engine.record(video.id)).status).toBe('completed')
  await engine.pass(MINUTE)
  expect(engine.adapter.callsOf('status')).toHaveLength(1)
})

describe('callbacks that cannot be written', () => {
  const stage = () => {
    const clock = fakeClock(T0)
    const written: string[] = []
    const state = { isAway: true, neverOf: '', atWrite: (): void => undefined }
    const callbacks = createLastingHinted(async (videoId, attempt) => {
      if (state.isAway || videoId === state.neverOf) return gone()
      written.push(`${videoId} ${attempt}`)
      state.atWrite()
    }, clock)
    const come = (videoId: string, attempt = 1) => callbacks.hinted(videoId, attempt, null).catch(() => undefined)
    return { clock, written, state, come, stop: callbacks.stop }
  }

  test('are the last one of each video, and written once', async () => {
    const { clock, written, state, come } = stage()
    for (const attempt of [1, 2]) await come('vid_1', attempt)
    await come('vid_2')
    state.isAway = false
    await come('vid_3')
    await clock.advance(MINUTE)
    expect(written).toEqual(['vid_3 1', 'vid_1 2', 'vid_2 1'])
  })

  test('are forgotten for a later one that was written', async () => {
    const { clock, written, state, come } = stage()
    await come('vid_1')
    state.isAway = false
    await come('vid_1', 2)
    await clock.advance(MINUTE)
    expect(written).toEqual(['vid_1 2'])
  })

  test('are at most 200, and the oldest is forgotten', async () => {
    const { clock, written, state, come } = stage()
    for (let n = 0; n <= 200; n += 1) await come(`vid_${n}`)
    state.isAway = false
    await clock.advance(MINUTE)
    expect([written.length, written[0]]).toEqual([200, 'vid_1 1'])
  })

  test('are forgotten after ten minutes', async () => {
    const { clock, written, state, come } = stage()
    await come('vid_1')
    await clock.advance(2 * SECOND)
    await come('vid_2')
    await clock.advance(10 * MINUTE - 2 * SECOND)
    state.isAway = false
    await clock.advance(MINUTE)
    expect(written).toEqual(['vid_2 1'])
  })

  test('hold up no other by one that can never be written', async () => {
    const { clock, written, state, come } = stage()
    for (const id of ['vid_never', 'vid_1', 'vid_2']) await come(id)
    Object.assign(state, { isAway: false, neverOf: 'vid_never' })
    await clock.advance(3 * SECOND)
    expect(written).toEqual(['vid_1 1', 'vid_2 1'])
  })

  test('are written soon also if they come as the last one before them was written', async () => {
    const { clock, written, state, come } = stage()
    await come('vid_1')
    state.isAway = false
    state.atWrite = () => {
      Object.assign(state, { isAway: true, atWrite: () => undefined })
      void come('vid_2')
    }
    await clock.advance(SECOND)
    state.isAway = false
    await clock.advance(2 * SECOND)
    expect(written).toEqual(['vid_1 1', 'vid_2 1'])
  })

  test('end with the process, and leave no timer', async () => {
    const { clock, written, state, come, stop } = stage()
    await come('vid_1')
    stop()
    await come('vid_2')
    state.isAway = false
    await clock.advance(MINUTE)
    expect(written).toEqual([])
  })
})
