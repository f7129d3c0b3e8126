import { describe, expect, test } from 'vitest'
import { PuppetView } from '../../src/core/api/videos.ts'
import { KEYS, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem } from './expect.ts'
import { BODY, keyed, start } from './puppet-stage.ts'

/** Saved portraits: seen by the whole workspace, deleted by their creator alone. */
describe('POST /puppets', () => {
  test('answers the puppet, and where it is', async () => {
    const { main, create, call } = await start()
    const response = await create()
    expect(response.status).toBe(201)
    expect(response.headers['location']).toBe('/unified/v1/puppets/main:pup_1')
    expect(response.headers).not.toHaveProperty('idempotency-replayed')
    expect(PuppetView.parse(response.body)).toEqual({
      id: 'main:pup_1',
      object: 'puppet',
      backend: 'main',
      name: 'Me',
      type: 'custom',
      image_url: BODY.image_url,
      thumbnail_url: null,
      created_at: null,
    })
    const [sent] = main.asked('POST', '/api/v1/puppets')
    expect(JSON.parse(must(sent).body)).toEqual({ imageUrl: BODY.image_url, name: 'Me' })
    expect((await call('get', must(response.headers['location']).replace('/unified/v1', ''))).status).toBe(200)
  })

  test('takes nulls for what is not given', async () => {
    const { create } = await start()
    const response = await create({ image_url: BODY.image_url, name: null, backend: null })
    expect(PuppetView.parse(response.body).name).toBeNull()
  })

  test.each<[string, object, string]>([
    ['no image', { name: 'x' }, 'image_url'],
    ['an image that is no https URL', { image_url: 'http://img.example/a.png' }, 'image_url'],
    ['a blank name', { ...BODY, name: ' ' }, 'name'],
    ['a long name', { ...BODY, name: 'x'.repeat(201) }, 'name'],
    ['an unknown field', { ...BODY, imageUrl: BODY.image_url }, 'imageUrl'],
    ['an unknown backend', { ...BODY, backend: 'none' }, 'backend'],
  ])('refuses %s', async (_, body, param) => {
    const { app, create } = await start()
    expectProblem(await create(body), 'invalid_request', { param })
    expect(app.upstream()).toBe(0)
  })

  test('refuses what is no JSON, a query, and a backend that cannot', async () => {
    const { app, create } = await start()
    expectProblem(await create('{'), 'invalid_json')
    expectProblem(await create('x', { 'content-type': 'text/plain' }), 'unsupported_media_type')
    expectProblem(await create({ ...BODY, backend: 'alt' }), 'capability_not_supported', {
      param: 'backend',
      backend: 'alt',
    })
    expectProblem(await create(BODY, keyed(' ')), 'idempotency_key_invalid')
    expect(app.upstream()).toBe(0)
  })

  test('a client of backends that all cannot is told so', async () => {
    const { app, create } = await start({ clients: [{ id: 'anna', key: KEYS.anna, backends: ['alt'] }] })
    expectProblem(await create(), 'capability_not_supported')
    expectProblem(await create({ ...BODY, backend: 'main' }), 'invalid_request', { param: 'backend' })
    expect(app.upstream()).toBe(0)
  })

  test('goes to the first that can where the default cannot, and not to one that is being drained', async () => {
    const clients = [{ id: 'anna', key: KEYS.anna, backends: ['alt', 'main'] }]
    const { create } = await start({ clients })
    expect(PuppetView.parse((await create()).body).backend).toBe('main')
    const drained = await start({ clients, backends: { main: { drain: true } } })
    expectProblem(await drained.create(), 'backend_unavailable', { backend: 'main' })
    expectProblem(await drained.create({ ...BODY, backend: 'main' }), 'backend_unavailable', { backend: 'main' })
  })

  test('shows in a list that was read before', async () => {
    const { main, create, listed, call } = await start()
    expect(await listed()).toEqual([])
    await create()
    expect(await listed()).toEqual(['main:pup_1'])
    await call('delete', '/puppets/main:pup_1')
    expect(await listed()).toEqual([])
    expect(main.asked('GET', '/api/v1/puppets')).toHaveLength(1)
  })

  test('the backend’s refusal is told, and leaves the key free', async () => {
    const { app, create, main } = await start()
    app.main.next({ status: 400, body: { error: 'invalid_image', message: 'no face' } })
    expectProblem(await create(BODY, keyed('k')), 'invalid_image', { backend: 'main', retryable: false })
    const other = { ...BODY, name: 'Other' }
    expect((await create(other, keyed('k'))).status).toBe(201)
    expect(main.puppets.size).toBe(1)
  })
})

test('a create with the bare id of another backend’s puppet says whose it is, if the lists in memory have it', async () => {
  const { app, call } = await start()
  const create = () => app.post({ puppet_id: 'pup_1', text: 'Hello' })
  const unknown = 'backend main does not have this puppet'
  expectProblem(await create(), 'puppet_not_found', { param: 'puppet_id', detail: unknown })
  expect((await call('get', '/puppets?backend=alt')).status).toBe(200)
  const requests = app.alt.requests.length
  expectProblem(await create(), 'puppet_not_found', { detail: `${unknown}: alt has one, alt:pup_1` })
  expect(app.alt.requests).toHaveLength(requests)
})

