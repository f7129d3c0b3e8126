import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Timed } from '../../src/core/tally.ts'
import { SCHEDULES } from '../../src/webhooks/schedule.ts'
import { answer } from '../fakes/receiver.ts'
import { createHarness } from './harness.ts'
import type { Harness } from './harness.ts'

let h: Harness
beforeEach(async () => {
  h = await createHarness({ random: () => 0 })
})
afterEach(() => h.close())

const url = (): string => `http://hooks.example:${h.receiver.port}/hook`
/** One duration of each. */
const once = (what: Timed, target: 'video' | 'endpoint', ms: number) => ({ what, labels: { target }, ms: [ms] })
const timings = () => h.tally.timings('webhook_first_attempt', 'webhook_delivered')
const counts = () => h.tally.counts('delivery_ended', 'endpoint_disabled')
const attempts = () => h.tally.counts('delivery_attempt').map(({ labels, count }) => ({ ...labels, count }))

const ended = (status: 'delivered' | 'failed', target: 'video' | 'endpoint') => ({
  what: 'delivery_ended',
  labels: { status, target },
  count: 1,
})

test('from the event to its first attempt and to its delivery, retries included', async () => {
  h.store.add({ url: url(), endpoint: 'we_1' })
  h.clock.jump(700)
  h.receiver.script(answer(500), answer(503), answer(204))
  h.sender.start()
  await h.store.recorded(1)
  for (const [n, gapMs] of SCHEDULES.endpoint.slice(1, 3).entries()) {
    await h.clock.advance(gapMs)
    await h.store.recorded(n + 2)
  }
  await h.sender.stop()
  expect(timings()).toEqual([
    once('webhook_first_attempt', 'endpoint', 700),
    once('webhook_delivered', 'endpoint', 700 + 5_000 + 300_000),
  ])
  expect(counts()).toEqual([ended('delivered', 'endpoint')])
  expect(attempts()).toEqual([
    { target: 'endpoint', outcome: '5xx', count: 2 },
    { target: 'endpoint', outcome: '2xx', count: 1 },
  ])
})

test('each kind of target by itself', async () => {
  h.store.add({ url: url() })
  h.store.add({ url: url(), endpoint: 'we_1' })
  h.clock.jump(50)
  h.sender.start()
  await h.store.recorded(2)
  await h.sender.stop()
  const both = (target: 'video' | 'endpoint') =>
    (['webhook_first_attempt', 'webhook_delivered'] as const).map((what) => once(what, target, 50))
  const told = timings()
  expect(told).toHaveLength(4)
  expect(told).toEqual(expect.arrayContaining([...both('video'), ...both('endpoint')]))
})

test('what was asked for later than its event is not timed, its retries neither', async () => {
  const { clock, store } = h
  store.add({ url: url(), endpoint: 'we_1', isAskedLater: true })
  store.add({ url: url(), endpoint: 'we_1', isAskedLater: true, attempts: 3, tried: 0 })
  store.add({ url: url(), endpoint: 'we_1', isAskedLater: true, attempts: 1, tried: 1 })
  clock.jump(5_000)
  h.receiver.script(answer(500))
  h.sender.start()
  await store.recorded(3)
  await clock.advance(5_000)
  await store.recorded(4)
  await h.sender.stop()
  expect(h.receiver.requests).toHaveLength(4)
  expect(timings()).toEqual([])
})

test.each([
  ['video', undefined],
  ['endpoint', 'we_1'],
] as const)('what is given up is counted once: to a %s', async (target, endpoint) => {
  const last = SCHEDULES[target].length - 1
  h.receiver.respond(answer(500))
  h.store.add({ url: url(), ...(endpoint && { endpoint }), attempts: last, tried: last })
  h.store.add({ url: url(), ...(endpoint && { endpoint }), attempts: last - 1, tried: last - 1 })
  h.sender.start()
  await h.store.recorded(2)
  await h.sender.stop()
  expect(counts()).toEqual([ended('failed', target)])
})

test('an endpoint that is disabled is counted with why; what is held for it is not given up', async () => {
  h.receiver.respond(answer(410))
  h.store.add({ url: url(), endpoint: 'we_1' })
  const attempted: typeof h.store.attempted = async (...args) => {
    await h.store.attempted(...args)
    return { status: 'held', disabled: 'gone' }
  }
  const sender = h.another({ store: { ...h.store, attempted } })
  sender.start()
  await h.store.recorded(1)
  await sender.stop()
  expect(counts()).toEqual([{ what: 'endpoint_disabled', labels: { reason: 'gone' }, count: 1 }])
})
