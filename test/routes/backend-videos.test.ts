import { describe, expect, test } from 'vitest'
import { listOf, BackendVideoView } from '../../src/core/api/videos.ts'
import type { RecordedRequest } from '../fakes/backend.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY } from './services.ts'

const Page = listOf(BackendVideoView)
const PER_PAGE = 100

/** An account of so many jobs, newest first, of which the service tells 100 a page. */
const serve = (app: TestApp, count: number, pageOf: (n: number) => number = (n) => n) => {
  app.alt.answer(({ method, path }: RecordedRequest) => {
    if (method === 'POST') return { status: 201, body: { id: 'clip_0', status: 'processing', puppet_id: 'pup_1' } }
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page'))
    const from = (pageOf(page) - 1) * PER_PAGE
    const data = Array.from({ length: Math.max(0, Math.min(PER_PAGE, count - from)) }, (_, n) => ({
      id: `clip_${from + n}`,
      status: n % 2 === 0 ? 'processing' : 'completed',
      puppet_id: 'pup_1',
      created_at: new Date(Date.parse('2026-11-20T10:00:00Z') - (from + n) * 1_000).toISOString(),
    }))
    const pagination = { page, limit: PER_PAGE, total: count, total_pages: Math.ceil(count / PER_PAGE) }
    return { body: { data, pagination } }
  })
  return () => app.alt.requests.filter(({ method }) => method === 'GET').length
}

const list = (app: TestApp, query: Record<string, string | number> = {}, key: string = KEYS.anna) =>
  app.raw
    .get('/unified/v1/videos')
    .query({ origin: 'backend', backend: 'alt', ...query })
    .set(bearer(key))
const page = async (...given: Parameters<typeof list>) => {
  const response = await list(...given)
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 })
  return { ...Page.parse(response.body), headers: response.headers }
}
const start = (options: GatewayOptions = {}) => testApp(options)

