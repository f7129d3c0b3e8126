import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { TalkbridgeError } from '../src/error.ts'
import { retryAfterMs, retryDelayMs } from '../src/send.ts'
import { answer, type Behaviour } from '../../../test/fakes/receiver.ts'
import { clientStage, json, KEY, NOW_MS, problem, thrown } from './stage.ts'

const VIDEO = { id: 'vid_1', object: 'video', status: 'queued' }
const OK = json(200, VIDEO)
const CREATED = json(202, VIDEO)
const BUSY = problem(503, 'backend_unavailable', { retryable: true })
const RESET: Behaviour = { kind: 'reset' }

describe('when it is sent again', () => {
  test.each<[string, number | null]>([
    ['12', 12_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['-1', null],
  ])('Retry-After: %s', (header, ms) => {
    expect(retryAfterMs(header, NOW_MS)).toBe(ms)
  })

  const tried = { retries: 0, maxRetries: 4, isRepeatable: false }
  const told = { status: 503, retryable: true, problem: {} as TalkbridgeError['problem'] & object }
  const unanswered = new TalkbridgeError('connection_failed', 'no answer', { retryable: true })
  test.each([
    ['the gateway says so', { ...tried, error: new TalkbridgeError('backend_unavailable', '', told) }, 250, 500],
    [
      'and it doubles',
      { ...tried, retries: 2, error: new TalkbridgeError('backend_unavailable', '', told) },
      1_000,
      2_000,
    ],
    [
      'to a limit',
      { ...tried, retries: 9, maxRetries: 10, error: new TalkbridgeError('internal_error', '', told) },
      4_000,
      8_000,
    ],
    [
      'no earlier than told',
      { ...tried, error: new TalkbridgeError('rate_limited', '', { ...told, retryAfterMs: 5_000 }) },
      5_000,
      5_250,
    ],
    ['no answer, safe to repeat', { ...tried, isRepeatable: true, error: unanswered }, 250, 500],
  ])('%s', (_, one, least, most) => {
    expect([retryDelayMs(one, () => 0), retryDelayMs(one, () => 1)]).toEqual([least, most])
  })

  test.each([
    [
      'the gateway says no',
      { ...tried, error: new TalkbridgeError('invalid_request', '', { ...told, retryable: false }) },
    ],
    ['often enough', { ...tried, retries: 4, error: new TalkbridgeError('internal_error', '', told) }],
    ['too long', { ...tried, error: new TalkbridgeError('quota_exceeded', '', { ...told, retryAfterMs: 60_001 }) }],
    ['no answer, and who knows what became of it', { ...tried, error: unanswered }],
  ])('not: %s', (_, one) => {
    expect(retryDelayMs(one, () => 0)).toBe(null)
  })
})

describe('over the line', () => {
  test('a create keeps its idempotency key over what is lost, and another create has another', async () => {
    const { server, talkbridge, runtime } = await clientStage()
    server.script(RESET, BUSY, answer(502, {}, '<html>bad gateway</html>'), CREATED, CREATED)
    expect((await talkbridge.videos.create({ text: 'Once.' })).id).toBe('vid_1')
    await talkbridge.videos.create({ text: 'Twice.' })
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys.slice(0, 4)).size).toBe(1)
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(server.requests.slice(0, 4).map(({ body }) => body)).toEqual(
      Array.from({ length: 4 }, () => '{"text":"Once."}'),
    )
    expect(runtime.pauses).toEqual([250, 500, 1_000])
  })

  test('your own idempotency key is sent, and stands in the error', async () => {
    const { server, talkbridge } = await clientStage({ maxRetries: 1 })
    server.respond(RESET)
    const error = await thrown(talkbridge.videos.create({ text: 'Once.' }, { idempotencyKey: 'order-1' }))
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-1', 'order-1'])
    expect(error).toMatchObject({ code: 'connection_failed', status: null, retryable: true, idempotencyKey: 'order-1' })
  })

  test('Retry-After is obeyed', async () => {
    const { server, talkbridge, runtime } = await clientStage()
    const limited = (headers: Record<string, string>) => problem(429, 'rate_limited', { retryable: true, headers })
    server.script(limited({ 'retry-after': '7' }), limited({ 'retry-after': 'Fri, 20 Nov 2026 10:00:20 GMT' }), OK)
    await talkbridge.videos.get('vid_1')
    expect(runtime.pauses).toEqual([7_000, 20_000])
  })

  test('what takes longer than a minute is yours to decide', async () => {
    const { server, talkbridge, runtime } = await clientStage()
    server.respond(problem(429, 'quota_exceeded', { retryable: true, retry_after_seconds: 86_400 }))
    const error = await thrown(talkbridge.videos.create({ text: 'Hi.' }))
    expect(error).toMatchObject({ code: 'quota_exceeded', retryAfterMs: 86_400_000 })
    expect([server.requests.length, runtime.pauses]).toEqual([1, []])
  })

  test('it ends after maxRetries', async () => {
    const { server, talkbridge } = await clientStage({ maxRetries: 2 })
    server.respond(BUSY)
    expect(await thrown(talkbridge.videos.get('vid_1'))).toMatchObject({ code: 'backend_unavailable', status: 503 })
    expect(server.requests).toHaveLength(3)
  })

  test('what the gateway refuses is sent once', async () => {
    const { server, talkbridge } = await clientStage()
    const errors = [{ path: 'text', message: 'must not be blank' }]
    server.respond(problem(400, 'invalid_request', { param: 'text', errors }))
    const error = await thrown(talkbridge.videos.create({ text: '' }))
    expect(error).toBeInstanceOf(TalkbridgeError)
    const told = {
      code: 'invalid_request',
      status: 400,
      title: 'A title',
      message: 'what happened',
      requestId: 'req_1',
    }
    expect(error).toMatchObject({ ...told, retryable: false, param: 'text', errors })
    expect(server.requests).toHaveLength(1)
  })

  test('a cancel is not sent again when nobody knows what became of it, but when the gateway asks for it', async () => {
    const { server, talkbridge } = await clientStage()
    server.script(RESET)
    expect(await thrown(talkbridge.videos.cancel('vid_1'))).toMatchObject({ code: 'connection_failed' })
    expect(server.requests).toHaveLength(1)
    server.script(BUSY, OK)
    await talkbridge.videos.cancel('vid_1')
    expect(server.requests).toHaveLength(3)
  })

  test('an answer that breaks off is read anew', async () => {
    const { server, talkbridge } = await clientStage()
    server.script(answer(200, { 'content-type': 'application/json', 'content-length': '900' }, '{"id":'), OK)
    const reading = talkbridge.videos.get('vid_1')
    await server.received(1)
    server.cut()
    expect((await reading).id).toBe('vid_1')
  })

  test('no answer in time is sent again, then told', async () => {
    const { server, talkbridge, runtime } = await clientStage({ maxRetries: 1 })
    server.respond({ kind: 'hang' })
    const failed = thrown(talkbridge.videos.create({ text: 'Hi.' }))
    for (const count of [1, 2]) {
      await server.received(count)
      runtime.expire()
    }
    expect(await failed).toMatchObject({ code: 'timeout', status: null, retryable: true })
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
  })

  test('your signal ends it with your reason: before, while it is asked, and in a pause', async () => {
    const { server, talkbridge, runtime } = await clientStage()
    server.respond({ kind: 'hang' })
    const before = new Error('no longer wanted')
    expect(await thrown(talkbridge.videos.get('vid_1', { signal: AbortSignal.abort(before) }))).toBe(before)
    expect(server.requests).toHaveLength(0)
    const asked = new AbortController()
    const asking = thrown(talkbridge.videos.create({ text: 'Hi.' }, { signal: asked.signal }))
    await server.received(1)
    asked.abort(before)
    expect(await asking).toBe(before)
    const paused = new AbortController()
    server.respond(problem(429, 'rate_limited', { retryable: true, headers: { 'retry-after': '9' } }))
    runtime.onPause = () => queueMicrotask(() => paused.abort(before))
    expect(await thrown(talkbridge.videos.get('vid_1', { signal: paused.signal }))).toBe(before)
    expect([server.requests.length, runtime.pauses]).toEqual([2, [9_000]])
  })
})

