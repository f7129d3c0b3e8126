import { once } from 'node:events'
import * as fc from 'fast-check'
import { get as plainGet } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { must } from '../fakes/must.ts'
import { HANG_MS } from '../fakes/until.ts'
import { startAttacked, type Attacked } from './process.ts'

/**
 * 1,000 mangled answers on every road out, and as many mangled callbacks in: each of the statuses 0 to 999 once, under
 * heads and bodies as broken or hostile servers send them, many with some of their bytes changed. The gateway runs in a
 * process of its own, which must be alive afterwards.
 */

const COUNT = 1_000
const KEY = 'tb_anna_0123456789abcdef'
const BACKEND_KEY = 'upstream_0123456789'
const JSON_TYPE = 'Content-Type: application/json'
const lengthOf = (body: string): string => `Content-Length: ${Buffer.byteLength(body, 'latin1')}`
const chunked = (body: string, trailer = ''): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailer}\r\n`

/** Whole answers, but for the status line. */
const plain = (body: string, ...lines: string[]): string => [...lines, lengthOf(body), '', body].join('\r\n')
const headed = (...lines: string[]): string => plain('{"id":"x"}', JSON_TYPE, ...lines)
const SHAPES: readonly string[] = [
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
  `${headed()}HTTP/1.1 200 OK\r\n${headed()}`,
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

const change = fc.record({ at: fc.nat(400), byte: fc.nat(255) })
const made = fc.record({
  shape: fc.nat(SHAPES.length - 1),
  before: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...BEFORE) }),
  version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'http/1.1'),
  reason: fc.constantFrom(' OK', '', ' ', ' \u00ff\u00fe', ` ${'x'.repeat(500)}`),
  changes: fc.oneof(fc.constant<{ at: number; byte: number }[]>([]), fc.array(change, { minLength: 1, maxLength: 4 })),
})
const mangled = ({ changes, text }: { changes: { at: number; byte: number }[]; text: string }): Buffer => {
  const bytes = Buffer.from(text, 'latin1')
  for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte
  return bytes
}
const SAMPLED = fc.sample(made, { numRuns: COUNT, seed: 1_042 })
const ANSWERS: readonly Buffer[] = SAMPLED.map(({ shape, before, version, reason, changes }, status) =>
  mangled({
    changes,
    text: `${before}${version} ${String(status).padStart(3, '0')}${reason}\r\n${SHAPES[shape]}`,
  }),
)
/** They close an account, as they should: what comes after them would not go out. */
const CLOSING = [401, 403, 429]
const WITH_KEY = ANSWERS.filter((answer) => !CLOSING.some((status) => answer.includes(` ${status}`)))

const listening = async (
  answer: (socket: Socket, head: string) => void,
): Promise<{ port: number; end: () => void }> => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let head = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      if (head.includes('\r\n\r\n')) return
      head += bytes.toString('latin1')
      if (head.includes('\r\n\r\n')) answer(socket, head)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, end: () => void server.close() }
}

const good = (body: unknown, status = '200 OK'): Buffer =>
  Buffer.from(`HTTP/1.1 ${status}\r\n${plain(JSON.stringify(body), JSON_TYPE, 'Connection: close')}`)
/** As many samples as answers: one that came whole stays in memory, and is not requested again. */
const VOICES = good({
  object: 'list',
  data: Array.from({ length: COUNT + 1 }, (_, n) => ({
    id: `v${n}`,
    name: `v${n}`,
    preview_url: `/samples/v${n}.wav`,
  })),
})
const NOT_FOUND = good({ error: 'puppet_not_found', message: 'no' }, '404 Not Found')

/** Answers by the path; `next` is what a road gets, counted. */
const startMangler = async () => {
  let next: Buffer | null = null
  const sent = { mangled: 0 }
  let callback = ''
  const { port, end } = await listening((socket, head) => {
    const path = head.split(' ', 2)[1] ?? ''
    const isCatalog = path === '/api/v1/voices/service'
    const found = /"webhook_url":"([^"]+)"/.exec(head)?.[1]
    if (path === '/v1/videos') {
      const read = (text: string): void => void (callback = /"webhook_url":"([^"]+)"/.exec(text)?.[1] ?? callback)
      socket.on('data', (bytes) => read(bytes.toString()))
      if (found !== undefined) callback = found
      else read(head)
      return void socket.end(good({ id: 'job_1', status: 'queued' }))
    }
    if (isCatalog || next === null) return void socket.end(isCatalog ? VOICES : NOT_FOUND)
    sent.mangled += 1
    socket.end(next)
    next = null
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    end,
    sent,
    callback: () => callback,
    load: (answer: Buffer | null) => void (next = answer),
  }
}

/** Whatever comes back, or that it broke off. */
const asked = async (url: string, init: RequestInit = {}): Promise<{ status: number; text: string } | null> => {
  try {
    const response = await fetch(url, { redirect: 'manual', ...init })
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}
const AUTHORIZED = { authorization: `Bearer ${KEY}` }

const stage = async () => {
  const mangler = await startMangler()
  onTestFinished(mangler.end)
  const backend = { base_url: mangler.url, api_key: BACKEND_KEY, requests_per_minute: 100_000, timeout: '30s' }
  const attacked = await startAttacked({
    server: { port: 0, public_url: 'http://127.0.0.1:1' },
    backends: { main: { interface: 'primary', ...backend }, alt: { interface: 'alternate', ...backend } },
    clients: [{ id: 'anna', key: KEY, limits: { requests_per_minute: 1_000_000 } }],
    webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
  })
  return { mangler, attacked, url: attacked.url }
}
type Stage = Awaited<ReturnType<typeof stage>>

const isAlive = async ({ url }: Pick<Attacked, 'url'>): Promise<void> =>
  expect(await asked(`${url}/healthz`)).toMatchObject({ status: 200 })

/** Sends each answer down a road, which must take it. What comes back is HTTP, or breaks off. */
const drive = async (
  { mangler, attacked }: Stage,
  answers: readonly Buffer[],
  road: (n: number) => Promise<number | null>,
) => {
  const statuses: (number | null)[] = []
  for (const [n, answer] of answers.entries()) {
    mangler.load(answer)
    statuses.push(await road(n))
  }
  expect(mangler.sent.mangled).toBe(answers.length)
  expect(statuses.filter((status) => status !== null && (status < 200 || status > 599))).toEqual([])
  await isAlive(attacked)
  return statuses
}

/** A proper answer after every third: five broken ones in a row close the account for a while. */
const speakWell = async ({ mangler, url }: Stage, n: number): Promise<void> => {
  if (n % 3 < 2) return
  mangler.load(null)
  expect(await asked(`${url}/unified/v1/puppets/main:good${n}`, { headers: AUTHORIZED })).toMatchObject({ status: 404 })
}

test('a third of the answers and more are HTTP for a plain client', async () => {
  const mangler = await startMangler()
  let parsed = 0
  for (const answer of ANSWERS) {
    mangler.load(answer)
    await new Promise<void>((resolve) => {
      const request = plainGet(`${mangler.url}/x`, { agent: false }, (response) => {
        parsed += 1
        response
          .on('error', () => undefined)
          .on('close', resolve)
          .resume()
      })
      request.on('error', () => resolve()).on('upgrade', (_res, socket) => (socket.destroy(), resolve()))
    })
  }
  mangler.end()
  expect(mangler.sent.mangled).toBe(COUNT)
  expect(parsed).toBeGreaterThan(COUNT / 3)
})

// Each sends a thousand: the limit is for what hangs, and grows with them.
describe('a thousand mangled answers end no process', { timeout: 4 * HANG_MS }, () => {
  test('of what is handed through', async () => {
    const at = await stage()
    const statuses = await drive(at, WITH_KEY, async (n) => {
      const path = `${at.url}/api/v1/voices/service?n=${n}`
      const answered = await asked(path, { headers: AUTHORIZED })
      await speakWell(at, n)
      return answered?.status ?? null
    })
    expect(new Set(statuses)).toContain(502)
    at.mangler.load(Buffer.from(`HTTP/1.1 042 X\r\n${headed()}`))
    expect(await asked(`${at.url}/api/v1/voices/service?n=042`, { headers: AUTHORIZED })).toMatchObject({ status: 502 })
    await isAlive(at.attacked)
  })

  test('of samples, without a key', async () => {
    const at = await stage()
    const sample = async (n: number) => (await asked(`${at.url}/samples/v${n}.wav`))?.status ?? null
    await drive(at, ANSWERS, sample)
    at.mangler.load(Buffer.from(`HTTP/1.1 042 X\r\n${headed()}`))
    expect(await sample(COUNT)).toBe(502)
    await isAlive(at.attacked)
  })

  test('of what the gateway reads itself', async () => {
    const at = await stage()
    const statuses = await drive(at, WITH_KEY, async (n) => {
      const answered = await asked(`${at.url}/unified/v1/puppets/main:p${n}`, { headers: AUTHORIZED })
      await speakWell(at, n)
      return answered?.status ?? null
    })
    expect(statuses).not.toContain(500)
  })

  test('of media in the console', async () => {
    const at = await stage()
    const signedIn = await fetch(`${at.url}/console/session`, {
      method: 'POST',
      headers: { 'x-talkbridge-console': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify({ key: KEY }),
    })
    const cookie = must(must(signedIn.headers.get('set-cookie')).split(';', 1)[0])
    const statuses = await drive(at, ANSWERS, async () => {
      const path = `${at.url}/console/media/voices/main:v1`
      return (
        (await asked(path, { headers: { cookie, 'x-talkbridge-console': '1', 'sec-fetch-site': 'same-origin' } }))
          ?.status ?? null
      )
    })
    expect(statuses).not.toContain(500)
  })

  test('of receivers of webhooks, and none shows an inside of the gateway', async () => {
    const at = await stage()
    const headers = { ...AUTHORIZED, 'content-type': 'application/json' }
    const endpoints = `${at.url}/unified/v1/webhook_endpoints`
    const created = await fetch(endpoints, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: `${at.mangler.url}/hook` }),
    })
    const { id } = (await created.json()) as { id: string }
    const send = () => asked(`${endpoints}/${id}/test`, { method: 'POST', headers: AUTHORIZED })
    await drive(at, ANSWERS, async () => {
      const answered = await send()
      expect(answered?.text).not.toMatch(/assert|falsy/)
      return answered?.status ?? null
    })
    at.mangler.load(Buffer.from(`HTTP/1.1 042 X\r\n${headed()}`))
    expect(JSON.parse((await send())?.text ?? '')).toMatchObject({
      delivered: false,
      error: 'connection: the answer is not valid HTTP',
    })
  })
})

test(
  'a thousand mangled callbacks end no process, and a third of them are read',
  { timeout: 4 * HANG_MS },
  async () => {
    const at = await stage()
    const created = await asked(`${at.url}/unified/v1/videos`, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: JSON.stringify({ backend: 'alt', puppet_id: 'pup_1', text: 'Hello' }),
    })
    expect(created).toMatchObject({ status: 202 })
    const { pathname } = new URL(at.mangler.callback())
    let read = 0
    for (const [n, { shape, changes }] of SAMPLED.entries()) {
      const whole = must(SHAPES[shape])
      const body = whole.slice(whole.indexOf('\r\n\r\n') + 4, 60_000)
      const head = n % 2 === 0 ? `${JSON_TYPE}\r\n${lengthOf(body)}\r\n\r\n${body}` : whole
      const request = mangled({
        changes: n % 2 === 0 ? [] : changes,
        text: `POST ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}`,
      })
      const socket = connect(Number(new URL(at.url).port), '127.0.0.1')
      let text = ''
      socket.on('error', () => undefined).on('data', (bytes) => (text += bytes.toString('latin1')))
      socket.end(request)
      await new Promise((resolve) => socket.once('close', resolve))
      if (text.startsWith('HTTP/1.1 204')) read += 1
    }
    expect(read).toBeGreaterThan(COUNT / 3)
    await isAlive(at.attacked)
  },
)
