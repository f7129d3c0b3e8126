import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { ProblemCode } from '../../src/core/errors.ts'
import type { Script } from '../fakes/backend.ts'
import { BACKEND_KEYS, testApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** A backend's definite no to a first attempt is the client's answer and leaves nothing behind. */
const BODIES = { main: MAIN_BODY, alt: ALT_BODY }
const KEY = { 'idempotency-key': 'order-17' }

const refusal = (status: number, error: string, extra: object = {}): Script => ({
  status,
  body: { error, message: `no: ${error}, see https://internal.example/x?key=1`, ...extra },
})
const nested = (status: number, code: string): Script => ({ status, body: { error: { code, message: 'no' } } })

const REFUSALS: [name: 'main' | 'alt', script: Script, code: ProblemCode, retryable: boolean][] = [
  ['main', refusal(400, 'invalid_request'), 'invalid_request', false],
  [
    'main',
    refusal(400, 'invalid_request', { retry_block_code: 'HOSTED_AUDIO_UPLOAD_NOT_FOUND' }),
    'upload_not_found',
    false,
  ],
  [
    'main',
    refusal(400, 'invalid_request', { retry_block_code: 'HOSTED_AUDIO_UPLOAD_PENDING' }),
    'upload_not_finished',
    true,
  ],
  ['main', refusal(400, 'invalid_image'), 'invalid_image', false],
  ['main', refusal(401, 'unauthorized'), 'backend_credentials_rejected', false],
  ['main', refusal(402, 'no_credits'), 'insufficient_credits', false],
  ['main', refusal(403, 'forbidden'), 'backend_credentials_rejected', false],
  ['main', refusal(404, 'voice_not_found', { retry_block_code: 'SERVICE_VOICE_NOT_FOUND' }), 'voice_not_found', false],
  ['main', refusal(413, 'payload_too_large'), 'payload_too_large', false],
  ['main', refusal(415, 'unsupported_media_type'), 'backend_error', false],
  ['main', refusal(429, 'monthly_quota'), 'quota_exceeded', false],
  ['main', refusal(503, 'temporarily_unavailable'), 'backend_unavailable', true],
  ['main', refusal(418, 'teapot'), 'backend_error', false],
  ['alt', nested(400, 'bad_script'), 'invalid_request', false],
  ['alt', { status: 401, body: '' }, 'backend_credentials_rejected', false],
  ['alt', nested(402, 'insufficient_credits'), 'insufficient_credits', false],
  ['alt', nested(403, 'forbidden'), 'backend_credentials_rejected', false],
  ['alt', nested(404, 'puppet_not_found'), 'puppet_not_found', false],
  ['alt', nested(404, 'voice_not_found'), 'voice_not_found', false],
  ['alt', nested(422, 'too_long'), 'invalid_request', false],
  ['alt', nested(429, 'quota'), 'quota_exceeded', false],
]

test.each(REFUSALS)('%s refuses with %j: %s', async (name, script, code, retryable) => {
  const app = await testApp()
  servePrimary(app.main)
  serveAlternate(app.alt)
  app[name].next(script)
  const problem = expectProblem(await app.post(BODIES[name], KEY), code, { retryable, backend: name, video_id: null })
  expect(problem.backend_error?.status).toBe(Reflect.get(script, 'status'))
  expect(JSON.stringify(problem)).not.toContain('internal.example')
  expect((await app.get('/videos')).body).toMatchObject({ data: [] })
  // The key is free for any body, and the slot too.
  const again = await app.post({ ...BODIES[name], text: 'Another' }, KEY)
  expectVideo(again, 202)
  expect(again.headers['idempotency-replayed']).toBeUndefined()
  expect((await app.get('/backends')).body).toMatchObject({
    data: [{ slots: { used: name === 'main' ? 1 : 0 } }, { slots: { used: name === 'alt' ? 1 : 0 } }],
  })
})

describe('a refusal names the field that its code is about', () => {
  const upload = (block: string) => refusal(400, 'invalid_request', { retry_block_code: block })
  const AUDIO = { image_url: MAIN_BODY.image_url, audio_url: 'https://audio.example/a.wav' }
  test.each<['main' | 'alt', Script, object, ProblemCode, string | null]>([
    ['main', refusal(404, 'voice_not_found'), { ...MAIN_BODY, voice_id: 'main:v' }, 'voice_not_found', 'voice_id'],
    ['main', refusal(404, 'voice_not_found'), MAIN_BODY, 'voice_not_found', null],
    ['main', refusal(400, 'invalid_image'), MAIN_BODY, 'invalid_image', 'image_url'],
    ['main', upload('HOSTED_AUDIO_UPLOAD_PENDING'), AUDIO, 'upload_not_finished', 'audio_url'],
    ['alt', nested(404, 'puppet_not_found'), ALT_BODY, 'puppet_not_found', 'puppet_id'],
    ['alt', nested(404, 'voice_not_found'), { ...ALT_BODY, voice_id: 'alt:v' }, 'voice_not_found', 'voice_id'],
    ['main', refusal(402, 'no_credits'), MAIN_BODY, 'insufficient_credits', null],
  ])('%s: %j, %j', async (name, script, body, code, param) => {
    const app = await testApp()
    app[name].next(script)
    expectProblem(await app.post(body), code, { backend: name, param })
  })
})

test("the gateway's refused key is never the client's 401 or 403", async () => {
  const app = await testApp()
  app.main.answer(refusal(401, 'unauthorized'))
  const response = await app.post(MAIN_BODY)
  expectProblem(response, 'backend_credentials_rejected')
  expect(response.headers).not.toHaveProperty('www-authenticate')
  expect((await app.get('/backends')).body).toMatchObject({
    data: [{ health: { status: 'down', reason: 'backend_credentials_rejected' } }, {}],
  })
})

test('nobody there is 503 backend_unavailable and leaves the key free', async () => {
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as AddressInfo
  await new Promise((resolve) => gone.close(resolve))
  const app = await testApp({ backends: { main: { base_url: `http://127.0.0.1:${port}` } } })
  const problem = expectProblem(await app.post(MAIN_BODY, KEY), 'backend_unavailable', {
    backend: 'main',
    retryable: true,
    retry_after_seconds: 10,
  })
  expect(JSON.stringify(problem)).not.toContain(String(port))
  serveAlternate(app.alt)
  expectVideo(await app.post(ALT_BODY, KEY), 202)
  expect((await app.get('/backends')).body).toMatchObject({
    data: [{ health: { status: 'down' } }, { health: { status: 'up' } }],
  })
})

describe('a no about the moment makes the video wait, and is no error', () => {
  const reset = String(Math.floor(Date.now() / 1000) + 30)
  test.each<['main' | 'alt', Script, string]>([
    ['main', refusal(429, 'concurrent_job_limit_reached', { retryable: true }), 'no_free_slot'],
    ['main', refusal(429, 'rate_limited', { retry_after_seconds: 20 }), 'backend_rate_limited'],
    ['main', { ...refusal(429, 'whatever'), headers: { 'retry-after': '20' } }, 'backend_rate_limited'],
    [
      'main',
      refusal(400, 'hosted_audio_upload_unavailable', { details: { retry_after_seconds: 20 } }),
      'backend_unavailable',
    ],
    ['alt', nested(429, 'concurrent_job_limit_reached'), 'no_free_slot'],
    ['alt', { status: 429, headers: { 'x-ratelimit-reset': reset }, body: '' }, 'backend_rate_limited'],
  ])('%s: %j', async (name, script, reason) => {
    const app = await testApp()
    app[name].next(script)
    const response = await app.post(BODIES[name], KEY)
    const video = expectVideo(response, 202)
    expect(video).toMatchObject({ status: 'queued', backend_job_id: null, queue: { position: 1, reason }, error: null })
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(expectVideo(await app.post(BODIES[name], KEY), 202).id).toBe(video.id)
    expect(app[name].requests).toHaveLength(1)
  })
})

describe('the field that a refusal names in its own words', () => {
  const said = (message: string): Script => ({ status: 400, body: { error: 'invalid_request', message } })
  const full = { ...MAIN_BODY, voice_id: 'main:v1', expressiveness: 9 }
  test.each<[string, object, string, string | null]>([
    ['named', full, 'expressiveness must be a number from 0 to 2.', 'expressiveness'],
    ['named last, and with a capital', full, 'Out of range: Expressiveness', 'expressiveness'],
    ['in camelCase', full, 'imageUrl is not reachable', 'image_url'],
    ['by the name that it has there', full, 'The script is too long', 'text'],
    ['not named', full, 'One of the values is out of range.', null],
    ['one of two that are named', full, 'expressiveness does not go with this voice_id', null],
    ['one that was not given', full, 'language is required with this voice', null],
    ['part of a longer word', full, 'the context is wrong', null],
  ])('%s', async (_name, body, message, param) => {
    const app = await testApp()
    app.main.next(said(message))
    const problem = expectProblem(await app.post(body), 'invalid_request', { param, backend: 'main' })
    expect(problem.backend_error?.message).toBe(message)
  })
})

test('the sentence of a backend that found the request invalid is in the answer, bounded and masked', async () => {
  const app = await testApp()
  servePrimary(app.main)
  const say = (message: string) => app.main.next({ status: 400, body: { error: 'invalid_request', message } })
  say('expressiveness must be a number from 0 to 2')
  const { detail } = expectProblem(await app.post(MAIN_BODY), 'invalid_request')
  expect(detail).toBe('The backend refused the request as invalid: expressiveness must be a number from 0 to 2')
  say(`see https://internal.example/x?key=1 with Bearer ${BACKEND_KEYS.main} ${'x'.repeat(900)}`)
  const masked = expectProblem(await app.post(MAIN_BODY), 'invalid_request').detail ?? ''
  expect(masked).not.toMatch(/internal\.example|upstream_main/)
  expect(masked.length).toBeLessThan(260)
})

test('a wrong key of a backend is one thing in the log, and no unknown word of its API', async () => {
  const app = await testApp()
  app.main.next({ status: 401, body: { error: 'unauthorized', message: 'no' } })
  expectProblem(await app.post(MAIN_BODY), 'backend_credentials_rejected')
  expect(app.logs.join('')).toContain('backend_credentials_rejected')
  expect(app.logs.join('')).not.toContain('the backend sent something unknown')
})
