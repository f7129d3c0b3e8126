import { describe, expect, test } from 'vitest'
import { createRouter } from '../../../src/routes/router.ts'
import { limitRate } from '../../../src/routes/middleware/rate.ts'
import { counted } from '../../../src/routes/middleware/request.ts'
import { previewRoutes } from '../../../src/routes/dropin/previews.ts'
import { bearer, KEYS } from '../../fakes/gateway.ts'
import { must } from '../../fakes/must.ts'
import {
  BACKEND_KEY,
  problemOf,
  stage,
  VOICES,
  type Behind,
  type Play,
  type StageOptions,
} from './passthrough-stage.ts'

const SAMPLE = Buffer.from('RIFF....WAVEfmt sample')
const SHORT_OF_SCOPE = 'tb_carl_0123456789abcdef'

/** A backend with these samples, which it shows with a key or without. */
const serving =
  (behind: Behind, previews: readonly string[], needsKey = false): Play =>
  (req, res) => {
    const { pathname } = new URL(must(req.url), behind.url)
    if (pathname.endsWith('/voices/service')) {
      const data = previews.map((preview_url, n) => ({ id: `v${n}`, name: 'V', preview_url }))
      return void res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ object: 'list', data }))
    }
    if (needsKey && req.headers.authorization !== `Bearer ${BACKEND_KEY}`) return void res.writeHead(401).end()
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
    const headers = {
      'content-type': 'audio/wav',
      'accept-ranges': 'bytes',
      etag: '"s1"',
      'cache-control': 'max-age=60',
    }
    if (req.headers['if-none-match'] === '"s1"') return void res.writeHead(304, { etag: '"s1"' }).end()
    const whole = { ...headers, 'content-length': String(SAMPLE.length) }
    if (from === undefined || to === undefined) return void res.writeHead(200, whole).end(SAMPLE)
    const part = SAMPLE.subarray(Number(from), Number(to) + 1)
    res.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${to}/${SAMPLE.length}` }).end(part)
  }

const previewStage = async (
  previews: readonly string[] | ((origin: string) => readonly string[]) = [
    '/previews/v0.wav?v=2',
    '/previews/v%201.wav',
  ],
  options: StageOptions & { needsKey?: boolean } = {},
) => {
  const made = await stage({
    ...options,
    mount(app, { deps, passthrough, targets }) {
      app.get('/ours/docs', (_req, res) => void res.send('ours'))
      const all = deps.clients.authenticate(`Bearer ${KEYS.anna}`).client.visible
      app.use(
        previewRoutes({
          passthrough,
          targets,
          catalog: deps.catalog,
          clients: deps.clients,
          backendsOf: (client) => [must((client?.visible ?? all).get('main'))],
          admit: createRouter().use(counted(deps.resources.requests), limitRate(deps)),
        }),
      )
    },
  })
  const urls = typeof previews === 'function' ? previews(made.behind.url) : previews
  made.behind.play = serving(made.behind, urls, options.needsKey)
  const anybody = (path: string, init: RequestInit = {}) => fetch(made.url + path, { redirect: 'manual', ...init })
  /** What went up beside the voices. */
  const asked = () => made.behind.got.filter(({ url }) => !url.endsWith('/voices/service'))
  const listed = () => made.behind.got.length - asked().length
  return { ...made, anybody, asked, listed }
}

describe('a sample that the backend’s voices name', () => {
  test('is handed through to anybody, without anybody’s credentials', async () => {
    const { anybody, asked, listed } = await previewStage()
    const response = await anybody('/previews/v0.wav?v=2', { headers: { cookie: 'a=1', accept: 'audio/*' } })
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(SAMPLE)
    expect(response.headers.get('content-type')).toBe('audio/wav')
    expect(response.headers.get('cache-control')).toBe('max-age=60')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect((await anybody('/previews/v%201.wav')).status).toBe(200)
    expect(asked().map(({ url, headers }) => [url, headers['authorization'], headers['cookie']])).toEqual([
      ['/previews/v0.wav?v=2', undefined, undefined],
      ['/previews/v%201.wav', undefined, undefined],
    ])
    expect(listed()).toBe(1)
  })

  test('in parts, by its head, and if it changed', async () => {
    const { anybody } = await previewStage()
    const part = await anybody('/previews/v0.wav?v=2', { headers: { range: 'bytes=4-7' } })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '....', 'bytes 4-7/22'])
    const head = await anybody('/previews/v0.wav?v=2', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      200,
      '22',
      'bytes',
    ])
    const same = await anybody('/previews/v0.wav?v=2', { headers: { 'if-none-match': '"s1"' } })
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', '"s1"'])
  })

  test('is asked for with the backend’s key for a caller with a gateway key, which counts in its rate', async () => {
    const { get, anybody, asked } = await previewStage(undefined, {
      needsKey: true,
      clients: [
        { id: 'anna', key: KEYS.anna, limits: { requests_per_minute: 1 } },
        { id: 'carl', key: SHORT_OF_SCOPE, scopes: ['videos:read'] },
      ],
    })
    const shown = await get('/previews/v0.wav?v=2')
    expect([shown.status, shown.headers.get('x-ratelimit-remaining')]).toEqual([200, '0'])
    expect(await problemOf(await get('/previews/v0.wav?v=2'))).toMatchObject({ status: 429, code: 'rate_limited' })
    // Everybody else is told what is missing, and nobody thinks that the backend refused the gateway.
    for (const headers of [{}, bearer('tb_nobody_0123456789abcdef'), bearer(SHORT_OF_SCOPE)]) {
      const refused = await anybody('/previews/v0.wav?v=2', { headers })
      expect(await problemOf(refused)).toMatchObject({ status: 401, code: 'unauthenticated' })
    }
    expect(asked().map(({ headers }) => headers['authorization'])).toEqual([
      [`Bearer ${BACKEND_KEY}`],
      undefined,
      undefined,
      undefined,
    ])
  })

  test('says nothing about the account: its key stays good, its window as it was', async () => {
    const { anybody, get, behind, logs } = await previewStage(undefined, { needsKey: true })
    await anybody('/previews/v0.wav?v=2')
    const well = behind.play
    behind.play = (_req, res) => res.writeHead(429, { 'retry-after': '40', 'x-ratelimit-remaining': '0' }).end()
    expect(await problemOf(await anybody('/previews/v0.wav?v=2'))).toMatchObject({ status: 429, retryAfter: '40' })
    behind.play = well
    expect((await get(VOICES)).status).toBe(200)
    expect(logs.join()).not.toMatch(/refuses its key|rate limit was met/)
  })

  test('is asked for within one reader’s share by all without a key together', async () => {
    const { anybody, asked } = await previewStage(undefined, { backend: { requests_per_minute: 9 } })
    const statuses: number[] = []
    for (let n = 0; n < 4; n += 1) statuses.push((await anybody('/previews/v0.wav?v=2')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(asked()).toHaveLength(3)
  })

  test('below the base URL’s path is found without it', async () => {
    const below = (origin: string) => [`${origin}/team/previews/a.wav`, `${origin}/previews/b.wav`]
    const { anybody, asked } = await previewStage(below, { prefix: '/team' })
    expect((await anybody('/previews/a.wav')).status).toBe(200)
    expect((await anybody('/previews/b.wav')).status).toBe(404)
    expect((await anybody('/team/previews/a.wav')).status).toBe(404)
    expect(asked().map(({ url }) => url)).toEqual(['/team/previews/a.wav'])
  })
})

describe('what is no sample', () => {
  test.each([
    '/previews/v0.wav',
    '/previews/v0.wav?v=3',
    '/previews/v0.wav?v=2&',
    '/x/../previews/v0.wav?v=2',
    '/previews//v0.wav?v=2',
    '/%70reviews/v0.wav?v=2',
    '/elsewhere.wav',
    VOICES + '/',
    '/',
  ])('is not there: %s', async (path) => {
    const { bytes, asked, listed } = await previewStage()
    expect(await bytes(`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close', '\r\n')).toMatch(/^HTTP\/1.1 404 /)
    expect(asked()).toEqual([])
    expect(listed()).toBe(1)
  })

  test('nor is one of another origin, or what the gateway has there itself', async () => {
    const { anybody, asked } = await previewStage([
      'https://cdn.example/previews/a.wav',
      '/ours/docs',
      '/unified/v1/videos',
      '/hooks/main/x',
    ])
    expect((await anybody('/previews/a.wav')).status).toBe(404)
    expect(await (await anybody('/ours/docs')).text()).toBe('ours')
    expect((await anybody('/unified/v1/videos')).status).toBe(404)
    expect((await anybody('/hooks/main/x')).status).toBe(404)
    expect((await anybody('/previews/a.wav', { method: 'POST' })).status).toBe(404)
    expect(asked()).toEqual([])
  })

  test('while the voices cannot be read, and one request is enough to find out', async () => {
    const { anybody, behind } = await previewStage()
    behind.play = (_req, res) => res.writeHead(503).end()
    for (let n = 0; n < 5; n += 1) expect((await anybody('/previews/v0.wav?v=2')).status).toBe(404)
    expect(behind.got).toHaveLength(1)
  })
})
