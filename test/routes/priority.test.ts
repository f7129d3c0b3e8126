import { expect, test } from 'vitest'
import { bearer, KEYS, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

const start = async (options: GatewayOptions = {}) => {
  const app = await testApp(options)
  return { app, main: servePrimary(app.main) }
}
const LOW = { ...MAIN_BODY, priority: 'low' }
const NORMAL = { ...MAIN_BODY, priority: 'normal' }
const LOW_CLIENT = { clients: [{ id: 'anna', key: KEYS.anna, priority: 'low' }] }

test('a video has the priority that was asked for, else that of its client', async () => {
  const { app } = await start()
  const asked = [MAIN_BODY, { ...MAIN_BODY, priority: null }, NORMAL, LOW]
  const shown: unknown[] = []
  for (const body of asked) shown.push(expectVideo(await app.post(body), 202).priority)
  expect(shown).toEqual(['normal', 'normal', 'normal', 'low'])
  const { app: other } = await start(LOW_CLIENT)
  expect(expectVideo(await other.post(MAIN_BODY), 202).priority).toBe('low')
  expect(expectVideo(await other.post(NORMAL), 202).priority).toBe('normal')
})

test('another word is refused', async () => {
  const { app } = await start()
  expectProblem(await app.post({ ...MAIN_BODY, priority: 'high' }), 'invalid_request', { param: 'priority' })
})

test('the default of a client counts on the drop-in surfaces', async () => {
  const { app } = await start(LOW_CLIENT)
  const created = await app.raw.post('/api/v1/videos/text').set(bearer(KEYS.anna)).send(MAIN_BODY)
  expect(created.status).toBe(202)
  const { body } = await app.get('/videos')
  expect(body.data).toMatchObject([{ priority: 'low' }])
})

test('to an idempotency key, what was asked for counts, and no default', async () => {
  const { app, main } = await start(LOW_CLIENT)
  const key = { 'idempotency-key': 'order-17' }
  const { id } = expectVideo(await app.post(MAIN_BODY, key), 202)
  expect(expectVideo(await app.post({ ...MAIN_BODY, priority: null }, key), 202).id).toBe(id)
  for (const body of [LOW, NORMAL]) expectProblem(await app.post(body, key), 'idempotency_key_conflict')
  expect(main.creates()).toHaveLength(1)
})

test('of two slots low videos take one, and a normal one is sent at once', async () => {
  const { app, main } = await start({ backends: { main: { slots: 2 } } })
  const first = expectVideo(await app.post(LOW), 202)
  const second = expectVideo(await app.post(LOW), 202)
  expect([first.queue, second.queue]).toMatchObject([null, { position: 1 }])
  const normal = expectVideo(await app.post({ ...MAIN_BODY, text: 'Now' }), 202)
  expect(normal.queue).toBeNull()
  expect(main.creates().map(({ body }) => JSON.parse(body))).toMatchObject([{ text: 'Hello' }, { text: 'Now' }])
  const next = expectVideo(await app.post(MAIN_BODY), 202)
  expect(next.queue).toMatchObject({ position: 1 })
  expect((await app.get(`/videos/${second.id}`)).body.queue).toMatchObject({ position: 2 })
})

test('it is sent after `low_after` as a normal one', async () => {
  const { app } = await start({ engine: { low_after: '2h' } })
  const { id } = expectVideo(await app.post(LOW), 202)
  const { createdAtMs, lowUntilMs } = must(await app.deps.store.video(id))
  expect(lowUntilMs).toBe(createdAtMs + 2 * 3_600_000)
})

test('check says when the queue has no more room for a low one', async () => {
  const clients = [{ id: 'anna', key: KEYS.anna, limits: { queued_videos: 10 } }]
  const { app } = await start({ clients, backends: { main: { slots: 1 } } })
  for (let n = 0; n < 10; n += 1) expectVideo(await app.post(LOW), 202)
  const checked = async (body: object) =>
    (await app.raw.post('/unified/v1/videos/check').set(bearer(KEYS.anna)).send(body)).body.backends[0].verdict
  expect([await checked(LOW), await checked(MAIN_BODY)]).toEqual(['unavailable', 'ok'])
  expectProblem(await app.post(LOW), 'concurrency_limit_reached')
  expectVideo(await app.post(MAIN_BODY), 202)
})
