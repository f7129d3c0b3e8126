import { describe, expect, test } from 'vitest'
import { bearer, KEYS, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** One resource a key, on both backends, and a key stays free where nothing was made. */
const start = async (options: GatewayOptions = {}) => {
  const app = await testApp(options)
  return { app, main: servePrimary(app.main), alt: serveAlternate(app.alt) }
}
const KEY = { 'idempotency-key': 'order-17' }
const BODIES = { main: MAIN_BODY, alt: ALT_BODY }

describe.each(['main', 'alt'] as const)('on backend %s', (name) => {
  test('a replay is the same video as it is now, marked, without another request', async () => {
    const { app, [name]: service } = await start()
    const first = await app.post(BODIES[name], KEY)
    const video = expectVideo(first, 202)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    for (let i = 0; i < 5; i += 1) {
      const again = await app.post(BODIES[name], KEY)
      expect(expectVideo(again, 202)).toEqual(video)
      expect(again.headers).toMatchObject({
        'idempotency-replayed': 'true',
        location: `/unified/v1/videos/${video.id}`,
      })
    }
    expect(service.creates()).toHaveLength(1)
  })

  test('a replay of a finished video is 200', async () => {
    const { app, [name]: service } = await start()
    service.state.onCreate = 'completed'
    const video = expectVideo(await app.post(BODIES[name], KEY), 200)
    const again = await app.post(BODIES[name], KEY)
    expect([expectVideo(again, 200), again.headers['retry-after']]).toEqual([video, undefined])
    expect(service.creates()).toHaveLength(1)
  })

  test('another body under the key is 409 idempotency_key_conflict, naming the video', async () => {
    const { app, [name]: service } = await start()
    const { id } = expectVideo(await app.post(BODIES[name], KEY), 202)
    expectProblem(await app.post({ ...BODIES[name], text: 'Bye' }, KEY), 'idempotency_key_conflict', {
      video_id: id,
      retryable: false,
    })
    expectProblem(await app.post({ ...BODIES[name], metadata: { a: 'b' } }, KEY), 'idempotency_key_conflict')
    expect(service.creates()).toHaveLength(1)
  })

  test('while the first still runs it is 409 idempotency_key_in_progress, with a time', async () => {
    const { app } = await start({ backends: { [name]: { timeout: '1s' } } })
    app[name].next({ fault: 'hang' })
    const first = app.post(BODIES[name], KEY).then((response) => response)
    // The request is on a real socket: that it arrived is all there is to see.
    await until(() => app[name].requests.length === 1)
    const problem = expectProblem(await app.post(BODIES[name], KEY), 'idempotency_key_in_progress', { retryable: true })
    expect(problem.retry_after_seconds).toBe(1)
    expectProblem(await app.post({ ...BODIES[name], text: 'Bye' }, KEY), 'idempotency_key_conflict')
    // The doubt that the hanging backend leaves holds the key.
    const video = expectVideo(await first, 202)
    const again = await app.post(BODIES[name], KEY)
    expect([expectVideo(again, 202).id, again.headers['idempotency-replayed']]).toEqual([video.id, 'true'])
    expect(app[name].requests).toHaveLength(1)
  })

  test('twenty at once make one video and one request', async () => {
    const { app, [name]: service } = await start()
    const responses = await Promise.all(Array.from({ length: 20 }, () => app.post(BODIES[name], KEY)))
    const made = responses.filter(({ status }) => status === 202).map((response) => expectVideo(response, 202).id)
    for (const response of responses.filter(({ status }) => status !== 202))
      expectProblem(response, 'idempotency_key_in_progress')
    expect(new Set(made).size).toBe(1)
    expect(
      responses.filter((response) => response.status === 202 && !response.headers['idempotency-replayed']),
    ).toHaveLength(1)
    expect(service.creates()).toHaveLength(1)
  })
})

test('the same request in other words is the same', async () => {
  const { app, main } = await start()
  const full = { image_url: MAIN_BODY.image_url, text: 'Hello', metadata: { a: '1', b: '2' } }
  const { id } = expectVideo(await app.post(full, KEY), 202)
  const same: object[] = [
    { metadata: { b: '2', a: '1' }, text: 'Hello', image_url: MAIN_BODY.image_url },
    { image_url: MAIN_BODY.image_url, script: 'Hello', metadata: { a: '1', b: '2' } },
    { ...full, puppet_id: null, voice_id: null, backend: null, webhook_url: null, unsupported: null },
    { ...full, unsupported: 'reject' },
  ]
  for (const body of same) expect(expectVideo(await app.post(body, KEY), 202).id).toBe(id)
  expect(main.creates()).toHaveLength(1)
})

test('the order of webhook_events says nothing', async () => {
  const { app } = await start()
  const body = { ...MAIN_BODY, webhook_url: 'https://8.8.8.8/in' }
  const { id } = expectVideo(await app.post({ ...body, webhook_events: ['video.failed', 'video.completed'] }, KEY), 202)
  const again = { ...body, webhook_events: ['video.completed', 'video.failed', 'video.failed'] }
  expect(expectVideo(await app.post(again, KEY), 202).id).toBe(id)
})

test('without a key every create is a video', async () => {
  const { app, main } = await start()
  const ids = [expectVideo(await app.post(MAIN_BODY), 202).id, expectVideo(await app.post(MAIN_BODY), 202).id]
  expect(new Set(ids).size).toBe(2)
  const keys = main.creates().map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual(ids.map((id) => `${id}.1`))
})

test('a key of 200 characters, and one of odd ones, are keys', async () => {
  const { app, main } = await start()
  for (const key of [
    'k'.repeat(200),
    `'; DROP TABLE videos; --`,
    '{"a":1}',
    'ключ'
      .split('')
      .map((c) => encodeURIComponent(c))
      .join(''),
  ]) {
    const { id } = expectVideo(await app.post(MAIN_BODY, { 'idempotency-key': key }), 202)
    expect(expectVideo(await app.post(MAIN_BODY, { 'idempotency-key': key }), 202).id).toBe(id)
  }
  expect(main.creates()).toHaveLength(4)
})

describe('what creates nothing leaves the key free', () => {
  test('a request that is refused here', async () => {
    const { app } = await start({ engine: { queue_limit: 1 }, backends: { main: { slots: 1 } } })
    expectProblem(await app.post({ ...MAIN_BODY, colour: 1 }, KEY), 'invalid_request')
    expectProblem(await app.post({ ...MAIN_BODY, backend: 'none' }, KEY), 'invalid_request')
    expectProblem(await app.post({ ...MAIN_BODY, resolution: '720p' }, KEY), 'capability_not_supported')
    expectProblem(await app.post({ ...MAIN_BODY, webhook_url: 'https://10.0.0.1/' }, KEY), 'webhook_url_not_allowed')
    // One runs, one waits, and the gateway holds no more.
    expectVideo(await app.post(MAIN_BODY), 202)
    expect(expectVideo(await app.post(MAIN_BODY), 202).queue).toEqual({ position: 1, reason: 'no_free_slot' })
    const full = expectProblem(await app.post(MAIN_BODY, KEY), 'queue_full', { retryable: true })
    expect(full.retry_after_seconds).toBe(30)
    const video = await app.post(ALT_BODY, KEY)
    expectVideo(video, 202)
    expect(video.headers['idempotency-replayed']).toBeUndefined()
  })

  test("a client's own limit of waiting videos", async () => {
    const clients = [
      { id: 'anna', key: KEYS.anna, limits: { queued_videos: 1 } },
      { id: 'bert', key: KEYS.bert },
    ]
    const { app } = await start({ clients, backends: { main: { slots: 1 } } })
    expectVideo(await app.post(MAIN_BODY), 202)
    expectVideo(await app.post(MAIN_BODY), 202)
    expectProblem(await app.post(MAIN_BODY, KEY), 'concurrency_limit_reached', {
      retryable: true,
      retry_after_seconds: 30,
    })
    expectVideo(await app.post(MAIN_BODY, { ...KEY, ...bearer(KEYS.bert) }), 202)
    expectVideo(await app.post(ALT_BODY, KEY), 202)
  })
})
