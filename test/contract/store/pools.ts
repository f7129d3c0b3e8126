import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import type { AccountId } from '../../../src/core/vocabulary.ts'
import { ACCOUNT, accountId, draft, HOUR, MINUTE, rate, T0, WIRE } from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'
import { expectOpened, LEASE_MS, numbered, openWaiting, ROOMY, saving } from './helpers.ts'

const POOL = 'main'
const B = accountId('b')
const CALM = { pollsDue: 0, createsWaiting: 0 }
const slots = (count: number | null) => ({ slots: count, leaseMs: LEASE_MS })

const waiting = (store: Store, n: number, given: Partial<VideoRecord> = {}) =>
  openWaiting(store, { id: numbered(n), pool: POOL, ...given })

const movedTo = (video: VideoRecord, account: AccountId): VideoRecord => ({ ...video, account, backend: account })

/** What the account takes over next, as the engine does it; null: nothing. */
const taken = async (store: Store, account: AccountId = B, count: number | null = null) => {
  const next = await store.nextInPool(POOL, account, null)
  if (next?.account === account) return store.admit(account, slots(count))
  return next && store.takeFromPool(next.account, movedTo(next, account), slots(count))
}

/** All that the account sends, in its order. */
const orderOf = async (store: Store, account: AccountId = B): Promise<string[]> => {
  const order: string[] = []
  for (let one = await taken(store, account); one; one = await taken(store, account)) order.push(one.video.id)
  return order
}

