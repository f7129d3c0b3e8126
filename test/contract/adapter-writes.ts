import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Adapter, WriteOutcome } from '../../src/core/adapter.ts'
import { ADAPTERS, type InterfaceName } from '../../src/adapters/index.ts'
import type { Capability } from '../../src/core/vocabulary.ts'
import { CANARY_KEY, speak, type Spoken } from '../adapters/harness.ts'
import { startBackend, type Script, type ScriptedBackend } from '../fakes/backend.ts'
import type { AdapterKit } from './adapter-kit.ts'
import { closedPort, patienceMs, UNCLEAR } from './adapter-safe.ts'

interface Write {
  operation: 'createPuppet' | 'deletePuppet' | 'createUpload' | 'createSpeech'
  needs: Capability
  write: (adapter: Adapter) => Promise<WriteOutcome<unknown>>
  /** A write of the account's that its caller's key makes safe to repeat. */
  keyed: boolean
}

/** The writes of the port other than a video's create. */
export const WRITES: readonly Write[] = [
  {
    operation: 'createPuppet',
    needs: 'puppets_write',
    write: (adapter) => adapter.createPuppet({ imageUrl: 'https://img.example/1.png', name: 'Ann' }, 'key-1'),
    keyed: true,
  },
  {
    operation: 'deletePuppet',
    needs: 'puppets_write',
    write: (adapter) => adapter.deletePuppet('puppet-1'),
    keyed: false,
  },
  {
    operation: 'createUpload',
    needs: 'uploads',
    write: (adapter) =>
      adapter.createUpload({ contentType: 'audio/wav', sizeBytes: 5, requireVideoReadiness: null }, 'key-1'),
    keyed: true,
  },
  {
    operation: 'createSpeech',
    needs: 'speech',
    write: (adapter) => adapter.createSpeech({ text: 'Hello', voiceId: 'v', speed: 1.5 }),
    keyed: false,
  },
]

/** A delete asks for nothing back: these tell it all that it wants to know. */
const TELLS_A_DELETE = new Set(['an empty 200', 'JSON without what was asked for'])

/** What an adapter with this operation owes whoever writes through it, held over real HTTP. */
export const adapterWritesContract = (
  name: InterfaceName,
  kit: AdapterKit,
  { operation, write, keyed }: Write,
): void => {
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

  test.each(UNCLEAR)('%s is a doubt', async (what, script) => {
    const hasty = speak(name, backend.url, { timeoutMs: patienceMs(script) })
    backend.next(script)
    const told = operation === 'deletePuppet' && TELLS_A_DELETE.has(what)
    expect((await write(hasty.adapter)).kind).toBe(told ? 'done' : 'doubt')
    expect(backend.requests).toHaveLength(1)
    await hasty.agents.close()
  })

  test.each<[string, Script]>([
    ['no credits', { status: 402, body: { error: 'no_credits', message: 'No' } }],
    ['a refused key', { status: 401, body: { error: 'unauthorized', message: 'No' } }],
    ['a missing scope', { status: 403, body: { error: 'forbidden', message: 'No' } }],
    ['too many requests', { status: 429, body: { error: 'rate_limited', message: 'No' } }],
    ['a conflict', { status: 409, body: { error: 'idempotency_key_conflict', message: 'No' } }],
    ['a shaped 503', { status: 503, body: { error: 'unavailable', message: 'No' } }],
  ])('%s is a definite no', async (_what, script) => {
    backend.next({ ...script, headers: { 'x-ratelimit-remaining': '3' } })
    expect(await write(spoken.adapter)).toMatchObject({ kind: 'refused', rate: { remaining: 3 } })
  })

  test('a refused connection is unreachable: nothing was written', async () => {
    const lonely = speak(name, await closedPort())
    const problem = { code: 'backend_unavailable', retryable: true }
    expect(await write(lonely.adapter)).toMatchObject({ kind: 'unreachable', rate: null, problem })
    await lonely.agents.close()
  })

  test('goes out once, with the key, over a connection of its own', async () => {
    backend.next({ status: 500, body: '' }, { fault: 'reset' }, { status: 429, headers: { 'retry-after': '0' } })
    for (let i = 0; i < 3; i += 1) await write(spoken.adapter)
    expect(backend.requests).toHaveLength(3)
    expect(new Set(backend.requests.map(({ connection }) => connection)).size).toBe(3)
    expect(backend.requests[0]?.headers).toMatchObject(kit.credential(CANARY_KEY))
  })

  test('the same request gives the same bytes', async () => {
    backend.answer({ status: 500, body: '' })
    await write(spoken.adapter)
    await write(spoken.adapter)
    const [first, second] = backend.requests.map(({ method, path, headers, body }) => ({
      method,
      path,
      key: headers['idempotency-key'],
      body,
    }))
    expect(first).toEqual(second)
    expect(first?.key).toBe(keyed && ADAPTERS[name].capabilities.native_idempotency ? 'key-1' : undefined)
  })

  test('the key of the account appears in nothing, even where the backend echoes it', async () => {
    const link = `https://files.example/${CANARY_KEY}`
    const echo = { id: CANARY_KEY, message: CANARY_KEY, error: CANARY_KEY, upload_url: link, read_url: link }
    const outcomes: unknown[] = []
    for (const status of [200, 400, 404, 409, 500]) {
      backend.next({ status, body: { ...echo, audio_url: link, upload_headers: { a: CANARY_KEY }, [CANARY_KEY]: 1 } })
      outcomes.push(await write(spoken.adapter))
    }
    expect(JSON.stringify([outcomes, spoken.drifts])).not.toContain('canary')
  })
}
