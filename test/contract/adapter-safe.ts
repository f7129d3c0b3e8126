import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import type { InterfaceName } from '../../src/adapters/index.ts'
import { statusPathOf } from '../../src/adapters/shared/dialect.ts'
import { CANARY_KEY, CONTEXT, speak, type Spoken } from '../adapters/harness.ts'
import { startBackend, type Script, type ScriptedBackend } from '../fakes/backend.ts'
import { HANG_MS } from '../fakes/until.ts'
import type { AdapterKit } from './adapter-kit.ts'

/** Long enough for a request to be on its way, short enough to wait for an answer that never comes. */
const SHORT_TIMEOUT_MS = 400

/** How long what is scripted is waited for: what ends is, however slow the machine. */
export const patienceMs = (script: Script): number =>
  'fault' in script && (script.fault === 'hang' || script.fault === 'drip') ? SHORT_TIMEOUT_MS : HANG_MS

const HTML = '<!doctype html><title>502</title>'
const FORTY_MB = 40 * 1024 * 1024

/** What no backend may do to us: neither a job id nor a definite no. Each is a doubt on a create, a failed read. */
export const UNCLEAR: [name: string, script: Script][] = [
  ['HTML with 200', { headers: { 'content-type': 'text/html' }, body: HTML }],
  ['HTML with 502', { status: 502, headers: { 'content-type': 'text/html' }, body: HTML }],
  ['HTML with 403', { status: 403, headers: { 'content-type': 'text/html' }, body: HTML }],
  ['an empty 200', { body: '' }],
  ['an empty 500', { status: 500, body: '' }],
  ['text', { body: 'OK' }],
  ['a JSON number', { body: '1' }],
  ['JSON without what was asked for', { body: {} }],
  ['JSON that ends early', { body: '{"id":"vid-77","status":"proc' }],
  ['40 MB', { fault: 'flood', sizeBytes: FORTY_MB }],
  ['40 MB of error', { fault: 'flood', status: 500, sizeBytes: FORTY_MB }],
  ['a reset before the answer', { fault: 'reset' }],
  ['a reset within the answer', { fault: 'cut', body: '{"id":"vid-77",' }],
  ['no answer', { fault: 'hang' }],
  ['headers and then nothing', { fault: 'drip' }],
  ['a request timeout', { status: 408, body: { error: 'timeout', message: 'Too slow' } }],
  ['a shaped 500', { status: 500, body: { error: 'internal', message: 'Oops' } }],
  ['a shaped 502', { status: 502, body: { error: 'bad_gateway', message: 'Oops' } }],
  ['a shaped 504', { status: 504, body: { error: 'timeout', message: 'Oops' } }],
  ['a 503 in another shape', { status: 503, body: { message: 'Service Unavailable' } }],
  ['a redirect', { status: 303, headers: { location: '/elsewhere/videos' }, body: '' }],
  ['a permanent redirect', { status: 308, headers: { location: 'https://elsewhere.example/videos' }, body: '' }],
]

