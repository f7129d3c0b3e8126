import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InterfaceName } from '../../src/adapters/index.ts'
import { startBackend, type ScriptedBackend } from '../fakes/backend.ts'
import { speak, type Spoken } from './harness.ts'

/** Drift: what an adapter was never told of is reported, above all where it keeps it from reading. */
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

/** A backend may read one id in several spellings; who names a job by another of them must not get at it. */
describe.each([
  ['primary', 'api_video_77'],
  ['alternate', '077'],
] as const)('%s: an answer about another job than was asked for', (name, asked) => {
  const another = { id: '77', status: 'completed', video_url: 'https://cdn.example/77.mp4' }

  test('is no look, proves no loss, and is reported', async () => {
    speakTo(name)
    backend.next({ body: another })
    expect(await spoken.adapter.status(asked)).toMatchObject({
      ok: false,
      lost: false,
      problem: { code: 'video_not_found' },
    })
    expect(spoken.drifts).toEqual([{ kind: 'field', operation: 'getVideo', value: 'id', sample: 'of another job' }])
  })

  test('is what was asked for where it names none', async () => {
    speakTo(name)
    backend.next({ body: { ...another, id: undefined } })
    expect(await spoken.adapter.status(asked)).toMatchObject({ ok: true, value: { status: 'completed' } })
  })
})

test('nor is there a link in it', async () => {
  backend.next({ body: { id: 'api_video_2', status: 'completed', video_url: 'https://cdn.example/2.mp4' } })
  expect(await spoken.adapter.download('api_video_1')).toMatchObject({ ok: false })
})
