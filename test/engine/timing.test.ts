import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReadOutcome } from '../../src/core/adapter.ts'
import { backendOf, completed, running, unread } from '../fakes/adapter.ts'
import { must } from '../fakes/must.ts'
import { NO_DEFAULTS } from '../../src/core/access.ts'
import { acceptedAs, doubt, HOUR, MINUTE, problem, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

const LINK_CAME = { ok: true, value: { url: 'https://cdn.example/job.mp4', expiresAtMs: null }, rate: null } as const

let engine: Engine
beforeEach(async () => {
  engine = await openEngine({ account: { requestsPerMinute: 1_000 } })
  engine.videos.start()
})
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

/** What the first end that was told of says of itself. */
const timing = async (): Promise<{ accepted_at: string; detected_at: string; uncertainty_ms: number | null }> => {
  const { events } = await engine.store.eventsOf('acme', { after: 0, limit: 100, types: null })
  const told = events.flatMap(({ event }) => {
    const { data } = JSON.parse(event.body) as { data: { timing?: Awaited<ReturnType<typeof timing>> } }
    return data.timing ?? []
  })
  return must(told[0])
}
const uncertaintyMs = async () => (await timing()).uncertainty_ms
const pollsAt = (): number[] => engine.adapter.callsOf('status').map(({ atMs }) => atMs)
const inSeconds = (seconds: number) => ({ nextPollAtMs: engine.clock.now() + seconds * SECOND })
const adopt = (jobId: string) =>
  engine.videos.import(
    {
      client: 'acme',
      visible: new Map([['main', backendOf('main', engine.account)]]),
      limits: { queuedVideos: 9, videosPerMonth: null, creditsPerMonth: null },
      defaults: NO_DEFAULTS,
    },
    { backend: 'main', jobId, webhookUrl: null, metadata: {} },
  )

test('the end lies after the last poll of the running job, which was asked before it was answered', async () => {
  const slow = Promise.withResolvers<ReadOutcome<never>>()
  engine.adapter.polls.push(slow.promise, completed())
  await engine.create()
  await engine.pass(10 * SECOND)
  slow.resolve(running() as ReadOutcome<never>)
  await engine.pass(MINUTE)
  const [first = 0, second = 0] = pollsAt()
  expect(second - first).toBeGreaterThan(5 * SECOND)
  expect(await uncertaintyMs()).toBe(second - first)
})

test('a poll that found the job done, but no link, was no poll that found it running', async () => {
  await engine.create()
  engine.adapter.polls.push(running(inSeconds(10)), completed({ link: null, ...inSeconds(20) }))
  const refusal = problem({ backendError: { status: 404, code: 'no_link', block_code: null, message: null } })
  const none = { ok: false, problem: refusal, lost: false, rate: null } as const
  engine.adapter.downloads.push(none, none, LINK_CAME)
  await engine.pass(5 * MINUTE)
  const [ran = 0, over = 0] = pollsAt()
  const linked = must(engine.adapter.callsOf('download')[2]).atMs
  expect(linked).toBeGreaterThan(over)
  expect(await uncertaintyMs()).toBe(linked - ran)
})

test('without any, it lies after the create was sent: one that was in doubt may have run long before its job was known', async () => {
  const t0 = engine.clock.now()
  engine.adapter.creates.push(doubt(), acceptedAs('job_1'))
  engine.adapter.polls.push(completed())
  await engine.create()
  await engine.pass(MINUTE)
  const [poll = 0] = pollsAt()
  const accepted = must(engine.adapter.callsOf('create')[1]).atMs
  expect(accepted).toBeGreaterThan(t0)
  expect(await timing()).toEqual({
    accepted_at: new Date(accepted).toISOString(),
    detected_at: new Date(poll).toISOString(),
    uncertainty_ms: poll - t0,
  })
})

test('of a job that had ended before it was imported nobody knows; of one that ran, since then', async () => {
  engine.adapter.polls.push(completed())
  await adopt('job_old')
  expect(await uncertaintyMs()).toBeNull()
})

test('an imported job that ran when it was imported ended after that', async () => {
  const t0 = engine.clock.now()
  engine.adapter.polls.push(running(inSeconds(7)), completed())
  await adopt('job_running')
  await engine.pass(MINUTE)
  expect(await uncertaintyMs()).toBe(7 * SECOND)
  expect((await timing()).accepted_at).toBe(new Date(t0).toISOString())
})

test('an imported job whose link could not be asked for yet had ended before', async () => {
  engine.adapter.polls.push(completed({ link: null }))
  engine.adapter.downloads.push(unread(), LINK_CAME)
  await adopt('job_old')
  await engine.pass(MINUTE)
  expect(await uncertaintyMs()).toBeNull()
})

const observed = () => engine.tally.timings('detection_uncertainty')

test('each end that a backend told of is observed once; what the gateway ends itself is not', async () => {
  engine.adapter.creates.push(acceptedAs('job_first', inSeconds(20)))
  engine.adapter.polls.push(running(inSeconds(30)), completed())
  await engine.create()
  await engine.pass(MINUTE)
  const once = {
    what: 'detection_uncertainty',
    labels: { backend: 'main' },
    ms: [10_000],
  }
  expect(observed()).toEqual([once])
  // Two expire, one is canceled while it waits, one was over when it was imported.
  await engine.create()
  await engine.create()
  const { video } = await engine.create()
  await engine.videos.cancel(video)
  engine.adapter.polls.push(completed())
  await adopt('job_old')
  engine.clock.jump(25 * HOUR)
  await engine.pass(MINUTE)
  const { events } = await engine.store.eventsOf('acme', { after: 0, limit: 100, types: null })
  expect(events.filter(({ event }) => event.type === 'video.failed')).toHaveLength(2)
  expect(observed()).toEqual([once])
})
