import { describe, expect, test } from 'vitest'
import { fakeClock } from '../fakes/clock.ts'
import { testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const start = async (options: GatewayOptions = {}) => {
  const app = await testApp(options)
  return { app, main: servePrimary(app.main, options.clock?.now), alt: serveAlternate(app.alt, options.clock?.now) }
}

describe('202', () => {
  test('with the Video, its Location and when to look', async () => {
    const clock = fakeClock()
    const { app } = await start({ clock })
    const metadata = { order: '17', ['k'.repeat(40)]: 'v'.repeat(500) }
    const body = {
      ...MAIN_BODY,
      voice_id: 'v1',
      language: 'en',
      expressiveness: 0.5,
      metadata,
      webhook_url: 'https://8.8.8.8/in',
    }
    const response = await app.post(body)
    const video = expectVideo(response, 202)
    expect(response.headers).toMatchObject({ location: `/unified/v1/videos/${video.id}`, 'retry-after': '10' })
    expect(response.headers).not.toHaveProperty('idempotency-replayed')
    expect(response.headers).not.toHaveProperty('preference-applied')
    expect(video).toEqual({
      id: expect.stringMatching(/^vid_[0-9A-Z]{26}$/) as string,
      object: 'video',
      status: 'queued',
      progress: null,
      backend: 'main',
      interface: 'primary',
      backend_job_id: 'api_video_1',
      source: 'text',
      input: {
        image_url: MAIN_BODY.image_url,
        puppet_id: null,
        text: 'Hello',
        audio_url: null,
        upload_id: null,
        voice_id: 'v1',
        language: 'en',
        expressiveness: 0.5,
        resolution: null,
      },
      video_url: null,
      video_url_expires_at: null,
      thumbnail_url: null,
      duration_seconds: null,
      duration_estimate_seconds: null,
      content_url: expect.stringMatching(
        new RegExp(`^${app.url}/unified/v1/videos/${video.id}/content\\?sig=[\\w-]{43}$`),
      ) as string,
      events_url: expect.stringMatching(
        new RegExp(`^${app.url}/unified/v1/videos/${video.id}/events\\?sig=[\\w-]{43}$`),
      ) as string,
      error: null,
      credits: { charged: 1, remaining: 9 },
      warnings: [],
      metadata,
      webhook_url: 'https://8.8.8.8/in',
      backend_status: 'queued',
      routing: {
        chosen_by: 'default',
        rule: null,
        pool: null,
        considered: [{ backend: 'main', verdict: 'chosen', reason: null }],
      },
      queue: null,
      created_at: '2026-11-20T10:00:00.000Z',
      dispatched_at: '2026-11-20T10:00:00.000Z',
      completed_at: null,
      deleted_at: null,
      next_poll_at: '2026-11-20T11:00:00.000Z',
      priority: 'normal',
      reused_from: null,
      replaces: null,
      replaced_by: null,
    })
    expect((await app.get(video.content_url.slice(video.content_url.indexOf('/videos/')))).status).toBe(409)
    const read = await app.raw
      .get(response.headers['location'] as string)
      .set('authorization', 'Bearer tb_anna_0123456789abcdef')
    expect(read.body).toEqual(video)
  })

  test('sends the backend what its contract names, in native ids', async () => {
    const { app, main, alt } = await start()
    await app.post({ ...MAIN_BODY, voice_id: 'main:v1', expressiveness: 0.5 })
    await app.post({ puppet_id: 'alt:pup_1', script: 'Hi', resolution: '720p', voice_id: 'w1' })
    expect(JSON.parse(main.creates()[0]?.body ?? '')).toEqual({ ...MAIN_BODY, voice_id: 'v1', expressiveness: 0.5 })
    expect(JSON.parse(alt.creates()[0]?.body ?? '')).toEqual({
      script: 'Hi',
      puppet_id: 'pup_1',
      voice_id: 'w1',
      resolution: '720p',
    })
    expect(main.creates()[0]?.headers).toMatchObject({
      authorization: 'Bearer upstream_main_0123456789',
      'content-type': 'application/json',
    })
  })

  test('5000 characters reach the alternate, however many units they are', async () => {
    const { app, alt } = await start()
    expectVideo(await app.post({ ...ALT_BODY, text: '😀'.repeat(5_000) }), 202)
    expect(alt.creates()).toHaveLength(1)
  })

  test("a Video's own input makes another of it", async () => {
    const { app } = await start()
    const first = expectVideo(await app.post({ ...MAIN_BODY, voice_id: 'v1' }), 202)
    expect(expectVideo(await app.post(first.input), 202).input).toEqual(first.input)
  })
})

describe('routing', () => {
  test.each<[string, object, string, string]>([
    ['the default', MAIN_BODY, 'main', 'default'],
    ['the request', { ...ALT_BODY }, 'alt', 'request'],
    ['a voice', { image_url: MAIN_BODY.image_url, text: 'x', voice_id: 'main:v2' }, 'main', 'id'],
    ['a puppet', { puppet_id: 'alt:pup_1', text: 'x' }, 'alt', 'id'],
    ['the request, with an id that agrees', { backend: 'alt', puppet_id: 'alt:pup_1', text: 'x' }, 'alt', 'request'],
  ])('%s chooses', async (_name, body, backend, chosen_by) => {
    const { app } = await start()
    expect(expectVideo(await app.post(body), 202)).toMatchObject({ backend, routing: { chosen_by } })
  })

  test('a puppet of the primary is sent as its image', async () => {
    const { app, main } = await start()
    expectVideo(await app.post({ puppet_id: 'main:pup_m', text: 'x' }), 202)
    expect(JSON.parse(main.creates()[0]?.body ?? '')).toEqual({ image_url: 'https://img.example/m.png', text: 'x' })
    expectProblem(await app.post({ puppet_id: 'main:nobody', text: 'x' }), 'puppet_not_found', {
      param: 'puppet_id',
      backend: 'main',
    })
    expectVideo(await app.post({ puppet_id: 'main:pup_m', text: 'y' }), 202)
    expect(main.asked('GET', '/api/v1/puppets?')).toHaveLength(1)
  })
})

describe('unsupported: warn', () => {
  test('proceeds and lists what was left out', async () => {
    const { app, main, alt } = await start()
    const one = expectVideo(await app.post({ ...MAIN_BODY, resolution: '1080p', unsupported: 'warn' }), 202)
    expect(one.warnings).toMatchObject([{ code: 'option_ignored', param: 'resolution' }])
    expect([one.input.resolution, main.creates()[0]?.body]).toEqual(['1080p', JSON.stringify(MAIN_BODY)])
    const two = expectVideo(
      await app.post({ ...ALT_BODY, language: 'en', expressiveness: 1, unsupported: 'warn' }),
      202,
    )
    expect(two.warnings.map(({ param }) => param).toSorted()).toEqual(['expressiveness', 'language'])
    expect(JSON.parse(alt.creates()[0]?.body ?? '')).toEqual({ script: 'Hello', puppet_id: 'pup_1' })
    expect((await app.get(`/videos/${two.id}`)).body).toMatchObject({ warnings: two.warnings })
  })
})

describe('Prefer: wait', () => {
  const ENGINE = { runsEngine: true }

  test('holds the answer until the video is terminal: 200', async () => {
    const { app, main } = await start(ENGINE)
    main.state.nextPollMs = 30
    main.state.onRead = 'completed'
    const response = await app.post(MAIN_BODY, { prefer: 'wait=10' })
    expect(expectVideo(response, 200)).toMatchObject({
      status: 'completed',
      progress: 1,
      video_url: 'https://cdn.example/api_video_1.mp4?sig=abc',
    })
    expect(response.headers['preference-applied']).toBe('wait=10')
    expect(response.headers).not.toHaveProperty('retry-after')
  })

  test('a failure ends it too', async () => {
    const { app, alt } = await start(ENGINE)
    alt.state.nextPollMs = 30
    alt.state.onRead = 'failed'
    const video = expectVideo(await app.post(ALT_BODY, { prefer: 'respond-async, wait=10' }), 200)
    expect(video).toMatchObject({
      status: 'failed',
      error: { code: 'backend_failed', backend_error: { code: 'render_failed' } },
    })
  })

  test('more than a minute is cut to one, and the answer says so', async () => {
    const { app } = await start()
    // A stop ends the wait at once.
    app.deps.stopping.abort()
    const response = await app.post(MAIN_BODY, { prefer: 'wait=600' })
    expectVideo(response, 202)
    expect(response.headers['preference-applied']).toBe('wait=60')
  })

  test('answers as it is when the time is over: 202', async () => {
    const { app } = await start(ENGINE)
    const response = await app.post(MAIN_BODY, { prefer: 'wait=1' })
    expect([expectVideo(response, 202).status, response.headers['preference-applied']]).toEqual(['queued', 'wait=1'])
  })

  test.each(['wait=0', 'wait=abc', 'wait', 'wait=-1', 'wait=1.5', 'return=minimal', ''])(
    '%s is not applied',
    async (prefer) => {
      const { app } = await start()
      const response = await app.post(MAIN_BODY, { prefer })
      expectVideo(response, 202)
      expect(response.headers).not.toHaveProperty('preference-applied')
    },
  )

  test('a caller that hangs up leaves the video running', async () => {
    const { app, main } = await start(ENGINE)
    const hangUp = new AbortController()
    const call = fetch(`${app.url}/unified/v1/videos`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer tb_anna_0123456789abcdef',
        'content-type': 'application/json',
        prefer: 'wait=60',
      },
      body: JSON.stringify(MAIN_BODY),
      signal: hangUp.signal,
    })
    const created = new Promise<void>((resolve) => {
      app.deps.wake.on({ changed: () => main.creates().length > 0 && resolve() })
    })
    await created
    hangUp.abort()
    await expect(call).rejects.toThrow()
    expect((await app.get('/videos')).body).toMatchObject({ data: [{ status: 'queued' }] })
  })
})
