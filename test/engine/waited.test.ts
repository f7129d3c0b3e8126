import { afterEach, beforeEach, expect, test } from 'vitest'
import type { VideoEventType } from '../../src/core/vocabulary.ts'
import { must } from '../fakes/must.ts'
import { MINUTE, newEndpoint, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

let engine: Engine
const start = async (): Promise<void> => {
  engine = await openEngine({ account: { slots: null, requestsPerMinute: 2 } })
  engine.videos.start()
}
const stop = async (): Promise<void> => {
  await engine.videos.stop()
  await engine.destroy()
}
beforeEach(start)
afterEach(stop)

const WINDOW = MINUTE + SECOND
const register = (events?: VideoEventType[]) =>
  engine.store.createEndpoint(newEndpoint(events === undefined ? {} : { events }))

/** Whose video is polled first when the next window opens: both are due, and the other's has run for longer. */
const firstPolledAt = async (): Promise<string> => {
  await engine.pass(WINDOW)
  const call = must(engine.adapter.callsOf('status')[0])
  const jobId = call.operation === 'status' ? call.jobId : ''
  return must(await engine.store.video(must(await engine.store.owner(engine.account.id, jobId)))).client
}
/** The window is spent by these two. */
const both = async () => {
  await engine.create({}, null, 'other')
  await engine.pass(SECOND)
  return engine.create()
}

const drained = async (stream: AsyncGenerator): Promise<void> => {
  for await (const _ of stream);
}

test('with nobody waiting, the longest running goes first', async () => {
  await both()
  expect(await firstPolledAt()).toBe('other')
})

test('an endpoint that is told of ends is a promise, as a `webhook_url` is', async () => {
  await register()
  await both()
  expect(await firstPolledAt()).toBe('acme')
})

test.each<VideoEventType>(['video.completed', 'video.failed', 'video.canceled'])('%s alone is one', async (type) => {
  await register(['video.progress', type])
  await both()
  expect(await firstPolledAt()).toBe('acme')
})

test('so is one that is registered while the video runs', async () => {
  await both()
  await engine.pass(5 * SECOND)
  await register()
  expect(await firstPolledAt()).toBe('acme')
})

test.each<[string, () => Promise<unknown>]>([
  ['disabled', () => engine.store.changeEndpoint('acme', 'we_1', { enabled: false })],
  ['deleted', () => engine.store.deleteEndpoint('acme', 'we_1')],
  ['changed to hear of no end', () => engine.store.changeEndpoint('acme', 'we_1', { events: ['video.processing'] })],
])('the promise ends when the endpoint is %s', async (_, ends) => {
  await register()
  await both()
  await engine.pass(5 * SECOND)
  await ends()
  expect(await firstPolledAt()).toBe('other')
})

test('and is made again when it is enabled', async () => {
  await register()
  await engine.store.changeEndpoint('acme', 'we_1', { enabled: false })
  await both()
  await engine.pass(5 * SECOND)
  await engine.store.changeEndpoint('acme', 'we_1', { enabled: true })
  expect(await firstPolledAt()).toBe('acme')
})

test.each<[string, (id: string, signal: AbortSignal) => Promise<unknown>]>([
  ['a wait for it', (id, signal) => engine.videos.wait(id, 5 * MINUTE, signal)],
  ['its stream', (id, signal) => drained(engine.videos.followVideo(id, null, signal))],
  ['the stream of its client', (_, signal) => drained(engine.videos.followEvents('acme', 0, null, signal))],
])('%s is a promise while it lasts', async (_, hold) => {
  for (const held of [true, false]) {
    const { video } = await both()
    const hungUp = new AbortController()
    const over = hold(video.id, hungUp.signal)
    if (!held) hungUp.abort()
    expect(await firstPolledAt()).toBe(held ? 'acme' : 'other')
    hungUp.abort()
    await over
    await stop()
    await start()
  }
})
