import { beforeEach, describe, expect, test } from 'vitest'
import { VideoView } from '../../src/core/api/videos.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { saving } from '../contract/store/helpers.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { listen } from '../fakes/sse.ts'
import { until } from '../fakes/until.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

const SECOND = 1_000
/** So many of these are more than the buffers between two sockets of this machine hold. */
const FLOOD = 150
const BIG = 'x'.repeat(100_000)

let clock: FakeClock
let app: TestApp
beforeEach(async () => {
  clock = fakeClock()
  const clients = Object.entries(KEYS).map(([id, key]) => ({ id, key, limits: { streams: 2 } }))
  app = await testApp({ clock, clients, server: { streams: 3 } })
  servePrimary(app.main, clock.now)
})

const create = async (): Promise<string> => expectVideo(await app.post(MAIN_BODY), 202).id
const open = (id: string, headers: Record<string, string> = {}, key: string = KEYS.anna) =>
  listen(`${app.url}/unified/v1/videos/${id}/events`, { ...bearer(key), ...headers })
/** What the engine does at a change: writes it, then tells. */
const change = async (id: string, given: Partial<VideoRecord>): Promise<number> => {
  const { video } = await app.deps.store.change(id, saving(given))
  const { version, client } = must(video)
  app.deps.wake.changed(id, version, client)
  return version
}
const complete = (id: string): Promise<number> =>
  change(id, { phase: 'ended', status: 'completed', endedAtMs: clock.now(), progress: 1, dueAtMs: null })
/** Changes that are all written while nobody reads. */
const flood = async (id: string): Promise<void> => {
  for (let n = 1; n <= FLOOD; n += 1) {
    await change(id, { metadata: { BIG, n: String(n) } })
    await new Promise((resolve) => setImmediate(resolve))
  }
}
const versionOf = async (id: string): Promise<number> => must(await app.deps.store.video(id)).version

describe('GET /videos/{id}/events', () => {
  test('tells the state at once, every change that can be seen, and the end; then it ends', async () => {
    const id = await create()
    const stream = await open(id)
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-ratelimit-limit': '600',
    })
    expect(stream.headers['x-request-id']).toMatch(/^req_/)
    expect(await stream.next()).toEqual({ retry: '3000' })
    const first = await stream.event()
    expect(first).toMatchObject({ id: String(await versionOf(id)), event: 'video.queued' })
    // The very Video that a read answers.
    expect(VideoView.parse(first.data)).toEqual(expectVideo(await app.get(`/videos/${id}`), 200))

    const steps = [{ status: 'processing' }, { progress: 0.25 }, { progress: 0.5 }] as const
    const types = ['video.processing', 'video.progress', 'video.progress']
    for (const [n, step] of steps.entries()) {
      const version = await change(id, step)
      expect(await stream.event()).toMatchObject({ id: String(version), event: types[n], data: step })
    }
    // Nobody can see these.
    await change(id, { lastPollAtMs: clock.now(), hintedPolls: 1 })
    const version = await complete(id)
    expect(await stream.event()).toMatchObject({
      id: String(version),
      event: 'video.completed',
      data: { status: 'completed', progress: 1 },
    })
    expect(await stream.ended).toBe('whole')
    expect(stream.heard.filter(({ data }) => data !== undefined)).toHaveLength(5)
  })

  test('of an ended video: its end at once; to whoever has that already: 204, do not come back', async () => {
    const id = await create()
    const version = await complete(id)
    const stream = await open(id)
    expect(await stream.event()).toMatchObject({ event: 'video.completed', id: String(version) })
    expect(await stream.ended).toBe('whole')
    const again = await open(id, { 'last-event-id': String(version) })
    expect(again.status).toBe(204)
    expect(again.headers['x-ratelimit-limit']).toBe('600')
    expect(await again.ended).toBe('whole')
  })

  test('resumes: nothing that is had already, what it has come to since, the end if that was missed', async () => {
    const id = await create()
    const version = await change(id, { status: 'processing', progress: 0.1 })
    const same = await open(id, { 'last-event-id': String(version) })
    await same.next()
    const later = await change(id, { progress: 0.2 })
    expect(await same.event()).toMatchObject({ id: String(later), data: { progress: 0.2 } })
    expect(same.heard.filter(({ data }) => data !== undefined)).toHaveLength(1)
    same.hangUp()

    await change(id, { progress: 0.3 })
    const now = await change(id, { progress: 0.4 })
    const behind = await open(id, { 'last-event-id': String(later) })
    expect(await behind.event()).toMatchObject({ id: String(now), event: 'video.processing', data: { progress: 0.4 } })
    behind.hangUp()

    await complete(id)
    const missed = await open(id, { 'last-event-id': String(now) })
    expect(await missed.event()).toMatchObject({ event: 'video.completed' })
    expect(await missed.ended).toBe('whole')
  })

  test.each(['', 'x', '-1', '999999999', '9'.repeat(400), '0; drop'])(
    'the id %j is none of its versions: the state at once',
    async (lastEventId) => {
      const id = await create()
      const stream = await open(id, { 'last-event-id': lastEventId })
      expect(await stream.event()).toMatchObject({ event: 'video.queued' })
    },
  )

  test('a change that nobody told of is found within five seconds', async () => {
    const id = await create()
    const stream = await open(id)
    await stream.event()
    await app.deps.store.change(id, saving({ status: 'processing' }))
    await clock.advance(5 * SECOND)
    expect(await stream.event()).toMatchObject({ event: 'video.processing' })
  })

  test('a video that is gone ends its stream', async () => {
    const id = await create()
    const stream = await open(id)
    await stream.event()
    await app.deps.store.change(id, () => ({ kind: 'discard' }))
    app.deps.wake.changed(id, 9, 'anna')
    expect(await stream.ended).toBe('whole')
  })

  test('a comment every fifteen seconds, and no request to a backend, however long it is held', async () => {
    const id = await create()
    const sent = app.upstream()
    const stream = await open(id)
    await stream.event()
    await clock.advance(14 * SECOND)
    expect(stream.heard.filter(({ comment }) => comment !== undefined)).toEqual([])
    await clock.advance(1 * SECOND)
    expect(await stream.next()).toEqual({ comment: 'heartbeat' })
    await clock.advance(60 * SECOND)
    for (let n = 0; n < 4; n += 1) expect(await stream.next()).toEqual({ comment: 'heartbeat' })
    expect(app.upstream()).toBe(sent)
  })

  test('a slow reader gets the latest state only, and costs no more than the buffers of its socket', async () => {
    const id = await create()
    const stream = await open(id)
    await stream.event()
    stream.pause()
    await flood(id)
    await complete(id)
    stream.resume()
    expect(await stream.ended).toBe('whole')
    const data = stream.heard.flatMap((block) => (block.data === undefined ? [] : [block]))
    expect(data.length).toBeLessThan(FLOOD)
    expect(data.at(-1)).toMatchObject({ event: 'video.completed' })
    expect(JSON.parse(data.at(-1)?.data ?? '')).toMatchObject({ metadata: { n: String(FLOOD) } })
    const ids = data.map((block) => Number(block.id))
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
  })

  test('a reader that has stopped reading is let go after a minute', async () => {
    const id = await create()
    const stream = await open(id)
    await stream.event()
    stream.pause()
    await flood(id)
    await clock.advance(61 * SECOND)
    stream.resume()
    expect(await stream.ended).toBe('cut')
  })
})

