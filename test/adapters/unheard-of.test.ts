import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InterfaceName } from '../../src/core/vocabulary.ts'
import { startBackend, type ScriptedBackend } from '../fakes/backend.ts'
import { speak, type Spoken } from './harness.ts'

/** Design 2, "Drift report": what an adapter was never told of is reported, above all where it keeps it from reading. */
let backend: ScriptedBackend
let spoken: Spoken
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(() => backend.close())
const speakTo = (name: InterfaceName): Spoken => (spoken = speak(name, backend.url))
beforeEach(() => speakTo('primary'))
afterEach(() => spoken.agents.close())

const UPLOAD = { contentType: 'audio/wav', sizeBytes: 5, requireVideoReadiness: null }

describe('fields of an answer without what was asked for', () => {
  test('of a read', async () => {
    backend.next({ body: { voice_list: [{ id: 'a' }] } })
    expect(await spoken.adapter.voices()).toMatchObject({ ok: false, problem: { code: 'backend_error' } })
    expect(spoken.drifts).toEqual([
      { kind: 'field', operation: 'listVoices', value: 'voice_list', sample: 'array of 1' },
    ])
  })

  test('of a write', async () => {
    backend.next({ body: { place: 'https://storage.example/1?sig=secret', read_url: 'https://storage.example/1' } })
    expect(await spoken.adapter.createUpload(UPLOAD, 'key')).toMatchObject({ kind: 'doubt' })
    expect(spoken.drifts).toEqual([
      { kind: 'field', operation: 'createUpload', value: 'place', sample: 'string of 36' },
    ])
  })
})

test('fields of an error, beside those of the contract', async () => {
  const body = { error: 'rate_limited', message: 'Later', retryable: true, details: {}, incident: 'abc', nextPollAt: 1 }
  const incident = { kind: 'field', value: 'incident', sample: 'string of 3' }
  backend.answer({ status: 429, body })
  await spoken.adapter.usage()
  await spoken.adapter.createUpload(UPLOAD, 'key')
  expect(spoken.drifts).toEqual([
    { ...incident, operation: 'getUsage' },
    { ...incident, operation: 'createUpload' },
  ])
})

test('status words in a list, each once', async () => {
  speakTo('alternate')
  const data = ['rendering', 'processing', 'rendering', 'in review'].map((status, n) => ({ id: `v${n}`, status }))
  backend.next({ body: { videos: data } })
  expect(await spoken.adapter.list(1)).toMatchObject({ ok: true })
  expect(spoken.drifts).toEqual(
    ['rendering', 'in review'].map((word) => ({ kind: 'status', operation: 'listVideos', value: word, sample: word })),
  )
})
