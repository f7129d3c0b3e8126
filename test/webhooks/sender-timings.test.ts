import { afterEach, beforeEach, expect, test } from 'vitest'
import { answer } from '../fakes/receiver.ts'
import { createHarness } from './harness.ts'
import type { Harness } from './harness.ts'

let h: Harness
beforeEach(async () => {
  h = await createHarness()
})
afterEach(() => h.close())

const url = (): string => `http://hooks.example:${h.receiver.port}/hook`
const told = () =>
  h.tally.timings().map(({ what, labels, count, sumMs }) => ({ what, target: labels.target, count, sumMs }))

test('from the event to its first attempt and to its delivery, retries included', async () => {
  const { event } = h.store.add({ url: url(), endpoint: 'we_1' })
  h.clock.jump(700)
  h.receiver.respond(answer(500))
  h.sender.start()
  await h.store.recorded(1)
  await h.sender.stop()
  const first = { what: 'webhook_first_attempt', target: 'endpoint', count: 1, sumMs: 700 }
  expect(told()).toEqual([first])
  h.receiver.respond(answer(200))
  h.clock.jump(60_000)
  h.another().start()
  await h.store.recorded(2)
  await h.close()
  expect(h.tally.deliveryEnds()).toEqual([{ status: 'delivered', target: 'endpoint', count: 1 }])
  const tookMs = h.clock.now() - event.atMs
  expect(told()).toEqual([first, { what: 'webhook_delivered', target: 'endpoint', count: 1, sumMs: tookMs }])
})

test('what was asked for later than its event is not timed', async () => {
  const { clock, store } = h
  clock.jump(5_000)
  store.add({ url: url(), nextAttemptAtMs: clock.now() - 1_000 })
  store.add({ url: url(), attempts: 3, tried: 0 })
  h.sender.start()
  await store.recorded(2)
  await h.sender.stop()
  expect(told()).toEqual([])
})
