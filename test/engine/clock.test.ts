import { afterEach, beforeEach, expect, test } from 'vitest'
import { completed, running } from '../fakes/adapter.ts'
import { HOUR, MINUTE, rate, report } from '../fakes/records.ts'
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
  engine.adapter.polls.push(...Array.from({ length: 400 }, () => running({}, still)))
  const { video } = await engine.create()
  await engine.pass(MINUTE)
  engine.clock.jump(48 * HOUR - 10 * MINUTE)
  await engine.pass(5 * MINUTE)
  expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
  const polls = engine.adapter.callsOf('status').length
  await engine.pass(6 * MINUTE)
  expect(engine.adapter.callsOf('status').length).toBeGreaterThan(polls)
  expect(await engine.record(video.id)).toMatchObject({ status: 'failed', error: { code: 'backend_job_expired' } })
  expect((await engine.store.counts(engine.account.id)).held).toBe(0)
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
