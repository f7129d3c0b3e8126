import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { diskFull } from '../../src/core/log.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

describe('health', () => {
  test('healthz and readyz need no key', async () => {
    const app = await testApp()
    expect((await app.raw.get('/healthz').expect(200)).body).toEqual({ status: 'ok' })
    expect((await app.raw.get('/readyz').expect(200)).body).toEqual({ status: 'ready' })
    expect((await app.raw.head('/readyz')).status).toBe(200)
  })

  test('while it stops it is alive and unready, answers, and keeps creates for whoever comes next', async () => {
    const app = await testApp()
    const main = servePrimary(app.main)
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    app.deps.stopping.abort()
    await app.raw.get('/healthz').expect(200)
    const unready = await app.raw.get('/readyz')
    expectProblem(unready, 'shutting_down', { retryable: true })
    expect(unready.headers['retry-after']).toBe('1')
    const created = await app.post(MAIN_BODY, { prefer: 'wait=60' })
    expect(expectVideo(created, 202)).toMatchObject({ status: 'queued', queue: { position: 1 } })
    const again = await app.post(MAIN_BODY, { 'idempotency-key': 'one' })
    expect((await app.post(MAIN_BODY, { 'idempotency-key': 'one' })).body).toMatchObject({ id: again.body.id })
    const read = await app.get(`/videos/${id}`).expect(200)
    const dropin = await app.raw.get(`/api/v1/videos/${id}`).set(bearer(KEYS.anna)).expect(200)
    const stream = await app.get('/events/stream').expect(200)
    // With this id its reader comes back, and has missed nothing.
    expect(stream.text).toMatch(/^id: \S+$/m)
    for (const { headers } of [created, again, read, dropin, stream]) expect(headers['connection']).toBe('close')
    expect(main.creates()).toHaveLength(1)
  })

  test('a store that cannot be used makes it unready, not dead', async () => {
    const app = await testApp({
      wrapStore: (store) => ({
        ...store,
        ping: () =>
          Promise.reject(
            new Problem('store_unavailable', 'the store cannot be written', { cause: new Error('disk I/O error') }),
          ),
      }),
    })
    const problem = expectProblem(await app.raw.get('/readyz'), 'store_unavailable', { retryable: true })
    expect(JSON.stringify(problem)).not.toContain('disk')
    await app.raw.get('/healthz').expect(200)
  })
})

test('a fault of the gateway shows nothing of its cause, which is in the log', async () => {
  const app = await testApp({
    wrapStore: (store) => ({
      ...store,
      list: () => Promise.reject(new Error('SQLITE_CORRUPT: SELECT data FROM videos')),
    }),
  })
  const problem = expectProblem(await app.get('/videos').set('x-request-id', 'trace-9'), 'internal_error', {
    retryable: true,
  })
  expect(JSON.stringify(problem)).not.toMatch(/sql|select|\.ts|node_modules|stack/i)
  const lines = app.logs.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.find(({ level }) => level === 'error')).toMatchObject({
    request_id: 'trace-9',
    code: 'internal_error',
    msg: 'request failed',
    // Where in the code it was.
    err: { stack: expect.stringMatching(/caused by: Error: SQLITE_CORRUPT.*\n +at .+ops\.test\.ts/) },
  })
  expect(app.logs.join('')).toContain('SQLITE_CORRUPT')
})

test('a refusal’s line says why, and who called, as far as proxies are trusted', async () => {
  const lineOf = async (app: TestApp, id: string): Promise<unknown> => {
    const lines = () => app.logs.filter((line) => line.includes(id)).map((line) => JSON.parse(line) as unknown)
    await until(() => Promise.resolve(lines().length > 0))
    expect(lines()).toHaveLength(1)
    return lines()[0]
  }
  const FORWARDED = '203.0.113.9, ::ffff:198.51.100.7'
  const app = await testApp({ server: { trust_proxy: 1 } })
  const headers = (id: string) => ({ 'x-request-id': id, 'x-forwarded-for': FORWARDED })
  await app.post({ ...MAIN_BODY, txet: 'x' }, headers('one')).expect(400)
  expect(await lineOf(app, 'one')).toMatchObject({
    level: 'info',
    msg: 'request',
    status: 400,
    code: 'invalid_request',
    param: 'txet',
    client: 'anna',
    address: '198.51.100.7',
  })
  await app.raw
    .get('/unified/v1/videos')
    .set({ ...bearer('wrong'), ...headers('two') })
    .expect(401)
  expect(await lineOf(app, 'two')).toMatchObject({ status: 401, code: 'unauthenticated', address: '198.51.100.7' })
  // The caller's own words: short, and without a key that was put in the wrong place.
  const key = `tb_live_${'x'.repeat(49)}`
  await app.post({ ...MAIN_BODY, [`${key}${'y'.repeat(500)}`]: 1 }, headers('three')).expect(400)
  const three = JSON.stringify(await lineOf(app, 'three'))
  expect(three).toContain('"param":"tb_live_***"')
  // Answered past the routes.
  servePrimary(app.main)
  const video = expectVideo(await app.post(MAIN_BODY), 202)
  await app.get(`/videos/${video.id}`).set(headers('four')).expect(200)
  expect(await lineOf(app, 'four')).toMatchObject({ status: 200, address: '198.51.100.7' })

  const nearest = await testApp()
  await nearest.post({}, headers('five')).expect(400)
  expect(await lineOf(nearest, 'five')).toMatchObject({ address: '127.0.0.1' })
  const farthest = await testApp({ server: { trust_proxy: true } })
  await farthest.post({}, headers('six')).expect(400)
  expect(await lineOf(farthest, 'six')).toMatchObject({ address: '203.0.113.9' })
})

