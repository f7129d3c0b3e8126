import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type BackendView, BackendListView, CheckView } from '../../src/core/api/videos.ts'
import { OverviewView } from '../../src/core/api/admin.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, type GatewayOptions, KEYS, openApp, temporaryFolder, testApp } from '../fakes/gateway.ts'
import { HOUR, SECOND } from '../fakes/records.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const OPERATOR = 'tb_operator_0123456789abcdef'
const CLIENTS = [
  { id: 'anna', key: KEYS.anna, scopes: ['videos:create', 'videos:read'] },
  { id: 'ops', key: OPERATOR, scopes: ['admin'] },
]
const CREATES = { creates: true, polls: false, reason: 'no sound' }
/** Of one whom both have. */
const PORTRAIT = { main: { image_url: 'https://img.example/me.png' }, alt: 'pup_1' }
/** Only `main` takes an image. */
const TEXT = { image_url: 'https://img.example/me.png', text: 'Hello' }

const stage = async (options: GatewayOptions = {}) => {
  const clock = fakeClock()
  const app = await testApp({ clock, clients: CLIENTS, ...options })
  const [main, alt] = [servePrimary(app.main, clock.now), serveAlternate(app.alt, clock.now)]
  const admin = (method: 'get' | 'post', path: string, body?: object, key: string = OPERATOR) => {
    const request = app.raw[method](`/unified/v1/admin${path}`).set(bearer(key))
    return body === undefined ? request : request.send(body)
  }
  const pause = async (name = 'main', body: object = CREATES) =>
    (await admin('post', `/backends/${name}/pause`, body).expect(200)).body as BackendView
  const resume = async (name = 'main') =>
    (await admin('post', `/backends/${name}/resume`).expect(200)).body as BackendView
  const paused = async (name: string) => {
    const { data } = BackendListView.parse((await app.get('/backends').expect(200)).body)
    return must(data.find((one) => one.name === name)).paused
  }
  return { app, clock, main, alt, admin, pause, resume, paused }
}

test('a pause is seen by its clients and in the overview, in metrics and the audit log; so is its end', async () => {
  const { app, clock, admin, pause, resume, paused } = await stage()
  expect(await paused('main')).toBeNull()
  const until = new Date(clock.now() + HOUR).toISOString()
  const shown = {
    creates: true,
    polls: false,
    reason: 'no sound',
    by: 'ops',
    since: new Date(clock.now()).toISOString(),
    until,
  }
  expect((await pause('main', { ...CREATES, until })).paused).toEqual(shown)
  expect([await paused('main'), await paused('alt')]).toEqual([shown, null])
  const needs = async () => {
    const { body } = await app.get('/overview').expect(200)
    return OverviewView.parse(body).needs_you.filter(({ type }) => type === 'backend_paused')
  }
  expect(await needs()).toMatchObject([{ backend: 'main', at: shown.since, message: 'no sound', client: null }])
  const metrics = (await app.raw.get('/metrics')).text.split('\n').filter((line) => line.includes('backend_paused{'))
  expect(metrics).toEqual([
    'talkbridge_backend_paused{backend="main",work="creates"} 1',
    'talkbridge_backend_paused{backend="main",work="polls"} 0',
    'talkbridge_backend_paused{backend="alt",work="creates"} 0',
    'talkbridge_backend_paused{backend="alt",work="polls"} 0',
  ])
  expect((await resume()).paused).toBeNull()
  // Nothing is left to end, and nothing is recorded.
  expect((await resume()).paused).toBeNull()
  expect([await paused('main'), await needs()]).toEqual([null, []])
  const { body } = await admin('get', '/audit?subject=main').expect(200)
  expect((body as { data: object[] }).data).toMatchObject([
    { action: 'backend.resume', actor: 'ops', actor_key: 'clients.ops.key', detail: {} },
    { action: 'backend.pause', actor: 'ops', detail: { creates: true, polls: false, reason: 'no sound', until } },
  ])
})

test('a second pause replaces the first, and one ends by itself at its time', async () => {
  const { clock, pause, paused } = await stage()
  await pause()
  clock.jump(SECOND)
  const until = new Date(clock.now() + HOUR).toISOString()
  await pause('main', { creates: false, polls: true, until, reason: 'too many requests' })
  expect(await paused('main')).toMatchObject({ creates: false, polls: true, until, reason: 'too many requests' })
  clock.jump(HOUR - 1)
  expect(await paused('main')).not.toBeNull()
  clock.jump(1)
  expect(await paused('main')).toBeNull()
})

test('what is wrong with a pause is said', async () => {
  const { app, clock, admin } = await stage()
  const sent = (body: object, name = 'main', key?: string) => admin('post', `/backends/${name}/pause`, body, key)
  const past = new Date(clock.now()).toISOString()
  for (const [body, param] of [
    [{ ...CREATES, creates: false }, 'creates'],
    [{ ...CREATES, until: past }, 'until'],
    [{ ...CREATES, until: 'tomorrow' }, 'until'],
    [{ ...CREATES, reason: ' ' }, 'reason'],
    [{ ...CREATES, reason: 'x'.repeat(501) }, 'reason'],
    [{ polls: true, reason: 'why' }, 'creates'],
    [{ ...CREATES, note: 'why' }, 'note'],
  ] as const)
    expectProblem(await sent(body), 'invalid_request', { param })
  expectProblem(await sent(CREATES, 'nobody'), 'backend_not_found', {})
  expectProblem(await admin('post', '/backends/nobody/resume'), 'backend_not_found', {})
  expectProblem(await sent(CREATES, 'main', KEYS.anna), 'insufficient_scope', {})
  const { body } = await app.get('/backends')
  expect((body as { data: BackendView[] }).data.every(({ paused }) => paused === null)).toBe(true)
})

