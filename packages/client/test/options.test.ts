import { describe, expect, onTestFinished, test, vi } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import type { LoggedAttempt } from '../src/send.ts'
import type { Talkbridge } from '../src/talkbridge.ts'
import { answer } from '../../../test/fakes/receiver.ts'
import { clientStage, json, KEY, problem, thrown, TIMEOUT_MS } from './stage.ts'

const QUEUED = json(200, { id: 'vid_1', status: 'queued' })
const BUSY = problem(503, 'backend_unavailable', { retryable: true, headers: { 'x-request-id': 'req_busy' } })

describe('options of one call', () => {
  test('maxRetries is of this call, and not of the next', async () => {
    const { server, talkbridge } = await clientStage({ maxRetries: 1 })
    server.respond(BUSY)
    const calls = [
      () => talkbridge.videos.get('vid_1', { maxRetries: 0 }),
      () => talkbridge.videos.get('vid_1', { maxRetries: 3 }),
      () => talkbridge.voices.list({}, { maxRetries: 0 }).page(),
      () => talkbridge.GET('/unified/v1/voices', { maxRetries: 2 }),
      () => talkbridge.videos.get('vid_1'),
    ]
    const counts: number[] = []
    for (const call of calls) {
      const before = server.requests.length
      await thrown(call())
      counts.push(server.requests.length - before)
    }
    expect(counts).toEqual([1, 4, 1, 3, 2])
  })

  test('timeoutMs is of this call', async () => {
    const { server, talkbridge, runtime } = await clientStage({ timeoutMs: 1, maxRetries: 0 })
    server.respond({ kind: 'hang' })
    const failed = thrown(talkbridge.videos.create({ text: 'Hi.' }, { timeoutMs: TIMEOUT_MS }))
    await server.received(1)
    runtime.expire()
    expect(await failed).toMatchObject({ code: 'timeout', message: `no answer within ${TIMEOUT_MS} ms` })
  })

  test('headers go out with this call, but no other key', async () => {
    const { server, talkbridge } = await clientStage()
    server.respond(QUEUED)
    const headers = { traceparent: '00-aa-bb-01', authorization: 'Bearer another', 'Idempotency-Key': 'mine' }
    await talkbridge.videos.create({ text: 'Hi.' }, { headers })
    await talkbridge.videos.get('vid_1')
    expect(server.requests.map(({ headers }) => [headers['traceparent'], headers.authorization])).toEqual([
      ['00-aa-bb-01', `Bearer ${KEY}`],
      [undefined, `Bearer ${KEY}`],
    ])
    expect(server.requests[0]?.headers['idempotency-key']).toBe('mine')
  })

  test.each<[string, (talkbridge: Talkbridge) => Promise<unknown>, RegExp]>([
    ['a time that is none', ({ videos }) => videos.get('vid_1', { timeoutMs: 0 }), /^timeoutMs/],
    ['a count that is none', ({ videos }) => videos.get('vid_1', { maxRetries: 1.5 }), /^maxRetries/],
    ['a header of two lines', ({ puppets }) => puppets.get('p', { headers: { a: 'b\nc' } }), /^a: /],
    ['the name of no header', ({ events }) => events.get('e', { headers: { 'a b': 'c' } }), /^headers: /],
    ['an id that is a path', ({ webhookEndpoints }) => webhookEndpoints.test('..'), /^id: /],
    ['another host', ({ GET }) => GET('@other.example/unified/v1/voices' as '/unified/v1/voices'), /^path: /],
  ])('refused before anything is sent: %s', async (_, call, message) => {
    const { server, talkbridge } = await clientStage()
    const error = await thrown(call(talkbridge))
    expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringMatching(message) as string })
    expect(server.requests).toHaveLength(0)
  })

  test('nobody has to handle what only the whole answer rejects with', async () => {
    const { talkbridge } = await clientStage()
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    expect(await thrown(talkbridge.videos.get('').withResponse())).toMatchObject({ code: 'invalid_option' })
    await new Promise(setImmediate)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('an answer that is no JSON is not read as JSON', async () => {
    const { server, talkbridge } = await clientStage()
    server.respond(answer(200, { 'content-type': 'text/csv' }, 'a,b\n'))
    expect(await thrown(talkbridge.GET('/unified/v1/usage'))).toMatchObject({
      code: 'invalid_option',
      message: expect.stringMatching(/^parseAs/) as string,
    })
  })
})

describe('the logger', () => {
  test('is called after every attempt, with what comes next', async () => {
    const logged: LoggedAttempt[] = []
    const { server, talkbridge } = await clientStage({ logger: (attempt) => void logged.push(attempt) })
    server.script({ kind: 'reset' }, BUSY, json(200, { id: 'vid_1' }, { 'x-request-id': 'req_2' }))
    await talkbridge.videos.list({ metadata: { order: 'secret' } }).page()
    const all = { method: 'GET', url: `${server.url}/unified/v1/videos`, durationMs: 0 }
    expect(logged).toEqual([
      { ...all, attempt: 1, status: null, requestId: null, error: 'connection_failed', retryInMs: 250 },
      { ...all, attempt: 2, status: 503, requestId: 'req_1', error: 'backend_unavailable', retryInMs: 500 },
      { ...all, attempt: 3, status: 200, requestId: 'req_2', error: null, retryInMs: null },
    ])
    expect(server.requests[0]?.url).toBe('/unified/v1/videos?metadata%5Border%5D=secret')
  })

  test('that throws costs nobody a video', async () => {
    const { server, talkbridge } = await clientStage({
      logger: () => {
        throw new Error('the disk is full')
      },
    })
    server.respond(json(202, { id: 'vid_1' }))
    expect((await talkbridge.videos.create({ text: 'Hi.' })).id).toBe('vid_1')
  })
})

describe('its name', () => {
  const named = async (userAgent: string | undefined, headers = {}): Promise<string | undefined> => {
    vi.stubGlobal('navigator', userAgent === undefined ? undefined : { userAgent })
    onTestFinished(() => void vi.unstubAllGlobals())
    const { server, talkbridge } = await clientStage()
    server.respond(QUEUED)
    await talkbridge.videos.get('vid_1', { headers })
    return server.requests[0]?.headers['user-agent']
  }
  const NAME = `talkbridge-client/${manifest.version}`

  test.each([undefined, 'Node.js/26', 'Deno/2.1.0', 'Bun/1.3.0', 'Cloudflare-Workers'])(
    'outside of pages: %s',
    async (agent) => expect(await named(agent)).toBe(NAME),
  )

  test('a page keeps that of its browser, and you may give another', async () => {
    expect(await named('Mozilla/5.0 (X11) Gecko/20100101')).not.toBe(NAME)
    expect(await named(undefined, { 'user-agent': 'my-app/2' })).toBe('my-app/2')
  })
})
