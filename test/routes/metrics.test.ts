import { expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { samples, sumOf } from '../fakes/scraped.ts'
import { expectProblem } from './expect.ts'

const TOKEN = 'scrape-me-0123456789abcdef'
const textOf = async (app: TestApp): Promise<string> => (await app.raw.get('/metrics').expect(200)).text

test('is Prometheus’ text, kept by no cache, for whoever asks; not on the surfaces of clients', async () => {
  const app = await testApp()
  const { headers, text } = await app.raw.get('/metrics').expect(200)
  expect(headers).toMatchObject({
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
  })
  expect(sumOf(text, 'talkbridge_store_up')).toBe(1)
  expect(samples(text, 'talkbridge_build_info')).toMatchObject([{ value: 1, labels: { node: process.version } }])
  expect((await app.raw.head('/metrics')).status).toBe(200)
  expectProblem(await app.raw.post('/metrics'), 'method_not_allowed')
  for (const under of ['/unified/v1', '/api/v1', '/v1'])
    await app.raw.get(`${under}/metrics`).set(bearer(KEYS.anna)).expect(404)
})

test('with a token: 401 without it, with another and with a client’s key', async () => {
  const app = await testApp({ metrics: { token: TOKEN } })
  expectProblem(await app.raw.get('/metrics'), 'unauthenticated')
  for (const key of [`${TOKEN}x`, TOKEN.slice(0, -1), KEYS.anna])
    expectProblem(await app.raw.get('/metrics').set(bearer(key)), 'unauthenticated')
  const { text } = await app.raw.get('/metrics').set(bearer(TOKEN)).expect(200)
  expect(text).not.toContain(TOKEN)
  expect(sumOf(text, 'talkbridge_problems_total', { code: 'unauthenticated' })).toBe(4)
})

test('metrics.enabled: false is 404, and the gateway works', async () => {
  const app = await testApp({ metrics: { enabled: false } })
  expectProblem(await app.raw.get('/metrics'), 'not_found')
  await app.get('/videos').expect(200)
})

test('a route is the template of the path, whatever is asked for; a method nobody knows is _OTHER', async () => {
  const app = await testApp()
  for (let n = 0; n < 30; n += 1) {
    await app.get(`/videos/vid_${n}`)
    await app.raw.get(`/path/${n}?x=${n}`)
  }
  await app.get('/videos/batch/x/y')
  await app.raw.get('/docs/assets/page.css')
  // With the key of nobody: told before any router matched.
  await app.raw.get('/api/v1/videos/some').expect(401)
  await fetch(`${app.url}/unified/v1/videos`, { method: 'PROPFIND' })
  const found = samples(await textOf(app), 'http_server_request_duration_seconds_count')
  const lines = found.map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`)
  expect(lines.toSorted()).toEqual([
    'GET /api/v1/videos/{jobId} 401 1',
    'GET /docs/assets/{file} 200 1',
    'GET /unified/v1/videos/{id} 404 30',
    'GET unknown 404 31',
    '_OTHER /unified/v1/videos 401 1',
  ])
})

test('a client beyond its rate and what HTTP cannot read are counted', async () => {
  const app = await testApp({
    clients: [{ id: 'anna', key: KEYS.anna, limits: { requests_per_minute: 1 } }],
  })
  await app.get('/videos').expect(200)
  await app.get('/videos').expect(429)
  await fetch(`${app.url}/unified/v1/videos`, { method: 'BREW' })
  const text = await textOf(app)
  expect(samples(text, 'talkbridge_problems_total')).toMatchObject([
    { value: 1, labels: { code: 'rate_limited', source: 'gateway' } },
  ])
  expect(samples(text, 'talkbridge_unreadable_requests_total')).toMatchObject([{ value: 1, labels: { status: '400' } }])
  expect(text).not.toContain('anna')
})

test('a store that is away hangs no scrape: its gauges are absent, counters stay; one reading serves all', async () => {
  let mode: 'works' | 'fails' | 'hangs' = 'works'
  let readings = 0
  const clock = fakeClock(Date.now())
  const app = await testApp({
    clock,
    wrapStore: (store) => ({
      ...store,
      figures() {
        readings += 1
        if (mode === 'fails') return Promise.reject(new Problem('store_unavailable', 'gone'))
        return mode === 'works' ? store.figures() : new Promise(() => undefined)
      },
    }),
  })
  const texts = await Promise.all(Array.from({ length: 10 }, () => textOf(app)))
  expect(texts.map((text) => sumOf(text, 'talkbridge_store_up'))).toEqual(Array.from({ length: 10 }, () => 1))
  expect(samples(await textOf(app), 'talkbridge_store_open_videos')).toHaveLength(8)
  expect(readings).toBe(1)

  const away = async (text: Promise<string>): Promise<void> => {
    expect(samples(await text, 'talkbridge_store_up')).toMatchObject([{ value: 0 }])
    for (const name of ['open_videos', 'budget_remaining', 'deliveries_pending', 'disk_free_bytes'])
      expect(samples(await text, `talkbridge_store_${name}`)).toEqual([])
    expect(sumOf(await text, 'http_server_request_duration_seconds_count')).toBeGreaterThan(0)
  }
  mode = 'fails'
  await clock.advance(5_000)
  await away(app.deps.scrape())
  mode = 'hangs'
  const before = readings
  for (let n = 0; n < 3; n += 1) {
    const hanging = app.deps.scrape()
    await clock.advance(2_000)
    await away(hanging)
  }
  expect(readings).toBe(before + 1)
})
