import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** What createVideo refuses by its body alone. Nothing of it may reach a backend. */
let app: TestApp
beforeAll(async () => {
  app = await openApp()
  servePrimary(app.main)
  serveAlternate(app.alt)
})
afterAll(() => app.close())

const pairs = (count: number, value = 'v') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]))
const { image_url, text } = MAIN_BODY

describe('a refusal says what to do next', () => {
  const PRIVATE = 'is not a public address: ask the operator to allow it in webhooks.allow'
  test.each<[body: unknown, detail: string]>([
    [{ ...MAIN_BODY, txet: 'x' }, 'txet: unknown field; did you mean `text`?'],
    [{ ...MAIN_BODY, puppetId: 'x' }, 'puppetId: unknown field; did you mean `puppet_id`?'],
    [{ ...MAIN_BODY, callback_url: 'x' }, 'callback_url: unknown field; did you mean `webhook_url`?'],
    [{ ...MAIN_BODY, colour: 'red' }, 'colour: unknown field'],
    [`{"text": "x",\n "image_url": "y",}`, 'the body is not valid JSON: line 2, column 19'],
    ['{"text": "secret', 'the body is not valid JSON: line 1, column 17'],
    ['{"text":', 'the body is not valid JSON: it ends too early'],
    ['{"text": "x",\n  "image_url": secret}', 'the body is not valid JSON: line 2, column 16'],
    ['{"text": "x"},,', 'the body is not valid JSON: line 1, column 14'],
    ['nope', 'the body is not valid JSON: line 1, column 2'],
    [{ ...MAIN_BODY, backend: 'primary' }, 'there is no backend primary: yours are main, alt'],
    [
      { text: 'x', voice_id: 'main:v1', puppet_id: 'alt:pup_1' },
      'this id belongs to backend alt, but voice_id sends the video to main',
    ],
    [
      { text: 'x', backend: 'main', puppet_id: 'alt:pup_1' },
      'this id belongs to backend alt, but backend sends the video to main',
    ],
    [{ ...MAIN_BODY, webhook_url: 'https://10.0.0.7/hook' }, `10.0.0.7 ${PRIVATE}`],
    [{ ...MAIN_BODY, webhook_url: 'https://169.254.169.254/' }, `169.254.169.254 ${PRIVATE}`],
    [{ ...MAIN_BODY, webhook_url: 'https://[::1]/' }, `::1 ${PRIVATE}`],
    [{ ...MAIN_BODY, webhook_url: 'https://10.0.0.7:81/hook' }, 'this port is not allowed'],
    [{ ...MAIN_BODY, webhook_url: 'http://10.0.0.7/hook' }, 'the scheme must be https'],
  ])('%j', async (body, detail) => {
    const sent = app.raw.post('/unified/v1/videos').set({ ...bearer(KEYS.anna), 'content-type': 'application/json' })
    const answer = await sent.send(typeof body === 'string' ? body : JSON.stringify(body))
    expect((answer.body as { detail: string }).detail).toContain(detail)
    expect(JSON.stringify(answer.body)).not.toContain('secret')
  })

  test('a create without a body is told so', async () => {
    const answer = await app.raw.post('/unified/v1/videos').set(bearer(KEYS.anna))
    expectProblem(answer, 'unsupported_media_type', {
      detail: 'send the body as application/json: this request has no body',
    })
  })
})

