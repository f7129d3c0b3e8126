import { describe, expect, test } from 'vitest'
import { bearer, KEYS } from '../../fakes/gateway.ts'
import type { Script } from '../../fakes/backend.ts'
import { accepting, expectError, JOB, stage, VIDEO } from './stage.ts'

const LINK = 'https://cdn.primary.example/v/1.mp4?sig=s'
const IDS = ['id', 'operation_id', 'request_id']

describe('GET /api/v1/videos/{jobId}', () => {
  test('answers from the record, however often it is asked', async () => {
    const { app, post, get } = await stage()
    const made = await post('/videos/text', VIDEO)
    const { body, headers } = await get(made.body.status_url)
    expect(IDS.map((name) => body[name])).toEqual(IDS.map(() => made.body.id))
    expect(body).toMatchObject({ status: 'queued', content_location: body.status_url, nextPollAt: body.next_poll_at })
    expect(headers).toMatchObject({
      location: `${app.url}${body.status_url}`,
      'content-location': `${app.url}${body.status_url}`,
      'service-operation-id': body.id,
      'x-service-request-id': body.id,
      'x-service-next-poll-at': body.next_poll_at,
      'retry-after': expect.stringMatching(/^[1-9]\d*$/),
    })
    expect(app.upstream()).toBe(1)
  })

  test('carries over what the backend says beside the contract, with our id in the place of its own', async () => {
    const { app, post } = await stage()
    app.main.answer(
      accepting({
        created_at: '2026-11-20T10:00:00Z',
        links: [{ self: `/api/v1/videos/${JOB}`, file: `https://cdn.example/${JOB}.png` }],
        parent: JOB,
      }),
    )
    const { body } = await post('/videos/text', VIDEO)
    expect(body).toMatchObject({
      created_at: '2026-11-20T10:00:00Z',
      links: [{ self: `/api/v1/videos/${body.id}`, file: `https://cdn.example/${JOB}.png` }],
      parent: body.id,
    })
  })

  test.each<[string, object, object]>([
    [
      'running',
      { status: 'processing', progress: 0.4, mood: 'busy' },
      { status: 'processing', progress: 0.4, mood: 'busy' },
    ],
    ['completed', { status: 'completed', video_url: LINK }, { status: 'completed', video_url: LINK }],
    [
      'failed, in its own word',
      { status: 'errored', error: 'no_face', message: 'No face in https://img.example/?a=b', retryable: false },
      { status: 'errored', error: 'no_face', message: 'No face in https://img.example/?a=b', retryable: false },
    ],
  ])('a job that is %s is shown as the backend shows it', async (_, said, shown) => {
    const { app, post, get } = await stage({ runsEngine: true })
    const made = await post('/videos/text', VIDEO)
    app.main.answer({ body: { id: JOB, ...said } })
    const read = async () => (await get(made.body.status_url)).body
    await expect.poll(read, { timeout: 120_000 }).toMatchObject(shown)
  })

  test('a video that was canceled here is a failed job', async () => {
    const { app, post, get } = await stage({ backends: { main: { slots: 1 } } })
    await post('/videos/text', VIDEO)
    const waiting = await post('/videos/text', VIDEO)
    expect([waiting.status, waiting.body.status]).toEqual([202, 'queued'])
    await app.raw.post(`/unified/v1/videos/${waiting.body.id}/cancel`).set(bearer(KEYS.anna))
    expect((await get(waiting.body.status_url)).body).toMatchObject({
      status: 'failed',
      error: 'canceled',
      retryable: false,
    })
  })

  test('an id of no form is 400, one that nobody has 404 with all its names', async () => {
    const { app, get } = await stage()
    expectError(await get('/api/v1/videos/clip_1'), 400, 'invalid_request')
    const missing = await get('/api/v1/videos/api_video_none')
    const body = expectError(missing, 404, 'job_not_found', 'VIDEO_JOB_NOT_FOUND')
    expect(body).toMatchObject({ jobId: 'api_video_none', task_id: 'api_video_none', statusUrl: body['status_url'] })
    expect(missing.headers['location']).toBe(`${app.url}/api/v1/videos/api_video_none`)
    expect(app.upstream()).toBe(0)
  })
})

describe('one video', () => {
  test('has three names on every surface', async () => {
    const { post, get } = await stage()
    const { id } = (await post('/videos/text', VIDEO)).body
    const ours = `vid_${String(id).slice('api_video_'.length)}`
    for (const name of [id, ours, JOB]) {
      expect((await get(`/api/v1/videos/${name}`)).body.id).toBe(id)
      expect((await get(`/unified/v1/videos/${name}`)).body.id).toBe(ours)
    }
  })

  test('made on another surface is read here', async () => {
    const { app, get } = await stage()
    const { id } = (await app.post(VIDEO)).body
    const { body } = await get(`/api/v1/videos/${id}`)
    expect([body.id, body.status]).toEqual([`api_video_${String(id).slice(4)}`, 'queued'])
  })

  test('of another client is like none, under any name', async () => {
    const { post, get } = await stage()
    const { id } = (await post('/videos/text', VIDEO)).body
    for (const name of [id, JOB]) {
      const theirs = await get(`/api/v1/videos/${name}`, KEYS.bert)
      const none = await get('/api/v1/videos/api_video_none', KEYS.bert)
      expect(theirs.status).toBe(404)
      expect(theirs.text.replaceAll(name, 'api_video_none')).toBe(none.text)
    }
  })
})

