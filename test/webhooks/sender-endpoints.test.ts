import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SCHEDULES } from '../../src/webhooks/schedule.ts'
import { newWebhookSecret } from '../../src/webhooks/sign.ts'
import { seededBytes } from '../fakes/random.ts'
import { answer } from '../fakes/receiver.ts'
import { createHarness, verify, type Harness } from './harness.ts'

/** What is different for registered endpoints: whose secrets sign, which schedule holds, what shares slots. */
const secrets = { endpoint: newWebhookSecret(seededBytes(1)), client: newWebhookSecret(seededBytes(2)) }
let h: Harness
beforeEach(async () => {
  h = await createHarness({
    secretsOf: async ({ kind }) => [secrets[kind]],
    random: () => 0,
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await h.close()
})

test('an endpoint is signed for with its own secret, a webhook_url with its client’s', async () => {
  h.store.add({ url: `${h.receiver.url}/endpoint`, endpoint: 'we_1' })
  h.store.add({ url: `${h.receiver.url}/video` })
  h.sender.start()
  const requests = await h.receiver.received(2)
  // The public package reads the wall clock.
  vi.useFakeTimers({ now: h.clock.now(), toFake: ['Date'] })
  for (const request of requests) {
    const [right, wrong] =
      request.url === '/endpoint' ? [secrets.endpoint, secrets.client] : [secrets.client, secrets.endpoint]
    verify(request, right)
    expect(() => verify(request, wrong)).toThrow()
  }
})

test('an endpoint is tried again for days, by its own schedule', async () => {
  h.receiver.respond(answer(500))
  const { id } = h.store.add({ url: h.receiver.url, endpoint: 'we_1' })
  h.sender.start()
  for (const [n, gapMs] of SCHEDULES.endpoint.entries()) {
    await h.clock.advance(gapMs)
    await h.store.recorded(n + 1)
    expect(h.receiver.requests).toHaveLength(n + 1)
  }
  expect(h.store.current(id)).toMatchObject({ status: 'failed', attempts: SCHEDULES.endpoint.length })
})

test('where a delivery was asked for again its schedule starts anew', async () => {
  h.receiver.respond(answer(500))
  const { id } = h.store.add({ url: h.receiver.url, endpoint: 'we_1', attempts: 9, tried: 0 })
  h.sender.start()
  await h.store.recorded(1)
  expect(h.store.current(id)).toMatchObject({ status: 'pending', nextAttemptAtMs: h.clock.now() + 5_000 })
})

test('two endpoints of one origin share no slots: one that hangs holds up the other never', async () => {
  h.receiver.respond((request) => (request.url === '/slow' ? { kind: 'hang' } : answer(204)))
  for (let n = 0; n < 12; n += 1) h.store.add({ url: `${h.receiver.url}/slow`, endpoint: 'we_slow' })
  h.store.add({ url: `${h.receiver.url}/quick`, endpoint: 'we_quick' })
  h.sender.start()
  await h.store.recorded(1)
  expect(h.receiver.requests.filter(({ url }) => url === '/slow').length).toBeLessThanOrEqual(8)
  expect(h.receiver.requests.map(({ url }) => url)).toContain('/quick')
})

test('one that was deleted between the lease and the attempt is sent nothing', async () => {
  const sender = h.another({ secretsOf: async () => [] })
  h.store.add({ url: h.receiver.url, endpoint: 'we_1' })
  sender.start()
  await h.clock.advance(1_000)
  expect(h.store.claims()).toBe(1)
  expect(h.receiver.connections()).toBe(0)
  expect(h.lines).toEqual([])
})
