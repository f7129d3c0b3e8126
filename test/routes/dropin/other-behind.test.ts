import { startSandbox } from '@talkbridge/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { fakeClock } from '../../fakes/clock.ts'
import { KEYS } from '../../fakes/gateway.ts'
import { expectError } from './stage.ts'
import { sandboxStage } from './sandbox-stage.ts'

/** `/api/v1` with the alternate behind, and the primary still there for what the alternate lacks. */
const MOVED = { routing: { dropin: { primary: 'alt', alternate: 'main' } } }
const TEXT = { text: 'Hello there' }
const ONLY_ALT = [{ id: 'anna', key: KEYS.anna, backends: ['alt'] }]
interface Listed {
  data: { id: string; imageUrl: string }[]
}

test('the image of a listed puppet is that puppet, also before anybody listed it', async () => {
  const s = await sandboxStage({ ...MOVED, clients: ONLY_ALT })
  const headers = { authorization: `Bearer ${s.sandbox.alternateKey}` }
  const known = await fetch(`${s.sandbox.alternateUrl}/v1/puppets`, { headers })
  const { data: puppets } = (await known.json()) as { data: { thumbnail_url: string }[] }
  const early = await s.post('/api/v1/videos/text', { ...TEXT, image_url: puppets[0]?.thumbnail_url })
  expect(early.status).toBe(202)
  const { data } = (await s.get('/api/v1/puppets')).body as Listed
  expect(data.map(({ imageUrl }) => imageUrl)).toEqual(puppets.map(({ thumbnail_url: url }) => url))
  const made: unknown[] = []
  for (const { imageUrl } of data) {
    const created = await s.post('/api/v1/videos/text', { ...TEXT, image_url: imageUrl })
    expect(created.status).toBe(202)
    const id = String(created.body.id).replace('api_video_', 'vid_')
    const { puppet_id: puppet } = (await s.get(`/v1/videos/${id}`)).body as { puppet_id: string }
    made.push(puppet)
  }
  expect(made).toEqual(data.map(({ id }) => id))
  const foreign = await s.post('/api/v1/videos/text', { ...TEXT, image_url: 'https://img.example/somebody.png' })
  expectError(foreign, 400, 'invalid_image', 'CAPABILITY_NOT_SUPPORTED')
  const plain = await s.post('/api/v1/videos/text', { ...TEXT, image_url: 'http://img.example/somebody.png' })
  expectError(plain, 400, 'invalid_request')
})

test('speech with a field that nobody knows is warned of, or refused where the operator wants that', async () => {
  const body = { voice_id: 'sandbox-en-us-ava', text: 'Hello', mood: 'x' }
  const warning = await (await sandboxStage(MOVED)).post('/api/v1/tts/service', body)
  expect([warning.status, warning.headers['talkbridge-warning']]).toEqual([200, 'unknown_field; param=mood'])
  const strict = await sandboxStage({ ...MOVED, dropin: { unsupported: 'reject' } })
  expectError(await strict.post('/api/v1/tts/service', body), 400, 'invalid_request')
  expect(strict.requests()).toEqual([])
})

const AUDIO = { image_url: 'https://example.com/anna.png' }

test('speech, uploads, videos from audio and saved puppets go to another backend that has them', async () => {
  const s = await sandboxStage({
    ...MOVED,
    webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
    aliases: { voices: { narrator: { main: 'sandbox-en-us-ava', alt: 'voice_amber' } } },
  })
  const speech = await s.post('/api/v1/tts/service', { voice_id: 'sandbox-en-us-ava', text: 'Hello' })
  expect([speech.status, speech.body]).toEqual([200, expect.objectContaining({ audio_url: expect.any(String) })])
  const unknown = await s.post('/api/v1/tts/service', { voice_id: 'voice_dune', text: 'Hello' })
  expectError(unknown, 404, 'voice_not_found')
  expectError(await s.post('/api/v1/tts/service', { voice_id: 'voice_amber', text: 7 }), 400, 'invalid_request')

  const video = await s.post('/api/v1/videos/audio', { ...AUDIO, audio_url: speech.body.audio_url })
  expect([video.status, video.body.status]).toEqual([202, 'queued'])
  const vid = String(video.body.id).replace('api_video_', 'vid_')
  expect((await s.get(`/unified/v1/videos/${vid}`)).body).toMatchObject({
    backend: 'main',
    routing: {
      chosen_by: 'default',
      considered: [
        { backend: 'alt', verdict: 'passed_over', reason: 'cannot take audio_url' },
        { backend: 'main', verdict: 'chosen', reason: null },
      ],
    },
  })
  const none = await s.post('/api/v1/videos/audio', { ...AUDIO, audio_url: 'https://files.example/a.wav' })
  expectError(none, 400, 'invalid_request', 'HOSTED_AUDIO_UPLOAD_NOT_FOUND')

  const upload = await s.post('/api/v1/uploads/audio-url', { mime_type: 'audio/wav', content_length: 44 })
  expect([upload.status, upload.body]).toEqual([200, expect.objectContaining({ upload_url: expect.any(String) })])

  const imageUrl = 'https://example.com/saved.png'
  const saved = await s.post('/api/v1/puppets', { imageUrl, name: 'Saved' })
  expect(saved.status).toBe(201)
  const path = `/api/v1/puppets/${saved.body.id}`
  expect((await s.get(path)).body).toEqual(saved.body)
  const { data } = (await s.get('/api/v1/puppets?limit=100')).body as Listed
  expect(data.slice(0, 6).map(({ id }) => id)).toContain('pup_ada')
  expect(data.slice(6)).toContainEqual(saved.body)
  const shown = await s.post('/api/v1/videos/text', { text: 'Hello', image_url: imageUrl })
  expect(shown.status).toBe(202)
  expect(s.requests().filter((operation) => operation?.startsWith('createVideo'))).toEqual([
    'createVideoFromAudio',
    'createVideoFromAudio',
    'createVideoFromText',
  ])
  expect((await s.delete(path)).status).toBe(204)
  expectError(await s.get(path), 404, 'puppet_not_found')
})

