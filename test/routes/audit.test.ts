import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '../../src/access/keyring.ts'
import { AUDIT_ACTIONS } from '../../src/core/access.ts'
import type { AuditEntryView, ClientView } from '../../src/core/api/admin.ts'
import { UNIFIED_OPERATIONS } from '../../src/routes/unified/routes.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, openApp, type TestApp } from '../fakes/gateway.ts'
import { issuing, type Issuing } from './access-stage.ts'
import { expectProblem } from './expect.ts'
import { givenUp } from './given-up.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** Clients beside those of the configuration, and what the audit log tells of all that operators do. */

const clock = fakeClock()
let app: TestApp
let ops: Issuing
beforeAll(async () => {
  app = await openApp({
    clock,
    server: { trust_proxy: 1 },
    routing: { rules: [{ split: { main: 90, alt: 10 } }] },
  })
  servePrimary(app.main, clock.now)
  serveAlternate(app.alt, clock.now)
  ops = issuing(app)
})
afterAll(() => app.close())

const entries = async (query = '', one: Pick<Issuing, 'call'> = ops): Promise<AuditEntryView[]> =>
  ((await one.call('get', `/audit?limit=100${query}`).expect(200)).body as { data: AuditEntryView[] }).data

describe('clients', () => {
  const asShop = async () => (await ops.issue({ client: 'shop', scopes: ['*'] })).key

  test('one is made, found, listed between those of the configuration, changed and deleted', async () => {
    const limits = { requests_per_minute: 5, videos_per_month: 3 }
    const made = (await ops.client({ id: 'books', backends: ['alt'], limits })).body as ClientView
    expect(made).toMatchObject({ id: 'books', source: 'stored', backends: ['alt'], enabled: true })
    expect(made.limits).toEqual({ ...limits, credits_per_month: null, queued_videos: 100, streams: 20 })
    expect((await ops.call('get', '/clients/books')).body).toEqual(made)
    const changed = await ops.call('patch', '/clients/books', { limits: { videos_per_month: null }, description: 'B' })
    expect(changed.body).toMatchObject({ description: 'B', limits: { requests_per_minute: 5, videos_per_month: null } })
    const pages: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await ops.call('get', `/clients?limit=1${cursor && `&cursor=${cursor}`}`).expect(200)
      const page = body as { data: ClientView[]; next_cursor: string | null }
      pages.push(...page.data.map(({ id, source }) => `${id} ${source}`))
      cursor = page.next_cursor
    }
    expect(pages).toEqual(['anna configuration', 'bert configuration', 'books stored'])
    await ops.call('delete', '/clients/books').expect(204)
    expectProblem(await ops.call('get', '/clients/books'), 'client_not_found')
    expectProblem(await ops.call('delete', '/clients/books'), 'client_not_found')
    expectProblem(await ops.call('post', '/clients', { id: 'books' }), 'client_exists')
    const asked = { client: 'books', scopes: ['*'] }
    expectProblem(await ops.call('post', '/keys', asked), 'invalid_request', { param: 'client' })
  })

  test('its limits and its backends hold at once; its videos are nobody else’s', async () => {
    await ops.client({ id: 'shop', backends: ['main'], limits: { requests_per_minute: 4 } })
    const key = await asShop()
    const ask = (path: string) => app.raw.get(`/unified/v1${path}`).set(bearer(key))
    expect((await ask('/backends')).body).toMatchObject({ data: [{ name: 'main' }] })
    const made = await app.raw.post('/unified/v1/videos').set(bearer(key)).send(MAIN_BODY)
    expect(made.status).toBe(202)
    const { id } = made.body as { id: string }
    expectProblem(await app.get(`/videos/${id}`), 'video_not_found')
    await ask(`/videos/${id}`).expect(200)
    await ask(`/videos/${id}`).expect(200)
    expectProblem(await ask(`/videos/${id}`), 'rate_limited')
    await ops.call('patch', '/clients/shop', { backends: null, limits: { requests_per_minute: 1_000 } }).expect(200)
    expect((await ask('/backends')).body).toMatchObject({ data: [{ name: 'main' }, { name: 'alt' }] })
    await ops.call('delete', '/clients/shop').expect(204)
    expectProblem(await ask(`/videos/${id}`), 'unauthenticated')
    // The video goes on.
    expect(await app.deps.videos.byId(id)).toMatchObject({ client: 'shop', phase: 'accepted' })
  })

  test('one of the configuration is seen, and changed there alone', async () => {
    expect((await ops.call('get', '/clients/anna')).body).toMatchObject({ id: 'anna', source: 'configuration' })
    expectProblem(await ops.call('post', '/clients', { id: 'anna' }), 'client_configured')
    expectProblem(await ops.call('patch', '/clients/anna', { enabled: false }), 'client_configured')
    expectProblem(await ops.call('delete', '/clients/anna'), 'client_configured')
  })

  test.each([
    [{ id: 'Acme' }, 'id'],
    [{ id: 'acme', backends: ['main', 'none'] }, 'backends.1'],
    [{ id: 'acme', backends: [] }, 'backends'],
    [{ id: 'acme', limits: { requests_per_minute: 0 } }, 'limits.requests_per_minute'],
    [{ id: 'acme', scopes: ['*'] }, 'scopes'],
  ])('refuses %j', async (body, param) => {
    expectProblem(await ops.call('post', '/clients', body), 'invalid_request', { param })
  })
})

