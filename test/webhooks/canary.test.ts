import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../src/log.ts'
import { answer, type Behaviour } from '../fakes/receiver.ts'
import { createHarness, SECRET, type Harness } from './harness.ts'

/** A stranger says this wherever it may say something. */
const SAID = 'CANARY_OF_THE_RECEIVER'
const URL_SECRET = 'CANARY_OF_THE_URL'
const BODY = 'CANARY_OF_THE_EVENT'

const EVERYTHING: readonly Behaviour[] = [
  answer(200, { 'x-said': SAID, 'set-cookie': SAID }, SAID),
  answer(302, { location: `https://example.com/?${SAID}` }, SAID),
  answer(401, { 'www-authenticate': SAID }, SAID),
  answer(410, {}, SAID),
  answer(429, { 'retry-after': SAID }, SAID),
  answer(500, { 'x-said': SAID }, SAID.repeat(2_000)),
  { kind: 'hang' },
  { kind: 'hang_body', status: 200 },
  { kind: 'reset' },
  // Where parsers of HTTP are tempted to show what they could not read.
  { kind: 'raw', bytes: `${SAID}\r\n\r\n` },
  { kind: 'raw', bytes: `HTTP/1.1 200 ${SAID}\r\n${SAID}\r\n\r\n` },
  { kind: 'raw', bytes: `HTTP/1.1 ${SAID}\r\n\r\n` },
  { kind: 'raw', bytes: `HTTP/1.1 200 OK\r\ncontent-length: ${SAID}\r\n\r\n` },
  { kind: 'raw', bytes: `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${SAID}\r\n` },
  { kind: 'raw', bytes: `HTTP/1.1 200 OK\r\nx-${SAID}: ${'x'.repeat(100_000)}\r\n\r\n` },
  { kind: 'raw', bytes: `HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${SAID.slice(0, 5)}` },
]

let h: Harness
afterEach(() => h.close())

test('whatever a receiver says or does, no log line holds it, nor a path, a query, a body or a secret', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'trace', format: 'json' }, { write: (line) => void lines.push(line) }, false)
  h = await createHarness()
  h.receiver.respond(({ url }) => EVERYTHING[Number(url.split('/')[1])] ?? { kind: 'reset' })
  const add = (path: string, origin = h.receiver.url): unknown =>
    h.store.add({ url: `${origin}/${path}/${URL_SECRET}?token=${URL_SECRET}`, body: `{"text":"${BODY}"}` })
  for (const n of EVERYTHING.keys()) add(String(n))
  const elsewhere = [
    'http://127.0.0.1:1',
    'https://10.0.0.1',
    `https://${URL_SECRET}:${URL_SECRET}@example.com`,
    `https://127.0.0.1:${h.receiver.port}`,
    `nonsense ${URL_SECRET}`,
  ]
  for (const origin of elsewhere) add('x', origin)
  const count = EVERYTHING.length + elsewhere.length
  // Faults of the gateway itself are logged with their cause.
  h.store.fail('attempted', 2)
  h.store.fail('dueDeliveries', 1)
  h.another({ log, timeoutMs: 500 }).start()
  const ids = Array.from({ length: count }, (_, n) => `dlv_${String(n + 1).padStart(4, '0')}`)
  while (ids.some((id) => h.store.current(id).attempts === 0)) await h.clock.advance(100)

  const text = lines.join('')
  expect(lines.filter((line) => line.includes('"webhook attempt"')).length).toBeGreaterThanOrEqual(count)
  expect(text).toContain('webhook attempt not recorded yet')
  expect(text).not.toContain('CANARY')
  expect(text).not.toContain(SECRET.slice('whsec_'.length))
  // It is the receiver's client that may read what was answered, and an error never shows it.
  const attempts = (await Promise.all(ids.map((id) => h.store.attempts(id)))).flat()
  expect(attempts.filter(({ responseBody }) => responseBody?.includes(SAID)).length).toBeGreaterThanOrEqual(6)
  for (const { error } of attempts) expect(error ?? '').not.toMatch(/CANARY/)
})
