import { describe, expect, test } from 'vitest'
import { serveAlternate, servePrimary } from '../services.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { bearer, type ConfigDraft, KEYS } from '../../fakes/gateway.ts'
import { sandboxStage } from './sandbox-stage.ts'
import { expectError, IMAGE, stage, VIDEO } from './stage.ts'

/** Both slots of the service are taken: a create only waits, and what is known to be wrong is refused at once. */
const full = async () => {
  const s = await sandboxStage({ slots: 2 })
  const create = (more: object = {}) => s.post('/api/v1/videos/text', { ...VIDEO, ...more })
  for (const n of [1, 2]) expect([n, (await create()).status]).toEqual([n, 202])
  return { ...s, create }
}

describe('while all slots are taken', () => {
  test('an unknown voice is 404 if the list is in memory, and 202 if it is not', async () => {
    const { create, get } = await full()
    expect((await create({ voice_id: 'nobody' })).status).toBe(202)
    await get('/unified/v1/voices')
    expectError(await create({ voice_id: 'nobody' }), 404, 'voice_not_found', 'SERVICE_VOICE_NOT_FOUND')
    expect((await create({ voice_id: 'sandbox-en-us-ava' })).status).toBe(202)
  })

  test('an image URL that ends as no picture does is 400; the unified API takes it', async () => {
    const { create, post } = await full()
    for (const ending of ['.pdf', '.mp4?x=1', '.TXT'])
      expectError(await create({ image_url: `https://img.example/a${ending}` }), 400, 'invalid_image')
    for (const ending of ['.png', '.webp', '', '.pdf.jpg'])
      expect((await create({ image_url: `https://img.example/a${ending}` })).status).toBe(202)
    const body = { image_url: 'https://img.example/a.pdf', text: 'Hello' }
    expect((await post('/unified/v1/videos', body)).status).toBe(202)
  })

  test('credits that the waiting videos use up are 402, as the service says it', async () => {
    const { create, post } = await full()
    for (let n = 3; n <= 10; n += 1) expect([n, (await create()).status]).toEqual([n, 202])
    const refused = await create()
    expectError(refused, 402, 'insufficient_credits')
    expect(refused.body.details.video_generation).toMatchObject({ can_create: false, active_jobs: 2 })
    const replayed = await post('/api/v1/videos/text', VIDEO, { 'idempotency-key': 'k' })
    expectError(replayed, 402, 'insufficient_credits')
  })
})

test('a list that is some time old refuses nothing that exists: it is read again, once a minute', async () => {
  const clock = fakeClock()
  const { app, post, get } = await stage({ clock, backends: { main: { slots: 1 } } })
  const service = servePrimary(app.main, clock.now)
  const voices = ['v1']
  const scripted = { data: voices.map((id) => ({ id })) }
  const before = app.main
  before.answer((request) => {
    if (request.path === '/api/v1/voices/service') return { body: { object: 'list', ...scripted } }
    return { status: 202, body: { id: `api_video_${before.requests.length}`, status: 'queued' } }
  })
  const lists = () => service.asked('GET', '/api/v1/voices').length
  const ask = async (voice_id: string) => (await post('/videos/text', { ...VIDEO, image_url: IMAGE, voice_id })).status
  expect(await ask('v1')).toBe(202)
  await get('/unified/v1/voices')
  await clock.advance(30_000)
  scripted.data.push({ id: 'new' })
  expect([await ask('new'), lists()]).toEqual([202, 2])
  await clock.advance(30_000)
  // Until the next reading, nobody knows.
  expect([await ask('newest'), lists()]).toEqual([202, 2])
  await clock.advance(30_000)
  for (let n = 0; n < 2; n += 1) expect([await ask('newest'), lists()]).toEqual([404, 3])
  await clock.advance(61_000)
  scripted.data.push({ id: 'newest' })
  expect([await ask('newest'), lists()]).toEqual([202, 4])
})

test('a list that cannot be read is tried once a minute, and refuses nothing', async () => {
  const clock = fakeClock()
  const { app, post, get } = await stage({ clock, backends: { main: { slots: 1 } } })
  const service = servePrimary(app.main, clock.now)
  const ask = async () => (await post('/videos/text', { ...VIDEO, image_url: IMAGE, voice_id: 'nobody' })).status
  const lists = () => service.asked('GET', '/api/v1/voices').length
  expect((await post('/videos/text', VIDEO)).status).toBe(202)
  await get('/unified/v1/voices')
  app.main.answer({ status: 500, body: { error: 'broken', message: 'no' } })
  for (let n = 0; n < 5; n += 1) {
    await clock.advance(11_000)
    expect([await ask(), lists()]).toEqual([202, 2])
  }
  await clock.advance(16_000)
  expect([await ask(), lists()]).toEqual([202, 3])
})

test('a puppet that may be behind the pages that are read is not refused', async () => {
  const { app } = await stage({ backends: { alt: { slots: 1 } } })
  let pages = 0
  app.alt.answer(({ method }) => {
    if (method === 'POST') return { status: 201, body: { id: 'clip_1', status: 'processing' } }
    pages += 1
    return { body: { data: [{ id: `pup_${pages}` }], pagination: { page: pages, total_pages: 21 } } }
  })
  const ask = (puppet_id: string) =>
    app.raw.post('/v1/videos').set(bearer(KEYS.anna)).send({ script: 'Hello', puppet_id })
  for (const id of ['pup_1', 'pup_1', 'pup_21']) expect((await ask(id)).status).toBe(201)
  expect(pages).toBeGreaterThan(19)
})

describe('with a backend that stands in', () => {
  const start = async (
    failover_on: ('down' | 'no_credits')[],
    backends: NonNullable<ConfigDraft['backends']>,
    more: ConfigDraft = {},
  ) => {
    const aliases = {
      ...more.aliases,
      puppets: { me: { main: { image_url: IMAGE }, alt: 'pup_1' } },
    }
    const routing = { failover: { main: ['alt'] }, failover_on }
    const { app, post, get } = await stage({ backends, routing, aliases })
    const [main, alt] = [servePrimary(app.main), serveAlternate(app.alt)]
    const create = (voice_id: string) => post('/videos/text', { ...VIDEO, image_url: IMAGE, voice_id })
    const makers = async () =>
      (await app.get('/videos')).body.data.map(({ backend }: { backend: string }) => backend).toReversed()
    return { app, main, alt, create, get, makers }
  }

  test('credits that the waiting videos use up move the create there', async () => {
    const aliases = { voices: { narrator: { main: 'v1', alt: 'w1' } } }
    const { app, create, makers } = await start(['no_credits'], { main: { slots: 1 } }, { aliases })
    const headers = { 'x-service-credits-required': '1', 'x-service-credits-remaining': '0' }
    app.main.answer({ status: 202, headers, body: { id: 'api_video_1', status: 'queued', credits_remaining: 0 } })
    for (let n = 0; n < 2; n += 1) expect((await create('narrator')).status).toBe(202)
    expect(await makers()).toEqual(['main', 'alt'])
  })

  test('a voice that only the chosen one has waits there, though the stand-in is full and does not list it', async () => {
    const { app, create, get, makers } = await start(['down'], {
      main: { on_down: 'queue', base_url: 'http://127.0.0.1:1' },
      alt: { slots: 1 },
    })
    const taken = { backend: 'alt', puppet_id: 'pup_1', voice_id: 'w1', text: 'Hello' }
    expect((await app.post(taken)).status).toBe(202)
    await get('/unified/v1/voices')
    expect((await create('v1')).status).toBe(202)
    expect(await makers()).toEqual(['alt', 'main'])
  })
})
