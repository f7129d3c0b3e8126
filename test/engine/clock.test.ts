import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { completed, lasting, running } from '../fakes/adapter.ts'
import { doubt, HOUR, MINUTE, rate, report } from '../fakes/records.ts'
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

test('a backend whose clock stands still holds a slot for twice `max_age`, and no longer', async () => {
  const dateMs = engine.clock.now()
  const still = rate({ dateMs })
  engine.adapter.creates.push({
    kind: 'accepted',
    jobId: 'job_1',
    report: report({ jobId: 'job_1', status: 'queued' }),
    credits: null,
    rate: still,
  })
  engine.adapter.polls.push(lasting(running({}, still)))
  const { video } = await engine.create()
  await engine.pass(MINUTE)
  engine.clock.jump(48 * HOUR - 10 * MINUTE)
  await engine.pass(5 * MINUTE)
  expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
  const polls = engine.adapter.callsOf('status').length
  await engine.pass(6 * MINUTE)
  expect(engine.adapter.callsOf('status').length).toBeGreaterThan(polls)
  expect(await engine.record(video.id)).toMatchObject({ status: 'failed', error: { code: 'backend_job_expired' } })
  expect((await engine.store.queue(engine.account.id)).held).toBe(0)
})

test('a clock that is set a day ahead fails no paid job, and starts no storm of polls', async () => {
  const dateMs = engine.clock.now()
  engine.adapter.creates.push({
    kind: 'accepted',
    jobId: 'job_1',
    report: report({ jobId: 'job_1', status: 'queued' }),
    credits: null,
    rate: rate({ dateMs }),
  })
  // The backend's own clock knows nothing of ours.
  engine.adapter.polls.push(...Array.from({ length: 400 }, () => running({}, rate({ dateMs: dateMs + MINUTE }))))
  const { video } = await engine.create()
  await engine.pass(MINUTE)
  const before = engine.adapter.callsOf('status').length
  engine.clock.jump(25 * HOUR)
  await engine.pass(10 * MINUTE)
  expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
  const polls = engine.adapter.callsOf('status').length - before
  expect(polls).toBeGreaterThan(5)
  // The schedule of a job that runs long, not one poll after the other.
  expect(polls).toBeLessThanOrEqual(30)
  engine.adapter.polls.length = 0
  engine.adapter.polls.push(completed())
  await engine.pass(2 * MINUTE)
  expect(await engine.record(video.id)).toMatchObject({ status: 'completed' })
})

describe('the database’s clock leaps a day ahead, and ours with it', () => {
  const DAY_AND_MORE = 25 * HOUR

  test('what waits since a moment is not given up for its age', async () => {
    await engine.destroy()
    engine = await openEngine({ account: { slots: 1 } })
    engine.videos.start()
    const dateMs = engine.clock.now()
    engine.adapter.polls.push(lasting(running({}, rate({ dateMs: dateMs + MINUTE }))))
    await engine.create()
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting' })
    engine.clock.leap(DAY_AND_MORE)
    await engine.pass(MINUTE)
    expect((await engine.record(video.id)).error).toBeNull()
  })

  test('a paid job is not failed for its age, also of a backend that reports no time', async () => {
    engine.adapter.polls.push(lasting(running()))
    const { video } = await engine.create()
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', acceptedDateMs: null })
    engine.clock.leap(DAY_AND_MORE)
    await engine.pass(23 * HOUR)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', error: null })
    await engine.pass(2 * HOUR)
    expect((await engine.record(video.id)).error?.code).toBe('backend_job_expired')
  })

  test('a create in doubt is resent under its key: the backend has not forgotten it', async () => {
    engine.adapter.creates.push(doubt())
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'doubtful' })
    engine.clock.leap(DAY_AND_MORE)
    await engine.pass(2 * MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', error: null })
    expect(engine.adapter.callsOf('create')).toHaveLength(2)
  })

  test('a doubt without keys lasts its window', async () => {
    await engine.destroy()
    engine = await openEngine({ interface: 'alternate', callbackUrl: 'https://gateway.example/callback' })
    engine.videos.start()
    engine.adapter.creates.push(doubt())
    const { video } = await engine.create()
    engine.clock.leap(DAY_AND_MORE)
    await engine.pass(50 * MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'doubtful' })
    await engine.pass(15 * MINUTE)
    expect((await engine.record(video.id)).error?.code).toBe('create_outcome_unknown')
  })
})
