import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WriteOutcome } from '../../src/core/adapter.ts'
import { startBackend, type Script, type ScriptedBackend } from '../fakes/backend.ts'
import { NOW_MS, speak, type Spoken } from './harness.ts'

const IMAGE = 'https://img.example/me.png'
const PUT = 'https://files.example/put?sig=a'
const READ = 'https://files.example/read?sig=b'
const LATER = '2026-11-20T10:15:00.000Z'
const UPLOAD = { contentType: 'audio/wav', sizeBytes: 1_000, requireVideoReadiness: null }
const SPEECH = { text: 'Hello', voiceId: 'aurora-en_01', speed: null }

let backend: ScriptedBackend
let spoken: Spoken
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(() => backend.close())
beforeEach(() => {
  backend.requests.length = 0
  spoken = speak('primary', backend.url)
})
afterEach(() => spoken.agents.close())

const createPuppet = (name: string | null = null) => spoken.adapter.createPuppet({ imageUrl: IMAGE, name }, 'k1')
const createUpload = (request: Partial<typeof UPLOAD> | { requireVideoReadiness: boolean } = {}) =>
  spoken.adapter.createUpload({ ...UPLOAD, ...request }, 'k2')
const error = (code: string, more: Record<string, unknown> = {}) => ({ error: code, message: 'So it is', ...more })

describe('puppets', () => {
  const RECORD = { id: 'puppet_1', name: 'Ann', imageUrl: IMAGE, createdAt: LATER }
  const PUPPET = {
    id: 'puppet_1',
    name: 'Ann',
    type: 'custom',
    imageUrl: IMAGE,
    thumbnailUrl: null,
    createdAtMs: Date.parse(LATER),
  }

  test('one is created under a key of the caller, and needs no name', async () => {
    backend.next({ status: 201, body: RECORD }, { status: 200, body: RECORD })
    expect(await createPuppet('Ann')).toMatchObject({ kind: 'done', value: PUPPET })
    expect(await createPuppet()).toMatchObject({ kind: 'done', value: PUPPET })
    expect(backend.requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/puppets',
        headers: { 'idempotency-key': 'k1', 'content-type': 'application/json' },
        body: `{"imageUrl":"${IMAGE}","name":"Ann"}`,
      },
      { body: `{"imageUrl":"${IMAGE}"}` },
    ])
    expect(spoken.drifts).toEqual([])
  })

  test.each<[string, unknown]>([
    ['camelCase', RECORD],
    ['snake_case', { puppet_id: 'puppet_1', display_name: 'Ann', image_url: IMAGE, created_at: LATER }],
    ['in data', { object: 'puppet', data: RECORD }],
    ['in a puppet', { success: true, puppet: RECORD }],
  ])('one is read in %s', async (_, body) => {
    backend.next({ body })
    expect(await spoken.adapter.puppet('puppet_1')).toMatchObject({ ok: true, value: PUPPET })
    expect(backend.requests).toMatchObject([{ method: 'GET', path: '/api/v1/puppets/puppet_1' }])
  })

  test('a record that is only an id is what was asked for', async () => {
    backend.next({ status: 201, body: { id: 'p' } })
    expect(await createPuppet()).toMatchObject({ kind: 'done', value: { id: 'p', imageUrl: IMAGE, name: null } })
  })

  test.each<[string, Script, string]>([
    ['its own words', { status: 404, body: error('puppet_not_found') }, 'puppet_not_found'],
    ['other words', { status: 404, body: error('NOT_FOUND') }, 'puppet_not_found'],
    ['the words of something before it', { status: 404, body: { message: 'no Route matched' } }, 'not_found'],
  ])('an unknown one is told in %s', async (_, script, code) => {
    backend.next(script)
    expect(await spoken.adapter.puppet('p')).toMatchObject({ ok: false, lost: false, problem: { code } })
  })

  test.each<[string, Script]>([
    ['a 204', { status: 204 }],
    ['a 200 without a body', { status: 200, body: '' }],
    ['a 200 in JSON', { status: 200, body: { deleted: true } }],
    ['that it is gone already', { status: 404, body: error('puppet_not_found') }],
    ['that it is gone, in other words', { status: 404, body: error('NOT_FOUND') }],
  ])('a delete is done by %s', async (_, script) => {
    backend.next(script)
    expect(await spoken.adapter.deletePuppet('p')).toMatchObject({ kind: 'done', value: null })
    expect(backend.requests).toMatchObject([{ method: 'DELETE', path: '/api/v1/puppets/p', body: '' }])
  })

  test.each<[string, Script, WriteOutcome<null>['kind']]>([
    ['a login page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }, 'doubt'],
    ['a 404 of something before it', { status: 404, body: { message: 'no Route matched' } }, 'refused'],
    ['a 404 in HTML', { status: 404, body: '<html></html>' }, 'doubt'],
    ['a 403', { status: 403, body: error('forbidden') }, 'refused'],
    ['a 500', { status: 500, body: error('internal') }, 'doubt'],
  ])('a delete is not done by %s', async (_, script, kind) => {
    backend.next(script)
    expect((await spoken.adapter.deletePuppet('p')).kind).toBe(kind)
  })

  test.each(['..', '.', 'a/b', 'a?b', '', 'ä', 'x'.repeat(201)])('the id %j is never asked for', async (id) => {
    expect(await spoken.adapter.puppet(id)).toMatchObject({ ok: false, problem: { code: 'puppet_not_found' } })
    expect(await spoken.adapter.deletePuppet(id)).toMatchObject({
      kind: 'refused',
      problem: { code: 'puppet_not_found' },
    })
    expect(backend.requests).toEqual([])
  })
})

