import { expect, test } from 'vitest'
import { fakeClock } from '../fakes/clock.ts'
import { until } from '../fakes/until.ts'
import { ALT, stage } from './harness.ts'

test("the alternate's callback is what finds the end: one poll, no polling", async () => {
  // At this speed the job takes seconds, of which the gateway spends none asking.
  const s = await stage({ sandbox: { speed: 20 } })
  const { id } = await s.create({ ...ALT, webhook_url: `${s.receiver.url}/hook` })
  const event = await s.verified((await s.receiver.received(1))[0])
  expect(event).toMatchObject({ type: 'video.completed', data: { id } })
  const { requests, callbacks } = s.sandbox.ledger()
  expect(requests.map(({ operation }) => operation)).toEqual(['createVideo', 'getVideo'])
  expect(callbacks).toMatchObject([{ status: 204, try: 1 }])
})

test('a callback that comes twice changes nothing', async () => {
  const s = await stage()
  await s.create({ ...ALT, text: 'Hello [[callback-twice]]', webhook_url: `${s.receiver.url}/hook` })
  await s.receiver.received(1)
  // The second callback is the sandbox's to send, over a real socket.
  await until(() => s.sandbox.ledger().callbacks.length === 2)
  await s.stop()
  expect(s.receiver.requests).toHaveLength(1)
  expect(s.sandbox.ledger().callbacks.map(({ status }) => status)).toEqual([204, 204])
})

test('a callback that never comes only delays: the backstop poll finds the end', async () => {
  const clock = fakeClock(Date.now())
  const s = await stage({ clock, sandbox: { speed: 1 } })
  const { id } = await s.create({ ...ALT, text: 'Hello [[never-callback]]', webhook_url: `${s.receiver.url}/hook` })
  const startedAtMs = clock.now()
  // Sockets need real time while the clock is moved.
  await until(async () => {
    await clock.advance(1_000)
    return s.receiver.requests.length > 0
  })
  const event = await s.verified(s.receiver.requests[0])
  expect(event).toMatchObject({ type: 'video.completed', data: { id } })
  expect(clock.now() - startedAtMs).toBeGreaterThanOrEqual(60_000)
  expect(Date.parse(event.data.completed_at ?? '') - startedAtMs).toBeLessThan(70_000)
  const { requests, callbacks } = s.sandbox.ledger()
  expect([requests.map(({ operation }) => operation), callbacks]).toEqual([['createVideo', 'getVideo'], []])
})
