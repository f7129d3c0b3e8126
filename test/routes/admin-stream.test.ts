import { rm } from 'node:fs/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { EndpointEventType } from '../../src/core/vocabulary.ts'
import { saving } from '../contract/store/helpers.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, temporaryFolder, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { event } from '../fakes/records.ts'
import { listen, type Listener } from '../fakes/sse.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const SECOND = 1_000
const DAY = 24 * 3_600 * SECOND
const OPERATOR = 'tb_operator_0123456789abcdef'
const CLIENTS = [
  ...Object.entries(KEYS).map(([id, key]) => ({ id, key })),
  { id: 'ops', key: OPERATOR, scopes: ['admin'], limits: { streams: 20 } },
]

let clock: FakeClock
let app: TestApp
const start = async (options: GatewayOptions = {}): Promise<void> => {
  app = await testApp({ clock, clients: CLIENTS, ...options })
  servePrimary(app.main, clock.now)
  serveAlternate(app.alt, clock.now)
}
beforeEach(() => {
  clock = fakeClock()
})

const PATH = '/unified/v1/admin/events/stream'
const streamOf = (query = '', headers: Record<string, string> = {}): Promise<Listener> =>
  listen(`${app.url}${PATH}${query}`, { ...bearer(OPERATOR), ...headers })
const after = (id: string): Record<string, string> => ({ 'last-event-id': id })
const asOperator = (headers: Record<string, string> = {}) => app.raw.get(PATH).set({ ...bearer(OPERATOR), ...headers })

const create = async (client: 'anna' | 'bert', body: object = MAIN_BODY): Promise<string> =>
  expectVideo(await app.raw.post('/unified/v1/videos').set(bearer(KEYS[client])).send(body), 202).id

/** The next event. Whoever hears everybody reads for many changes at once, so time passes. */
const next = async (stream: Listener) => {
  const told = stream.event()
  await clock.advance(100)
  return told
}
/** Where a new reader begins. */
const here = async (stream: Listener): Promise<string> => {
  await stream.next()
  return must((await stream.next()).id)
}
const happen = async (id: string, n: number, type: EndpointEventType = 'video.progress'): Promise<void> => {
  const video = must(await app.deps.store.video(id))
  const body = JSON.stringify({ type, data: { n } })
  await app.deps.store.change(id, (now) => ({
    kind: 'save',
    video: now,
    events: [
      { event: event(id, n, { id: `evt_${n}`, client: video.client, type, body, atMs: clock.now() }), targets: [] },
    ],
    notes: [],
  }))
  app.deps.wake.changed(id, n, video.client)
}
const numberOf = ({ data }: { data: Record<string, unknown> }): unknown => (data['data'] as { n: unknown }).n

