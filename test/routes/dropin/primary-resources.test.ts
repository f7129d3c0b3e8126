import { describe, expect, test } from 'vitest'
import { bearer, KEYS } from '../../fakes/gateway.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { expectError, IMAGE, stage, VIDEO } from './stage.ts'

describe('with the other interface behind', () => {
  const aliases = {
    puppets: { anna: { main: { image_url: IMAGE }, alt: 'pup_anna' } },
    voices: { narrator: { main: 'acme-en_1', alt: 'v_77' } },
  }
  const other = async (more: object = {}) => {
    const open = await stage({ routing: { dropin: { primary: 'alt' } }, aliases, ...more })
    open.app.alt.answer(({ method, path }) =>
      method === 'POST'
        ? { status: 201, body: { id: 'clip_1', status: 'processing' } }
        : path === '/v1/voices'
          ? {
              body: {
                data: [
                  {
                    id: 'v_77',
                    name: 'Ann',
                    gender: 'female',
                    language: 'en-GB',
                    preview_url: 'https://a.example/a.mp3',
                  },
                ],
              },
            }
          : {
              body: {
                data: [{ id: 'pup_anna', name: 'Anna', type: 'stock', thumbnail_url: 'https://a.example/anna.png' }],
              },
            },
    )
    return open
  }

  test('a create goes there under the aliases of what it names', async () => {
    const { app, post } = await other()
    const { status, body } = await post('/videos/text', { ...VIDEO, voice: 'acme-en_1' })
    expect([status, body.status, JSON.parse(app.alt.requests[0]?.body ?? '')]).toEqual([
      202,
      'queued',
      { script: VIDEO.text, puppet_id: 'pup_anna', voice_id: 'v_77' },
    ])
    expect(app.main.requests).toEqual([])
  })

  test('progress is estimated by what jobs took before, and never reaches the end', async () => {
    const clock = fakeClock()
    const { app, post, get } = await other({ clock, runsEngine: true })
    const film = { status: 'processing' }
    app.alt.answer(({ method }) => ({ status: method === 'POST' ? 201 : 200, body: { id: 'clip_1', ...film } }))
    const first = (await post('/videos/text', VIDEO)).body.status_url
    const shown = async (at: string) => (await get(at)).body
    // Nobody knows yet how long a job takes.
    expect(await shown(first)).toMatchObject({ status: 'processing', progress: 0 })
    await clock.advance(60_000)
    Object.assign(film, { status: 'completed', download_url: 'https://cdn.example/1.mp4' })
    await clock.advance(60_000)
    await expect.poll(() => shown(first), { timeout: 120_000 }).toMatchObject({ status: 'completed' })
    Object.assign(film, { id: 'clip_2', status: 'processing', download_url: null })
    const second = (await post('/videos/text', VIDEO)).body.status_url
    const seen = []
    for (let n = 0; n < 8; n += 1) {
      seen.push(Number((await shown(second))['progress']))
      await clock.advance(20_000)
    }
    expect(seen[0]).toBe(0)
    expect(seen[1]).toBeGreaterThan(0)
    expect(seen[1]).toBeLessThan(0.5)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(0.95)
  })

  test('a link of the backend is given out in the first half of its life, then the gateway’s', async () => {
    const clock = fakeClock()
    const { app, post, get } = await other({ clock, runsEngine: true })
    const link = `https://cdn.example/1.mp4?expires=${clock.wall() + 90_000}`
    const film = { id: 'clip_1', status: 'completed', download_url: link }
    app.alt.answer(({ method }) => ({ status: method === 'POST' ? 201 : 200, body: film }))
    const at = (await post('/videos/text', VIDEO)).body.status_url
    const shown = async () => (await get(at)).body.video_url
    await expect.poll(shown, { timeout: 120_000 }).toBe(link)
    await clock.advance(50_000)
    expect(await shown()).toMatch(/\/unified\/v1\/videos\/vid_.*\/content\?sig=/)
  })

  test('usage says whether a video can be created now', async () => {
    const { app, post, get } = await other()
    const readiness = async () => (await get('/api/v1/usage')).body.video_generation
    expect(await readiness()).toMatchObject({ can_create: true, canCreate: true })
    app.alt.answer({ status: 401, body: { error: { code: 'unauthorized', message: 'no' } } })
    await post('/videos/text', VIDEO)
    expect(await readiness()).toMatchObject({ can_create: false, canCreate: false })
  })

  test('an image without an alias, audio, uploads and speech are what it cannot do, alone', async () => {
    const { post } = await other({ clients: [{ id: 'anna', key: KEYS.anna, backends: ['alt'] }] })
    const image = await post('/videos/text', { ...VIDEO, image_url: 'https://img.example/other.png' })
    expectError(image, 400, 'invalid_image', 'CAPABILITY_NOT_SUPPORTED')
    const audio = await post('/videos/audio', { image_url: IMAGE, audio_url: 'https://files.example/a.wav' })
    expectError(audio, 400, 'invalid_request', 'CAPABILITY_NOT_SUPPORTED')
    const upload = await post('/uploads/audio-url', { mimeType: 'audio/wav', sizeBytes: 10 })
    expectError(upload, 400, 'invalid_request', 'CAPABILITY_NOT_SUPPORTED')
    expectError(await post('/puppets', { imageUrl: IMAGE }), 400, 'invalid_request', 'CAPABILITY_NOT_SUPPORTED')
  })

  test('an option that it lacks is warned of, or refused where the operator wants that', async () => {
    const body = { ...VIDEO, language: 'en', expressiveness: 1 }
    const warned = await (await other()).post('/videos/text', body)
    expect([warned.status, warned.headers['talkbridge-warning']]).toEqual([
      202,
      'option_ignored; param=language, option_ignored; param=expressiveness',
    ])
    const strict = await other({ dropin: { unsupported: 'reject' } })
    expectError(await strict.post('/videos/text', body), 400, 'invalid_request', 'CAPABILITY_NOT_SUPPORTED')
  })

  test('voices, puppets and usage have the contract’s form and native ids', async () => {
    const { get } = await other()
    const voice = {
      id: 'v_77',
      object: 'voice',
      name: 'Ann',
      provider: 'alt',
      language: 'English (United Kingdom)',
      language_code: 'en-GB',
      gender: 'Female',
      preview_url: expect.stringMatching(/^\/previews\/of\/[\w-]{22}$/) as string,
    }
    expect((await get('/api/v1/voices/service')).body).toEqual({
      object: 'list',
      data: [voice, { ...voice, id: 'acme-en_1' }],
    })
    const puppet = {
      id: 'pup_anna',
      object: 'puppet',
      name: 'Anna',
      imageUrl: 'https://a.example/anna.png',
      createdAt: null,
    }
    expect((await get('/api/v1/puppets')).body).toEqual({ object: 'list', data: [puppet], nextCursor: null })
    expect((await get('/api/v1/puppets/pup_anna')).body).toEqual(puppet)
    const usage = await get('/api/v1/usage')
    expect([usage.status, usage.body.credits.balance, usage.body.video_generation.active_jobs]).toEqual([200, null, 0])
  })
})

