import { expect, expectTypeOf, test } from 'vitest'
import { createTalkbridge, type TalkbridgeError } from '../src/index.ts'
import { KEYED } from '../src/raw.ts'
import { talkbridgeIn } from '../src/talkbridge.ts'
import type { Video } from '../src/types.ts'
import { OPERATIONS } from '../../../src/routes/openapi/document.ts'
import { ALT, MAIN, stage, type StageOptions } from '../../../test/e2e/harness.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { clientStage, hastyRuntime, json, thrown } from './stage.ts'

/** A real gateway before the sandbox, and a client of it. */
const open = async (options: StageOptions = {}) => {
  const all = await stage(options)
  const { url } = all.gateway().gateway
  return { ...all, url, talkbridge: talkbridgeIn(hastyRuntime, { url, key: KEYS.anna, maxRetries: 10_000 }) }
}

test('a video is made, waited for and fetched', async () => {
  const { talkbridge } = await open()
  const { videos } = talkbridge
  const made = await videos.create({ ...MAIN, metadata: { order: '1001' } }, { idempotencyKey: 'order-1001' })
  const again = await videos.create({ ...MAIN, metadata: { order: '1001' } }, { idempotencyKey: 'order-1001' })
  expect(again.id).toBe(made.id)
  const ended = await videos.wait(made.id)
  expectTypeOf(ended.status).toEqualTypeOf<'completed' | 'failed' | 'canceled'>()
  expect([ended.id, ended.status]).toEqual([made.id, 'completed'])
  const files = await Promise.all([videos.download(made.id), videos.download(ended)])
  for (const file of files) {
    expect(file.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
  }
  const { timeline } = await videos.get(made.id, { expand: 'timeline' })
  expect(timeline?.[0]?.type).toBe('created')
  expect((await videos.get(made.id)).timeline).toBeUndefined()
  expect(await videos.delete(made.id)).toBeUndefined()
  expect(await videos.get(made.id)).toMatchObject({
    deleted_at: expect.any(String),
    metadata: {},
    credits: made.credits,
  })
})

test('the key goes to no host but the gateway’s', async () => {
  const seen: [unknown, string | null][] = []
  const { url, talkbridge } = await open()
  const ended = await talkbridge.videos.wait((await talkbridge.videos.create(MAIN)).id)
  const watched: typeof fetch = async (input, init) => {
    seen.push([input, new Headers(init?.headers).get('authorization')])
    return fetch(input, init)
  }
  const file = await createTalkbridge({ url, key: KEYS.anna, fetch: watched }).videos.download(ended.id)
  await file.body?.cancel()
  expect(file.url).not.toContain(url)
  expect(seen).toEqual([
    [`${url}/unified/v1/videos/${ended.id}`, `Bearer ${KEYS.anna}`],
    [ended.content_url, null],
  ])
})

test('a create whose answer is lost is made once', async () => {
  const { url, talkbridge } = await open()
  let lost = 0
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (lost === 2) return response
    lost += 1
    await response.body?.cancel()
    throw new TypeError('the line broke')
  }
  const { videos } = talkbridgeIn(hastyRuntime, { url, key: KEYS.anna, fetch: losing })
  const { id } = await videos.create(ALT)
  const { data } = await talkbridge.videos.list().page()
  expect([lost, data.map((video) => video.id)]).toEqual([2, [id]])
})

test('a list is a page, or all of them', async () => {
  const { talkbridge } = await open()
  const made: string[] = []
  for (const order of ['1', '2', '3', '4', '5']) {
    const { id } = await talkbridge.videos.create({ ...ALT, metadata: { order, shop: 'north' } })
    made.unshift(id)
  }
  const all: string[] = []
  for await (const video of talkbridge.videos.list({ limit: 2 })) {
    expectTypeOf(video).toEqualTypeOf<Video>()
    all.push(video.id)
  }
  expect(all).toEqual(made)
  const { page } = talkbridge.videos.list({ limit: 2 })
  const first = await page()
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([made.slice(0, 2), true])
  const next = talkbridge.videos.list({ limit: 2, cursor: first.next_cursor ?? '' })
  expect((await next.page()).data.map(({ id }) => id)).toEqual(made.slice(2, 4))
  const one = await talkbridge.videos.list({ metadata: { order: '3' } }).page()
  expect(one.data.map(({ id }) => id)).toEqual([made[2]])
  for await (const video of talkbridge.videos.list()) {
    expect(video.id).toBe(made[0])
    break
  }
})

test('a wait outlives the gateway: it goes on at the next one', async () => {
  const { talkbridge, create, restart, ended } = await open({ sandbox: { speed: 20 } })
  const { id } = await create(ALT)
  const waiting = talkbridge.videos.wait(id)
  await restart()
  expect((await waiting).status).toBe('completed')
  expect((await ended(id)).status).toBe('completed')
})