describe('a job of before the gateway', () => {
  const job = { id: 'api_video_old', status: 'processing', progress: 0.5 }

  test('is adopted once where the operator allows it, by the client that asks', async () => {
    const { app, get } = await stage({ dropin: { adopt_existing: true } })
    app.main.answer({ body: job })
    const [first, again] = [await get('/api/v1/videos/api_video_old'), await get('/api/v1/videos/api_video_old')]
    expect(first.body).toMatchObject({ status: 'processing', progress: 0.5 })
    expect([again.body.id, app.main.requests.length]).toEqual([first.body.id, 1])
    expectError(await get('/api/v1/videos/api_video_old', KEYS.bert), 404, 'job_not_found', 'VIDEO_JOB_NOT_FOUND')
  })

  test('is unknown where the operator does not, and nobody is asked', async () => {
    const { app, get } = await stage()
    expectError(await get('/api/v1/videos/api_video_old'), 404, 'job_not_found', 'VIDEO_JOB_NOT_FOUND')
    expect(app.upstream()).toBe(0)
  })

  test('that the backend does not know is 404; a backend that breaks is 502: keep polling', async () => {
    const { app, get } = await stage({ dropin: { adopt_existing: true } })
    expectError(await get('/api/v1/videos/api_video_old'), 404, 'job_not_found', 'VIDEO_JOB_NOT_FOUND')
    app.main.answer({ status: 503, body: { error: 'busy', message: 'busy' }, headers: { 'retry-after': '700' } })
    const broken = await get('/api/v1/videos/api_video_other')
    // What is left of it.
    expect([broken.status, broken.headers['retry-after']]).toEqual([502, expect.stringMatching(/^(700|[56]\d\d)$/)])
  })

  test.each<[string, Script]>([
    ['that hangs', { fault: 'hang' }],
    ['that breaks', { status: 500, body: { error: 'broken', message: 'No.', retryable: false } }],
    ['that refuses the gateway', { status: 401, body: { error: 'unauthorized', message: 'No.' } }],
  ])('of a backend %s is 502, with all that a client needs to keep polling it', async (_, script) => {
    const { app, get } = await stage({ dropin: { adopt_existing: true }, backends: { main: { timeout: '100ms' } } })
    app.main.answer(script)
    const response = await get('/api/v1/videos/api_video_old')
    const body = expectError(response, 502, 'job_status_unavailable')
    const url = '/api/v1/videos/api_video_old'
    expect(body).toMatchObject({ retryable: true, jobId: 'api_video_old', status_url: url })
    expect(response.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-9]\d*$/),
      'x-service-next-poll-at': body['next_poll_at'],
      location: `${app.url}${url}`,
      'content-location': `${app.url}${url}`,
      'service-operation-id': 'api_video_old',
      'x-service-request-id': 'api_video_old',
    })
  })

  test('is found at the backend of its interface, also when another stands behind the surface by now', async () => {
    const options = { dropin: { adopt_existing: true }, routing: { dropin: { primary: 'alt' } } }
    const { app, get } = await stage(options)
    app.main.answer({ body: job })
    expect((await get('/api/v1/videos/api_video_old')).body.status).toBe('processing')
    expect(app.alt.requests).toEqual([])
  })
})

describe('links in headers', () => {
  test('lead to public_url', async () => {
    const { get } = await stage({ server: { public_url: 'https://video.example/gate' } })
    const { headers } = await get('/api/v1/videos/api_video_none')
    expect(headers['location']).toBe('https://video.example/gate/api/v1/videos/api_video_none')
  })

  test('say what Host says only behind a proxy that is trusted', async () => {
    for (const [trust, origin] of [
      [true, 'https://edge.example'],
      [false, null],
    ] as const) {
      const { app, post } = await stage({ server: { trust_proxy: trust } })
      const proxied = { 'x-forwarded-host': 'edge.example', 'x-forwarded-proto': 'https' }
      const { headers, body } = await post('/videos/text', VIDEO, proxied)
      expect(headers['location']).toBe(`${origin ?? app.url}${body.status_url}`)
    }
  })

  test('say nothing that is no host', async () => {
    const { app, post } = await stage({ server: { trust_proxy: true } })
    const { headers } = await post('/videos/text', VIDEO, { 'x-forwarded-host': 'evil.example/a?b=' })
    expect(headers['location']).toContain(`${app.url}/`)
  })
})