describe('the audit log', () => {
  test('tells who did what to what, when and from where', async () => {
    const admin = await ops.issue({ client: 'bert', scopes: ['admin'] })
    const at = new Date(clock.now()).toISOString()
    const sent = app.raw.post('/unified/v1/admin/clients').set({
      ...bearer(admin.key),
      'x-forwarded-for': '198.51.100.1, 203.0.113.7',
      'x-request-id': 'mine-1',
    })
    await sent.send({ id: 'told' }).expect(201)
    const [entry] = await entries('&subject=told')
    expect(entry).toMatchObject({
      object: 'audit_entry',
      at,
      actor: 'bert',
      actor_key: admin.id,
      // What the client itself wrote before the proxy did counts for nothing.
      address: '203.0.113.7',
      request_id: 'mine-1',
      action: 'client.create',
      subject: 'told',
    })
    const [issued] = await entries(`&subject=${admin.id}`)
    expect(issued).toMatchObject({ actor: 'anna', actor_key: 'clients.anna.key', address: '127.0.0.1' })
  })

  test('has each thing that an operator can change, and nothing that was refused', async () => {
    const first = await ops.issue({ client: 'anna', scopes: ['videos:read'] })
    await ops.rotate(first.id)
    await ops.revoke(first)
    await ops.client({ id: 'each' })
    await ops.call('patch', '/clients/each', { enabled: false }).expect(200)
    await ops.call('delete', '/clients/each').expect(204)
    await ops.call('post', '/migration/step', { force: true }).expect(200)
    await ops.call('post', '/migration/rollback').expect(200)
    await ops.call('post', '/migration/resume').expect(200)
    await ops.call('post', '/backends/main/pause', { creates: true, polls: true, reason: 'why' }).expect(200)
    await ops.call('post', '/backends/main/resume').expect(200)
    const before = (await entries()).length
    for (const refused of [
      ops.call('post', '/keys', { client: 'nobody', scopes: ['*'] }),
      ops.call('post', `/keys/${first.id}/rotate`),
      ops.call('post', `/keys/${first.id}/revoke`),
      ops.call('delete', '/clients/each'),
      ops.call('post', '/migration/resume'),
      ops.call('post', '/backends/main/resume'),
      ops.call('post', '/backends/nobody/pause', { creates: true, polls: true, reason: 'why' }),
      ops.call('post', '/videos/vid_none/resolve', { job_id: 'x' }),
      ops.call('post', '/videos/vid_none/cancel'),
      ops.call('post', '/events/evt_none/redeliver'),
    ])
      await refused
    expect(await entries()).toHaveLength(before)
    const seen = new Set((await entries()).map(({ action }) => action))
    const ofEndpoints = ['disable', 'enable', 'test', 'replay'].map((what) => `endpoint.${what}`)
    const ofVideos = ['video.resolve', 'video.cancel', 'client.erase', 'event.redeliver']
    const elsewhere = [...ofEndpoints, ...ofVideos, 'split.stop']
    expect([...seen, ...elsewhere].toSorted()).toEqual(AUDIT_ACTIONS.toSorted())
    // A route that operators alone may use, and that changes something, is told of here: whoever adds one looks at this.
    const changing = UNIFIED_OPERATIONS.filter(({ scope, method }) => scope === 'admin' && method !== 'get')
    expect(changing.map(({ id }) => id).toSorted()).toEqual(
      'cancelAdminVideo createClient createKey deleteClient deleteClientData disableAdminEndpoint enableAdminEndpoint pauseBackend redeliverAdminEvent replayAdminEndpoint resolveVideo resumeBackend resumeSplit revokeKey rollbackSplit rotateKey stepSplit testAdminEndpoint updateClient'.split(
        ' ',
      ),
    )
  })

  test('is read newest first, in pages, by each filter', async () => {
    const all = await entries()
    const walked: AuditEntryView[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await ops.call('get', `/audit?limit=3${cursor && `&cursor=${cursor}`}`).expect(200)
      const page = body as { data: AuditEntryView[]; next_cursor: string | null }
      walked.push(...page.data)
      cursor = page.next_cursor
    }
    expect(walked).toEqual(all)
    expect(await entries('&action=client.create&actor=bert')).toEqual(
      all.filter(({ action, actor }) => action === 'client.create' && actor === 'bert'),
    )
    await clock.advance(1_000)
    await ops.client({ id: 'later' })
    const since = new Date(clock.now()).toISOString()
    expect((await entries(`&since=${since}`)).map(({ subject }) => subject)).toEqual(['later'])
    expectProblem(await ops.call('get', '/audit?cursor=x'), 'invalid_cursor')
    expectProblem(await ops.call('get', '/audit?action=key.eat'), 'invalid_request', { param: 'action' })
  })

  test('no key and no hash of one is in it, in a list, or in the log', async () => {
    const { key, id } = await ops.issue({ client: 'anna', name: 'canary', scopes: ['*'] })
    const next = await ops.rotate(id)
    expectProblem(await app.raw.get('/unified/v1/nothing').set(bearer(`${key}x`)), 'unauthenticated')
    await app.raw.get(`/unified/v1/videos?key=${key}`).set(bearer(key)).expect(400)
    const answers = await Promise.all(
      ['/audit?limit=100', '/keys?limit=100', `/keys/${id}`, '/clients', '/clients/anna'].map(
        async (path) => (await ops.call('get', path)).text,
      ),
    )
    const told = [...answers, ...app.logs, JSON.stringify(app.deps.tally)].join('\n')
    for (const secret of [key, next.key])
      for (const form of [secret, hashOf(secret), secret.slice(8)]) expect(told).not.toContain(form)
  })
})

test('an operator’s word about a video is told with what it changes, and once', async () => {
  const { app: other, id, resolve } = await givenUp()
  const told = () => entries('&action=video.resolve', issuing(other))
  expectProblem(await resolve({ absent: true, attempt: 7 }), 'invalid_request')
  expect(await told()).toEqual([])
  await resolve({ absent: true, attempt: 1 }).expect(200)
  await resolve({ job_id: 'clip_7' }).expect(200)
  await resolve({ job_id: 'clip_7' }).expect(200)
  const detail = { client: 'anna' }
  expect(await told()).toMatchObject([
    { subject: id, actor: 'anna', detail: { ...detail, job_id: 'clip_7' } },
    { subject: id, actor_key: 'clients.anna.key', detail: { ...detail, absent: true, attempt: 1 } },
  ])
})
