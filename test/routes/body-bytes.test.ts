import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, serveAlternate, servePrimary, type Service } from './services.ts'

/** What createVideo makes of bytes: syntax, size, type, encoding, and JSON that is meant to do harm. */
let app: TestApp
let main: Service
beforeAll(async () => {
  app = await openApp()
  main = servePrimary(app.main)
  serveAlternate(app.alt)
})
afterAll(() => app.close())

const send = (bytes: Buffer | string, headers: Record<string, string>) => {
  const request = app.raw.post('/unified/v1/videos').set({ ...bearer(KEYS.anna), ...headers })
  // A serializer that passes the bytes on as they are: superagent would encode them by their type.
  return request.serialize((body: unknown) => body as string).send(bytes as string)
}
const JSON_TYPE = { 'content-type': 'application/json' }

/** A good body of exactly this many bytes. */
const bodyOf = (sizeBytes: number, filler: string): string => {
  const empty = JSON.stringify({ ...MAIN_BODY, text: '' })
  const room = sizeBytes - Buffer.byteLength(empty)
  const times = Math.floor(room / Buffer.byteLength(filler))
  const text = filler.repeat(times) + 'x'.repeat(room - times * Buffer.byteLength(filler))
  return JSON.stringify({ ...MAIN_BODY, text })
}

describe('400 invalid_json', () => {
  test.each([
    '{',
    '{"text":',
    'text',
    "{'text':'x'}",
    '{"text":"x",}',
    '{"a":1}{"b":2}',
    'NaN',
    '\u0000',
    '{"text":"a\u0000b"}',
    '{"text":"\\ud8"}',
    '<xml/>',
    '{"text":"x"} // done',
  ])('%j', async (body) => {
    expectProblem(await send(body, JSON_TYPE), 'invalid_json', { retryable: false, param: null, errors: [] })
  })

  test('bytes that are not UTF-8', async () => {
    expectProblem(await send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), JSON_TYPE), 'invalid_json')
  })
})

test('an empty body says what it lacks', async () => {
  for (const body of ['', '\ufeff']) {
    const { errors } = expectProblem(
      await send(body, { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(body)) }),
      'invalid_request',
    )
    expect(errors.map(({ path }) => path)).toEqual(['image_url', 'text'])
  }
})

describe('413 payload_too_large', () => {
  test.each([
    ['one byte a character', 'x'],
    ['three bytes a character', '€'],
    ['four bytes a character', '😀'],
  ])('%s', async (_name, filler) => {
    expectVideo(await send(bodyOf(65_536, filler), JSON_TYPE), 202)
    const problem = expectProblem(await send(bodyOf(65_537, filler), JSON_TYPE), 'payload_too_large')
    expect(problem.details).toEqual({ max_body_bytes: 65_536 })
  })

  test('is told before the body has come', async () => {
    const asked = request(`${app.url}/unified/v1/videos`, {
      method: 'POST',
      headers: { ...bearer(KEYS.anna), ...JSON_TYPE, 'content-length': 1_000_000_000 },
    })
    asked.flushHeaders()
    const [{ statusCode }] = (await once(asked, 'response')) as [IncomingMessage]
    expect(statusCode).toBe(413)
    asked.destroy()
  })

  test('chunks without a length, and a body that grows when it is unpacked', async () => {
    const chunked = await fetch(`${app.url}/unified/v1/videos`, {
      method: 'POST',
      headers: { ...bearer(KEYS.anna), ...JSON_TYPE },
      body: ReadableStream.from([Buffer.alloc(40_000, ' '), Buffer.alloc(40_000, ' ')]),
      duplex: 'half',
    })
    expect([chunked.status, await chunked.json()]).toMatchObject([413, { code: 'payload_too_large' }])
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '))
    expect(bomb.length).toBeLessThan(65_536)
    expectProblem(await send(bomb, { ...JSON_TYPE, 'content-encoding': 'gzip' }), 'payload_too_large')
  })
})

describe('415 unsupported_media_type', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/json',
    'application/jsonp',
    'nonsense',
    '*/*',
  ])('%s', async (type) => {
    expectProblem(await send(JSON.stringify(MAIN_BODY), { 'content-type': type }), 'unsupported_media_type')
  })

  test('no content type, and no body', async () => {
    const { status, headers } = await fetch(`${app.url}/unified/v1/videos`, {
      method: 'POST',
      headers: bearer(KEYS.anna),
      body: Buffer.from(JSON.stringify(MAIN_BODY)),
    })
    expect([status, headers.get('content-type')]).toEqual([415, 'application/problem+json; charset=utf-8'])
    const empty = await fetch(`${app.url}/unified/v1/videos`, { method: 'POST', headers: bearer(KEYS.anna) })
    expect(empty.status).toBe(415)
  })

  test('charsets that JSON does not have, and encodings that nobody knows', async () => {
    const body = JSON.stringify(MAIN_BODY)
    for (const charset of ['latin1', 'utf8x', 'windows-1252', 'xutf8'])
      expectProblem(
        await send(body, { 'content-type': `application/json; charset=${charset}` }),
        'unsupported_media_type',
      )
    expectProblem(await send(body, { ...JSON_TYPE, 'content-encoding': 'snappy' }), 'unsupported_media_type')
  })
})

