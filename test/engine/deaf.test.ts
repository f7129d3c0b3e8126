import { afterEach, expect, test } from 'vitest'
import { completed, running, scriptedAdapter } from '../fakes/adapter.ts'
import { doubt, MINUTE, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

/** The alarm clock is lossy by contract: one that forgets every hint delays by a sweep, and loses nothing. */
let engine: Engine
const deaf = async (options: EngineOptions = {}): Promise<void> => {
  engine = await openEngine(options)
  engine.wake.hint = () => undefined
  engine.wake.changed = () => undefined
  engine.videos.start()
}
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

test('what waits goes out within a sweep of the slot that frees, and every job ends', async () => {
  await deaf({ account: { slots: 1 } })
  const first = (await engine.create()).video
  const second = (await engine.create()).video
  expect(second.phase).toBe('waiting')
  engine.adapter.looks.push(completed())
  await engine.pass(MINUTE)
  expect(await engine.record(first.id)).toMatchObject({ status: 'completed' })
  const { phase, dispatchedAtMs } = await engine.record(second.id)
  expect(phase).toBe('accepted')
  const endedAtMs = (await engine.record(first.id)).endedAtMs ?? 0
  expect((dispatchedAtMs ?? 0) - endedAtMs).toBeLessThanOrEqual(SECOND)
})

test('a doubt is resolved', async () => {
  await deaf()
  engine.adapter.creates.push(doubt())
  const { video } = await engine.create()
  await engine.pass(10 * SECOND)
  expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
})

test('a callback is heeded', async () => {
  await deaf({
    interface: 'alternate',
    adapter: (now) => scriptedAdapter(now, 'alternate'),
    callbackUrl: 'https://gateway.example/hook',
  })
  const { video } = await engine.create()
  engine.adapter.looks.push(completed())
  await engine.videos.hinted(video.id, 1, null)
  await engine.pass(2 * SECOND)
  expect(await engine.record(video.id)).toMatchObject({ status: 'completed' })
})

test('who waits for the end hears of it by reading again', async () => {
  await deaf()
  const { video } = await engine.create()
  engine.adapter.looks.push(running(), completed())
  const waiting = engine.videos.wait(video.id, 10 * MINUTE, new AbortController().signal)
  await engine.pass(9 * MINUTE)
  expect(await waiting).toMatchObject({ status: 'completed' })
})
