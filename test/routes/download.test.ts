import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DownloadView } from '../../src/core/api/videos.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, temporaryFolder, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { issuing } from './access-stage.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** Links: the stored one while it is valid, then one refresh for all, within the budget. */
const start = async (options: GatewayOptions = {}) => {
  const clock = fakeClock()
  const app = await testApp({ clock, ...options })
  const main = servePrimary(app.main, clock.now)
  const alt = serveAlternate(app.alt, clock.now)
  main.state.onCreate = alt.state.onCreate = main.state.onRead = 'completed'
  const download = async (id: string) => DownloadView.parse((await app.get(`/videos/${id}/download`).expect(200)).body)
  return { app, clock, main, alt, download }
}
const TEN_MINUTES_MS = 600_000
const MINUTE_MS = 60_000
const STORED = 'https://cdn.example/api_video_1.mp4?sig=abc'

describe('GET /videos/{id}/download', () => {
  test('is the stored link for ten minutes where its expiry is unknown', async () => {
    const { app, clock, main, download } = await start()
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    expect(await download(id)).toEqual({ download_url: STORED, expires_at: null })
    await clock.advance(TEN_MINUTES_MS - 1)
    expect(await download(id)).toEqual({ download_url: STORED, expires_at: null })
    expect(main.asked('GET', '/')).toEqual([])
    const response = await app.get(`/videos/${id}/download`)
    expect(response.headers['cache-control']).toBe('no-store')
  })

  test('then one refresh serves twenty callers, and lives as long as the backend says', async () => {
    const { app, clock, alt, download } = await start()
    const { id } = expectVideo(await app.post(ALT_BODY), 200)
    await clock.advance(TEN_MINUTES_MS)
    const links = await Promise.all(Array.from({ length: 20 }, () => download(id)))
    const fresh = { download_url: 'https://cdn.example/clip_1.mp4?sig=new', expires_at: '2036-01-01T00:00:00.000Z' }
    expect(links).toEqual(links.map(() => fresh))
    await clock.advance(10 * TEN_MINUTES_MS)
    expect(await download(id)).toEqual(fresh)
    expect(alt.asked('GET', '/v1/videos/clip_1/download')).toHaveLength(1)
    expect((await app.get(`/videos/${id}`)).body).toMatchObject({
      video_url: fresh.download_url,
      video_url_expires_at: fresh.expires_at,
    })
  })

  test('the primary has no download call: its job is read again', async () => {
    const { app, clock, main, download } = await start()
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    await clock.advance(TEN_MINUTES_MS)
    await Promise.all(Array.from({ length: 20 }, () => download(id)))
    expect(main.asked('GET', '/api/v1/videos/api_video_1')).toHaveLength(1)
  })

  test('a backend that has no link yet has answered: however often, it is held for well', async () => {
    const { app, clock } = await start()
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    await clock.advance(TEN_MINUTES_MS)
    for (let n = 0; n < 8; n += 1) {
      app.main.next({ body: { id: 'api_video_1', status: 'completed' } })
      expectProblem(await app.get(`/videos/${id}/download`), 'video_not_completed')
      await clock.advance(MINUTE_MS + 1)
    }
    await app.get('/voices?backend=main').expect(200)
  })

  test('without budget it is 503 backend_unavailable with a time', async () => {
    const { app, clock } = await start({ backends: { main: { requests_per_minute: 1 } } })
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    await clock.advance(TEN_MINUTES_MS)
    await app.get('/voices?backend=main').expect(200)
    const problem = expectProblem(await app.get(`/videos/${id}/download`), 'backend_unavailable', {
      video_id: id,
      backend: 'main',
      retryable: true,
    })
    expect(problem.retry_after_seconds).toBe(61)
    expectProblem(await app.get(`/videos/${id}/content`), 'backend_unavailable', { video_id: id })
    expect(app.main.requests).toHaveLength(2)
  })

  test("a backend's fault is told for a minute, and then no more", async () => {
    const { app, clock, download } = await start()
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    await clock.advance(TEN_MINUTES_MS)
    app.main.next({ status: 500, body: { error: 'oops' } }, { body: '<html>' })
    for (const requests of [2, 3]) {
      const told = { video_id: id, backend: 'main', retry_after_seconds: 60 }
      expectProblem(await app.get(`/videos/${id}/download`), 'backend_error', told)
      await clock.advance(MINUTE_MS - 1)
      expectProblem(await app.get(`/videos/${id}/content`), 'backend_error', { ...told, retry_after_seconds: 1 })
      expect(app.main.requests).toHaveLength(requests)
      await clock.advance(2)
    }
    expect((await download(id)).download_url).toBe(STORED)
    expect((await app.get(`/videos/${id}`)).body).toMatchObject({ status: 'completed' })
  })

  test('before completion, and after a failure, it is 409 video_not_completed', async () => {
    const { app, main } = await start()
    main.state.onCreate = 'queued'
    const queued = expectVideo(await app.post(MAIN_BODY), 202)
    expectProblem(await app.get(`/videos/${queued.id}/download`), 'video_not_completed', {
      video_id: queued.id,
      retryable: true,
    })
    main.state.onCreate = 'failed'
    const failed = expectVideo(await app.post(MAIN_BODY), 200)
    expectProblem(await app.get(`/videos/${failed.id}/download`), 'video_not_completed', {
      video_id: failed.id,
      retryable: false,
    })
    expect(main.asked('GET', '/')).toEqual([])
  })

  test('takes no query', async () => {
    const { app } = await start()
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    expectProblem(await app.get(`/videos/${id}/download?ttl=5`), 'invalid_request', { param: 'ttl' })
  })
})

