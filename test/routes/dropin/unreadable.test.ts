import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEYS, openApp, type TestApp } from '../../fakes/gateway.ts'

/** What node's parser refuses, and what should not be there, under the paths of the drop-in surfaces: in their words. */
let app: TestApp
beforeAll(async () => void (app = await openApp()))
afterAll(() => app.close())

/** What comes back until the gateway ends the connection. */
const send = async (bytes: string): Promise<{ status: number; headers: Headers; body: unknown }> => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(
    fields.map((field): [string, string] => [field.split(':', 1)[0] ?? '', field.replace(/^[^:]*: ?/, '')]),
  )
  return { status: Number(line.split(' ')[1]), headers, body: JSON.parse(body) as unknown }
}

const AUTH = `Host: gateway\r\nAuthorization: Bearer ${KEYS.anna}`
const JSON_TYPE = 'Content-Type: application/json'
const CLOSE = 'Connection: close'

/** `create`: a path below `path` to which bodies are posted. */
const REFUSED: [string, number, (path: string, create: string) => string][] = [
  ['headers over 16 KiB', 431, (path) => `GET ${path} HTTP/1.1\r\n${AUTH}\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`],
  ['no method of HTTP', 400, (path) => `BREW ${path} HTTP/1.1\r\n${AUTH}\r\n\r\n`],
  ['two lengths', 400, (path) => `POST ${path} HTTP/1.1\r\n${AUTH}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n`],
  [
    'a length and chunks',
    400,
    (path) => `POST ${path} HTTP/1.1\r\n${AUTH}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'chunks that are not last',
    400,
    (path) => `POST ${path} HTTP/1.1\r\n${AUTH}\r\nTransfer-Encoding: chunked, x\r\n\r\n`,
  ],
  ['a control character in a header', 400, (path) => `GET ${path} HTTP/1.1\r\n${AUTH}\r\nX-A: a\u0001b\r\n\r\n`],
  [
    'a body in bad chunks',
    400,
    (_, create) =>
      `POST ${create} HTTP/1.1\r\n${AUTH}\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`,
  ],
  ['two hosts', 400, (path) => `GET ${path} HTTP/1.1\r\n${AUTH}\r\nHost: other\r\n\r\n`],
  ['no host', 400, (path) => `GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${KEYS.anna}\r\n\r\n`],
  ['two keys', 400, (path) => `GET ${path} HTTP/1.1\r\n${AUTH}\r\nAuthorization: Bearer x\r\n\r\n`],
  ['no such path', 404, (path) => `GET ${path}/a/b/c HTTP/1.1\r\n${AUTH}\r\n${CLOSE}\r\n\r\n`],
  ['no such path, in full', 404, (path) => `GET http://gateway${path}/a/b/c HTTP/1.1\r\n${AUTH}\r\n${CLOSE}\r\n\r\n`],
  ['a path that is not decodable', 400, (path) => `GET ${path}/%zz HTTP/1.1\r\n${AUTH}\r\n${CLOSE}\r\n\r\n`],
]

const codeOf: Readonly<Record<number, string>> = { 400: 'invalid_request', 404: 'not_found', 431: 'invalid_request' }

describe.each(REFUSED)('%s: %i', (_, status, bytes) => {
  test('in the words of the primary contract', async () => {
    const answer = await send(bytes('/api/v1/videos', '/api/v1/videos/text'))
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const code = codeOf[status]
    expect(answer.body).toMatchObject({
      error: code,
      message: expect.any(String) as unknown,
      retryable: false,
      details: { code, retryable: false },
    })
    expect(answer.headers.get('connection')).toBe('close')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  })

  test('in the words of the alternate contract', async () => {
    const answer = await send(bytes('/v1/videos', '/v1/videos'))
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({ error: { code: codeOf[status], message: expect.any(String) as unknown } })
    expect(answer.headers.get('connection')).toBe('close')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  })
})

test.each([
  ['/api/v1/videos/text', 'POST'],
  ['/api/v1/videos/audio', 'POST'],
  ['/api/v1/videos/api_video_1', 'GET, HEAD'],
  ['/api/v1/voices/service', 'GET, HEAD'],
  ['/api/v1/uploads/audio-url', 'POST'],
  ['/api/v1/puppets', 'GET, HEAD, POST'],
  ['/api/v1/puppets/p', 'GET, HEAD, DELETE'],
  ['/api/v1/usage', 'GET, HEAD'],
])('PUT %s: 405, with what is allowed', async (path, allow) => {
  const answer = await send(`PUT ${path} HTTP/1.1\r\n${AUTH}\r\nContent-Length: 0\r\n${CLOSE}\r\n\r\n`)
  expect([answer.status, answer.body]).toEqual([405, expect.objectContaining({ error: 'method_not_allowed' })])
  expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(allow.split(', ')))
})

test.each(['/v1x', '/V1/videos', '/api/v1x', '/api', '/unified/v1/nothing'])('%s is neither’s', async (path) => {
  const answer = await send(`GET ${path} HTTP/1.1\r\n${AUTH}\r\n${CLOSE}\r\n\r\n`)
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
})