describe('GET /admin/events/stream', () => {
  test('tells what happens to the videos of all clients, on all backends: what their own streams tell, and whose it is', async () => {
    await start()
    const stream = await streamOf()
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    await here(stream)
    const anna = await create('anna')
    const first = await next(stream)
    const bert = await create('bert', ALT_BODY)
    const second = await next(stream)
    expect([first, second]).toMatchObject([
      { event: 'video.queued', data: { client: 'anna', type: 'video.queued', data: { id: anna } } },
      { event: 'video.queued', data: { client: 'bert', type: 'video.queued', data: { id: bert } } },
    ])
    const [own] = (await app.deps.store.eventsOf('anna', { after: 0, limit: 1, types: null })).events
    expect(first.raw).toBe(`{"client":"anna",${must(own).event.body.slice(1)}`)
    expect(first.id).toMatch(new RegExp(`^${must(own).event.id}[.]`))
  })

  test('goes on exactly behind an id, across a restart: none lost, none twice; a redelivered one once more', async () => {
    const dir = await temporaryFolder()
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    app = await openApp({ clock, dir, clients: CLIENTS })
    servePrimary(app.main, clock.now)
    serveAlternate(app.alt, clock.now)
    const ids = [await create('anna'), await create('bert'), await create('anna', ALT_BODY)]
    const first = await streamOf()
    const begin = await here(first)
    for (const n of [1, 2, 3, 4]) {
      clock.jump(10)
      await happen(must(ids[n % 3]), n)
    }
    const heard = [await next(first), await next(first)]
    expect(heard.map(numberOf)).toEqual([1, 2])
    await app.close()
    expect(await first.ended).toBe('cut')

    await start({ dir })
    clock.jump(10)
    await happen(must(ids[0]), 5)
    const again = await streamOf('', after(must(heard[1]).id))
    const rest = [await next(again), await next(again), await next(again)]
    expect(rest.map(numberOf)).toEqual([3, 4, 5])
    await app.raw.post('/unified/v1/events/evt_4/redeliver').set(bearer(KEYS.bert)).expect(202)
    expect(numberOf(await next(again))).toBe(4)
    const all = await streamOf('', after(begin))
    // Behind on several lines: by the time of each event.
    for (const n of [1, 2, 3, 4, 4, 5]) expect(numberOf(await next(all))).toBe(n)
  })

  test('only some types, if asked', async () => {
    await start()
    const id = await create('anna')
    const stream = await streamOf('?types=video.failed')
    await here(stream)
    for (const [n, type] of (['video.progress', 'video.failed'] as const).entries()) await happen(id, n, type)
    expect(await next(stream)).toMatchObject({ event: 'video.failed' })
    expectProblem(await asOperator().query({ types: 'video.exploded' }), 'invalid_request', { param: 'types.0' })
    expectProblem(await asOperator().query({ client: 'anna' }), 'invalid_request', { param: 'client' })
  })

  test('an id that is none of this stream is 400: tampered, or of a client’s own stream', async () => {
    await start()
    const stream = await streamOf()
    const id = await here(stream)
    const flipped = `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`
    await create('anna')
    const own = await listen(`${app.url}/unified/v1/events/stream`, bearer(KEYS.anna))
    for (const bad of [flipped, `${id}A`, '1', await here(own), `evt_1.${id}`])
      expectProblem(await asOperator(after(bad)), 'invalid_cursor', { param: 'Last-Event-ID' })
    const foreign = app.raw.get('/unified/v1/events/stream').set({ ...bearer(KEYS.anna), ...after(id) })
    expectProblem(await foreign, 'invalid_cursor')
  })

  test('an id of a newer store is 400: in one that was put back from before, what comes next would be passed over', async () => {
    const dir = await temporaryFolder()
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const secretKey = Buffer.alloc(32, 7).toString('base64')
    app = await openApp({ clock, dir, clients: CLIENTS, secretKey })
    servePrimary(app.main, clock.now)
    const stream = await streamOf()
    await create('anna')
    const { id } = await next(stream)
    await app.close()
    await start({ secretKey })
    expectProblem(await asOperator(after(id)), 'invalid_cursor', { param: 'Last-Event-ID' })
    expect((await streamOf()).status).toBe(200)
  })

  test('where events behind the id may be gone it says so, and goes on with the oldest that is kept', async () => {
    await start()
    const [old, kept] = [await create('anna'), await create('bert')]
    const stream = await streamOf()
    const begin = await here(stream)
    clock.jump(SECOND)
    await happen(old, 1)
    clock.jump(SECOND)
    await happen(kept, 2)
    await app.deps.store.change(old, saving({ phase: 'ended', status: 'failed', endedAtMs: clock.now() }))
    const last = await next(stream).then(() => next(stream))
    clock.jump(31 * DAY)
    expect(await app.deps.store.purge(clock.now() - 30 * DAY, 10)).toBe(1)
    const again = await streamOf('', after(begin))
    expect(await again.event()).toMatchObject({ id: '', event: 'stream.gap', data: { type: 'stream.gap' } })
    expect(numberOf(await next(again))).toBe(2)
    // Whoever has the last of those that are gone, or a newer one, misses nothing.
    const upToDate = await streamOf('', after(last.id))
    await upToDate.next()
    expect(await upToDate.next()).toEqual({ id: last.id })
  })

  test('many changes at once cost few reads; one that nobody told of is found within five seconds; a comment every fifteen', async () => {
    await start()
    const id = await create('anna')
    const stream = await streamOf()
    await here(stream)
    let reads = 0
    const { eventsOfAll } = app.deps.store
    app.deps.store.eventsOfAll = (query) => {
      reads += 1
      return eventsOfAll(query)
    }
    for (let n = 0; n < 50; n += 1) app.deps.wake.changed(id, n, 'anna')
    await clock.advance(100)
    expect(reads).toBeLessThan(4)
    const { wake } = app.deps
    wake.changed = () => undefined
    await happen(id, 1)
    await clock.advance(6 * SECOND)
    expect(numberOf(await stream.event())).toBe(1)
    await clock.advance(9 * SECOND)
    expect(await stream.next()).toEqual({ comment: 'heartbeat' })
  })

  test('takes the scope admin, counts as one of the operator’s streams, and is 406 to whom takes no event stream', async () => {
    const plain = { id: 'plain', key: 'tb_plain_0123456789abcdef', scopes: ['webhooks:read'] }
    await start({ clients: [plain, { id: 'ops', key: OPERATOR, scopes: ['admin'], limits: { streams: 1 } }] })
    expectProblem(await app.raw.get(PATH).set(bearer(plain.key)), 'insufficient_scope', { details: { scope: 'admin' } })
    expectProblem(await asOperator({ accept: 'application/json' }), 'not_acceptable')
    expect((await streamOf()).status).toBe(200)
    expectProblem(await asOperator(), 'rate_limited')
  })
})
