import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { Dispatcher } from 'undici'
import { describe, expect, test } from 'vitest'
import { DIALECT } from '../../src/adapters/alternate/index.ts'
import { readPuppet, readSpeech, readUpload, readUsage } from '../../src/adapters/shared/answers.ts'
import type { Agents } from '../../src/http/exchange.ts'
import type { Adapter, WriteOutcome } from '../../src/core/adapter.ts'
import { INTERFACES, type InterfaceName } from '../../src/adapters/index.ts'
import { WRITES } from '../contract/adapter-writes.ts'
import { CONTEXT, NOW_MS, ORDERS, speak } from './harness.ts'
import { KITS } from './kits/index.ts'
import { anyCodePoint } from '../fakes/any-text.ts'

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** Breaks the connection after this many bytes; null: never. */
  cutAt: number | null
}

const ignore = (): void => undefined

/** Answers everything alike, without a network: whatever a server could get past the HTTP parser, and more. */
class AnswerAll extends Dispatcher {
  readonly #answer: Answer
  constructor(answer: Answer) {
    super()
    this.#answer = answer
  }
  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { status, headers, body, cutAt } = this.#answer
    const controller = {
      abort: ignore,
      pause: ignore,
      resume: ignore,
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
    }
    handler.onRequestStart?.(controller, null)
    handler.onResponseStart?.(controller, status, headers)
    handler.onResponseData?.(controller, cutAt === null ? body : body.subarray(0, cutAt))
    if (cutAt === null) handler.onResponseEnd?.(controller, {})
    else handler.onResponseError?.(controller, new Error('cut'))
    return true
  }
}

const agentsOf = (answer: Answer): Agents => {
  const reads = new AnswerAll(answer)
  return { reads, once: (_origin, use) => use(reads), close: async () => undefined }
}

/** Names that the adapters look for, with values of every kind under them. */
const NAMES =
  'id status error message data video video_url progress details retryAfter code next_poll_at items pagination ' +
  'nextCursor video_generation retryable imageUrl puppet speech upload upload_url read_url upload_headers expires_in ' +
  'duration audio_url credits balance can_create credit_packs usage retry_block_code __proto__ toString'
const names = fc.constantFrom(...NAMES.split(' '))
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string({ unit: anyCodePoint }), fc.double(), fc.boolean(), fc.constant(null)),
    fc.constantFrom('completed', 'failed', 'job-1', 'https://a.example/1', '2026-11-20T10:00:00Z', 5, 1e300),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(names, tie('node'), { maxKeys: 6 }),
  ),
})).node
const body = fc.oneof(
  value.map((held) => Buffer.from(JSON.stringify(held) ?? '')),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('[', '{"a":').map((open) => Buffer.from(open.repeat(50_000))),
)
const HEADERS =
  'retry-after date location service-operation-id x-ratelimit-reset x-ratelimit-remaining x-service-next-poll-at ' +
  'x-service-credits-required content-type'
const headers = fc.dictionary(
  fc.constantFrom(...HEADERS.split(' ')),
  fc.oneof(fc.string({ unit: anyCodePoint }), fc.double().map(String), fc.constantFrom('/v1/videos/1', '-1', '1e999')),
)
const answers: fc.Arbitrary<Answer> = fc.record({
  status: fc.oneof(fc.constantFrom(200, 202, 301, 400, 404, 409, 429, 503), fc.integer({ min: 100, max: 999 })),
  headers,
  body,
  cutAt: fc.option(fc.nat({ max: 20 }), { freq: 5 }),
})

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

/** `adapter`, with the names of what was asked of it put into `asked`. */
const noting = (adapter: Adapter, asked: Set<string>): Adapter =>
  new Proxy(adapter, {
    get: (target, property: keyof Adapter) => {
      asked.add(property)
      return target[property]
    },
  })

