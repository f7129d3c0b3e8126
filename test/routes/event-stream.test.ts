import { rm } from 'node:fs/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { VIDEO_EVENT_TYPES, type VideoEventType } from '../../src/core/vocabulary.ts'
import { saving } from '../contract/store/helpers.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, temporaryFolder, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { event } from '../fakes/records.ts'
import { listen, type Listener } from '../fakes/sse.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary, type Service } from './services.ts'

const SECOND = 1_000
const DAY = 24 * 3_600 * SECOND

let clock: FakeClock
let app: TestApp
let service: Service
const start = async (options: GatewayOptions = {}): Promise<void> => {
  app = await testApp({ clock, ...options })
  service = servePrimary(app.main, clock.now)
}
beforeEach(() => {
  clock = fakeClock()
})

const streamOf = (query = '', headers: Record<string, string> = {}, key: string = KEYS.anna): Promise<Listener> =>
  listen(`${app.url}/unified/v1/events/stream${query}`, { ...bearer(key), ...headers })
const after = (id: string): Record<string, string> => ({ 'last-event-id': id })
const create = async (status: 'queued' | 'completed' = 'queued'): Promise<string> => {
  service.state.onCreate = status
  const { id } = expectVideo(await app.post(MAIN_BODY), status === 'completed' ? 200 : 202)
  return id
}
/** Writes `count` events of a video at once, each told by its number. */
const happen = async (id: string, from: number, count: number, type: VideoEventType = 'video.progress') => {
  const numbers = Array.from({ length: count }, (_, n) => from + n)
  await app.deps.store.change(id, (video) => ({
    kind: 'save',
    video,
    events: numbers.map((n) => ({
      event: event(id, n, { id: `evt_${n}`, client: video.client, type, body: JSON.stringify({ type, data: { n } }) }),
      targets: [],
    })),
    notes: [],
  }))
  app.deps.wake.changed(id, from, 'anna')
}
const numberOf = ({ data }: { data: Record<string, unknown> }): unknown => (data['data'] as { n: unknown }).n

