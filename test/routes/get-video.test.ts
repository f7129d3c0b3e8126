import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { VideoView } from '../../src/core/api/videos.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { ROOMY, saving } from '../contract/store/helpers.ts'
import { fakeClock } from '../fakes/clock.ts'
import { testPostgres } from '../fakes/databases.ts'
import { bearer, KEYS, openApp, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { accepted, ended, SECOND, video } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary, type Service } from './services.ts'

describe('GET /videos/{id}', () => {
  let app: TestApp
  let main: Service
  let running: VideoView
  beforeAll(async () => {
    app = await openApp({ runsEngine: true })
    main = servePrimary(app.main)
    serveAlternate(app.alt)
    running = expectVideo(await app.post(MAIN_BODY), 202)
  })
  afterAll(() => app.close())

  test('a running video says when to poll again', async () => {
    const response = await app.get(`/videos/${running.id}`)
    expect(expectVideo(response, 200)).toEqual(running)
    expect(response.headers).toMatchObject({ 'retry-after': '10', 'cache-control': 'private, no-cache' })
  })

  test('ETag and If-None-Match', async () => {
    const { headers } = await app.get(`/videos/${running.id}`)
    const etag = headers['etag'] as string
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    for (const seen of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.get(`/videos/${running.id}`).set('if-none-match', seen)
      expect([again.status, again.text, again.headers['etag'], again.headers['retry-after']]).toEqual([
        304,
        '',
        etag,
        '10',
      ])
    }
    expectVideo(await app.get(`/videos/${running.id}`).set('if-none-match', '"other"'), 200)
    const timeline = await app.get(`/videos/${running.id}?expand=timeline`).set('if-none-match', etag)
    expect(timeline.status).toBe(200)
    expect(timeline.headers['etag']).not.toBe(etag)
  })

  test('HEAD has the headers and no body', async () => {
    const [get, head] = await Promise.all([
      app.get(`/videos/${running.id}`),
      app.raw.head(`/unified/v1/videos/${running.id}`).set(bearer(KEYS.anna)),
    ])
    expect([head.status, head.text]).toEqual([200, undefined])
    for (const name of ['etag', 'content-type', 'content-length', 'retry-after'])
      expect(head.headers[name]).toBe(get.headers[name] as string)
    expect((await app.raw.head('/unified/v1/videos/vid_0').set(bearer(KEYS.anna))).status).toBe(404)
  })

  test('expand=timeline shows its history', async () => {
    const { body } = await app.get(`/videos/${running.id}?expand=timeline`)
    const entry = z.strictObject({ at: z.iso.datetime(), type: z.string(), detail: z.string().nullable() })
    const { timeline } = VideoView.extend({ timeline: z.array(entry) }).parse(body)
    expect(timeline.map(({ type }) => type)).toEqual(['created', 'dispatched', 'accepted'])
    expectProblem(await app.get(`/videos/${running.id}?expand=all`), 'invalid_request', { param: 'expand' })
    expectProblem(await app.get(`/videos/${running.id}?expand=timeline&expand=timeline`), 'invalid_request', {
      param: 'expand',
    })
  })

  test('Prefer: wait holds until the end, or as long as was asked', async () => {
    const late = await app.get(`/videos/${running.id}`).set('prefer', 'wait=1')
    expect([expectVideo(late, 200).status, late.headers['preference-applied']]).toEqual(['queued', 'wait=1'])
    main.state.nextPollMs = 40
    main.state.onRead = 'completed'
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    const done = await app.get(`/videos/${id}`).set('prefer', 'wait=20')
    expect(expectVideo(done, 200)).toMatchObject({ status: 'completed', queue: null, next_poll_at: null })
    expect(done.headers).not.toHaveProperty('retry-after')
    const ended = await app.get(`/videos/${id}`).set('prefer', 'wait=20')
    expect(ended.headers['preference-applied']).toBe('wait=20')
  })
})

