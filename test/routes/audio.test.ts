import { describe, expect, test } from 'vitest'
import { AUDIO_TYPES, SpeechView, UploadView } from '../../src/core/api/videos.ts'
import { accountId } from '../../src/accounts.ts'
import { fakeClock } from '../fakes/clock.ts'
import { BACKEND_KEYS, bearer, KEYS, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { HOUR } from '../fakes/records.ts'
import { expectProblem } from './expect.ts'
import { serveResources } from './resource-services.ts'
import { serveAlternate } from './services.ts'

/** Speech, and places for a client's own audio. */
const UPLOAD = { content_type: 'audio/wav', size_bytes: 1_000 }
const SPEECH = { text: 'Hello', voice_id: 'main:v1' }

const start = async (options: GatewayOptions = {}) => {
  const clock = fakeClock()
  const app = await testApp({ clock, ...options })
  const main = serveResources(app.main)
  serveAlternate(app.alt)
  const poster =
    (path: string) =>
    (body: object, headers: Record<string, string> = {}, key: string = KEYS.anna) =>
      app.raw
        .post(`/unified/v1${path}`)
        .set({ ...bearer(key), 'content-type': 'application/json', ...headers })
        .send(JSON.stringify(body))
  return { app, clock, main, upload: poster('/uploads'), speak: poster('/speech') }
}
const keyed = (key: string) => ({ 'idempotency-key': key })

describe('POST /uploads', () => {
  test('answers where to put the audio, and where it can be read', async () => {
    const { main, upload } = await start()
    const response = await upload(UPLOAD)
    expect(response.status).toBe(201)
    expect(response.headers['cache-control']).toBe('no-store')
    const view = UploadView.parse(response.body)
    expect(view).toEqual({
      id: expect.stringMatching(/^upl_[0-9A-Z]{26}$/) as string,
      object: 'upload',
      backend: 'main',
      upload_url: 'https://storage.example/a_1.wav?put=1',
      method: 'PUT',
      headers: { 'content-type': 'audio/wav' },
      audio_url: 'https://storage.example/a_1.wav?read=1',
      expires_at: '2036-01-01T00:00:00.000Z',
    })
    expect(main.uploads.get('a_1')).toEqual({ mime_type: 'audio/wav', content_length: 1_000 })
  })

  test('asks for readiness where the client does', async () => {
    const { app, main, upload } = await start()
    await upload({ ...UPLOAD, require_video_readiness: true })
    expect(main.uploads.get('a_1')).toMatchObject({ require_video_readiness: true })
    const body = { error: 'no_credits', message: 'no', video_generation: { can_create: false, reason: 'credits' } }
    app.main.next({ status: 402, body })
    const problem = expectProblem(await upload({ ...UPLOAD, require_video_readiness: true }), 'insufficient_credits')
    expect(problem.details).toMatchObject({ video_generation: { can_create: false, reason: 'credits' } })
  })

  test.each(AUDIO_TYPES)('takes %s', async (content_type) => {
    const { upload } = await start()
    expect((await upload({ ...UPLOAD, content_type })).status).toBe(201)
  })

  test.each<[string, object, string]>([
    ['no type', { size_bytes: 1 }, 'content_type'],
    ['another type', { ...UPLOAD, content_type: 'audio/ogg' }, 'content_type'],
    ['no size', { content_type: 'audio/wav' }, 'size_bytes'],
    ['nothing', { ...UPLOAD, size_bytes: 0 }, 'size_bytes'],
    ['half a byte', { ...UPLOAD, size_bytes: 1.5 }, 'size_bytes'],
    ['a size in words', { ...UPLOAD, size_bytes: '1000' }, 'size_bytes'],
    ['a flag in words', { ...UPLOAD, require_video_readiness: 'yes' }, 'require_video_readiness'],
    ['an unknown field', { ...UPLOAD, mime_type: 'audio/wav' }, 'mime_type'],
  ])('refuses %s', async (_, body, param) => {
    const { app, upload } = await start()
    expectProblem(await upload(body), 'invalid_request', { param })
    expect(app.upstream()).toBe(0)
  })

  test('refuses what is too large, to the byte', async () => {
    const { app, upload } = await start()
    const problem = expectProblem(await upload({ ...UPLOAD, size_bytes: 52_428_801 }), 'file_too_large', {
      param: 'size_bytes',
    })
    expect(problem.details).toEqual({ max_file_bytes: 52_428_800 })
    expect(app.upstream()).toBe(0)
    expect((await upload({ ...UPLOAD, size_bytes: 52_428_800 })).status).toBe(201)
  })

  test('goes to a backend that hosts audio, if the client has one', async () => {
    const clients = [
      { id: 'anna', key: KEYS.anna, backends: ['alt'] },
      { id: 'bert', key: KEYS.bert, backends: ['alt', 'main'] },
    ]
    const { app, upload } = await start({ clients })
    expectProblem(await upload(UPLOAD), 'capability_not_supported')
    expect(app.upstream()).toBe(0)
    expect(UploadView.parse((await upload(UPLOAD, {}, KEYS.bert)).body).backend).toBe('main')
  })
})

describe('POST /uploads under a key', () => {
  test('is one upload, signed anew each time', async () => {
    const { app, main, upload } = await start()
    const [first, again] = [
      await upload(UPLOAD, keyed('k')),
      await upload({ ...UPLOAD, require_video_readiness: false }, keyed('k')),
    ]
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.headers['idempotency-replayed']).toBe('true')
    const [before, after] = [UploadView.parse(first.body), UploadView.parse(again.body)]
    expect(after.id).toBe(before.id)
    expect([after.upload_url, after.audio_url]).toEqual([
      'https://storage.example/a_1.wav?put=2',
      'https://storage.example/a_1.wav?read=2',
    ])
    expect(main.uploads.size).toBe(1)
    expect((await app.deps.resources.uploadLookup.byId('anna', after.id))?.audioUrl).toBe(after.audio_url)
    expectProblem(await upload({ ...UPLOAD, size_bytes: 7 }, keyed('k')), 'idempotency_key_conflict')
    expectProblem(await upload({ ...UPLOAD, require_video_readiness: true }, keyed('k')), 'idempotency_key_conflict')
  })

  test('whose replay fails stays what it is', async () => {
    const { app, upload } = await start()
    const { id } = UploadView.parse((await upload(UPLOAD, keyed('k'))).body)
    app.main.next({ status: 503, body: { error: 'down', message: 'no' } }, { fault: 'reset' })
    expectProblem(await upload(UPLOAD, keyed('k')), 'backend_unavailable')
    expectProblem(await upload(UPLOAD, keyed('k')), 'backend_error', { retryable: true })
    expect(UploadView.parse((await upload(UPLOAD, keyed('k'))).body).id).toBe(id)
  })

  test('a doubt keeps its name through the repeat', async () => {
    const { app, clock, main, upload } = await start()
    app.main.next({ fault: 'cut' })
    expectProblem(await upload(UPLOAD, keyed('k')), 'backend_error', { retryable: true })
    clock.jump(HOUR)
    const response = await upload(UPLOAD, keyed('k'))
    expect(response.status).toBe(201)
    // It was named when it was first attempted.
    const { id } = UploadView.parse(response.body)
    expect((await app.deps.resources.uploadLookup.byId('anna', id))?.createdAtMs).toBe(clock.now())
    expect(new Set(main.asked('POST', '/').map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('keys of two clients and of two operations go out apart, the same for ever', async () => {
    const { main, upload } = await start()
    await upload(UPLOAD, keyed('k'))
    await upload(UPLOAD, keyed('k'))
    await upload(UPLOAD, keyed('k'), KEYS.bert)
    await upload(UPLOAD)
    await upload(UPLOAD)
    const sent = main.asked('POST', '/').map(({ headers }) => must(headers['idempotency-key']))
    expect(sent[0]).toBe(sent[1])
    expect(new Set(sent).size).toBe(4)
    expect(main.uploads.size).toBe(4)
  })
})

describe('an upload, as a create finds it', () => {
  test('is its client’s by id and by URL, whatever the signature; to others foreign or unknown', async () => {
    const { app, upload } = await start()
    const { id, audio_url } = UploadView.parse((await upload(UPLOAD)).body)
    const { uploadLookup } = app.deps.resources
    const record = await uploadLookup.byId('anna', id)
    expect(record).toEqual({
      id,
      client: 'anna',
      account: accountId({ interface: 'primary', base_url: app.main.url, api_key: BACKEND_KEYS.main }),
      backend: 'main',
      contentType: 'audio/wav',
      sizeBytes: 1_000,
      audioUrl: audio_url,
      createdAtMs: expect.any(Number) as number,
    })
    for (const url of [audio_url, 'https://storage.example/a_1.wav', 'https://storage.example/a_1.wav?read=9#x']) {
      expect(await uploadLookup.byUrl('anna', url)).toEqual({ kind: 'own', upload: record })
      expect(await uploadLookup.byUrl('bert', url)).toEqual({ kind: 'foreign' })
    }
    expect(await uploadLookup.byId('bert', id)).toBeNull()
    expect(await uploadLookup.byUrl('anna', 'https://storage.example/a_2.wav')).toEqual({ kind: 'unknown' })
  })
})

describe('POST /speech', () => {
  test('answers the clip', async () => {
    const { main, speak } = await start()
    const response = await speak({ ...SPEECH, speed: 1.25 })
    expect(response.status).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(SpeechView.parse(response.body)).toEqual({
      object: 'speech',
      audio_url: 'https://storage.example/speech.wav?read=1',
      expires_at: null,
      duration_seconds: 2.5,
      content_type: 'audio/wav',
    })
    expect(JSON.parse(must(main.asked('POST', '/').at(-1)).body)).toEqual({
      text: 'Hello',
      voice_id: 'v1',
      speed: 1.25,
    })
  })

  test.each([1e14, Number.MAX_VALUE])('a backend’s %d seconds are no time, and no fault', async (expires_in) => {
    const { app, upload, speak } = await start()
    const links = { upload_url: 'https://storage.example/a?put=1', read_url: 'https://storage.example/a?read=1' }
    app.main.next({ body: { ...links, expires_in } }, { body: { audio_url: links.read_url, expires_in } })
    const reserved = await upload(UPLOAD)
    expect([reserved.status, UploadView.parse(reserved.body).expires_at]).toEqual([201, null])
    const spoken = await speak(SPEECH)
    expect([spoken.status, SpeechView.parse(spoken.body).expires_at]).toEqual([200, null])
  })

  test('a bare voice goes to the backend that can speak; one of another is refused', async () => {
    const { app, main, speak } = await start({ clients: [{ id: 'anna', key: KEYS.anna, backends: ['alt', 'main'] }] })
    expect((await speak({ ...SPEECH, voice_id: 'v1', speed: null })).status).toBe(200)
    expect(JSON.parse(must(main.asked('POST', '/').at(-1)).body)).toEqual({ text: 'Hello', voice_id: 'v1' })
    const before = app.upstream()
    expectProblem(await speak({ ...SPEECH, voice_id: 'alt:w1' }), 'capability_not_supported', {
      param: 'voice_id',
      backend: 'alt',
    })
    expect(app.upstream()).toBe(before)
  })

  test.each<[string, object, string]>([
    ['no text', { voice_id: 'v1' }, 'text'],
    ['blank text', { ...SPEECH, text: ' \n' }, 'text'],
    ['no voice', { text: 'Hello' }, 'voice_id'],
    ['no speed at all', { ...SPEECH, speed: 0 }, 'speed'],
    ['a speed in words', { ...SPEECH, speed: '1' }, 'speed'],
    ['an unknown field', { ...SPEECH, language: 'en' }, 'language'],
  ])('refuses %s', async (_, body, param) => {
    const { app, speak } = await start()
    expectProblem(await speak(body), 'invalid_request', { param })
    expect(app.upstream()).toBe(0)
  })

  test('tells the backend’s refusal', async () => {
    const { app, speak } = await start()
    app.main.next({ status: 404, body: { error: 'voice_not_found', message: 'no' } }, { status: 429, body: {} })
    expectProblem(await speak(SPEECH), 'voice_not_found', { backend: 'main', param: 'voice_id' })
    expectProblem(await speak(SPEECH), 'quota_exceeded', { retryable: false })
  })

  test.each(['reset', 'cut', 'hang'] as const)(
    'is never sent again by the gateway, nor asked to be: %s',
    async (fault) => {
      const { app, main, speak } = await start({ backends: { main: { timeout: '2s' } } })
      app.main.next({ fault })
      const problem = expectProblem(await speak(SPEECH), fault === 'hang' ? 'backend_timeout' : 'backend_error', {
        retryable: false,
      })
      expect(problem.detail).toContain('and would pay again if you repeat it')
      expect(main.asked('POST', '/')).toHaveLength(1)
    },
  )
})

test('what is signed, said or keyed is in no log', async () => {
  const { app, speak, upload } = await start()
  app.main.next({ status: 500, body: { error: 'x', message: 'see https://storage.example/?read=canary' } })
  await speak({ ...SPEECH, text: 'canary words' })
  await speak({ ...SPEECH, text: 'canary words' })
  await upload(UPLOAD, keyed('canary-key'))
  await upload(UPLOAD, keyed('canary-key'))
  expect(app.logs.join('\n')).not.toMatch(/canary|read=|put=/)
  expect(app.logs.length).toBeGreaterThan(3)
})
