import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary, type Service } from './services.ts'

/** A client with an allow-list does not learn that other backends exist. */
let app: TestApp
let main: Service
let alt: Service
beforeAll(async () => {
  app = await openApp({
    clients: [
      { id: 'anna', key: KEYS.anna, backends: ['alt'] },
      { id: 'bert', key: KEYS.bert },
    ],
  })
  main = servePrimary(app.main)
  alt = serveAlternate(app.alt)
})
afterAll(() => app.close())

const ids = (body: unknown) =>
  (body as { data: { id?: string; name?: string }[] }).data.map(({ id, name }) => id ?? name)

describe('the hidden backend', () => {
  test('is not listed, nor are its voices and puppets', async () => {
    expect(ids((await app.get('/backends')).body)).toEqual(['alt'])
    expect(ids((await app.get('/voices')).body)).toEqual(['alt:w1', 'alt:w2'])
    expect(ids((await app.get('/puppets')).body)).toEqual(['alt:pup_1'])
    expect(main.asked('GET', '/')).toEqual([])
  })

  test.each(['/videos', '/voices', '/puppets'])('is as unknown as none in a query of GET %s', async (path) => {
    const hidden = expectProblem(await app.get(`${path}?backend=main`), 'invalid_request', { param: 'backend' })
    const unknown = expectProblem(await app.get(`${path}?backend=none`), 'invalid_request', { param: 'backend' })
    expect(hidden.detail.replace('main', 'none')).toBe(unknown.detail)
    expect(JSON.stringify(hidden.errors).replace('main', 'none')).toBe(JSON.stringify(unknown.errors))
  })

  test('is as unknown as none in a create', async () => {
    const hidden = expectProblem(await app.post({ ...MAIN_BODY, backend: 'main' }), 'invalid_request')
    const unknown = expectProblem(await app.post({ ...MAIN_BODY, backend: 'none' }), 'invalid_request')
    expect({ ...hidden, request_id: '' }).toEqual({
      ...unknown,
      detail: hidden.detail,
      request_id: '',
      errors: hidden.errors,
    })
    expect(hidden.detail.replace('main', 'none')).toBe(unknown.detail)
  })

  test('is not the default, and an id under its name is no address', async () => {
    const video = expectVideo(await app.post({ ...ALT_BODY, backend: null, voice_id: 'main:v1' }), 202)
    expect([video.backend, video.routing.chosen_by]).toEqual(['alt', 'default'])
    expect(video.routing.considered.map(({ backend }) => backend)).toEqual(['alt'])
    expect(JSON.parse(alt.creates().at(-1)?.body ?? '')).toMatchObject({ voice_id: 'main:v1' })
    expect(main.creates()).toEqual([])
  })

  test('is there for those who may', async () => {
    const seen = (path: string) => app.raw.get(`/unified/v1${path}`).set(bearer(KEYS.bert))
    expect(ids((await seen('/backends')).body)).toEqual(['main', 'alt'])
    expect(ids((await seen('/voices')).body)).toEqual(['main:v1', 'main:v2', 'alt:w1', 'alt:w2'])
    expect(ids((await seen('/puppets')).body)).toEqual(['main:pup_m', 'alt:pup_1'])
  })
})