/** The engine's own words for how it may use an adapter, held over real HTTP: that it is safe, whatever a backend does. */
export const adapterIsSafe = (name: InterfaceName, kit: AdapterKit): void => {
  const { jobId, order, dialect } = kit
  const [idField = 'id'] = dialect.job.id
  const pathOf = (id: string): string => statusPathOf(id, dialect)
  let backend: ScriptedBackend
  let spoken: Spoken
  beforeAll(async () => {
    backend = await startBackend()
  })
  afterAll(() => backend.close())
  beforeEach(() => {
    backend.requests.length = 0
    spoken = speak(name, backend.url)
  })
  afterEach(() => spoken.agents.close())

  const create = ({ adapter }: Spoken = spoken): Promise<CreateOutcome> =>
    adapter.create(adapter.createRequest(order, CONTEXT))

  describe('create', () => {
    test.each([200, 201, 202, 299])('any 2xx is a success: %i', async (status) => {
      backend.next({ status, body: { [idField]: 'job-1' } })
      expect(await create()).toMatchObject({ kind: 'accepted', jobId: 'job-1' })
    })

    test.each<[string, Script]>([
      ['in the body as a number', { body: { [idField]: 77 } }],
      ['in a wrapper', { body: { success: true, data: { [idField]: '77' } } }],
      ['in Service-Operation-Id', { headers: { 'service-operation-id': '77' }, body: {} }],
      ['in X-Service-Operation-Id', { headers: { 'x-service-operation-id': '77' }, body: {} }],
      ['in Location', { headers: { location: `https://b.example/prefix${pathOf('77')}?x=1` }, body: {} }],
      ['in the headers of a body that broke off', { fault: 'cut', headers: { location: pathOf('77') } }],
    ])('the job id is found %s', async (_where, script) => {
      backend.next(script)
      expect(await create()).toMatchObject({ kind: 'accepted', jobId: '77' })
    })

    test.each(
      ['', '..', '../x', 'a/b', 'a%2fb', 'a?b', 'ä', 'x'.repeat(201), '\u0000', {}, [], true, null, 1.5].map((id) => ({
        id,
      })),
    )('%j names no job, so that the create is in doubt', async ({ id }) => {
      backend.next({ status: 201, body: { [idField]: id } })
      expect((await create()).kind).toBe('doubt')
    })

    test.each(['https://b.example/v1/videos', '/', '', 'https://b.example/login'])(
      'Location %j names no job',
      async (location) => {
        backend.next({ status: 201, headers: { location }, body: {} })
        expect((await create()).kind).toBe('doubt')
      },
    )

    test.each(UNCLEAR)('%s is a doubt', async (_case, script) => {
      const hasty = speak(name, backend.url, { timeoutMs: patienceMs(script) })
      backend.next(script)
      const outcome = await create(hasty)
      expect(outcome.kind).toBe('doubt')
      await hasty.agents.close()
    })

    test('a refused connection is unreachable: nothing was written', async () => {
      const outcome = await create(speak(name, await closedPort()))
      expect(outcome).toMatchObject({ kind: 'unreachable', problem: { code: 'backend_unavailable', retryable: true } })
      expect(JSON.stringify(outcome)).not.toContain('127.0.0.1')
    })

    test('an unknown host is unreachable', async () => {
      const outcome = await create(speak(name, 'http://no-such-host.invalid'))
      expect(outcome).toMatchObject({ kind: 'unreachable', problem: { code: 'backend_unavailable' } })
    })

    test.each([401, 403])('a %i means that the credentials were refused', async (status) => {
      backend.next({ status, body: { error: 'no', message: 'No' } })
      expect(await create()).toMatchObject({
        kind: 'refused',
        waits: null,
        problem: { code: 'backend_credentials_rejected', retryable: false, backendError: { status } },
      })
    })

    test('is sent exactly once, over a connection of its own that is closed afterwards', async () => {
      backend.answer({ body: kit.job('processing') })
      await spoken.adapter.status(jobId)
      backend.next({ body: { id: 'a' } }, { fault: 'reset' }, { body: { id: 'c' } })
      for (let i = 0; i < 3; i += 1) await create()
      await spoken.adapter.status(jobId)
      const creates = backend.requests.filter(({ method }) => method === 'POST')
      const reads = backend.requests.filter(({ method }) => method === 'GET')
      expect(creates).toHaveLength(3)
      expect(new Set(creates.map(({ connection }) => connection)).size).toBe(3)
      expect(reads.every((read) => creates.every((sent) => sent.connection !== read.connection))).toBe(true)
      expect(creates.every(({ headers }) => headers.connection === 'close')).toBe(true)
    })

    test('a server that closes after each answer sees no create twice', async () => {
      backend.answer({ headers: { connection: 'close' }, body: HTML })
      await create()
      expect(backend.requests).toHaveLength(1)
    })

    test('sends the stored bytes, the credential and who is calling', async () => {
      backend.next(kit.accepted.answer)
      const wire = spoken.adapter.createRequest(order, CONTEXT)
      await spoken.adapter.create(structuredClone(wire))
      expect(backend.requests[0]).toMatchObject({
        method: 'POST',
        path: wire.path,
        body: wire.body,
        headers: {
          ...wire.headers,
          ...kit.credential(CANARY_KEY),
          accept: 'application/json',
          'content-type': 'application/json',
        },
      })
      expect(backend.requests[0]?.headers['user-agent']).toMatch(/^talkbridge\/\d/)
    })

    test('the same order gives the same bytes, without the credential', () => {
      const first = spoken.adapter.createRequest({ ...order }, { ...CONTEXT })
      expect(spoken.adapter.createRequest(order, CONTEXT)).toEqual(first)
      expect(JSON.stringify(first)).not.toContain(CANARY_KEY)
    })
  })

  describe('reads', () => {
    const ask = async ({ adapter }: Spoken) => [
      await adapter.status(jobId),
      await adapter.download(jobId),
      await adapter.voices(),
      await adapter.puppets(null),
    ]

    test.each(UNCLEAR.filter(([, script]) => !('fault' in script && script.fault === 'flood')))(
      '%s is a failed attempt and nothing more',
      async (_case, script) => {
        const hasty = speak(name, backend.url, { timeoutMs: patienceMs(script) })
        backend.answer(script)
        for (const outcome of await ask(hasty)) expect(outcome).toMatchObject({ ok: false, lost: false })
        await hasty.agents.close()
      },
    )

    test('40 MB are not read to the end', async () => {
      backend.answer({ fault: 'flood', sizeBytes: FORTY_MB })
      expect(await spoken.adapter.status(jobId)).toMatchObject({
        ok: false,
        problem: { code: 'backend_error', retryable: true },
      })
    })

    test('a refused connection is backend_unavailable', async () => {
      const lonely = speak(name, await closedPort())
      for (const outcome of await ask(lonely)) {
        expect(outcome).toMatchObject({ ok: false, lost: false, rate: null, problem: { code: 'backend_unavailable' } })
      }
    })

    test('a base URL may carry a path prefix, with or without a slash', async () => {
      backend.answer({ body: kit.job('processing') })
      await speak(name, `${backend.url}/some/prefix/`).adapter.status(jobId)
      await speak(name, `${backend.url}/some/prefix`).adapter.status(jobId)
      const asked = `/some/prefix${pathOf(jobId)}`
      expect(backend.requests.map(({ path }) => path)).toEqual([asked, asked])
    })

    test.each(['..', '.', 'a/b', 'a?b', '', 'ä', 'x'.repeat(201)])('the id %j is never asked for', async (id) => {
      expect(await spoken.adapter.status(id)).toMatchObject({ ok: false, problem: { code: 'video_not_found' } })
      expect(await spoken.adapter.download(id)).toMatchObject({ ok: false, problem: { code: 'video_not_found' } })
      expect(backend.requests).toEqual([])
    })

    test('a job that the backend does not know is lost', async () => {
      backend.next(kit.lost)
      expect(await spoken.adapter.status(jobId)).toMatchObject({ ok: false, lost: true })
    })

    test.each<[string, Script]>([
      ['HTML', { status: 404, body: HTML }],
      ['nothing', { status: 404, body: '' }],
    ])('a 404 with %s proves no loss', async (_what, script) => {
      backend.next(script)
      expect(await spoken.adapter.status(jobId)).toMatchObject({ ok: false, lost: false })
    })

    test('the rate headers of every answer are read, also of a refusal', async () => {
      const headers = {
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1795168860',
        date: 'Fri, 20 Nov 2026 10:00:00 GMT',
      }
      const rate = { limit: 10, remaining: 0, resetAtMs: 1_795_168_860_000, dateMs: 1_795_168_800_000 }
      backend.answer({ status: 429, headers, body: { error: 'rate_limited', message: 'Slow down' } })
      for (const outcome of [...(await ask(spoken)), await create()]) expect(outcome.rate).toEqual(rate)
    })
  })

  test('the key appears in no outcome and no drift, even where the backend echoes it', async () => {
    const echo = { status: 200, error: `bad ${CANARY_KEY}`, message: CANARY_KEY, id: CANARY_KEY, [CANARY_KEY]: 1 }
    const links = { status: CANARY_KEY, video_url: `https://cdn.example/${CANARY_KEY}`, data: [{ id: CANARY_KEY }] }
    const outcomes: unknown[] = []
    for (const status of [200, 400, 401, 429, 500]) {
      const headers = { location: pathOf(CANARY_KEY), 'service-operation-id': CANARY_KEY }
      const escaped = JSON.stringify({ ...echo, ...links }).replaceAll('/', String.raw`\/`)
      backend.answer({ status, headers, body: status === 400 ? escaped : { ...echo, ...links } })
      const { adapter } = spoken
      outcomes.push(await create(), await adapter.status(jobId), await adapter.download(jobId))
      outcomes.push(await adapter.voices(), await adapter.puppets(null))
    }
    outcomes.push(await create(speak(name, await closedPort())), spoken.drifts)
    expect(JSON.stringify(outcomes)).not.toContain(CANARY_KEY)
    expect(JSON.stringify(outcomes)).not.toContain('canary')
  })
}

/** A port where nobody listens any more. */
export const closedPort = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
