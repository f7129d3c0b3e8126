import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ProblemView } from '../../src/core/api/videos.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** What an outsider tries at the edge: headers, paths, caches, and links that lead elsewhere. */

/** Byte by byte: clients of the library kind send no second `Host`. */
const send = async (app: TestApp, head: string): Promise<{ status: number; head: string; body: string }> => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.write(`${head}\r\n\r\n`)
  await once(socket, 'close')
  const end = text.indexOf('\r\n\r\n')
  return { status: Number(text.split(' ', 2)[1]), head: text.slice(0, end), body: text.slice(end + 4) }
}

describe('headers that two readers may read differently', () => {
  const auth = (key: string): string => `Authorization: Bearer ${key}`
  test.each([
    ['two hosts', 'Host: a\r\nHost: b', 'send only one header Host'],
    ['one host twice', 'Host: a\r\nHost: a', 'send only one header Host'],
    ['two keys', `Host: a\r\n${auth(KEYS.anna)}\r\n${auth(KEYS.bert)}`, 'send only one header Authorization'],
    ['a good key and a bad one', `Host: a\r\n${auth(KEYS.anna)}\r\n${auth('x')}`, 'send only one header Authorization'],
  ])('%s: 400, and the connection ends', async (_name, headers, detail) => {
    const app = await testApp()
    for (const path of ['/healthz', '/unified/v1/videos', '/openapi.json', '/hooks/alt/x']) {
      const answer = await send(app, `GET ${path} HTTP/1.1\r\n${headers}`)
      expect([answer.status, ProblemView.parse(JSON.parse(answer.body))]).toMatchObject([
        400,
        { code: 'invalid_request', detail },
      ])
      expect(answer.head.toLowerCase()).toContain('connection: close')
    }
  })

  test('one key twice is one key', async () => {
    const app = await testApp()
    const line = auth(KEYS.anna)
    const head = `GET /unified/v1/videos HTTP/1.1\r\nHost: a\r\n${line}\r\n${line}\r\nConnection: close`
    expect((await send(app, head)).status).toBe(200)
  })

  test('behind an answer that is not ready yet, the refusal waits for its turn', async () => {
    const app = await testApp()
    servePrimary(app.main)
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    const first = `GET /unified/v1/videos/${id} HTTP/1.1\r\nHost: a\r\n${auth(KEYS.anna)}\r\nPrefer: wait=1\r\n\r\n`
    const { status, body } = await send(app, `${first}GET /healthz HTTP/1.1`)
    expect(status).toBe(200)
    expect(body).toMatch(/HTTP\/1\.1 400 Bad Request/)
  })
})

test('a path is logged as far as it says something', async () => {
  const app = await testApp()
  await app.raw.get(`/${'a'.repeat(15_000)}`).expect(404)
  const line = app.logs.find((one) => one.includes('aaaa')) ?? ''
  expect(JSON.parse(line)).toMatchObject({ path: `/${'a'.repeat(255)}…`, status: 404 })
  expect(app.logs.join('').length).toBeLessThan(2_000)
})

describe('what caches and browsers are told', () => {
  test('nothing of a client is kept: lists with links, what was made, and refusals', async () => {
    const app = await testApp()
    servePrimary(app.main).state.onCreate = 'completed'
    serveAlternate(app.alt)
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    const answers = [
      await app.post(MAIN_BODY),
      await app.get('/videos'),
      await app.get('/voices'),
      await app.get('/puppets'),
      await app.get('/events'),
      await app.get('/usage'),
      await app.get('/backends'),
      await app.get(`/videos/${id}/download`),
      await app.get(`/videos/${id}/content`),
      await app.get('/videos/vid_0'),
      await app.raw.get('/unified/v1/videos'),
    ]
    expect(answers.map(({ headers }) => headers['cache-control'] as unknown)).toEqual(answers.map(() => 'no-store'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 302, 404, 401])
  })

  test('every answer is what its type says', async () => {
    const app = await testApp()
    servePrimary(app.main).state.onCreate = 'completed'
    const { id } = expectVideo(await app.post(MAIN_BODY), 200)
    const answers = [
      await app.raw.get('/healthz'),
      await app.raw.get('/nothing'),
      await app.raw.get('/openapi.json'),
      await app.raw.get('/docs'),
      await app.raw.get('/docs/assets/page.js'),
      await app.raw.post('/hooks/alt/x'),
      await app.get('/videos'),
      await app.get(`/videos/${id}`),
      await app.get(`/videos/${id}/content`),
      await app.raw.get('/unified/v1/videos'),
    ]
    expect(answers.map(({ headers }) => headers['x-content-type-options'] as unknown)).toEqual(
      answers.map(() => 'nosniff'),
    )
    expect((await send(app, 'what is this')).head).toContain('X-Content-Type-Options: nosniff')
  })

  test('files come with their length and a tag, and not again while they are the same', async () => {
    const app = await testApp()
    const tags: string[] = []
    for (const path of ['/openapi.json', '/docs', '/docs/assets/page.css', '/docs/assets/page.js']) {
      for (const [wanted, encoding] of [
        ['identity', undefined],
        ['gzip', 'gzip'],
        ['gzip, deflate, br', 'br'],
        ['br;q=0.2, gzip;q=0.8', 'gzip'],
        ['br;q=0, *', 'gzip'],
        ['identity, gzip;q=0.5', undefined],
        ['identity;q=0, br;q=0', undefined],
        ['', undefined],
      ] as const) {
        const as = { 'accept-encoding': wanted }
        const { headers } = await app.raw.head(path).set(as).expect(200)
        const tag = String(headers['etag'])
        expect([path, wanted, headers['content-encoding']]).toEqual([path, wanted, encoding])
        expect(headers['vary']).toMatch(/accept-encoding/i)
        const whole = await app.raw.get(path).set(as).responseType('blob').expect(200)
        expect([whole.headers['etag'], whole.headers['content-length']]).toEqual([tag, headers['content-length']])
        await app.raw
          .get(path)
          .set({ ...as, 'if-none-match': tag })
          .expect(304)
        tags.push(tag)
      }
    }
    // Each form has its own.
    expect(new Set(tags).size).toBe(4 * 3)
  })

  test('the largest comes packed, which is what browsers want', async () => {
    const app = await testApp()
    const sizeOf = async (path: string, encoding: string): Promise<number> =>
      Number((await app.raw.head(path).set('accept-encoding', encoding)).headers['content-length'])
    const path = '/openapi.json'
    expect((await sizeOf(path, 'br')) * 3).toBeLessThan(await sizeOf(path, 'identity'))
  })
})

