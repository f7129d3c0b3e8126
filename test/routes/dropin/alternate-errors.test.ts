import { describe, expect, test } from 'vitest'
import { bearer, KEYS } from '../../fakes/gateway.ts'
import { ASKED, bodyOf, stage, type Body } from './alternate-stage.ts'

/** What `/v1` refuses, and in which words: `{ "error": { "code", "message" } }`. */

const errorOf = (response: { body: unknown; headers: Record<string, string> }): Body => {
  const body = Object(response.body) as Body
  expect(Object.keys(body)).toEqual(['error'])
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  const error = body['error'] as Body
  expect(Object.keys(error)).toEqual(['code', 'message'])
  expect(error['message']).toMatch(/\S/)
  return error
}

describe('a create is refused', () => {
  const LONG = 'x'.repeat(5_000)
  test.each<[string, unknown, string]>([
    ['without a script', { puppet_id: 'p' }, 'script: '],
    ['with a blank script', { ...ASKED, script: ' \n' }, 'script: '],
    ['with a script of 5001 characters', { ...ASKED, script: `${LONG}x` }, 'script: '],
    ['with a script of 5001 characters of two units', { ...ASKED, script: '🙂'.repeat(5_001) }, 'script: '],
    ['with a script that is a number', { ...ASKED, script: 5 }, 'script: '],
    ['without a puppet', { script: 'Hello' }, 'puppet_id: '],
    ['with an empty puppet', { ...ASKED, puppet_id: '' }, 'puppet_id: '],
    ['with a null', { ...ASKED, voice_id: null }, 'voice_id: '],
    ['with another resolution', { ...ASKED, resolution: '4k' }, 'resolution: '],
    ['with a webhook that is no URL', { ...ASKED, webhook_url: 'hook' }, 'webhook_url: '],
    ['with a webhook of too many bytes', { ...ASKED, webhook_url: `https://8.8.8.8/${'文'.repeat(700)}` }, ''],
    ['with a webhook of http', { ...ASKED, webhook_url: 'http://hooks.example.com/' }, ''],
    ['with a webhook of this machine', { ...ASKED, webhook_url: 'https://127.0.0.1/' }, ''],
    ['with a webhook of a private network', { ...ASKED, webhook_url: 'https://10.0.0.1/' }, ''],
    ['as a list', [ASKED], 'the body must be a JSON object'],
    ['as null', 'null', 'the body must be a JSON object'],
    ['as what is no JSON', '{"script": ', 'the body is not valid JSON'],
  ])('%s', async (_, body, message) => {
    const on = await stage()
    const error = errorOf(await on.create(body).expect(400))
    expect(error['code']).toBe('invalid_request')
    expect(error['message']).toMatch(new RegExp(`^${message}`))
    expect(on.app.upstream()).toBe(0)
  })

  test('of another type: 415; over 262144 bytes: 413, whatever else is wrong with it', async () => {
    const on = await stage()
    const typed = await on.create(JSON.stringify(ASKED), { 'content-type': 'text/plain' }).expect(415)
    expect(errorOf(typed)['code']).toBe('unsupported_media_type')
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ ...ASKED, pad: '' })
      return JSON.stringify({ ...ASKED, pad: 'x'.repeat(bytes - Buffer.byteLength(empty)) })
    }
    expect(errorOf(await on.create(sized(262_145)).expect(413))['code']).toBe('payload_too_large')
    await on.create(sized(262_144)).expect(201)
    for (const script of [LONG, '🙂'.repeat(5_000)]) await on.create({ ...ASKED, script }).expect(201)
  })
})

