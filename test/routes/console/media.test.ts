import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BACKEND_KEYS, KEYS, testApp, type GatewayOptions, type TestApp } from '../../fakes/gateway.ts'
import { must } from '../../fakes/must.ts'
import { expectProblem, expectVideo } from '../expect.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from '../services.ts'
import { issuing } from '../access-stage.ts'
import { signIn, type Browser } from './stage.ts'

/** Films, samples and pictures on their way through the gateway. */

const FILM = Buffer.from(Array.from({ length: 10_000 }, (_, n) => n % 251))

interface Host {
  url: string
  asked: IncomingMessage[]
}

/** Where a backend might keep its films; another host than its own. */
const host = async (answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<Host> => {
  const asked: IncomingMessage[] = []
  const server = createServer((req, res) => {
    asked.push(req)
    answer(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** A film as storage serves it, with parts. */
const film =
  (headers: Record<string, string> = {}) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    const all = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes', etag: '"film"', ...headers }
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '') ?? []
    if (from === undefined) return void res.writeHead(200, { ...all, 'content-length': FILM.length }).end(FILM)
    if (Number(from) >= FILM.length) return void res.writeHead(416, { 'content-range': `bytes */${FILM.length}` }).end()
    const part = FILM.subarray(Number(from), to === '' ? FILM.length : Number(to) + 1)
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${FILM.length}`
    res.writeHead(206, { ...all, 'content-range': range, 'content-length': part.length }).end(part)
  }

const LOOPBACK = { webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] } }

interface Stage {
  app: TestApp
  browser: Browser
  id: string
}

/** A video of anna's that is completed, and whose film is at `url`, or at `path` of its backend itself. */
const filmed = async (url: string, options: GatewayOptions = {}): Promise<Stage> => {
  const app = await testApp(options)
  servePrimary(app.main)
  app.main.next({
    status: 202,
    body: {
      id: 'api_video_1',
      operation_id: 'api_video_1',
      status_url: '/api/v1/videos/api_video_1',
      status: 'completed',
      video_url: url.startsWith('/') ? `${app.main.url}${url}` : url,
    },
  })
  const { id } = expectVideo(await app.post(MAIN_BODY), 200)
  return { app, browser: await signIn(app), id }
}

const bytes = (request: ReturnType<Browser['call']>) =>
  request.buffer(true).parse((res, done) => {
    const chunks: Buffer[] = []
    res.on('data', (chunk: Buffer) => chunks.push(chunk))
    res.on('end', () => done(null, Buffer.concat(chunks)))
  })

describe('a film', () => {
  test('comes through the gateway, whole or the part that a player asks for, without a credential', async () => {
    const { url, asked } = await host(film())
    const { browser, id } = await filmed(`${url}/film.mp4?sig=abc`, LOOPBACK)
    const whole = await bytes(browser.call('get', `/media/videos/${id}`)).expect(200)
    expect(FILM.equals(whole.body as Buffer)).toBe(true)
    expect(whole.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10000',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    })
    const part = await bytes(browser.call('get', `/media/videos/${id}`).set('range', 'bytes=9000-')).expect(206)
    expect(FILM.subarray(9_000).equals(part.body as Buffer)).toBe(true)
    expect(part.headers).toMatchObject({ 'content-range': 'bytes 9000-9999/10000', 'content-length': '1000' })
    const beyond = await browser.call('get', `/media/videos/${id}`).set('range', 'bytes=20000-').expect(416)
    expect(beyond.headers).toMatchObject({ 'content-range': 'bytes */10000' })
    const head = await browser.call('head', `/media/videos/${id}`).expect(200)
    expect(head.headers).toMatchObject({ 'content-length': '10000' })
    // Several parts would need another form of answer.
    await bytes(browser.call('get', `/media/videos/${id}`).set('range', 'bytes=0-1,5-6')).expect(200)
    for (const { url: path, headers } of asked) {
      expect(path).toBe('/film.mp4?sig=abc')
      expect(JSON.stringify(headers)).not.toMatch(/authorization|cookie|talkbridge_session|upstream_/)
    }
  })

  test('may be at the backend’s own address, which needs no exception; its key stays here', async () => {
    const { app, browser, id } = await filmed('/films/1.mp4')
    app.main.next({ headers: { 'content-type': 'video/mp4' }, body: FILM })
    const { body } = await bytes(browser.call('get', `/media/videos/${id}`)).expect(200)
    expect(FILM.equals(body as Buffer)).toBe(true)
    const asked = must(app.main.requests.at(-1))
    expect(asked.path).toBe('/films/1.mp4')
    expect(JSON.stringify(asked.headers)).not.toContain(BACKEND_KEYS.main)
  })

  test('is not fetched from an address that is not allowed, nor by a redirect to one', async () => {
    const { url, asked } = await host(film())
    const direct = await filmed(`${url}/film.mp4`)
    const refused = await direct.browser.call('get', `/media/videos/${direct.id}`)
    expectProblem(refused, 'backend_error', { detail: 'the link of the backend is not allowed' })
    const { app, browser, id } = await filmed('/films/1.mp4')
    app.main.next({ status: 302, headers: { location: `${url}/film.mp4` } })
    expectProblem(await browser.call('get', `/media/videos/${id}`), 'backend_error')
    expect(asked).toEqual([])
    // Within its own address it may lead on, so many times.
    app.main.next({ status: 302, headers: { location: '/films/2.mp4' } })
    app.main.next({ headers: { 'content-type': 'video/mp4' }, body: FILM })
    await browser.call('get', `/media/videos/${id}`).expect(200)
    app.main.next(...Array.from({ length: 4 }, () => ({ status: 302, headers: { location: '/films/1.mp4' } })))
    expectProblem(await browser.call('get', `/media/videos/${id}`), 'backend_error')
  })

  test.each([
    ['text/html', '<script>alert(1)</script>'],
    ['text/html; charset=utf-8', 'x'],
    ['image/svg+xml', '<svg onload="alert(1)"/>'],
    ['application/javascript', 'alert(1)'],
    ['audio/mpeg', 'x'],
    ['video/mp4+xml', 'x'],
  ])('is none if its server calls it %s', async (type, body) => {
    const { app, browser, id } = await filmed('/films/1.mp4')
    app.main.next({ headers: { 'content-type': type }, body })
    const refused = await browser.call('get', `/media/videos/${id}`)
    expect(expectProblem(refused, 'backend_error', { retryable: false }).detail).toContain('does not lead to a video')
  })

  test('of a server that says nothing of its type is told as one', async () => {
    const { app, browser, id } = await filmed('/films/1.mp4')
    app.main.next({ headers: { 'content-type': 'application/octet-stream' }, body: '<script>alert(1)</script>' })
    await browser.call('get', `/media/videos/${id}`).expect(200).expect('content-type', 'video/mp4')
  })

  test.each([
    [404, false],
    [503, true],
  ])('whose server answers %i is a problem of the backend', async (status, retryable) => {
    const { app, browser, id } = await filmed('/films/1.mp4')
    app.main.next({ status, headers: { 'content-type': 'text/html' }, body: '<h1>secret</h1>' })
    const problem = expectProblem(await browser.call('get', `/media/videos/${id}`), 'backend_error', { retryable })
    expect(problem.detail).toContain(String(status))
  })

  test('that breaks off breaks off, and an endless one ends with its reader', async () => {
    const { app, browser, id } = await filmed('/films/1.mp4')
    app.main.next({ fault: 'cut', headers: { 'content-type': 'video/mp4' }, body: 'begun' })
    await expect(bytes(browser.call('get', `/media/videos/${id}`))).rejects.toThrow(/aborted|hang up/)
    app.main.next({ fault: 'reset' })
    expectProblem(await browser.call('get', `/media/videos/${id}`), 'backend_error', { retryable: true })
  })
})

describe('a picture', () => {
  const PNG = Buffer.from('\x89PNG\r\n\x1a\n' + 'x'.repeat(100), 'latin1')
  const SECRET = 'INTERNAL: db password is hunter'
  const PICTURE = '/media/puppets/main:pup_1'

  /** A backend below `/base` whose one puppet has its picture at `imageUrl`. Everything else there is internal. */
  const pictured = async (imageUrl: (origin: string) => string, made = false) => {
    const served = { type: 'image/png', body: PNG as Buffer | string, status: 200 }
    const backend = await host((req, res) => {
      const puppet = { id: 'pup_1', imageUrl: imageUrl(backend.url) }
      const isList = req.method === 'POST' || req.url?.startsWith('/base/api/v1/puppets')
      if (!isList) {
        const head = served.type === '' ? {} : { 'content-type': served.type }
        return void res.writeHead(served.status, head).end(served.body)
      }
      res.writeHead(req.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
      res.end(JSON.stringify(req.method === 'POST' ? puppet : { data: [puppet] }))
    })
    const app = await testApp({ backends: { main: { base_url: `${backend.url}/base` } } })
    if (made) {
      const auth = { authorization: `Bearer ${KEYS.anna}` }
      await app.raw
        .post('/api/v1/puppets')
        .set(auth)
        .send({ imageUrl: imageUrl(backend.url) })
        .expect(201)
    }
    const browser = await signIn(app)
    if (!made) await browser.api('get', '/puppets?backend=main').expect(200)
    const fetched = () => backend.asked.filter(({ url = '' }) => !url.startsWith('/base/api/'))
    return { browser, served, fetched }
  }
  const own = (origin: string): string => `${origin}/base/pictures/1.png`

  test.each(['/internal/status', '/base/pictures/1.png'])(
    'that a client named is not fetched from the backend’s own origin (%s)',
    async (path) => {
      const { browser, served, fetched } = await pictured((origin) => origin + path, true)
      Object.assign(served, { type: '', body: SECRET })
      const refused = await browser.call('get', PICTURE)
      expectProblem(refused, 'backend_error', { detail: 'the link of the backend is not allowed' })
      expect(refused.text).not.toContain(SECRET)
      expect(fetched()).toEqual([])
    },
  )

  test('of the backend’s own comes through, always whole', async () => {
    const { browser, fetched } = await pictured(own)
    const { body } = await bytes(browser.call('get', PICTURE).set('range', 'bytes=8-')).expect(200)
    expect(PNG.equals(body as Buffer)).toBe(true)
    expect(fetched().map(({ headers }) => headers.range)).toEqual([undefined])
  })

  test('outside the backend’s base URL is vetted as any other address', async () => {
    const { browser, fetched } = await pictured((origin) => `${origin}/baseless/1.png`)
    expectProblem(await browser.call('get', PICTURE), 'backend_error', {
      detail: 'the link of the backend is not allowed',
    })
    expect(fetched()).toEqual([])
  })

  test.each([
    ['without a type', '', SECRET],
    ['of a type that says nothing', 'application/octet-stream', SECRET],
    ['of a type that says nothing, with the bytes of one', 'application/octet-stream', PNG],
    ['that is called one', 'image/png', SECRET],
    ['that is called one and has no byte', 'image/png', ''],
  ])('of the backend’s own is none %s', async (_, type, body) => {
    const { browser, served, fetched } = await pictured(own)
    Object.assign(served, { type, body })
    const refused = await browser.call('get', PICTURE)
    expect(expectProblem(refused, 'backend_error', { retryable: false }).detail).toContain('does not lead to an image')
    expect(refused.text).not.toContain(SECRET)
    expect(fetched()).toHaveLength(1)
  })

  test('of the backend’s own is none that comes in parts', async () => {
    const { browser, served } = await pictured(own)
    served.status = 206
    expectProblem(await browser.call('get', PICTURE), 'backend_error')
  })
})

/** Asks, and hangs up once `begun` says so. */
const hangUp = async (url: string, headers: Record<string, string>, begun: Promise<void>): Promise<void> => {
  const socket = new AbortController()
  const asked = fetch(url, { headers, signal: socket.signal }).catch(() => undefined)
  await begun
  socket.abort()
  await asked
}

describe('whoever hangs up', () => {
  const holding = (app: TestApp) => {
    const { sessions } = app.deps.access
    const { hold } = sessions
    let held = 0
    sessions.hold = (id, stop) => {
      held += 1
      const leave = hold(id, stop)
      return () => {
        held -= 1
        leave()
      }
    }
    return () => held
  }
  /** Until the request is logged, which it is once it is over. */
  const isOver = async (app: TestApp): Promise<void> => {
    while (!app.logs.some((line) => line.includes('/console/media/'))) await new Promise((done) => setImmediate(done))
  }

  test('while the link is asked for, loads nothing and holds nothing', async () => {
    const { url, asked } = await host(film())
    const { app, browser, id } = await filmed(`${url}/film.mp4`, LOOPBACK)
    const held = holding(app)
    const [begun, goOn, over] = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const { download } = app.deps.videos
    app.deps.videos.download = async (video) => {
      must(begun).resolve()
      await must(goOn).promise
      setImmediate(() => setImmediate(must(over).resolve))
      return download(video)
    }
    await hangUp(`${app.url}/console/media/videos/${id}`, { cookie: browser.cookie }, must(begun).promise)
    await isOver(app)
    must(goOn).resolve()
    await must(over).promise
    expect(asked.length).toBe(0)
    expect(held()).toBe(0)
  })

  test('before the first byte is no failure of the gateway', async () => {
    const begun = Promise.withResolvers<void>()
    const { url } = await host(() => begun.resolve())
    const { app, browser, id } = await filmed(`${url}/film.mp4`, LOOPBACK)
    await hangUp(`${app.url}/console/media/videos/${id}`, { cookie: browser.cookie }, begun.promise)
    await isOver(app)
    // What came of it is known by the time that another request was answered.
    await browser.call('get', '/session').expect(200)
    expect(app.logs.filter((line) => /request failed|broke off|internal_error/.test(line))).toEqual([])
  })
})

describe('who gets what', () => {
  test('a film is its owner’s and an operator’s, and the same 404 as an unknown one for everybody else', async () => {
    const { app, id } = await filmed('/films/1.mp4')
    const { issue } = issuing(app)
    const asBert = async (scope: 'videos:read' | 'voices:read' | 'admin') => {
      const issued = await issue({ client: 'bert', scopes: [scope] })
      return signIn(app, issued.key)
    }
    const of = (browser: Browser, video = id) => browser.call('get', `/media/videos/${video}`)
    expectProblem(await of(await asBert('videos:read')), 'video_not_found')
    expectProblem(await of(await asBert('voices:read')), 'insufficient_scope')
    expectProblem(await of(await asBert('admin'), 'vid_none'), 'video_not_found')
    app.main.next({ headers: { 'content-type': 'video/mp4' }, body: FILM })
    await of(await asBert('admin')).expect(200)
    expectProblem(await app.raw.get(`/console/media/videos/${id}`), 'unauthenticated')
    expectProblem(
      await app.raw.get(`/console/media/videos/${id}`).set('authorization', `Bearer ${KEYS.anna}`),
      'unauthenticated',
    )
    const browser = await signIn(app)
    expectProblem(await browser.call('post', `/media/videos/${id}`), 'method_not_allowed')
    expectProblem(await browser.call('get', '/media/videos'), 'not_found')
  })

  test('a voice’s sample and a puppet’s picture are of backends that the client sees', async () => {
    const clients = [
      { id: 'anna', key: KEYS.anna },
      { id: 'bert', key: KEYS.bert, backends: ['alt'] },
    ]
    const app = await testApp({ clients, lookup: () => Promise.reject(new Error('there is no such name')) })
    servePrimary(app.main)
    serveAlternate(app.alt)
    const [anna, bert] = [await signIn(app), await signIn(app, KEYS.bert)]
    await anna.api('get', '/voices?backend=main').expect(200)
    await anna.api('get', '/puppets?backend=main').expect(200)
    app.main.next({ headers: { 'content-type': 'audio/mpeg' }, body: 'ID3' })
    await anna.call('get', '/media/voices/main:v1').expect(200).expect('content-type', 'audio/mpeg')
    expect(must(app.main.requests.at(-1)).path).toBe('/api/v1/voices/service/v1/preview')
    for (const voice of ['main:none', 'none:v1', 'v1', 'main:'])
      expectProblem(await anna.call('get', `/media/voices/${voice}`), 'voice_not_found')
    expectProblem(await bert.call('get', '/media/voices/main:v1'), 'voice_not_found')
    expectProblem(await bert.call('get', '/media/puppets/main:pup_m'), 'puppet_not_found')
    const picture = expectProblem(await anna.call('get', '/media/puppets/main:pup_m'), 'backend_error')
    expect(picture.detail).toContain('cannot reach the file')
  })

  test('a client loads 16 at once, and others are not in its way', async () => {
    const waiting: (() => void)[] = []
    const { url } = await host((req, res) => void waiting.push(() => film()(req, res)))
    const { app, browser, id } = await filmed(`${url}/film.mp4`, LOOPBACK)
    const loading = Array.from({ length: 16 }, () =>
      bytes(browser.call('get', `/media/videos/${id}`)).then((one) => one.status),
    )
    while (waiting.length < 16) await new Promise((resolve) => setImmediate(resolve))
    expectProblem(await browser.call('get', `/media/videos/${id}`), 'rate_limited')
    expectProblem(await (await signIn(app, KEYS.bert)).call('get', '/media/videos/vid_none'), 'video_not_found')
    for (const answer of waiting.splice(0)) answer()
    expect(await Promise.all(loading)).toEqual(Array.from({ length: 16 }, () => 200))
    const again = bytes(browser.call('get', `/media/videos/${id}`)).then((one) => one.status)
    while (waiting.length < 1) await new Promise((resolve) => setImmediate(resolve))
    must(waiting[0])()
    expect(await again).toBe(200)
  })
})
