import * as fc from 'fast-check'
import { must } from '../fakes/must.ts'
import { isFull } from '../fakes/full.ts'

/** Answers as broken or hostile servers send them. The same in every run. */

/** In the answers, the place of the key of the backend that is asked. As long as those are. */
export const BACKEND_KEY = 'upstream_0123456789'
/** Each backend has its own: it is what makes an account. `name` has ten characters at most. */
export const upstreamKey = (name: string): string => `upstream_${name.padStart(10, '0')}`
export const JSON_TYPE = 'Content-Type: application/json'
export const lengthOf = (body: string): string => `Content-Length: ${Buffer.byteLength(body, 'latin1')}`
const chunked = (body: string, trailer = ''): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailer}\r\n`

/** A whole answer, but for the status line. */
export const plain = (body: string, ...lines: string[]): string => [...lines, lengthOf(body), '', body].join('\r\n')
export const headed = (...lines: string[]): string => plain('{"id":"x"}', JSON_TYPE, ...lines)

/** A connection that was kept and then ended could take the next request with it, which would then meet no answer. */
const LAST = Buffer.from('Connection: close\r\n')
const TWO_ANSWERS = `${headed()}HTTP/1.1 200 OK\r\n${headed()}`

/** Whole answers, but for the status line. */
export const SHAPES: readonly string[] = [
  ...['{}', '[]', 'null', '"x"', '', '{"id":', '\0\u00ff\u00fe', `{"key":"${BACKEND_KEY}"}`, '{"a":'.repeat(5_000)].map(
    (body) => plain(body, JSON_TYPE),
  ),
  plain('<html><script>1</script></html>', 'Content-Type: text/html'),
  plain('x'.repeat(200_000), 'Content-Type: application/octet-stream'),
  `${JSON_TYPE}\r\n\r\n{"until":"the end"}`,
  `${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked('{}')}`,
  `${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n${chunked('{}', 'X-T: 1\r\nContent-Length: 9\r\n')}`,
  `${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n2;${'e'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
  `${JSON_TYPE}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${chunked('{}')}`,
  `${JSON_TYPE}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n${chunked('{}')}`,
  `${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n${chunked('{}')}`,
  `${JSON_TYPE}\r\nContent-Length: 2\r\nContent-Length: 20\r\n\r\n{}GET /admin HTTP/1.1\r\n\r\n`,
  ...['+2', '-1', '2, 2', '0x2', '99999999999999999999', '1000', ''].map(
    (length) => `${JSON_TYPE}\r\nContent-Length: ${length}\r\n\r\n{}`,
  ),
  `${JSON_TYPE}\r\n folded: 1\r\n\tfolded: 2\r\nContent-Length: 2\r\n\r\n{}`,
  `${JSON_TYPE}\rX-A: b\r\nContent-Length: 2\r\n\r\n{}`,
  `${JSON_TYPE}\nX-A: b\nContent-Length: 2\n\n{}`,
  ...['X-A : b', 'X-A: \0', 'X-\0: a', ': a', 'X A: b', `X-A: ${'a'.repeat(40_000)}`].map((line) => headed(line)),
  headed('Set-Cookie: a=1', 'Set-Cookie: b=2; Domain=.example'),
  headed('Location: http://127.0.0.1:1/elsewhere'),
  headed('Location: \u00ff\u00fe//'),
  headed('Content-Encoding: gzip'),
  headed('Content-Encoding: br, gzip, snappy'),
  headed('Upgrade: h2c', 'Connection: Upgrade'),
  headed('Connection: close, etag, content-type', 'ETag: "\u00ff"'),
  headed('Retry-After: -1', 'Date: never', 'X-RateLimit-Reset: NaN'),
  headed('Content-Range: bytes 0-1/*', 'Accept-Ranges: \u0080'),
  headed('X-Request-Id: a b', `Request-Id: ${BACKEND_KEY}`),
  headed(...Array.from({ length: 2_500 }, (_, n) => `X-${n}: ${n}`)),
  headed(...Array.from({ length: 50 }, () => 'Vary: a')),
  TWO_ANSWERS,
  JSON_TYPE,
  '',
]
/** What comes before the answer. */
const BEFORE: readonly string[] = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000),
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
  '\r\n\r\n',
  'SSH-2.0-server\r\n',
]

