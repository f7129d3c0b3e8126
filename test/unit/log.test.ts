import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { isExpected, logFailure } from '../../src/core/log.ts'
import { createLog } from '../../src/log.ts'
import { until } from '../fakes/until.ts'

const lineOf = (fields: Record<string, unknown>): string => {
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'json' }, { write: (line: string) => void lines.push(line) }, false)
  log.info(fields, 'said')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}
const SECRET = 'a-secret-of-somebody'

describe('a field of a secret name is never read in a log', () => {
  const NAMES = ['authorization', 'api_key', 'apiKey', 'key', 'secret', 'webhook_secret', 'token', 'sig', 'password']
  const PLACES: Record<string, (field: Record<string, unknown>) => Record<string, unknown>> = {
    'by itself': (field) => field,
    'within another': (inner) => ({ inner }),
    'deep within': (deep) => ({ a: { b: { c: { deep } } } }),
    'in a list': (one) => ({ all: [{ other: 1 }, one] }),
    'of an error': (held) => ({ err: Object.assign(new Error('failed'), held) }),
    'of what an error holds': (details) => ({ err: new Problem('backend_error', 'failed', { details }) }),
  }
  test.each(Object.entries(PLACES))('%s', (_, place) => {
    for (const name of NAMES) {
      for (const value of [SECRET, [SECRET], { is: SECRET }]) {
        const line = lineOf({ ...place({ [name]: value, beside: 'shown' }) })
        expect(line, name).not.toContain(SECRET)
        expect(line).toContain(`"${name}":"[redacted]"`)
        expect(line).toContain('"beside":"shown"')
      }
    }
  })
})

test('everything else is shown as it is, and what was handed over stays as it was', () => {
  const fields = { video_id: 'vid_1', n: 1, none: null, list: [1, { a: 'b' }], inner: { token: SECRET } }
  const line = lineOf(fields)
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: expect.any(String),
    msg: 'said',
    ...fields,
    inner: { token: '[redacted]' },
  })
  expect(fields.inner.token).toBe(SECRET)
})

const coded = (message: string, code: string, cause?: Error): Error =>
  Object.assign(new Error(message, { cause }), { code })
const away = coded('connect ECONNREFUSED 127.0.0.1:6379', 'ECONNREFUSED')

test.each<[string, unknown, boolean]>([
  ['nobody listens', away, true],
  ['several addresses in vain', Object.assign(new AggregateError([away, away], ''), { code: 'ECONNREFUSED' }), true],
  ['a full disk', coded('write', 'ENOSPC'), true],
  ['undici gave up', coded('Headers Timeout Error', 'UND_ERR_HEADERS_TIMEOUT'), true],
  ['the proxy refused', coded('PROXY_ANSWERED_502: no', 'PROXY_ANSWERED_502'), true],
  ['no resolver answers', coded('getaddrinfo EAI_AGAIN db.example', 'EAI_AGAIN'), true],
  ['PostgreSQL takes another password by now', coded('password authentication failed', '28P01'), true],
  ['PostgreSQL stops', coded('terminating connection', '57P01'), true],
  ['its connection ended', Object.assign(new Error('Connection terminated'), { kind: 'disconnected' }), true],
  ['SQLite is full', Object.assign(coded('full', 'ERR_SQLITE_ERROR'), { errcode: 13 }), true],
  ['what is told to a client', new Problem('backend_timeout', 'too late'), true],
  ['it is only the cause', new Error('could not', { cause: away }), true],
  ['so is that of an unknown fault', new Problem('internal_error', 'wrong', { cause: away }), true],
  ['a mistake', new TypeError('x is not a function'), false],
  ['a wrong argument', coded('must be of type string', 'ERR_INVALID_ARG_TYPE'), false],
  ['a wrong statement', coded('syntax error', '42601'), false],
  ['a constraint', Object.assign(coded('UNIQUE', 'ERR_SQLITE_ERROR'), { errcode: 2067 }), false],
  ['undici was used wrongly', coded('invalid path', 'UND_ERR_INVALID_ARG'), false],
  ['an unknown fault', new Problem('internal_error', 'wrong', { cause: new Error('why') }), false],
  ['no error', 'a word', false],
])('%s: is it no fault of the gateway?', (_what, error, expected) => {
  expect(isExpected(error)).toBe(expected)
})

test('what others did is a warning of one line that says why, once; a mistake is an error with its place', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'json' }, { write: (line: string) => void lines.push(line) }, false)
  const failed = new Error('connect ECONNREFUSED 127.0.0.1:6379', { cause: away })
  logFailure(log, { err: new Problem('backend_unavailable', 'not now', { cause: failed, backend: 'main' }) }, 'failed')
  logFailure(log, { err: new TypeError('x is not a function') }, 'failed')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: 'warn',
      err: {
        type: 'Problem',
        message: 'not now: connect ECONNREFUSED 127.0.0.1:6379',
        code: 'backend_unavailable',
        extras: { backend: 'main' },
      },
    },
    { level: 'error', err: { type: 'TypeError', stack: expect.stringContaining('log.test.ts') } },
  ])
  expect(lines[0]).not.toMatch(/stack|cause/)
})

test('on a terminal a line says what happened, then who and what; no control character of anybody reaches it', async () => {
  const terminal = new PassThrough()
  // Without colours, as NO_COLOR asks.
  const log = createLog({ level: 'info', format: 'auto' }, terminal, true, false)
  const request = { request_id: 'req_1', method: 'GET', path: '/v1/a\u009b31m', duration_ms: 3, client: 'acme' }
  log.info({ ...request, status: 200 }, 'request')
  log.info({ ...request, status: 404, token: SECRET }, 'request')
  log.warn({ backends: ['main'], reason: 'down\u202enow', err: away }, 'the backend is not well')
  log.error({ err: new TypeError('x is not a function') }, 'failed')
  let text = ''
  terminal.setEncoding('utf8').on('data', (part: string) => (text += part))
  await until(() => text.includes(' at '))
  const lines = text.split(/(?<=\n)(?=\[)/)
  const time = String.raw`\[\d\d:\d\d:\d\d\]`
  expect(lines.slice(0, 3)).toEqual(
    [
      'INFO: GET /v1/a\\?31m 200 3 ms {2}client=acme',
      'INFO: GET /v1/a\\?31m 404 3 ms {2}client=acme token="\\[redacted\\]" request_id=req_1',
      'WARN: the backend is not well: connect ECONNREFUSED 127.0.0.1:6379 {2}backends=\\["main"\\] reason="down\\?now"',
    ].map((line) => expect.stringMatching(new RegExp(`^${time} ${line}\n$`)) as unknown),
  )
  expect(lines[3]).toMatch(/ ERROR: failed: x is not a function\n {4}TypeError: .+\n {4} +at .+log\.test\.ts/)
  expect(lines).toHaveLength(4)
})
