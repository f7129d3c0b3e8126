import { describe, expect, test } from 'vitest'
import { VERSION } from '../../../src/core/vocabulary.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { bearer, KEYS, testApp } from '../../fakes/gateway.ts'
import { HOUR, MINUTE } from '../../fakes/records.ts'
import { issuing } from '../access-stage.ts'
import { expectProblem } from '../expect.ts'
import { cookieOf, FROM_PAGE, signIn, withCookie, type Browser } from './stage.ts'

const SCOPED = [
  { id: 'anna', key: KEYS.anna },
  { id: 'shop', key: 'tb_shop_0123456789abcdef', scopes: ['videos:read'] },
]
const DAY = 24 * HOUR

/** Of the API, and of the page, which asks who is there. */
const expectNobody = async (browser: Browser): Promise<void> => {
  expectProblem(await browser.api('get', '/videos'), 'unauthenticated')
  expect((await browser.call('get', '/session').expect(200)).body).toMatchObject({ client: null, scopes: [] })
}
const expectSomebody = async (browser: Browser): Promise<void> => {
  await browser.api('get', '/videos').expect(200)
  expect((await browser.call('get', '/session').expect(200)).body).toMatchObject({ client: expect.any(String) })
}

describe('signing in', () => {
  test('answers who it is, with a cookie that only the console gets and no script reads', async () => {
    const clock = fakeClock()
    const app = await testApp({ clients: SCOPED, clock })
    const response = await app.raw
      .post('/console/session')
      .set(FROM_PAGE)
      .send({ key: 'tb_shop_0123456789abcdef' })
      .expect(200)
    const who = {
      client: 'shop',
      key_id: 'clients.shop.key',
      scopes: ['videos:read'],
      is_admin: false,
      sandbox_key: null,
      expires_at: new Date(clock.now() + 8 * HOUR).toISOString(),
      version: VERSION,
    }
    expect(response.body).toEqual(who)
    expect(response.headers['cache-control']).toBe('no-store')
    const { token, pair, attributes } = cookieOf(response)
    expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/)
    expect(pair).toBe(`talkbridge_session=${token}`)
    expect(attributes).toEqual(['HttpOnly', 'Path=/console', 'SameSite=Strict'])
    expect((await withCookie(app, pair).call('get', '/session').expect(200)).body).toEqual(who)
    expect((await (await signIn(app)).call('get', '/session').expect(200)).body).toMatchObject({
      client: 'anna',
      is_admin: true,
      scopes: ['*'],
    })
  })

  test.each([
    ['https by a trusted proxy', { trust_proxy: 1 }, { 'x-forwarded-proto': 'https' }, true],
    ['https that nobody is trusted to say', {}, { 'x-forwarded-proto': 'https' }, false],
    ['an https address of its own', { public_url: 'https://talk.example' }, {}, true],
  ])('behind %s the cookie is for https alone, or not', async (_name, server, headers, isSecure) => {
    const app = await testApp({ server })
    const sent = app.raw.post('/console/session').set({ ...FROM_PAGE, ...headers })
    expect(cookieOf(await sent.send({ key: KEYS.anna })).attributes.includes('Secure')).toBe(isSecure)
  })

  test('with a wrong key is the very problem of the API, and leaves nothing', async () => {
    const app = await testApp()
    const same = { 'x-request-id': 'same' }
    for (const key of ['tb_nobody_0123456789abcdef', `tb_live_${'a'.repeat(49)}`]) {
      const refused = await app.raw
        .post('/console/session')
        .set({ ...FROM_PAGE, ...same })
        .send({ key })
      expectProblem(refused, 'unauthenticated')
      expect(refused.headers['set-cookie']).toBeUndefined()
      const ofApi = await app.raw.get('/unified/v1/videos').set({ ...bearer(key), ...same })
      expect(refused.text).toBe(ofApi.text)
    }
  })

  test('takes a small JSON body with the key alone', async () => {
    const app = await testApp()
    const send = (body: object) => app.raw.post('/console/session').set(FROM_PAGE).send(body)
    expectProblem(await send({}), 'invalid_request')
    expectProblem(await send({ key: KEYS.anna, remember: true }), 'invalid_request')
    expectProblem(await send({ key: 7 }), 'invalid_request')
    expectProblem(await send({ key: 'k'.repeat(5_000) }), 'payload_too_large')
    const form = app.raw.post('/console/session').set(FROM_PAGE).type('form').send({ key: KEYS.anna })
    expectProblem(await form, 'unsupported_media_type')
  })

  test('counts against the rate of the client', async () => {
    const app = await testApp({ clients: [{ id: 'anna', key: KEYS.anna, limits: { requests_per_minute: 2 } }] })
    await signIn(app)
    await signIn(app)
    expectProblem(await app.raw.post('/console/session').set(FROM_PAGE).send({ key: KEYS.anna }), 'rate_limited')
  })

  test('again ends the session of before', async () => {
    const app = await testApp()
    const before = await signIn(app)
    await before.call('post', '/session').send({ key: KEYS.bert }).expect(200)
    await expectNobody(before)
  })

  test('tells the public key of a sandbox to whoever asks, and never another one', async () => {
    const sandbox = await testApp({ consoleParts: { sandboxKey: KEYS.anna } })
    const nobody = { client: null, key_id: null, scopes: [], is_admin: false, expires_at: null, version: VERSION }
    const told = await sandbox.raw.get('/console/session').expect(200)
    expect(told.body).toEqual({ ...nobody, sandbox_key: KEYS.anna })
    const app = await testApp()
    const silent = await app.raw.get('/console/session').expect(200)
    expect(silent.body).toEqual({ ...nobody, sandbox_key: null })
  })
})

