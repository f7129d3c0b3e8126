import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { answer, startReceiver, type Receiver } from '../fakes/receiver.ts'
import { sqliteStage, type SqliteStage } from './sqlite-stage.ts'

/** A store whose commits of attempts fail while it is down: some before anything is written, some after all of it is. */
let down: 'no' | 'before' | 'after' = 'no'
let tries = 0
const faulty = (store: Store): Store => ({
  ...store,
  async attempted(...args) {
    tries += 1
    if (down === 'before') throw new Error('the disk failed')
    const answered = await store.attempted(...args)
    if (down === 'after') throw new Error('the answer was lost')
    return answered
  },
})

let clock: FakeClock
let receiver: Receiver
let stage: SqliteStage
beforeEach(async () => {
  down = 'no'
  tries = 0
  clock = fakeClock()
  receiver = await startReceiver()
  stage = await sqliteStage({ clock, wrapStore: faulty, concurrency: 4 })
})
afterEach(async () => {
  down = 'no'
  const state = { closed: false }
  const closing = stage.close().then(() => (state.closed = true))
  while (!state.closed) await clock.advance(1_000)
  await closing
  await receiver.close()
})

/** Nudges the clock until it is so: sockets and the store's thread take real time. */
const passUntil = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await clock.advance(100)
}
const deliveries = async (videos: readonly string[]) =>
  (await Promise.all(videos.map((id) => stage.store.deliveriesOf(id)))).flat()

describe('an attempt that cannot be written down', () => {
  test.each(['before', 'after'] as const)('after a 2xx is never made again, failing %s the commit', async (when) => {
    down = when
    await stage.owe({ video: 'v', client: 'acme', url: receiver.url })
    stage.sender.start()
    await receiver.received(1)
    // Hours, in which leases run out and sweeps find it due, if nothing was written.
    await passUntil(() => tries >= 20)
    expect(receiver.requests).toHaveLength(1)
    down = 'no'
    await passUntil(async () => (await deliveries(['v'])).every(({ status }) => status === 'delivered'))
    const tried = tries
    await clock.advance(60_000)
    expect(tries).toBeLessThanOrEqual(tried + 1)
    expect(receiver.requests).toHaveLength(1)
    const [delivery] = await deliveries(['v'])
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(await stage.store.attempts(delivery?.id ?? '')).toHaveLength(1)
  })

  test('holds up what comes after it: no more is sent than can be remembered', async () => {
    down = 'before'
    const videos = Array.from({ length: 30 }, (_, n) => `v${n}`)
    for (const video of videos) await stage.owe({ video, client: 'acme', url: receiver.url })
    stage.sender.start()
    // Four that were sent and gave their slots on, and four that keep theirs.
    await receiver.received(8)
    await passUntil(() => tries >= 40)
    expect(receiver.requests).toHaveLength(8)
    down = 'no'
    await passUntil(async () => (await deliveries(videos)).every(({ status }) => status === 'delivered'))
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(30)
    expect(new Set(ids).size).toBe(30)
  })

  test('after a refusal is as little made again before its time', async () => {
    receiver.script(answer(500))
    down = 'before'
    await stage.owe({ video: 'v', client: 'acme', url: receiver.url })
    stage.sender.start()
    await receiver.received(1)
    await passUntil(() => tries >= 8)
    expect(receiver.requests).toHaveLength(1)
    down = 'no'
    await passUntil(async () => (await deliveries(['v'])).every(({ status }) => status === 'delivered'))
    expect(receiver.requests).toHaveLength(2)
    expect(await deliveries(['v'])).toMatchObject([{ attempts: 2 }])
  })
})