test('500 reads of every kind cost no request of a backend', async () => {
  const app = await testApp({ runsEngine: true, backends: { main: { slots: 2 } } })
  const main = servePrimary(app.main)
  const alt = serveAlternate(app.alt)
  main.state.onCreate = 'completed'
  const completed = expectVideo(await app.post(MAIN_BODY), 200)
  main.state.onCreate = 'queued'
  alt.state.onCreate = 'failed'
  const failed = expectVideo(await app.post(ALT_BODY), 200)
  const accepted = [expectVideo(await app.post(MAIN_BODY), 202), expectVideo(await app.post(MAIN_BODY), 202)]
  const waiting = expectVideo(await app.post(MAIN_BODY), 202)
  expect([completed.status, failed.status, waiting.queue?.position]).toEqual(['completed', 'failed', 1])
  const before = app.upstream()
  expect(before).toBe(4)

  const ids = [completed, failed, ...accepted, waiting].map(({ id }) => id)
  const reads = Array.from({ length: 500 }, (_, i) => {
    const path = `/unified/v1/videos/${ids[i % ids.length]}${i % 3 === 0 ? '?expand=timeline' : ''}`
    const request = i % 7 === 0 ? app.raw.head(path) : app.raw.get(path)
    return request.set({ ...bearer(KEYS.anna), ...(i % 100 === 0 && { prefer: 'wait=1' }) })
  })
  const statuses = (await Promise.all(reads)).map(({ status }) => status)
  expect(statuses).toEqual(statuses.map(() => 200))
  await Promise.all(Array.from({ length: 50 }, () => app.get('/videos')))
  await Promise.all(Array.from({ length: 50 }, () => app.get('/backends')))
  expect(app.upstream()).toBe(before)
})

test('a link whose time is over is not shown, and is made anew on demand', async () => {
  const clock = fakeClock()
  const app = await testApp({ clock })
  const alt = serveAlternate(app.alt, clock.now)
  alt.state.onCreate = 'completed'
  const { id } = expectVideo(await app.post(ALT_BODY), 200)
  const link = (minutes: number) => new Date(clock.now() + minutes * 60_000).toISOString()
  await clock.advance(600_000)
  const expires_at = link(60)
  app.alt.next({ body: { download_url: 'https://cdn.example/x.mp4?sig=1', expires_at } })
  await app.get(`/videos/${id}/download`).expect(200)
  const shown = { video_url: 'https://cdn.example/x.mp4?sig=1', video_url_expires_at: expires_at }
  expect((await app.get(`/videos/${id}`)).body).toMatchObject(shown)
  await clock.advance(3_600_000)
  expect((await app.get(`/videos/${id}`)).body).toMatchObject({ video_url: null, video_url_expires_at: null })
  expect((await app.get('/videos')).body).toMatchObject({ data: [{ video_url: null }] })
  expect(alt.asked('GET', '/v1/videos/clip_1/download')).toHaveLength(1)
  app.alt.next({ body: { download_url: 'https://cdn.example/x.mp4?sig=2', expires_at: link(60) } })
  expect((await app.get(`/videos/${id}/download`)).body).toMatchObject({
    download_url: 'https://cdn.example/x.mp4?sig=2',
  })
})

const drivers = ['sqlite', ...((await skippedWithout(['postgres'])) ? [] : ['postgres'])]

test.each(drivers)(
  'a body that is kept says what the record says now: links, polls, places, versions (%s)',
  async (driver) => {
    const clock = fakeClock()
    const app = await testApp({
      clock,
      ...(driver === 'postgres' && { store: { driver, url: (await testPostgres()).url } }),
    })
    const { store, videos, newId } = app.deps
    const put = async (make: typeof video, given: Partial<VideoRecord> = {}): Promise<string> => {
      const id = newId('vid')
      const record = make({ id, client: 'anna', createdAtMs: clock.now(), ...given })
      await store.open({ video: record, events: [], notes: [] }, null, ROOMY, null)
      return id
    }
    const nowMs = clock.now()
    const link = { url: 'https://cdn.example/v?sig=1', expiresAtMs: nowMs + 30 * SECOND, learnedAtMs: nowMs }
    const linked = await put(ended, { link, metadata: { name: 'ß 🎬' } })
    const runs = await put(accepted, { dueAtMs: nowMs + 20 * SECOND })
    const waits = [await put(video), await put(video)]
    const bodies = new Map<string, Set<string>>()
    for (let round = 0; round < 8; round += 1) {
      for (const id of [linked, runs, ...waits]) {
        const { text, headers } = await app.get(`/videos/${id}`)
        expect(text).toBe(JSON.stringify(await videos.render(must(await store.video(id)))))
        expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
        expect((await app.get(`/videos/${id}`).set('if-none-match', String(headers['etag']))).status).toBe(304)
        expectProblem(await app.raw.get(`/unified/v1/videos/${id}`).set(bearer(KEYS.bert)), 'video_not_found')
        bodies.set(id, (bodies.get(id) ?? new Set()).add(text))
      }
      if (round === 5) await store.change(must(waits[0]), saving({ phase: 'ended', status: 'canceled' }))
      if (round === 6) await store.change(runs, saving({ progress: 0.5 }))
      await clock.advance(7 * SECOND)
    }
    expect([...bodies.values()].map(({ size }) => size)).toEqual([2, 3, 2, 2])
  },
)