describe('puppets', () => {
  const PUPPETS = [1, 2, 3].map((n) => ({ id: `puppet_${n}`, name: `N${n}`, imageUrl: IMAGE, mood: n }))
  const listing = { body: { object: 'list', data: PUPPETS, nextCursor: null } }

  test('are paged by the id of the last one, each as the backend shows it', async () => {
    const { app, get } = await stage()
    app.main.answer(listing)
    const first = (await get('/api/v1/puppets?limit=2')).body
    expect(first).toEqual({ object: 'list', data: PUPPETS.slice(0, 2), nextCursor: 'puppet_2' })
    expect((await get('/api/v1/puppets?limit=2&cursor=puppet_2')).body).toEqual({
      object: 'list',
      data: PUPPETS.slice(2),
      nextCursor: null,
    })
    for (const query of ['limit=0', 'limit=101', 'limit=x'])
      expectError(await get(`/api/v1/puppets?${query}`), 400, 'invalid_request')
    expect(app.main.requests).toHaveLength(1)
  })

  test('that are gone keep their place as a cursor: the backend knows it', async () => {
    const { app, get } = await stage()
    app.main.answer(({ path }) => {
      if (path.includes('cursor=none')) return { status: 400, body: { error: 'invalid_request', message: 'No.' } }
      return path.includes('cursor=gone') ? { body: { ...listing.body, data: PUPPETS.slice(1) } } : listing
    })
    expect((await get('/api/v1/puppets?limit=1&cursor=gone')).body).toEqual({
      object: 'list',
      data: PUPPETS.slice(1, 2),
      nextCursor: 'puppet_2',
    })
    const refused = await get('/api/v1/puppets?cursor=none')
    expect([refused.status, refused.body]).toEqual([400, { error: 'invalid_request', message: 'No.' }])
  })

  test('of another interface have no cursor but those of the list', async () => {
    const { app, get } = await stage({ routing: { dropin: { primary: 'alt' } } })
    app.alt.answer({ body: { data: [{ id: 'pup_anna', name: 'Anna' }] } })
    expectError(await get('/api/v1/puppets?cursor=none'), 400, 'invalid_request')
    expect(app.alt.requests).toHaveLength(1)
  })

  test.each([
    [true, 204],
    [false, 403],
  ])('that nobody made through the gateway are deleted only where jobs are adopted, too: %s', async (adopt, status) => {
    const { app } = await stage({ dropin: { adopt_existing: adopt } })
    app.main.answer(({ method }) => (method === 'DELETE' ? { status: 204 } : listing))
    const deleted = await app.raw.delete('/api/v1/puppets/puppet_1').set(bearer(KEYS.anna))
    expect(deleted.status).toBe(status)
  })

  test('that another client made are not', async () => {
    const { app, post } = await stage({ dropin: { adopt_existing: true } })
    app.main.answer(({ method }) => (method === 'POST' ? { status: 201, body: PUPPETS[0] } : listing))
    expect((await post('/puppets', { imageUrl: IMAGE }, bearer(KEYS.bert))).status).toBe(201)
    expectError(await app.raw.delete('/api/v1/puppets/puppet_1').set(bearer(KEYS.anna)), 403, 'not_owner')
  })
})
