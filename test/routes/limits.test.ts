import { describe, expect, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const T0 = Date.parse('2026-11-20T10:00:00.250Z')

let clock: FakeClock
let app: TestApp
const open = async (limits: Record<string, unknown>, options: GatewayOptions = {}): Promise<void> => {
  clock = fakeClock(T0)
  const clients = Object.entries(KEYS).map(([id, key]) => ({ id, key, limits: id === 'anna' ? limits : {} }))
  app = await testApp({ clock, clients, ...options })
  servePrimary(app.main, clock.now)
  serveAlternate(app.alt, clock.now)
}

describe('requests a minute', () => {
  const rateOf = ({ headers }: { headers: Record<string, string> }) => ({
    policy: headers['ratelimit-policy'],
    rate: headers['ratelimit'],
    limit: headers['x-ratelimit-limit'],
    remaining: headers['x-ratelimit-remaining'],
    reset: headers['x-ratelimit-reset'],
  })
  const RESET = String(Date.parse('2026-11-20T10:01:00Z') / 1_000)

  test('every answer to a known client says what is left: good, 304, 400, 403, 404, 405, 406, 204, and none to others', async () => {
    await open({ requests_per_minute: 100 })
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    const read = await app.get(`/videos/${id}`)
    const answers = [
      read,
      await app.get(`/videos/${id}`).set('if-none-match', read.headers['etag'] ?? ''),
      await app.get('/videos?limit=0'),
      await app.get('/videos/vid_nobody'),
      await app.get('/nowhere'),
      await app.get('/videos').set('accept', 'image/png'),
      await app.raw.put('/unified/v1/videos').set(bearer(KEYS.anna)),
      await app.post('{'),
      await app.get(`/videos/${id}/content`),
      await app.get(`/videos/${id}/events`).set('accept', 'application/json'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 404, 404, 406, 405, 400, 409, 406])
    for (const [n, answer] of answers.entries()) {
      // The create was the first.
      expect(rateOf(answer)).toEqual({
        policy: '"default";q=100;w=60',
        rate: `"default";r=${98 - n};t=60`,
        limit: '100',
        remaining: String(98 - n),
        reset: RESET,
      })
    }
    const nobody = await app.raw.get('/unified/v1/videos')
    expect(nobody.status).toBe(401)
    expect(Object.values(rateOf(nobody))).toEqual(Array(5).fill(undefined))
    expect(rateOf(await app.raw.get('/healthz')).limit).toBeUndefined()
  })

  test('beyond it 429 with when to come back; nothing is done, and another client is not held up', async () => {
    await open({ requests_per_minute: 2 })
    await app.get('/videos')
    clock.jump(20_000)
    await app.get('/videos')
    const sent = app.upstream()
    const refused = await app.post(MAIN_BODY)
    const problem = expectProblem(refused, 'rate_limited', { retryable: true, retry_at: '2026-11-20T10:01:00.000Z' })
    expect(problem.retry_after_seconds).toBe(40)
    expect(rateOf(refused)).toMatchObject({ rate: '"default";r=0;t=40', remaining: '0', reset: RESET })
    expect(app.upstream()).toBe(sent)
    expect((await app.raw.get('/unified/v1/videos').set(bearer(KEYS.bert))).status).toBe(200)
    clock.jump(40_000)
    expectVideo(await app.post(MAIN_BODY), 202)
    expectProblem(await app.get('/videos'), 'rate_limited', { retry_after_seconds: 20 })
  })

  test('a link to content that carries its own signature needs no key and no rate', async () => {
    await open({ requests_per_minute: 1 })
    const { id, content_url } = expectVideo(await app.post(MAIN_BODY), 202)
    const path = content_url.slice(app.url.length)
    expectProblem(await app.raw.get(path), 'video_not_completed')
    expectProblem(await app.get(`/videos/${id}/content`), 'rate_limited')
  })
})

describe('quotas of a month', () => {
  const usage = async () => (await app.get('/usage')).body as { client: { videos: Record<string, number> } }
  const NEXT_MONTH = { retry_at: '2026-12-01T00:00:00.000Z', retryable: true }

  test('videos: beyond it 429 until the month is over, and the key that was refused stays free', async () => {
    await open({ videos_per_month: 2 })
    for (let n = 0; n < 2; n += 1) expectVideo(await app.post(MAIN_BODY), 202)
    const sent = app.upstream()
    const key = { 'idempotency-key': 'order-3' }
    expectProblem(await app.post(MAIN_BODY, key), 'quota_exceeded', {
      ...NEXT_MONTH,
      details: { quota: 'videos_per_month', limit: 2 },
    })
    expect(app.upstream()).toBe(sent)
    clock.jump(Date.parse('2026-12-01T00:00:00Z') - clock.now())
    const { id } = expectVideo(await app.post(MAIN_BODY, key), 202)
    expect(expectVideo(await app.post(MAIN_BODY, key), 202).id).toBe(id)
  })

  test('what the backend refused at once is given back', async () => {
    await open({ videos_per_month: 1 })
    app.main.next({ status: 400, body: { error: { code: 'invalid_request', message: 'no' } } })
    expectProblem(await app.post(MAIN_BODY), 'invalid_request')
    expectVideo(await app.post(MAIN_BODY), 202)
    expectProblem(await app.post(MAIN_BODY), 'quota_exceeded')
    expect((await usage()).client.videos).toMatchObject({ queued: 1 })
  })

  test('many creates at once do not pass it together', async () => {
    // What comes at once waits a moment for the first answer of its window.
    await open({ videos_per_month: 3 }, { clock: createSystemClock() })
    const answers = await Promise.all(Array.from({ length: 12 }, () => app.post(MAIN_BODY)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(9)
    expect(app.main.requests.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(3)
  })

  test('credits: those that were charged', async () => {
    await open({ credits_per_month: 2 })
    const credits = { 'x-service-credits-required': '2', 'x-service-credits-remaining': '8' }
    app.main.next({ status: 202, headers: credits, body: { id: 'job_9', status: 'queued' } })
    expect(expectVideo(await app.post(MAIN_BODY), 202).credits).toEqual({ charged: 2, remaining: 8 })
    expectProblem(await app.post(MAIN_BODY), 'quota_exceeded', {
      ...NEXT_MONTH,
      details: { quota: 'credits_per_month', limit: 2 },
    })
  })
})
