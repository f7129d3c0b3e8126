import { describe, expect, test } from 'vitest'
import { until } from '../../fakes/until.ts'
import { AUTHORIZATION, MAX_SPEECH_BYTES, problemOf, SPEECH, stage, VOICES, type Stage } from './passthrough-stage.ts'

describe('the budget is claimed first', () => {
  test('without a ticket nothing goes up: a read is told when to come back', async () => {
    // A third of three is one reader's share.
    const { get, behind } = await stage({ backend: { requests_per_minute: 3 } })
    expect((await get(VOICES)).status).toBe(200)
    const refused = await get(VOICES)
    // Its own window has much left, which would invite it to retry at once.
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
      return Number(refused.headers.get(`x-ratelimit-${name}`))
    })
    const { status, code, retryAfter } = await problemOf(refused)
    expect([limit, remaining, refused.headers.get('ratelimit')]).toEqual([1_000_000, 0, null])
    expect(Math.abs(Number(reset) - Date.now() / 1_000 - Number(retryAfter))).toBeLessThan(3)
    expect({ status, code }).toEqual({ status: 429, code: 'rate_limited' })
    expect(Number(retryAfter)).toBeGreaterThan(50)
    expect(Number(retryAfter)).toBeLessThan(63)
    expect(behind.got).toHaveLength(1)
  })

  test('for speech, too', async () => {
    const { say, behind } = await stage({ backend: { requests_per_minute: 1 } })
    expect((await say('{}')).status).toBe(200)
    expect(await problemOf(await say('{}'))).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(behind.got).toHaveLength(1)
  })

  test('the answer’s headers correct the window, a refusal’s as well', async () => {
    const { say, get, behind } = await stage()
    behind.play = (_req, res) => {
      const reset = String(Math.ceil(Date.now() / 1_000) + 30)
      res
        .writeHead(200, {
          'x-ratelimit-limit': '10',
          'x-ratelimit-remaining': String(2 - behind.got.length),
          'x-ratelimit-reset': reset,
        })
        .end('{}')
    }
    expect((await say('{}')).status).toBe(200)
    expect((await say('{}')).status).toBe(200)
    expect(await problemOf(await say('{}'))).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(await problemOf(await get(VOICES))).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(behind.got).toHaveLength(2)
  })

  test('a 429 of the backend closes the window for all', async () => {
    const { get, say, behind } = await stage()
    behind.play = (_req, res) => res.writeHead(429, { 'retry-after': '40' }).end()
    expect(await problemOf(await get(VOICES))).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: '40' })
    expect(await problemOf(await say('{}'))).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: '40' })
    expect(behind.got).toHaveLength(1)
  })
})

describe('the account’s health', () => {
  const silent = async (one: Stage, times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await (await one.get(VOICES)).text()
  }

  test('a backend that breaks five in a row is left alone for a while', async () => {
    const one = await stage()
    one.behind.play = (req) => req.socket.destroy()
    await silent(one, 5)
    const left = await one.get(VOICES)
    expect(await problemOf(left)).toEqual({ status: 503, code: 'backend_unavailable', retryAfter: '10' })
    expect(one.behind.got).toHaveLength(5)
  })

  test('a page of something in between counts as silence, the backend’s own word does not', async () => {
    const one = await stage()
    one.behind.play = (_req, res) => res.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"x"}')
    await silent(one, 6)
    expect(one.behind.got).toHaveLength(6)
    one.behind.play = (_req, res) => res.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
    await silent(one, 6)
    expect(one.behind.got).toHaveLength(11)
  })

  test('a refused key is an operator’s to mend, and a success says that it works again', async () => {
    const one = await stage()
    one.behind.play = (_req, res) => res.writeHead(401).end()
    await silent(one, 1)
    await until(() => one.logs.some((line) => line.includes('the backend refuses its key')))
    one.behind.play = (_req, res) => res.end('{}')
    await silent(one, 1)
    await until(() => one.logs.some((line) => line.includes('the backend is up again')))
  })

  test('a 403 of speech is noted as a scope that the key lacks', async () => {
    const { say, behind, deps } = await stage()
    const account = () => deps.clients.authenticate(AUTHORIZATION).client.visible.get('main')?.account
    behind.play = (_req, res) => res.writeHead(403).end()
    await say('{}')
    expect(account()?.denied()).toEqual(['speech'])
    behind.play = (_req, res) => res.end('{}')
    await say('{}')
    expect(account()?.denied()).toBeNull()
  })
})

