import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/core/adapter.ts'
import type { Order } from '../../src/core/video.ts'
import type { InterfaceName } from '../../src/adapters/index.ts'
import type { Capability } from '../../src/core/vocabulary.ts'
import { startBackend, type ScriptedBackend } from '../fakes/backend.ts'
import { CONTEXT, never, ORDERS, speak, type Spoken } from './harness.ts'

/** Both contracts' tables of operations, each row held to the call of the port that uses it. */
type Use = (adapter: Adapter) => Promise<unknown>

const create =
  (order: Order): Use =>
  (adapter) =>
    adapter.create(adapter.createRequest(order, CONTEXT), never())
const AUDIO = { ...ORDERS.primary, text: null, audioUrl: 'https://files.example/a.wav' }

const createPuppet: Use = (adapter) => adapter.createPuppet({ imageUrl: 'https://img.example/1.png', name: null }, 'k')
const deletePuppet: Use = (adapter) => adapter.deletePuppet('some-id')
const createSpeech: Use = (adapter) => adapter.createSpeech({ text: 'Hi', voiceId: 'v', speed: null })
const createUpload: Use = (adapter) =>
  adapter.createUpload({ contentType: 'audio/wav', sizeBytes: 1, requireVideoReadiness: null }, 'k')
const usage: Use = (adapter) => adapter.usage()

const USES: Record<InterfaceName, Record<string, Use>> = {
  primary: {
    'GET /api/v1/voices/service': (adapter) => adapter.voices(),
    'GET /api/v1/puppets': (adapter) => adapter.puppets(null),
    'POST /api/v1/puppets': createPuppet,
    'GET /api/v1/puppets/{puppetId}': (adapter) => adapter.puppet('some-id'),
    'DELETE /api/v1/puppets/{puppetId}': deletePuppet,
    'POST /api/v1/tts/service': createSpeech,
    'POST /api/v1/uploads/audio-url': createUpload,
    'GET /api/v1/usage': usage,
    'POST /api/v1/videos/text': create(ORDERS.primary),
    'POST /api/v1/videos/audio': create(AUDIO),
    'GET /api/v1/videos/{jobId}': (adapter) => adapter.status('some-id'),
  },
  alternate: {
    'POST /v1/videos': create(ORDERS.alternate),
    'GET /v1/videos': (adapter) => adapter.list(1),
    'GET /v1/videos/:id': (adapter) => adapter.status('some-id'),
    'GET /v1/videos/:id/download': (adapter) => adapter.download('some-id'),
    'GET /v1/voices': (adapter) => adapter.voices(),
    'GET /v1/puppets': (adapter) => adapter.puppets(null),
  },
}

/** The calls of the port that a capability stands for: without it nothing is sent. */
const NEEDS: [capability: Capability, use: Use][] = [
  ['puppets_write', createPuppet],
  ['puppets_write', deletePuppet],
  ['speech', createSpeech],
  ['uploads', createUpload],
  ['usage', usage],
  ['native_list', (adapter) => adapter.list(1)],
]

/** `METHOD /path` of every row of the contract that names one in a table of operations. */
const operationsOf = (name: InterfaceName): string[] => {
  const contract = readFileSync(new URL(`../../docs/contracts/${name}-interface.md`, import.meta.url), 'utf8')
  return [...contract.matchAll(/^\|(?:[^|\n]*\|)?\s*(GET|POST|PUT|PATCH|DELETE)\s*\|\s*(\/\S+)\s*\|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  )
}

let backend: ScriptedBackend
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(() => backend.close())

describe.each(['primary', 'alternate'] as const)('%s', (name) => {
  let spoken: Spoken
  beforeEach(() => {
    backend.requests.length = 0
    spoken = speak(name, backend.url)
  })
  afterEach(() => spoken.agents.close())

  test('every operation of the contract has its call', () => {
    expect(operationsOf(name)).toHaveLength(name === 'primary' ? 11 : 6)
    expect(Object.keys(USES[name]).toSorted()).toEqual(operationsOf(name).toSorted())
  })

  test.each(operationsOf(name))('%s', async (operation) => {
    await USES[name][operation]?.(spoken.adapter)
    const asked = backend.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)
    expect(asked).toEqual([operation.replace(/\{\w+\}|:id/, 'some-id')])
  })

  test.each(NEEDS)('%s is asked for where it is declared, and nowhere else', async (capability, use) => {
    const outcome = await use(spoken.adapter)
    const declared = spoken.adapter.capabilities[capability]
    expect(backend.requests).toHaveLength(declared ? 1 : 0)
    if (!declared) expect(outcome).toMatchObject({ problem: { code: 'capability_not_supported', retryable: false } })
  })
})
