import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import type { FakeClock } from '../../fakes/clock.ts'
import { must } from '../../fakes/must.ts'
import { seededRandom } from '../../fakes/random.ts'
import { ACCOUNT, draft, HOUR, MINUTE, T0, WIRE } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { expectOpened, LEASE_MS, numbered, openWaiting, ROOMY, saving } from './helpers.ts'

const slotted = (slots: number | null) => ({ slots, leaseMs: LEASE_MS })
const EVERY = slotted(null)
const LATER = T0 + 24 * HOUR
const RUNNING = { phase: 'accepted', lease: null } as const
const OVER = { phase: 'ended', status: 'completed', endedAtMs: T0, dueAtMs: null, lease: null } as const

const normal = (n: number, client = 'a') => ({ id: numbered(n), client })
const low = (n: number, client = 'a', lowUntilMs = LATER) => ({ id: numbered(n), client, lowUntilMs })
/** It counts as normal already, as far as its age goes. */
const old = (n: number, client = 'a') => low(n, client, T0)

const wait = async (store: Store, ...videos: Partial<VideoRecord>[]): Promise<void> => {
  for (const video of videos) await openWaiting(store, video)
}
const next = async (store: Store, slots: number | null = null): Promise<string | null> =>
  (await store.admit(ACCOUNT, slotted(slots)))?.video.id ?? null
const nextOf = async (store: Store, count: number, slots: number | null = null): Promise<(string | null)[]> => {
  const ids: (string | null)[] = []
  for (let n = 0; n < count; n += 1) ids.push(await next(store, slots))
  return ids
}
const end = (store: Store, n: number) => store.change(numbered(n), saving(OVER))
const opensAtOnce = async (store: Store, given: Partial<VideoRecord>, slots: number): Promise<boolean> =>
  expectOpened(await store.open(draft(given), null, ROOMY, slotted(slots))).lease !== null

interface Waiting {
  id: string
  client: string
  /** How many low jobs of its client delayed it. */
  delays: number
}

/** Random clients on one account with few slots: what comes, what ends, and who goes, in the store's own order. */
const simulate = async (stores: readonly Store[], clock: FakeClock, seed: number) => {
  const random = seededRandom(seed)
  const any = <T>(items: readonly T[]): T => must(items[Math.floor(random() * items.length)])
  const slots = 1 + Math.floor(random() * 4)
  const clients = ['a', 'b', 'c'].slice(0, 1 + Math.floor(random() * 3))
  const waiting: Waiting[] = []
  const running: VideoRecord[] = []
  const seen = { risen: 0, delayed: 0, worst: 0, mostLow: 0, sent: 0 }
  const isLow = ({ lowUntilMs }: VideoRecord): boolean => lowUntilMs !== null

  const began = (video: VideoRecord): void => {
    const at = waiting.findIndex(({ id }) => id === video.id)
    if (at >= 0) waiting.splice(at, 1)
    const behind = waiting.filter(({ client }) => isLow(video) && client === video.client)
    for (const one of behind) one.delays += 1
    if (behind.length > 0) seen.risen += 1
    seen.worst = Math.max(seen.worst, ...behind.map(({ delays }) => delays))
    seen.sent += 1
    running.push(video)
    if (behind.length === 0) seen.mostLow = Math.max(seen.mostLow, running.filter(isLow).length)
  }
  const goOn = async (): Promise<void> => {
    for (;;) {
      const admitted = await any(stores).admit(ACCOUNT, slotted(slots))
      if (!admitted) return
      await any(stores).change(admitted.video.id, saving({ ...RUNNING, wire: WIRE }))
      began(admitted.video)
    }
  }
  const come = async (n: number): Promise<void> => {
    const client = any(clients)
    const lowUntilMs = random() < 0.5 ? clock.now() + Math.floor(random() * HOUR) : null
    const isBehindLow = running.some((one) => isLow(one) && one.client === client)
    const opened = await any(stores).open(draft({ id: numbered(n), client, lowUntilMs }), null, ROOMY, slotted(slots))
    const { video, lease } = expectOpened(opened)
    if (lease) return began(video)
    if (lowUntilMs === null) waiting.push({ id: video.id, client, delays: isBehindLow ? 1 : 0 })
    if (isBehindLow && lowUntilMs === null) seen.delayed += 1
  }
  const finish = async (): Promise<void> => {
    const video = any(running)
    running.splice(running.indexOf(video), 1)
    await any(stores).change(video.id, saving({ ...OVER, endedAtMs: clock.now() }))
  }

  const total = 60
  for (let n = 0; n < total;) {
    await clock.advance(Math.floor(random() * 10 * MINUTE))
    if (running.length > 0 && random() < 0.45) await finish()
    else await come((n += 1))
    await goOn()
  }
  for (let steps = 0; seen.sent < total && steps < total; steps += 1) {
    await clock.advance(HOUR)
    await finish()
    await goOn()
  }
  return { ...seen, slots, total, left: await must(stores[0]).room('a') }
}

