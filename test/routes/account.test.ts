import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BackendListView, WebhookSecretView } from '../../src/core/api/videos.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, SECRET_KEY, temporaryFolder, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const backends = async (app: TestApp) => BackendListView.parse((await app.get('/backends').expect(200)).body).data

describe('GET /backends', () => {
  test('tells what each can do, and how it is', async () => {
    const clock = fakeClock()
    const app = await testApp({ clock, backends: { main: { slots: 2, requests_per_minute: 10 } } })
    servePrimary(app.main, clock.now)
    serveAlternate(app.alt, clock.now)
    const fresh = await backends(app)
    expect(fresh[0]).toMatchObject({
      name: 'main',
      interface: 'primary',
      health: { status: 'up', since: null, reason: null },
      budget: { limit: 10, remaining: 10, resets_at: null },
      slots: { limit: 2, used: 0 },
      queue_depth: 0,
    })
    expect(fresh[0]?.capabilities).toMatchObject({ image_url: true, puppet_id: false, native_webhook: false })
    expect(fresh[1]).toMatchObject({ name: 'alt', interface: 'alternate', slots: { limit: null, used: 0 } })
    for (let i = 0; i < 4; i += 1) expectVideo(await app.post(MAIN_BODY), 202)
    const busy = must((await backends(app))[0])
    expect(busy).toMatchObject({ budget: { limit: 10, remaining: 8 }, slots: { limit: 2, used: 2 }, queue_depth: 2 })
    expect(busy.budget.resets_at).toBe('2026-11-20T10:01:01.000Z')
    const text = JSON.stringify(await backends(app))
    expect(text).not.toMatch(/https?:|upstream_/)
    expect(app.upstream()).toBe(2)
  })

  test('learns the limit and the health from what it is answered', async () => {
    const clock = fakeClock()
    const app = await testApp({ clock })
    const headers = {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '41',
      'x-ratelimit-reset': String(clock.now() / 1000 + 30),
      date: new Date(clock.now()).toUTCString(),
    }
    app.alt.next({ status: 500, body: {}, headers })
    expectVideo(await app.post(ALT_BODY), 202)
    expect((await backends(app))[1]).toMatchObject({
      health: { status: 'degraded', since: '2026-11-20T10:00:00.000Z', reason: 'backend_error' },
      budget: { limit: 60, remaining: 41, resets_at: '2026-11-20T10:00:31.000Z' },
    })
  })

  test('takes no query', async () => {
    const app = await testApp()
    expectProblem(await app.get('/backends?name=main'), 'invalid_request', { param: 'name' })
    expectProblem(await app.get('/webhook_secret?rotate=1'), 'invalid_request', { param: 'rotate' })
  })
})

describe('GET /webhook_secret', () => {
  const secretOf = async (app: TestApp, key: string = KEYS.anna) => {
    const response = await app.raw.get('/unified/v1/webhook_secret').set(bearer(key)).expect(200)
    expect(response.headers['cache-control']).toBe('no-store')
    return WebhookSecretView.parse(response.body).secret
  }

  test.each([
    ['a given secret key', SECRET_KEY],
    ['a secret key kept beside the store', null],
  ])('is the same over restarts, one a client, with %s', async (_name, secretKey) => {
    const dir = await temporaryFolder()
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const seen: string[][] = []
    for (let i = 0; i < 3; i += 1) {
      const app = await openApp({ dir, secretKey })
      const both = await Promise.all([secretOf(app), secretOf(app), secretOf(app, KEYS.bert)])
      seen.push(both)
      await app.close()
    }
    const [anna, again, bert] = must(seen[0])
    expect(anna).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect([again, bert === anna]).toEqual([anna, false])
    expect(seen).toEqual([seen[0], seen[0], seen[0]])
  })

  test('is the configured one where there is one', async () => {
    const webhook_secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
    const app = await testApp({ clients: [{ id: 'anna', key: KEYS.anna, webhook_secret }] })
    expect(await secretOf(app)).toBe(webhook_secret)
  })

  test('another secret key than the one of the store is refused at start', async () => {
    const dir = await temporaryFolder()
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    await (await openApp({ dir })).close()
    const other = Buffer.alloc(32, 8).toString('base64')
    await expect(openApp({ dir, secretKey: other })).rejects.toThrow('TALKBRIDGE_SECRET_KEY is not the key')
    await (await openApp({ dir })).close()
  })
})

test('content links and idempotency keys outlive a restart', async () => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const key = { 'idempotency-key': 'k' }
  const one = await openApp({ dir, secretKey: null })
  servePrimary(one.main).state.onCreate = 'completed'
  const video = expectVideo(await one.post(MAIN_BODY, key), 200)
  const list = (await one.get('/videos')).body as unknown
  await one.close()
  const two = await openApp({ dir, secretKey: null })
  onTestFinished(() => two.close())
  expect((await two.raw.get(video.content_url.slice(one.url.length))).status).toBe(302)
  expect(JSON.stringify((await two.get('/videos')).body).replaceAll(two.url, one.url)).toBe(JSON.stringify(list))
})