describe('400 invalid_request names every fault', () => {
  test.each<[string, unknown, string[]]>([
    ['an unknown field', { ...MAIN_BODY, colour: 'red' }, ['colour']],
    ['each unknown field', { ...MAIN_BODY, colour: 'red', size: 1 }, ['colour', 'size']],
    ['a camelCase spelling is no alias', { imageUrl: image_url, text }, ['imageUrl', 'image_url']],
    ['two portraits', { ...MAIN_BODY, puppet_id: 'p' }, ['puppet_id']],
    ['no portrait', { text }, ['image_url']],
    ['two sources', { ...MAIN_BODY, audio_url: 'https://a.example/a.wav' }, ['audio_url']],
    ['text and script', { ...MAIN_BODY, script: 'Hello' }, ['script']],
    ['no source', { image_url }, ['text']],
    ['neither', {}, ['image_url', 'text']],
    ['voice without text', { image_url, audio_url: 'https://a.example/a.wav', voice_id: 'v' }, ['voice_id']],
    ['webhook_events without webhook_url', { ...MAIN_BODY, webhook_events: ['video.failed'] }, ['webhook_events']],
    ['a plain http image', { image_url: 'http://img.example/me.png', text }, ['image_url']],
    ['a data: image', { image_url: 'data:image/png;base64,AAAA', text }, ['image_url']],
    ['a relative image', { image_url: '/me.png', text }, ['image_url']],
    ['an image URL with a space before it', { image_url: ` ${image_url}`, text }, ['image_url']],
    ['an image URL with a line break', { image_url: 'https://img.example/a\nb', text }, ['image_url']],
    ['an image URL without slashes', { image_url: 'https:img.example/me.png', text }, ['image_url']],
    ['an image URL with backslashes', { image_url: 'https:\\\\img.example', text }, ['image_url']],
    ['an image URL without a host', { image_url: 'https:///me.png', text }, ['image_url']],
    ['an image URL with a password', { image_url: 'https://user:pass@img.example/me.png', text }, ['image_url']],
    ['an image URL with a user name', { image_url: 'https://user@img.example/me.png', text }, ['image_url']],
    ['an image URL with neither, and its sign', { image_url: 'https://@img.example/me.png', text }, ['image_url']],
    ['an audio URL with a password', { image_url, audio_url: 'https://user:pass@a.example/a.wav' }, ['audio_url']],
    ['an audio URL with a password, by http', { image_url, audio_url: 'http://u:p@127.0.0.1/a.wav' }, ['audio_url']],
    ['an endless image URL', { image_url: `https://img.example/${'a'.repeat(2_048)}`, text }, ['image_url']],
    ['blank text', { image_url, text: ' \n\t ' }, ['text']],
    ['empty text', { image_url, text: '' }, ['text']],
    [
      'wrong types',
      { image_url: 1, text: ['x'], voice_id: {}, language: 5 },
      ['image_url', 'text', 'voice_id', 'language'],
    ],
    ['a resolution of neither kind', { ...MAIN_BODY, resolution: '4k' }, ['resolution']],
    [
      'a number too large for a number',
      `{"image_url":"${image_url}","text":"x","expressiveness":1e999}`,
      ['expressiveness'],
    ],
    ['a number in text', { ...MAIN_BODY, expressiveness: '0.5' }, ['expressiveness']],
    ['an unknown `unsupported`', { ...MAIN_BODY, unsupported: 'ignore' }, ['unsupported']],
    [
      'an unknown event',
      { ...MAIN_BODY, webhook_url: 'https://h.example/', webhook_events: ['video.born'] },
      ['webhook_events.0'],
    ],
    ['no events at all', { ...MAIN_BODY, webhook_url: 'https://h.example/', webhook_events: [] }, ['webhook_events']],
    ['51 pairs of metadata', { ...MAIN_BODY, metadata: pairs(51) }, ['metadata']],
    ['metadata over 8 KiB', { ...MAIN_BODY, metadata: pairs(50, 'v'.repeat(200)) }, ['metadata']],
    ['metadata over 8 KiB in bytes', { ...MAIN_BODY, metadata: pairs(17, '€'.repeat(170)) }, ['metadata']],
    ['a metadata key of 41', { ...MAIN_BODY, metadata: { ['k'.repeat(41)]: 'v' } }, [`metadata.${'k'.repeat(41)}`]],
    ['an empty metadata key', { ...MAIN_BODY, metadata: { '': 'v' } }, ['metadata.']],
    ['a metadata value of 501', { ...MAIN_BODY, metadata: { k: 'v'.repeat(501) } }, ['metadata.k']],
    [
      'metadata that is no string',
      { ...MAIN_BODY, metadata: { a: 1, b: null, c: 'ok', d: {} } },
      ['metadata.a', 'metadata.b', 'metadata.d'],
    ],
    ['metadata in a list', { ...MAIN_BODY, metadata: ['a'] }, ['metadata']],
    [
      'faults of all kinds at once',
      { colour: 1, image_url: 'http://x.example', puppet_id: 'p', resolution: 7, metadata: { a: 1 } },
      ['image_url', 'resolution', 'metadata.a', 'colour', 'puppet_id', 'text'],
    ],
  ])('%s', async (_name, body, paths) => {
    const problem = expectProblem(await app.post(body), 'invalid_request', { retryable: false, backend: null })
    expect(problem.errors.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
  })

  test.each(['null', '[]', '"text"', '7', 'true', '[{"text":"a"}]'])('a body that is no object: %s', async (body) => {
    const problem = expectProblem(await app.post(body), 'invalid_request', { param: null })
    expect(problem.errors).toHaveLength(1)
  })

  test('a webhook URL that cannot be parsed', async () => {
    for (const webhook_url of [
      'not a url',
      '/hook',
      'https://',
      'https://exa mple/',
      'https:///hook',
      '\u0000https://h.example/',
    ]) {
      expectProblem(await app.post({ ...MAIN_BODY, webhook_url }), 'invalid_request', { param: 'webhook_url' })
    }
  })

  test('an unknown backend', async () => {
    for (const backend of ['nowhere', 'constructor', '__proto__', 'MAIN', '\ud800']) {
      expectProblem(await app.post({ ...MAIN_BODY, backend }), 'invalid_request', { param: 'backend' })
    }
  })

  test('ids that contradict the backend, or each other', async () => {
    expectProblem(await app.post({ ...MAIN_BODY, backend: 'main', voice_id: 'alt:w1' }), 'invalid_request', {
      param: 'voice_id',
    })
    expectProblem(
      await app.post({ ...MAIN_BODY, backend: 'main', image_url: null, puppet_id: 'alt:p' }),
      'invalid_request',
      { param: 'puppet_id' },
    )
    expectProblem(await app.post({ text, voice_id: 'main:v1', puppet_id: 'alt:pup_1' }), 'invalid_request', {
      param: 'puppet_id',
    })
  })

  test('text over 5000 characters on the alternate', async () => {
    expectProblem(await app.post({ ...ALT_BODY, text: 'x'.repeat(5_001) }), 'invalid_request', {
      param: 'text',
      backend: 'alt',
    })
    expectProblem(await app.post({ ...ALT_BODY, text: '😀'.repeat(5_001) }), 'invalid_request', { param: 'text' })
  })

  test('an unknown query parameter', async () => {
    const response = await app.raw
      .post('/unified/v1/videos?dry_run=1')
      .set('authorization', 'Bearer tb_anna_0123456789abcdef')
      .send(MAIN_BODY)
    expectProblem(response, 'invalid_request', { param: 'dry_run' })
  })
})

describe('422 capability_not_supported names what cannot be done', () => {
  test.each<[string, object, string, string]>([
    ['a portrait by URL on the alternate', { backend: 'alt', image_url, text }, 'image_url', 'alt'],
    ['a portrait is no option', { backend: 'alt', image_url, text, unsupported: 'warn' }, 'image_url', 'alt'],
    [
      'audio on the alternate',
      { backend: 'alt', puppet_id: 'p', audio_url: 'https://a.example/a.wav' },
      'audio_url',
      'alt',
    ],
    [
      'a source is no option',
      { backend: 'alt', puppet_id: 'p', audio_url: 'https://a.example/a.wav', unsupported: 'warn' },
      'audio_url',
      'alt',
    ],
    ['resolution on the primary', { ...MAIN_BODY, resolution: '720p' }, 'resolution', 'main'],
    ['language on the alternate', { ...ALT_BODY, language: 'en' }, 'language', 'alt'],
    ['expressiveness on the alternate', { ...ALT_BODY, expressiveness: 1 }, 'expressiveness', 'alt'],
  ])('%s', async (_name, body, param, backend) => {
    const problem = expectProblem(await app.post(body), 'capability_not_supported', {
      param,
      backend,
      retryable: false,
    })
    expect(problem.errors).toEqual([{ path: param, message: problem.detail }])
  })
})

describe('400 idempotency_key_invalid', () => {
  test.each([
    ['blank', '   '],
    ['empty', ''],
    ['201 characters', 'k'.repeat(201)],
  ])('%s', async (_name, key) => {
    expectProblem(await app.post(MAIN_BODY, { 'idempotency-key': key }), 'idempotency_key_invalid')
  })

  test('two of them', async () => {
    const request = app.post(MAIN_BODY).set({ 'idempotency-key': ['a', 'b'] })
    expectProblem(await request, 'idempotency_key_invalid', { detail: 'send only one Idempotency-Key' })
  })
})

test('a sign in the path or the query is no user', async () => {
  const urls = [
    'https://img.example/@anna/me.png',
    'https://img.example?by=a@b',
    'https://img.example/a?u=https://u:p@h/',
  ]
  for (const url of urls) {
    // Refused for the field beside it alone.
    const { errors } = expectProblem(await app.post({ image_url: url, text: '' }), 'invalid_request')
    expect(errors.map(({ path }) => path)).toEqual(['text'])
  }
})

test('nothing of all this reached a backend or the store', async () => {
  // The list says whether an image is that of a puppet.
  const asked = [...app.main.requests, ...app.alt.requests].map(({ method, path }) => `${method} ${path}`)
  expect(new Set(asked)).toEqual(new Set(['GET /v1/puppets']))
  expect((await app.get('/videos')).body).toMatchObject({ data: [] })
})
