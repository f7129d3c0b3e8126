import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BackendDetailView, OverviewView } from '../../src/core/api/admin.ts'
import { BackendListView } from '../../src/core/api/videos.ts'
import { LEASE_MS, openWaiting } from '../contract/store/helpers.ts'
import { create, happenOften } from '../contract/store/webhook-helpers.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { ADMIN, CLIENTS, openEnds } from './ends-stage.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

const overview = async (app: TestApp, path = '/overview', key: Record<string, string> = bearer(KEYS.anna)) =>
  OverviewView.parse((await app.raw.get(`/unified/v1${path}`).set(key).expect(200)).body)
const detail = async (app: TestApp, path: string, key: Record<string, string> = bearer(KEYS.anna)) =>
  BackendDetailView.parse((await app.raw.get(`/unified/v1${path}`).set(key).expect(200)).body)

describe('GET /overview', () => {
  test('of a new gateway: nothing, and nothing is wrong', async () => {
    const app = await testApp()
    const seen = await overview(app)
    expect(seen).toMatchObject({
      client: 'anna',
      backend: null,
      range: '24h',
      step_seconds: 3_600,
      videos: { waiting: 0, running: 0, in_doubt: 0, queued: 0, processing: 0, complete: true },
      success: { value: null, before: null },
      time_to_done: { videos: 0, p50: null, p95: null, before: null },
      waiting: { value: 0, before: 0 },
      webhooks: { deliveries: 0, value: null, before: null },
      credits: { value: null, before: null, by: [] },
      ended: { completed: 0, failed: 0, canceled: 0, complete: true },
      detection: { videos: 0, seconds: null },
      deliveries: { delivered: 0, failed: 0, pending: 0, held: 0, complete: true },
      needs_you: [],
      failures: [],
    })
    expect(seen.ended.steps).toHaveLength(24)
    expect(seen.ended.steps[0]?.from).toBe(seen.since)
    expect(Date.parse(seen.at) - Date.parse(seen.ended.steps[23]?.from ?? '')).toBeLessThan(3_600_000)
    for (const { trend } of [seen.success, seen.time_to_done, seen.waiting, seen.webhooks, seen.credits])
      expect(trend).toHaveLength(24)
    expectProblem(await app.get('/overview?range=1y'), 'invalid_request', { param: 'range' })
    expectProblem(await app.get('/overview?client=bert'), 'invalid_request', { param: 'client' })
  })

  describe('of two clients', () => {
    let app: TestApp
    beforeAll(async () => {
      ;({ app } = await openEnds(1_000, { others: ['anna', 'bert', 'anna'] }))
    })
    afterAll(() => app.close())

    test('a range has steps that are whole in UTC, and what ended is in the last of them', async () => {
      for (const [range, seconds, steps] of [
        ['1h', 300, 12],
        ['24h', 3_600, 24],
        ['7d', 28_800, 21],
        ['30d', 172_800, 15],
      ] as const) {
        const seen = await overview(app, `/overview?range=${range}`)
        expect(seen).toMatchObject({ range, step_seconds: seconds, ended: { completed: 2, failed: 1 } })
        expect(seen.ended.steps).toHaveLength(steps)
        expect(Date.parse(seen.since) % (1_000 * seconds)).toBe(0)
        expect(seen.ended.steps.at(-1)).toMatchObject({ completed: 2, failed: 1 })
        expect(seen.success).toMatchObject({ value: 0.6667, before: null })
        expect(seen.success.trend.at(-1)).toBe(0.6667)
        expect(seen.time_to_done).toMatchObject({ videos: 2, before: null })
      }
    })

    test('of one backend', async () => {
      const main = await overview(app, '/overview?backend=main')
      expect(main).toMatchObject({
        backend: 'main',
        ended: { completed: 2, failed: 1 },
        videos: { waiting: 0, running: 0 },
      })
      const alt = await overview(app, '/admin/overview?backend=alt', ADMIN)
      expect(alt).toMatchObject({
        backend: 'alt',
        ended: { completed: 0, failed: 0 },
        videos: { waiting: 2, running: 1 },
      })
      expect(alt.failures).toEqual([])
    })

    test('failures are counted by code and backend', async () => {
      const [failure, ...others] = (await overview(app)).failures
      expect(others).toEqual([])
      expect(failure).toMatchObject({ code: 'backend_failed', videos: 1, backends: [{ backend: 'main', videos: 1 }] })
      expect(failure?.trend).toEqual([...Array<number>(23).fill(0), 1])
      expect((await overview(app, '/overview', bearer(KEYS.bert))).failures).toEqual([])
      expect((await overview(app, '/admin/overview', ADMIN)).failures).toEqual([failure])
    })

    test.each(['1h', '7d', '30d'])('what a range cost: of all by client, of one by backend: %s', async (range) => {
      const all = (await overview(app, `/admin/overview?range=${range}`, ADMIN)).credits
      expect(all).toMatchObject({ value: 4, before: null })
      expect(all.trend.at(-1)).toBe(4)
      expect(all.by).toEqual([
        { key: 'anna', videos: 3, credits: 3 },
        { key: 'bert', videos: 1, credits: 1 },
      ])
      const own = { value: 3, by: [{ key: 'main', videos: 3, credits: 3 }] }
      expect((await overview(app, `/overview?range=${range}`)).credits).toMatchObject(own)
      expect((await overview(app, `/overview?range=${range}&backend=alt`)).credits).toMatchObject({
        value: null,
        by: [],
      })
    })

    test('each sees its own; an operator all, or one', async () => {
      const [own, other, all, one] = [
        await overview(app),
        await overview(app, '/overview', bearer(KEYS.bert)),
        await overview(app, '/admin/overview', ADMIN),
        await overview(app, '/admin/overview?client=bert', ADMIN),
      ]
      expect(own.ended).toMatchObject({ completed: 2, failed: 1, canceled: 0 })
      expect(own.ended.steps[23]).toMatchObject({ completed: 2, failed: 1 })
      expect(own.videos).toMatchObject({ waiting: 1, queued: 0, processing: 1 })
      expect(own.detection.videos).toBe(3)
      expect(other.ended).toMatchObject({ completed: 1, failed: 0 })
      expect(other.videos).toMatchObject({ waiting: 1, queued: 0, processing: 0 })
      expect(all.ended).toMatchObject({ completed: 3, failed: 1 })
      expect(all.videos).toMatchObject({ waiting: 2, running: 1, in_doubt: 0, queued: 0, processing: 1 })
      expect(all.client).toBeNull()
      expect({ ...one, at: '' }).toEqual({ ...other, at: '' })
    })

    test('a backend shows its own part of the queue to a client, and all of it to an operator', async () => {
      const own = await detail(app, '/backends/alt')
      expect(own).toMatchObject({
        queue_depth: 2,
        slots: { limit: 1, used: 1 },
        breaker: { open: false },
        drift: { kinds: 0, latest: [] },
      })
      expect(own.queue).toMatchObject([{ position: 2, client: null, reason: 'no_free_slot', backend: 'alt' }])
      const all = await detail(app, '/admin/backends/alt', ADMIN)
      expect(all.queue.map(({ position, client }) => [position, client])).toEqual([
        [1, 'bert'],
        [2, 'anna'],
      ])
      expect(all.learned.map(({ source, videos, seconds }) => [source, videos, seconds])).toEqual([
        ['text', 0, null],
        ['audio', 0, null],
      ])
      expect(all.learned[0]?.polls.length).toBeGreaterThan(3)
    })

    test('an operator lists all backends, as clients see theirs', async () => {
      const { body } = await app.raw.get('/unified/v1/admin/backends').set(ADMIN).expect(200)
      expect(body).toEqual((await app.get('/backends')).body)
      expect(BackendListView.parse(body).data.map(({ name }) => name)).toEqual(['main', 'alt'])
    })

    test('a backend that is unknown, or not the caller’s, is not found', async () => {
      const detail = 'there is no backend none: yours are main, alt'
      expect(expectProblem(await app.get('/backends/none'), 'backend_not_found').detail).toBe(detail)
      const asAdmin = await app.raw.get('/unified/v1/admin/backends/none').set(ADMIN)
      expect(expectProblem(asAdmin, 'backend_not_found').detail).toBe(detail)
    })
  })

  test('a backend that is down, and one that is up again', async () => {
    const app = await testApp({ clients: CLIENTS })
    app.main.next({ status: 401, body: { error: 'unauthorized' } })
    await app.post(MAIN_BODY)
    const wrong = (await overview(app)).needs_you
    expect(wrong).toMatchObject([
      {
        type: 'backend_unwell',
        count: 1,
        backend: 'main',
        code: 'backend_credentials_rejected',
        message: 'down',
      },
    ])
    expect((await overview(app, '/admin/overview', ADMIN)).needs_you).toEqual(wrong)
    servePrimary(app.main)
    expectVideo(await app.post(MAIN_BODY), 202)
    expect((await overview(app)).needs_you).toEqual([])
  })

  test('an endpoint whose attempts fail, for its client and for operators', async () => {
    const app = await testApp({ clients: CLIENTS })
    const { store, clock } = app.deps
    await create(store, { client: 'anna', description: 'Orders' })
    const { id } = await openWaiting(store, { client: 'anna' })
    const down = { atMs: clock.now(), durationMs: 1, status: 503, error: null, responseBody: '' }
    for (const due of await happenOften(store, id, 5, () => ({ client: 'anna' })))
      await store.attempted(must(await store.claim('deliver', due, LEASE_MS)), down, { status: 'failed' })
    const failing = { type: 'endpoint_failing', count: 5, endpoint_id: 'we_1', message: 'Orders', client: null }
    expect((await overview(app)).needs_you).toContainEqual(expect.objectContaining(failing))
    const { needs_you: all } = await overview(app, '/admin/overview', ADMIN)
    expect(all).toContainEqual(expect.objectContaining({ ...failing, client: 'anna' }))
    const { needs_you: others } = await overview(app, '/overview', bearer(KEYS.bert))
    expect(others).toEqual([])
  })
})
