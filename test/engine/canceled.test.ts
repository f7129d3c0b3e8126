import { statSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { NO_INPUT, NO_ORDER } from '../../src/core/video.ts'
import { MAX_CANCELED_AN_HOUR } from '../../src/engine/create/create.ts'
import { HOUR, INPUT, pastQuery, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

let engine: Engine
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

/** Its only slot is held, so that every further create waits. */
const busy = async (): Promise<void> => {
  engine = await openEngine({ account: { slots: 1 }, queuedVideos: 1_000 })
  engine.videos.start()
  await engine.create()
  await engine.rest()
}

test('a video that is canceled before it was sent keeps its id, times, metadata and events, and no input', async () => {
  await busy()
  const metadata = { order: '1001' }
  const { video } = await engine.create({ metadata }, 'key-1')
  const { endedAtMs } = await engine.videos.cancel(video)
  const after = await engine.record(video.id)
  expect(after).toMatchObject({ id: video.id, status: 'canceled', metadata, createdAtMs: video.createdAtMs, endedAtMs })
  expect([after.input, after.order, after.madeFrom]).toEqual([NO_INPUT, NO_ORDER, 'text'])
  const shown = await engine.videos.render(after)
  expect(shown).toMatchObject({ source: 'text', input: NO_INPUT })
  const events = await engine.store.pastEvents('acme', pastQuery({ videoId: video.id, limit: 10 }))
  expect(events.map(({ event }) => event.type)).toEqual(['video.canceled', 'video.queued'])

  // The key still stands for what was asked for.
  const again = await engine.create({ metadata }, 'key-1')
  expect([again.replayed, again.video.id, again.video.status]).toEqual([true, video.id, 'canceled'])
  const other = engine.create({ metadata, input: { ...INPUT, text: 'Another text.' } }, 'key-1')
  await expect(other).rejects.toMatchObject({ code: 'idempotency_key_conflict' })
})

/** The most that the API takes. */
const METADATA = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`key_${n}`, `${n}`.padEnd(505, 'x')]))

test.each([
  // In the record, two events and three indexes.
  ['with the largest metadata', METADATA, 64],
  ['with text alone', {}, 10],
])('creates %s that are canceled at once leave little of a body of 63 kB on the disk', async (_, metadata, mostKb) => {
  await busy()
  const bytes = 63_000 - JSON.stringify(metadata).length
  const pairs = 100
  const sizeOnDisk = async (): Promise<number> => {
    engine = await engine.restart('stopped')
    engine.videos.start()
    await engine.pass(SECOND)
    return statSync(engine.path).size
  }
  const before = await sizeOnDisk()
  for (let n = 0; n < pairs; n += 1) {
    const text = `${n} `.repeat(bytes).slice(0, bytes)
    await engine.videos.cancel((await engine.create({ metadata, input: { ...INPUT, text } })).video)
  }
  expect(await engine.store.room('acme')).toEqual({ queue: 0, client: 0 })
  expect((await sizeOnDisk()) - before).toBeLessThan(pairs * mostKb * 1_024)
})

test('after a thousand in an hour, the client creates nothing until some of them count no more', async () => {
  await busy()
  const first = await engine.create({}, 'first')
  for (let n = 0; n < MAX_CANCELED_AN_HOUR - 2; n += 1) await engine.videos.cancel((await engine.create()).video)
  const many = [(await engine.create()).video]
  expect(await engine.videos.cancelAll(many)).toEqual({ canceled: 1, notCancelable: 0 })
  const { video } = await engine.create()
  await engine.videos.cancel(video)
  // Again is not once more.
  await engine.videos.cancel(video)
  await expect(engine.create()).rejects.toMatchObject({
    code: 'rate_limited',
    extras: { details: { canceled_an_hour: MAX_CANCELED_AN_HOUR } },
  })
  expect(await engine.create({}, 'first')).toMatchObject({ replayed: true, video: { id: first.video.id } })
  await engine.pass(HOUR)
  await engine.create()
})