interface Change {
  at: number
  byte: number
}
interface Sampled {
  shape: string
  before: string
  version: string
  reason: string
  changes: readonly Change[]
}
const change = fc.record({ at: fc.nat(400), byte: fc.nat(255) })
const made = fc.record({
  shape: fc.constantFrom(...SHAPES),
  before: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...BEFORE) }),
  version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'http/1.1'),
  reason: fc.constantFrom(' OK', '', ' ', ' \u00ff\u00fe', ` ${'x'.repeat(500)}`),
  changes: fc.oneof(fc.constant<Change[]>([]), fc.array(change, { minLength: 1, maxLength: 4 })),
})
const mangled = (text: string, changes: readonly Change[]): Buffer => {
  const bytes = Buffer.from(text, 'latin1')
  for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte
  return bytes
}

export interface Answer {
  status: number
  bytes: Buffer
}
const answerOf = (status: number, { shape, before, version, reason, changes }: Sampled): Answer => {
  const line = `${before}${version} ${String(status).padStart(3, '0')}${reason}\r\n`
  const bytes = mangled(line + shape, changes)
  const parts = [bytes.subarray(0, line.length), shape === TWO_ANSWERS ? '' : LAST, bytes.subarray(line.length)]
  return { status, bytes: Buffer.concat(parts.map((part) => Buffer.from(part))) }
}

const STATUSES = 1_000
const SAMPLED = fc.sample(made, { numRuns: STATUSES, seed: 1_042 })
/** They close an account, as they should: nothing goes there after them. */
const CLOSING: readonly number[] = [401, 403, 429]
/** In `npm test`. Odd, so that no status class is met with the same last digits alone. */
const STRIDE = 13

const WHOLE = { version: 'HTTP/1.1', reason: ' OK', changes: [] }
/** Each shape under a 200, and each of what comes before; then each status from 0 to 999 once. */
const GIVEN: readonly Answer[] = [
  ...SHAPES.map((shape) => answerOf(200, { ...WHOLE, shape, before: '' })),
  ...BEFORE.map((before) => answerOf(200, { ...WHOLE, shape: must(SHAPES[0]), before })),
]
const OF_EACH_STATUS = SAMPLED.map((sampled, status) => answerOf(status, sampled))
const isMet = ({ status }: Answer): boolean => isFull || status % STRIDE === 0 || CLOSING.includes(status)

/** What goes down each road. Those that close an account are the last. */
export const ANSWERS: readonly Answer[] = [...GIVEN, ...OF_EACH_STATUS.filter(isMet)].toSorted(
  (a, b) => Number(CLOSING.includes(a.status)) - Number(CLOSING.includes(b.status)),
)
export const CLOSING_ANSWERS = CLOSING.length
/** A small answer with each status that is none (RFC 9110, 15), or that tells no end. */
export const OF_NO_STATUS: readonly Answer[] = Array.from({ length: STATUSES }, (_, status) => status)
  .filter((status) => status < 200 || status > 599)
  .map((status) => answerOf(status, { ...WHOLE, shape: headed(), before: '' }))

/** Requests to `path` as hostile: heads and bodies of the shapes. Half of them are whole. */
export const mangledRequests = (path: string): Buffer[] =>
  SAMPLED.filter((_, n) => isFull || n % STRIDE === 0 || n < SHAPES.length).map(({ shape, changes }, n) => {
    const whole = n < SHAPES.length ? must(SHAPES[n]) : shape
    const body = whole.slice(whole.indexOf('\r\n\r\n') + 4, 60_000)
    const isWhole = n % 2 === 0
    const head = isWhole ? `${JSON_TYPE}\r\n${lengthOf(body)}\r\n\r\n${body}` : whole
    return mangled(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}`, isWhole ? [] : changes)
  })
