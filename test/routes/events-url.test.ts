import { EventSource, type MessageEvent } from 'undici'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { VideoRecord } from '../../src/core/video.ts'
import type { VideoView } from '../../src/core/api/videos.ts'
import { saving } from '../contract/store/helpers.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { listen } from '../fakes/sse.ts'
import { until } from '../fakes/until.ts'
import { issuing } from './access-stage.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

let clock: FakeClock
let app: TestApp
beforeEach(async () => {
  clock = fakeClock()
  const limits = { streams: 2, requests_per_minute: 100 }
  app = await testApp({ clock, clients: Object.entries(KEYS).map(([id, key]) => ({ id, key, limits })) })
  servePrimary(app.main, clock.now)
})

const create = async (): Promise<VideoView> =>
  expectVideo(await app.post({ ...MAIN_BODY, metadata: { order: 'secret' } }), 202)
const change = async (id: string, given: Partial<VideoRecord>): Promise<void> => {
  const { video } = await app.deps.store.change(id, saving(given))
  app.deps.wake.changed(id, must(video).version, must(video).client)
}
const END = { phase: 'ended', status: 'completed', progress: 1, dueAtMs: null } as const

test('the EventSource of a browser follows one video, without a key, to its end', async () => {
  const { id, events_url: url } = await create()
  const source = new EventSource(url)
  onTestFinished(() => source.close())
  const heard: { type: string; lastEventId: string; data: Record<string, unknown> }[] = []
  for (const type of ['video.queued', 'video.processing', 'video.completed'])
    source.addEventListener(type, (event) => {
      const { lastEventId, data } = event as MessageEvent<string>
      heard.push({ type, lastEventId, data: JSON.parse(data) as Record<string, unknown> })
    })
  await until(() => heard.length === 1)
  await change(id, { status: 'processing' })
  await until(() => heard.length === 2)
  await change(id, { ...END, endedAtMs: clock.now() })
  await until(() => heard.length === 3)
  source.close()
  expect(heard.map(({ type, data }) => [type, data['status']])).toEqual([
    ['video.queued', 'queued'],
    ['video.processing', 'processing'],
    ['video.completed', 'completed'],
  ])
  // The video as a read shows it, without what its client said.
  const {
    input: _input,
    metadata: _metadata,
    webhook_url: _url,
    ...shown
  } = (await app.get(`/videos/${id}`)).body as VideoView
  expect(heard.at(-1)?.data).toEqual(shown)
  // Whoever comes back with the last id is told not to.
  const again = await listen(url, { 'last-event-id': must(heard.at(-1)).lastEventId })
  expect(again.status).toBe(204)
})

test('it goes on behind Last-Event-ID, as with a key', async () => {
  const { id, events_url: url } = await create()
  const first = await listen(url, {})
  const { id: last } = await first.event()
  first.hangUp()
  await change(id, { status: 'processing', progress: 0.5 })
  const second = await listen(url, { 'last-event-id': last })
  expect(await second.event()).toMatchObject({ data: { progress: 0.5 } })
})

test('it counts as its owner’s: one of its streams, and one of its requests a minute', async () => {
  const { events_url: url } = await create()
  const stream = await listen(url, {})
  expect(stream.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '98' })
  await stream.event()
  await (await listen(url, {})).event()
  const { pathname, search } = new URL(url)
  expectProblem(await app.raw.get(pathname + search), 'rate_limited')
  expectProblem(await app.raw.get(`/unified/v1/events/stream`).set(bearer(KEYS.anna)), 'rate_limited')
  // Bert has his own.
  expect((await listen(`${app.url}/unified/v1/events/stream`, bearer(KEYS.bert))).status).toBe(200)
  const { client } = (await app.get('/usage')).body as { client: { requests: number } }
  expect(client.requests).toBe(6)
})

test('a signature opens this one stream: of no other video, and of nothing else', async () => {
  const [one, other] = [await create(), await create()]
  const sigOf = (url: string): string => must(new URL(url).searchParams.get('sig'))
  const [events, content] = [sigOf(one.events_url), sigOf(one.content_url)]
  expect(events).not.toBe(content)
  const unsigned = (path: string) => app.raw.get(`/unified/v1/videos/${path}`)
  const refused = [
    `${other.id}/events?sig=${events}`,
    `${one.id}/events?sig=${content}`,
    `${one.id}/content?sig=${events}`,
    `${one.id}/events?sig=`,
    `${one.id}/events?sig=${events}x`,
    `vid_00000000000000000000000000/events?sig=${events}`,
  ]
  for (const path of refused) {
    const response = await unsigned(path)
    expectProblem(response, 'video_not_found')
    // Nobody's request: it costs its owner nothing.
    expect(response.headers['x-ratelimit-limit']).toBeUndefined()
  }
  for (const path of [`${one.id}?sig=${events}`, `${one.id}/download?sig=${events}`, `${one.id}/events`])
    expectProblem(await unsigned(path), 'unauthenticated')
  for (const query of [`sig=${events}&types=a`, `sig=${events}&sig=${events}`])
    expectProblem(await unsigned(`${one.id}/events?${query}`), 'invalid_request')
  expectProblem(await app.raw.post(`/unified/v1/videos/${one.id}/events?sig=${events}`), 'method_not_allowed')
  expectProblem(await unsigned(`${one.id}/events?sig=${events}`).set('accept', 'application/json'), 'not_acceptable')
  const head = await app.raw.head(`/unified/v1/videos/${one.id}/events?sig=${events}`).expect(200)
  expect(head.headers['content-type']).toBe('text/event-stream')
  // No log line has it.
  expect(app.logs.join('\n')).not.toContain(events)
})

test('of a client that was made through the API it counts as that client’s, and ends with it', async () => {
  const ops = issuing(app)
  await ops.client({ id: 'shop', limits: { streams: 1, requests_per_minute: 50 } })
  const { key } = await ops.issue({ client: 'shop', scopes: ['videos:create'] })
  const { events_url: url } = expectVideo(await app.post(MAIN_BODY, bearer(key)), 202)
  const { pathname, search } = new URL(url)
  const stream = await listen(url, {})
  expect(stream.headers).toMatchObject({ 'x-ratelimit-limit': '50' })
  await stream.event()
  expectProblem(await app.raw.get(pathname + search), 'rate_limited')
  await ops.call('patch', '/clients/shop', { enabled: false }).expect(200)
  await stream.ended
  expectProblem(await app.raw.get(pathname + search), 'video_not_found')
  await ops.call('patch', '/clients/shop', { enabled: true }).expect(200)
  const again = await listen(url, {})
  expect(again.status).toBe(200)
  await ops.call('delete', '/clients/shop').expect(204)
  await again.ended
})
