import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { recovered } from '../../src/engine/life/create-steps.ts'
import { must } from '../fakes/must.ts'
import { doubt, HOUR, MINUTE, refused, SECOND, unreachable } from '../fakes/records.ts'
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
    engine.clock.stall(ms)
    if (meanwhile) await real(id, (video) => ({ kind: 'save', video: meanwhile(video), events: [], notes: [] }))
    return changed
  }
}
/** The clock of the store is set while the next change is written. */
const setMeanwhile = (ms: number): void => {
  const real: Store['change'] = engine.store.change
  engine.store.change = async (id, decide) => {
    engine.store.change = real
    engine.clock.jump(ms)
    const changed = await real(id, decide)
    engine.clock.jump(-ms)
    return changed
  }
}
const healthNow = async () => (await engine.videos.describe(must(engine.backends.get('main')))).health.status
const typesOf = async (id: string) => (await engine.videos.timeline(id)).map(({ type }) => type)

// A lease is the exchange's timeout and 15 s more; 5 s of them are to write what came of it.
describe('the bytes are stored, and the disk took long over it', () => {
  test('the lease still covers the exchange: they go', async () => {
    slow(10 * SECOND)
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test.each([
    ['12 s behind', -12 * SECOND],
    ['an hour behind', -HOUR],
    ['a day ahead', 25 * HOUR],
  ])('the clock of the store is %s: that is no time that passed, and they go', async (_, ms) => {
    setMeanwhile(ms)
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

  test('a create that was not sent says nothing of its backend: what was ill stays so', async () => {
    engine.adapter.creates.push(unreachable(), unreachable(), unreachable())
    for (const _ of [1, 2, 3]) await expect(engine.create()).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect(await healthNow()).toBe('degraded')
    slow(11 * SECOND)
    const { video } = await engine.create()
    expect([video.phase, engine.adapter.callsOf('create').length]).toEqual(['waiting', 3])
    expect(await healthNow()).toBe('degraded')
  })

  test('nor does it count towards the circuit breaker: none was sent, and the next one goes', async () => {
    // Five failures in a row would open it.
    for (let n = 0; n < 6; n += 1) {
      slow(11 * SECOND)
      const { video } = await engine.create({}, null, `client_${n}`)
      expect(video.phase).toBe('waiting')
    }
    expect([await healthNow(), engine.adapter.callsOf('create').length]).toEqual(['up', 0])
    await engine.pass(10 * SECOND)
    expect(engine.adapter.callsOf('create').length).toBeGreaterThan(0)
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

describe('the lease ended during the create', () => {
  test('a refusal that comes after it deletes nothing: the doubt of whoever took over may be a paid job', async () => {
    const late = Promise.withResolvers<CreateOutcome>()
    engine.adapter.creates.push(late.promise, doubt())
    const answer = engine.create()
    await engine.pass(62 * SECOND)
    // It was taken over, and resent in the next window: that is in doubt, too.
    expect(engine.adapter.callsOf('create')).toHaveLength(2)
    late.resolve(refused({ code: 'invalid_image', retryable: false }))
    const { video } = await answer
    expect(video).toMatchObject({ phase: 'doubtful', resends: 1 })
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
  })

  test('it was extended with the bytes while somebody took it for dead: no doubt, nothing sent, and then once', async () => {
    const real: Store['change'] = engine.store.change
    const [taken, stored, found] = [1, 2, 3].map(() => Promise.withResolvers<void>())
    let changes = 0
    engine.store.change = async (...given) => {
      changes += 1
      if (changes === 1) {
        // Storing the bytes waits until the take-over was begun, and is first all the same.
        await engine.clock.advance(46 * SECOND)
        await must(taken).promise
        const changed = await real(...given)
        must(stored).resolve()
        await must(found).promise
        return changed
      }
      engine.store.change = real
      must(taken).resolve()
      await must(stored).promise
      const changed = await real(...given)
      must(found).resolve()
      return changed
    }
    const { video } = await engine.create()
    // How long ago its lease began nobody here can say: not before the write was requested.
    expect([video.phase, changes, engine.adapter.callsOf('create').length]).toEqual(['waiting', 2, 0])
    expect(await typesOf(video.id)).toEqual(['created', 'dispatched', 'not_sent', 'waiting'])
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', attempt: 2 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })
})