describe('who may', () => {
  test('another client’s video is as unknown as none', async () => {
    const id = await create()
    const problem = async (path: string, key: string) =>
      expectProblem(await app.raw.get(`/unified/v1/videos/${path}/events`).set(bearer(key)), 'video_not_found')
    const { detail, request_id: _, ...foreign } = await problem(id, KEYS.bert)
    const { detail: unknown, request_id: __, ...none } = await problem('vid_nobody', KEYS.bert)
    expect(foreign).toEqual(none)
    expect(detail.replace(id, '')).toBe(unknown.replace('vid_nobody', ''))
  })

  test('406 to whom takes no event stream, 405 to other methods, 400 to a query; HEAD is answered and over', async () => {
    const id = await create()
    const path = `/videos/${id}/events`
    expectProblem(await app.get(path).set('accept', 'application/json'), 'not_acceptable')
    const refused = await app.raw.post(`/unified/v1${path}`).set(bearer(KEYS.anna))
    expectProblem(refused, 'method_not_allowed')
    expect(refused.headers['allow']).toBe('GET, HEAD')
    expectProblem(await app.get(`${path}?x=1`), 'invalid_request', { param: 'x' })
    const head = await app.raw.head(`/unified/v1${path}`).set(bearer(KEYS.anna))
    expect({ status: head.status, type: head.headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/event-stream',
    })
  })

  test('one client holds as many as it may, all together as many as there are; each that ends makes room', async () => {
    const id = await create()
    const [one] = [await open(id), await open(id)]
    const own = await app.get(`/videos/${id}/events`).set('accept', 'text/event-stream')
    const problem = expectProblem(own, 'rate_limited', { details: { streams: 2 } })
    expect(problem.retry_after_seconds).toBe(5)
    const bert = bearer(KEYS.bert)
    const stream = await listen(`${app.url}/unified/v1/events/stream`, bert)
    expect(stream.status).toBe(200)
    const all = await app.raw.get('/unified/v1/events/stream').set(bert)
    expectProblem(all, 'rate_limited', { details: { streams: 3 } })
    one?.hangUp()
    await until(async () => {
      const next = await open(id)
      return next.status === 200
    })
  })
})