describe('GET /videos?origin=backend', () => {
  test('lists what the backend knows, whoever made it, with the caller’s own videos named', async () => {
    const app = await start()
    serve(app, 3)
    const own = expectVideo(await app.post(ALT_BODY), 202)
    const { data, has_more, headers } = await page(app)
    expect(data[0]).toEqual({
      object: 'backend_video',
      backend: 'alt',
      backend_job_id: 'clip_0',
      status: 'processing',
      puppet_id: 'alt:pup_1',
      created_at: '2026-11-20T10:00:00.000Z',
      video_id: own.id,
    })
    expect(data.map((one) => one.backend_job_id)).toEqual(['clip_0', 'clip_1', 'clip_2'])
    expect([has_more, headers['x-cache'], headers['talkbridge-warning']]).toEqual([false, 'miss', undefined])
    // To another client the same job is nobody's.
    expect((await page(app, {}, KEYS.bert)).data.map((one) => one.video_id)).toEqual([null, null, null])
  })

  test('pages by any limit over the upstream’s pages, each job once, from one reading', async () => {
    const app = await start()
    const asked = serve(app, 250)
    for (const limit of [7, 100, 33]) {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const next: Awaited<ReturnType<typeof page>> = await page(app, { limit, ...(cursor !== '' && { cursor }) })
        seen.push(...next.data.map((one) => one.backend_job_id))
        cursor = next.next_cursor
      }
      expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => `clip_${n}`))
    }
    expect(asked()).toBe(3)
  })

  test('a cursor is good at another process, and for longer than the list is fresh', async () => {
    const clock = fakeClock()
    const [app, other] = [await start({ clock }), await start({ clock })]
    const [asked, askedOther] = [serve(app, 150), serve(other, 150)]
    const first = await page(app, { limit: 100 })
    const cursor = must(first.next_cursor)
    const rest = async (at: TestApp) => (await page(at, { limit: 100, cursor })).data.map((one) => one.backend_job_id)
    const expected = Array.from({ length: 50 }, (_, n) => `clip_${100 + n}`)
    expect(await rest(other)).toEqual(expected)
    // Every reading costs requests: later pages are of the same one for ten minutes.
    await clock.advance(9 * 60_000)
    expect([await rest(app), await rest(other), asked(), askedOther()]).toEqual([expected, expected, 2, 2])
    await clock.advance(60_001)
    expect([await rest(app), asked()]).toEqual([expected, 4])
  })

  test('is filtered by status and time', async () => {
    const app = await start()
    serve(app, 4)
    const of = async (query: Record<string, string>) => (await page(app, query)).data.map((one) => one.backend_job_id)
    expect(await of({ status: 'completed' })).toEqual(['clip_1', 'clip_3'])
    expect(await of({ created_before: '2026-11-20T09:59:59Z' })).toEqual(['clip_2', 'clip_3'])
    expect(await of({ created_after: '2026-11-20T09:59:59Z', status: 'completed' })).toEqual([])
  })

  test('ends after 2,000 jobs, and says so with every page', async () => {
    const app = await start()
    const asked = serve(app, 2_101)
    const first = await page(app, { limit: 100 })
    expect(first.headers['talkbridge-warning']).toBe('incomplete; backend=alt; reason=too_long')
    const second = await page(app, { limit: 100, cursor: must(first.next_cursor) })
    expect(second.headers['talkbridge-warning']).toBe('incomplete; backend=alt; reason=too_long')
    expect(asked()).toBe(20)
  })

  test('a job that moved to the next page meanwhile is there once', async () => {
    const app = await start()
    // The second page tells the first again, as after a hundred creates.
    serve(app, 200, (n) => Math.max(1, n - 1))
    const { data } = await page(app, { limit: 100 })
    expect(new Set(data.map((one) => one.backend_job_id)).size).toBe(100)
    expect((await page(app, { limit: 100 })).has_more).toBe(false)
  })

  test('many at once are one reading; a minute later it is read anew', async () => {
    const clock = fakeClock()
    const app = await start({ clock })
    const asked = serve(app, 150)
    await Promise.all(Array.from({ length: 10 }, (_, n) => list(app, {}, n % 2 === 0 ? KEYS.anna : KEYS.bert)))
    expect(asked()).toBe(2)
    await clock.advance(59_000)
    expect((await page(app)).headers['x-cache']).toBe('hit')
    await clock.advance(1_001)
    expect((await page(app)).headers['x-cache']).toBe('miss')
    expect(asked()).toBe(4)
  })

  test('a reading that meets a fault goes on where it stood', async () => {
    const app = await start()
    const asked = serve(app, 250)
    app.alt.next(
      { body: { data: [{ id: 'clip_0', status: 'processing' }], pagination: { total_pages: 3 } } },
      { status: 500, body: { error: 'broken' } },
    )
    expectProblem(await list(app), 'backend_error', { backend: 'alt' })
    expect((await page(app)).data[0]?.backend_job_id).toBe('clip_0')
    expect(asked()).toBe(4)
  })

  test('without requests to spare it is 503 with a time', async () => {
    const app = await start({ backends: { alt: { requests_per_minute: 2 } } })
    serve(app, 900)
    const problem = expectProblem(await list(app), 'backend_unavailable', { retryable: true })
    expect(problem.retry_after_seconds).toBeGreaterThan(0)
  })

  test('is for a backend that has a list, and a key that may read all', async () => {
    const app = await start({
      clients: [
        { id: 'anna', key: KEYS.anna, scopes: ['videos:read'] },
        { id: 'bert', key: KEYS.bert, scopes: ['backends:read_all'] },
      ],
    })
    serve(app, 1)
    expectProblem(await list(app), 'insufficient_scope')
    expect((await page(app, {}, KEYS.bert)).data).toHaveLength(1)
    expectProblem(await list(app, { backend: 'main' }, KEYS.bert), 'capability_not_supported', { param: 'origin' })
    expectProblem(await app.raw.get('/unified/v1/videos').set(bearer(KEYS.bert)), 'insufficient_scope')
    expect(app.main.requests).toEqual([])
  })

  test('needs the name of a backend that the caller sees', async () => {
    const app = await start()
    const needed = expectProblem(await app.get('/videos?origin=backend'), 'invalid_request', { param: 'backend' })
    expect(needed.detail).toBe('origin=backend needs a backend: give the parameter backend')
    expectProblem(await list(app, { backend: 'nope' }), 'invalid_request', {
      detail: expect.stringContaining('there is no backend nope'),
    })
  })

  test('a cursor is of this list, client and filter alone', async () => {
    const app = await start()
    serve(app, 3)
    const cursor = must((await page(app, { limit: 1 })).next_cursor)
    expectProblem(await list(app, { cursor }, KEYS.bert), 'invalid_cursor')
    expectProblem(await list(app, { cursor, status: 'completed' }), 'invalid_cursor')
    expectProblem(await list(app, { cursor: `${cursor.slice(0, -2)}AA` }), 'invalid_cursor')
    expectProblem(await app.get(`/videos?cursor=${cursor}`), 'invalid_cursor')
  })
})
