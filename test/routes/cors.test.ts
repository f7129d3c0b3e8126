import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SURFACE_DOCS } from '../../src/routes/openapi/document.ts'
import { skippedWithoutChromium, withPage } from '../fakes/chromium.ts'
import { bearer, KEYS, openApp, testApp, type TestApp } from '../fakes/gateway.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

const ORIGIN = 'https://app.example'
const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
const listOf = (header: string | undefined): string[] => (header ?? '').split(', ')

describe('with an origin', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await openApp({ server: { cors: { origins: ['http://localhost:5173', ORIGIN] } } })
    servePrimary(app.main)
  })
  afterAll(() => app.close())
  const asks = (method: 'get' | 'post' | 'options', path: string, headers: Record<string, string>) =>
    app.raw[method](path).set(headers)

  test('a preflight says what may be sent, without a key', async () => {
    const upstream = app.upstream()
    const { headers } = await asks('options', '/unified/v1/videos', { origin: ORIGIN, ...PREFLIGHT }).expect(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-max-age': '7200',
      vary: 'Origin',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    const allowed = listOf(headers['access-control-allow-headers'])
    const documented = SURFACE_DOCS.flatMap(({ operations }) => operations.flatMap((one) => one.requestHeaders ?? []))
    expect(allowed).toEqual(expect.arrayContaining(['Authorization', 'Content-Type', 'traceparent', ...documented]))
    expect(app.upstream()).toBe(upstream)
  })

  test.each(['/unified/v1/videos', '/api/v1/usage', '/v1/voices', '/unified/v1/nothing', '/v1'])(
    'a refusal can be read, too: %s',
    async (path) => {
      const { headers, status } = await asks('get', path, { origin: ORIGIN })
      expect([401, 404]).toContain(status)
      expect(headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: 'Origin' })
      const documented = SURFACE_DOCS.flatMap(({ headers: table }) => Object.keys(table.headers))
      expect(listOf(headers['access-control-expose-headers'])).toEqual(expect.arrayContaining(documented))
    },
  )

  test.each<[string, string]>([
    ['/unified/v1/admin/videos/vid_1', ORIGIN],
    ['/hooks/main/token', ORIGIN],
    ['/readyz', ORIGIN],
    ['/v1x', ORIGIN],
    ['/unified/v1/videos', 'https://other.example'],
    ['/unified/v1/videos', `${ORIGIN}.evil.example`],
    ['/unified/v1/videos', 'null'],
  ])('not: %s for %s', async (path, origin) => {
    for (const method of ['get', 'options'] as const) {
      const { headers, status } = await asks(method, path, { origin, ...(method === 'options' && PREFLIGHT) })
      expect(status).not.toBe(204)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('a cache keeps answers apart also where no origin was said; what is handed through varies by both', async () => {
    expect((await app.get('/videos')).headers).toMatchObject({ vary: 'Origin' })
    app.main.next({ headers: { vary: 'Accept-Language' }, body: { audio_url: 'https://files.example/a.wav' } })
    const { headers } = await asks('post', '/api/v1/tts/service', { origin: ORIGIN, ...bearer(KEYS.anna) })
      .send({ voice_id: 'v1', text: 'Hello' })
      .expect(200)
    expect(headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: 'Origin, Accept-Language' })
  })

  test('OPTIONS that asks nothing of CORS is refused as ever', async () => {
    await asks('options', '/unified/v1/videos', { origin: ORIGIN, ...bearer(KEYS.anna) }).expect(405)
  })
})

test('without a list there is nothing of it; with * every page may ask, and no cache needs to tell them apart', async () => {
  const [closed, open] = await Promise.all([testApp(), testApp({ server: { cors: { origins: ['*'] } } })])
  const asked = closed.raw.get('/unified/v1/videos').set({ ...bearer(KEYS.anna), origin: ORIGIN })
  expect(Object.keys((await asked).headers).filter((name) => /^access-control|^vary$/.test(name))).toEqual([])
  const { headers } = await open.raw.get('/unified/v1/videos').set({ ...bearer(KEYS.anna), origin: 'null' })
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*' })
  expect(headers).not.toHaveProperty('vary')
})

/** A site of nothing but an empty page. */
const site = async (): Promise<string> => {
  const server = createServer((_req, res) => void res.setHeader('content-type', 'text/html').end('<!doctype html>'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** In the page: what a request came to, as its script sees it. */
const IN_PAGE = `async (url, headers) => {
  const answer = await fetch(url, { headers }).catch(() => null)
  if (answer === null) return 'not to be read'
  const stream = answer.headers.get('content-type') === 'text/event-stream'
  const body = stream ? await answer.body.getReader().read().then(({ done }) => !done) : await answer.json()
  return { status: answer.status, etag: answer.headers.has('etag'), request: answer.headers.has('x-request-id'), body }
}`

describe.skipIf(skippedWithoutChromium())('in a browser', () => {
  test('a page of an allowed origin reads a video, its events and why it was refused; another page nothing', async () => {
    const [ours, theirs] = [await site(), await site()]
    const app = await testApp({ server: { cors: { origins: [ours] } } })
    servePrimary(app.main)
    const { id } = (await app.post(MAIN_BODY).expect(202)).body as { id: string }
    const video = `${app.url}/unified/v1/videos/${id}`
    await withPage(async (page) => {
      const read = (url: string, headers: object) =>
        page.evaluate<unknown>(`(${IN_PAGE})(${JSON.stringify(url)}, ${JSON.stringify(headers)})`)
      await page.goto(ours)
      expect(await read(video, bearer(KEYS.anna))).toMatchObject({
        status: 200,
        etag: true,
        request: true,
        body: { id },
      })
      expect(await read(`${video}/events`, { ...bearer(KEYS.anna), accept: 'text/event-stream' })).toMatchObject({
        status: 200,
        body: true,
      })
      expect(await read(video, bearer('wrong'))).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
      await page.goto(theirs)
      expect(await read(video, bearer(KEYS.anna))).toBe('not to be read')
    })
  })
})
