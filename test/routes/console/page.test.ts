import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { temporaryFolder, testApp } from '../../fakes/gateway.ts'
import { expectProblem } from '../expect.ts'
import { FILES, layConsole } from './stage.ts'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const built = async () => testApp({ consoleParts: { folder: layConsole(await temporaryFolder()) } })

describe('the page', () => {
  test('is at /console, and at every path that it may call its own', async () => {
    const app = await built()
    for (const path of ['', '/', '/videos', '/videos/vid_1', '/videos/vid_1?tab=a', '/a/b/c/d', '/%2e%2e']) {
      const { status, text, headers } = await app.raw.get(`/console${path}`)
      expect([path, status, text]).toEqual([path, 200, FILES['index.html']])
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, no-cache',
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        vary: 'Accept-Encoding',
      })
      expect(headers['set-cookie']).toBeUndefined()
    }
    const { text } = await app.raw
      .get('/console/favicon.svg')
      .buffer(true)
      .parse((res, done) => {
        let body = ''
        res.on('data', (chunk: Buffer) => (body += chunk.toString()))
        res.on('end', () => done(null, body))
      })
      .then(({ body }) => ({ text: String(body) }))
    expect(text).toBe(FILES['favicon.svg'])
  })

  test('is 304 for who has it', async () => {
    const app = await built()
    const { etag } = (await app.raw.get('/console')).headers
    await app.raw.get('/console/videos').set('if-none-match', String(etag)).expect(304, '')
    await app.raw.get('/console').set('if-none-match', '"other"').expect(200)
  })

  test('takes GET and HEAD alone', async () => {
    const app = await built()
    const { headers } = await app.raw.head('/console').expect(200)
    expect(headers['content-length']).toBe(String(FILES['index.html'].length))
    for (const path of ['/console', '/console/videos', '/console/assets/app-1.js'])
      expectProblem(await app.raw.post(path).set('x-talkbridge-console', '1'), 'method_not_allowed')
  })

  test('is where / leads to', async () => {
    const app = await built()
    await app.raw.get('/').expect(302).expect('location', '/console')
    expectProblem(await app.raw.post('/'), 'not_found')
  })

  test('that was not built says how, and is there once it is', async () => {
    const dir = await temporaryFolder()
    const app = await testApp({ consoleParts: { folder: `${dir}/console` } })
    const { text, headers } = await app.raw.get('/console/videos').expect(503)
    expect(text).toContain('npm run build:console')
    expect(headers['content-security-policy']).toBe(POLICY)
    expectProblem(await app.raw.get('/console/assets/app-1.js'), 'not_found')
    layConsole(dir)
    await app.raw.get('/console/videos').expect(200, FILES['index.html'])
  })
})

describe('its files', () => {
  const packed = async (accept: string) => {
    const app = await built()
    const asked = app.raw.get('/console/assets/app-1.js').set('accept-encoding', accept)
    const { headers, body } = await asked.buffer(true).parse((res, done) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => done(null, Buffer.concat(chunks)))
    })
    return { headers: headers as Record<string, string>, body: body as Buffer }
  }

  test.each([
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
  ])('come in the best form that the browser takes: %s', async (accept, encoding) => {
    const { headers } = await packed(accept)
    expect(headers['content-encoding']).toBe(encoding)
    const text = Buffer.from(FILES['assets/app-1.js'])
    const bytes = { gzip: gzipSync(text), br: brotliCompressSync(text) }[encoding ?? ''] ?? text
    expect(headers).toMatchObject({
      'content-length': String(bytes.length),
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': POLICY,
      vary: 'Accept-Encoding',
    })
  })

  test.each([
    '/console/assets/none.js',
    '/console/assets/app-1.js.gz',
    '/console/assets/app-1.js.map',
    '/console/assets/',
    '/console/assets/../index.html',
    '/console/assets/%2e%2e/index.html',
    '/console/assets/..%2findex.html',
    '/console/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/console/assets//app-1.js',
    '/console/assets/app-1.js/',
    '/console/assets/APP-1.JS',
    '/console/assets/app-1.js%00',
  ])('are found by their exact names alone: %s', async (path) => {
    const app = await built()
    // By hand: a client would tidy the path up.
    const { port } = new URL(app.url)
    const { request } = await import('node:http')
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request({ port, host: '127.0.0.1', path }, (res) => {
        res.resume()
        resolve(res.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(404)
  })
})

test('off, nothing of it is there', async () => {
  const folder = layConsole(await temporaryFolder())
  const app = await testApp({ console: { enabled: false }, consoleParts: { folder } })
  for (const path of [
    '',
    '/',
    '/videos',
    '/session',
    '/assets/app-1.js',
    '/api/unified/v1/videos',
    '/media/videos/vid_1',
  ])
    expectProblem(await app.raw.get(`/console${path}`), 'not_found')
  expectProblem(await app.raw.post('/console/session').send({}), 'not_found')
  expectProblem(await app.raw.get('/'), 'not_found')
})
