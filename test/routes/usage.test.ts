import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { UsageView } from '../../src/core/api/videos.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, temporaryFolder, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** What is left of each backend, and what the client did through the gateway. */
const TOLD = {
  credits_remaining: 7,
  credits_used: 3,
  credits_included: 10,
  credits_purchased: 0,
  checkout_available: true,
  credit_packs: [{ id: 'p', any: { thing: 1 } }],
  video_generation: { can_create: false, reason: 'slots', active_jobs: 2, available_slots: 0 },
}

const start = async (options: GatewayOptions = {}) => {
  const clock = fakeClock()
  const app = await testApp({ clock, ...options })
  const main = servePrimary(app.main, clock.now)
  const alt = serveAlternate(app.alt, clock.now)
  const usage = async (key: string = KEYS.anna) => {
    const response = await app.raw.get('/unified/v1/usage').set(bearer(key))
    expect({ status: response.status, body: response.body as unknown }).toMatchObject({ status: 200 })
    return UsageView.parse(response.body)
  }
  const tell = (status = 200, body: object = TOLD) => app.main.next({ status, body })
  return { app, clock, main, alt, usage, tell }
}
const of = (view: UsageView, name: string) => must(view.backends.find(({ backend }) => backend === name))
const UNTOLD = {
  credits_remaining: null,
  credits_used_month: null,
  credits_included: null,
  credits_purchased: null,
  checkout_available: null,
  credit_packs: null,
  blocked_reason: null,
  retry_at: null,
}

describe('of the backends', () => {
  test('what the backend tells, and of one that tells nothing what the gateway knows', async () => {
    const { app, tell, usage } = await start({ backends: { alt: { slots: 3 } } })
    expectVideo(await app.post(ALT_BODY), 202)
    tell()
    const view = await usage()
    expect(of(view, 'main')).toEqual({
      backend: 'main',
      credits_remaining: 7,
      credits_used_month: 3,
      credits_included: 10,
      credits_purchased: 0,
      checkout_available: true,
      credit_packs: TOLD.credit_packs,
      can_create: false,
      blocked_reason: 'slots',
      retry_at: null,
      active_jobs: 2,
      free_slots: 0,
      requests: { limit: 100_000, remaining: 99_999, resets_at: expect.any(String) as string },
    })
    expect(of(view, 'alt')).toMatchObject({ ...UNTOLD, can_create: true, active_jobs: 1, free_slots: 2 })
  })

  test('100 callers cost one request, and those of the next seconds none', async () => {
    const { app, clock, main, usage, tell } = await start()
    tell()
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => usage(n % 2 ? KEYS.anna : KEYS.bert)))
    expect(new Set(all.map((view) => of(view, 'main').credits_remaining))).toEqual(new Set([7]))
    clock.jump(14_999)
    await usage()
    expect(main.asked('GET', '/api/v1/usage')).toHaveLength(1)
    clock.jump(1)
    tell(200, { ...TOLD, credits_remaining: 6 })
    expect(of(await usage(), 'main').credits_remaining).toBe(6)
    expect(app.alt.requests).toEqual([])
  })

  test('a backend that cannot be asked leaves its part unknown, and is not asked for each caller', async () => {
    const { app, main, usage, tell } = await start({ backends: { main: { slots: 2 } } })
    tell(503, { error: 'down', message: 'see https://internal.example' })
    for (let i = 0; i < 5; i += 1) {
      expect(of(await usage(), 'main')).toMatchObject({
        ...UNTOLD,
        can_create: null,
        active_jobs: 0,
        free_slots: 2,
      })
    }
    expect(main.asked('GET', '/api/v1/usage')).toHaveLength(1)
    expect(app.logs.filter((line) => line.includes('usage could not be read'))).toHaveLength(1)
    expect(app.logs.join('\n')).not.toContain('internal.example')
  })

  test('a backend that says when to come back is asked again then', async () => {
    const { clock, main, usage, tell } = await start()
    tell(503, { error: 'down', message: 'down', retryable: true, retry_after_seconds: 2 })
    await usage()
    clock.jump(1_999)
    await usage()
    expect(main.asked('GET', '/api/v1/usage')).toHaveLength(1)
    clock.jump(1)
    tell()
    expect(of(await usage(), 'main').credits_remaining).toBe(7)
  })

  test('a client hears of its own backends', async () => {
    const { usage, app } = await start({ clients: [{ id: 'anna', key: KEYS.anna, backends: ['alt'] }] })
    expect((await usage()).backends.map(({ backend }) => backend)).toEqual(['alt'])
    expect(app.upstream()).toBe(0)
  })

  test('takes no query', async () => {
    const { app } = await start()
    expectProblem(await app.get('/usage?month=2026-11'), 'invalid_request', { param: 'month' })
  })
})

describe('of the client', () => {
  test('its videos by status, what they were charged, and its requests of this month', async () => {
    const { app, main, clock, usage } = await start()
    expectVideo(await app.post(MAIN_BODY), 202)
    main.state.onCreate = 'completed'
    expectVideo(await app.post(MAIN_BODY), 200)
    expectVideo(await app.post(ALT_BODY), 202)
    expectProblem(await app.post({}), 'invalid_request')
    app.main.next({ status: 402, body: { error: 'no', message: 'no' } })
    expectProblem(await app.post(MAIN_BODY), 'insufficient_credits')
    const { client } = await usage()
    expect(client).toEqual({
      month: '2026-11',
      videos: { queued: 1, processing: 1, completed: 1, failed: 0, canceled: 0 },
      credits_charged: 2,
      requests: 6,
      limits: { videos_per_month: null, credits_per_month: null },
    })
    expect((await usage(KEYS.bert)).client).toMatchObject({ videos: { queued: 0 }, credits_charged: 0, requests: 1 })
    await clock.advance(Date.parse('2026-12-01') - clock.now())
    const next = (await usage()).client
    expect([next.month, next.videos.completed, next.credits_charged, next.requests]).toEqual(['2026-12', 0, 0, 1])
  })

  test('counts what was refused too, but nobody without a key', async () => {
    const { app, usage } = await start()
    await app.get('/nothing')
    await app.raw.get('/unified/v1/usage')
    await app.raw.get('/unified/v1/usage').set(bearer('tb_nobody_0123456789abcdef'))
    expect((await usage()).client.requests).toBe(2)
  })

  test('what the store could not take is not lost, and a stop stores the rest', async () => {
    let broken = false
    const wrapStore = (store: Store): Store => ({
      ...store,
      countRequests: (month, counts) => (broken ? Promise.reject(new Error('no')) : store.countRequests(month, counts)),
    })
    const { app, clock, usage } = await start({ wrapStore })
    const stored = async () => (await app.deps.store.monthOf('anna', clock.now())).requests
    for (let i = 0; i < 3; i += 1) await app.get('/videos')
    expect(await stored()).toBe(0)
    broken = true
    clock.jump(10_000)
    expect((await usage()).client.requests).toBe(4)
    broken = false
    clock.jump(10_000)
    expect((await usage()).client.requests).toBe(5)
    expect(await stored()).toBe(4)
    await app.deps.resources.requests.flush()
    expect(await stored()).toBe(5)
    expect((await usage()).client.requests).toBe(6)
  })

  test('a stop stores what was counted', async () => {
    const dir = await temporaryFolder()
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const before = await openApp({ dir, clock: fakeClock() })
    for (let i = 0; i < 3; i += 1) await before.get('/videos')
    await before.close()
    expect((await (await start({ dir })).usage()).client.requests).toBe(4)
  })
})