describe('a caller is refused', () => {
  test('without a key, with another’s scope, beyond the rate', async () => {
    const on = await stage({
      clients: [
        { id: 'anna', key: KEYS.anna, limits: { requests_per_minute: 2 } },
        { id: 'bert', key: KEYS.bert, scopes: ['voices:read'] },
      ],
    })
    const keyless = await on.app.raw.get('/v1/videos').expect(401)
    expect(errorOf(keyless)).toMatchObject({ code: 'unauthorized' })
    expect(keyless.headers['www-authenticate']).toBe('Bearer')
    expect(errorOf(await on.get('/videos', KEYS.bert).expect(403))['code']).toBe('forbidden')
    await on.get('/voices', KEYS.bert).expect(200)
    for (const expected of ['1', '0'])
      expect((await on.get('/videos').expect(200)).headers['x-ratelimit-remaining']).toBe(expected)
    const limited = await on.get('/videos').expect(429)
    expect(errorOf(limited)['code']).toBe('rate_limited')
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect(limited.headers['x-ratelimit-reset']).toMatch(/^\d{10}$/)
  })

  test.each([
    ['/v1/nothing', 404, 'not_found', undefined],
    ['/v1', 404, 'not_found', undefined],
    ['/v1/videos/', 404, 'not_found', undefined],
    ['/v1/videos', 405, 'method_not_allowed', 'GET, HEAD, POST'],
    ['/v1/videos/vid_1', 405, 'method_not_allowed', 'GET, HEAD'],
    ['/v1/videos/vid_1/download', 405, 'method_not_allowed', 'GET, HEAD'],
    ['/v1/voices', 405, 'method_not_allowed', 'GET, HEAD'],
    ['/v1/puppets', 405, 'method_not_allowed', 'GET, HEAD'],
  ])('DELETE %s: %i', async (path, status, code, allow) => {
    const on = await stage()
    const response = await on.app.raw.delete(path).set(bearer(KEYS.anna)).expect(status)
    expect(errorOf(response)['code']).toBe(code)
    expect(response.headers['allow']).toBe(allow)
  })

  test('for a video that there is not', async () => {
    const on = await stage()
    for (const path of ['/videos/vid_1', '/videos/clip_1', '/videos/vid_1/download', `/videos/${'x'.repeat(300)}`]) {
      const error = errorOf(await on.get(path).expect(404))
      expect(error).toEqual({ code: 'video_not_found', message: 'there is no such video of yours' })
    }
    expect(on.app.upstream()).toBe(0)
  })

  test('for a path that cannot be decoded', async () => {
    const on = await stage()
    expect(errorOf(await on.get('/videos/%zz').expect(400))['code']).toBe('invalid_request')
  })
})

describe('what the backend refuses', () => {
  test.each([
    [404, { code: 'puppet_not_found', message: 'No such puppet.' }, 404],
    [402, { code: 'insufficient_credits', message: 'Not enough credits.' }, 402],
    [400, { code: 'bad_accent', message: 'No.' }, 400],
  ])('is told in its own words where it speaks them: %i', async (status, error, expected) => {
    const on = await stage()
    on.app.alt.next({ status, body: { error } })
    expect(errorOf(await on.create().expect(expected))).toEqual(error)
  })

  test.each([
    [401, 502, 'backend_error'],
    [403, 502, 'backend_error'],
  ])('is not told where it is about the gateway: %i', async (status, expected, code) => {
    const on = await stage()
    on.app.alt.next({ status, body: { error: { code: 'bad_key', message: 'this key is bad' } } })
    const error = errorOf(await on.create().expect(expected))
    expect(error['code']).toBe(code)
    expect(error['message']).not.toContain('this key is bad')
  })

  test('is told in plain words where it speaks the other contract', async () => {
    const on = await stage({ behind: 'main' })
    const create = () => on.create({ ...ASKED, puppet_id: 'pup_m' })
    await on.get('/puppets').expect(200)
    on.app.main.next({
      status: 402,
      body: { error: 'insufficient_credits', message: 'none', retry_block_code: 'INSUFFICIENT_CREDITS' },
    })
    expect(errorOf(await create().expect(402))['code']).toBe('insufficient_credits')
  })

  test('has no words: the puppet or the voice is unknown', async () => {
    const on = await stage({ behind: 'main' })
    expect(bodyOf(await on.create().expect(404))).toMatchObject({ error: { code: 'puppet_not_found' } })
  })
})
