import { expect, expectTypeOf, test } from 'vitest'
import { createTalkbridge, type Answer, type Schema } from '../src/index.ts'
import type { LoggedAttempt } from '../src/send.ts'
import { talkbridgeIn } from '../src/talkbridge.ts'
import { answer } from '../../../test/fakes/receiver.ts'
import { ALT, MAIN, stage } from '../../../test/e2e/harness.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { clientStage, hastyRuntime, json, problem, thrown } from './stage.ts'

/** A real gateway in front of the sandbox, a client of it, and what the client logged. */
const open = async () => {
  const all = await stage()
  const { url } = all.gateway().gateway
  const logged: LoggedAttempt[] = []
  const options = { url, key: KEYS.anna, logger: (attempt: LoggedAttempt) => void logged.push(attempt) }
  return { ...all, url, logged, talkbridge: talkbridgeIn(hastyRuntime, options) }
}

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

test('voices are listed, page after page', async () => {
  const { talkbridge } = await open()
  const { voices } = talkbridge
  const all = await collect(voices.list({ backend: 'main', limit: 20 }))
  expectTypeOf(all).toEqualTypeOf<Schema<'Voice'>[]>()
  expect(all.length).toBeGreaterThan(20)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  const page = await voices.list({ backend: 'main', limit: 20 }).page()
  expect(page.data).toEqual(all.slice(0, 20))
  const rest = voices.list({ backend: 'main', limit: 20, cursor: page.next_cursor ?? '' })
  expect(await collect(rest)).toEqual(all.slice(20))
})

test('a portrait is saved once, read and deleted', async () => {
  const { talkbridge } = await open()
  const { puppets } = talkbridge
  const wanted = { image_url: 'https://example.com/ada.png', name: 'Ada', backend: 'main' }
  const made = await puppets.create(wanted, { idempotencyKey: 'ada' })
  expect((await puppets.create(wanted, { idempotencyKey: 'ada' })).id).toBe(made.id)
  expect((await puppets.get(made.id)).name).toBe('Ada')
  expect((await collect(puppets.list({ backend: 'main' }))).map(({ id }) => id)).toContain(made.id)
  const gone: undefined = await puppets.delete(made.id)
  expect(gone).toBeUndefined()
  expect(await thrown(puppets.get(made.id))).toMatchObject({ code: 'puppet_not_found' })
})

test.each([
  ['bytes', (bytes: Uint8Array<ArrayBuffer>) => ({ file: bytes, options: { contentType: 'audio/wav' } as const })],
  ['a Blob', (bytes: Uint8Array<ArrayBuffer>) => ({ file: new Blob([bytes], { type: 'audio/wav' }), options: {} })],
])('a file is uploaded and spoken: %s', async (_, asGiven) => {
  const { talkbridge, logged } = await open()
  const speech = await talkbridge.POST('/unified/v1/speech', {
    body: { text: 'Hello.', voice_id: must((await talkbridge.voices.list({ backend: 'main' }).page()).data[0]).id },
  })
  const wav = new Uint8Array(await (await fetch(speech.data.audio_url)).arrayBuffer())
  const { file, options } = asGiven(wav)
  const { id } = await talkbridge.uploads.send(file, options)
  const { image_url } = MAIN
  const video = await talkbridge.videos.createAndWait({ image_url, upload_id: id })
  expect([video.status, video.source]).toEqual(['completed', 'audio'])
  const put = must(logged.find(({ method }) => method === 'PUT'))
  // The storage answered, without the signature that the link has.
  expect([put.status, put.url.includes('?')]).toEqual([200, false])
})

test('the key does not go to the storage, and a refusal of it is the storage’s', async () => {
  const { server, talkbridge } = await clientStage()
  const storage = (await clientStage()).server
  const upload_url = `${storage.url}/bucket/1?signature=secret`
  server.respond(json(201, { id: 'upl_1', method: 'PUT', upload_url, headers: { 'content-type': 'audio/mpeg' } }))
  storage.script({ kind: 'reset' }, answer(503), answer(200))
  const file = new Blob(['audio'], { type: 'audio/mpeg' })
  expect((await talkbridge.uploads.send(file)).id).toBe('upl_1')
  expect(storage.requests.map(({ method, url, body }) => [method, url, body])).toEqual(
    Array.from({ length: 3 }, () => ['PUT', '/bucket/1?signature=secret', 'audio']),
  )
  expect(storage.requests.map(({ headers }) => [headers.authorization, headers['content-type']])).toEqual(
    Array.from({ length: 3 }, () => [undefined, 'audio/mpeg']),
  )
  // A body that looks like an answer of the gateway is none.
  storage.script(problem(403, 'quota_exceeded', { retryable: true }))
  const error = await thrown(talkbridge.uploads.send(file, { headers: { 'x-team': 'blue' } }))
  expect(error).toMatchObject({ code: 'unexpected_answer', message: 'the storage answered 403', status: 403 })
  expect(server.requests.at(-1)?.headers['x-team']).toBe('blue')
  expect(storage.requests.at(-1)?.headers['x-team']).toBeUndefined()
  const nameless = await thrown(talkbridge.uploads.send(new Uint8Array(3)))
  expect(nameless).toMatchObject({ code: 'invalid_option', message: expect.stringMatching(/^contentType/) as string })
})

