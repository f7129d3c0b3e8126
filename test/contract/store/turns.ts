import { describe, expect, test } from 'vitest'
import { must } from '../../fakes/must.ts'
import { ACCOUNT, accountId, draft, WIRE } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { LEASE_MS, numbered, openWaiting, ROOMY, saving } from './helpers.ts'

const EVERY = { slots: null, leaseMs: LEASE_MS }

export const turnsContract = (current: Current): void => {
  describe('turns', () => {
    /** Opens waiting videos 1, 2, … of the clients, in that order. */
    const queue = async (...clients: string[]): Promise<void> => {
      for (const [index, client] of clients.entries()) {
        await openWaiting(current().store, { id: numbered(index + 1), client })
      }
    }
    const served = async (): Promise<string[]> => {
      const ids: string[] = []
      for (
        let next = await current().store.admit(ACCOUNT, EVERY);
        next;
        next = await current().store.admit(ACCOUNT, EVERY)
      ) {
        ids.push(next.video.id)
      }
      return ids
    }

    test('clients take turns, each in its own order', async () => {
      await queue('a', 'a', 'a', 'b', 'b', 'c')
      expect(await served()).toEqual([1, 4, 6, 2, 5, 3].map(numbered))
    })

    test('who was served longest ago goes first, whoever asked first', async () => {
      await queue('a', 'b')
      await current().store.admit(ACCOUNT, EVERY)
      await openWaiting(current().store, { id: numbered(3), client: 'a' })
      expect(await served()).toEqual([2, 3].map(numbered))
    })

    test('who was taken and not sent keeps the turn, and it is given up once bytes went out', async () => {
      const { store } = current()
      for (const [n, client] of ['a', 'a', 'b', 'b'].entries()) await openWaiting(store, { id: numbered(n), client })
      const admitted = async () => must(await store.admit(ACCOUNT, { slots: null, leaseMs: LEASE_MS })).video.id
      expect([await admitted(), await admitted()]).toEqual([numbered(0), numbered(2)])
      await store.change(numbered(0), saving({ phase: 'waiting', lease: null, dueAtMs: 0 }))
      expect(await admitted()).toBe(numbered(0))
      await store.change(numbered(0), saving({ wire: WIRE }))
      await store.change(numbered(0), saving({ phase: 'waiting', lease: null, wire: null, dueAtMs: 0 }))
      expect([await admitted(), await admitted()]).toEqual([numbered(3), numbered(0)])
    })

    test('also one that was served last: its next try comes before those who wait', async () => {
      const { store } = current()
      await queue('a', 'a', 'b', 'b')
      const admitted = async () => must(await store.admit(ACCOUNT, EVERY)).video.id
      expect([await admitted(), await admitted()]).toEqual([1, 3].map(numbered))
      await store.change(numbered(3), saving({ phase: 'waiting', lease: null, dueAtMs: 0 }))
      expect(await served()).toEqual([3, 2, 4].map(numbered))
    })

    test('no other change of a video moves its client', async () => {
      const { store } = current()
      await queue('a', 'a', 'b', 'b')
      await store.admit(ACCOUNT, EVERY)
      await store.admit(ACCOUNT, EVERY)
      await store.change(numbered(3), saving({ phase: 'accepted', lease: null }))
      await store.change(numbered(4), saving({ dueAtMs: 0 }))
      expect(await served()).toEqual([2, 4].map(numbered))
    })

    test('a video that is sent at once takes its client’s turn, and one that waits does not', async () => {
      const { store } = current()
      await store.open(draft({ id: numbered(9), client: 'a' }), null, ROOMY, EVERY)
      await queue('a', 'b', 'a')
      expect(await served()).toEqual([2, 1, 3].map(numbered))
    })

    test('who waits with several goes first by the first of them', async () => {
      await queue('a', 'b', 'a')
      expect(await served()).toEqual([1, 2, 3].map(numbered))
    })

    test('turns of one account say nothing of another', async () => {
      await openWaiting(current().store, { id: numbered(9), client: 'a', account: accountId('other') })
      await current().store.admit(accountId('other'), EVERY)
      await queue('a', 'b')
      expect(await served()).toEqual([1, 2].map(numbered))
    })

    test('the position is the place in exactly that order', async () => {
      await queue('a', 'a', 'b', 'a', 'c', 'b', 'c', 'c')
      await current().store.admit(ACCOUNT, EVERY)
      const { store } = current()
      const places = await store.positions([8, 2, 5, 4, 3, 6, 7].map(numbered))
      const order = await served()
      expect(order.map((id) => places.get(id))).toEqual([1, 2, 3, 4, 5, 6, 7])
    })
  })
}
