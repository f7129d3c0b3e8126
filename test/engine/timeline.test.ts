import { afterEach, beforeEach, expect, test } from 'vitest'
import { completed, running, unread } from '../fakes/adapter.ts'
import { acceptedAs, MINUTE, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

let engine: Engine
beforeEach(async () => {
  engine = await openEngine({ account: { requestsPerMinute: 1_000 } })
  engine.videos.start()
})
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

const soon = () => ({ nextPollAtMs: engine.clock.now() + 10 * SECOND })
const polls = async (id: string) => (await engine.videos.timeline(id)).filter(({ type }) => type === 'polled')
const askedAt = () => engine.adapter.callsOf('status').map(({ atMs }) => atMs)

test('each poll is in the timeline, with what it said: at once where it was made, written with the next change', async () => {
  engine.adapter.creates.push(acceptedAs('job_1', { status: 'processing', backendStatus: 'processing' }))
  const { video } = await engine.create()
  const { version } = await engine.record(video.id)
  engine.adapter.polls.push(running(soon()), unread(), running({ progress: null }))
  while (askedAt().length < 3) await engine.pass(SECOND)
  await engine.pass(0)
  const said = ['processing', 'backend_error (HTTP 500)', 'processing']
  expect((await polls(video.id)).map(({ detail }) => detail)).toEqual(said)
  expect((await polls(video.id)).map(({ at }) => at)).toEqual(askedAt())
  // None of them was worth a write.
  expect(await engine.record(video.id)).toMatchObject({ version })
  expect((await engine.store.timeline(video.id)).map(({ type }) => type)).not.toContain('polled')

  engine.adapter.polls.push(running({ progress: 0.5 }), completed())
  await engine.pass(30 * MINUTE)
  const written = (await engine.store.timeline(video.id)).filter(({ type }) => type === 'polled')
  expect(written.map(({ detail }) => detail)).toEqual([
    ...said,
    'processing, 50 %',
    expect.stringMatching(/^completed/),
  ])
  expect(written.map(({ at }) => at)).toEqual(askedAt())
  expect(await polls(video.id)).toEqual(written)
  expect((await engine.record(video.id)).version).toBe(version + 2)
})
