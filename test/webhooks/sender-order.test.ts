import { EventEmitter, once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { answer, startReceiver, type Receiver } from '../fakes/receiver.ts'
import { sqliteStage, type SqliteStage } from './sqlite-stage.ts'

/** Emits `claimed` with the number of claims that were answered, and `swept` after each sweep. */
let seen: EventEmitter
let claims: string[]
const watched = (store: Store): Store => ({
  ...store,
  async claimDeliveries(ids, leaseMs) {
    const claimed = await store.claimDeliveries(ids, leaseMs)
    claims.push(...ids)
    setImmediate(() => seen.emit('claimed'))
    return claimed
  },
  async nextDueDelivery() {
    const dueAtMs = await store.nextDueDelivery()
    setImmediate(() => seen.emit('swept'))
    return dueAtMs
  },
})

let clock: FakeClock
let receiver: Receiver
let stage: SqliteStage
beforeEach(async () => {
  seen = new EventEmitter()
  claims = []
  clock = fakeClock()
  receiver = await startReceiver()
  receiver.respond({ kind: 'hold', status: 200 })
  stage = await sqliteStage({ clock, wrapStore: watched })
})
afterEach(async () => {
  receiver.respond(answer(204))
  receiver.release()
  await stage.close()
  await receiver.close()
})

const hint = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) stage.wake.hint('deliver', id, clock.now())
  await clock.advance(0)
}
const claimed = async (count: number): Promise<void> => {
  while (claims.length < count) await once(seen, 'claimed')
}
const sent = (): unknown[] => receiver.requests.map(({ headers }) => headers['webhook-id'])

test('events of one video go one after the other, none of them waits for a sweep', async () => {
  stage.sender.start()
  await once(seen, 'swept')
  const ids = await stage.owe({ video: 'vid_1', client: 'acme', url: receiver.url, events: 3 })
  await hint(ids)
  await claimed(3)
  for (const n of [1, 2, 3]) {
    await receiver.received(n)
    expect(receiver.open()).toBe(1)
    receiver.release()
  }
  expect(sent()).toEqual(['evt_vid_1_1', 'evt_vid_1_2', 'evt_vid_1_3'])
})

test('also behind one that a sweep found, and only behind those of its own video', async () => {
  const [, second = ''] = await stage.owe({ video: 'vid_1', client: 'acme', url: receiver.url, events: 2 })
  stage.sender.start()
  await receiver.received(1)
  const [other = ''] = await stage.owe({ video: 'vid_2', client: 'acme', url: receiver.url })
  await hint([second, second, other])
  await claimed(3)
  await receiver.received(2)
  await hint([second])
  await claimed(4)
  receiver.respond(answer(204))
  receiver.release()
  await receiver.received(3)
  expect(sent()).toEqual(['evt_vid_1_1', 'evt_vid_2_1', 'evt_vid_1_2'])
})