describe('uploads', () => {
  test('a place is reserved under a key of the caller', async () => {
    backend.answer({ body: { upload_url: PUT, read_url: READ } })
    const value = { uploadUrl: PUT, method: 'PUT', headers: { 'content-type': 'audio/wav' }, audioUrl: READ }
    expect(await createUpload()).toMatchObject({ kind: 'done', value: { ...value, expiresAtMs: null } })
    await createUpload({ requireVideoReadiness: true })
    await createUpload({ requireVideoReadiness: false })
    expect(backend.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/uploads/audio-url',
      headers: { 'idempotency-key': 'k2', 'content-type': 'application/json' },
    })
    expect(backend.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { mime_type: 'audio/wav', content_length: 1_000 },
      { mime_type: 'audio/wav', content_length: 1_000, require_video_readiness: true },
      { mime_type: 'audio/wav', content_length: 1_000, require_video_readiness: false },
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['upload_url, read_url', { upload_url: PUT, read_url: READ }],
    ['uploadUrl, readUrl', { uploadUrl: PUT, readUrl: READ }],
    ['put_url, audio_url', { put_url: PUT, audio_url: READ }],
    ['putUrl, audioUrl', { putUrl: PUT, audioUrl: READ }],
    ['signed_url, url', { signed_url: PUT, url: READ }],
    ['upload.url, read.url', { upload: { url: PUT }, read: { url: READ } }],
    ['in data', { data: { upload_url: PUT, read_url: READ } }],
    ['in an upload', { upload: { upload_url: PUT, audio_url: READ } }],
  ])('its links are found as %s', async (_, body) => {
    backend.next({ body })
    expect(await createUpload()).toMatchObject({ kind: 'done', value: { uploadUrl: PUT, audioUrl: READ } })
    expect(spoken.drifts).toEqual([])
  })

  test.each<[Record<string, unknown>, number | null]>([
    [{ upload_expires_at: LATER, read_expires_at: '2030-01-01' }, Date.parse(LATER)],
    [{ expiresAt: LATER }, Date.parse(LATER)],
    [{ expires_in: 900 }, NOW_MS + 900_000],
    [{ expires_at: 'soon', expires_in: -1 }, null],
    // No `Date` holds such a moment.
    [{ expires_in: 1e14 }, null],
    [{ expires_in: Number.MAX_VALUE }, null],
    [{ expires_at: 1e17 }, null],
  ])('it ends as %j says', async (told, expiresAtMs) => {
    backend.next({ body: { upload_url: PUT, read_url: READ, ...told } })
    expect(await createUpload()).toMatchObject({ kind: 'done', value: { expiresAtMs } })
  })

  test('the PUT carries what it is told to, and the type; nothing that could break it', async () => {
    const told = {
      'Content-Type': 'audio/mpeg',
      'X-Amz-Acl': 'private',
      Host: 'x',
      'bad name': 'y',
      a: 'b\r\nc: d',
      n: 1,
    }
    backend.next({ body: { upload_url: PUT, read_url: READ, upload_headers: told } })
    const outcome = await createUpload()
    expect(outcome.kind === 'done' && outcome.value.headers).toEqual({
      'content-type': 'audio/mpeg',
      'x-amz-acl': 'private',
    })
  })

  test.each([{}, { upload_url: PUT }, { read_url: READ }, { upload_url: 'ftp://x/y', read_url: READ }, []])(
    'a 200 without both links is a doubt: %j',
    async (body) => {
      backend.next({ body })
      expect(await createUpload()).toMatchObject({ kind: 'doubt' })
    },
  )

  const GENERATION = { can_create: false, reason: 'full', active_jobs: 2, available_slots: 0, retry_after_seconds: 8 }
  test.each<[number, Record<string, unknown>, string, boolean, object | null]>([
    [402, error('insufficient_credits', { video_generation: GENERATION }), 'insufficient_credits', false, GENERATION],
    [
      429,
      error('concurrent_job_limit_reached', { details: { videoGeneration: { canCreate: false, reason: 'full' } } }),
      'concurrency_limit_reached',
      true,
      { can_create: false, reason: 'full' },
    ],
    [409, error('idempotency_key_in_progress', { retryAfter: 2 }), 'idempotency_key_in_progress', true, null],
    [
      409,
      error('idempotency_key_conflict', { retry_block_code: 'AUDIO_UPLOAD_IDEMPOTENCY_KEY_CONFLICT' }),
      'idempotency_key_conflict',
      false,
      null,
    ],
    [413, error('file_too_large', { retry_block_code: 'AUDIO_UPLOAD_FILE_TOO_LARGE' }), 'file_too_large', false, null],
    [413, error('too_large', { retry_block_code: 'AUDIO_UPLOAD_FILE_TOO_LARGE' }), 'file_too_large', false, null],
    [
      413,
      error('payload_too_large', { retry_block_code: 'AUDIO_UPLOAD_PAYLOAD_TOO_LARGE' }),
      'payload_too_large',
      false,
      null,
    ],
    [
      415,
      error('unsupported_media_type', { retry_block_code: 'UNSUPPORTED_AUDIO_UPLOAD_MEDIA_TYPE' }),
      'backend_error',
      false,
      null,
    ],
    [503, error('temporarily_unavailable', { retryAfter: 5 }), 'backend_unavailable', true, null],
  ])('%i %j is a definite no', async (status, body, code, retryable, generation) => {
    backend.next({ status, body })
    const outcome = await createUpload({ requireVideoReadiness: true })
    expect(outcome).toMatchObject({ kind: 'refused', problem: { code, retryable, backendError: { status } } })
    const details = outcome.kind === 'refused' ? outcome.problem.details : null
    if (generation === null) expect(details).toBeNull()
    else expect(details).toMatchObject({ video_generation: generation })
  })
})

