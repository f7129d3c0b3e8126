import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { QuotaWarningView, type EventView } from '../../src/core/api/webhooks.ts'
import type { List } from '../../src/core/api/videos.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, temporaryFolder, testApp, type TestApp } from '../fakes/gateway.ts'
import { startReceiver } from '../fakes/receiver.ts'
import { listen } from '../fakes/sse.ts'
import { until } from '../fakes/until.ts'
import { issuing } from './access-stage.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

const limited = (limits: object) => Object.entries(KEYS).map(([id, key]) => ({ id, key, limits }))
const LOOPBACK = { allow: [{ cidr: '127.0.0.0/8', http: true }] }

const warningsOf = async (app: TestApp, key: string = KEYS.anna) => {
  const { body } = await app.raw.get('/unified/v1/events?type=quota.warning').set(bearer(key)).expect(200)
  return (body as List<EventView>).data
    .map(({ type, timestamp, data }) => QuotaWarningView.parse({ type, timestamp, data }).data)
    .toReversed()
}

test('a client is warned once at 80 and once at 100 % of its videos, in its events, its stream and its endpoints', async () => {
  const clock = fakeClock()
  const app = await testApp({ clock, clients: limited({ videos_per_month: 5 }), webhooks: LOOPBACK })
  servePrimary(app.main, clock.now).state.onCreate = 'completed'
  const register = async (events?: string[]) => {
    const endpoint = { url: 'http://127.0.0.1:9/hook', ...(events && { events }) }
    return (await app.raw.post('/unified/v1/webhook_endpoints').set(bearer(KEYS.anna)).send(endpoint).expect(201))
      .body as { id: string; events: string[] }
  }
  const wanting = await register(['quota.warning'])
  expect(wanting.events).toEqual(['quota.warning'])
  await register()
  const stream = await listen(`${app.url}/unified/v1/events/stream?types=quota.warning`, bearer(KEYS.anna))
  for (let n = 0; n < 5; n += 1) expectVideo(await app.post(MAIN_BODY), 200)
  expectProblem(await app.post(MAIN_BODY), 'quota_exceeded')
  const month = new Date(clock.now()).toISOString().slice(0, 7)
  const of = { quota: 'videos_per_month', limit: 5, month, resets_at: expect.stringMatching(/-01T00:00:00.000Z$/) }
  const expected = [
    { ...of, threshold: 80, used: 4 },
    { ...of, threshold: 100, used: 5 },
  ]
  expect(await warningsOf(app)).toEqual(expected)
  const { body: used } = await app.get('/usage').expect(200)
  expect(used).toMatchObject({ client: { limits: { videos_per_month: 5, credits_per_month: null } } })
  expect(await warningsOf(app, KEYS.bert)).toEqual([])
  for (const data of expected) expect((await stream.event()).data).toMatchObject({ type: 'quota.warning', data })
  const { body } = await app.get(`/deliveries?endpoint=${wanting.id}`).expect(200)
  expect((body as List<unknown>).data).toHaveLength(2)
  const { body: all } = await app.get('/deliveries').expect(200)
  const types = (all as List<{ event_type: string }>).data.map((one) => one.event_type)
  expect(types.filter((type) => type === 'quota.warning')).toHaveLength(2)
})

test('of its credits, by what the backend charged; not again after a restart, and anew for a higher limit', async () => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const clock = fakeClock()
  const run = async (credits: number, videos: number): Promise<unknown[]> => {
    const app = await openApp({ dir, clock, clients: limited({ credits_per_month: credits }) })
    servePrimary(app.main, clock.now).state.onCreate = 'completed'
    for (let n = 0; n < videos; n += 1) expectVideo(await app.post(MAIN_BODY), 200)
    const warned = (await warningsOf(app)).map(({ quota, threshold, used, limit }) => [quota, threshold, used, limit])
    await app.close()
    return warned
  }
  const first = ['credits_per_month', 80, 4, 5]
  expect(await run(5, 4)).toEqual([first])
  expect(await run(5, 0)).toEqual([first])
  expect(await run(10, 4)).toEqual([first, ['credits_per_month', 80, 8, 10]])
})

test('a client made through the API, too; what a refused create tells is delivered at once', async () => {
  const clock = fakeClock()
  const app = await testApp({ clock, webhooks: LOOPBACK, runsEngine: true })
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  servePrimary(app.main, clock.now).state.onCreate = 'completed'
  const ops = issuing(app)
  await ops.client({ id: 'shop', limits: { videos_per_month: 10 } })
  const { key } = await ops.issue({ client: 'shop', scopes: ['*'] })
  const endpoint = { url: `${receiver.url}/hook`, events: ['quota.warning'] }
  await app.raw.post('/unified/v1/webhook_endpoints').set(bearer(key)).send(endpoint).expect(201)
  for (let n = 0; n < 2; n += 1) expectVideo(await app.post(MAIN_BODY, bearer(key)), 200)
  expect(await warningsOf(app, key)).toEqual([])
  // The sweep of the start is over, and no time passes from here on: only a hint makes the sender look.
  await clock.advance(0)
  // Lowered to what was used: nobody told the client so far.
  await ops.call('patch', '/clients/shop', { limits: { videos_per_month: 2 } }).expect(200)
  expectProblem(await app.post(MAIN_BODY, bearer(key)), 'quota_exceeded')
  await until(async () => {
    await clock.advance(0)
    return receiver.requests.length === 2
  })
  const told = receiver.requests.map(({ body }) => QuotaWarningView.parse(JSON.parse(body)).data)
  expect(told.toSorted((a, b) => a.threshold - b.threshold)).toMatchObject([
    { threshold: 80, used: 2, limit: 2 },
    { threshold: 100, used: 2, limit: 2 },
  ])
  expect(await warningsOf(app)).toEqual([])
})
