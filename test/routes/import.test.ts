import { describe, expect, test } from 'vitest'
import { bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { startReceiver } from '../fakes/receiver.ts'
import { until } from '../fakes/until.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const start = async (options: GatewayOptions = {}) => {
  const app = await testApp(options)
  return { app, main: servePrimary(app.main), alt: serveAlternate(app.alt) }
}
const adopt = (app: TestApp, body: object, key: string = KEYS.anna) =>
  app.raw.post('/unified/v1/videos/import').set(bearer(key)).send(body)

const MAIN_JOB = { backend: 'main', backend_job_id: 'api_video_77' }
const ALT_JOB = { backend: 'alt', backend_job_id: 'clip_77' }

describe('POST /videos/import', () => {
  test('adopts a running job as it is: read once, listed like any other', async () => {
    const { app, main } = await start()
    const response = await adopt(app, { ...MAIN_JOB, metadata: { order: '7' } })
    const video = expectVideo(response, 201)
    expect(video).toMatchObject({
      status: 'processing',
      source: 'import',
      backend: 'main',
      backend_job_id: 'api_video_77',
    })
    expect(video).toMatchObject({ metadata: { order: '7' }, queue: null, credits: null, completed_at: null })
    expect(Object.values(video.input).every((value) => value === null)).toBe(true)
    expect(response.headers['location']).toBe(`/unified/v1/videos/${video.id}`)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(main.asked('GET', '/api/v1/videos/')).toHaveLength(1)
    expect(main.creates()).toEqual([])
    expect((await app.get('/videos')).body).toMatchObject({ data: [{ id: video.id }] })
    expect((await app.get(`/videos/${video.id}?expand=timeline`)).body).toMatchObject({
      timeline: [{ type: 'imported', detail: 'api_video_77 of backend main' }, { type: 'processing' }],
    })
  })

  test('twice is the same video, as it is, for no request; whatever else is asked of it', async () => {
    const { app } = await start()
    const { id } = expectVideo(await adopt(app, { ...ALT_JOB, metadata: { order: '7' } }), 201)
    const asked = app.upstream()
    const again = await adopt(app, { ...ALT_JOB, metadata: { order: '8' }, webhook_url: 'https://127.0.0.1/x' })
    expect(expectVideo(again, 200)).toMatchObject({ id, metadata: { order: '7' }, webhook_url: null })
    expect(again.headers['location']).toBe(`/unified/v1/videos/${id}`)
    expect(app.upstream()).toBe(asked)
  })

  test('many at once are one video', async () => {
    const { app } = await start()
    const answers = await Promise.all(Array.from({ length: 8 }, () => adopt(app, ALT_JOB)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 200, 200, 201,
    ])
    expect(new Set(answers.map(({ body }) => (body as { id: string }).id)).size).toBe(1)
  })

  test('the job of a video of its own is that video', async () => {
    const { app } = await start()
    const video = expectVideo(await app.post(MAIN_BODY), 202)
    const found = await adopt(app, { backend: 'main', backend_job_id: must(video.backend_job_id) })
    expect(expectVideo(found, 200)).toMatchObject({ id: video.id, source: 'text' })
  })

  test('another client’s job cannot be told from one that is not there, for the same request', async () => {
    const { app, main } = await start()
    const theirs = expectVideo(await app.post(MAIN_BODY), 202)
    const same = (id: string) => adopt(app, { backend: 'main', backend_job_id: id }, KEYS.bert)
    const asked = (): number => main.asked('GET', '/api/v1/videos/').length
    const known = await same(must(theirs.backend_job_id))
    expect(asked()).toBe(1)
    app.main.next({ status: 404, body: { error: 'job_not_found', message: 'none' } })
    const unknown = await same('api_video_none')
    expect(asked()).toBe(2)
    const plain = (response: typeof known) => ({
      ...expectProblem(response, 'video_not_found', { param: 'backend_job_id' }),
      request_id: '',
    })
    const words = JSON.stringify(plain(known)).replaceAll(must(theirs.backend_job_id), 'api_video_none')
    expect(JSON.parse(words)).toEqual(plain(unknown))
  })

  test('another client’s job is not had by another spelling of its id, which the backend reads as the same', async () => {
    const { app } = await start()
    app.alt.next({ status: 201, body: { id: 'Clip-7', status: 'processing' } })
    expect(expectVideo(await app.post(ALT_BODY), 202).backend_job_id).toBe('Clip-7')
    const body = { id: 'Clip-7', status: 'completed', download_url: 'https://cdn.example/theirs.mp4' }
    app.alt.next({ body }, { status: 404, body: { error: 'not_found' } })
    const told = async (id: string) => {
      const response = await adopt(app, { backend: 'alt', backend_job_id: id }, KEYS.bert)
      const problem = expectProblem(response, 'video_not_found', { param: 'backend_job_id' })
      return JSON.stringify({ ...problem, request_id: '' }).replaceAll(id, 'id')
    }
    expect(await told('clip-7')).toBe(await told('clip-8'))
  })

  test.each([
    ['another backend than there is', { backend: 'nowhere', backend_job_id: 'x' }, 'invalid_request', 'backend'],
    ['no job', { backend: 'main' }, 'invalid_request', 'backend_job_id'],
    ['an empty job', { backend: 'main', backend_job_id: '' }, 'invalid_request', 'backend_job_id'],
    ['another field', { ...MAIN_JOB, text: 'x' }, 'invalid_request', 'text'],
    ['metadata that is none', { ...MAIN_JOB, metadata: { a: 1 } }, 'invalid_request', 'metadata.a'],
    ['a target inside', { ...MAIN_JOB, webhook_url: 'https://10.0.0.1/a' }, 'webhook_url_not_allowed', 'webhook_url'],
    [
      'an id that no job can have',
      { backend: 'main', backend_job_id: '../../keys' },
      'video_not_found',
      'backend_job_id',
    ],
  ] as const)('%s is refused before anything is asked', async (_, body, code, param) => {
    const { app } = await start()
    expectProblem(await adopt(app, body), code, { param })
    expect(app.upstream()).toBe(0)
  })

  test('needs a scope of its own', async () => {
    const { app } = await start({ clients: [{ id: 'anna', key: KEYS.anna, scopes: ['videos:create', 'videos:read'] }] })
    expectProblem(await adopt(app, MAIN_JOB), 'insufficient_scope')
  })

  test('a backend that does not answer is its own fault, and nothing is adopted', async () => {
    const { app } = await start()
    app.main.next({ status: 500, body: { error: 'broken' } })
    expectProblem(await adopt(app, MAIN_JOB), 'backend_error', { backend: 'main' })
    // Not of the service, as far as can be told: no word about the job.
    app.main.next({ status: 404, headers: { 'content-type': 'text/html' }, body: '<html>no such site</html>' })
    expectProblem(await adopt(app, MAIN_JOB), 'not_found', { backend: 'main' })
    expect((await app.get('/videos')).body).toMatchObject({ data: [] })
    expectVideo(await adopt(app, MAIN_JOB), 201)
  })

  test.each([
    ['a 404 in the service’s shape', { status: 404, body: { error: 'not_found', message: 'nothing here' } }],
    ['an id of another form than it gives', { status: 400, body: { error: 'invalid_request', message: 'bad id' } }],
  ])('%s is a job that is not there', async (_, script) => {
    const { app } = await start()
    app.main.next(script)
    expectProblem(await adopt(app, MAIN_JOB), 'video_not_found', { backend_error: null })
  })

  test('without a request to spare it is 503 with a time', async () => {
    const { app } = await start({ backends: { main: { requests_per_minute: 1 } } })
    expectVideo(await app.post(MAIN_BODY), 202)
    const problem = expectProblem(await adopt(app, MAIN_JOB), 'backend_unavailable', { retryable: true })
    expect(problem.retry_after_seconds).toBeGreaterThan(0)
  })

  test('is taken from a backend that drains: the job is there already', async () => {
    const { app } = await start({ backends: { main: { drain: true } } })
    expectVideo(await adopt(app, MAIN_JOB), 201)
  })

  test('runs in a slot of its account', async () => {
    const { app } = await start({ backends: { main: { slots: 1 } } })
    expectVideo(await adopt(app, MAIN_JOB), 201)
    expect(expectVideo(await app.post(MAIN_BODY), 202).queue).toEqual({ position: 1, reason: 'no_free_slot' })
  })
})

