import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProblemView } from '../../src/core/api/videos.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem } from './expect.ts'

/** Methods, paths and headers, whatever is behind them. */
let app: TestApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

/** One request byte by byte: clients of the library kind repair what is being tested here. */
const rawRequest = async (head: string): Promise<string> => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  // Not its end, which to node is a caller that has left.
  socket.write(`${head}\r\nHost: gateway\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close')
  return text
}

const OPERATIONS = {
  '/unified/v1/videos': ['GET', 'HEAD', 'POST'],
  '/unified/v1/videos/vid_1': ['GET', 'HEAD', 'DELETE'],
  '/unified/v1/videos/vid_1/download': ['GET', 'HEAD'],
  '/unified/v1/videos/vid_1/content': ['GET', 'HEAD'],
  '/unified/v1/videos/vid_1/events': ['GET', 'HEAD'],
  '/unified/v1/events/stream': ['GET', 'HEAD'],
  '/unified/v1/admin/events/stream': ['GET', 'HEAD'],
  '/unified/v1/voices': ['GET', 'HEAD'],
  '/unified/v1/puppets': ['GET', 'HEAD', 'POST'],
  '/unified/v1/puppets/main:p1': ['GET', 'HEAD', 'DELETE'],
  '/unified/v1/speech': ['POST'],
  '/unified/v1/uploads': ['POST'],
  '/unified/v1/usage': ['GET', 'HEAD'],
  '/unified/v1/backends': ['GET', 'HEAD'],
  '/unified/v1/webhook_secret': ['GET', 'HEAD'],
  '/unified/v1/webhook_secret/rotate': ['POST'],
  '/unified/v1/webhook_endpoints': ['GET', 'HEAD', 'POST'],
  '/unified/v1/webhook_endpoints/we_1': ['GET', 'HEAD', 'PATCH', 'DELETE'],
  '/unified/v1/webhook_endpoints/we_1/rotate_secret': ['POST'],
  '/unified/v1/webhook_endpoints/we_1/test': ['POST'],
  '/unified/v1/webhook_endpoints/we_1/replay': ['POST'],
  '/unified/v1/events': ['GET', 'HEAD'],
  '/unified/v1/events/evt_1': ['GET', 'HEAD'],
  '/unified/v1/events/evt_1/redeliver': ['POST'],
  '/unified/v1/deliveries': ['GET', 'HEAD'],
  '/unified/v1/deliveries/dlv_1': ['GET', 'HEAD'],
  '/healthz': ['GET', 'HEAD'],
  '/readyz': ['GET', 'HEAD'],
  '/hooks/alt/token': ['POST'],
}
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

describe('405 with Allow', () => {
  test.each(Object.entries(OPERATIONS))('%s', async (path, allowed) => {
    for (const method of METHODS.filter((name) => !allowed.includes(name))) {
      const lower = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
      const response = await app.raw[lower](path).set(bearer(KEYS.anna))
      expectProblem(response, 'method_not_allowed')
      expect(response.headers['allow']).toBe(allowed.join(', '))
    }
  })
})

describe('a path is taken to the letter', () => {
  const capital = (path: string): string =>
    path.replace(/[a-z](?=[a-z]*$)|[a-z](?=[a-z]*\/[^/]*$)/, (letter) => letter.toUpperCase())
  test.each(Object.entries(OPERATIONS))('%s', async (path, [method = 'GET']) => {
    const lower = method === 'GET' ? 'get' : 'post'
    const others = [`${path}/`, `${path}//`, `/${path}`, path.replace(/^\/[^/]+/, (start) => start.toUpperCase())]
    if (path.startsWith('/unified')) others.push(path.replace('/v1/', '/V1/'), path.replace('/v1/', '/v1//'))
    // The words that are no ids.
    else others.push(capital(path))
    for (const other of others.filter((one) => one !== path)) {
      expectProblem(await app.raw[lower](other).set(bearer(KEYS.anna)), 'not_found')
    }
  })

  test('so are the words of the API, and the page', async () => {
    for (const path of [
      '/unified/v1/Videos',
      '/unified/v1/VOICES',
      '/unified/v1/events/Stream',
      '/unified/v1/videos/Check',
      '/Docs',
      '/docs/',
      '/docs/assets/Page.css',
      '/docs/assets/page.css/',
      '/OpenAPI.json',
      '/openapi.json/',
      '/%6fpenapi.json',
    ]) {
      const { status } = await app.raw.get(path).set(bearer(KEYS.anna))
      expect([path, status]).toEqual([path, 404])
    }
  })
})

