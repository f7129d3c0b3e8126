import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWellFormed, newKey } from '../../src/access/keyring.ts'
import type { Operation } from '../../src/routes/openapi/operation.ts'
import { OPERATIONS } from '../../src/routes/openapi/document.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { listen } from '../fakes/sse.ts'
import { until } from '../fakes/until.ts'
import { issuing, type Issuing } from './access-stage.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** Keys that are issued: what each opens, how it ends, and what ends with it. */

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const MORE = 'tb_more_of_anna_0123456789'
const limits = { requests_per_minute: 1_000_000 }
const LACKING = 'backends:read_all'
const USAGE = { credits_remaining: 9, credits_included: 10, video_generation: { can_create: true } }
/** What is handed through, and must be of the contract. */
const ANSWERS = [
  { of: '/api/v1/usage', script: { body: USAGE } },
  { of: '/api/v1/voices', script: { body: { object: 'list', data: [] } } },
  { of: '/api/v1/puppets?', script: { body: { data: [] } } },
]
const NOTHING = { status: 404, body: { error: 'not_found', message: 'no' } }

const clock = fakeClock()
let app: TestApp
let ops: Issuing
beforeAll(async () => {
  app = await openApp({
    clock,
    clients: [
      { id: 'anna', key: KEYS.anna, keys: [MORE], limits },
      { id: 'bert', keys: [KEYS.bert], scopes: ['admin', 'videos:read'], limits },
    ],
  })
  app.main.answer(({ path }) => ANSWERS.find(({ of }) => path.startsWith(of))?.script ?? NOTHING)
  serveAlternate(app.alt, clock.now)
  ops = issuing(app)
})
afterAll(() => app.close())

/** With nothing that could be right but the key. */
const ask = (operation: Operation, key: string) => {
  const { method, path } = operation
  const at = path.replaceAll('{name}', 'main').replaceAll(/\{\w+\}/g, 'none_of_this_id')
  // A stream that was let in would never end.
  const query = /^stream(Admin)?Events$/.test(operation.id) ? '?types=' : ''
  const sent = app.raw[method](at + query).set({ ...bearer(key), accept: 'application/json, text/event-stream, */*' })
  return operation.body ? sent.set('content-type', 'application/json').send('{}') : sent
}
const BEHIND_KEYS = OPERATIONS.filter(({ scope }) => scope !== null)