describe('accepted', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json ; x=1; Charset="US-ASCII" ; y=2',
    'application/merge-patch+json',
  ])('%s', async (type) => {
    expectVideo(await send(JSON.stringify(MAIN_BODY), { 'content-type': type }), 202)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('a body in %s', async (encoding, pack) => {
    const response = await send(pack(JSON.stringify({ ...MAIN_BODY, text: encoding })), {
      ...JSON_TYPE,
      'content-encoding': encoding,
    })
    expect(expectVideo(response, 202).input.text).toBe(encoding)
  })
})

test.each([
  ['gzip', Buffer.from('no gzip')],
  ['gzip', gzipSync('{}').subarray(0, 12)],
  ['deflate', Buffer.from('no deflate')],
  ['br', Buffer.from('no brotli')],
])('a body that is not in %s though it says so is told as that', async (encoding, bytes) => {
  expectProblem(await send(bytes, { ...JSON_TYPE, 'content-encoding': encoding }), 'invalid_request', {
    detail: 'the body does not match its Content-Encoding',
  })
})

describe('harmful JSON', () => {
  test.each([
    '{"__proto__":{"backend":"alt"},"image_url":"https://i.example/a","text":"x"}',
    '{"constructor":{"prototype":{"x":1}},"image_url":"https://i.example/a","text":"x"}',
    '{"hasOwnProperty":1,"image_url":"https://i.example/a","text":"x"}',
    '{"toString":null,"image_url":"https://i.example/a","text":"x"}',
  ])('names of the prototype are unknown fields: %s', async (body) => {
    const problem = expectProblem(await send(body, JSON_TYPE), 'invalid_request')
    expect(problem.errors).toEqual([{ path: Object.keys(JSON.parse(body) as object)[0], message: 'unknown field' }])
    expect(Object.hasOwn(Object.prototype, 'backend') || Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  test('metadata under names of the prototype is kept like any other', async () => {
    const body = `{"image_url":"https://i.example/a","text":"x","metadata":{"constructor":"a","toString":"b"}}`
    expect(expectVideo(await send(body, JSON_TYPE), 202).metadata).toEqual({ constructor: 'a', toString: 'b' })
  })

  test('a metadata key that cannot be kept is refused, not dropped', async () => {
    const body = `{"image_url":"https://i.example/a","text":"x","metadata":{"__proto__":"a"}}`
    expectProblem(await send(body, JSON_TYPE), 'invalid_request', { param: 'metadata.__proto__' })
  })

  test('nesting as deep as fits', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    expectProblem(await send(`{"metadata":${deep}}`, JSON_TYPE), 'invalid_request')
    expectProblem(await send(deep, JSON_TYPE), 'invalid_request')
  })

  test('thousands of unknown fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`field_${i}`, 0]))
    const { errors, detail } = expectProblem(await app.post(many), 'invalid_request')
    expect(errors).toHaveLength(50)
    expect(detail).toBe('field_0: unknown field (and 4001 more, of which 49 are listed)')
  })

  test('of a name given twice the last counts', async () => {
    const body = '{"image_url":"https://i.example/a","text":"first","text":"last"}'
    expect(expectVideo(await send(body, JSON_TYPE), 202).input.text).toBe('last')
  })

  test('NUL and lone surrogates arrive as they were sent', async () => {
    const text = 'a\u0000b\ud800c\udfff'
    const body = JSON.stringify({ ...MAIN_BODY, text, metadata: { '\u0000\udead': '\ud83d' } })
    const video = expectVideo(await send(body, { ...JSON_TYPE, 'idempotency-key': 'odd text' }), 202)
    expect([video.input.text, video.metadata]).toEqual([text, { '\u0000\udead': '\ud83d' }])
    expect(JSON.parse(main.creates().at(-1)?.body ?? '')).toMatchObject({ text })
    expectVideo(await send(body, { ...JSON_TYPE, 'idempotency-key': 'odd text' }), 202)
    expect((await app.get(`/videos/${video.id}`)).body).toMatchObject({ input: { text } })
  })

  test('nothing was logged as a fault of the gateway', () => {
    expect(app.logs.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})
