import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newWebhookSecret } from '../../src/webhooks/sign.ts'
import { seededBytes } from '../fakes/random.ts'
import { answer } from '../fakes/receiver.ts'
import type { Behaviour } from '../fakes/receiver.ts'
import { createHarness, SECRET, verify } from './harness.ts'
import type { Harness } from './harness.ts'

let h: Harness
beforeEach(async () => {
  h = await createHarness()
})
afterEach(async () => {
  vi.useRealTimers()
  await h.close()
})

const at = (path: string, host = 'hooks.example'): string => `http://${host}:${h.receiver.port}${path}`

/** For the public package, which reads the wall clock. */
const setWallClock = (): void => void vi.useFakeTimers({ now: h.clock.now(), toFake: ['Date'] })

describe('one delivery', () => {
  test('sends the stored bytes once, signed, and records it', async () => {
    setWallClock()
    const body = '{"type":"video.completed",  "data":{"text":"Grüße 👋"}}'
    const { id, event } = h.store.add({ url: at('/hook?token=t'), body })
    h.sender.start()
    await h.store.recorded(1)
    expect(h.receiver.requests).toHaveLength(1)
    const [request] = await h.receiver.received(1)
    expect(request).toMatchObject({
      method: 'POST',
      url: '/hook?token=t',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'talkbridge/0.0.0-test',
        'content-length': String(Buffer.byteLength(body)),
        'webhook-id': event.id,
        'webhook-timestamp': String(h.clock.now() / 1000),
      },
    })
    expect(request && verify(request)).toEqual(JSON.parse(body))
    expect(h.store.current(id)).toMatchObject({ status: 'delivered', attempts: 1, nextAttemptAtMs: null })
    expect(await h.store.attempts(id)).toEqual([
      { atMs: h.clock.now(), durationMs: 0, status: 204, error: null, responseBody: '', nextAttemptAtMs: null },
    ])
  })

  test('what starts at once is leased in one write', async () => {
    for (let n = 0; n < 20; n += 1) h.store.add({ url: at('/'), client: `client ${n}` })
    h.sender.start()
    await h.store.recorded(20)
    expect([h.store.calls('claimDeliveries'), h.store.claims()]).toEqual([1, 20])
  })

  test('with nothing to do it asks every five seconds, and when the store says that something is due', async () => {
    h.sender.start()
    await h.clock.advance(0)
    await h.clock.advance(60_000)
    expect(h.store.calls('dueDeliveries')).toBeLessThanOrEqual(14)
    // Another process may have made it due, and given no hint.
    const { id } = h.store.add({ url: at('/'), nextAttemptAtMs: h.clock.now() + 7_000 })
    await h.clock.advance(6_999)
    expect(h.receiver.requests).toHaveLength(0)
    await h.clock.advance(1)
    await h.store.recorded(1)
    expect(h.store.current(id).status).toBe('delivered')
  })

  test('is retried by the schedule with the same id and bytes, a new timestamp and signature', async () => {
    h.receiver.script(answer(500, {}, 'oops'), answer(503, { 'retry-after': '20' }))
    const { id } = h.store.add({ url: at('/') })
    h.sender.start()
    await h.store.recorded(1)
    await h.clock.advance(4_999)
    expect(h.receiver.requests).toHaveLength(1)
    await h.clock.advance(501)
    await h.store.recorded(2)
    await h.clock.advance(19_999)
    expect(h.receiver.requests).toHaveLength(2)
    await h.clock.advance(2_001)
    await h.store.recorded(3)
    const requests = await h.receiver.received(3)
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    for (const name of ['webhook-timestamp', 'webhook-signature'])
      expect(new Set(requests.map(({ headers }) => headers[name])).size).toBe(3)
    setWallClock()
    for (const request of requests) verify(request)
    expect(h.store.current(id)).toMatchObject({ status: 'delivered', attempts: 3 })
    expect((await h.store.attempts(id)).map(({ status, responseBody }) => [status, responseBody])).toEqual([
      [500, 'oops'],
      [503, ''],
      [204, ''],
    ])
  })

  test('ends as failed when its schedule is exhausted: eleven attempts within two hours and three quarters', async () => {
    h.receiver.respond(answer(500))
    const { id } = h.store.add({ url: at('/') })
    const startMs = h.clock.now()
    h.sender.start()
    for (let made = 1; made <= 11; made += 1) {
      await h.store.recorded(made)
      const { nextAttemptAtMs } = h.store.current(id)
      await h.clock.advance(Math.max(0, (nextAttemptAtMs ?? 0) - h.clock.now()))
    }
    expect(h.store.current(id)).toMatchObject({ status: 'failed', attempts: 11, nextAttemptAtMs: null })
    expect(h.tally.counts('delivery_ended')).toEqual([
      { what: 'delivery_ended', labels: { status: 'failed', target: 'video' }, count: 1 },
    ])
    expect(h.clock.now() - startMs).toBeLessThan(1.1 * 7_305_000)
    expect(h.clock.now() - startMs).toBeGreaterThanOrEqual(7_305_000)
    await h.clock.advance(86_400_000)
    expect(h.receiver.requests).toHaveLength(11)
  })

  test('uses the secrets of the moment: a rotation holds for the very next attempt', async () => {
    const rotated = newWebhookSecret(seededBytes(10))
    let secrets = [SECRET]
    const sender = h.another({ secretsOf: async () => secrets })
    h.receiver.script(answer(500))
    h.store.add({ url: at('/') })
    sender.start()
    await h.store.recorded(1)
    secrets = [rotated, SECRET]
    await h.clock.advance(5_500)
    await h.store.recorded(2)
    setWallClock()
    const [first, second] = await h.receiver.received(2)
    expect(() => first && verify(first, rotated)).toThrow()
    for (const secret of secrets) expect(() => second && verify(second, secret)).not.toThrow()
  })
})

