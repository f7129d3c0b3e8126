import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/routes/openapi/document.ts'
import { UNIFIED_OPERATIONS } from '../../../src/routes/unified/routes.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { bearer, KEYS, openApp, testApp, type TestApp } from '../../fakes/gateway.ts'
import { listen } from '../../fakes/sse.ts'
import { issuing } from '../access-stage.ts'
import { expectProblem, expectVideo } from '../expect.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from '../services.ts'
import { FROM_PAGE, signIn, type Browser } from './stage.ts'

/** The public API behind a session in place of a key. */

const GIVEN = 'of-anna-and-nobody-else'
const NEWS = { accept: 'text/event-stream' }

let app: TestApp
let anna: Browser
/** Ids of anna's things, by where a path has them. */
const ids: Record<string, string> = {}
beforeAll(async () => {
  // It stands still: what is asked twice is told twice.
  const clock = fakeClock()
  app = await openApp({ clock })
  servePrimary(app.main, clock.now).state.onCreate = 'completed'
  serveAlternate(app.alt, clock.now)
  anna = await signIn(app)
  const endpoint = await anna
    .api('post', '/webhook_endpoints')
    .send({ url: `https://hooks.example/${GIVEN}` })
    .expect(201)
  const body = { ...MAIN_BODY, text: GIVEN, metadata: { of: GIVEN }, webhook_url: `https://hooks.example/${GIVEN}` }
  const video = expectVideo(await anna.api('post', '/videos').send(body), 200)
  const first = async (path: string) => {
    const page = (await anna.api('get', path).expect(200)).body as { data: { id: string }[] }
    return page.data[0]?.id ?? ''
  }
  Object.assign(ids, {
    videos: video.id,
    webhook_endpoints: (endpoint.body as { id: string }).id,
    events: await first('/events'),
    deliveries: await first('/deliveries'),
  })
  expect(Object.values(ids).every(Boolean)).toBe(true)
})
afterAll(() => app.close())

const GETS = OPERATIONS.filter(({ method, path }) => method === 'get' && path.startsWith('/unified/v1/'))
const pathOf = (path: string): string =>
  path
    .slice('/unified/v1'.length)
    .replaceAll(/([a-z_]+)\/\{\w+\}/g, (_, kind: string) => `${kind}/${ids[kind] ?? 'main'}`)

