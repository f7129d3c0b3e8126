import { expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const HOUR_MS = 3_600_000
/** For so long a link without an expiry is trusted. */
const TEN_MINUTES_MS = 600_000
const AGAIN = { ...MAIN_BODY, reuse: '7d' }

const start = async (options: GatewayOptions = {}) => {
  const clock = fakeClock()
  const app = await testApp({ clock, ...options })
  const main = servePrimary(app.main, clock.now)
  const alt = serveAlternate(app.alt, clock.now)
  main.state.onCreate = alt.state.onCreate = main.state.onRead = 'completed'
  const postAs = (key: string, body: object) => app.raw.post('/unified/v1/videos').set(bearer(key)).send(body)
  const check = async (body: object) => {
    const { status, body: answer } = await app.raw.post('/unified/v1/videos/check').set(bearer(KEYS.anna)).send(body)
    expect(status).toBe(200)
    return answer.reused_from as unknown
  }
  return { app, clock, main, alt, postAs, check }
}

test('the file of a video of exactly the same is a new video, immediately, and nothing is sent or paid', async () => {
  const { app, main, check } = await start()
  const first = expectVideo(await app.post(MAIN_BODY), 200)
  expect(await check(AGAIN)).toBe(first.id)
  const webhook_url = 'https://8.8.8.8/in'
  const again = expectVideo(await app.post({ ...AGAIN, metadata: { order: '2' }, webhook_url }), 200)
  expect(again).toMatchObject({
    status: 'completed',
    reused_from: first.id,
    backend_job_id: null,
    credits: { charged: 0, remaining: null },
    metadata: { order: '2' },
    video_url: first.video_url,
    input: first.input,
  })
  expect(again.id).not.toBe(first.id)
  expect((await app.get(`/videos/${again.id}/content`)).headers['location']).toBe(first.video_url)
  const { events } = await app.deps.store.eventsOf('anna', { after: 0, limit: 100, types: null })
  const own = events.filter(({ event }) => event.videoId === again.id)
  expect(own.map(({ event }) => [event.type, event.sequence])).toEqual([
    ['video.queued', 1],
    ['video.completed', 2],
  ])
  const [delivery] = await app.deps.store.deliveriesOf(again.id)
  expect(JSON.parse(must(delivery).event.body)).toMatchObject({
    type: 'video.completed',
    data: { id: again.id, status: 'completed', reused_from: first.id, metadata: { order: '2' } },
  })
  const { body } = await app.get(`/videos/${again.id}?expand=timeline`)
  expect(body.timeline.map(({ type }: { type: string }) => type)).toEqual(['created', 'reused', 'completed'])
  expect(main.creates()).toHaveLength(1)
})

test('off by default, and where the request says so; `check` says the same', async () => {
  const { app, main, check } = await start()
  const { id } = expectVideo(await app.post(MAIN_BODY), 200)
  for (const reuse of [undefined, null, 'off']) {
    expect(await check({ ...MAIN_BODY, reuse })).toBeNull()
    expect(expectVideo(await app.post({ ...MAIN_BODY, reuse }), 200).reused_from).toBeNull()
  }
  expect(main.creates()).toHaveLength(4)
  const { app: other, main: theirs } = await start({ clients: [{ id: 'anna', key: KEYS.anna, reuse: '1h' }] })
  const first = expectVideo(await other.post(MAIN_BODY), 200)
  expect(expectVideo(await other.post(MAIN_BODY), 200).reused_from).toBe(first.id)
  expect(expectVideo(await other.post({ ...MAIN_BODY, reuse: 'off' }), 200).reused_from).toBeNull()
  const dropin = await other.raw.post('/api/v1/videos/text').set(bearer(KEYS.anna)).send(MAIN_BODY)
  expect([dropin.status, theirs.creates().length]).toEqual([200, 3])
  expect(id).not.toBe(first.id)
})

test.each(['7', '0s', '500ms', '366d', 'always', 7])('%s is no duration that it may be', async (reuse) => {
  const { app, main } = await start()
  expectProblem(await app.post({ ...MAIN_BODY, reuse }), 'invalid_request', { param: 'reuse' })
  expect(main.creates()).toHaveLength(0)
})

test('never another client’s, nor one of other input or of another backend', async () => {
  const { app, main, alt, postAs } = await start()
  expectVideo(await app.post(MAIN_BODY), 200)
  expectVideo(await app.post(ALT_BODY), 200)
  const others: object[] = [
    { ...AGAIN, text: 'Hello!' },
    { ...AGAIN, image_url: 'https://img.example/me.png?v=2' },
    { ...AGAIN, voice_id: 'v1' },
    { ...AGAIN, resolution: '720p', unsupported: 'warn' },
    { ...AGAIN, image_url: undefined, puppet_id: 'pup_m' },
  ]
  for (const body of others) {
    const response = await app.post(body)
    expect([response.body.code ?? null, response.body.reused_from]).toEqual([null, null])
  }
  expect(expectVideo(await postAs(KEYS.bert, AGAIN), 200).reused_from).toBeNull()
  expect([main.creates().length, alt.creates().length]).toEqual([1 + others.length + 1, 1])
})

test('names of one voice are the same input; the same names on two backends are not', async () => {
  const aliases = { puppets: { anna: { main: { image_url: MAIN_BODY.image_url }, alt: 'pup_1' } } }
  const { app, main, alt } = await start({ aliases })
  const first = expectVideo(await app.post(MAIN_BODY), 200)
  const named = { puppet_id: 'anna', text: MAIN_BODY.text, reuse: '1h' }
  expect(expectVideo(await app.post(named), 200).reused_from).toBe(first.id)
  expect(expectVideo(await app.post({ ...named, backend: 'alt' }), 200).reused_from).toBeNull()
  expect([main.creates().length, alt.creates().length]).toEqual([1, 1])
})

test('of a pool, any member’s; of a member that was named, only its own', async () => {
  const key = { api_key: 'upstream_other_0123456789', interface: 'primary', slots: null, requests_per_minute: 100_000 }
  const routing = { pools: { faces: ['main', 'other'] }, default: 'faces' }
  const both = await start({ backends: { other: { ...key, base_url: 'https://other.example' } }, routing })
  const first = expectVideo(await both.app.post({ ...MAIN_BODY, backend: 'main' }), 200)
  for (let n = 0; n < 4; n += 1) {
    const again = expectVideo(await both.app.post(AGAIN), 200)
    expect(again).toMatchObject({ reused_from: first.id, backend: 'main', routing: { pool: 'faces' } })
    expect(again.routing.considered).toMatchObject([{ backend: 'main', verdict: 'chosen' }])
  }
  expect(await both.check(AGAIN)).toBe(first.id)
  expect(await both.check({ ...AGAIN, backend: 'other' })).toBeNull()
  expect(both.main.creates()).toHaveLength(1)
})

test('only while it is younger; and a copy is no original, however young', async () => {
  const { app, clock, main } = await start()
  const first = expectVideo(await app.post(MAIN_BODY), 200)
  await clock.advance(HOUR_MS - 1)
  const copy = expectVideo(await app.post({ ...MAIN_BODY, reuse: '1h' }), 200)
  expect(copy.reused_from).toBe(first.id)
  await clock.advance(1)
  const second = expectVideo(await app.post({ ...MAIN_BODY, reuse: '1h' }), 200)
  expect([second.reused_from, main.creates().length]).toEqual([null, 2])
  expect(expectVideo(await app.post(AGAIN), 200).reused_from).toBe(second.id)
})

test('what still runs, or failed, is not reused', async () => {
  const { app, main } = await start()
  main.state.onCreate = 'queued'
  expectVideo(await app.post(MAIN_BODY), 202)
  expect(expectVideo(await app.post(AGAIN), 202).reused_from).toBeNull()
  main.state.onCreate = 'failed'
  expectVideo(await app.post(AGAIN), 200)
  expect(expectVideo(await app.post(AGAIN), 200).reused_from).toBeNull()
  expect(main.creates()).toHaveLength(4)
})

test('a link that expired is asked for anew; if the backend has no file any more, the video is made', async () => {
  const { app, clock, main, check } = await start()
  const first = expectVideo(await app.post(MAIN_BODY), 200)
  await clock.advance(TEN_MINUTES_MS)
  expect(await check(AGAIN)).toBe(first.id)
  expect(expectVideo(await app.post(AGAIN), 200).reused_from).toBe(first.id)
  expect([main.creates().length, main.asked('GET', '/api/v1/videos/api_video_1').length]).toEqual([1, 1])
  await clock.advance(TEN_MINUTES_MS)
  app.main.next({ status: 404, body: { error: 'not_found', message: 'gone' } })
  expect(expectVideo(await app.post(AGAIN), 200).reused_from).toBeNull()
  expect(main.creates()).toHaveLength(2)
})

test('a copy keeps its file when its original was purged, as long as the backend has the job', async () => {
  const { app, clock, main } = await start()
  const first = expectVideo(await app.post(MAIN_BODY), 200)
  await clock.advance(HOUR_MS)
  const copy = expectVideo(await app.post(AGAIN), 200)
  expect(await app.deps.store.purge(clock.now() - 1, 10)).toBe(1)
  expect((await app.get(`/videos/${first.id}`)).status).toBe(404)
  await clock.advance(TEN_MINUTES_MS)
  expect((await app.get(`/videos/${copy.id}/content`)).status).toBe(302)
  expect(main.asked('GET', '/api/v1/videos/api_video_1')).toHaveLength(2)
  expect(expectVideo(await app.post(AGAIN), 200).reused_from).toBeNull()
})

test('an original that is purged at that moment: the video is made', async () => {
  const purging = (store: Store): Store => ({
    ...store,
    async open(given, ...rest) {
      if (given.video.reused) await store.purge(given.video.createdAtMs + 1, 10)
      return store.open(given, ...rest)
    },
  })
  const { app, main } = await start({ wrapStore: purging })
  const first = expectVideo(await app.post(MAIN_BODY), 200)
  expect(expectVideo(await app.post(AGAIN), 200).reused_from).toBeNull()
  expect((await app.get(`/videos/${first.id}`)).status).toBe(404)
  expect(main.creates()).toHaveLength(2)
})

test('an idempotency key answers the same new video, and is of what was asked for', async () => {
  const { app, main } = await start()
  const first = expectVideo(await app.post(MAIN_BODY), 200)
  const key = { 'idempotency-key': 'order-17' }
  const copies = await Promise.all(Array.from({ length: 6 }, () => app.post(AGAIN, key)))
  const [copy] = copies.map((response) => expectVideo(response, 200))
  expect(copy?.reused_from).toBe(first.id)
  expect(new Set(copies.map(({ body }) => body.id)).size).toBe(1)
  expect(copies.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  expect(expectVideo(await app.post({ ...AGAIN, reuse: '168h' }, key), 200).id).toBe(copy?.id)
  for (const reuse of ['6d', 'off', null])
    expectProblem(await app.post({ ...AGAIN, reuse }, key), 'idempotency_key_conflict', { video_id: must(copy).id })
  const two = await Promise.all([app.post(AGAIN), app.post(AGAIN)])
  expect(two.map((response) => expectVideo(response, 200).reused_from)).toEqual([first.id, first.id])
  expect(main.creates()).toHaveLength(1)
})

test('it counts as a video of the month, and costs none of its credits', async () => {
  const limits = { videos_per_month: 3, credits_per_month: 1 }
  const { app, main } = await start({ clients: [{ id: 'anna', key: KEYS.anna, limits }] })
  expectVideo(await app.post(MAIN_BODY), 200)
  expectProblem(await app.post({ ...MAIN_BODY, text: 'Bye' }), 'quota_exceeded')
  for (let n = 0; n < 2; n += 1) expectVideo(await app.post(AGAIN), 200)
  expectProblem(await app.post(AGAIN), 'quota_exceeded')
  expect(main.creates()).toHaveLength(1)
})