test('a wait has an end of its own, and your signal', async () => {
  const { talkbridge, create } = await open()
  const { id } = await create({ ...MAIN, text: '[[slots-full]]' })
  const late = await thrown(talkbridge.videos.wait(id, { timeoutMs: 30 }))
  expect(late).toMatchObject({ code: 'wait_timeout', message: `${id} has not ended within 30 ms`, retryable: true })
  const reason = new Error('no longer wanted')
  const stop = new AbortController()
  const waiting = thrown(talkbridge.videos.wait(id, { signal: stop.signal }))
  setImmediate(() => stop.abort(reason))
  expect(await waiting).toBe(reason)
})

test('a wait does not ask again at once where nobody holds the answer', async () => {
  const { server, talkbridge, runtime } = await clientStage({ timeoutMs: 77_777 - 30_000 })
  const queued = { id: 'vid_1', status: 'queued' }
  server.script(
    json(200, queued, { 'retry-after': '4' }),
    json(200, queued),
    json(200, { ...queued, status: 'failed' }),
  )
  expect((await talkbridge.videos.wait('vid_1')).status).toBe('failed')
  expect(server.requests.map(({ headers }) => headers['prefer'])).toEqual(['wait=30', 'wait=30', 'wait=30'])
  expect(runtime.pauses).toEqual([4_000, 1_000])
})

test('what waits is canceled, and the rest is told as it is', async () => {
  const { talkbridge, create } = await open()
  const waiting = await create({ ...MAIN, text: '[[slots-full]]' })
  expect((await talkbridge.videos.cancel(waiting.id)).status).toBe('canceled')
  const { id } = await talkbridge.videos.wait((await create(ALT)).id)
  const refused = await thrown(talkbridge.videos.cancel(id))
  expect(refused).toMatchObject({ code: 'video_not_cancelable', status: 409, retryable: false })
  const unknown = await thrown(talkbridge.videos.get('vid_0'))
  expect(unknown).toMatchObject({ code: 'video_not_found', message: 'there is no video vid_0' })
  expect((unknown as TalkbridgeError).requestId).toMatch(/^req_/)
  expect(await thrown(talkbridge.videos.get(''))).toMatchObject({ code: 'invalid_option' })
})

test('every other operation is there, typed', async () => {
  const { talkbridge } = await open()
  const voices = await talkbridge.GET('/unified/v1/voices', { params: { query: { backend: 'main', limit: 1 } } })
  expectTypeOf(voices.data.data[0]?.id).toEqualTypeOf<string | undefined>()
  expect([voices.data.data.length, voices.response.status]).toEqual([1, 200])
  const body = { url: 'http://127.0.0.1:3000/hook', events: ['video.completed' as const] }
  const { data: endpoint } = await talkbridge.POST('/unified/v1/webhook_endpoints', { body })
  expect(endpoint.secret).toMatch(/^whsec_/)
  const path = { id: endpoint.id }
  const changed = await talkbridge.PATCH('/unified/v1/webhook_endpoints/{id}', {
    params: { path },
    body: { enabled: false },
  })
  expect(changed.data.enabled).toBe(false)
  const gone = await talkbridge.DELETE('/unified/v1/webhook_endpoints/{id}', { params: { path } })
  expectTypeOf(gone.data).toEqualTypeOf<undefined>()
  expect([gone.data, gone.response.status]).toEqual([undefined, 204])
  const unknown = talkbridge.GET('/unified/v1/webhook_endpoints/{id}', { params: { path } })
  expect(await thrown(unknown)).toMatchObject({ code: 'endpoint_not_found' })
  const etag = { header: { 'If-None-Match': '"none"' } }
  const { id } = await talkbridge.videos.create(ALT)
  const read = await talkbridge.GET('/unified/v1/videos/{id}', { params: { path: { id }, ...etag } })
  expect(read.data.id).toBe(id)
})

test('creates that take an idempotency key are those of the document', () => {
  const keyed = OPERATIONS.filter(
    ({ path, requestHeaders }) => path.startsWith('/unified/v1/') && requestHeaders?.includes('Idempotency-Key'),
  )
  expect(keyed.map(({ path }) => path).toSorted()).toEqual([...KEYED].toSorted())
})

test('all that waits is canceled, page after page', async () => {
  const page = { object: 'cancellation', canceled: 100, not_cancelable: 2, has_more: true, next_cursor: 'next' }
  const last = { ...page, canceled: 1, not_cancelable: 0, has_more: false, next_cursor: null }
  const { server, talkbridge } = await clientStage()
  server.script(json(200, page), json(200, last))
  expect(await talkbridge.videos.cancelAll({ batch: 'june' })).toEqual({ canceled: 101, not_cancelable: 2 })
  expect(server.requests.map(({ url, body }) => [url, JSON.parse(body) as unknown])).toEqual([
    ['/unified/v1/videos/cancel', { metadata: { batch: 'june' } }],
    ['/unified/v1/videos/cancel', { metadata: { batch: 'june' }, cursor: 'next' }],
  ])
})
