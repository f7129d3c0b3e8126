import { expect, test } from 'vitest'
import { saving } from '../contract/store/helpers.ts'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { listen } from '../fakes/sse.ts'
import { MAIN, stage, tookMs, type Stage } from './harness.ts'

const follow = (s: Stage, path: string, headers: Record<string, string> = {}) =>
  listen(`${s.gateway().gateway.url}/unified/v1${path}`, { ...bearer(KEYS.anna), ...headers })

test('a video is followed to its end, alone and among all, though nobody asked for webhooks', async () => {
  const s = await stage()
  const all = await follow(s, '/events/stream')
  await all.next()
  const { id } = await s.create(MAIN)
  const one = await follow(s, `/videos/${id}/events`)
  const seen: string[] = []
  for (let event = ''; event !== 'video.completed';) {
    const told = await one.event()
    expect(told.data).toMatchObject({ id, object: 'video' })
    event = told.event
    seen.push(event)
  }
  expect(await one.ended).toBe('whole')
  const types: string[] = []
  const progressAtMs: number[] = []
  for (let type = ''; type !== 'video.completed';) {
    const told = await all.event()
    expect(told.data).toMatchObject({ type: told.event, data: { id, sequence: types.length + 1 } })
    type = told.event
    types.push(type)
    if (type === 'video.progress') progressAtMs.push(Date.parse(String(told.data['timestamp'])))
  }
  expect(types[0]).toBe('video.queued')
  // However slow this machine is.
  for (const [n, atMs] of progressAtMs.entries())
    expect(atMs - (progressAtMs[n - 1] ?? 0)).toBeGreaterThanOrEqual(5_000)
  // A read of the end costs nothing, and neither did the waiting.
  const requests = s.sandbox.ledger().requests.length
  const again = await follow(s, `/videos/${id}/events`)
  expect((await again.event()).event).toBe('video.completed')
  expect(s.sandbox.ledger().requests).toHaveLength(requests)
})

test('a stop ends streams at once, also one that is not being read, and the next process goes on where they stopped', async () => {
  const s = await stage()
  const usualMs = await tookMs(() => s.restart())
  const { id } = await s.create({ ...MAIN, text: '[[stuck]]' })
  const all = await follow(s, '/events/stream')
  await all.next()
  const { id: here = '' } = await all.next()
  const one = await follow(s, `/videos/${id}/events`)
  await one.event()
  const stalled = await follow(s, `/videos/${id}/events`)
  stalled.pause()
  // More than the buffers of its socket take.
  const { store, wake } = s.gateway().gateway.deps
  for (let n = 1; n <= 150; n += 1) {
    await store.change(id, saving({ metadata: { big: 'x'.repeat(100_000), n: String(n) } }))
    wake.changed(id, n, 'anna')
    await new Promise((resolve) => setImmediate(resolve))
  }
  // The grace is 35 s, and a reader has a minute.
  expect(await tookMs(async () => expect(await s.restart()).toBe(true))).toBeLessThan(50 * usualMs)
  expect(await all.ended).toBe('whole')
  expect(await one.ended).toBe('whole')
  stalled.resume()
  expect(await stalled.ended).toBe('cut')

  const resumed = await follow(s, '/events/stream', { 'last-event-id': here })
  const { id: another } = await s.create(MAIN)
  // The first video may have moved on meanwhile: its events come before, each once.
  const told = [await resumed.event()]
  const idOf = ({ data }: (typeof told)[number]): unknown => (data['data'] as { id: unknown }).id
  for (let last = told[0]; last && idOf(last) === id;) told.push((last = await resumed.event()))
  expect(told.at(-1)).toMatchObject({ event: 'video.queued', data: { data: { id: another, sequence: 1 } } })
  const stored = await s.gateway().gateway.deps.store.eventsOf('anna', { after: 0, limit: 100, types: null })
  const bodies = stored.events.map(({ event: { body } }) => body)
  expect(bodies.slice(0, bodies.indexOf(told.at(-1)?.raw ?? '') + 1).slice(-told.length)).toEqual(
    told.map(({ raw }) => raw),
  )
})

test('another configuration ends the streams of the one before: who comes back is answered by it', async () => {
  const s = await stage()
  const { gateway } = s.gateway()
  const all = await follow(s, '/events/stream')
  const { config } = gateway.deps
  const bert = config.clients.filter(({ id }) => id === 'bert')
  await gateway.reload({ ...config, clients: bert })
  expect(await all.ended).toBe('whole')
  expect((await follow(s, '/events/stream')).status).toBe(401)
  await gateway.reload(config)
  // What a client has used of its minute outlives a configuration.
  const last = await follow(s, '/events/stream')
  expect(last.headers['x-ratelimit-remaining']).toBe('999998')
})
