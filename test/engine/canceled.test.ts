import { statSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { NO_INPUT, NO_ORDER } from '../../src/core/video.ts'
import { INPUT, pastQuery, SECOND } from '../fakes/records.ts'
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

test('creates that are canceled at once fill no disk: less is left than half of what came in', async () => {
  await busy()
  const bytes = 27_000
  const pairs = 300
  const sizeOnDisk = async (): Promise<number> => {
    engine = await engine.restart('stopped')
    engine.videos.start()
    await engine.pass(SECOND)
    return statSync(engine.path).size
  }
  const before = await sizeOnDisk()
  for (let n = 0; n < pairs; n += 1) {
    const text = `${n} `.repeat(bytes).slice(0, bytes)
    await engine.videos.cancel((await engine.create({ input: { ...INPUT, text } })).video)
  }
  expect(await engine.store.room('acme')).toEqual({ queue: 0, client: 0 })
  expect((await sizeOnDisk()) - before).toBeLessThan((pairs * bytes) / 2)
})