describe('404', () => {
  test.each([
    '/unified/v1',
    '/unified/v1/',
    '/unified/v1/video',
    '/unified/v1/videos/a/b/c',
    '/unified/v1/videos//download',
    '/unified/v2/videos',
    '/favicon.ico',
    '/unified',
    '/hooks',
    '/hooks/alt',
    '/api/v2/videos/text',
  ])('not_found: %s', async (path) => {
    const { detail } = expectProblem(await app.raw.get(path).set(bearer(KEYS.anna)), 'not_found')
    expect(detail).toBe(`there is no GET ${path}: see /docs for what exists`)
  })

  test.each([
    'vid_0',
    '..%2f',
    '%2e%2e',
    '%00',
    '%F0%9F%98%80',
    "' OR 1=1 --",
    '*',
    'a'.repeat(10_000),
    'vid_1;x=1',
    'toString',
    '__proto__',
  ])('video_not_found: %s', async (id) => {
    const shown = expectProblem(await app.get(`/videos/${encodeURI(id).replaceAll('%25', '%')}`), 'video_not_found')
    expect(shown.detail.length).toBeLessThan(200)
    expectProblem(await app.get(`/videos/${encodeURI(id).replaceAll('%25', '%')}/download`), 'video_not_found')
  })

  test('a path that is no text is 400', async () => {
    for (const path of [
      '/unified/v1/videos/%ff',
      '/unified/v1/videos/%',
      '/unified/v1/videos/%E0%A4%A',
      '/hooks/%ff/x',
      '/unified/v1/videos/%ED%A0%80/content?sig=x',
    ]) {
      const text = await rawRequest(
        `${path.startsWith('/hooks') ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nAuthorization: Bearer ${KEYS.anna}`,
      )
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(ProblemView.parse(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as unknown).code).toBe(
        'invalid_request',
      )
    }
  })

  test('dots are not resolved, nor slashes joined', async () => {
    for (const path of [
      '/unified/v1/videos/../backends',
      '//unified/v1/videos',
      '/unified/v1/./videos',
      '/healthz/../readyz',
    ]) {
      expect(await rawRequest(`GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${KEYS.anna}`)).toMatch(/^HTTP\/1\.1 404 /)
    }
  })

  test('an absolute target, an asterisk and a long query do no harm', async () => {
    expect(await rawRequest('GET http://evil.example/healthz HTTP/1.1')).toMatch(/^HTTP\/1\.1 (200|404) /)
    expect(await rawRequest('OPTIONS * HTTP/1.1')).toMatch(/^HTTP\/1\.1 404 /)
    expectProblem(await app.get(`/videos?${'a=1&'.repeat(2_000)}`), 'invalid_request')
  })
})

describe('406 not_acceptable', () => {
  test('when none of JSON is accepted, before anything is done', async () => {
    for (const accept of ['text/html', 'application/xml', 'image/*', 'application/json;q=0']) {
      expectProblem(await app.get('/videos').set('accept', accept), 'not_acceptable')
      expectProblem(await app.post('{', { accept }), 'not_acceptable')
    }
  })

  test('JSON, problem+json, a wildcard and nothing at all are fine', async () => {
    for (const accept of ['application/json', 'application/problem+json', '*/*', 'text/html, */*;q=0.1', '']) {
      expect((await app.get('/videos').set('accept', accept)).status).toBe(200)
    }
  })
})

describe('X-Request-Id', () => {
  test('a sane one is kept on answers and in problems', async () => {
    const ok = await app.get('/videos').set('x-request-id', 'trace-1.A_b')
    expect(ok.headers['x-request-id']).toBe('trace-1.A_b')
    expectProblem(await app.get('/nothing').set('x-request-id', 'trace-2'), 'not_found', { request_id: 'trace-2' })
    expect((await app.raw.get('/healthz').set('x-request-id', 'trace-3')).headers['x-request-id']).toBe('trace-3')
  })

  test.each(['a b', 'x'.repeat(129), '<script>', 'a;b=c', 'é', '{"a":1}', 'a,b'])(
    'another is replaced: %s',
    async (id) => {
      const { headers } = await app.get('/videos').set('x-request-id', id)
      expect(headers['x-request-id']).toMatch(/^req_[0-9A-Z]{26}$/)
    },
  )

  test('a line break in it never becomes a header', async () => {
    const text = await rawRequest('GET /healthz HTTP/1.1\r\nX-Request-Id: a\rSet-Cookie: b')
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text.toLowerCase()).not.toContain('set-cookie')
    const folded = await rawRequest('GET /healthz HTTP/1.1\r\nX-Request-Id: a\r\nX-Request-Id: b')
    expect(folded).toMatch(/\r\nx-request-id: req_[0-9A-Z]{26}\r\n/i)
  })

  test('made ids differ', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await app.raw.get('/healthz')).headers['x-request-id']),
    )
    expect(new Set(ids).size).toBe(20)
  })
})

test('no answer tells what made it', async () => {
  const { headers } = await app.get('/videos')
  expect(headers).not.toHaveProperty('x-powered-by')
  expect(headers).not.toHaveProperty('etag')
})
