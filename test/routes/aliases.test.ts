import { expect, test } from 'vitest'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { serveAlternate, servePrimary } from './services.ts'

const IMAGE = 'https://img.example/anna.png'

const start = async () => {
  const app = await testApp({
    aliases: {
      voices: { narrator: { main: 'v1', alt: 'w1' }, soft: { alt: 'w2' } },
      puppets: { anna: { main: { image_url: IMAGE }, alt: 'pup_1' } },
    },
  })
  return { app, main: servePrimary(app.main), alt: serveAlternate(app.alt) }
}
const bodyOf = (request: { body: string } | undefined): unknown => JSON.parse(must(request).body)

test('one body goes to either backend, and the video says what was asked', async () => {
  const { app, main, alt } = await start()
  const asked = { puppet_id: 'anna', voice_id: 'narrator', text: 'Hello' }
  const there = expectVideo(await app.post(asked), 202)
  expect(there.input).toMatchObject({ puppet_id: 'anna', voice_id: 'narrator', image_url: null })
  expect(there.routing.chosen_by).toBe('default')
  expect(bodyOf(main.creates()[0])).toEqual({ image_url: IMAGE, voice_id: 'v1', text: 'Hello' })
  const elsewhere = expectVideo(await app.post({ ...asked, backend: 'alt' }), 202)
  expect(elsewhere.input).toEqual(there.input)
  expect(bodyOf(alt.creates()[0])).toEqual({ puppet_id: 'pup_1', voice_id: 'w1', script: 'Hello' })
})

test('a body made for one backend goes to the other', async () => {
  const { app, main, alt } = await start()
  expectVideo(await app.post({ image_url: IMAGE, voice_id: 'v1', text: 'Hello', backend: 'alt' }), 202)
  expect(bodyOf(alt.creates()[0])).toEqual({ puppet_id: 'pup_1', voice_id: 'w1', script: 'Hello' })
  const back = { puppet_id: 'alt:pup_1', voice_id: 'alt:w1', text: 'Hello', backend: 'main' }
  expectVideo(await app.post(back), 202)
  expect(bodyOf(main.creates()[0])).toEqual({ image_url: IMAGE, voice_id: 'v1', text: 'Hello' })
})

test('an alias that only one backend has goes there; what nothing links is refused, naming the field', async () => {
  const { app } = await start()
  const video = expectVideo(await app.post({ puppet_id: 'anna', voice_id: 'soft', text: 'Hello' }), 202)
  expect([video.backend, video.routing.chosen_by]).toEqual(['alt', 'id'])
  const other = 'https://img.example/other.png'
  const image = { image_url: other, text: 'Hello', backend: 'alt' }
  expectProblem(await app.post(image), 'capability_not_supported', { param: 'image_url' })
  const voice = { image_url: other, voice_id: 'alt:w2', text: 'Hello', backend: 'main' }
  expectProblem(await app.post(voice), 'invalid_request', { param: 'voice_id' })
})

const say = (app: TestApp, voice_id: string) =>
  app.raw.post('/unified/v1/speech').set(bearer(KEYS.anna)).send({ text: 'Hello', voice_id })

test('an alias is an id for puppets and speech, too', async () => {
  const { app } = await start()
  expect((await app.get('/puppets/anna')).body).toMatchObject({ id: 'alt:pup_1' })
  expectProblem(await app.get('/puppets/narrator'), 'puppet_not_found')
  app.main.next({ body: { audio_url: 'https://cdn.example/s.mp3' } })
  await say(app, 'narrator').expect(200)
  expect(app.main.requests.at(-1)?.body).toBe('{"voice_id":"v1","text":"Hello"}')
  // The default speaks for a voice of the other that is linked to one of its own.
  app.main.next({ body: { audio_url: 'https://cdn.example/s.mp3' } })
  await say(app, 'w1').expect(200)
  expect(app.main.requests.at(-1)?.body).toBe('{"voice_id":"v1","text":"Hello"}')
  expectProblem(await say(app, 'soft'), 'capability_not_supported')
})
