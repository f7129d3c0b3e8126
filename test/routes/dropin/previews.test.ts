import { describe, expect, test } from 'vitest'
import { createRouter } from '../../../src/routes/middleware/problems.ts'
import { counted, limitRate } from '../../../src/routes/middleware/request.ts'
import { previewRoutes } from '../../../src/routes/dropin/routes.ts'
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
          backends: all,
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

  test.each([
    [10, 1],
    [9, 1],
    [30, 3],
  ])('takes one of ten requests for all without a key together (%i a minute: %i)', async (limit, share) => {
    const names = Array.from({ length: share + 2 }, (_, n) => `/previews/v${n}.wav`)
    const { anybody, get, asked } = await previewStage(names, { backend: { requests_per_minute: limit } })
    const statuses = async () => {
      const found: number[] = []
      for (const name of names) found.push((await anybody(name)).status)
      return found
    }
    const expected = names.map((_, n) => (n < share ? 200 : 429))
    expect(await statuses()).toEqual(expected)
    // What was fetched once takes no more.
    expect(await statuses()).toEqual(expected)
    expect(asked()).toHaveLength(share)
    // Clients have shares of their own.
    expect((await get(must(names.at(-1)))).status).toBe(200)
  })

  test('is fetched once, and then comes from memory: whole, in parts, by its head, and if it changed', async () => {
    const { anybody, asked } = await previewStage()
    const url = '/previews/v0.wav?v=2'
    const first = await anybody(url, { headers: { range: 'bytes=0-21' } })
    expect([first.status, await first.text()]).toEqual([206, SAMPLE.toString()])
    const shown = async (headers: Record<string, string> = {}, method = 'GET') => {
      const response = await anybody(url, { method, headers })
      return [response.status, await response.text(), response.headers.get('content-range')]
    }
    const whole = await anybody(url)
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(SAMPLE)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': '22',
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=60',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: '"s1"',
    })
    expect(await shown({ range: 'bytes=4-7' })).toEqual([206, '....', 'bytes 4-7/22'])
    expect(await shown({ range: 'bytes=-6' })).toEqual([206, 'sample', 'bytes 16-21/22'])
    expect(await shown({ range: 'bytes=4-7', 'if-range': '"s1"' })).toEqual([206, '....', 'bytes 4-7/22'])
    expect(await shown({ range: 'bytes=4-7', 'if-range': '"s0"' })).toEqual([200, SAMPLE.toString(), null])
    expect(await shown({ range: 'bytes=0-1,4-7' })).toEqual([200, SAMPLE.toString(), null])
    expect(await shown({ range: 'bytes=22-' })).toEqual([416, '', 'bytes */22'])
    expect(await shown({ 'if-none-match': '"s1"' })).toEqual([304, '', null])
    expect(await shown({}, 'HEAD')).toEqual([200, '', null])
    expect(asked()).toHaveLength(1)
  })

  test('that came for the backend’s key is for callers with a key alone', async () => {
    const { get, anybody, asked } = await previewStage(undefined, { needsKey: true })
    const url = '/previews/v0.wav?v=2'
    for (let n = 0; n < 3; n += 1) expect(Buffer.from(await (await get(url)).arrayBuffer())).toEqual(SAMPLE)
    expect(asked()).toHaveLength(1)
    expect((await anybody(url)).status).toBe(401)
  })

  test.each<[string, (res: Parameters<Play>[1]) => void]>([
    ['breaks off', (res) => void res.writeHead(200, { 'content-length': '100' }).write('RIFF', () => res.destroy())],
    ['is a part', (res) => void res.writeHead(206, { 'content-range': 'bytes 0-3/22' }).end('RIFF')],
    ['is compressed', (res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('RIFF')],
    ['is larger than 2 MiB', (res) => void res.writeHead(200).end(Buffer.alloc(2_097_153))],
    ['is missing', (res) => void res.writeHead(404).end('RIFF')],
    ['has the backend’s key', (res) => void res.writeHead(200).end(`RIFF ${BACKEND_KEY}`)],
  ])('is not kept if it %s', async (_, answer) => {
    const { anybody, behind, asked } = await previewStage(['/previews/v0.wav'], {
      backend: { requests_per_minute: 100 },
    })
    const well = behind.play
    const read = async () => (await anybody('/previews/v0.wav')).bytes().catch(() => new Uint8Array())
    behind.play = (req, res, body) => (req.url?.endsWith('.wav') ? answer(res) : well(req, res, body))
    await read()
    behind.play = well
    expect(Buffer.from(await read())).toEqual(SAMPLE)
    expect(asked()).toHaveLength(2)
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
