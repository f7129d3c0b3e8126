import { describe, expect, test } from 'vitest'
import { ACCOUNT, accountId, draft, ended, HOUR } from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { AccountId } from '../../../src/core/vocabulary.ts'
import type { Current } from '../store.ts'
import { importing, LEASE_MS, numbered, openOwing, openWaiting, owe, ROOMY, saving } from './helpers.ts'

const OTHER = accountId('other')

/** What processes that share a store tell each other by it. */
export const replicaContract = (current: Current): void => {
  describe('facts', () => {
    test('are read by every handle, for as long as they were put', async () => {
      const { store, second, clock } = current()
      const other = await second()
      const facts = [
        { key: 'a', value: '{"n":1}', atMs: 5 },
        { key: 'b', value: '2', atMs: 6 },
      ]
      await store.putFacts('account', facts, HOUR)
      expect(await other.facts('account')).toEqual(facts)
      expect(await other.facts('waits')).toEqual([])
      clock.jump(HOUR - 1)
      expect(await other.facts('account')).toEqual(facts)
      clock.jump(1)
      expect(await other.facts('account')).toEqual([])
    })

    test('the later knowledge counts, whoever writes last', async () => {
      const { store, second, clock } = current()
      const other = await second()
      const told = (value: string, atMs: number) => [{ key: 'a', value, atMs }]
      await store.putFacts('account', told('1', 10), HOUR)
      await other.putFacts('account', told('2', 9), HOUR)
      expect(await store.facts('account')).toEqual(told('1', 10))
      await other.putFacts('account', told('3', 10), HOUR)
      expect(await store.facts('account')).toEqual(told('3', 10))
      // What is over counts no more, however new it was.
      clock.jump(HOUR)
      await other.putFacts('account', told('4', 1), HOUR)
      expect(await store.facts('account')).toEqual(told('4', 1))
    })
  })

  describe('holders', () => {
    test('tell who has work that is leased, while it is', async () => {
      const { store, second, clock } = current()
      const lease = must(await store.claim('account', ACCOUNT, LEASE_MS, 'one'))
      const other = await second()
      expect(await other.claim('account', ACCOUNT, LEASE_MS, 'two')).toBeNull()
      expect(await other.holders('account')).toEqual([{ id: ACCOUNT, holder: 'one', isGone: false }])
      await store.extend('account', lease, 2 * LEASE_MS)
      clock.jump(LEASE_MS)
      expect(await other.holders('account')).toMatchObject([{ holder: 'one' }])
      clock.jump(LEASE_MS)
      expect(await other.holders('account')).toEqual([])
      const next = must(await other.claim('account', ACCOUNT, LEASE_MS, 'two'))
      expect(await store.holders('account')).toMatchObject([{ holder: 'two' }])
      await other.release('account', next)
      // Who does not say who it is holds it all the same.
      await store.claim('account', ACCOUNT, LEASE_MS)
      expect(await store.holders('account')).toEqual([])
    })
  })

  test('who is gone loses its lease to who says so, and no other does', async () => {
    const { store, second } = current()
    const other = await second()
    // Of other work than accounts: nobody shows that it lives.
    const lease = must(await store.claim('maintain', 'all', LEASE_MS, 'one'))
    expect(await other.claim('maintain', 'all', LEASE_MS, 'two', 'three')).toBeNull()
    const next = must(await other.claim('maintain', 'all', LEASE_MS, 'two', 'one'))
    expect(await store.extend('maintain', lease, LEASE_MS)).toBe(false)
    // What another process had thought of the one before is over.
    expect(await store.claim('maintain', 'all', LEASE_MS, 'three', 'one')).toBeNull()
    expect(await other.extend('maintain', next, LEASE_MS)).toBe(true)
  })

  describe('claimDeliveries', () => {
    test('leases all that may start, in one call', async () => {
      const { store, second, clock } = current()
      const first = await openOwing(store, { id: numbered(1) })
      const blocked = await owe(store, numbered(1))
      const other = await openOwing(store, { id: numbered(2) })
      const taken = await openOwing(store, { id: numbered(3) })
      await store.claim('deliver', taken, LEASE_MS)
      const asked = [first, blocked, other, taken, 'dlv_none', other]
      const leased = await (await second()).claimDeliveries(asked, LEASE_MS)
      expect([...leased.keys()].toSorted()).toEqual([first, other].toSorted())
      expect(leased.get(first)?.lease).toMatchObject({ id: first, untilMs: clock.now() + LEASE_MS })
      for (const id of [first, other]) expect(leased.get(id)?.delivery).toEqual(await store.delivery(id))
      const attempt = { atMs: clock.now(), durationMs: 1, status: 200, error: null, responseBody: null }
      for (const id of [first, other])
        expect((await store.attempted(must(leased.get(id)).lease, attempt, { status: 'delivered' })).status).toBe(
          'delivered',
        )
      expect(await store.claimDeliveries([], LEASE_MS)).toEqual(new Map())
    })
  })

  describe('nextDueDelivery', () => {
    test('is never later than something is due', async () => {
      const { store, clock } = current()
      expect(await store.nextDueDelivery()).toBeNull()
      const id = await openOwing(store)
      expect(must(await store.nextDueDelivery())).toBeLessThanOrEqual(clock.now())
      const lease = must(await store.claim('deliver', id, LEASE_MS))
      // Its process may die.
      expect(await store.nextDueDelivery()).toBe(lease.untilMs)
      const atMs = clock.now() + HOUR
      const attempt = { atMs: clock.now(), durationMs: 1, status: 500, error: null, responseBody: null }
      await store.attempted(lease, attempt, { status: 'pending', nextAttemptAtMs: atMs })
      expect(await store.nextDueDelivery()).toBe(atMs)
      await openOwing(store, { id: numbered(2) })
      expect(must(await store.nextDueDelivery())).toBeLessThanOrEqual(clock.now())
    })

    test('of more than are looked at, it is not later either', async () => {
      const { store, clock } = current()
      const ids: string[] = []
      for (let n = 0; n < 130; n += 1) ids.push(await openOwing(store, { id: numbered(n) }))
      await store.claimDeliveries(ids.slice(0, 129), LEASE_MS)
      expect(must(await store.nextDueDelivery())).toBeLessThanOrEqual(clock.now())
    })
  })

  describe('addDurations', () => {
    test('adds to what is kept, and keeps the latest', async () => {
      const { store } = current()
      await store.addDurations('main/text', [1.4, 2], 3)
      expect(await store.durations('main/text')).toEqual([1, 2])
      await store.addDurations('main/text', [3, 4], 3)
      expect(await store.durations('main/text')).toEqual([2, 3, 4])
      await store.keepDurations('main/text', [9])
      await store.addDurations('main/text', [10], 3)
      expect(await store.durations('main/text')).toEqual([9, 10])
      expect(await store.durations('main/audio')).toEqual([])
    })
  })

  describe('serve', () => {
    const serve = async (store: Store, accounts: AccountId[], why: 'start' | 'reload', mark = accounts.join()) =>
      (await store.serve({ accounts, mark, why })).orphaned
    const opening = (id: string, account = ACCOUNT) => current().store.open(draft({ id, account }), null, ROOMY, null)

    test('an account that a newer configuration lacks takes no video, at no process', async () => {
      const { store, second } = current()
      expect(await serve(store, [ACCOUNT, OTHER], 'start')).toEqual([])
      expect((await opening(numbered(1), OTHER)).kind).toBe('opened')
      expect(await serve(await second(), [OTHER], 'reload')).toEqual([])
      expect(await opening(numbered(2))).toEqual({ kind: 'closed' })
      expect(await store.adopt(importing('job_1', { id: numbered(3) }))).toEqual({ kind: 'closed' })
      expect((await opening(numbered(4), OTHER)).kind).toBe('opened')
      expect(await serve(store, [ACCOUNT, OTHER], 'reload')).toEqual([])
      expect((await opening(numbered(2))).kind).toBe('opened')
    })

    test('an account with open videos is not left: nothing changes', async () => {
      const { store, clock } = current()
      await serve(store, [ACCOUNT, OTHER], 'start')
      const { id } = await openWaiting(store)
      for (const why of ['start', 'reload'] as const) expect(await serve(store, [OTHER], why)).toEqual([ACCOUNT])
      expect((await opening(numbered(2))).kind).toBe('opened')
      for (const one of [id, numbered(2)]) await store.change(one, saving(ended({ id: one, endedAtMs: clock.now() })))
      expect(await serve(store, [OTHER], 'start')).toEqual([])
      expect(await opening(numbered(3))).toEqual({ kind: 'closed' })
    })

    test('a process that starts with a set of before closes nothing, and opens its own', async () => {
      const { store } = current()
      await serve(store, [ACCOUNT], 'start')
      await serve(store, [ACCOUNT, OTHER], 'reload')
      // It died, and was not told yet of the backend that is new.
      await serve(store, [ACCOUNT], 'start')
      expect((await opening(numbered(1), OTHER)).kind).toBe('opened')
      const { store: again } = current()
      await again.change(numbered(1), saving(ended({ id: numbered(1) })))
      // By word of an operator it is in force.
      await serve(store, [ACCOUNT], 'reload')
      expect(await opening(numbered(2), OTHER)).toEqual({ kind: 'closed' })
      await serve(store, [ACCOUNT, OTHER], 'start')
      expect((await opening(numbered(2), OTHER)).kind).toBe('opened')
    })

    test('tells whether a newer one is in force', async () => {
      const { store } = current()
      const told = async (mark: string, why: 'start' | 'reload') =>
        (await store.serve({ accounts: [ACCOUNT], mark, why })).isOfBefore
      expect([await told('a', 'start'), await told('a', 'start')]).toEqual([false, false])
      expect([await told('b', 'start'), await told('a', 'start')]).toEqual([false, true])
      expect([await told('a', 'reload'), await told('a', 'start'), await told('b', 'start')]).toEqual([
        false,
        false,
        true,
      ])
    })

    test('where nothing was ever put in force, every account takes videos', async () => {
      expect((await opening(numbered(1))).kind).toBe('opened')
    })
  })
}