describe('whatever the receiver does', () => {
  test.each<
    [string, Behaviour, { status: number | null; error: RegExp | null; waitMs: number | 'delivered' | 'failed' }]
  >([
    ['201', answer(201, {}, 'thanks'), { status: 201, error: null, waitMs: 'delivered' }],
    ['200 and 10 MB', { kind: 'big', status: 200, sizeBytes: 1e7 }, { status: 200, error: null, waitMs: 'delivered' }],
    ['500 and 10 MB', { kind: 'big', status: 500, sizeBytes: 1e7 }, { status: 500, error: /^status/, waitMs: 5_000 }],
    ['redirect', answer(308, { location: '/elsewhere' }), { status: 308, error: /^redirects/, waitMs: 5_000 }],
    ['410', answer(410), { status: 410, error: /^status 410$/, waitMs: 'failed' }],
    ['429', answer(429), { status: 429, error: /^status 429$/, waitMs: 60_000 }],
    ['429, later', answer(429, { 'retry-after': '300' }), { status: 429, error: /^status/, waitMs: 300_000 }],
    ['cut', { kind: 'reset' }, { status: null, error: /^connection: /, waitMs: 5_000 }],
    ['no HTTP', { kind: 'raw', bytes: 'SSH-2.0-x\r\n\r\n' }, { status: null, error: /^connection: /, waitMs: 5_000 }],
    [
      'endless headers',
      { kind: 'raw', bytes: `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n` },
      { status: null, error: /^connection: /, waitMs: 5_000 },
    ],
    [
      'a body shorter than promised',
      { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort' },
      { status: null, error: /^connection: .*200/, waitMs: 5_000 },
    ],
    // Whatever comes after what is kept is not waited for.
    [
      'a body cut after more than is kept',
      { kind: 'raw', bytes: `HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(20_000)}` },
      { status: 200, error: null, waitMs: 'delivered' },
    ],
  ])('%s', async (_what, behaviour, { status, error, waitMs }) => {
    h.receiver.respond(behaviour)
    const { id } = h.store.add({ url: at('/') })
    h.sender.start()
    await h.store.recorded(1)
    const [attempt] = await h.store.attempts(id)
    expect(attempt).toMatchObject({ status, error: error ? expect.stringMatching(error) : null })
    expect(Buffer.byteLength(attempt?.responseBody ?? '')).toBeLessThanOrEqual(16 * 1024)
    if (behaviour.kind === 'big') expect(attempt?.responseBody).toBe('x'.repeat(16 * 1024))
    const { status: state, nextAttemptAtMs } = h.store.current(id)
    if (typeof waitMs === 'string') {
      expect([state, nextAttemptAtMs]).toEqual([waitMs, null])
    } else {
      expect(state).toBe('pending')
      expect(nextAttemptAtMs).toBeGreaterThanOrEqual(h.clock.now() + waitMs)
      expect(nextAttemptAtMs).toBeLessThanOrEqual(h.clock.now() + waitMs * 1.1)
    }
    expect(h.receiver.requests.filter(({ url }) => url === '/elsewhere')).toEqual([])
  })

  test.each<[string, Behaviour, RegExp]>([
    ['hangs', { kind: 'hang' }, /^timeout: no complete answer within 500 ms$/],
    ['hangs in the body', { kind: 'hang_body', status: 200 }, /^timeout: .* status 200 had begun\)$/],
    ['drips', { kind: 'drip', status: 200, everyMs: 5 }, /^timeout: .* status 200 had begun\)$/],
  ])('%s: the timeout is total, and a 2xx that never ends is none', async (_what, behaviour, error) => {
    h.receiver.respond(behaviour)
    const { id } = h.store.add({ url: at('/') })
    h.another({ timeoutMs: 500 }).start()
    await h.store.recorded(1)
    expect((await h.store.attempts(id))[0]).toMatchObject({ status: null, error: expect.stringMatching(error) })
    expect(h.store.current(id).nextAttemptAtMs).toBeGreaterThanOrEqual(h.clock.now() + 60_000)
  })

  test('nobody there: a refused connection is a failed attempt', async () => {
    const { id } = h.store.add({ url: 'http://127.0.0.1:1/' })
    h.sender.start()
    await h.store.recorded(1)
    expect((await h.store.attempts(id))[0]).toMatchObject({
      status: null,
      error: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

test.each([
  ['a refused address', 'http://10.0.0.1/'],
  ['a refused scheme', 'http://1.1.1.1/'],
  ['userinfo', 'https://user@127.0.0.1/'],
  ['no URL', 'nonsense'],
])('the URL is guarded at every attempt: %s', async (_what, url) => {
  const { id } = h.store.add({ url })
  h.sender.start()
  await h.store.recorded(1)
  expect((await h.store.attempts(id))[0]).toMatchObject({
    status: null,
    error: expect.stringMatching(/^connection: the URL is not allowed: /),
  })
  expect(h.store.current(id)).toMatchObject({ status: 'pending', attempts: 1 })
})

test('a name that rebinds between attempts is refused, and nothing is connected to', async () => {
  await h.close()
  const answers = ['127.0.0.1', '169.254.169.254']
  h = await createHarness({ lookup: async () => [{ address: answers.shift() ?? '10.0.0.1', family: 4 }] })
  h.receiver.respond(answer(500, { connection: 'close' }))
  const { id } = h.store.add({ url: at('/') })
  h.sender.start()
  await h.store.recorded(1)
  await h.clock.advance(5_500)
  await h.store.recorded(2)
  expect((await h.store.attempts(id)).map(({ error }) => error)).toEqual([
    'status 500',
    'connection: the address of the host is not allowed: ask the operator to allow it in webhooks.allow',
  ])
  expect(h.receiver.connections()).toBe(1)
})