export const poolContract = (current: Current): void => {
  describe('takeFromPool', () => {
    test('takes what waits at another member to dispatching: its queue, turns, slots and counts go with it', async () => {
      const { store, clock } = current()
      await waiting(store, 1)
      await waiting(store, 2)
      const { video, lease, ticket } = must(await taken(store))
      expect(video).toMatchObject({
        id: numbered(1),
        account: B,
        backend: B,
        phase: 'dispatching',
        version: 2,
        wire: null,
      })
      expect([lease.untilMs, ticket, video.told]).toEqual([clock.now() + LEASE_MS, null, true])
      expect(await store.video(numbered(1))).toEqual(video)
      expect(await store.queue(ACCOUNT)).toMatchObject({ waiting: 1, held: 0 })
      expect(await store.queue(B)).toMatchObject({ waiting: 0, held: 1 })
      expect(await store.room('acme')).toEqual({ queue: 1, client: 1 })
      expect((await store.running(B)).map(({ id }) => id)).toEqual([numbered(1)])
      expect(await store.backendsOf(ACCOUNT)).toEqual(['main'])
      expect((await store.timeline(numbered(1))).map(({ type, detail }) => [type, detail])).toEqual([
        ['moved', `from main to ${B}`],
      ])
      const all = { month: '2026-11', client: null, backends: null, after: null, limit: 9 }
      expect((await store.usage(all)).map(({ backend, videos }) => [backend, videos.queued])).toEqual([
        [B, 1],
        ['main', 1],
      ])
      // It is its new account's now: put back and canceled there, nothing of it is left at the old one.
      await store.change(numbered(1), saving({ phase: 'waiting', lease: null, wire: null, dueAtMs: T0 }))
      expect(await store.queue(B)).toMatchObject({ waiting: 1, held: 0 })
      await store.change(numbered(1), saving({ phase: 'ended', status: 'canceled', endedAtMs: T0, dueAtMs: null }))
      expect([await store.queue(ACCOUNT), await store.queue(B)]).toMatchObject([
        { waiting: 1 },
        { waiting: 0, held: 0 },
      ])
    })

    test('takes its request in the same write, and stores the bytes with it', async () => {
      const { store, clock } = current()
      await waiting(store, 1)
      const next = must(await store.nextInPool(POOL, B, null))
      const first = { demand: CALM, fallbackLimit: 10, outgoing: { wire: WIRE, offsetMs: 7 } }
      const { video, ticket } = must(await store.takeFromPool(ACCOUNT, movedTo(next, B), slots(1), first))
      expect(video).toMatchObject({ attempt: 1, wire: WIRE, dispatchedAtMs: clock.now(), sentOffsetMs: 7 })
      const told = rate({ limit: 10, remaining: 9, dateMs: clock.now(), resetAtMs: clock.now() + MINUTE })
      await store.learn(must(ticket), told)
      expect((await store.budget(B, CALM, 10)).remaining).toBe(9)
      expect((await store.budget(ACCOUNT, CALM, 10)).remaining).toBe(10)
    })

    test('a doubt never moves, nor does what was ever sent, is pinned, waits for its audio or is of another pool', async () => {
      const { store } = current()
      await waiting(store, 1, { attempt: 1, dispatchedAtMs: T0 })
      await waiting(store, 2, { phase: 'doubtful', attempt: 1, dispatchedAtMs: T0 })
      await waiting(store, 3, { pool: null })
      await waiting(store, 4, { pool: 'other' })
      await waiting(store, 5, { secondJobAtMs: T0 })
      expect(await store.nextInPool(POOL, B, null)).toBeNull()
      await waiting(store, 7)
      const next = must(await store.nextInPool(POOL, B, null))
      // It went out meanwhile, and came back.
      await store.change(next.id, saving({ phase: 'dispatching', attempt: 1, dispatchedAtMs: T0 }))
      expect(await store.takeFromPool(ACCOUNT, movedTo(next, B), slots(9))).toBeNull()
      await store.change(next.id, saving({ phase: 'waiting' }))
      const after = must(await store.video(next.id))
      expect(await store.takeFromPool(ACCOUNT, movedTo(after, B), slots(9))).toBeNull()
    })

    test('what waits at its account for a while may go elsewhere at once', async () => {
      const { store, clock } = current()
      await waiting(store, 1, { dueAtMs: clock.now() + HOUR })
      expect(must(await taken(store)).video.id).toBe(numbered(1))
    })

    test('clients are served in turn, each one’s videos in their order, wherever they wait', async () => {
      const { store } = current()
      for (const n of [3, 1, 5]) await waiting(store, n)
      for (const n of [2, 4]) await waiting(store, n, { account: accountId('c'), backend: 'c' })
      for (const n of [8, 9]) await waiting(store, n, { client: 'late' })
      expect(await orderOf(store)).toEqual([1, 8, 2, 9, 3, 4, 5].map(numbered))
    })

    test('what waits elsewhere and the account’s own queue are one queue: neither waits for the other to end', async () => {
      const { store } = current()
      const own = { account: B, backend: B }
      for (const n of [3, 6]) await waiting(store, n, own)
      for (const n of [1, 5]) await waiting(store, n)
      await waiting(store, 2, { ...own, client: 'busy', pool: null })
      await waiting(store, 4, { ...own, client: 'busy', pool: null })
      for (const n of [7, 8]) await waiting(store, n, { client: 'late' })
      expect(await orderOf(store)).toEqual([1, 2, 7, 3, 4, 8, 5, 6].map(numbered))
    })

    test('its own queue waits for its time and its lanes as without a pool', async () => {
      const { store, clock } = current()
      await waiting(store, 1, { account: B, backend: B, dueAtMs: clock.now() + MINUTE })
      await waiting(store, 2, { account: B, backend: B, lane: 'one' })
      await waiting(store, 3, { account: B, backend: B, lane: 'one' })
      await waiting(store, 4)
      expect(await orderOf(store)).toEqual([2, 4].map(numbered))
      expect(await store.nextInPool(POOL, B, null)).toBeNull()
      await clock.advance(MINUTE)
      expect((await store.nextInPool(POOL, B, null))?.id).toBe(numbered(1))
    })

    test('passes over clients and videos that are not for the account, and over nothing of its own', async () => {
      const { store } = current()
      for (const n of [1, 2]) await waiting(store, n)
      await waiting(store, 3, { client: 'other' })
      await waiting(store, 4, { client: 'own', account: B, backend: B })
      const next = async (...passed: string[]) => (await store.nextInPool(POOL, B, null, passed))?.id
      expect(await next()).toBe(numbered(1))
      expect(await next(numbered(1))).toBe(numbered(2))
      expect(await next(numbered(1), numbered(2))).toBe(numbered(3))
      expect(await next('acme')).toBe(numbered(3))
      expect(await next('acme', numbered(3))).toBe(numbered(4))
      expect(await next('acme', 'other', 'own', numbered(4))).toBe(numbered(4))
    })

    test('a low one that has waited for long goes before later normal ones, also of the account’s own queue', async () => {
      const { store, clock } = current()
      for (const n of [1, 2]) await waiting(store, n, { lowUntilMs: clock.now() + HOUR })
      for (const n of [3, 4]) await waiting(store, n, { account: B, backend: B })
      await clock.advance(HOUR)
      // One at a time: while it has a slot, the next one is low.
      expect(await orderOf(store)).toEqual([1, 3, 4, 2].map(numbered))
    })

    test('one that counts as normal needs no slot of those that low ones may have', async () => {
      const { store, clock } = current()
      await waiting(store, 1, { client: 'other', account: B, backend: B, lowUntilMs: clock.now() + HOUR })
      must(await taken(store))
      await waiting(store, 2, { lowUntilMs: clock.now() + HOUR })
      const next = await store.nextInPool(POOL, B, null)
      expect(await store.nextInPool(POOL, B, 2)).toBeNull()
      expect(next && (await store.takeFromPool(ACCOUNT, movedTo(next, B), slots(2)))).toBeNull()
      await clock.advance(HOUR)
      const late = must(await store.nextInPool(POOL, B, 2))
      expect((await store.takeFromPool(ACCOUNT, movedTo(late, B), slots(2)))?.video.id).toBe(numbered(2))
    })

    test('a client’s normal ones before its low ones, and of these no more than leave a slot', async () => {
      const { store } = current()
      for (const n of [1, 2, 3]) await waiting(store, n, { lowUntilMs: T0 + HOUR })
      await waiting(store, 4)
      const order: (string | undefined)[] = []
      for (let n = 0; n < 3; n += 1) {
        const next = await store.nextInPool(POOL, B, 3)
        order.push((next && (await store.takeFromPool(ACCOUNT, movedTo(next, B), slots(3))))?.video.id)
      }
      expect(order).toEqual([numbered(4), numbered(1), numbered(2)])
      const low = must(await store.nextInPool(POOL, B, null))
      await store.change(numbered(4), saving({ phase: 'ended', status: 'canceled', endedAtMs: T0, dueAtMs: null }))
      expect(await store.nextInPool(POOL, B, 3)).toBeNull()
      expect(await store.takeFromPool(ACCOUNT, movedTo(low, B), slots(3))).toBeNull()
    })

    test('nothing new goes before what waits at another member, but a normal one before its client’s low ones', async () => {
      const { store } = current()
      const isSent = async (n: number, given: Partial<VideoRecord> = {}): Promise<boolean> => {
        const video = draft({ id: numbered(n), pool: POOL, account: B, backend: B, ...given })
        return expectOpened(await store.open(video, null, ROOMY, slots(9))).lease !== null
      }
      const low = { lowUntilMs: T0 + HOUR }
      expect(await isSent(1)).toBe(true)
      await waiting(store, 2, low)
      expect([await isSent(3, low), await isSent(4)]).toEqual([false, true])
      await waiting(store, 5)
      expect([await isSent(6), await isSent(7, { client: 'b' })]).toEqual([false, false])
      // What is of no pool looks at its own account.
      expect(await isSent(8, { account: accountId('c'), pool: null })).toBe(true)
    })

    test('not without a free slot or lane, nor to an account that is closed', async () => {
      const { store } = current()
      await waiting(store, 1)
      await waiting(store, 2)
      await waiting(store, 3, { client: 'b', lane: 'one' })
      must(await taken(store, B, 1))
      expect(await taken(store, B, 1)).toBeNull()
      must(await taken(store, B, 9))
      must(await taken(store, B, 9))
      await waiting(store, 4, { client: 'b', lane: 'one' })
      expect(await store.nextInPool(POOL, B, null)).toBeNull()
      // At another account it may have needed no lane.
      await waiting(store, 5)
      const next = must(await store.nextInPool(POOL, B, null))
      expect(await store.takeFromPool(ACCOUNT, { ...movedTo(next, B), lane: 'one' }, slots(9))).toBeNull()
      await store.serve({ accounts: [ACCOUNT, B], mark: 'one', why: 'start' })
      await store.serve({ accounts: [ACCOUNT, B, accountId('c')], mark: 'two', why: 'start' })
      const c = movedTo(next, accountId('c'))
      await store.serve({ accounts: [ACCOUNT, B], mark: 'three', why: 'start' })
      expect(await store.takeFromPool(ACCOUNT, c, slots(9))).toBeNull()
    })
  })
}
