import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Log } from '../../src/core/log.ts'
import type { DuePlace } from '../../src/core/store/webhooks.ts'
import { answer, startReceiver } from '../fakes/receiver.ts'
import type { Receiver } from '../fakes/receiver.ts'
import { createHarness, SECRET } from './harness.ts'
import type { Harness } from './harness.ts'

let h: Harness
const receivers: Receiver[] = []
beforeEach(async () => {
  h = await createHarness()
})
afterEach(async () => {
  await h.close()
  for (const receiver of receivers.splice(0)) await receiver.close()
})

const healthy = async (): Promise<Receiver> => {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}
const messages = (): string[] => h.lines.map(({ message }) => message)

describe('fairness', () => {
  test('at most eight at once to one target, and no other waits for them', async () => {
    const other = await healthy()
    h.receiver.respond({ kind: 'hold', status: 200 })
    for (let i = 0; i < 20; i += 1) h.store.add({ url: `${h.receiver.url}/${i}` })
    for (let i = 0; i < 20; i += 1) h.store.add({ url: other.url })
    h.sender.start()
    await other.received(20)
    await h.store.recorded(20)
    await h.receiver.received(8)
    expect(h.receiver.open()).toBe(8)
    h.receiver.release()
    await h.receiver.received(16)
    expect(h.receiver.open()).toBe(8)
    h.receiver.respond(answer(204))
    h.receiver.release()
    await h.store.recorded(40)
    expect(h.receiver.requests).toHaveLength(20)
  })

  test('one client’s stuck target does not hold up another’s on the same host', async () => {
    h.receiver.respond(({ headers }) =>
      Number(headers['content-length']) > 2 ? { kind: 'hold', status: 200 } : answer(204),
    )
    for (let i = 0; i < 20; i += 1) h.store.add({ url: h.receiver.url, client: 'slow', body: '{"a":1}' })
    const { id } = h.store.add({ url: h.receiver.url, client: 'quick', body: '{}' })
    h.sender.start()
    await h.store.recorded(1)
    expect(h.store.current(id).status).toBe('delivered')
    await h.receiver.received(9)
    h.receiver.respond(answer(204))
    h.receiver.release()
    await h.store.recorded(21)
  })

  test('a client with more stuck endpoints than there are slots does not hold up another', async () => {
    const other = await healthy()
    h.receiver.respond({ kind: 'hang' })
    for (let i = 0; i < 400; i += 1) h.store.add({ url: h.receiver.url, client: 'stuck', endpoint: `we_${i % 50}` })
    h.sender.start()
    await h.receiver.received(200)
    const { id } = h.store.add({ url: other.url, client: 'quick' })
    h.wake.hint('deliver', id, h.clock.now())
    await h.clock.advance(0)
    await h.store.recorded(1)
    expect(h.store.current(id).status).toBe('delivered')
  })

  test('no more than `concurrency` at once in all, targets in turn', async () => {
    const others = await Promise.all([healthy(), healthy(), healthy()])
    for (const receiver of [h.receiver, ...others]) receiver.respond({ kind: 'hold', status: 200 })
    for (const receiver of [h.receiver, ...others]) for (let i = 0; i < 3; i += 1) h.store.add({ url: receiver.url })
    h.another({ concurrency: 4 }).start()
    await Promise.all([h.receiver, ...others].map((receiver) => receiver.received(1)))
    expect(h.store.claims()).toBe(4)
    for (const receiver of [h.receiver, ...others]) {
      receiver.respond(answer(204))
      receiver.release()
    }
    await h.store.recorded(12)
  })

  test('a backlog larger than one sweep is worked off without waiting for the next second', async () => {
    for (let i = 0; i < 2_400; i += 1) h.store.add({ url: h.receiver.url })
    h.sender.start()
    await h.store.recorded(2_400)
    expect(new Set(h.receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2_400)
    expect(h.receiver.requests).toHaveLength(2_400)
    expect(h.receiver.connections()).toBeLessThan(50)
  })
})

describe('how work is found', () => {
  test('behind an endless backlog, by looks that are short however much is due', async () => {
    const other = await healthy()
    h.receiver.respond({ kind: 'hang' })
    for (let i = 0; i < 3_500; i += 1) h.store.add({ url: h.receiver.url, endpoint: 'we_1' })
    const { id } = h.store.add({ url: other.url })
    const asked: number[] = []
    const { dueDeliveries } = h.store
    const store = {
      ...h.store,
      dueDeliveries: (limit: number, after?: DuePlace) => (asked.push(limit), dueDeliveries(limit, after)),
    }
    h.another({ store }).start()
    for (let looks = 1; looks <= 4; looks += 1) await h.clock.advance(1_000)
    await h.store.recorded(1)
    expect(h.store.current(id).status).toBe('delivered')
    expect(Math.max(...asked)).toBe(1_000)
  })

  test('by a hint, without the sweep', async () => {
    h.sender.start()
    await h.clock.advance(0)
    h.store.fail('dueDeliveries', 1_000)
    const { id } = h.store.add({ url: h.receiver.url })
    h.wake.hint('account', 'account', h.clock.now())
    h.wake.hint('deliver', id, h.clock.now())
    h.wake.hint('deliver', id, h.clock.now())
    h.wake.hint('deliver', 'dlv_unknown', h.clock.now())
    await h.clock.advance(0)
    await h.store.recorded(1)
    expect(h.receiver.requests).toHaveLength(1)
  })

  test('by the sweep within a second, without a hint, also after the store failed for a while', async () => {
    h.store.fail('dueDeliveries', 3)
    h.sender.start()
    await h.clock.advance(2_000)
    h.store.add({ url: h.receiver.url })
    await h.clock.advance(500)
    expect(h.receiver.requests).toHaveLength(0)
    await h.clock.advance(500)
    await h.store.recorded(1)
    expect(messages().filter((text) => text === 'due webhook deliveries could not be listed')).toHaveLength(3)
  })

  test('first attempts of one target start in the order of their events', async () => {
    const added = Array.from({ length: 8 }, () => h.store.add({ url: h.receiver.url }))
    h.another({ perTarget: 1 }).start()
    await h.store.recorded(8)
    expect(h.receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(added.map(({ event }) => event.id))
  })

  test('of two senders on one store only one sends each', async () => {
    for (let i = 0; i < 50; i += 1) h.store.add({ url: h.receiver.url })
    h.sender.start()
    h.another().start()
    await h.store.recorded(50)
    await h.clock.advance(2_000)
    expect(h.receiver.requests).toHaveLength(50)
  })
})

describe('faults of our own', () => {
  test('a failed recording after a 2xx never sends again, however long it lasts', async () => {
    h.store.fail('attempted', 12)
    const { id } = h.store.add({ url: h.receiver.url })
    h.sender.start()
    await h.receiver.received(1)
    for (let i = 0; i < 90 && h.store.current(id).status === 'pending'; i += 1) {
      h.wake.hint('deliver', id, h.clock.now())
      await h.clock.advance(1_000)
    }
    expect(h.store.calls('attempted')).toBe(13)
    expect(h.store.current(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    // The lease had long run out: nothing but the sender's own memory kept it from sending again.
    expect(h.clock.now() - ((await h.store.attempts(id))[0]?.atMs ?? 0)).toBeGreaterThan(40_000)
    expect(h.receiver.requests).toHaveLength(1)
  })

  test.each(['claimDeliveries', 'deliveriesById'] as const)(
    'a failed %s costs the receiver no attempt',
    async (verb) => {
      h.store.fail(verb, 1)
      const { id } = h.store.add({ url: h.receiver.url })
      h.sender.start()
      await h.clock.advance(0)
      expect(h.receiver.requests).toHaveLength(0)
      await h.clock.advance(30_000)
      await h.store.recorded(1)
      expect(h.store.current(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    },
  )

  test('a read that fails late keeps nothing from the sweep, also not what was hinted meanwhile', async () => {
    const late = Promise.withResolvers<never>()
    const reads = [late.promise]
    const { deliveriesById } = h.store
    const store: typeof h.store = { ...h.store, deliveriesById: (ids) => reads.pop() ?? deliveriesById(ids) }
    h.another({ store }).start()
    await h.clock.advance(0)
    const hint = async (): Promise<void> => {
      h.wake.hint('deliver', h.store.add({ url: h.receiver.url }).id, h.clock.now())
      await h.clock.advance(0)
    }
    await hint()
    expect(reads).toEqual([])
    await hint()
    await hint()
    late.reject(new Error('the store is away'))
    await h.clock.advance(5_000)
    await h.store.recorded(3)
    expect(messages()[0]).toBe('webhook deliveries could not be read')
    // What is hinted later is read again, not found by the sweep.
    await hint()
    await h.store.recorded(4)
  })

  test('secrets that cannot be read cost no attempt; it is tried again when the lease has run out', async () => {
    let broken = true
    const sender = h.another({
      secretsOf: () => (broken ? Promise.reject(new Error('cannot decrypt')) : Promise.resolve([SECRET])),
    })
    const { id } = h.store.add({ url: h.receiver.url })
    sender.start()
    await h.clock.advance(19_000)
    expect(messages()).toEqual(['webhook not sent by a fault of the gateway'])
    broken = false
    await h.clock.advance(2_000)
    await h.store.recorded(1)
    expect(h.store.current(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(h.receiver.requests).toHaveLength(1)
  })
})

describe('stopping', () => {
  test('lets what is in flight end and be recorded, starts nothing new, and then is idle', async () => {
    h.receiver.respond({ kind: 'hold', status: 200 })
    for (let i = 0; i < 12; i += 1) h.store.add({ url: h.receiver.url })
    h.sender.start()
    await h.receiver.received(8)
    let stopped = false
    const stop = h.sender.stop().then(() => (stopped = true))
    h.wake.hint('deliver', 'dlv_0012', h.clock.now())
    await h.clock.advance(5_000)
    expect(stopped).toBe(false)
    h.receiver.release()
    await stop
    expect(h.receiver.requests).toHaveLength(8)
    expect(h.store.calls('release')).toBe(0)
    expect(h.store.calls('attempted')).toBe(8)
    const after = h.store.calls('dueDeliveries')
    await h.clock.advance(60_000)
    expect(h.store.calls('dueDeliveries')).toBe(after)
    expect(h.receiver.requests).toHaveLength(8)
    expect(h.clock.pending()).toBe(0)
  })

  test('gives up on a store that stays dead, and says what that means', async () => {
    h.store.fail('attempted', 1_000)
    h.store.add({ url: h.receiver.url })
    h.sender.start()
    await h.receiver.received(1)
    const stop = h.sender.stop()
    // Nudges the clock until the answer has arrived and the last tries are over.
    for (let done = false; !done;) {
      done = await Promise.race([stop.then(() => true), h.clock.advance(500).then(() => false)])
    }
    expect(messages().at(-1)).toBe('webhook attempt not recorded: it may be repeated')
    expect(h.receiver.requests).toHaveLength(1)
  })

  test('at once when nothing runs, also before the start and twice', async () => {
    await h.another().stop()
    h.sender.start()
    await h.sender.stop()
    await h.sender.stop()
  })
})

test('logs one line an attempt, with ids and outcome, and nothing that is secret or a stranger’s', async () => {
  h.receiver.script(answer(500, { 'x-header': 'CANARY_HEADER' }, 'CANARY_ANSWER'))
  h.store.add({ url: `${h.receiver.url}/CANARY_PATH?token=CANARY_QUERY`, body: '{"text":"CANARY_BODY"}' })
  h.sender.start()
  await h.store.recorded(1)
  await h.clock.advance(5_500)
  await h.store.recorded(2)
  expect(h.lines).toHaveLength(2)
  expect(h.lines[0]).toEqual({
    level: 'info',
    message: 'webhook attempt',
    fields: {
      delivery_id: 'dlv_0001',
      event_id: 'evt_0001',
      endpoint_id: null,
      video_id: 'vid_0001',
      client: 'acme',
      host: `127.0.0.1:${h.receiver.port}`,
      attempt: 1,
      status: 500,
      fault: null,
      duration_ms: 0,
      outcome: 'pending',
      next_attempt_at: expect.stringMatching(/^2026-11-20T10:00:05/),
    },
  })
  expect(h.lines[1]?.fields).toMatchObject({ attempt: 2, outcome: 'delivered', next_attempt_at: null })
  const text = JSON.stringify(h.lines)
  expect(text).not.toContain('CANARY')
  expect(text).not.toContain(SECRET.slice('whsec_'.length))
})

test('takes a pino logger as it is', () => {
  const log: Log = pino({ level: 'silent' })
  log.info({}, 'fits')
})
