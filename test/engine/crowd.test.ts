import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import { lasting } from '../fakes/adapter.ts'
import { accepted, doubt, draft, HOUR, MINUTE, newEndpoint, SECOND, T0 } from '../fakes/records.ts'
import { ROOMY } from '../contract/store/helpers.ts'
import { must } from '../fakes/must.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

let engine: Engine
let hungUp: AbortController
beforeEach(() => {
  hungUp = new AbortController()
})
afterEach(async () => {
  hungUp.abort()
  await engine.videos.stop()
  await engine.destroy()
})

/** Ten requests a minute, and as many jobs as there are. */
const open = async (given: EngineOptions = {}): Promise<void> => {
  engine = await openEngine({ account: { slots: null, requestsPerMinute: 10 }, ...given })
}
/** Running since `T0`; of a client that nobody told anything, unless it has a `webhook_url`. */
const runs = async (
  id: string,
  webhookUrl: string | null = null,
  dueAtMs = T0,
  client = 'other',
  acceptedAtMs = T0,
): Promise<void> => {
  const video = accepted({ id, client, webhookUrl, dueAtMs, acceptedAtMs })
  const opened = await engine.store.open(draft(video), null, ROOMY, null)
  expect(opened.kind).toBe('opened')
}
const crowd = async (size: number): Promise<void> => {
  for (let n = 0; n < size; n += 1) await runs(`vid_${String(n).padStart(3, '0')}`)
}
const HOOK = 'https://hooks.example/'
const pollsOf = (id: string): number[] =>
  engine.adapter
    .callsOf('status')
    .flatMap((call) => (call.operation === 'status' && call.jobId === `job_of_${id}` ? [call.atMs - T0] : []))

test('after a time of which nothing is known, the one that somebody waits for goes first, however many are due', async () => {
  await open()
  await crowd(150)
  await runs('vid_waited', HOOK, T0 + SECOND)
  engine.clock.jump(HOUR)
  engine.videos.start()
  await engine.pass(SECOND)
  const [first] = engine.adapter.callsOf('status')
  expect(first).toMatchObject({ jobId: 'job_of_vid_waited' })
})

test('a crowd that nobody waits for makes a poll of one that somebody waits for little dearer, and is polled too', async () => {
  await open()
  await crowd(40)
  await runs('vid_waited', HOOK)
  engine.videos.start()
  await engine.pass(10 * MINUTE)
  const times = pollsOf('vid_waited')
  const gaps = times.map((atMs, n) => atMs - (times[n - 1] ?? 0))
  // Alone it would be polled every eight seconds at most; by its urgency alone, like the others, every two minutes.
  expect(Math.max(...gaps)).toBeLessThan(20 * SECOND)
  const all = engine.adapter.callsOf('status').length
  expect(all).toBeGreaterThanOrEqual(95)
  // Three of the ten of every window.
  expect(all - times.length).toBeGreaterThanOrEqual(30)
})

test('nor does a crowd that somebody waits for starve the others', async () => {
  await open()
  for (let n = 0; n < 150; n += 1) await runs(`vid_${String(n).padStart(3, '0')}`, HOOK)
  const others = ['vid_a', 'vid_b', 'vid_c']
  for (const id of others) await runs(id)
  engine.videos.start()
  await engine.pass(15 * MINUTE)
  for (const id of others) expect(pollsOf(id).length).toBeGreaterThanOrEqual(5)
})

test.each([1, 2, 3])(
  '%i requests a minute: every third poll or so is of one of the others, none of them first',
  async (limit) => {
    await open({ account: { slots: null, requestsPerMinute: limit } })
    for (let n = 0; n < 30; n += 1) await runs(`vid_${String(n).padStart(3, '0')}`, HOOK)
    const others = Array.from({ length: 30 }, (_, n) => `vid_other_${n}`)
    for (const id of others) await runs(id)
    engine.clock.jump(HOUR / 2)
    engine.videos.start()
    await engine.pass(40 * MINUTE)
    const polled = engine.adapter
      .callsOf('status')
      .map((call) => others.some((id) => call.operation === 'status' && call.jobId === `job_of_${id}`))
    const part = polled.filter(Boolean).length / polled.length
    expect(part).toBeGreaterThan(0.28)
    expect(part).toBeLessThan(0.36)
    expect(polled.slice(0, 3)).toEqual([false, false, true])
  },
)

test.each<[string, () => Promise<unknown>]>([
  ['a wait', async () => void engine.videos.wait('vid_last', HOUR, hungUp.signal)],
  ['an endpoint', () => engine.store.createEndpoint(newEndpoint({ client: 'late' }))],
])('one of a crowd goes first from %s on', async (_, promise) => {
  await open()
  await crowd(150)
  await runs('vid_last', null, T0 + SECOND, 'late', T0 + HOUR / 2)
  engine.clock.jump(HOUR)
  engine.videos.start()
  await engine.pass(10 * SECOND)
  const before = engine.adapter.callsOf('status').length
  expect([before > 1, pollsOf('vid_last')]).toEqual([true, []])
  await promise()
  await engine.pass(MINUTE)
  expect(pollsOf('vid_last')[0]).toBe(must(engine.adapter.callsOf('status')[before]).atMs - T0)
})

test('where the window has room for all, a turn begins a few polls and shares what ends with others', async () => {
  await open({ account: { slots: null, requestsPerMinute: 1_000_000 } })
  const size = 300
  await crowd(size)
  const { store, adapter } = engine
  const begunByTurn: number[] = []
  const queue: typeof store.queue = store.queue
  store.queue = (account) => {
    begunByTurn.push(adapter.callsOf('status').length)
    return queue(account)
  }
  engine.clock.jump(HOUR)
  engine.videos.start()
  await engine.pass(5 * SECOND)
  expect(new Set(adapter.callsOf('status').map((call) => call.operation === 'status' && call.jobId)).size).toBe(size)
  const begun = begunByTurn.map((count, n) => (begunByTurn[n + 1] ?? count) - count)
  expect(Math.max(...begun)).toBe(16)
  expect(begunByTurn.length).toBeLessThan(size / 2)
})

test('creates in doubt that hang hold up no poll', async () => {
  await open({ account: { slots: null, requestsPerMinute: 1_000 } })
  const lost = 40
  engine.adapter.creates.push(...Array.from({ length: lost }, () => doubt()))
  for (let n = 0; n < lost; n += 1) await engine.create()
  const hung = Promise.withResolvers<CreateOutcome>()
  engine.adapter.creates.push(lasting(hung.promise))
  await runs('vid_waited', HOOK)
  engine.videos.start()
  await engine.pass(20 * SECOND)
  expect(engine.adapter.callsOf('create').length).toBeGreaterThan(lost)
  const polls = pollsOf('vid_waited').length
  hung.resolve(doubt())
  await engine.pass(0)
  expect(polls).toBeGreaterThan(1)
})

test('creates in doubt are no polls: nothing makes them yield to themselves', async () => {
  await open({ account: { slots: null, requestsPerMinute: 10 } })
  engine.adapter.creates.push(...Array.from({ length: 5 }, () => doubt()))
  for (let n = 0; n < 5; n += 1) await engine.create()
  engine.videos.start()
  await engine.pass(10 * SECOND)
  expect(engine.adapter.callsOf('create')).toHaveLength(10)
})