describe('a create that is not answered yet', () => {
  test('keeps its job: what it may have made is not given away, what it cannot have made is', async () => {
    const { app } = await start()
    app.alt.next({ status: 500, body: {} })
    const bert = bearer(KEYS.bert)
    const lost = expectVideo(await app.post(ALT_BODY, bert), 202)
    expect(lost.backend_job_id).toBeNull()
    const problem = expectProblem(await adopt(app, ALT_JOB), 'import_in_doubt', { retryable: true, backend: 'alt' })
    expect([problem.video_id, JSON.stringify(problem).includes(lost.id)]).toEqual([null, false])
    expect(problem.retry_after_seconds).toBe(60)
    // Made of another portrait, it is nobody's.
    app.alt.next({ body: { id: 'clip_77', status: 'processing', puppet_id: 'pup_2' } })
    expectVideo(await adopt(app, ALT_JOB), 201)
    // Of another client's job not even the doubt is told.
    const theirs = { backend: 'alt', backend_job_id: 'clip_1' }
    expect(expectVideo(await app.post(ALT_BODY, bearer(KEYS.bert)), 202).backend_job_id).toBe('clip_1')
    expectProblem(await adopt(app, theirs), 'video_not_found', { param: 'backend_job_id' })
    // What the backend does not know is that, doubts or not.
    app.alt.next({ status: 404, body: { error: 'none' } })
    expectProblem(await adopt(app, { backend: 'alt', backend_job_id: 'clip_none' }), 'video_not_found')
  })
})