describe('the key', () => {
  test('goes to the gateway, and is asked for before every attempt', async () => {
    const keys = ['first-key', 'second-key']
    const { server, talkbridge } = await clientStage({ key: () => Promise.resolve(keys.shift() ?? '') })
    server.script(BUSY, OK)
    await talkbridge.videos.get('vid_1')
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first-key',
      'Bearer second-key',
    ])
  })

  test('does not follow a redirect, and stands in no error', async () => {
    const { server, talkbridge } = await clientStage({ maxRetries: 0 })
    const other = (await clientStage()).server
    const errors: unknown[] = []
    for (const behaviour of [
      answer(302, { location: `${other.url}/unified/v1/videos/vid_1` }),
      answer(307, { location: '/elsewhere' }),
      answer(500, {}, 'something broke'),
      problem(401, 'unauthenticated'),
      RESET,
    ]) {
      server.script(behaviour)
      errors.push(await thrown(talkbridge.videos.get('vid_1')))
    }
    const codes = errors.map((error) => (error as TalkbridgeError).code)
    const foreign = 'unexpected_answer'
    expect(codes).toEqual([foreign, foreign, foreign, 'unauthenticated', 'connection_failed'])
    expect([server.requests.length, other.requests.length]).toEqual([5, 0])
    expect(inspect(errors, { depth: 9, showHidden: true })).not.toContain(KEY)
    expect(server.requests.filter(({ url }) => url.includes(KEY))).toEqual([])
  })

  test('goes to no other host that a call names', async () => {
    const { server, talkbridge } = await clientStage()
    const other = (await clientStage()).server
    server.respond(OK)
    const init = { params: { path: { id: 'vid_1' } }, baseUrl: other.url }
    await talkbridge.GET('/unified/v1/videos/{id}', init)
    expect([server.requests.length, other.requests.length]).toEqual([1, 0])
  })

  test.each([
    ['a key with a line break', { key: `${KEY}\nx` }],
    ['an empty key', { key: '' }],
    ['no address', { url: 'talkbridge.example' }],
    ['another protocol', { url: 'ftp://talkbridge.example' }],
    ['a password', { url: `https://me:${KEY}@talkbridge.example` }],
    ['a query', { url: `https://talkbridge.example/?key=${KEY}` }],
    ['the path of the API', { url: 'https://talkbridge.example/unified/v1/' }],
    ['no count', { maxRetries: -1 }],
    ['no time', { timeoutMs: 0 }],
  ])('%s is refused, and not shown', async (_, options) => {
    const error = await thrown(clientStage(options))
    expect(error).toMatchObject({ name: 'TalkbridgeError', code: 'invalid_option' })
    expect(inspect(error)).not.toContain(KEY)
  })
})

test('a fetch of your own is called with an address and plain options', async () => {
  const seen: unknown[] = []
  const { server, talkbridge } = await clientStage({
    fetch: (input, init) => {
      seen.push(typeof input, init?.method, init?.redirect)
      return fetch(input, init)
    },
  })
  server.respond(OK)
  await talkbridge.videos.get('vid_1')
  expect(seen).toEqual(['string', 'GET', 'manual'])
})

test('a path before the gateway’s is kept', async () => {
  const { server } = await clientStage()
  const { talkbridge } = await clientStage({ url: `${server.url}/tools/talkbridge/` })
  server.respond(CREATED)
  await talkbridge.videos.create({ text: 'Hi.' })
  expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/tools/talkbridge/unified/v1/videos', `Bearer ${KEY}`],
  ])
  expect(server.requests[0]?.headers['idempotency-key']).toBeDefined()
})