export const priorityContract = (current: Current): void => {
  describe('priority', () => {
    test('the queue says whether a normal one waits, for its time or a slot, but not for its audio', async () => {
      const { store, clock } = current()
      const waits = async () => (await store.queue(ACCOUNT)).normalWaits
      await wait(store, low(1), old(2, 'b'), { ...normal(3), dueAtMs: null, transfer: { step: 'possible', tries: 0 } })
      expect(await waits()).toBe(false)
      await wait(store, { ...normal(4, 'b'), dueAtMs: clock.now() + MINUTE })
      expect(await waits()).toBe(true)
    })
    test('a low video goes when no normal one of its client could go', async () => {
      const { store, clock } = current()
      await wait(store, low(1), low(2), normal(3), { ...normal(4), dueAtMs: clock.now() + MINUTE }, normal(5))
      expect(await nextOf(store, 5)).toEqual([numbered(3), numbered(5), numbered(1), numbered(2), null])
    })

    test('other clients take their turns as before, whatever their videos are', async () => {
      const { store } = current()
      await wait(store, low(1), normal(2, 'b'), normal(3, 'b'), low(4, 'c'), normal(5))
      expect(await nextOf(store, 5)).toEqual([5, 2, 4, 1, 3].map(numbered))
    })

    test.each([
      [null, 4],
      [1, 1],
      [2, 1],
      [4, 3],
    ])('of %s slots low videos of all clients take %i', async (slots, most) => {
      const { store } = current()
      await wait(store, low(1), low(2, 'b'), low(3), low(4, 'b'))
      expect(await store.nextWaiting(ACCOUNT, slots)).toMatchObject({ id: numbered(1) })
      expect((await nextOf(store, 4, slots)).filter((id) => id !== null)).toHaveLength(most)
      if (most < (slots ?? 0)) {
        expect(await store.nextWaiting(ACCOUNT, slots)).toBeNull()
        await wait(store, normal(9))
        expect(await next(store, slots)).toBe(numbered(9))
      }
    })

    test('a slot that a low video leaves is the next one’s', async () => {
      const { store } = current()
      await wait(store, low(1), low(2))
      expect(await nextOf(store, 2, 2)).toEqual([numbered(1), null])
      await end(store, 1)
      expect(await next(store, 2)).toBe(numbered(2))
    })

    test('the oldest that has waited for long counts as normal, and then the normal ones that waited for it go', async () => {
      const { store } = current()
      await wait(store, old(1), old(2), old(3), normal(4), normal(5))
      const order: (string | null)[] = []
      for (let n = 6; n < 14; n += 1) {
        order.push(await next(store, 1))
        await store.change(must(order.at(-1)), saving({ ...RUNNING, wire: WIRE }))
        await wait(store, normal(n))
        await store.change(must(order.at(-1)), saving(OVER))
      }
      expect(order).toEqual([1, 4, 5, 6, 2, 7, 8, 9].map(numbered))
    })

    test('one at a time: no second counts as normal while a low one of the client has a slot', async () => {
      const { store } = current()
      await wait(store, old(1), old(2), normal(3), normal(4))
      expect(await nextOf(store, 4)).toEqual([1, 3, 4, 2].map(numbered))
    })

    test('behind a normal one that is older, and whatever the slots of low ones', async () => {
      const { store } = current()
      await wait(store, normal(1), old(2), low(3, 'b'), low(4, 'b'), normal(5))
      expect(await nextOf(store, 4, 2)).toEqual([numbered(1), numbered(3), null, null])
      await end(store, 1)
      expect(await next(store, 2)).toBe(numbered(2))
    })

    test('it counts as normal from its time on, and not before', async () => {
      const { store, clock } = current()
      await wait(store, low(1, 'a', clock.now() + HOUR), normal(2), normal(3))
      await clock.advance(HOUR - 1)
      expect(await next(store)).toBe(numbered(2))
      await clock.advance(1)
      expect(await next(store)).toBe(numbered(1))
    })

    test('what was taken and never sent delays nobody, so it is first again', async () => {
      const { store } = current()
      await wait(store, old(1), normal(2))
      expect(await next(store)).toBe(numbered(1))
      await store.change(numbered(1), saving({ phase: 'waiting', lease: null, dueAtMs: 0 }))
      expect(await nextOf(store, 2)).toEqual([1, 2].map(numbered))
    })

    test('a normal video is sent at once though low ones wait for their slots; a low one is not', async () => {
      const { store } = current()
      expect(await opensAtOnce(store, low(1), 3)).toBe(true)
      expect(await opensAtOnce(store, low(2, 'b'), 3)).toBe(true)
      expect(await opensAtOnce(store, low(3), 3)).toBe(false)
      expect(await opensAtOnce(store, normal(4, 'b'), 3)).toBe(true)
    })

    test('also before low ones of its own client, and not before those of another, or that count as normal', async () => {
      const { store } = current()
      await wait(store, low(1))
      expect(await opensAtOnce(store, normal(2, 'b'), 9)).toBe(false)
      expect(await nextOf(store, 2)).toEqual([1, 2].map(numbered))
      await wait(store, low(3))
      expect(await opensAtOnce(store, normal(4), 9)).toBe(true)
      await end(store, 1)
      await wait(store, old(0))
      expect(await opensAtOnce(store, normal(5), 9)).toBe(false)
    })

    test('low videos leave a tenth of the queue to normal ones', async () => {
      const { store } = current()
      const limits = { ...ROOMY, client: 10 }
      const open = async (given: Partial<VideoRecord>) => (await store.open(draft(given), null, limits, null)).kind
      for (let n = 1; n <= 9; n += 1) expect(await open(low(n))).toBe('opened')
      expect(await open(low(10))).toBe('full')
      expect(await open(normal(10))).toBe('opened')
      expect(await open(normal(11))).toBe('full')
      expect((await store.open(draft(low(11, 'b')), null, { ...ROOMY, queue: 11 }, null)).kind).toBe('full')
      expect((await store.open(draft(low(12, 'b')), null, { ...ROOMY, client: 1 }, null)).kind).toBe('opened')
    })

    test('the position tells that order', async () => {
      const { store } = current()
      await wait(store, old(1), normal(2))
      await next(store)
      await store.change(numbered(1), saving({ ...RUNNING, wire: WIRE }))
      await wait(store, old(3), normal(4), low(5, 'b'), normal(6, 'b'), old(7, 'b'), normal(8, 'b'), normal(9), old(10))
      await end(store, 1)
      await wait(store, normal(11), normal(12, 'c'), low(13, 'c'))
      const all = Array.from({ length: 12 }, (_, n) => numbered(n + 2))
      const places = await store.positions(all.toReversed())
      expect(await store.positions([numbered(3)])).toEqual(new Map([[numbered(3), places.get(numbered(3))]]))
      const order: string[] = []
      for (let one = await store.admit(ACCOUNT, EVERY); one; one = await store.admit(ACCOUNT, EVERY))
        order.push(one.video.id)
      expect(order.toSorted()).toEqual(all)
      expect(order.map((id) => places.get(id))).toEqual(order.map((_, n) => n + 1))
      const own = (ids: readonly number[]) => order.filter((id) => ids.map(numbered).includes(id))
      expect(own([2, 3, 4, 9, 10, 11])).toEqual([2, 4, 9, 3, 11, 10].map(numbered))
      expect(own([5, 6, 7, 8])).toEqual([6, 7, 8, 5].map(numbered))
    })

    test('low jobs delay a normal video of their client by one at most, and all are sent in the end', async () => {
      const { clock, store, second } = current()
      const seen = await simulate([store, await second()], clock, 11)
      expect(seen).toMatchObject({ sent: seen.total, left: { queue: 0 } })
      expect(seen.worst).toBeLessThanOrEqual(1)
    })

    test.each([2, 3, 4, 5, 6, 7])('the same with other clients, slots and times (%i)', async (seed) => {
      const { clock, store } = current()
      const seen = await simulate([store], clock, seed)
      expect(seen).toMatchObject({ sent: seen.total, left: { queue: 0 } })
      expect(seen.worst).toBeLessThanOrEqual(1)
      expect(seen.mostLow).toBeGreaterThan(0)
    })
  })
}