describe('a key of each kind, on every operation', () => {
  const keys: Record<string, string> = {}
  beforeAll(async () => {
    const at = (ms: number) => new Date(clock.now() + ms).toISOString()
    const scopes = ['*']
    await ops.client({ id: 'shop', limits })
    await ops.client({ id: 'gone', limits })
    await ops.client({ id: 'off', limits })
    const [rotated, out] = [await ops.issue({ client: 'shop', scopes }), await ops.issue({ client: 'shop', scopes })]
    Object.assign(keys, {
      configured: KEYS.anna,
      'configured second': MORE,
      issued: (await ops.issue({ client: 'shop', scopes })).key,
      'issued for a configured client': (await ops.issue({ client: 'anna', scopes })).key,
      expired: (await ops.issue({ client: 'shop', scopes, expires_at: at(1) })).key,
      revoked: (await ops.issue({ client: 'shop', scopes })).key,
      'rotated, in its overlap': rotated.key,
      'the one that replaces it': (await ops.rotate(rotated.id)).key,
      'rotated out': out.key,
      'of a deleted client': (await ops.issue({ client: 'gone', scopes })).key,
      'of a disabled client': (await ops.issue({ client: 'off', scopes })).key,
      'without the scope': (await ops.issue({ client: 'shop', scopes: [LACKING] })).key,
      'never issued': newKey(randomBytes),
      mistyped: `tb_live_${'0'.repeat(49)}`,
    })
    await ops.rotate(out.id, { overlap: '0' })
    await ops.revoke((await ops.find({ client: 'shop' })).find((one) => one.last_four === keys['revoked']?.slice(-4)))
    await ops.call('delete', '/clients/gone').expect(204)
    await ops.call('patch', '/clients/off', { enabled: false }).expect(200)
    await clock.advance(1)
  })

  const GOOD = ['configured', 'configured second', 'issued', 'issued for a configured client']
  test.each([...GOOD, 'rotated, in its overlap', 'the one that replaces it'])('%s: it opens each', async (kind) => {
    for (const operation of BEHIND_KEYS) {
      const { status } = await ask(operation, must(keys[kind]))
      expect([operation.id, status]).not.toEqual([operation.id, 401])
      // The only 403 that is left: what belongs to a whole workspace is deleted by nobody.
      if (operation.scope !== 'videos:create') expect([operation.id, status]).not.toEqual([operation.id, 403])
    }
  })

  test.each([
    ['expired', 'this key has expired'],
    ['revoked', 'this key was revoked'],
    ['rotated out', 'this key was rotated: use the one that replaces it'],
    ['of a deleted client', 'the client of this key was deleted'],
    ['of a disabled client', 'the client of this key is disabled'],
    ['never issued', 'the gateway does not know this key'],
    ['mistyped', 'the gateway does not know this key: it was cut off or mistyped'],
  ])('%s: 401 everywhere, and why', async (kind, detail) => {
    for (const operation of BEHIND_KEYS) {
      const response = await ask(operation, must(keys[kind]))
      expect([operation.id, response.status]).toEqual([operation.id, 401])
      expect(response.headers['www-authenticate']).toBe('Bearer')
      if (operation.path.startsWith('/unified')) expectProblem(response, 'unauthenticated', { detail })
    }
  })

  test('without the scope: 403 everywhere else', async () => {
    for (const operation of BEHIND_KEYS) {
      const { status } = await ask(operation, must(keys['without the scope']))
      if (operation.scope === LACKING) expect([operation.id, status]).not.toEqual([operation.id, 403])
      else expect([operation.id, status]).toEqual([operation.id, 403])
    }
  })

  test('what needs no key is answered to each', async () => {
    const open = OPERATIONS.filter(({ scope, path }) => scope === null && !path.includes('{'))
    expect(open.length).toBeGreaterThan(2)
    for (const operation of open)
      for (const key of Object.values(keys)) expect((await ask(operation, key)).status).toBeLessThan(400)
  })

  test('the list tells how each stands, and nothing of the key itself', async () => {
    const all = await ops.find({})
    const statusOf = (kind: string) => all.find((one) => one.last_four === keys[kind]?.slice(-4))?.status
    const STATUSES = {
      issued: 'active',
      'rotated, in its overlap': 'active',
      expired: 'expired',
      'rotated out': 'expired',
      revoked: 'revoked',
      'of a deleted client': 'suspended',
      'of a disabled client': 'suspended',
    }
    for (const [kind, status] of Object.entries(STATUSES)) expect([kind, statusOf(kind)]).toEqual([kind, status])
    for (const key of Object.values(keys)) expect(JSON.stringify(all)).not.toContain(key)
  })

  test('enabled again, the keys of a client work again', async () => {
    const key = must(keys['of a disabled client'])
    await ops.call('patch', '/clients/off', { enabled: true }).expect(200)
    await app.raw.get('/unified/v1/videos').set(bearer(key)).expect(200)
  })
})

describe('what is open under a key ends with it', () => {
  beforeAll(() => void servePrimary(app.main, clock.now))
  const open = async (more: object = {}) => {
    const issued = await ops.issue({ client: 'anna', scopes: ['*'], ...more })
    const stream = await listen(`${app.url}/unified/v1/events/stream`, bearer(issued.key))
    expect(stream.status).toBe(200)
    await stream.next()
    return { issued, stream }
  }

  test('revoked: the stream ends, the request that waits is answered, the next is refused', async () => {
    const { issued, stream } = await open()
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    const at = `/unified/v1/videos/${id}`
    const other = await listen(`${app.url}${at}/events`, bearer(KEYS.anna))
    const before = clock.pending()
    const waiting = app.raw.get(at).set({ ...bearer(issued.key), prefer: 'wait=60' })
    const answered = new Promise<{ status: number }>((resolve, reject) => {
      waiting.then(resolve, reject)
    })
    // It waits from here on: the gateway has set its timers.
    await until(() => clock.pending() > before)
    await ops.revoke(issued)
    expect(await stream.ended).toBe('whole')
    expect((await answered).status).toBe(200)
    expectProblem(await app.raw.get(at).set(bearer(issued.key)), 'unauthenticated')
    expectProblem(await app.raw.get('/unified/v1/events/stream').set(bearer(issued.key)), 'unauthenticated')
    other.hangUp()
  })

  test('expired: the stream ends at that moment', async () => {
    const { stream } = await open({ expires_at: new Date(clock.now() + HOUR).toISOString() })
    await clock.advance(HOUR)
    expect(await stream.ended).toBe('whole')
  })

  test('rotated: the stream ends when the overlap does, and not before', async () => {
    const { issued, stream } = await open()
    await ops.rotate(issued.id, { overlap: '1h' })
    await clock.advance(HOUR - 1)
    await app.raw.get('/unified/v1/videos').set(bearer(issued.key)).expect(200)
    await clock.advance(1)
    expect(await stream.ended).toBe('whole')
  })
})

