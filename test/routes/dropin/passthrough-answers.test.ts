import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { BACKEND_KEY, problemOf, stage, VOICES } from './passthrough-stage.ts'

const BODY = '{ "object":"list",\n "data": [ {"id":"a-1","made":"up"} ] }'

describe('what comes down', () => {
  test('is the status, the bytes and the headers of the table alone', async () => {
    const { get, behind } = await stage()
    behind.play = (_req, res) =>
      res
        .writeHead(203, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(Buffer.byteLength(BODY)),
          etag: '"v1"',
          'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT',
          'cache-control': 'public, max-age=60',
          'retry-after': '7',
          'x-service-next-poll-at': '2026-11-20T10:00:07Z',
          'x-service-credits-required': '1',
          'x-service-credits-remaining': '9',
          'x-request-id': 'up_1',
          date: 'Fri, 20 Nov 2026 10:00:00 GMT',
          'x-ratelimit-limit': '99999',
          'x-ratelimit-remaining': '99998',
          'x-ratelimit-reset': '1795168860',
          ratelimit: '"up";r=1',
          server: 'nginx',
          'set-cookie': ['a=1', 'b=2'],
          'strict-transport-security': 'max-age=1',
          'access-control-allow-origin': '*',
          'x-powered-by': 'x',
          'www-authenticate': 'Bearer',
          'alt-svc': 'h3=":443"',
          location: '/elsewhere',
          'x-made-up': '1',
        })
        .end(BODY)
    const response = await get(VOICES, { headers: { 'x-request-id': 'mine' } })
    expect(response.status).toBe(203)
    expect(await response.text()).toBe(BODY)
    const { date, ...headers } = Object.fromEntries(response.headers)
    expect(date).not.toBe('Fri, 20 Nov 2026 10:00:00 GMT')
    expect(headers).toEqual({
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(BODY)),
      etag: '"v1"',
      'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT',
      'cache-control': 'public, max-age=60',
      'retry-after': '7',
      'x-service-next-poll-at': '2026-11-20T10:00:07Z',
      'x-service-credits-required': '1',
      'x-service-credits-remaining': '9',
      'x-request-id': 'mine',
      'x-backend-request-id': 'up_1',
      'x-content-type-options': 'nosniff',
      'x-ratelimit-limit': '1000000',
      'x-ratelimit-remaining': '999999',
      'x-ratelimit-reset': expect.any(String) as string,
      ratelimit: expect.stringMatching(/^"default";/) as string,
      'ratelimit-policy': expect.stringMatching(/^"default";/) as string,
    })
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('is 502 where the backend packs it as %s all the same: the key may be in it', async (encoding, pack) => {
    const { get, say, behind } = await stage()
    const packed = pack(`{"error":"no","authorization":"Bearer ${BACKEND_KEY}"}`)
    behind.play = (_req, res) =>
      res.writeHead(400, { 'content-type': 'application/json', 'content-encoding': encoding }).end(packed)
    for (const response of [await get(VOICES), await say('{"text":"Hello"}')]) {
      expect(response.headers.get('content-encoding')).toBeNull()
      expect(await problemOf(response)).toMatchObject({ status: 502, code: 'backend_error' })
    }
  })

  test('has no key of the backend in it, whatever encoding or part of it the client wants', async () => {
    const { get, behind } = await stage()
    const text = `{"error":"no","authorization":"Bearer ${BACKEND_KEY}"}`
    behind.play = (req, res) => {
      const { range = '', 'accept-encoding': encoding = '' } = req.headers
      const [, from = '0', to = String(text.length)] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
      const part = text.slice(Number(from), Number(to) + 1)
      const isPacked = encoding.includes('gzip')
      res.writeHead(range === '' ? 200 : 206, {
        'content-type': 'application/json',
        ...(isPacked && { 'content-encoding': 'gzip' }),
      })
      res.end(isPacked ? gzipSync(part) : part)
    }
    const middle = text.indexOf(BACKEND_KEY) + 9
    const whole = await (await get(VOICES, { headers: { 'accept-encoding': 'gzip, br' } })).text()
    const parts = await Promise.all(
      [`bytes=0-${middle}`, `bytes=${middle + 1}-${text.length}`].map(async (range) =>
        (await get(VOICES, { headers: { range, 'if-range': '"v1"' } })).text(),
      ),
    )
    const covered = text.replace(BACKEND_KEY, '*'.repeat(BACKEND_KEY.length))
    expect([whole, ...parts]).toEqual([covered, covered, covered])
  })

  test('is no header that the answer’s Connection names, and no id or header that could do harm', async () => {
    const { get, behind } = await stage()
    behind.play = (_req, res) =>
      res
        .writeHead(200, {
          connection: 'close, etag, X-Service-Credits-Required',
          etag: '"v1"',
          'x-service-credits-required': '1',
          'content-type': 'text/html',
          'request-id': 'two words',
        })
        .end('<script>1</script>')
    const { headers } = await get(VOICES)
    expect([headers.get('etag'), headers.get('x-service-credits-required')]).toEqual([null, null])
    expect(headers.get('x-backend-request-id')).toBeNull()
    // Whatever it is, a browser runs none of it as the gateway's.
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  })

  test.each([
    [400, '{"error":"invalid_request","message":"no"}'],
    [402, '{"error":"x"}'],
    [404, '{"error":"voice_not_found","message":"no such voice"}'],
    [409, ''],
    [500, '{"error":"broken"}'],
    [502, '<html>bad gateway</html>'],
    [503, '{"error":"beta_quota","message":"later","retryable":true}'],
  ])('is an error %d by its bytes', async (status, body) => {
    const { say, behind } = await stage()
    behind.play = (_req, res) =>
      res
        .writeHead(status, { 'content-type': 'application/json', 'retry-after': '3', 'x-request-id': 'up_2' })
        .end(body)
    const response = await say('{"text":"Hello"}')
    expect([response.status, await response.text()]).toEqual([status, body])
    expect(response.headers.get('retry-after')).toBe('3')
    expect(response.headers.get('x-backend-request-id')).toBe('up_2')
  })

  test.each([
    [401, {}, 502, 'backend_credentials_rejected', null],
    [403, {}, 502, 'backend_credentials_rejected', null],
    [429, { 'retry-after': '30' }, 429, 'rate_limited', '30'],
    [429, { 'retry-after': '999999' }, 429, 'rate_limited', '3600'],
    [301, { location: 'https://other.example/' }, 502, 'backend_error', null],
    [302, { location: '/login' }, 502, 'backend_error', null],
    [307, { location: VOICES }, 502, 'backend_error', null],
    [300, {}, 502, 'backend_error', null],
    [600, {}, 502, 'backend_error', null],
    [799, {}, 502, 'backend_error', null],
  ])('is the gateway’s own word for %d %j', async (status, headers, ours, code, retryAfter) => {
    const { get, behind } = await stage()
    behind.play = (_req, res) =>
      res
        .writeHead(status, { ...headers, 'x-request-id': 'up_3', 'www-authenticate': 'Bearer' })
        .end('{"error":"secret"}')
    const response = await get(VOICES)
    expect(response.headers.get('x-backend-request-id')).toBe('up_3')
    expect([response.headers.get('www-authenticate'), response.headers.get('location')]).toEqual([null, null])
    expect(await problemOf(response)).toEqual({ status: ours, code, retryAfter })
    expect(behind.got).toHaveLength(1)
  })

  test('is a 429 without a time as a quota that is used up', async () => {
    const { say, behind } = await stage()
    behind.play = (_req, res) => res.writeHead(429).end('{"error":"monthly_quota"}')
    expect(await problemOf(await say('{}'))).toEqual({ status: 429, code: 'quota_exceeded', retryAfter: null })
  })

  test('is nothing of the key, however it is echoed', async () => {
    const { get, behind, logs } = await stage()
    behind.play = (req, res) => {
      const key = String(req.headers.authorization)
      res.writeHead(200, { 'content-type': 'application/json', etag: `"${key}"`, 'x-request-id': BACKEND_KEY })
      // The key is cut where nobody would see it by one part alone.
      res.write(`{"you said":"${key.slice(0, 12)}`)
      res.write(key.slice(12))
      res.end(`", "again":"${BACKEND_KEY}${BACKEND_KEY.slice(0, 5)}"}`)
    }
    const response = await get(VOICES)
    const text = await response.text()
    const stars = '*'.repeat(BACKEND_KEY.length)
    expect(text).toBe(`{"you said":"Bearer ${stars}", "again":"${stars}${BACKEND_KEY.slice(0, 5)}"}`)
    expect([response.headers.get('etag'), response.headers.get('x-backend-request-id')]).toEqual([null, null])
    expect(logs.join()).not.toContain(BACKEND_KEY)
  })
})
