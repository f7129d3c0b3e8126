import { describe, expect, test } from 'vitest'
import { USER_AGENT } from '../../../src/core/vocabulary.ts'
import { AUTHORIZATION, BACKEND_KEY, SPEECH, stage, VOICES } from './passthrough-stage.ts'

describe('what goes up', () => {
  test('is the method, the path, the query as it came, and the headers of the table alone', async () => {
    const { get, behind } = await stage()
    await get(`${VOICES}?x=%2e%2e%2F&&y=a+b%20c&z`, {
      headers: {
        accept: 'application/json;q=0.9',
        'accept-encoding': 'br',
        'accept-language': 'de',
        cookie: 'session=1',
        'x-request-id': 'mine',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-host': 'other.example',
        forwarded: 'for=203.0.113.9',
        'idempotency-key': 'k1',
        'x-api-key': 'k2',
        'x-real-ip': '203.0.113.9',
        origin: 'https://page.example',
        referer: 'https://page.example/',
        'proxy-authorization': 'Basic eA==',
        te: 'trailers',
        range: 'bytes=0-4',
        'if-range': '"v1"',
      },
    })
    expect(behind.got).toEqual([
      {
        method: 'GET',
        url: `${VOICES}?x=%2e%2e%2F&&y=a+b%20c&z`,
        headers: {
          host: [new URL(behind.url).host],
          'user-agent': [USER_AGENT],
          authorization: [`Bearer ${BACKEND_KEY}`],
          accept: ['application/json;q=0.9'],
          // The key is covered in plain answers alone.
          'accept-encoding': ['identity'],
          'accept-language': ['de'],
          connection: ['keep-alive'],
        },
        body: '',
      },
    ])
  })

  test('has the prefix of the base URL before it, whatever the client writes', async () => {
    const { get, bytes, behind } = await stage({ prefix: '/team/a' })
    await get(`${VOICES}?a=1`)
    await bytes(
      `GET http://other.example${VOICES}?/../../x HTTP/1.1`,
      'Host: other.example',
      `Authorization: ${AUTHORIZATION}`,
      'Connection: close',
      '\r\n',
    )
    expect(behind.got.map(({ url }) => url)).toEqual([`/team/a${VOICES}?a=1`, `/team/a${VOICES}?/../../x`])
    const { host } = new URL(behind.url)
    expect(behind.got.map(({ headers }) => headers['host'])).toEqual([[host], [host]])
  })

  test.each(['/../puppets', '/%2e%2e/puppets', '%2f..%2fpuppets', '//', ';/../x', '%00'])(
    'is nothing for %s behind the path',
    async (tail) => {
      const { bytes, behind } = await stage()
      const answer = await bytes(
        `GET ${VOICES}${tail} HTTP/1.1`,
        'Host: a',
        `Authorization: ${AUTHORIZATION}`,
        'Connection: close',
        '\r\n',
      )
      expect(answer).toMatch(/^HTTP\/1.1 404 /)
      expect(behind.got).toEqual([])
    },
  )

  test('has no header that Connection names, nor what is for one hop alone', async () => {
    const { bytes, behind } = await stage()
    await bytes(
      `GET ${VOICES} HTTP/1.1`,
      'Host: a',
      `Authorization: ${AUTHORIZATION}`,
      'Accept: application/json',
      'Accept-Language: de',
      'Range: bytes=0-1',
      'Connection: close, Accept-Language ,range, authorization',
      'Keep-Alive: timeout=5',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
      'Trailer: x',
      'Proxy-Connection: keep-alive',
      '\r\n',
    )
    expect(Object.keys(behind.got[0]?.headers ?? {})).toEqual([
      'host',
      'user-agent',
      'authorization',
      'accept-encoding',
      'accept',
      'connection',
    ])
  })

  test('is a HEAD for a HEAD, and nothing comes down but the head', async () => {
    const { get, behind } = await stage()
    behind.play = (_req, res) =>
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' }).end()
    const response = await get(VOICES, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '5000', ''])
    expect(behind.got.map(({ method }) => method)).toEqual(['HEAD'])
  })

  test.each([
    ['of a length', 'Content-Length: 28', 'GET /smuggled HTTP/1.1\r\nA: b'],
    ['in chunks', 'Transfer-Encoding: chunked', '3\r\nabc\r\n0\r\n\r\n'],
  ])('is no body %s of a read: that is refused', async (_what, header, body) => {
    const { bytes, behind } = await stage()
    const lines = [`GET ${VOICES} HTTP/1.1`, 'Host: a', `Authorization: ${AUTHORIZATION}`, 'Connection: close', header]
    expect(await bytes(...lines, '', body)).toMatch(/^HTTP\/1.1 400 [\s\S]*takes no body/)
    expect(behind.got).toEqual([])
  })

  test('is a request on a connection that others used, and speech on one of its own', async () => {
    const { get, say, behind } = await stage()
    for (let n = 0; n < 3; n += 1) await (await get(VOICES)).text()
    expect(behind.connections()).toBe(1)
    for (let n = 0; n < 2; n += 1) await (await say('{}')).text()
    expect(behind.connections()).toBe(3)
    expect(behind.got.map(({ headers }) => headers['connection'])).toEqual([
      ['keep-alive'],
      ['keep-alive'],
      ['keep-alive'],
      ['close'],
      ['close'],
    ])
  })
})

test('a body goes up as it came, and comes down while it is still being made', async () => {
  const { say, behind } = await stage()
  const half = Promise.withResolvers<void>()
  behind.play = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' })
    res.write('{"first":1,')
    void half.promise.then(() => res.end('"last":2}'))
  }
  const asked = '{ "voice_id":"a-1","text":"Grüße" }'
  const response = await say(asked)
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"first":1,')
  half.resolve()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('"last":2}')
  expect(behind.got).toMatchObject([{ method: 'POST', url: SPEECH, body: asked }])
  expect(behind.got[0]?.headers).toMatchObject({
    'content-type': ['application/json'],
    'content-length': [String(Buffer.byteLength(asked))],
  })
})
