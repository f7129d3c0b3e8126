import { describe, expect, test } from 'vitest'
import { CheckView } from '../../src/core/api/videos.ts'
import { BACKEND_KEYS, bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { fakeClock } from '../fakes/clock.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const IMAGE = 'https://img.example/anna.png'
const ALIASES = { puppets: { anna: { main: { image_url: IMAGE }, alt: 'pup_1' } }, voices: {} }

const ask = (app: TestApp, body: unknown, key: string = KEYS.anna) =>
  app.raw
    .post('/unified/v1/videos/check')
    .set(bearer(key))
    .send(body as object)

const check = async (app: TestApp, body: unknown): Promise<CheckView> => {
  const response = await ask(app, body)
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 })
  return CheckView.parse(response.body)
}
const lineOf = ({ backends }: CheckView, name: string) => must(backends.find(({ backend }) => backend === name))

const start = async (options: GatewayOptions = {}) => {
  const app = await testApp(options)
  return { app, main: servePrimary(app.main), alt: serveAlternate(app.alt) }
}

describe('POST /videos/check', () => {
  test('says for every backend what a create would come to, and asks none', async () => {
    const { app } = await start()
    const { chosen, backends } = await check(app, { ...MAIN_BODY, expressiveness: 0.5 })
    expect([chosen, backends.map(({ backend, verdict }) => `${backend} ${verdict}`)]).toEqual([
      'main',
      ['main ok', 'alt unsupported'],
    ])
    expect(backends[1]).toMatchObject({
      problem: { code: 'capability_not_supported', param: 'image_url' },
      request: null,
    })
    expect(app.upstream()).toBe(0)
    expect((await app.get('/videos')).body).toMatchObject({ data: [] })
  })

  test.each([
    ['main', { image_url: IMAGE, text: 'Hello', voice_id: 'v1', language: 'en', expressiveness: 1 }],
    ['main', { puppet_id: 'anna', text: 'Hello' }],
    ['main', { image_url: IMAGE, audio_url: 'https://audio.example/a.mp3' }],
    ['alt', { puppet_id: 'anna', text: 'Hello', resolution: '720p', language: 'de', unsupported: 'warn' }],
    ['alt', { image_url: IMAGE, text: 'Hello', backend: 'alt' }],
  ])('the request that it shows is the one that goes to %s, but for what is secret', async (name, body) => {
    const { app } = await start({ aliases: ALIASES, server: { public_url: 'https://gateway.example' } })
    const line = lineOf(await check(app, { ...body, backend: name }), name)
    const shown = must(line.request)
    await app.post({ ...body, backend: name })
    const sent = must((name === 'main' ? app.main : app.alt).requests[0])
    expect({ method: shown.method, path: shown.path }).toEqual({ method: sent.method, path: sent.path })
    const hidden = (headers: Record<string, string>) => ({ ...headers, authorization: '', 'idempotency-key': '' })
    expect(hidden({ ...sent.headers, ...shown.headers })).toEqual(hidden(sent.headers))
    expect(shown.headers['authorization']).toBe('Bearer ***')
    const unmasked = JSON.stringify(shown.body).replace(/"webhook_url":"[^"]*"/, '')
    expect(unmasked).toBe(sent.body.replace(/"webhook_url":"[^"]*"/, ''))
    if (name === 'alt') expect(shown.body).toMatchObject({ webhook_url: 'https://gateway.example/hooks/alt/***' })
    else expect(shown.headers['idempotency-key']).toBe('<video id>.1')
    expect(JSON.stringify(line)).not.toContain(BACKEND_KEYS.main)
  })

  test('what would be lost is a warning only where the client wants it so', async () => {
    const { app } = await start()
    const body = { ...ALT_BODY, language: 'de', expressiveness: 1 }
    expect(lineOf(await check(app, body), 'alt')).toMatchObject({
      verdict: 'unsupported',
      problem: { param: 'language' },
    })
    const line = lineOf(await check(app, { ...body, unsupported: 'warn' }), 'alt')
    expect([line.verdict, line.warnings.map(({ code, param }) => `${code} ${param}`)]).toEqual([
      'warn',
      ['option_ignored language', 'option_ignored expressiveness'],
    ])
    expect(expectVideo(await app.post({ ...body, unsupported: 'warn' }), 202).warnings).toEqual(line.warnings)
  })

  test('what routing would choose, or nothing where it leads to one that cannot', async () => {
    const { app } = await start({ aliases: ALIASES })
    const chosen = async (body: unknown) => (await check(app, body)).chosen
    expect(await chosen({ puppet_id: 'anna', text: 'Hello' })).toBe('main')
    expect(await chosen({ puppet_id: 'anna', text: 'Hello', backend: 'alt' })).toBe('alt')
    expect(await chosen({ puppet_id: 'alt:pup_1', text: 'Hello' })).toBe('alt')
    expect(await chosen({ ...MAIN_BODY, backend: 'alt' })).toBeNull()
    expect(await chosen({ ...MAIN_BODY, voice_id: 'alt:w1' })).toBeNull()
    const pinned = await check(app, { puppet_id: 'alt:pup_1', text: 'Hello' })
    // Through the alias the other could, if it were asked to.
    expect(lineOf(pinned, 'main')).toMatchObject({ verdict: 'ok', request: { body: { image_url: IMAGE } } })
  })

  test('is refused as the create would be, whichever backend it went to', async () => {
    const { app } = await start()
    expectProblem(await ask(app, { ...MAIN_BODY, backend: 'nowhere' }), 'invalid_request', { param: 'backend' })
    expectProblem(await ask(app, { image_url: IMAGE }), 'invalid_request', { param: 'text' })
    expectProblem(await ask(app, { ...MAIN_BODY, webhook_url: 'https://127.0.0.1/a' }), 'webhook_url_not_allowed')
    const { text: _text, ...silent } = MAIN_BODY
    expectProblem(await ask(app, { ...silent, upload_id: 'upl_none' }), 'upload_not_found', { param: 'upload_id' })
    expectProblem(await app.get('/videos/check'), 'video_not_found')
    const other = await app.raw.put('/unified/v1/videos/check').set(bearer(KEYS.anna))
    expectProblem(other, 'method_not_allowed')
    expect(other.headers['allow']).toBe('GET, HEAD, POST, DELETE')
    expect(app.upstream()).toBe(0)
  })

  test('a client with an allow-list hears of no other backend, and a key without the scope of none', async () => {
    const clients = [
      { id: 'anna', key: KEYS.anna, backends: ['alt'] },
      { id: 'bert', key: KEYS.bert, scopes: ['videos:read'] },
    ]
    const { app } = await start({ clients })
    expect((await check(app, ALT_BODY)).backends.map(({ backend }) => backend)).toEqual(['alt'])
    expectProblem(await ask(app, ALT_BODY, KEYS.bert), 'insufficient_scope')
  })
})

describe('a backend that could, but not now', () => {
  test('drains', async () => {
    const { app } = await start({ backends: { main: { drain: true } } })
    const answer = await check(app, MAIN_BODY)
    expect(lineOf(answer, 'main')).toMatchObject({ verdict: 'unavailable', problem: { code: 'backend_unavailable' } })
    expect(answer.chosen).toBeNull()
  })

  test('refuses the key, or does not answer', async () => {
    // Nobody listens there, also when a port of a closed server is another's already.
    const { app } = await start({ aliases: ALIASES, backends: { alt: { base_url: 'http://127.0.0.1:1' } } })
    app.main.next({ status: 401, body: { error: 'unauthorized' } })
    expectProblem(await app.post(MAIN_BODY), 'backend_credentials_rejected')
    expectProblem(await app.post(ALT_BODY), 'backend_unavailable')
    const answer = await check(app, { puppet_id: 'anna', text: 'Hello' })
    expect(lineOf(answer, 'main').problem?.code).toBe('backend_credentials_rejected')
    expect(lineOf(answer, 'alt').problem?.code).toBe('backend_unavailable')
    expect(answer.backends.map(({ verdict }) => verdict)).toEqual(['unavailable', 'unavailable'])
    // What would go is shown all the same.
    expect(lineOf(answer, 'main').request?.body).toMatchObject({ image_url: IMAGE })
  })

  test('has no slot, and nobody may wait any more', async () => {
    const { app } = await start({ backends: { main: { slots: 1 } }, engine: { queue_limit: 1 } })
    expectVideo(await app.post(MAIN_BODY), 202)
    expect(lineOf(await check(app, MAIN_BODY), 'main').verdict).toBe('ok')
    expectVideo(await app.post(MAIN_BODY), 202)
    const answer = await check(app, { ...ALT_BODY, backend: null, puppet_id: 'pup_1' })
    expect(lineOf(answer, 'main')).toMatchObject({ verdict: 'unavailable', problem: { code: 'queue_full' } })
    expect(lineOf(answer, 'alt').verdict).toBe('ok')
    expectProblem(await app.post(MAIN_BODY), 'queue_full')
  })
})

describe('what only the backend knows', () => {
  test('is said to be unverified; a fresh catalogue in memory verifies it, a stale one does not', async () => {
    const clock = fakeClock()
    const { app } = await start({ clock })
    const body = { puppet_id: 'pup_m', voice_id: 'v9', text: 'Hello', backend: 'main' }
    const line = async () => lineOf(await check(app, body), 'main')
    const said = async () => (await line()).warnings.map(({ code, param }) => `${code} ${param}`)
    expect(await said()).toEqual(['not_verified puppet_id'])
    expect((await line()).request?.body).toMatchObject({ image_url: '<the image of pup_m>' })
    await app.get('/voices')
    await app.get('/puppets')
    const asked = app.upstream()
    expect(await said()).toEqual(['not_verified voice_id'])
    expect((await line()).request?.body).toMatchObject({ image_url: 'https://img.example/m.png' })
    await clock.advance(600_001)
    expect(await said()).toEqual(['not_verified puppet_id'])
    expect(app.upstream()).toBe(asked)
  })
})
