import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { recovered } from '../../src/engine/life/create-steps.ts'
import { MINUTE, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

let engine: Engine
beforeEach(async () => {
  engine = await openEngine()
  engine.videos.start()
})
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

/** The next change takes so long, and `meanwhile` comes before it is told; those after it are quick. */
const slow = (ms: number, meanwhile?: (video: VideoRecord) => VideoRecord): void => {
  const real: Store['change'] = engine.store.change
  engine.store.change = async (id, decide) => {
    engine.store.change = real
    const changed = await real(id, decide)
    engine.clock.jump(ms)
    if (meanwhile) await real(id, (video) => ({ kind: 'save', video: meanwhile(video), events: [], notes: [] }))
    return changed
  }
}
const typesOf = async (id: string) => (await engine.videos.timeline(id)).map(({ type }) => type)

// A lease is the exchange's timeout and 15 s more; 5 s of them are to write what came of it.
describe('the bytes are stored, and the disk took long over it', () => {
  test('the lease still covers the exchange: they go', async () => {
    slow(10 * SECOND)
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('it does not: nothing is sent, the video waits, and goes out when the disk is quick again', async () => {
    slow(11 * SECOND)
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting', told: true, wire: null, lease: null })
    expect(engine.adapter.callsOf('create')).toHaveLength(0)
    await engine.pass(10 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', attempt: 2 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    expect((await typesOf(video.id)).slice(0, 4)).toEqual(['created', 'dispatched', 'not_sent', 'waiting'])
  })

  test('so long that somebody else took it for sent: that holds, and still nothing is sent by this one', async () => {
    slow(2 * MINUTE, (video) => recovered(video, engine.clock.now()).video)
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'doubtful' })
    expect(engine.adapter.callsOf('create')).toHaveLength(0)
    await engine.pass(MINUTE)
    // The same bytes under the same key, once.
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })
})
