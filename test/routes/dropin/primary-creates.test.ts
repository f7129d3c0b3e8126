import { describe, expect, test } from 'vitest'
import { bearer, KEYS } from '../../fakes/gateway.ts'
import { expectError, IMAGE, stage, VIDEO } from './stage.ts'

/** The primary contract's own tables, written out: the code's tables are not asked. */
const IMAGES = [
  'image_url imageUrl image portrait portrait_url portraitUrl',
  'avatar avatarUrl avatar_url photo photoUrl photo_url',
].flatMap((names) => names.split(' '))
const TEXTS = ['text', 'script', 'prompt']
const VOICES = ['voice_id', 'voiceId', 'voice']
const AUDIOS = ['audio_url', 'audioUrl', 'audio']

const without = (body: object, name: string): object =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))

describe('POST /api/v1/videos/text', () => {
  test.each([
    ...IMAGES.map((name) => ['image_url', name, IMAGE] as const),
    ...TEXTS.map((name) => ['text', name, 'Hello there'] as const),
    ...VOICES.map((name) => ['voice_id', name, 'acme-en_1'] as const),
  ])('takes %s as %s', async (group, name, value) => {
    const { post, sent } = await stage()
    const body = { ...without({ ...VIDEO, voice_id: 'acme-en_1' }, group), [name]: value }
    expect((await post('/videos/text', body)).status).toBe(202)
    expect(sent()).toEqual([{ ...VIDEO, voice_id: 'acme-en_1' }])
  })

  test('hands on the options that the backend has', async () => {
    const { post, sent } = await stage()
    const response = await post('/videos/text', { ...VIDEO, language: 'en', expressiveness: 0.5 })
    expect(response.headers).not.toHaveProperty('talkbridge-warning')
    expect(sent()).toEqual([{ ...VIDEO, language: 'en', expressiveness: 0.5 }])
  })

  test('two names of one value may stand together if they agree', async () => {
    const { post, app } = await stage()
    expect((await post('/videos/text', { ...VIDEO, script: VIDEO.text })).status).toBe(202)
    expectError(await post('/videos/text', { ...VIDEO, script: 'other' }), 400, 'invalid_request')
    expectError(await post('/videos/text', { ...VIDEO, photo: `${IMAGE}?2` }), 400, 'invalid_request')
    expect(app.main.requests).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['no image', { text: 'x' }],
    ['an image over plain http', { ...VIDEO, image_url: 'http://img.example/a.png' }],
    ['an image with a password', { ...VIDEO, image_url: 'https://a:b@img.example/a.png' }],
    ['no text', { image_url: IMAGE }],
    ['a blank text', { ...VIDEO, text: ' \n' }],
    ['a text that is none', { ...VIDEO, text: 7 }],
    ['a null', { ...VIDEO, language: null }],
    ['an expressiveness in words', { ...VIDEO, expressiveness: 'much' }],
    ['a list', [VIDEO]],
    ['a word', '"text"'],
    ['half a body', '{"text":'],
    ['a webhook_url that is none', { ...VIDEO, webhook_url: 'hook' }],
    ['a webhook_url of too many bytes', { ...VIDEO, webhook_url: `https://8.8.8.8/${'文'.repeat(700)}` }],
    ['a webhook to this machine', { ...VIDEO, webhook_url: 'http://127.0.0.1:9/hook' }],
  ])('refuses %s, and asks nobody', async (_, body) => {
    const { app, post } = await stage()
    const { retryable } = expectError(await post('/videos/text', body), 400, 'invalid_request')
    expect(retryable).toBe(false)
    expect(app.upstream()).toBe(0)
  })

  test('counts the body in bytes: 65536 are taken, one more is not', async () => {
    const { post } = await stage()
    const padded = (bytes: number): string => {
      const body = JSON.stringify({ ...VIDEO, text: 'é' })
      return body + ' '.repeat(bytes - Buffer.byteLength(body))
    }
    expect((await post('/videos/text', padded(65_536))).status).toBe(202)
    const over = expectError(
      await post('/videos/text', padded(65_537)),
      413,
      'payload_too_large',
      'VIDEO_CREATE_PAYLOAD_TOO_LARGE',
    )
    expect(over['details']).toMatchObject({ max_body_bytes: 65_536 })
  })

  test('is for JSON alone, with a key that may', async () => {
    const clients = [{ id: 'anna', key: KEYS.anna, scopes: ['videos:read'] }]
    const { app, post } = await stage({ clients })
    const unknown = app.raw.post('/api/v1/videos/text').set(bearer('tb_nobody_0123456789')).send(VIDEO)
    expectError(await unknown, 401, 'unauthorized')
    expectError(await post('/videos/text', VIDEO), 403, 'insufficient_scope')
    const able = await stage()
    const typed = await able.post('/videos/text', '{}', { 'content-type': 'text/plain' })
    expectError(typed, 415, 'unsupported_media_type')
    expect(app.upstream()).toBe(0)
  })

  test('an unknown field is told of, or refused where the operator wants that', async () => {
    const warning = await stage()
    const response = await warning.post('/videos/text', { ...VIDEO, mood: 'glad', 'a\nb': 1 })
    expect([response.status, response.headers['talkbridge-warning']]).toEqual([
      202,
      'unknown_field; param=mood, unknown_field; param=(unprintable)',
    ])
    expect(warning.sent()).toEqual([VIDEO])
    const strict = await stage({ dropin: { unsupported: 'reject' } })
    expectError(await strict.post('/videos/text', { ...VIDEO, mood: 'glad' }), 400, 'invalid_request')
    expect(strict.app.upstream()).toBe(0)
  })
})

