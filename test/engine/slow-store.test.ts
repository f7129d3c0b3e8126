import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { recovered } from '../../src/engine/life/create-steps.ts'
import { must } from '../fakes/must.ts'
import { doubt, HOUR, MINUTE, refused, SECOND, unreachable } from '../fakes/records.ts'
import { openEngine, opensWithoutTicket, type Engine } from './harness.ts'

let engine: Engine
beforeEach(async () => {
  engine = await openEngine()
  engine.videos.start()
})
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

type Verb = 'open' | 'change'
/** `around` is what happens to the next write of this verb. */
const next = (verb: Verb, around: (write: () => Promise<unknown>) => Promise<unknown>): void => {
  const real = engine.store[verb] as (...args: unknown[]) => Promise<unknown>
  const once = (...args: unknown[]): Promise<unknown> => {
    Object.assign(engine.store, { [verb]: real })
    return around(() => real(...args))
  }
  Object.assign(engine.store, { [verb]: once })
}
/** The next such write takes so long, and `meanwhile` comes before it is told; those after it are quick. */
const slow = (verb: Verb, ms: number, meanwhile?: (video: VideoRecord) => VideoRecord): void =>
  next(verb, async (write) => {
    const written = await write()
    engine.clock.stall(ms)
    const [id] = await engine.store.undecided(engine.account.id)
    if (meanwhile)
      await engine.store.change(must(id), (video) => ({ kind: 'save', video: meanwhile(video), events: [], notes: [] }))
    return written
  })
/** The clock of the store is set while the next such write is written. */
const setMeanwhile = (verb: Verb, ms: number): void =>
  next(verb, async (write) => {
    engine.clock.jump(ms)
    const written = await write()
    engine.clock.jump(-ms)
    return written
  })
const healthNow = async () => (await engine.videos.describe(must(engine.backends.get('main')))).health.status
const typesOf = async (id: string) => (await engine.videos.timeline(id)).map(({ type }) => type)

// A lease is the exchange's timeout and 15 s more; 5 s of them are to write what came of it.
describe.each([
  ['with the video', 'open'],
  ['after it, as it opened without a ticket', 'change'],
] as const)('the bytes are stored %s, and the disk took long over it', (_, verb) => {
  beforeEach(() => {
    if (verb === 'change') opensWithoutTicket(engine)
  })

  test('the lease still covers the exchange: they go', async () => {
    slow(verb, 10 * SECOND)
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test.each([
    ['12 s behind', -12 * SECOND],
    ['a day ahead', 25 * HOUR],
  ])('the clock of the store is %s: that is no time that passed, and they go', async (__, ms) => {
    setMeanwhile(verb, ms)
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('it does not: nothing is sent, the video waits, and goes out when the disk is quick again', async () => {
    slow(verb, 11 * SECOND)
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
    slow(verb, 11 * SECOND)
    const { video } = await engine.create()
    expect([video.phase, engine.adapter.callsOf('create').length]).toEqual(['waiting', 3])
    expect(await healthNow()).toBe('degraded')
  })

  test('nor does it count towards the circuit breaker: none was sent, and the next one goes', async () => {
    // Five failures in a row would open it.
    for (let n = 0; n < 6; n += 1) {
      slow(verb, 11 * SECOND)
      const { video } = await engine.create({}, null, `client_${n}`)
      expect(video.phase).toBe('waiting')
    }
    expect([await healthNow(), engine.adapter.callsOf('create').length]).toEqual(['up', 0])
    await engine.pass(10 * SECOND)
    expect(engine.adapter.callsOf('create').length).toBeGreaterThan(0)
  })
})

describe('the bytes are stored after the video', () => {
  test('the clock of the store is an hour behind as they are stored: that is no time that passed, and they go', async () => {
    opensWithoutTicket(engine)
    setMeanwhile('change', -HOUR)
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('so long that somebody else took it for sent: that holds, and still nothing is sent by this one', async () => {
    opensWithoutTicket(engine)
    slow('change', 2 * MINUTE, (video) => recovered(video, engine.clock.now()).video)
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
    opensWithoutTicket(engine)
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
