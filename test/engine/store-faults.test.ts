import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { Store } from '../../src/core/ports.ts'
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
    failing(1)
    const { video } = await engine.create()
    expect(video).toMatchObject({ status: 'queued', backendJobId: null })
    expect(engine.adapter.callsOf('create')).toHaveLength(0)
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('when the backend named the job: it is written as soon as it can be', async () => {
    // The first change stores the bytes; the second would record the job.
    failing(2, 3)
    const [{ video }] = await Promise.all([engine.create(), engine.pass(SECOND)])
    expect(video).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('for longer than a client waits: it is told 202, and the job is written all the same', async () => {
    failing(2, 3, 4, 5, 6, 7, 8)
    const [{ video }] = await Promise.all([engine.create(), engine.pass(6 * SECOND)])
    expect(video).toMatchObject({ status: 'queued' })
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    expect(engine.log.some(({ message }) => message.includes('is not written yet'))).toBe(true)
  })
})
