import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { Store } from '../../src/core/store/index.ts'
import { completed } from '../fakes/adapter.ts'
import { acceptedAs, MINUTE, refused, SECOND } from '../fakes/records.ts'
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

/** The store refuses these of the coming changes, counted from 1. */
const failing = (...numbers: number[]): void => {
  const real: Store['change'] = engine.store.change
  let count = 0
  engine.store.change = (id, decide) => {
    count += 1
    return numbers.includes(count) ? Promise.reject(new Problem('store_unavailable', 'a bad moment')) : real(id, decide)
  }
}

describe('the store has a bad moment, and the client is never asked to pay again', () => {
  test('before anything was sent: the video is there, and goes out once its lease is over', async () => {
    opensWithoutTicket(engine)
    failing(1)
    const { video } = await engine.create()
    expect(video).toMatchObject({ status: 'queued', backendJobId: null })
    expect(engine.adapter.callsOf('create')).toHaveLength(0)
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('when the backend named the job: it is written as soon as it can be', async () => {
    // The bytes are stored; the first change would record the job.
    failing(1, 2)
    const [{ video }] = await Promise.all([engine.create(), engine.pass(SECOND)])
    expect(video).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('when the backend named the job of another video: that is told of once, when it is written', async () => {
    await engine.create()
    engine.adapter.creates.push(acceptedAs('job_1'))
    // A job that is taken, and the end of it that is not written at first.
    failing(2)
    const [{ video }] = await Promise.all([engine.create(), engine.pass(SECOND)])
    expect(video).toMatchObject({ status: 'failed', error: { code: 'create_outcome_unknown' } })
    expect(engine.log.filter(({ message }) => message === 'duplicate_job')).toHaveLength(1)
    expect(engine.tally.counts('duplicate_job')).toEqual([
      { what: 'duplicate_job', labels: { backend: 'main' }, count: 1 },
    ])
  })

  test('when the window is to be corrected: the answer is not lost with it', async () => {
    const gone = (): Promise<never> => Promise.reject(new Problem('store_unavailable', 'a bad moment'))
    engine.store.learn = gone
    engine.store.exhausted = gone
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('for longer than the lease of one that was refused: it is nobody’s video, and not sent again', async () => {
    const real: Store['change'] = engine.store.change
    failing(...Array.from({ length: 1_000 }, (_, n) => n + 1))
    engine.adapter.creates.push(refused({ code: 'insufficient_credits' }))
    const [first] = await Promise.allSettled([engine.create({}, 'order-1'), engine.pass(6 * SECOND)])
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'insufficient_credits' } })
    await engine.pass(MINUTE)
    await expect(engine.create({}, 'order-1')).rejects.toMatchObject({ code: 'idempotency_key_in_progress' })
    engine.store.change = real
    await engine.pass(5 * MINUTE)
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    expect(await engine.create({}, 'order-1')).toMatchObject({ replayed: false })
  })

  test('for longer than a client waits: it is told 202, and the job is written all the same', async () => {
    failing(1, 2, 3, 4, 5, 6, 7)
    const [{ video }] = await Promise.all([engine.create(), engine.pass(6 * SECOND)])
    expect(video).toMatchObject({ status: 'queued' })
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    expect(engine.log.some(({ message }) => message.includes('is not written yet'))).toBe(true)
  })
})

describe('for as long as it lasts', () => {
  test('a refusal is told all the same, and its record goes when it can', async () => {
    engine.adapter.creates.push(refused({ code: 'insufficient_credits' }))
    failing(1, 2, 3, 4, 5, 6, 7)
    const refusal = engine.create().catch((error: unknown) => error)
    await engine.pass(6 * SECOND)
    expect(await refusal).toMatchObject({ code: 'insufficient_credits' })
    await engine.pass(30 * SECOND)
    expect(await engine.store.queue(engine.account.id)).toMatchObject({ waiting: 0, held: 0 })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('an end that cannot be written is polled again with growing pauses, and the others go on', async () => {
    const { video: stuck } = await engine.create()
    const { video: other } = await engine.create()
    const real: Store['change'] = engine.store.change
    engine.store.change = (id, decide) =>
      id === stuck.id ? Promise.reject(new Problem('store_unavailable', 'a poisoned row')) : real(id, decide)
    const polls = engine.adapter.status
    engine.adapter.status = async (jobId) => {
      await polls(jobId)
      return completed()
    }
    await engine.pass(5 * MINUTE)
    expect((await engine.record(other.id)).status).toBe('completed')
    // 2 s doubling to a minute: 299 of them before each failure paused that one video.
    expect(engine.adapter.callsOf('status').length).toBeLessThan(15)
    engine.store.change = real
    await engine.pass(2 * MINUTE)
    expect((await engine.record(stuck.id)).status).toBe('completed')
  })

  test('a stop does not wait for ever for what cannot be written', async () => {
    const real: Store['change'] = engine.store.change
    failing(...Array.from({ length: 500 }, (_, n) => n + 1))
    const [created] = await Promise.all([engine.create(), engine.pass(6 * SECOND)])
    expect(created.video.status).toBe('queued')
    await Promise.all([engine.videos.stop(), engine.pass(10 * SECOND)])
    engine.store.change = real
  })
})