test('answers as it answers the key: every GET of the document, to whoever has what, and to who has nothing', async () => {
  const { issue } = issuing(app)
  const scopes = ['voices:read', 'videos:read', 'webhooks:read', 'webhooks:write']
  const own = await issue({ client: 'anna', scopes })
  const foreign = await issue({ client: 'bert', scopes })
  const same = { 'x-request-id': 'same' }
  const shown = (text: string): string => text.replaceAll(/"(retry_\w+|requests)":(\d+|null|"[^"]*")/g, '')
  let seen = 0
  for (const { key } of [own, foreign]) {
    const browser = await signIn(app, key)
    expect(GETS.length).toBeGreaterThan(30)
    for (const { path } of GETS) {
      // A stream would go on; asked for what there is not, it does not begin.
      const asked = path.endsWith('/stream') ? `${pathOf(path)}?types=` : pathOf(path)
      const headers = { ...same, ...(/\/(stream|events)$/.test(path) && path.includes('{') && NEWS) }
      if (key === own.key && headers.accept) continue
      const bySession = await browser.api('get', asked, headers).redirects(0)
      const byKey = await app.raw
        .get(`/unified/v1${asked}`)
        .set({ ...headers, ...bearer(key) })
        .redirects(0)
      expect([asked, bySession.status, shown(bySession.text)]).toEqual([asked, byKey.status, shown(byKey.text)])
      if (bySession.text.includes(GIVEN)) seen += 1
      if (key === foreign.key) expect([asked, bySession.text.includes(GIVEN)]).toEqual([asked, false])
    }
    // Anna saw it in several places; bert added none.
    expect(seen).toBeGreaterThan(5)
  }
})

describe('without a session', () => {
  test('nothing is answered, a key in its header or not, a signed link or not', async () => {
    const { body } = await anna.api('get', `/videos/${ids['videos']}`).expect(200)
    const { events_url: url } = body as { events_url: string }
    const signed = `/console/api${new URL(url).pathname}${new URL(url).search}`
    for (const path of ['/console/api/unified/v1/videos', '/console/api/unified/v1/nothing', '/console/api', signed]) {
      expectProblem(await app.raw.get(path), 'unauthenticated')
      expectProblem(await app.raw.get(path).set(bearer(KEYS.anna)), 'unauthenticated')
    }
    const post = app.raw.post('/console/api/unified/v1/videos').set({ ...FROM_PAGE, ...bearer(KEYS.anna) })
    expectProblem(await post.send(MAIN_BODY), 'unauthenticated')
  })

  test('beside one, a header of somebody else’s is passed over', async () => {
    for (const authorization of [`Bearer ${KEYS.bert}`, 'Basic cHJveHk6cGFzc3dvcmQ=']) {
      const { body } = await anna.api('get', '/videos', { authorization }).expect(200)
      expect(JSON.stringify(body)).toContain(GIVEN)
    }
  })

  test('a session opens nothing outside of the console', async () => {
    const { cookie } = anna
    for (const path of ['/unified/v1/videos', '/api/v1/videos/text', '/v1/videos'])
      expect((await app.raw.get(path).set({ cookie, ...FROM_PAGE })).status).toBe(401)
  })
})

describe('a change that the page did not ask for', () => {
  const FORGED: [string, Record<string, string>][] = [
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form that looks like JSON', { 'content-type': 'text/plain' }],
    ['a page that knows all but the header', { 'content-type': 'application/json' }],
    ['another value', { 'x-talkbridge-console': 'true' }],
    ['another site', { ...FROM_PAGE, 'sec-fetch-site': 'cross-site' }],
    ['another origin of this site', { ...FROM_PAGE, 'sec-fetch-site': 'same-site' }],
    ['a link', { ...FROM_PAGE, 'sec-fetch-site': 'none' }],
  ]
  test.each(FORGED)('is refused, and nothing is changed: %s', async (_name, headers) => {
    const count = async () => JSON.stringify((await anna.api('get', '/webhook_endpoints').expect(200)).body)
    const before = await count()
    for (const { method, path } of UNIFIED_OPERATIONS) {
      if (method === 'get') continue
      const sent = app.raw[method](
        `/console/api${path.replace('/unified/v1', '/unified/v1')}`.replaceAll(/\{\w+\}/g, 'x'),
      )
      expectProblem(await sent.set({ cookie: anna.cookie, ...headers }), 'invalid_request', { param: null })
    }
    for (const method of ['post', 'delete'] as const)
      expectProblem(
        await app.raw[method]('/console/session').set({ cookie: anna.cookie, ...headers }),
        'invalid_request',
      )
    expect(await count()).toBe(before)
    await anna.api('get', '/videos').expect(200)
  })

  test('nor is a page of another origin told that it may', async () => {
    const origin = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const shared = await testApp({ server: { cors: { origins: ['https://evil.example'] } } })
    for (const path of ['/console/session', '/console/api/unified/v1/videos']) {
      const { headers } = await shared.raw.options(path).set(origin)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

describe('what is done', () => {
  test('is the key’s: in the audit log, in the log, in metrics and in its usage', async () => {
    const { issue, call } = issuing(app)
    const { key, id } = await issue({ client: 'anna', scopes: ['*'] })
    const browser = await signIn(app, key)
    const made = await browser
      .api('post', '/admin/keys')
      .send({ client: 'bert', scopes: ['videos:read'] })
      .expect(201)
    const { body } = await call('get', '/audit?limit=1').expect(200)
    expect(body).toMatchObject({ data: [{ actor: 'anna', actor_key: id, subject: (made.body as { id: string }).id }] })
    const line = app.logs.filter((one) => one.includes('/console/api/unified/v1/admin/keys')).at(-1)
    expect(JSON.parse(line ?? '{}')).toMatchObject({ client: 'anna', method: 'POST', status: 201 })
    const { text } = await app.raw.get('/metrics').expect(200)
    expect(text).toContain('http_route="/console/api/unified/v1/admin/keys"')
    expect(text).toContain('http_route="/console/session"')
  })

  test('counts against its rate', async () => {
    const limited = await testApp({ clients: [{ id: 'anna', key: KEYS.anna, limits: { requests_per_minute: 3 } }] })
    const browser = await signIn(limited)
    const first = await browser.api('get', '/videos').expect(200)
    expect(first.headers['x-ratelimit-remaining']).toBe('1')
    await limited.raw.get('/unified/v1/videos').set(bearer(KEYS.anna)).expect(200)
    expectProblem(await browser.api('get', '/videos'), 'rate_limited')
  })
})

describe('a stream that a session opened ends at once', () => {
  const opened = async (browser: Browser) => {
    const stream = await listen(`${app.url}/console/api/unified/v1/events/stream`, { cookie: browser.cookie })
    expect(stream.status).toBe(200)
    return stream
  }
  test('when it is signed out, and no other one', async () => {
    const [browser, other] = [await signIn(app), await signIn(app)]
    const [stream, theirs] = [await opened(browser), await opened(other)]
    await browser.call('delete', '/session').expect(204)
    expect(await stream.ended).toBe('whole')
    expectVideo(await app.post(MAIN_BODY), 200)
    expect((await theirs.event()).event).toMatch(/^video\./)
  })

  test('when its key is revoked', async () => {
    const { issue, revoke } = issuing(app)
    const issued = await issue({ client: 'anna', scopes: ['webhooks:read'] })
    const stream = await opened(await signIn(app, issued.key))
    await revoke(issued)
    expect(await stream.ended).toBe('whole')
  })
})

test('no id of a session and no key is in a log, an error, the audit log or the metrics', async () => {
  const fresh = await testApp()
  const browser = await signIn(fresh)
  const token = browser.cookie.slice(browser.cookie.indexOf('=') + 1)
  const { issue } = issuing(fresh)
  const issued = await issue({ client: 'bert', scopes: ['*'] })
  const theirs = await signIn(fresh, issued.key)
  const answers = [
    await browser.api('get', '/videos'),
    await browser.api('get', `/videos/${token}`),
    await browser.call('get', '/session'),
    await browser.call('post', '/session').send(`{"key": "${KEYS.anna}`).type('json'),
    await browser.call('post', '/session').send({ key: { [KEYS.anna]: 1 } }),
    await browser.call('post', '/session').send({ key: `${issued.key}x` }),
    await theirs.api('get', '/admin/audit'),
    await fresh.raw.get('/metrics'),
  ]
  await theirs.call('delete', '/session').expect(204)
  const told = answers.map(({ text, headers }) => `${text}${JSON.stringify(headers)}`).join('\n')
  // What somebody takes for the id of a video is told back, and is in its path.
  const elsewhere = fresh.logs.filter((line) => !line.includes(`/videos/${token}`)).join('\n')
  for (const secret of [token, KEYS.anna, issued.key, theirs.cookie.split('=')[1] ?? '']) {
    expect(elsewhere).not.toContain(secret)
    expect(told.replaceAll(`there is no video ${token}`, '')).not.toContain(secret)
  }
})

test('a busy page reads its session twice a second at most', async () => {
  let reads = 0
  const clock = fakeClock()
  const counted = await testApp({
    clock,
    wrapStore: (store) => ({
      ...store,
      sessions: (given) => {
        reads += 1
        return store.sessions(given)
      },
    }),
  })
  const browser = await signIn(counted)
  for (let tenths = 0; tenths < 20; tenths += 1) {
    await Promise.all([browser.api('get', '/videos'), browser.api('get', '/backends'), browser.call('get', '/session')])
    await clock.advance(100)
  }
  expect(reads).toBe(4)
})