describe('a body', () => {
  test('over its bytes is refused before anything is claimed', async () => {
    const { say, behind } = await stage({ backend: { requests_per_minute: 1 } })
    const response = await say('ü'.repeat(MAX_SPEECH_BYTES / 2 + 1))
    expect(await response.json()).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      details: { max_body_bytes: MAX_SPEECH_BYTES },
    })
    expect(behind.got).toEqual([])
    expect((await say('ü'.repeat(MAX_SPEECH_BYTES / 2))).status).toBe(200)
    expect(behind.got[0]?.body).toBe('ü'.repeat(MAX_SPEECH_BYTES / 2))
  })

  const inChunks = (bytes: number) => [
    `POST ${SPEECH} HTTP/1.1`,
    'Host: a',
    `Authorization: ${AUTHORIZATION}`,
    'Connection: close',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
    '',
    ...Array.from({ length: bytes / 50 }, () => `32\r\n${'a'.repeat(50)}`),
    ...(bytes % 50 === 0 ? [] : [`${(bytes % 50).toString(16)}\r\n${'b'.repeat(bytes % 50)}`]),
    '0',
    'X-Trailer: 1',
    '',
    '',
  ]

  test('of unknown length is counted on its way', async () => {
    const { bytes, behind } = await stage()
    expect(await bytes(...inChunks(MAX_SPEECH_BYTES))).toMatch(/HTTP\/1.1 200 OK/)
    expect(
      behind.got.map(({ body, headers }) => [body, headers['expect'], headers['content-length'], headers['x-trailer']]),
    ).toEqual([['a'.repeat(MAX_SPEECH_BYTES), undefined, undefined, undefined]])
    expect(await bytes(...inChunks(MAX_SPEECH_BYTES + 1))).toMatch(/HTTP\/1.1 413 [\s\S]*payload_too_large/)
    // It never got a whole request to act upon.
    expect(behind.got).toHaveLength(1)
  })

  test('that is none goes up as none', async () => {
    const { bytes, behind } = await stage()
    await bytes(`POST ${SPEECH} HTTP/1.1`, 'Host: a', `Authorization: ${AUTHORIZATION}`, 'Connection: close', '\r\n')
    expect(behind.got[0]).toMatchObject({ body: '', headers: { 'content-length': ['0'] } })
  })

  test('may be answered before it is whole, and then ends with the answer', async () => {
    const { bytes, behind } = await stage()
    behind.server.prependListener('request', (_req, res) => {
      res.writeHead(415, { 'content-type': 'application/json' }).end('{"error":"unsupported_media_type"}')
    })
    const answer = await bytes(
      `POST ${SPEECH} HTTP/1.1`,
      'Host: a',
      `Authorization: ${AUTHORIZATION}`,
      'Connection: close',
      'Content-Length: 20',
      '',
      '{',
    )
    expect(answer).toMatch(/HTTP\/1.1 415 [\s\S]*\{"error":"unsupported_media_type"\}\r\n0\r\n\r\n$/)
  })
})

test('a header that cannot be sent on is the client’s fault', async () => {
  const { bytes, behind } = await stage()
  const answer = await bytes(
    `GET ${VOICES} HTTP/1.1`,
    'Host: a',
    `Authorization: ${AUTHORIZATION}`,
    'Accept: a\x7fb',
    'Connection: close',
    '\r\n',
  )
  expect(answer).toMatch(/HTTP\/1.1 400 /)
  expect(behind.got).toEqual([])
})