describe('speech', () => {
  test('is one POST without a key, and a WAV', async () => {
    backend.answer({ body: { audio_url: READ, expires_at: LATER, duration_seconds: 1.5 } })
    const value = { audioUrl: READ, expiresAtMs: Date.parse(LATER), durationSeconds: 1.5, contentType: 'audio/wav' }
    expect(await spoken.adapter.createSpeech(SPEECH)).toMatchObject({ kind: 'done', value })
    await spoken.adapter.createSpeech({ ...SPEECH, speed: 1.25 })
    expect(backend.requests[0]).toMatchObject({ method: 'POST', path: '/api/v1/tts/service' })
    expect(backend.requests[0]?.headers).not.toHaveProperty('idempotency-key')
    expect(backend.requests.map(({ body }) => body)).toEqual([
      '{"voice_id":"aurora-en_01","text":"Hello"}',
      '{"voice_id":"aurora-en_01","text":"Hello","speed":1.25}',
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['audio_url', { audio_url: READ }],
    ['audioUrl', { audioUrl: READ }],
    ['url', { url: READ }],
    ['in data', { data: { audio_url: READ } }],
    ['in a speech', { speech: { url: READ } }],
    ['in a result', { result: { audio_url: READ } }],
  ])('its link is found as %s', async (_, body) => {
    backend.next({ body })
    expect(await spoken.adapter.createSpeech(SPEECH)).toMatchObject({ kind: 'done', value: { audioUrl: READ } })
  })

  test.each<[Script, string, string]>([
    [{ status: 404, body: error('voice_not_found') }, 'refused', 'voice_not_found'],
    [{ status: 404, body: error('x', { retry_block_code: 'SERVICE_VOICE_NOT_FOUND' }) }, 'refused', 'voice_not_found'],
    [{ status: 404, body: error('NOT_FOUND') }, 'refused', 'voice_not_found'],
    [{ status: 429, body: error('monthly_quota_exceeded') }, 'refused', 'quota_exceeded'],
    [{ status: 503, body: error('temporarily_unavailable') }, 'refused', 'backend_unavailable'],
    [{ status: 502, body: error('asset_creation_failed') }, 'doubt', 'backend_error'],
    [{ status: 200, body: { ok: true } }, 'doubt', 'backend_error'],
    [{ fault: 'reset' }, 'doubt', 'backend_error'],
  ])('%j is a %s, and is not sent again', async (script, kind, code) => {
    backend.next(script)
    expect(await spoken.adapter.createSpeech(SPEECH)).toMatchObject({ kind, problem: { code } })
    expect(backend.requests).toHaveLength(1)
  })
})