describe('a job that has ended', () => {
  test.each([
    ['main', MAIN_JOB, 'https://cdn.example/api_video_77.mp4?sig=abc'],
    ['alt', ALT_JOB, 'https://cdn.example/clip_77.mp4?sig=def'],
  ] as const)('on %s is a completed video at once, announced once to its target', async (name, job, url) => {
    const receiver = await startReceiver()
    const allow = [{ cidr: '127.0.0.0/8', ports: [receiver.port], http: true }]
    const { app, ...services } = await start({ runsEngine: true, webhooks: { allow } })
    services[name].state.onRead = 'completed'
    const video = expectVideo(await adopt(app, { ...job, webhook_url: `${receiver.url}/hook` }), 201)
    expect(video).toMatchObject({ status: 'completed', progress: 1, video_url: url, next_poll_at: null })
    await receiver.received(1)
    const body = JSON.parse(must(receiver.requests[0]).body) as { type: string; data: { id: string; source: string } }
    expect([body.type, body.data.id, body.data.source]).toEqual(['video.completed', video.id, 'import'])
    expect(expectVideo(await adopt(app, job), 200).id).toBe(video.id)
    expect(receiver.requests).toHaveLength(1)
    await receiver.close()
  })

  test('and failed is a failed one', async () => {
    const { app, main } = await start()
    main.state.onRead = 'failed'
    expect(expectVideo(await adopt(app, MAIN_JOB), 201)).toMatchObject({
      status: 'failed',
      error: { code: 'backend_failed', message: 'it did not work' },
    })
  })

  test('whose link its detail does not tell gets it from its download', async () => {
    const { app } = await start()
    app.alt.next({ body: { id: 'clip_77', status: 'completed', puppet_id: 'pup_1' } })
    expect(expectVideo(await adopt(app, ALT_JOB), 201)).toMatchObject({
      status: 'completed',
      video_url: 'https://cdn.example/clip_77.mp4?sig=new',
    })
  })
})

test('an imported job is polled, settled and announced like any other', async () => {
  const { app, main } = await start({ runsEngine: true })
  main.state.nextPollMs = 20
  const { id } = expectVideo(await adopt(app, MAIN_JOB), 201)
  main.state.onRead = 'completed'
  await until(async () => (await app.deps.videos.byId(id))?.status === 'completed')
})
