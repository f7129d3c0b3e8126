import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { until } from '../../fakes/until.ts'
import { AUTHORIZATION, problemOf, raw, SPEECH, stage, VOICES, type Play } from './passthrough-stage.ts'

const JSON_HEAD = ['HTTP/1.1 200 OK', 'Content-Type: application/json']

describe('an answer that is none', () => {
  test.each<[string, Play]>([
    ['two lengths', raw(...JSON_HEAD, 'Content-Length: 2', 'Content-Length: 20', '', '{}GET /admin')],
    ['a length and chunks', raw(...JSON_HEAD, 'Content-Length: 2', 'Transfer-Encoding: chunked', '', '0', '', '')],
    ['a length that is none', raw(...JSON_HEAD, 'Content-Length: +2', '', '{}')],
    ['a header with a space before its colon', raw(...JSON_HEAD, 'X-A : b', 'Content-Length: 2', '', '{}')],
    ['a folded line that hides a header', raw(...JSON_HEAD, 'X-A\r b: c', '', '{}')],
    ['a header with a NUL', raw(...JSON_HEAD, 'X-A: \0', 'Content-Length: 2', '', '{}')],
    ['headers without end', raw(...JSON_HEAD, `X-A: ${'a'.repeat(40_000)}`, '', '{}')],
    ['a status that is none', raw('HTTP/1.1 042 X', 'Content-Length: 2', '', '{}')],
    ['another protocol', raw('SSH-2.0-server', '', '')],
    ['a switch of protocols', raw('HTTP/1.1 101 Switching Protocols', 'Upgrade: h2c', 'Connection: Upgrade', '', 'x')],
    ['nothing', (req) => req.socket.destroy()],
    ['half a head', raw('HTTP/1.1 200 OK', 'Content-Type: appl')],
  ])('such as %s is a backend error, and the next one is read', async (_what, play) => {
    const { get, behind } = await stage()
    const { play: well } = behind
    behind.play = play
    expect(await problemOf(await get(VOICES))).toEqual({ status: 502, code: 'backend_error', retryAfter: null })
    behind.play = well
    expect((await get(VOICES)).status).toBe(200)
    expect(behind.got).toHaveLength(2)
  })

  test('such as one before the last, or after it, is not handed on', async () => {
    const { get, behind } = await stage()
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n'
    behind.play = (req) =>
      void req.socket.write(
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${head}{}${head}[]`,
      )
    const response = await get(VOICES)
    expect([response.status, await response.text(), response.headers.get('link')]).toEqual([200, '{}', null])
    // What came too much is no answer to the next.
    behind.play = (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{"second":2}')
    expect(await (await get(VOICES)).text()).toBe('{"second":2}')
  })

  test('is no trailer', async () => {
    const { bytes, behind } = await stage()
    behind.play = raw(...JSON_HEAD, 'Transfer-Encoding: chunked', 'Trailer: X-T', '', '2', '{}', '0', 'X-T: 1', '', '')
    const request = [
      `GET ${VOICES} HTTP/1.1`,
      'Host: a',
      `Authorization: ${AUTHORIZATION}`,
      'Connection: close',
      '\r\n',
    ]
    const answer = await bytes(...request)
    expect(answer).toMatch(/\r\n\r\n2\r\n\{\}\r\n0\r\n\r\n$/)
    expect(answer).not.toMatch(/x-t/i)
  })
})

describe('an answer that breaks off', () => {
  const cut =
    (headers: Record<string, string>): Play =>
    (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', ...headers })
      res.write('{"half":', () => res.socket?.destroy())
    }
  test.each([
    ['of a length', { 'content-length': '1000' }],
    ['in chunks', {}],
  ])('breaks off for the client, too: %s', async (_what, headers) => {
    const { get, behind } = await stage()
    behind.play = cut(headers)
    const response = await get(VOICES)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  test('as silently as it goes on, after a while', async () => {
    const { get, behind } = await stage({ backend: { timeout: '2s' } })
    behind.play = (_req, res) => void res.writeHead(200, { 'content-length': '10' }).write('{"half":')
    const response = await get(VOICES)
    await expect(response.text()).rejects.toThrow('terminated')
    await until(() => behind.broken() === 1)
  })

  test('is none while something comes', async () => {
    const { get, behind } = await stage({ backend: { timeout: '2s' } })
    behind.play = (_req, res) => {
      let parts = 0
      res.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => {
        parts += 1
        res.write('[]')
        if (parts < 25) return
        clearInterval(timer)
        res.end()
      }, 100)
    }
    expect(await (await get(VOICES)).text()).toBe('[]'.repeat(25))
  })
})

describe('a backend that is not there', () => {
  test('or does not answer in time, is told as the adapters tell it', async () => {
    const { get, say, behind } = await stage({ backend: { timeout: '2s' } })
    behind.play = () => undefined
    expect(await problemOf(await get(VOICES))).toEqual({ status: 504, code: 'backend_timeout', retryAfter: null })
    await until(() => behind.broken() === 1)
    // Of speech nobody knows whether it was made.
    const spoken = await say('{"text":"Hello"}')
    expect(await spoken.json()).toMatchObject({
      code: 'backend_timeout',
      retryable: false,
      detail: expect.stringMatching(/nobody knows whether it happened/) as string,
    })
    expect(behind.got.map(({ url }) => url)).toEqual([VOICES, SPEECH])
    behind.server.close()
    behind.server.closeAllConnections()
    const gone = await get(VOICES)
    expect(gone.headers.get('retry-after')).toBe('10')
    expect(await gone.json()).toMatchObject({
      status: 503,
      code: 'backend_unavailable',
      detail: 'The backend cannot be reached (ECONNREFUSED)',
    })
    // Nothing was sent: it may be said again.
    expect(await (await say('{}')).json()).toMatchObject({ code: 'backend_unavailable', retryable: true })
  })

  test('a head that comes byte by byte is too late at its time, too', async () => {
    const { get, behind } = await stage({ backend: { timeout: '2s' } })
    behind.play = (req) => {
      const timer = setInterval(() => req.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50)
      req.socket.on('close', () => clearInterval(timer))
    }
    expect(await problemOf(await get(VOICES))).toMatchObject({ code: 'backend_timeout' })
    await until(() => behind.broken() === 1)
  })

  test('a request that breaks is not sent again', async () => {
    const { get, say, behind } = await stage()
    await (await get(VOICES)).text()
    behind.play = (req) => req.socket.destroy()
    // Over the connection that the first one left.
    expect(await problemOf(await get(VOICES))).toMatchObject({ status: 502 })
    expect(await problemOf(await say('{}'))).toMatchObject({ status: 502 })
    expect(behind.got).toHaveLength(3)
  })
})

describe('a client that hangs up', () => {
  const hangUp = async (url: string, lines: string[], when: () => Promise<void>): Promise<void> => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(lines.join('\r\n'))
    await when()
    socket.destroy()
  }
  const READ = [`GET ${VOICES} HTTP/1.1`, 'Host: a', `Authorization: ${AUTHORIZATION}`, '\r\n']

  test('before the head frees its upstream request, and tells nothing about the backend', async () => {
    const { url, behind, logs, get } = await stage()
    behind.play = () => undefined
    for (let n = 1; n <= 6; n += 1) {
      await hangUp(url, READ, () => until(() => behind.got.length === n))
      await until(() => behind.broken() === n)
    }
    await until(() => logs.filter((line) => line.includes('"aborted":true')).length === 6)
    expect(logs.join()).not.toMatch(/not well|request failed/)
    behind.play = (_req, res) => res.end('{}')
    expect((await get(VOICES)).status).toBe(200)
  })

  test('in the middle of the body frees it', async () => {
    const { url, behind } = await stage()
    behind.play = (_req, res) => void res.writeHead(200).write('x'.repeat(100_000))
    await hangUp(url, READ, () => until(() => behind.got.length === 1))
    await until(() => behind.broken() === 1)
  })

  test('before its own body is whole leaves the backend with half a request', async () => {
    const { url, behind } = await stage()
    let begun = 0
    let whole = 0
    behind.server.on('request', (req) => {
      begun += 1
      req.on('end', () => (whole += 1))
    })
    const speech = [`POST ${SPEECH} HTTP/1.1`, 'Host: a', `Authorization: ${AUTHORIZATION}`]
    await hangUp(url, [...speech, 'Content-Length: 20', '', '{"text":'], () => until(() => begun === 1))
    await until(() => behind.broken() === 1)
    expect(whole).toBe(0)
  })
})

describe('what waits for a connection', () => {
  test('and is given up never goes up', async () => {
    const { get, say, behind } = await stage({ backend: { timeout: '2s' }, maxSockets: 1 })
    await get(VOICES)
    const held = Promise.withResolvers<void>()
    behind.play = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).write('[')
      // It goes on for longer than the other one waits.
      const timer = setInterval(() => res.write(' '), 50)
      void held.promise.then(() => {
        clearInterval(timer)
        res.end(']')
      })
    }
    const first = await get(VOICES)
    expect(await problemOf(await get(VOICES))).toMatchObject({ status: 503, code: 'backend_unavailable' })
    held.resolve()
    expect(await first.json()).toEqual([])
    behind.play = (_req, res) => res.end('{}')
    expect((await get(VOICES)).status).toBe(200)
    expect((await say('{}')).status).toBe(200)
    expect(behind.got.map(({ url }) => url)).toEqual([VOICES, VOICES, VOICES, SPEECH])
  })
})

test('an answer that came whole waits for its reader, however long the backend may take', async () => {
  const held = Promise.withResolvers<void>()
  const { bytes, get, behind } = await stage({
    backend: { timeout: '1s' },
    mount: (app) => app.get('/held', (_req, res) => void held.promise.then(() => res.end('first'))),
  })
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${AUTHORIZATION}\r\n`
  const both = bytes(`${request('/held')}\r\n${request(VOICES)}Connection: close\r\n\r\n`)
  await until(() => behind.got.length === 1)
  const { play: well } = behind
  behind.play = () => undefined
  // Began after the other, and took all the time that a backend has.
  for (let n = 0; n < 3; n += 1) expect((await get(VOICES)).status).toBe(504)
  behind.play = well
  held.resolve()
  expect(await both).toMatch(/\r\n\r\nfirst.*\{"object":"list","data":\[\]\}\r\n0\r\n\r\n$/s)
})