test('creates that are refused for a full disk are errors in the log, which name the disk', async () => {
  const app = await testApp({
    wrapStore: (store) => ({ ...store, open: () => Promise.reject(diskFull('/srv/data', Date.now() + 30_000)) }),
  })
  const problem = expectProblem(await app.post(MAIN_BODY, { 'x-request-id': 'full' }), 'store_unavailable', {
    retryable: true,
  })
  expect(problem.detail).toMatch(/disk/)
  expect(JSON.stringify(problem)).not.toContain('/srv')
  const lines = () => app.logs.filter((line) => line.includes('"full"')).map((line) => JSON.parse(line) as unknown)
  await until(() => Promise.resolve(lines().length > 0))
  expect(lines()).toMatchObject([
    {
      level: 'error',
      msg: 'request failed',
      status: 503,
      err: { message: expect.stringMatching(/\/srv\/data.*free/) },
    },
  ])
  expect(lines()[0]).not.toHaveProperty('err.stack')
})

test('what others did is one line, of why and without a place in the code', async () => {
  // Nobody listens there.
  const app = await testApp({ backends: { main: { base_url: 'http://127.0.0.1:1' } } })
  expectProblem(await app.post(MAIN_BODY), 'backend_unavailable', { retryable: true })
  await app.raw.get('/unified/v1/videos').set(bearer('wrong')).expect(401)
  const lines = app.logs.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.filter(({ level }) => level !== 'info')).toMatchObject([
    { level: 'warn', msg: 'the backend is not well', why: expect.stringContaining('ECONNREFUSED') },
    {
      level: 'warn',
      msg: 'request failed',
      code: 'backend_unavailable',
      err: { message: expect.stringContaining('ECONNREFUSED') },
    },
  ])
  expect(app.logs.join('')).not.toMatch(/stack|\n +at /)
})

describe('POST /hooks/{backend}/{token}', () => {
  const start = async () => {
    const clock = fakeClock()
    const app = await testApp({ clock, runsEngine: true, server: { public_url: 'https://gateway.example' } })
    const alt = serveAlternate(app.alt, clock.now)
    // No callback makes a look earlier than the backend asked for.
    alt.state.nextPollMs = 0
    const { id } = expectVideo(await app.post(ALT_BODY), 202)
    const { webhook_url } = JSON.parse(alt.creates()[0]?.body ?? '') as { webhook_url: string }
    expect(webhook_url).toMatch(/^https:\/\/gateway\.example\/hooks\/alt\//)
    return { app, alt, clock, id, path: webhook_url.slice('https://gateway.example'.length) }
  }

  test('is answered at once and makes the gateway look', async () => {
    const { app, alt, clock, id, path } = await start()
    alt.state.onRead = 'completed'
    await app.raw.post(path).send({ any: 'thing' }).expect(204)
    // The look is a request on a real socket; the clock moves only to run what is due now.
    await until(async () => {
      await clock.advance(0)
      return (await app.deps.videos.byId(id))?.status === 'completed'
    })
    expect(alt.asked('GET', '/v1/videos/clip_1')).toHaveLength(1)
  })

  test('takes any body but a large one, and believes none', async () => {
    const { app, alt, clock, id, path } = await start()
    await app.raw.post(path).expect(204)
    await app.raw.post(path).set('content-type', 'application/json').send('{').expect(204)
    await app.raw.post(path).set('content-type', 'text/plain').send('{"status":"completed"}').expect(204)
    await app.raw.post(path).set('content-type', 'application/octet-stream').send('x'.repeat(65_536)).expect(204)
    // Nobody could say how large it would be: it is not read, and hints all the same.
    await app.raw.post(path).set('content-encoding', 'gzip').send(gzipSync('{}').toString('latin1')).expect(204)
    expectProblem(
      await app.raw.post(path).set('content-type', 'text/plain').send('x'.repeat(65_537)),
      'payload_too_large',
    )
    expect((await app.get(`/videos/${id}`)).body).toMatchObject({ status: 'processing' })
    await until(async () => {
      await clock.advance(0)
      return alt.asked('GET', '/v1/videos/clip_1').length === 1
    })
  })

  test('a forged token is 404 and moves nothing', async () => {
    const { app, alt, path } = await start()
    const token = path.slice(path.lastIndexOf('/') + 1)
    for (const forged of [
      'x',
      `${token}A`,
      token.replace('.1.', '.2.'),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      'a'.repeat(5_000),
    ]) {
      expectProblem(await app.raw.post(`/hooks/alt/${forged}`).set(bearer(KEYS.anna)), 'not_found')
      // Its body is not read: else this would be too large.
      expectProblem(await app.raw.post(`/hooks/alt/${forged}`).send('x'.repeat(65_537)), 'not_found')
    }
    expect(alt.asked('GET', '/')).toEqual([])
  })

  test('its token is in no log line, however the path is spelled', async () => {
    const { app, path } = await start()
    const token = path.slice(path.lastIndexOf('/') + 1)
    await app.raw.post(path).expect(204)
    await app.raw.post(path.replace('/hooks/', '/HOOKS/')).expect(404)
    await app.raw.post(`${path}/?x=1`).expect(404)
    await app.raw.post(path.replace('/hooks/alt/', '/hooks/alt/x/'))
    await app.raw.post(`/${path}`)
    expect(app.logs.join('')).not.toContain(token.slice(token.lastIndexOf('.') + 1))
  })
})
