import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** Ids of the gateway's own in the wrong place, and ids that would be more than a segment of a backend's path. */
let app: TestApp
let video = ''
beforeAll(async () => {
  app = await openApp()
  servePrimary(app.main)
  serveAlternate(app.alt)
  // What the lists say is known from here on.
  await app.get('/puppets').expect(200)
  video = expectVideo(await app.post(MAIN_BODY), 202).id
})
afterAll(() => app.close())

const ULID = '01M7WA9S7VF4P8S27TV0W2QQJ9'
const HASH = '0a1b2c3d4e5f60718293a4b5c6'
const OURS: [string, string][] = [
  [`vid_${ULID}`, 'a video'],
  [`upl_${ULID}`, 'an upload'],
  [`we_${ULID}`, 'a webhook endpoint'],
  [`evt_${HASH}`, 'an event'],
  [`dlv_${HASH}`, 'a delivery'],
  [`req_${ULID}`, 'a request'],
]
const post = (path: string, body: object) => app.raw.post(`/unified/v1${path}`).set(bearer(KEYS.anna)).send(body)

describe.each(OURS)('%s is the id of %s', (id, kind) => {
  test('and of no puppet and no voice: nobody is asked for it', async () => {
    const upstream = app.upstream()
    const detail = `${id} is not a puppet: it is the id of ${kind}`
    expectProblem(await app.get(`/puppets/${id}`), 'puppet_not_found', { detail })
    expectProblem(await app.raw.delete(`/unified/v1/puppets/${id}`).set(bearer(KEYS.anna)), 'puppet_not_found', {
      detail,
    })
    const message = `is the gateway's id of ${kind}`
    for (const [path, field, body] of [
      ['/videos', 'puppet_id', { puppet_id: id, text: 'Hello' }],
      ['/videos', 'voice_id', { ...MAIN_BODY, voice_id: id }],
      ['/videos/check', 'voice_id', { ...MAIN_BODY, voice_id: id }],
      ['/speech', 'voice_id', { text: 'Hello', voice_id: id }],
    ] as const)
      expectProblem(await post(path, body), 'invalid_request', { errors: [{ path: field, message }] })
    expect(app.upstream()).toBe(upstream)
  })
})

test('an id that only begins like one may be a backend’s, and is asked for there', async () => {
  const upstream = app.upstream()
  expectProblem(await app.get('/puppets/vid_1'), 'puppet_not_found')
  expect(app.upstream()).toBe(upstream + 1)
})

test('a video’s own id is no job to import; of one that nobody knows the backend is asked', async () => {
  const upstream = app.upstream()
  const adopt = (id: string) => post('/videos/import', { backend: 'alt', backend_job_id: id })
  const problem = expectProblem(await adopt(video), 'invalid_request', { param: 'backend_job_id' })
  expect(problem.detail).toContain('one of your videos')
  expect(app.upstream()).toBe(upstream)
  expectProblem(await adopt(`vid_${ULID}`), 'video_not_found')
  expect(app.upstream()).toBe(upstream + 1)
})

const HOSTILE = [
  '..',
  '.',
  '../usage',
  '..%2fusage',
  '%2e%2e',
  'a/b',
  'a\\b',
  'a?b=c',
  'a#b',
  'a;b',
  'a b',
  '\u0000',
  '\ud800',
  '😀',
  "' OR 1=1",
]

describe('an id that is no segment of a path is asked for nowhere', () => {
  test.each(HOSTILE)('%j', async (id) => {
    const upstream = app.upstream()
    for (const backend of ['main', 'alt']) {
      const answer = await post('/videos/import', { backend, backend_job_id: id })
      expectProblem(answer, 'video_not_found', { backend: null })
    }
    if (id !== '\ud800') {
      const segment = encodeURIComponent(`main:${id}`)
      expectProblem(await app.get(`/puppets/${segment}`), 'puppet_not_found')
      expectProblem(await app.raw.delete(`/unified/v1/puppets/${segment}`).set(bearer(KEYS.anna)), 'puppet_not_found')
      expectProblem(await app.get(`/videos/${encodeURIComponent(`x${id}`)}`), 'video_not_found')
      expectProblem(await app.get(`/events/${encodeURIComponent(`x${id}`)}`), 'event_not_found')
      expectProblem(await app.get(`/deliveries/${encodeURIComponent(`x${id}`)}`), 'delivery_not_found')
      expectProblem(await app.get(`/webhook_endpoints/${encodeURIComponent(`x${id}`)}`), 'endpoint_not_found')
      expectProblem(await app.get(`/backends/${encodeURIComponent(`x${id}`)}/drift`), 'backend_not_found')
    }
    expectProblem(await post('/videos', { text: 'Hello', puppet_id: `main:${id}` }), 'puppet_not_found')
    expect(app.upstream()).toBe(upstream)
  })

  test('and however many there were, the backends are held for well', async () => {
    const { body } = await app.get('/backends').expect(200)
    expect(body).toMatchObject({ data: [{ health: { status: 'up' } }, { health: { status: 'up' } }] })
  })

  test('nor one that is too long, and the answer stays short', async () => {
    const upstream = app.upstream()
    const long = 'a'.repeat(10_000)
    for (const path of ['/puppets/', '/videos/', '/events/', '/deliveries/', '/webhook_endpoints/', '/backends/']) {
      const { text, status } = await app.get(`${path}${long}${path === '/backends/' ? '/drift' : ''}`)
      expect([path, status, text.length < 1_000]).toEqual([path, 404, true])
    }
    expect(app.upstream()).toBe(upstream)
  })
})
