import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProblemView } from '../../src/core/api/videos.ts'
import { KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

/** What node's HTTP parser refuses, byte by byte: answered like everything else, and the connection ends. */
let app: TestApp
beforeAll(async () => {
  app = await openApp()
  servePrimary(app.main)
})
afterAll(() => app.close())

const open = (): { socket: Socket; all: Promise<string> } => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  return { socket, all: once(socket, 'close').then(() => text) }
}
/** What comes back until the gateway ends the connection, which this side leaves open. */
const send = (...parts: (string | Buffer)[]): Promise<string> => {
  const { socket, all } = open()
  for (const part of parts) socket.write(part)
  return all
}

const split = (answer: string): { status: number; headers: Headers; problem: ProblemView } => {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon), field.slice(colon + 1).trim()]
    }),
  )
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
  return { status: Number(line.split(' ')[1]), headers, problem: ProblemView.parse(JSON.parse(body)) }
}

const AUTH = `Host: gateway\r\nAuthorization: Bearer ${KEYS.anna}`
const REFUSED: [string, number, string][] = [
  ['garbage', 400, 'hello gateway, are you there?\r\n\r\n'],
  ['a TLS handshake', 400, '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
  ['a header without a name', 400, `GET /healthz HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n`],
  ['a control character in a header', 400, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\u0001b\r\n\r\n`],
  ['two lengths', 400, `POST /unified/v1/videos HTTP/1.1\r\n${AUTH}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n`],
  [
    'a length and chunks',
    400,
    `POST /unified/v1/videos HTTP/1.1\r\n${AUTH}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ],
  ['headers over 16 KiB', 431, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`],
  ['a path over 16 KiB', 431, `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['headers over a megabyte', 431, `GET /healthz HTTP/1.1\r\nHost: x\r\n${'X-A: aaaaaaaa\r\n'.repeat(80_000)}\r\n`],
  ['a CONNECT', 400, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
  ['no Host', 400, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
]

describe('a request that cannot be read is a problem, under a request id', () => {
  test.each(REFUSED)('%s: %i', async (_name, status, bytes) => {
    const { problem, headers, status: answered } = split(await send(bytes))
    expect(answered).toBe(status)
    expect(problem).toMatchObject({ status, code: 'invalid_request', retryable: false, retry_at: null, errors: [] })
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(headers.get('x-request-id')).toBe(problem.request_id)
    expect(headers.get('connection')).toBe('close')
    expect(problem.request_id).toMatch(/^req_[0-9A-Z]{26}$/)
    const lines = app.logs.filter((line) => line.includes(problem.request_id))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines.join())).toMatchObject({ status, code: 'invalid_request' })
    expect(lines.join()).not.toMatch(/hello gateway|aaaa/)
  })

  test('a body in bad chunks: under the id of its request, once, and nothing is made of it', async () => {
    const head = `POST /unified/v1/videos HTTP/1.1\r\n${AUTH}\r\nX-Request-Id: mine-1\r\nContent-Type: application/json`
    const { status, problem } = split(await send(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`))
    expect([status, problem.code, problem.request_id]).toEqual([400, 'invalid_request', 'mine-1'])
    const lines = () => app.logs.filter((line) => line.includes('mine-1'))
    await until(() => Promise.resolve(lines().length > 0))
    expect(lines().map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { msg: 'request', status: 400, code: 'invalid_request', aborted: true },
    ])
    expect(app.upstream()).toBe(0)
  })

  test('what came whole before it is answered, and its refusal is the last answer', async () => {
    const body = JSON.stringify(MAIN_BODY)
    const head = `POST /unified/v1/videos HTTP/1.1\r\n${AUTH}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    const answer = await send(`${head}\r\n\r\n${body}garbage, and more of it\r\n\r\n`)
    // The first request of a connection is answered before more of it is read.
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 202', 'HTTP/1.1 400'])
    expect(answer.toLowerCase().split('http/1.1 400')[1]).toContain('connection: close')
  })

  test('after an answer on the same connection it is a request of its own', async () => {
    const { socket, all } = open()
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    socket.write('garbage\r\n\r\n')
    expect((await all).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  test('a caller that ends in the middle is told so; one that is gone does no harm', async () => {
    const { socket, all } = open()
    socket.end('GET /healthz HTTP/1.1\r\nHost: x\r\n')
    expect(split(await all).problem.detail).toBe('the request did not arrive completely')
    const gone = open()
    await once(gone.socket, 'connect')
    gone.socket.write('POST /unified/v1/videos HTTP/1.1\r\n')
    gone.socket.resetAndDestroy()
    await gone.all.catch(() => undefined)
    expect(app.logs.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
  })
})

describe('read all the same', () => {
  test.each([
    ['HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
    [
      'an expectation that nobody knows',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: the-best\r\nConnection: close\r\n\r\n',
      200,
    ],
    [
      'two thousand headers',
      `GET /unified/v1/usage HTTP/1.1\r\n${'A:\r\n'.repeat(2_000)}${AUTH}\r\nConnection: close\r\n\r\n`,
      200,
    ],
    [
      'an upgrade that is not spoken',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
  ])('%s', async (_name, bytes, status) => {
    expect(await send(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})