describe('issuing', () => {
  test('a key has its form and a checksum, and is shown once', async () => {
    const issued = await ops.issue({ client: 'anna', name: 'checkout', scopes: ['videos:read', 'videos:read'] })
    expect(issued.key).toMatch(/^tb_live_[0-9A-Za-z]{49}$/)
    expect(isWellFormed(issued.key)).toBe(true)
    const typo = issued.key.replace(/.(?=.{9}$)/, (one) => (one === 'a' ? 'b' : 'a'))
    expect(isWellFormed(typo)).toBe(false)
    expect(issued).toMatchObject({
      name: 'checkout',
      scopes: ['videos:read'],
      last_four: issued.key.slice(-4),
      status: 'active',
    })
    const { key: _, ...shown } = issued
    expect((await ops.call('get', `/keys/${issued.id}`)).body).toEqual(shown)
  })

  test('when it was used is known to the minute, and written for all keys at once', async () => {
    const issued = await ops.issue({ client: 'anna', scopes: ['videos:read'] })
    const usedAt = clock.now()
    for (let n = 0; n < 3; n += 1) await app.raw.get('/unified/v1/videos').set(bearer(issued.key)).expect(200)
    await clock.advance(60 * SECOND)
    await until(async () => (await app.deps.store.keyOf(issued.id))?.usedAtMs !== null)
    const { body } = await ops.call('get', `/keys/${issued.id}`)
    expect(body).toMatchObject({ last_used_at: new Date(usedAt).toISOString() })
  })

  test('nobody gives out a scope that their own key lacks, nor takes one over by a rotation', async () => {
    const asBert = (path: string, body: object) => ops.call('post', path, body, KEYS.bert)
    await asBert('/keys', { client: 'anna', scopes: ['videos:read', 'admin'] }).expect(201)
    for (const scope of ['*', 'videos:create']) {
      const asked = { client: 'bert', scopes: ['videos:read', scope] }
      expectProblem(await asBert('/keys', asked), 'insufficient_scope', { details: { scope } })
    }
    const strong = await ops.issue({ client: 'anna', scopes: ['videos:create'] })
    expectProblem(await asBert(`/keys/${strong.id}/rotate`, {}), 'insufficient_scope')
    // Whoever finds a key that leaked may end it.
    await asBert(`/keys/${strong.id}/revoke`, {}).expect(200)
  })

  test('a key that ended is not rotated, nor one twice; to revoke twice is as good as once', async () => {
    const first = await ops.issue({ client: 'anna', scopes: ['videos:read'] })
    const second = await ops.rotate(first.id)
    expect(second).toMatchObject({ replaces: first.id, name: first.name, scopes: first.scopes, expires_at: null })
    const again = expectProblem(await ops.call('post', `/keys/${first.id}/rotate`, {}), 'key_not_active')
    expect(again.detail).toContain(second.id)
    const one = (await ops.call('post', `/keys/${second.id}/revoke`).expect(200)).body as unknown
    await clock.advance(SECOND)
    expect((await ops.call('post', `/keys/${second.id}/revoke`).expect(200)).body).toEqual(one)
    expectProblem(await ops.call('post', `/keys/${second.id}/rotate`, {}), 'key_not_active')
    expectProblem(await ops.call('post', '/keys/key_none/revoke'), 'key_not_found')
  })

  test('the new key of a rotation lives as long as the old one was to live, or as it is said', async () => {
    const inMs = (ms: number) => new Date(clock.now() + ms).toISOString()
    const first = await ops.issue({ client: 'anna', scopes: ['videos:read'], expires_at: inMs(10 * HOUR) })
    await clock.advance(HOUR)
    const second = await ops.rotate(first.id, { overlap: '30m' })
    expect(second.expires_at).toBe(inMs(10 * HOUR))
    const old = (await ops.call('get', `/keys/${first.id}`)).body as unknown
    expect(old).toMatchObject({ rotated_to: second.id, expires_at: inMs(HOUR / 2), status: 'active' })
    expect(await ops.rotate(second.id, { expires_at: null })).toMatchObject({ expires_at: null })
  })

  test.each([
    [{ scopes: ['videos:read'] }, 'client'],
    [{ client: 'nobody', scopes: ['videos:read'] }, 'client'],
    [{ client: 'anna', scopes: [] }, 'scopes'],
    [{ client: 'anna', scopes: ['everything'] }, 'scopes.0'],
    [{ client: 'anna', scopes: ['*'], name: 'x'.repeat(101) }, 'name'],
    [{ client: 'anna', scopes: ['*'], expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ client: 'anna', scopes: ['*'], key: 'mine' }, 'key'],
  ])('refuses %j', async (body, param) => {
    expectProblem(await ops.call('post', '/keys', body), 'invalid_request', { param })
  })

  test.each(['25', '-1h', '31d', '24 h', '1w'])('refuses the overlap %s', async (overlap) => {
    const { id } = await ops.issue({ client: 'anna', scopes: ['*'] })
    expectProblem(await ops.call('post', `/keys/${id}/rotate`, { overlap }), 'invalid_request', { param: 'overlap' })
  })
})