describe('GET /videos/{id}/content', () => {
  test('the link ends with its client, as the events link does: while it is disabled, and once it is deleted', async () => {
    const { app } = await start()
    const ops = issuing(app)
    await ops.client({ id: 'shop' })
    const { key } = await ops.issue({ client: 'shop', scopes: ['videos:create'] })
    const made = expectVideo(await app.post(MAIN_BODY, bearer(key)), 200)
    const asked = app.upstream()
    const links = [made.content_url, made.events_url].map((url) => url.slice(app.url.length))
    const expectEnded = async () => {
      for (const path of links) expectProblem(await app.raw.get(path), 'video_not_found')
    }
    const [content = ''] = links
    await app.raw.get(content).expect(302)
    await ops.call('patch', '/clients/shop', { enabled: false }).expect(200)
    await expectEnded()
    await ops.call('patch', '/clients/shop', { enabled: true }).expect(200)
    await app.raw.get(content).expect(302)
    await ops.call('delete', '/clients/shop').expect(204)
    await expectEnded()
    expect(app.upstream()).toBe(asked)
  })

  test('and once its client is no longer in the file', async () => {
    const dir = await temporaryFolder()
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const app = await openApp({ dir })
    servePrimary(app.main).state.onCreate = 'completed'
    const made = expectVideo(await app.post(MAIN_BODY), 200)
    const links = [made.content_url, made.events_url].map((url) => url.slice(app.url.length))
    const [content = ''] = links
    await app.raw.get(content).expect(302)
    await app.close()
    const { app: after } = await start({ dir, clients: [{ id: 'bert', key: KEYS.bert }] })
    for (const path of links) expectProblem(await after.raw.get(path), 'video_not_found')
    expectProblem(await after.get('/videos'), 'unauthenticated')
    expect(after.upstream()).toBe(0)
  })

  test('with its own sig it needs no key and answers 302 to the link', async () => {
    const { app, clock, main } = await start()
    const { id, content_url } = expectVideo(await app.post(MAIN_BODY), 200)
    const path = content_url.slice(app.url.length)
    expect(path).toMatch(new RegExp(`^/unified/v1/videos/${id}/content\\?sig=`))
    for (const response of [
      await app.raw.get(path),
      await app.raw.head(path),
      await app.raw.get(path).set('accept', 'video/mp4'),
      await app.raw.get(path).set('authorization', 'Bearer wrong'),
    ]) {
      expect([response.status, response.headers['location'], response.headers['cache-control']]).toEqual([
        302,
        STORED,
        'no-store',
      ])
    }
    await clock.advance(TEN_MINUTES_MS)
    await Promise.all(Array.from({ length: 20 }, () => app.raw.get(path).expect(302)))
    expect(main.asked('GET', '/api/v1/videos/api_video_1')).toHaveLength(1)
  })

  test('with a key instead of a sig, for the owner alone', async () => {
    const { app } = await start()
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    expect((await app.get(`/videos/${id}/content`)).status).toBe(302)
    expectProblem(await app.raw.get(`/unified/v1/videos/${id}/content`).set(bearer(KEYS.bert)), 'video_not_found')
    expectProblem(await app.raw.get(`/unified/v1/videos/${id}/content`), 'unauthenticated')
  })

  test('a wrong sig is the 404 of an unknown video, a good key beside it or not', async () => {
    const { app } = await start()
    const [one, two] = [expectVideo(await app.post(MAIN_BODY), 200), expectVideo(await app.post(MAIN_BODY), 200)]
    const sig = new URL(one.content_url).searchParams.get('sig') ?? ''
    for (const wrong of [
      '',
      'x',
      sig.slice(0, -1),
      `${sig}A`,
      `${sig}=`,
      sig.toLowerCase(),
      new URL(two.content_url).searchParams.get('sig') ?? '',
    ]) {
      const path = `/unified/v1/videos/${one.id}/content?sig=${wrong}`
      expectProblem(await app.raw.get(path), 'video_not_found')
      expectProblem(await app.raw.get(path).set(bearer(KEYS.anna)), 'video_not_found')
    }
    expectProblem(await app.raw.get(`/unified/v1/videos/vid_0/content?sig=${sig}`), 'video_not_found')
    const unknown = app.deps.linkSignatures.content.sign('vid_0')
    expectProblem(await app.raw.get(`/unified/v1/videos/vid_0/content?sig=${unknown}`), 'video_not_found')
    for (const query of [`sig=${sig}&sig=${sig}`, `sig=${sig}&x=1`, `sig=${'a'.repeat(201)}`]) {
      expectProblem(await app.raw.get(`/unified/v1/videos/${one.id}/content?${query}`), 'invalid_request')
    }
  })

  test('before completion it is 409', async () => {
    const { app, main } = await start()
    main.state.onCreate = 'processing'
    const { id, content_url } = expectVideo(await app.post(MAIN_BODY), 202)
    expectProblem(await app.raw.get(content_url.slice(app.url.length)), 'video_not_completed', {
      video_id: id,
      retryable: true,
    })
  })
})