test('where no other backend has them, or the client does not see it: 400', async () => {
  const s = await sandboxStage({ ...MOVED, clients: ONLY_ALT })
  const refused = [
    await s.post('/api/v1/tts/service', { voice_id: 'sandbox-en-us-ava', text: 'Hello' }),
    await s.post('/api/v1/videos/audio', { ...AUDIO, audio_url: 'https://files.example/a.wav' }),
    await s.post('/api/v1/uploads/audio-url', { mime_type: 'audio/wav', content_length: 44 }),
    await s.post('/api/v1/puppets', { imageUrl: AUDIO.image_url }),
  ]
  for (const one of refused) expectError(one, 400, 'invalid_request', 'CAPABILITY_NOT_SUPPORTED')
  expect(s.requests()).toEqual([])
})

test('of several, the default comes first, then the order of the configuration', async () => {
  const other = (sandbox: { primaryUrl: string }, api_key: string) => ({
    interface: 'primary',
    base_url: sandbox.primaryUrl,
    api_key,
  })
  const first = await startSandbox({ clock: fakeClock(), speed: 1, unlimitedRate: true })
  onTestFinished(() => first.close())
  const backends = { another: other(first, first.primaryKey) }
  const moved = { primary: 'alt', alternate: 'main' }
  const made: unknown[] = []
  for (const name of ['main', 'another', 'alt']) {
    const s = await sandboxStage({ backends, routing: { default: name, dropin: moved } })
    const upload = await s.post('/api/v1/uploads/audio-url', { mime_type: 'audio/wav', content_length: 44 })
    expect(upload.status).toBe(200)
    made.push([name, s.requests().length, first.ledger().requests.length])
  }
  expect(made).toEqual([
    ['main', 1, 0],
    ['another', 0, 1],
    ['alt', 1, 1],
  ])
})

const ALIASES = {
  voices: {
    narrator: { main: 'sandbox-en-us-ava', alt: 'voice_amber' },
    gone: { main: 'old', alt: 'voice_of_last_year' },
  },
  puppets: {
    ada: { main: 'puppet_ada', alt: 'pup_ada' },
    anna: { main: { image_url: AUDIO.image_url }, alt: 'pup_old' },
  },
}

test('what has an alias is listed under its old name, too, and read by it', async () => {
  const s = await sandboxStage({ ...MOVED, clients: ONLY_ALT, aliases: ALIASES })
  const voices = (await s.get('/api/v1/voices/service')).body as Listed
  const [amber] = voices.data.filter(({ id }) => id === 'voice_amber')
  expect(voices.data.at(-1)).toEqual({ ...amber, id: 'sandbox-en-us-ava' })
  expect(voices.data).toHaveLength(9)
  const puppets = (await s.get('/api/v1/puppets')).body as Listed
  const [ada] = puppets.data.filter(({ id }) => id === 'pup_ada')
  expect(puppets.data.slice(6)).toEqual([{ ...ada, id: 'puppet_ada' }])
  expect((await s.get('/api/v1/puppets/puppet_ada')).body).toEqual({ ...ada, id: 'puppet_ada' })
  expect((await s.get('/api/v1/puppets?limit=3&cursor=pup_felix')).body.data).toEqual([{ ...ada, id: 'puppet_ada' }])
})

test('what another backend keeps under that old name is listed once, and pages end', async () => {
  const s = await sandboxStage({ ...MOVED, aliases: ALIASES })
  const { data } = (await s.get('/api/v1/puppets')).body as Listed
  const ids = data.map(({ id }) => id)
  expect(ids.filter((id) => id === 'puppet_ada')).toEqual(['puppet_ada'])
  const paged: string[] = []
  let page = (await s.get('/api/v1/puppets?limit=1')).body
  while (paged.length < ids.length && page.nextCursor !== null) {
    paged.push(page.nextCursor)
    page = (await s.get(`/api/v1/puppets?limit=1&cursor=${page.nextCursor}`)).body
  }
  expect([...paged, page.data[0].id]).toEqual(ids)
})

test('and on `/v1` with a primary backend behind, where an image may be a puppet', async () => {
  const s = await sandboxStage({ ...MOVED, aliases: ALIASES })
  const voices = (await s.get('/v1/voices')).body as { data: { id: string; name: string }[] }
  const [ava] = voices.data.filter(({ id }) => id === 'sandbox-en-us-ava')
  expect(voices.data.slice(45)).toEqual([{ ...ava, id: 'voice_amber' }])
  const puppets = (await s.get('/v1/puppets')).body as { data: { id: string }[] }
  const [ada] = puppets.data.filter(({ id }) => id === 'puppet_ada')
  expect(puppets.data.slice(-2)).toEqual([
    { ...ada, id: 'pup_ada' },
    { id: 'pup_old', name: 'anna', type: 'custom', thumbnail_url: AUDIO.image_url },
  ])
})