/** Every operation; each must settle, and only with what the port allows. */
const askAll = async (adapter: Adapter, name: InterfaceName, answer: Answer): Promise<void> => {
  const created = await adapter.create(adapter.createRequest(KITS[name].order, CONTEXT))
  expect(['accepted', 'refused', 'unreachable', 'doubt']).toContain(created.kind)
  if (created.kind === 'accepted') {
    expect(created.jobId).toMatch(/^[^./?#%\s][^/?#%\s]{0,199}$/)
    const { progress, link } = created.report
    if (progress !== null) expect(progress >= 0 && progress <= 1).toBe(true)
    if (link !== null) expect(link.url).toMatch(/^https?:/)
  }
  const reads = [
    await adapter.status('job-1'),
    await adapter.download('job-1'),
    await adapter.voices(),
    await adapter.puppets(null),
    await adapter.puppets('\ud800&x'),
    await adapter.list(1),
  ]
  const more = [await adapter.puppet('puppet-1'), await adapter.usage()]
  for (const read of [...reads, ...more]) expect(typeof read.ok).toBe('boolean')
  const writes: WriteOutcome<unknown>[] = []
  for (const { write } of WRITES) writes.push(await write(adapter))
  for (const { kind } of writes) expect(['done', 'refused', 'unreachable', 'doubt']).toContain(kind)
  const audio = { ...ORDERS.primary, text: null, audioUrl: 'https://files.example/a.wav' }
  expect((await adapter.create(adapter.createRequest(audio, CONTEXT))).kind).toBe(created.kind)
  for (const held of [answer.body.toString(), parsed(answer.body)]) {
    const named = adapter.callbackJobId(held)
    if (named !== null) expect(named).toMatch(/^[^./?#%\s][^/?#%\s]{0,199}$/)
  }
  const { status, headers } = answer
  const heads = adapter.handedThrough('createSpeech', { kind: 'answered', status, headers })
  // What the engine stores must survive as JSON.
  const all = [created, reads, more, writes, heads]
  expect(JSON.parse(JSON.stringify(all))).toEqual(all)
}

test('whatever JSON is read as, it is links over http, headers that can be sent, and plain data', () => {
  const moment = { base: new URL('https://backend.example/prefix'), nowMs: NOW_MS }
  const link = fc.constant('https://files.example/a')
  const told = fc.dictionary(fc.string({ unit: anyCodePoint }), fc.oneof(fc.string({ unit: anyCodePoint }), value))
  const uploads = fc.record({ upload_url: link, read_url: link, upload_headers: told })
  fc.assert(
    fc.property(fc.oneof(value, uploads), headers, (held, given) => {
      const upload = readUpload(held, 'audio/wav', moment)
      const speech = readSpeech(held, moment)
      const puppet = readPuppet(held, moment.base, DIALECT)
      const links = [upload?.uploadUrl, upload?.audioUrl, speech?.audioUrl, puppet?.imageUrl, puppet?.thumbnailUrl]
      for (const link of links) if (typeof link === 'string') expect(link).toMatch(/^https?:\/\//)
      if (upload) expect(() => new Headers(upload.headers)).not.toThrow()
      const read = [upload, speech, puppet, readUsage(held, given, moment, DIALECT)]
      expect(JSON.parse(JSON.stringify(read))).toEqual(read)
    }),
    { seed: 20_261_120, numRuns: 3_000 },
  )
})

describe.each(INTERFACES)('%s', (name) => {
  test('no status, headers and bytes make any operation reject', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        const agents = agentsOf({ ...answer, status: Math.max(answer.status, 200) })
        const { adapter } = speak(name, 'https://backend.example', { agents, timeoutMs: 50 })
        const asked = new Set<string>()
        await askAll(noting(adapter, asked), name, answer)
        // All but those that ask a backend nothing.
        const operations = Object.entries(adapter).flatMap(([one, is]) => (typeof is === 'function' ? [one] : []))
        expect(operations.filter((one) => !asked.has(one))).toEqual(['credential', 'translate'])
      }),
      { seed: 20_261_120, numRuns: 300 },
    )
  })

  test.each([
    'garbage\r\n\r\n',
    'HTTP/1.1 999 What\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n{"id":1}',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n{}`,
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    '\u0000'.repeat(100),
  ])('bytes that are no HTTP answer: %j', async (bytes) => {
    const server = createServer((socket) => {
      socket.on('error', ignore)
      socket.once('data', () => socket.end(bytes, 'latin1'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { adapter, agents } = speak(name, `http://127.0.0.1:${port}`, { timeoutMs: 1_000 })
    const created = await adapter.create(adapter.createRequest(KITS[name].order, CONTEXT))
    expect(created.kind).toBe('doubt')
    expect(await adapter.status('job-1')).toMatchObject({ ok: false, lost: false })
    await agents.close()
    await new Promise((resolve) => server.close(resolve))
  })
})