test('the name of a pool is refused with those of its members', async () => {
  const backends = { main2: { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'upstream_2_0123456789' } }
  const { admin, pause } = await stage({ backends, routing: { default: 'both', pools: { both: ['main', 'main2'] } } })
  const { body } = await admin('post', '/backends/both/pause', CREATES).expect(404)
  expect(body).toMatchObject({
    code: 'backend_not_found',
    detail: 'both is a pool: name one of its members, main, main2',
  })
  await pause('main2')
  await pause('main')
  const { body: list } = await admin('get', '/backends').expect(200)
  expect(BackendListView.parse(list).pools).toMatchObject([{ name: 'both', room: 0 }])
})

describe('while creates of the default are paused', () => {
  test('a video that another backend can make goes there, and says why', async () => {
    const { app, main, alt, pause, resume } = await stage({ aliases: { puppets: { me: PORTRAIT } } })
    await pause()
    const created = expectVideo(await app.post({ puppet_id: 'me', text: 'Hello' }), 202)
    expect(created).toMatchObject({
      backend: 'alt',
      routing: {
        chosen_by: 'failover',
        considered: [
          { backend: 'main', verdict: 'passed_over', reason: 'paused' },
          { backend: 'alt', verdict: 'chosen' },
        ],
      },
    })
    expect([main.creates().length, alt.creates().length]).toEqual([0, 1])
    await resume()
    expect(expectVideo(await app.post({ puppet_id: 'me', text: 'Hello' }), 202).backend).toBe('main')
  })

  test('one that no other can make waits, and goes when the pause is over', async () => {
    const { app, clock, main, pause, resume } = await stage({ runsEngine: true })
    await pause()
    const made = [await app.post({ ...MAIN_BODY, backend: 'main' }), await app.post(TEXT)]
    const videos = made.map((answer) => expectVideo(answer, 202))
    expect(videos).toMatchObject([
      { backend: 'main', status: 'queued', queue: { position: 1, reason: 'backend_paused' } },
      { backend: 'main', status: 'queued', queue: { position: 2, reason: 'backend_paused' } },
    ])
    expect(main.creates()).toEqual([])
    await resume()
    await expect
      .poll(async () => {
        await clock.advance(SECOND)
        return main.creates().length
      })
      .toBeGreaterThan(0)
  })

  test('a check says so, and where it would go', async () => {
    const { app, clock, pause } = await stage()
    const until = new Date(clock.now() + HOUR).toISOString()
    await pause('main', { ...CREATES, until })
    const check = async (body: object) => {
      const { body: said } = await app.raw
        .post('/unified/v1/videos/check')
        .set(bearer(KEYS.anna))
        .send(body)
        .expect(200)
      return CheckView.parse(said)
    }
    const { backends, chosen } = await check({ ...MAIN_BODY, backend: 'main' })
    expect(chosen).toBe('main')
    expect(backends[0]).toMatchObject({
      backend: 'main',
      verdict: 'unavailable',
      problem: {
        code: 'backend_unavailable',
        message: `an operator paused backend main until ${until}: a video for it waits`,
      },
    })
    expect((await check(ALT_BODY)).backends[1]).toMatchObject({ backend: 'alt', verdict: 'ok', problem: null })
  })

  test('a drop-in client gets its job, which waits', async () => {
    const { app, main, pause } = await stage()
    await pause()
    const { body } = await app.raw
      .post('/api/v1/videos/text')
      .set({ ...bearer(KEYS.anna), 'idempotency-key': 'one' })
      .send({ image_url: 'https://img.example/me.png', text: 'Hello', voice_id: 'v1' })
      .expect(202)
    expect(body).toMatchObject({ status: 'queued' })
    expect(main.creates()).toEqual([])
  })
})

test('names of one account are paused and resumed together', async () => {
  const one = { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'upstream_2_0123456789' }
  const { pause, resume, paused } = await stage({ backends: { one, twin: one } })
  await pause('twin')
  expect([await paused('one'), await paused('twin'), await paused('main')]).toMatchObject([
    { reason: 'no sound' },
    { reason: 'no sound' },
    null,
  ])
  await resume('one')
  expect([await paused('one'), await paused('twin')]).toEqual([null, null])
})

test('a restart keeps it', async () => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const first = await openApp({ dir })
  const { status } = await first.raw.post('/unified/v1/admin/backends/main/pause').set(bearer(KEYS.anna)).send(CREATES)
  await first.close()
  expect(status).toBe(200)
  const again = await stage({ dir })
  expect(await again.paused('main')).toMatchObject({ creates: true, by: 'anna' })
  expect(expectVideo(await again.app.post({ ...MAIN_BODY, backend: 'main' }), 202).queue).toMatchObject({
    reason: 'backend_paused',
  })
})