test('an endpoint is made, tested, changed and deleted, and its events are listed and sent again', async () => {
  const { talkbridge, receiver } = await open()
  const { webhookEndpoints, events } = talkbridge
  const made = await webhookEndpoints.create({ url: receiver.url, events: ['video.completed'] })
  expect(made.secret).toMatch(/^whsec_/)
  expect((await webhookEndpoints.test(made.id)).delivered).toBe(true)
  const rotated = await webhookEndpoints.rotateSecret(made.id)
  expect(rotated.secret).not.toBe(made.secret)
  const { id } = await talkbridge.videos.createAndWait(ALT)
  await receiver.received(2)
  const [event] = await collect(events.list({ video: id, type: 'video.completed' }))
  expect((await events.get(must(event).id)).type).toBe('video.completed')
  expect((await events.redeliver(must(event).id)).deliveries).toHaveLength(1)
  await receiver.received(3)
  const since = new Date(Date.now() - 60_000).toISOString()
  expect((await webhookEndpoints.replay(made.id, { since, until: new Date().toISOString() })).events).toBe(1)
  expect((await webhookEndpoints.update(made.id, { enabled: false })).enabled).toBe(false)
  expect((await webhookEndpoints.get(made.id)).enabled).toBe(false)
  expect((await collect(webhookEndpoints.list({ limit: 1 }))).map((one) => one.id)).toEqual([made.id])
  await webhookEndpoints.delete(made.id)
  expect(await thrown(webhookEndpoints.get(made.id))).toMatchObject({ code: 'endpoint_not_found' })
})

test('events are streamed by their own name, too', async () => {
  const { server, talkbridge } = await clientStage()
  const event = { type: 'video.completed', timestamp: '2026-11-20T10:00:00.000Z', data: { id: 'vid_1' } }
  server.respond(
    answer(200, { 'content-type': 'text/event-stream' }, `id: evt_1.sig\ndata: ${JSON.stringify(event)}\n\n`),
  )
  const headers = { 'x-team': 'blue' }
  for await (const one of talkbridge.events.stream({ types: ['video.completed'] }, { headers })) {
    expect(one).toEqual({ ...event, id: 'evt_1', lastEventId: 'evt_1.sig' })
    break
  }
  const [request] = server.requests
  expect([request?.url, request?.headers['x-team']]).toEqual([
    '/unified/v1/events/stream?types=video.completed',
    'blue',
  ])
})

test('createAndWait answers the ended video, and its errors name the video and the key that finds it', async () => {
  const { talkbridge } = await open()
  const ended = await talkbridge.videos.createAndWait(ALT)
  expectTypeOf(ended.status).toEqualTypeOf<'completed' | 'failed' | 'canceled'>()
  expect(ended.status).toBe('completed')
  const stuck = { ...MAIN, text: '[[slots-full]]' }
  const late = await thrown(talkbridge.videos.createAndWait(stuck, { timeoutMs: 30 }))
  expect(late).toMatchObject({ code: 'wait_timeout', videoId: expect.stringMatching(/^vid_/) as string })
  const { idempotencyKey, videoId } = late as { idempotencyKey: string; videoId: string }
  const again = await thrown(talkbridge.videos.createAndWait(stuck, { timeoutMs: 30, idempotencyKey }))
  expect(again).toMatchObject({ code: 'wait_timeout', videoId })
})

test('a video that is completed when it is made is not waited for', async () => {
  const { server, talkbridge } = await clientStage()
  server.respond(json(200, { id: 'vid_1', status: 'completed' }))
  expect((await talkbridge.videos.createAndWait({ text: 'Hi.' })).id).toBe('vid_1')
  expect(server.requests).toHaveLength(1)
})

test('each answer has its request id, for success and for errors, and so has the log', async () => {
  const { talkbridge, logged, url } = await open()
  const { data, requestId, response } = await talkbridge.videos.create(ALT).withResponse()
  expectTypeOf({ data, requestId, response }).toExtend<Answer<Schema<'Video'>>>()
  expect([response.status, requestId]).toEqual([202, expect.stringMatching(/^req_/)])
  const read = await talkbridge.videos.get(data.id).withResponse()
  expect(read.requestId).not.toBe(requestId)
  const raw = await talkbridge.GET('/unified/v1/voices')
  expect(raw.requestId).toMatch(/^req_/)
  const refused = await thrown(talkbridge.videos.get('vid_0').withResponse())
  const error = refused as { requestId: string }
  expect(error.requestId).toMatch(/^req_/)
  expect(logged.map((one) => one.requestId)).toEqual([requestId, read.requestId, raw.requestId, error.requestId])
  expect(logged.at(0)).toMatchObject({ method: 'POST', url: `${url}/unified/v1/videos`, attempt: 1, status: 202 })
  expect(logged.at(-1)).toMatchObject({ status: 404, error: 'video_not_found', retryInMs: null })
  expect(JSON.stringify(logged)).not.toContain(KEYS.anna)
})

test('a client of a gateway that is not there says so in the log, too', async () => {
  const { url, stop } = await open()
  await stop()
  const logged: LoggedAttempt[] = []
  const gone = createTalkbridge({ url, maxRetries: 0, logger: (attempt) => void logged.push(attempt) })
  await thrown(gone.videos.get('vid_1'))
  expect(logged).toMatchObject([{ status: null, requestId: null, error: 'connection_failed', retryInMs: null }])
})
