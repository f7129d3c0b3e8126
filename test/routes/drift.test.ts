import { describe, expect, test } from 'vitest'
import { BackendListView, DriftView, listOf } from '../../src/core/api/videos.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, servePrimary } from './services.ts'

const drift = async (app: TestApp, query = '') =>
  listOf(DriftView).parse((await app.get(`/backends/main/drift${query}`).expect(200)).body)

describe('GET /backends/{name}/drift', () => {
  test('lists what a backend was never known to send, how often and since when, and no value of it', async () => {
    const clock = fakeClock()
    const app = await testApp({ clock })
    expect(await drift(app)).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null })
    const odd = { id: 'api_video_1', status: 'rendering', moon_phase: 'private words', video_url: null }
    app.main.next({ status: 202, body: odd })
    expectVideo(await app.post(MAIN_BODY), 202)
    clock.jump(60_000)
    app.main.next({ status: 202, body: { ...odd, id: 'api_video_2' } }, { status: 400, body: { error: 'novel' } })
    expectVideo(await app.post(MAIN_BODY), 202)
    expectProblem(await app.post(MAIN_BODY), 'invalid_request')
    const [first_seen, last_seen] = [clock.now() - 60_000, clock.now()].map((ms) => new Date(ms).toISOString())
    const seen = { operation: 'createVideo', count: 2, first_seen, last_seen }
    const { data } = await drift(app)
    expect(data).toHaveLength(3)
    expect(data).toEqual(
      expect.arrayContaining([
        { ...seen, kind: 'status', value: 'rendering', sample: 'rendering' },
        { ...seen, kind: 'field', value: 'moon_phase', sample: 'string of 13' },
        { ...seen, kind: 'error_code', value: 'novel', sample: 'novel', count: 1, first_seen: last_seen },
      ]),
    )
    expect(JSON.stringify(data)).not.toContain('private words')
    expect(app.logs.filter((line) => line.includes('moon_phase'))).toHaveLength(1)
    expect((await app.get('/backends/alt/drift')).body).toMatchObject({ data: [] })
  })

  test('is paged like every list', async () => {
    const app = await testApp()
    const fields = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`odd_${name}`, 1]))
    app.main.next({ status: 202, body: { id: 'api_video_1', status: 'queued', ...fields } })
    expectVideo(await app.post(MAIN_BODY), 202)
    const first = await drift(app, '?limit=3')
    const second = await drift(app, `?limit=3&cursor=${must(first.next_cursor)}`)
    expect([...first.data, ...second.data].map(({ value }) => value).toSorted()).toEqual(Object.keys(fields))
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null])
    // What is met again stays where it is.
    app.main.next({ status: 202, body: { id: 'api_video_2', status: 'queued', odd_e: 1, odd_a: 1, odd_c: 1 } })
    expectVideo(await app.post(MAIN_BODY), 202)
    const later = await drift(app, `?limit=3&cursor=${must(first.next_cursor)}`)
    expect(later.data.map(({ value }) => value)).toEqual(second.data.map(({ value }) => value))
    expectProblem(await app.get(`/backends/alt/drift?cursor=${must(first.next_cursor)}`), 'invalid_cursor')
    expectProblem(await app.get('/backends/main/drift?limit=101'), 'invalid_request', { param: 'limit' })
    expectProblem(await app.get('/backends/main/drift?kind=field'), 'invalid_request', { param: 'kind' })
  })

  test('of a backend that the client may not see is the same 404 as of an unknown one', async () => {
    const only = 'tb_only_alt_0123456789'
    const app = await testApp({
      clients: [
        { id: 'anna', key: KEYS.anna },
        { id: 'alt', key: only, backends: ['alt'] },
      ],
    })
    const ask = (name: string) =>
      app.raw.get(`/unified/v1/backends/${name}/drift`).set(bearer(only)).set('x-request-id', 'same')
    const hidden = await ask('main')
    expectProblem(hidden, 'backend_not_found')
    expect(hidden.text).toContain('there is no backend main: yours are alt')
    expect(hidden.text).toBe((await ask('nowhere')).text.replaceAll('nowhere', 'main'))
    expect((await ask('alt')).status).toBe(200)
  })
})

describe('a 403 is about one scope', () => {
  const first = async (app: TestApp) =>
    must(BackendListView.parse((await app.get('/backends').expect(200)).body).data[0])

  test('its operation is off and the backend degraded, while the rest goes on, until it succeeds', async () => {
    const app = await testApp()
    app.main.next({ status: 403, body: { error: 'insufficient_scope', message: 'No' } })
    expectProblem(await app.post(MAIN_BODY), 'backend_credentials_rejected', { retryable: false })
    servePrimary(app.main)
    await app.get('/voices?backend=main').expect(200)
    expect(await first(app)).toMatchObject({
      health: { status: 'degraded', reason: 'backend_credentials_rejected' },
      capabilities: { text_source: false, audio_source: false, speech: true, image_url: true },
    })
    expectVideo(await app.post(MAIN_BODY), 202)
    expect(await first(app)).toMatchObject({ health: { status: 'up' }, capabilities: { text_source: true } })
  })

  test('a 401 is about the key: down until a call succeeds, whatever else it met', async () => {
    const app = await testApp()
    const down = { health: { status: 'down', reason: 'backend_credentials_rejected' } }
    for (const status of [401, 500, 403]) {
      app.main.next({ status, body: { error: 'no', message: 'No' } })
      await app.post(MAIN_BODY)
      expect(await first(app)).toMatchObject(down)
    }
    const told = app.logs.filter((line) => line.includes('refuses its key'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('"level":"error"')
    servePrimary(app.main)
    expectVideo(await app.post(MAIN_BODY), 202)
    expect((await first(app)).health.status).toBe('up')
    expect((await app.post(ALT_BODY)).status).not.toBe(200)
  })
})