describe('GET /events/stream', () => {
  test('tells what happens from now on, to all videos of the client and of nobody else, as webhooks tell it', async () => {
    await start()
    await create()
    const stream = await streamOf()
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    expect(await stream.next()).toEqual({ retry: '3000' })
    // Somewhere to resume from before anything happened.
    expect(await stream.next()).toEqual({ id: expect.stringMatching(/^[\w-]{20,60}$/) })
    const foreign = await app.raw.post('/unified/v1/videos').set(bearer(KEYS.bert)).send(MAIN_BODY)
    expect(foreign.status).toBe(202)
    const id = await create('completed')
    const told = [await stream.event(), await stream.event()]
    expect(told).toMatchObject([
      { event: 'video.queued', data: { type: 'video.queued', data: { id, sequence: 1 } } },
      { event: 'video.completed', data: { type: 'video.completed', data: { id, sequence: 2, timing: {} } } },
    ])
    const stored = await app.deps.store.eventsOf('anna', { after: 1, limit: 10, types: null })
    expect(told.map(({ raw }) => raw)).toEqual(stored.events.map(({ event: { body } }) => body))
    expect(new Set(told.map((one) => one.id)).size).toBe(2)
  })

  test('resumes exactly where it stopped, across a restart of the gateway: none lost, none twice', async () => {
    const dir = await temporaryFolder()
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    app = await openApp({ clock, dir })
    service = servePrimary(app.main, clock.now)
    const id = await create()
    const first = await streamOf()
    // Two blocks: when to come back, and where from.
    await first.next()
    const { id: here = '' } = await first.next()
    await happen(id, 1, 3)
    const heard = [await first.event(), await first.event()]
    expect(heard.map(numberOf)).toEqual([1, 2])
    await app.close()
    expect(await first.ended).toBe('cut')

    await start({ dir })
    await happen(id, 4, 2)
    const again = await streamOf('', after(heard[1]?.id ?? ''))
    await happen(id, 6, 1)
    const rest = [await again.event(), await again.event(), await again.event(), await again.event()]
    expect(rest.map(numberOf)).toEqual([3, 4, 5, 6])
    const all = await streamOf('', after(here))
    for (const n of [1, 2, 3, 4, 5, 6]) expect(numberOf(await all.event())).toBe(n)
    // One that has all hears nothing but what comes.
    const none = await streamOf('', after(rest[3]?.id ?? ''))
    await none.next()
    expect(await none.next()).toEqual({ id: rest[3]?.id })
    await happen(id, 7, 1)
    expect(numberOf(await none.event())).toBe(7)
  })

  test('an event that is redelivered is told once more, at once, under the same id; later, to whoever comes back', async () => {
    await start()
    await create('completed')
    const { data } = (await app.get('/events?type=video.completed').expect(200)).body as { data: { id: string }[] }
    const { id } = must(data[0])
    const stream = await streamOf()
    const { id: before } = await stream.next().then(() => stream.next())
    await app.raw.post(`/unified/v1/events/${id}/redeliver`).set(bearer(KEYS.anna)).expect(202)
    const told = await stream.event()
    expect(told).toMatchObject({ event: 'video.completed', id: expect.stringMatching(`^${id}[.]`) })
    const back = await streamOf('', after(must(before)))
    expect((await back.event()).id).toBe(told.id)
    expect(await app.get('/events?type=video.completed')).toMatchObject({ body: { data: [{ id }] } })
  })

  test('ten thousand events behind: all of them in order, in pages, to a reader that pauses', async () => {
    await start()
    const id = await create()
    const start0 = await streamOf()
    await start0.next()
    const { id: here = '' } = await start0.next()
    start0.hangUp()
    const COUNT = 10_000
    for (let from = 1; from <= COUNT; from += 1_000) await happen(id, from, 1_000)
    let pages = 0
    const { eventsOf } = app.deps.store
    app.deps.store.eventsOf = (client, query) => {
      pages += 1
      expect(query.limit).toBeLessThanOrEqual(100)
      return eventsOf(client, query)
    }
    const stream = await streamOf('', after(here))
    for (let n = 1; n <= COUNT; n += 1) {
      if (n % 2_500 === 0) {
        stream.pause()
        await new Promise((resolve) => setImmediate(resolve))
        stream.resume()
      }
      const told = await stream.event()
      if (numberOf(told) !== n) expect(numberOf(told)).toBe(n)
    }
    expect(pages).toBeGreaterThan(99)
  })

  test('only some types, if asked; the ids resume any of them', async () => {
    await start()
    const id = await create()
    const stream = await streamOf('?types=video.failed,video.canceled')
    for (const [n, type] of VIDEO_EVENT_TYPES.entries()) await happen(id, n + 1, 1, type)
    const told = [await stream.event(), await stream.event()]
    expect(told.map((one) => one.event)).toEqual(['video.failed', 'video.canceled'])
    const rest = await streamOf('?types=video.canceled,video.queued', after(told[0]?.id ?? ''))
    expect(await rest.event()).toMatchObject({ event: 'video.canceled' })
  })

  test.each([
    ['types=video.exploded', 'types.0'],
    ['types=', 'types.0'],
    ['types=video.failed&types=video.queued', 'types'],
    ['since=1', 'since'],
  ])('?%s is 400', async (query, param) => {
    await start()
    expectProblem(await app.get(`/events/stream?${query}`), 'invalid_request', { param })
  })

  test('an id that is none of the client’s is 400, not a guess: tampered, another client’s, of what never was', async () => {
    await start()
    const mine = await streamOf()
    await mine.next()
    const { id = '' } = await mine.next()
    const flipped = `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`
    for (const bad of [flipped, `${id}A`, '1', 'x'.repeat(2_000)])
      expectProblem(await app.get('/events/stream').set(after(bad)), 'invalid_cursor', { param: 'Last-Event-ID' })
    const bert = app.raw.get('/unified/v1/events/stream').set({ ...bearer(KEYS.bert), ...after(id) })
    expectProblem(await bert, 'invalid_cursor')
    // Of an event: its own id, as webhooks have it, and a place that belongs to that id.
    await create()
    const told = await mine.event()
    const stored = await app.deps.store.eventsOf('anna', { after: 0, limit: 1, types: null })
    const [eventId, place] = told.id.split('.', 2)
    expect(eventId).toBe(stored.events[0]?.event.id)
    for (const bad of [`evt_0.${place}`, `${place}`, `${eventId}`, `.${place}`, `${told.id}.`, `${eventId}.${id}`])
      expectProblem(await app.get('/events/stream').set(after(bad)), 'invalid_cursor')
    expect((await streamOf('', after(told.id))).status).toBe(200)
    const future = app.deps.cursors.seal('events\0anna', '7')
    expectProblem(await app.get('/events/stream').set(after(future)), 'invalid_cursor')
  })

  test('older than what is kept: it says so, and goes on with the oldest that is', async () => {
    await start()
    const [old, kept] = [await create(), await create()]
    const stream = await streamOf()
    await stream.next()
    const { id: here = '' } = await stream.next()
    await happen(old, 1, 2)
    await happen(kept, 3, 1)
    await app.deps.store.change(old, saving({ phase: 'ended', status: 'failed', endedAtMs: clock.now() }))
    clock.jump(31 * DAY)
    expect(await app.deps.store.purge(clock.now() - 30 * DAY, 10)).toBe(1)
    const again = await streamOf('', after(here))
    expect(await again.event()).toMatchObject({ id: '', event: 'stream.gap', data: { type: 'stream.gap' } })
    expect(numberOf(await again.event())).toBe(3)
    // Whoever has the last of those that are gone misses nothing.
    const upToDate = await streamOf()
    await upToDate.next()
    expect(await upToDate.next()).toEqual({ id: expect.any(String) })
  })

  test('an event that nobody told of is found within five seconds; a comment every fifteen', async () => {
    await start()
    const id = await create()
    const stream = await streamOf()
    await stream.next()
    await stream.next()
    const { wake } = app.deps
    wake.changed = () => undefined
    await happen(id, 1, 1)
    await clock.advance(5 * SECOND)
    expect(numberOf(await stream.event())).toBe(1)
    await clock.advance(10 * SECOND)
    expect(await stream.next()).toEqual({ comment: 'heartbeat' })
  })

  test('a slow reader loses nothing and holds up nobody', async () => {
    await start()
    const id = await create()
    const slow = await streamOf()
    const quick = await streamOf()
    await slow.next()
    slow.pause()
    const COUNT = 120
    const big = 'x'.repeat(100_000)
    for (let n = 1; n <= COUNT; n += 1) {
      await app.deps.store.change(id, (video) => ({
        kind: 'save',
        video,
        events: [
          {
            event: event(id, n, { id: `evt_${n}`, client: 'anna', body: JSON.stringify({ data: { n, big } }) }),
            targets: [],
          },
        ],
        notes: [],
      }))
      app.deps.wake.changed(id, n, 'anna')
      expect(numberOf(await quick.event())).toBe(n)
    }
    slow.resume()
    for (let n = 1; n <= COUNT; n += 1) expect(numberOf(await slow.event())).toBe(n)
  })

  test('takes the scope webhooks:read, and 406 to whom takes no event stream', async () => {
    const reader = { id: 'reader', key: 'tb_reader_0123456789abcdef', scopes: ['videos:read'] }
    await start({ clients: [{ id: 'anna', key: KEYS.anna }, reader] })
    const refused = await app.raw.get('/unified/v1/events/stream').set(bearer(reader.key))
    expectProblem(refused, 'insufficient_scope', { details: { scope: 'webhooks:read' } })
    expectProblem(await app.get('/events/stream').set('accept', 'application/json'), 'not_acceptable')
  })
})