describe('a callback', () => {
  test('is worth nothing under the path of another backend', async () => {
    const app = await testApp({ server: { public_url: 'https://gateway.example' } })
    serveAlternate(app.alt)
    expectVideo(await app.post(ALT_BODY), 202)
    const { webhook_url: url } = JSON.parse(app.alt.requests[0]?.body ?? '{}') as { webhook_url: string }
    const path = new URL(url).pathname
    expect(path).toMatch(/^\/hooks\/alt\//)
    for (const elsewhere of [path.replace('/alt/', '/main/'), path.replace('/alt/', '/Alt/'), `${path}/`]) {
      expectProblem(await app.raw.post(elsewhere).send({}), 'not_found')
    }
    await app.raw.post(path).send({}).expect(204)
  })
})

describe('where a link of a video may lead', () => {
  const led = async (link: (app: TestApp) => string) => {
    const app = await testApp()
    app.main.next({
      status: 202,
      body: { id: 'api_video_1', operation_id: 'api_video_1', status: 'completed', video_url: link(app) },
    })
    const { content_url } = expectVideo(await app.post(MAIN_BODY), 200)
    return app.raw.get(new URL(content_url).pathname + new URL(content_url).search)
  }

  test.each([
    ['to any https', () => 'https://cdn.example/a.mp4?sig=1'],
    ["to the backend's own origin, as it is configured", ({ main }: TestApp) => `${main.url}/files/a.mp4`],
  ])('%s', async (_name, link) => {
    expect((await led(link)).status).toBe(302)
  })

  test.each([
    ['by http to anybody else', () => 'http://cdn.example/a.mp4'],
    ["by http to another port of the backend's host", () => 'http://127.0.0.1:9/a.mp4'],
    ['with a password', () => 'https://user:pass@cdn.example/a.mp4'],
    ['with a name', () => 'https://user@cdn.example/a.mp4'],
    ['with a name, to the backend', ({ main }: TestApp) => main.url.replace('//', '//user@')],
  ])('not %s', async (_name, link) => {
    const answer = await led(link)
    expectProblem(answer, 'backend_error', { backend: 'main', retryable: false })
    expect(answer.headers).not.toHaveProperty('location')
    expect(answer.text).not.toContain('pass')
  })
})

describe('a body with more faults than anybody mends', () => {
  const named = (count: number, value: unknown = 1): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))

  test('fifty are listed, and how many more there are is said', async () => {
    const app = await testApp()
    const problem = expectProblem(await app.post({ ...MAIN_BODY, ...named(3_000) }), 'invalid_request', { param: 'k0' })
    expect(problem.errors).toHaveLength(50)
    expect(problem.detail).toBe('k0: unknown field (and 2999 more, of which 49 are listed)')
  })

  test('metadata of 6,500 entries is not looked at one by one; the rest of the body is', async () => {
    const app = await testApp()
    const answer = await app.post({ ...MAIN_BODY, text: '', metadata: named(6_500) })
    const { errors } = expectProblem(answer, 'invalid_request')
    expect(errors).toEqual([
      { path: 'metadata', message: 'must have at most 100 entries, not 6500' },
      { path: 'text', message: 'must not be blank' },
    ])
  })

  test('a name of 60,000 characters is told in 200', async () => {
    const app = await testApp()
    const answer = await app.post({ ...MAIN_BODY, ['x'.repeat(60_000)]: 1 })
    expectProblem(answer, 'invalid_request', { param: `${'x'.repeat(200)}…` })
    expect(answer.text.length).toBeLessThan(2_000)
  })
})

describe('a backend that the client does not have is told with all else that is wrong', () => {
  test.each([
    ['createVideo', '/videos', { ...MAIN_BODY, text: '', backend: 'nowhere' }, ['text', 'backend']],
    ['checkVideo', '/videos/check', { ...MAIN_BODY, text: '', backend: 'nowhere' }, ['text', 'backend']],
    [
      'importVideo',
      '/videos/import',
      { backend: 'nowhere', metadata: { a: 1 } },
      ['backend_job_id', 'metadata.a', 'backend'],
    ],
    ['createPuppet', '/puppets', { image_url: 'x', backend: 'nowhere' }, ['image_url', 'backend']],
  ])('%s', async (_name, path, body, faults) => {
    const app = await testApp()
    const answer = await app.raw.post(`/unified/v1${path}`).set(bearer(KEYS.anna)).send(body)
    expect(expectProblem(answer, 'invalid_request').errors.map((fault) => fault.path)).toEqual(faults)
  })
})