describe('POST /api/v1/videos/audio', () => {
  const AUDIO = { image_url: IMAGE, audio_url: 'https://files.example/a.wav' }

  test.each(AUDIOS)('takes the audio as %s', async (name) => {
    const { post, sent } = await stage()
    const body = { ...without(AUDIO, 'audio_url'), [name]: AUDIO.audio_url }
    expect((await post('/videos/audio', body)).status).toBe(202)
    expect(sent()).toEqual([AUDIO])
  })

  test('audio that the backend does not host is refused, and not brought there', async () => {
    const { app, post } = await stage()
    const refused = { error: 'invalid_request', message: 'not ours', retry_block_code: 'HOSTED_AUDIO_UPLOAD_NOT_FOUND' }
    app.main.answer({ status: 400, body: refused })
    const { status, body } = await post('/videos/audio', AUDIO)
    expect([status, body, app.main.requests.length]).toEqual([400, refused, 1])
  })
})

describe('an Idempotency-Key', () => {
  const keyed = (key: string) => ({ 'idempotency-key': key })

  test.each(['idempotencyKey', 'idempotency_key'])('may stand in the body as %s', async (name) => {
    const { app, post } = await stage()
    const first = await post('/videos/text', { ...VIDEO, [name]: 'k' })
    const again = await post('/videos/text', VIDEO, keyed('k'))
    expect([again.status, again.body.id, app.main.requests.length]).toEqual([202, first.body.id, 1])
  })

  test('is one: two that differ are refused', async () => {
    const { app, post } = await stage()
    const differing = await post('/videos/text', { ...VIDEO, idempotencyKey: 'a' }, keyed('b'))
    expectError(differing, 400, 'idempotency_key_mismatch')
    for (const key of ['', ' ', 'k'.repeat(201), 7])
      expectError(await post('/videos/text', { ...VIDEO, idempotency_key: key }), 400, 'invalid_request')
    expect(app.upstream()).toBe(0)
  })

  test('of another request is a conflict that names the job', async () => {
    const { post } = await stage()
    const first = await post('/videos/text', VIDEO, keyed('k'))
    const conflict = await post('/videos/text', { ...VIDEO, text: 'other' }, keyed('k'))
    const body = expectError(conflict, 409, 'idempotency_key_conflict')
    expect([body['id'], body['taskId'], conflict.headers['location']]).toEqual([
      first.body.id,
      first.body.id,
      first.headers['location'],
    ])
  })

  test('belongs to its operation and its client', async () => {
    const { app, post } = await stage()
    const ids = [
      await post('/videos/text', VIDEO, keyed('k')),
      await post('/videos/audio', { image_url: IMAGE, audio_url: 'https://files.example/a.wav' }, keyed('k')),
      await post('/videos/text', { ...VIDEO, text: 'mine' }, { ...keyed('k'), ...bearer(KEYS.bert) }),
      await app.post({ image_url: IMAGE, text: 'unified' }, keyed('k')),
    ].map(({ status, body }) => [status, String(body.id).slice(-26)])
    expect(ids.map(([status]) => status)).toEqual([202, 202, 202, 202])
    expect(new Set(ids.map(([, id]) => id)).size).toBe(4)
  })

  test('of a retryable failure is replayed with a time to come back, and starts nothing', async () => {
    const { app, post, get } = await stage({ runsEngine: true })
    const made = await post('/videos/text', VIDEO, keyed('k'))
    const failed = {
      id: 'api_video_upstream-1',
      status: 'failed',
      error: 'no_face',
      message: 'No face',
      retryable: true,
    }
    app.main.answer({ body: failed })
    await expect.poll(async () => (await get(made.body.status_url)).body.status, { timeout: 120_000 }).toBe('failed')
    const replay = await post('/videos/text', VIDEO, keyed('k'))
    expect([replay.status, replay.body.error, replay.body.retryable]).toEqual([200, 'no_face', true])
    expect(replay.headers['retry-after']).toMatch(/^\d+$/)
    expect((await get(made.body.status_url)).headers).not.toHaveProperty('retry-after')
    expect(app.main.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})
