import { describe, expect, test } from 'vitest'
import { bearer, KEYS, testApp, type ConfigDraft, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { serveAlternate, servePrimary } from './services.ts'

const ALIASES = {
  voices: { narrator: { main: 'v1', alt: 'w1' }, soft: { alt: 'w2' } },
  puppets: { anna: { main: { image_url: 'https://img.example/anna.png' }, alt: 'pup_1' } },
}
const BODY = { puppet_id: 'anna', voice_id: 'narrator', text: 'Hello' }
const IMAGE = { image_url: 'https://img.example/other.png', voice_id: 'v1', text: 'Hello' }

const start = async (routing: ConfigDraft['routing'], draft: ConfigDraft = {}) => {
  const app = await testApp({ aliases: ALIASES, ...draft, ...(routing && { routing }) })
  const [main, alt] = [servePrimary(app.main), serveAlternate(app.alt)]
  return { app, main, alt, sent: () => [main.creates().length, alt.creates().length] }
}
const made = async (app: TestApp, body: object, headers?: Record<string, string>) =>
  expectVideo(await app.post(body, headers), 202)
const asked = async (app: TestApp, body: object) =>
  (await app.raw.post('/unified/v1/videos/check').set(bearer(KEYS.anna)).send(body).expect(200)).body
const timeline = async (app: TestApp, id: string): Promise<string> =>
  JSON.stringify((await app.get(`/videos/${id}?expand=timeline`)).body.timeline)

/** Where nobody listens. */
const NOWHERE = { base_url: 'http://127.0.0.1:1' }
const GONE: ConfigDraft = { backends: { main: NOWHERE } }

const refuses = (app: TestApp, status: number, error: string): void =>
  app.main.answer({ status, body: { error, message: 'no', retryable: status === 503 } })

describe('rules', () => {
  test('the first that matches decides, and the video says which', async () => {
    const { app } = await start({
      rules: [
        { when: { client: 'bert' }, to: 'main' },
        { when: { surface: 'unified', source: 'text', metadata: { tier: 'beta' } }, to: 'alt' },
      ],
    })
    const beta = await made(app, { ...BODY, metadata: { tier: 'beta' } })
    expect(beta).toMatchObject({ backend: 'alt', routing: { chosen_by: 'rule' } })
    expect(beta.routing.rule).toMatch(/^rule_[0-9a-f]{12}$/)
    expect(await made(app, BODY)).toMatchObject({ backend: 'main', routing: { chosen_by: 'default', rule: null } })
    expect(await asked(app, { ...BODY, metadata: { tier: 'beta' } })).toMatchObject({
      chosen: 'alt',
      routing: beta.routing,
    })
  })

  test('what the request itself names goes before them', async () => {
    const { app } = await start({ rules: [{ to: 'alt' }] })
    expect(await made(app, { ...BODY, backend: 'main' })).toMatchObject({ backend: 'main', routing: { rule: null } })
    expect(await made(app, { ...IMAGE, voice_id: 'main:v1' })).toMatchObject({
      backend: 'main',
      routing: { chosen_by: 'id', rule: null },
    })
  })

  test('a rule leaves no choice: what its backend cannot take is refused', async () => {
    const { app } = await start({ rules: [{ to: 'alt' }] })
    expectProblem(await app.post(IMAGE), 'capability_not_supported', { param: 'image_url' })
    expect((await asked(app, IMAGE)).chosen).toBeNull()
  })

  test('of a split the side that can take it makes it', async () => {
    const { app } = await start({ rules: [{ split: { main: 0, alt: 100 } }] })
    expect(await made(app, BODY)).toMatchObject({ backend: 'alt' })
    const video = await made(app, IMAGE)
    expect(video.routing).toMatchObject({
      chosen_by: 'rule',
      considered: [
        { backend: 'alt', verdict: 'passed_over', reason: 'cannot take image_url' },
        { backend: 'main', verdict: 'chosen', reason: null },
      ],
    })
    expect((await asked(app, IMAGE)).routing).toEqual(video.routing)
    expect(await made(app, { ...BODY, voice_id: 'soft' })).toMatchObject({ backend: 'alt' })
  })

  test('of a split a side that drains is passed over', async () => {
    const { app } = await start({ rules: [{ split: { main: 0, alt: 100 } }] }, { backends: { alt: { drain: true } } })
    expect((await made(app, BODY)).routing.considered).toEqual([
      { backend: 'alt', verdict: 'passed_over', reason: 'draining' },
      { backend: 'main', verdict: 'chosen', reason: null },
    ])
  })

  test('they move the clients of a drop-in surface, too', async () => {
    const { app } = await start({ rules: [{ when: { surface: 'primary' }, to: 'alt' }] })
    const answer = await app.raw
      .post('/api/v1/videos/text')
      .set(bearer(KEYS.anna))
      .send({ image_url: 'https://img.example/anna.png', voice_id: 'v1', text: 'Hello' })
      .expect(202)
    const id = String(answer.body.id).replace('api_video_', 'vid_')
    expect((await app.get(`/videos/${id}`)).body).toMatchObject({ backend: 'alt', routing: { chosen_by: 'rule' } })
  })
})

describe('failover', () => {
  const FAILOVER = { failover: { main: ['alt'] } }

  test.each([
    ['is not there', GONE, () => undefined],
    ['refuses the key', {}, (app: TestApp) => refuses(app, 401, 'unauthorized')],
    ['says in its own words that it is unavailable', {}, (app: TestApp) => refuses(app, 503, 'service_unavailable')],
  ])('a backend that %s hands its creates on, and the timeline tells it', async (_, draft, breaks) => {
    const { app, sent } = await start(FAILOVER, draft)
    breaks(app)
    const video = await made(app, BODY, { 'idempotency-key': 'once' })
    expect(video).toMatchObject({
      backend: 'alt',
      routing: {
        chosen_by: 'failover',
        rule: null,
        considered: [
          { backend: 'main', verdict: 'passed_over', reason: 'down' },
          { backend: 'alt', verdict: 'chosen', reason: null },
        ],
      },
    })
    expect(await timeline(app, video.id)).toContain('for backend alt; main: down')
    // The key stays one, and nothing of the first attempt is left.
    expect((await app.post(BODY, { 'idempotency-key': 'once' })).body.id).toBe(video.id)
    expect((await app.get('/videos')).body.data).toHaveLength(1)
    expect(sent()[1]).toBe(1)
  })

  test('a doubt never moves', async () => {
    const { app, sent } = await start(FAILOVER)
    app.main.answer({ fault: 'reset' })
    const video = await made(app, BODY)
    expect(video).toMatchObject({ backend: 'main', status: 'queued' })
    expect(sent()[1]).toBe(0)
  })

  test('what the backend has against the request is told, and not tried elsewhere', async () => {
    const { app, sent } = await start(FAILOVER)
    app.main.answer({ status: 400, body: { error: 'invalid_request', message: 'text is rude' } })
    expectProblem(await app.post(BODY), 'invalid_request')
    expect(sent()[1]).toBe(0)
  })

  test('of the other reasons only those that are named', async () => {
    const credits = { error: 'insufficient_credits', message: 'no', retryable: false }
    const without = await start(FAILOVER)
    without.app.main.answer({ status: 402, body: credits })
    expectProblem(await without.app.post(BODY), 'insufficient_credits')
    const named = await start({ ...FAILOVER, failover_on: ['down', 'no_credits'] })
    named.app.main.answer({ status: 402, body: credits })
    expect((await made(named.app, BODY)).routing.considered[0]).toMatchObject({ reason: 'no_credits' })
  })

  test('no slot and no budget move before anything is asked', async () => {
    const slot = await start({ ...FAILOVER, failover_on: ['no_slot'] }, { backends: { main: { slots: 1 } } })
    expect(await made(slot.app, BODY)).toMatchObject({ backend: 'main' })
    expect((await made(slot.app, BODY)).routing.considered[0]).toMatchObject({ backend: 'main', reason: 'no_slot' })
    expect(slot.sent()).toEqual([1, 1])
    const budget = await start(
      { ...FAILOVER, failover_on: ['no_budget'] },
      { backends: { main: { requests_per_minute: 1 } } },
    )
    expect(await made(budget.app, BODY)).toMatchObject({ backend: 'main' })
    expect((await made(budget.app, BODY)).routing.considered[0]).toMatchObject({ reason: 'no_budget' })
    expect(budget.sent()).toEqual([1, 1])
  })

  test('a backend that the request names has no stand-in', async () => {
    const { app, sent } = await start(FAILOVER, GONE)
    expectProblem(await app.post({ ...BODY, backend: 'main' }), 'backend_unavailable')
    expect(sent()[1]).toBe(0)
  })

  test('what the stand-in cannot take is refused as its own backend does', async () => {
    const { app, sent } = await start(FAILOVER, GONE)
    expectProblem(await app.post(IMAGE), 'backend_unavailable')
    expect(sent()[1]).toBe(0)
  })

  test('what the stand-in refuses is told as its own backend does', async () => {
    const { app } = await start(FAILOVER, GONE)
    app.alt.answer({ status: 422, body: { error: { code: 'voice_not_found', message: 'no such voice' } } })
    expectProblem(await app.post(BODY), 'backend_unavailable')
    expect((await app.get('/videos')).body.data).toEqual([])
  })
})

describe('where there is nowhere to go', () => {
  test('a create is refused', async () => {
    const { app } = await start(undefined, GONE)
    expectProblem(await app.post(BODY), 'backend_unavailable')
  })

  test.each([
    ['for all', { on_down: 'queue' }, {}],
    ['for this backend', {}, { on_down: 'queue' }],
  ])('or it waits, if that is said %s', async (_, routing, own) => {
    const { app } = await start(routing, { backends: { main: { ...NOWHERE, ...own } } })
    const video = await made(app, BODY)
    expect(video).toMatchObject({ status: 'queued', backend: 'main', queue: { reason: 'backend_unavailable' } })
  })

  test('a refused key is told all the same', async () => {
    const { app } = await start({ on_down: 'queue' })
    refuses(app, 401, 'unauthorized')
    expectProblem(await app.post(BODY), 'backend_credentials_rejected')
  })

  test('it waits once its stand-in is down, too', async () => {
    const { app } = await start(
      { failover: { main: ['alt'] }, on_down: 'queue' },
      { backends: { main: NOWHERE, alt: NOWHERE } },
    )
    const video = await made(app, BODY)
    expect(video).toMatchObject({ backend: 'main', queue: { reason: 'backend_unavailable' } })
    expect(await timeline(app, video.id)).toContain('main: down; alt: down')
  })
})

describe('a side that gets nothing', () => {
  const RULES = { rules: [{ split: { main: 100, alt: 0 } }] }

  test('does not make what the old side cannot take, either', async () => {
    const { app, sent } = await start({ rules: [{ split: { alt: 100, main: 0 } }] })
    expectProblem(await app.post(IMAGE), 'capability_not_supported', { param: 'image_url' })
    expect((await asked(app, IMAGE)).chosen).toBeNull()
    expect(sent()).toEqual([0, 0])
  })

  test('nor what comes while the old side drains', async () => {
    const { app, sent } = await start(RULES, { backends: { main: { drain: true } } })
    expectProblem(await app.post(BODY), 'backend_unavailable')
    expect(sent()[1]).toBe(0)
  })
})

test('an alias that only one backend has goes before rules', async () => {
  const { app } = await start({ rules: [{ to: 'main' }] })
  expect(await made(app, { ...BODY, voice_id: 'soft' })).toMatchObject({
    backend: 'alt',
    routing: { chosen_by: 'id', rule: null },
  })
})