describe('GET /puppets/{id}', () => {
  test('is read from the list, or asked for where it is not there', async () => {
    const { main, call } = await start()
    main.puppets.set('a/b c', { id: 'a/b c', imageUrl: 'https://img.example/x.png', name: null })
    const first = await call('get', '/puppets/main:a%2Fb%20c')
    expect(PuppetView.parse(first.body)).toMatchObject({ id: 'main:a/b c', image_url: 'https://img.example/x.png' })
    expect(first.headers['x-cache']).toBe('miss')
    expect((await call('get', '/puppets/a%2Fb%20c')).headers['x-cache']).toBe('hit')
    expect(main.asked('GET', '/')).toHaveLength(1)
    main.puppets.set('new', { id: 'new', imageUrl: null, name: 'New' })
    expect(PuppetView.parse((await call('get', '/puppets/main:new')).body).name).toBe('New')
    expect(main.asked('GET', '/api/v1/puppets/new')).toHaveLength(1)
  })

  test('of the alternate comes from its list', async () => {
    const { call } = await start()
    expect(PuppetView.parse((await call('get', '/puppets/alt:pup_1')).body)).toMatchObject({
      name: 'Anna',
      type: 'stock',
    })
    expectProblem(await call('get', '/puppets/alt:pup_9'), 'puppet_not_found')
  })

  test.each([
    'main:nobody',
    'nobody',
    'none:p1',
    'main:',
    'alt:',
    `main:${'x'.repeat(300)}`,
    'main:..%2F..',
    '%00',
    "'",
  ])('an unknown one is 404: %s', async (id) => {
    const { call } = await start()
    expect(expectProblem(await call('get', `/puppets/${id}`), 'puppet_not_found').detail.length).toBeLessThan(100)
    expectProblem(await call('delete', `/puppets/${id}`), 'puppet_not_found')
    expectProblem(await call('get', `/puppets/${id}?x=1`), 'invalid_request', { param: 'x' })
  })

  test('one of a backend that the client does not see is as unknown as none', async () => {
    const clients = [
      { id: 'anna', key: KEYS.anna, backends: ['alt'] },
      { id: 'bert', key: KEYS.bert },
    ]
    const { call, create } = await start({ clients })
    await create(BODY, {}, KEYS.bert)
    for (const method of ['get', 'delete'] as const) {
      const ask = async (id: string) => {
        const response = await call(method, `/puppets/${id}`).set('x-request-id', 'same')
        // Each counts one request more, whatever is asked.
        const counts = { date: '', ratelimit: '', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' }
        return { ...expectProblem(response, 'puppet_not_found'), headers: { ...response.headers, ...counts } }
      }
      const hidden = await ask('main:pup_1')
      expect(hidden).toEqual({ ...(await ask('main:pup_9')), detail: hidden.detail })
      expect(hidden.detail).toBe('there is no puppet main:pup_1')
    }
  })
})

describe('DELETE /puppets/{id}', () => {
  const made = async (options: GatewayOptions = {}) => {
    const started = await start(options)
    await started.create()
    return started
  }

  test('is for the client that created it through the gateway', async () => {
    const { main, call } = await made()
    main.puppets.set('old', { id: 'old', imageUrl: null, name: null })
    expectProblem(await call('delete', '/puppets/main:pup_1', KEYS.bert), 'not_owner', { backend: 'main' })
    expectProblem(await call('delete', '/puppets/main:old'), 'not_owner')
    expectProblem(await call('delete', '/puppets/alt:pup_1'), 'not_owner')
    expect(main.asked('DELETE', '/')).toEqual([])
    const deleted = await call('delete', '/puppets/main:pup_1')
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect([...main.puppets.keys()]).toEqual(['old'])
    expectProblem(await call('get', '/puppets/main:pup_1'), 'puppet_not_found')
    expectProblem(await call('delete', '/puppets/main:pup_1'), 'puppet_not_found')
  })

  test('one that is gone already is gone', async () => {
    const { main, call } = await made()
    main.puppets.delete('pup_1')
    expect((await call('delete', '/puppets/main:pup_1')).status).toBe(204)
  })

  test('of unknown outcome can be repeated', async () => {
    const { app, main, call } = await made()
    app.main.next({ fault: 'reset' })
    expectProblem(await call('delete', '/puppets/main:pup_1'), 'backend_error', { retryable: true })
    main.puppets.delete('pup_1')
    expect((await call('delete', '/puppets/main:pup_1')).status).toBe(204)
  })
})

describe('a video from a saved portrait', () => {
  const imageSent = (app: TestApp) =>
    (JSON.parse(must(app.main.requests.at(-1)).body) as { image_url?: string }).image_url

  test('is made from the image that the puppet was created with, without asking', async () => {
    const { app, create } = await start()
    await create()
    const before = app.upstream()
    app.main.next({ status: 202, body: { id: 'api_video_1', status: 'queued' } })
    expect((await app.post({ puppet_id: 'main:pup_1', text: 'Hello' })).status).toBe(202)
    expect([app.upstream() - before, imageSent(app)]).toEqual([1, BODY.image_url])
  })

  test('or from what the backend shows of it', async () => {
    const { app, main } = await start()
    main.puppets.set('old', { id: 'old', imageUrl: 'https://img.example/old.png', name: null })
    app.main.next(
      { body: { data: [{ id: 'old' }] } },
      { body: main.puppets.get('old') },
      {
        status: 202,
        body: { id: 'api_video_1', status: 'queued' },
      },
    )
    expect((await app.post({ puppet_id: 'main:old', text: 'Hello' })).status).toBe(202)
    expect(imageSent(app)).toBe('https://img.example/old.png')
    main.puppets.set('bare', { id: 'bare', imageUrl: undefined, name: null })
    expectProblem(await app.post({ puppet_id: 'main:bare', text: 'Hello' }), 'capability_not_supported', {
      param: 'puppet_id',
    })
    expectProblem(await app.post({ puppet_id: 'main:nobody', text: 'Hello' }), 'puppet_not_found', {
      param: 'puppet_id',
    })
  })
})