describe('a session is over', () => {
  test('when somebody signs out, with the cookie', async () => {
    const app = await testApp()
    const [browser, other] = [await signIn(app), await signIn(app)]
    const out = await browser.call('delete', '/session').expect(204)
    expect(cookieOf(out)).toMatchObject({ token: '' })
    expect(cookieOf(out).attributes).toContain('Expires=Thu, 01 Jan 1970 00:00:00 GMT')
    await expectNobody(browser)
    await expectSomebody(other)
    // Once more does no harm.
    await browser.call('delete', '/session').expect(204)
  })

  test('after 8 hours without a request, and not while there are some', async () => {
    const clock = fakeClock()
    const app = await testApp({ clock })
    const [idle, busy] = [await signIn(app), await signIn(app)]
    for (let hours = 0; hours < 7; hours += 1) {
      await clock.advance(HOUR)
      const { body } = await busy.call('get', '/session')
      expect(body).toMatchObject({ expires_at: new Date(clock.now() + 8 * HOUR).toISOString() })
    }
    await clock.advance(HOUR)
    await expectNobody(idle)
    await expectSomebody(busy)
  })

  test('after the time that the configuration says', async () => {
    const clock = fakeClock()
    const app = await testApp({ clock, console: { session_idle: '5m' } })
    const browser = await signIn(app)
    await clock.advance(5 * MINUTE - 1)
    await expectSomebody(browser)
    await clock.advance(5 * MINUTE)
    await expectNobody(browser)
  })

  test('after 7 days, however busy it is', async () => {
    const clock = fakeClock()
    const app = await testApp({ clock })
    const browser = await signIn(app)
    for (let sixths = 1; sixths < 28; sixths += 1) {
      await clock.advance(DAY / 4)
      await expectSomebody(browser)
    }
    await clock.advance(DAY / 4)
    await expectNobody(browser)
  })

  test('when its key is revoked, expires, or its client is disabled', async () => {
    const clock = fakeClock()
    const app = await testApp({ clock })
    const { issue, client, revoke, call } = issuing(app)
    await client({ id: 'shop' })
    const one = await issue({ client: 'shop', scopes: ['videos:read'] })
    const two = await issue({
      client: 'shop',
      scopes: ['videos:read'],
      expires_at: new Date(clock.now() + HOUR).toISOString(),
    })
    const three = await issue({ client: 'shop', scopes: ['videos:read'] })
    const [revoked, expired, disabled] = [
      await signIn(app, one.key),
      await signIn(app, two.key),
      await signIn(app, three.key),
    ]
    await revoke(one)
    await expectNobody(revoked)
    await expectSomebody(expired)
    await clock.advance(HOUR)
    await expectNobody(expired)
    await expectSomebody(disabled)
    await call('patch', '/clients/shop', { enabled: false }).expect(200)
    await expectNobody(disabled)
  })

  test('when there are a hundred newer ones of its client', async () => {
    const clock = fakeClock()
    const app = await testApp({ clock })
    const first = await signIn(app)
    const theirs = await signIn(app, KEYS.bert)
    for (let n = 0; n < 100; n += 1) {
      await clock.advance(1)
      await signIn(app)
    }
    await clock.advance(1_000)
    await expectNobody(first)
    await expectSomebody(theirs)
  })

  const MADE_UP = ['', 'x', 'a'.repeat(43), 'a'.repeat(64), `${'a'.repeat(63)}!`, 'a'.repeat(4_000)]
  test.each(MADE_UP)('or never was, which costs the store nothing: %s', async (token) => {
    const app = await testApp()
    const asked: string[] = []
    const { sessions, endSession } = app.deps.store
    app.deps.store.sessions = (ids) => {
      asked.push(...ids)
      return sessions(ids)
    }
    app.deps.store.endSession = (id) => {
      asked.push(id)
      return endSession(id)
    }
    const browser = withCookie(app, `talkbridge_session=${token}`)
    await expectNobody(browser)
    await browser.call('delete', '/session').expect(204)
    expect(asked).toEqual([])
    // Of one that was: changed by one letter.
    const { cookie } = await signIn(app)
    await expectNobody(withCookie(app, `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`))
    expect(asked).toEqual([])
  })

  test('when two cookies of its name come: one is somebody else’s', async () => {
    const app = await testApp()
    const [one, other] = [await signIn(app), await signIn(app, KEYS.bert)]
    await expectNobody(withCookie(app, `${one.cookie}; ${other.cookie}`))
    await expectSomebody(withCookie(app, `theme=dark; ${one.cookie}; x=talkbridge_session=y`))
  })
})
