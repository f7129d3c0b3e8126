import { describe, expect, test } from 'vitest'
import type { Spent, Ticket } from '../../../src/core/store/budget.ts'
import { ACCOUNT, accountId, MINUTE, rate, SECOND } from '../../fakes/records.ts'
import type { Current } from '../store.ts'

const CALM = { pollsDue: 0, createsWaiting: 0 }

const ticketOf = (spent: Spent): Ticket => {
  if (!spent.ok) throw new Error('no ticket')
  return spent.ticket
}

export const budgetContract = (current: Current): void => {
  describe('budgets', () => {
    const spend = (limit = 10) => current().store.spend(ACCOUNT, 'create', CALM, limit)
    /** What the headers say of a window that ends in 30 s. */
    const headers = (limit: number, remaining: number) => {
      const dateMs = current().clock.now()
      return rate({ limit, remaining, dateMs, resetAtMs: dateMs + 30 * SECOND })
    }

    test('nothing spent: all of the fallback limit, and now', async () => {
      const { store } = current()
      expect(await store.budget(ACCOUNT, CALM, 7)).toEqual({
        limit: 7,
        remaining: 7,
        resetsAtMs: null,
        nextAtMs: null,
        nextCreateAtMs: null,
        lengthMs: 61_000,
      })
    })

    test('of 20 requests at once one goes first; the others hear when to ask again', async () => {
      const { store, clock } = current()
      const spent = await Promise.all(Array.from({ length: 20 }, () => spend()))
      expect(spent.filter(({ ok }) => ok)).toHaveLength(1)
      for (const one of spent) if (!one.ok) expect(one.retryAtMs).toBeGreaterThan(clock.now())
      expect((await store.budget(ACCOUNT, CALM, 10)).nextAtMs).toBeGreaterThan(clock.now())
    })

    test('its headers tell how many more may go, and until when', async () => {
      const { store, clock } = current()
      await store.learn(ticketOf(await spend()), headers(5, 4))
      const spent = await Promise.all(Array.from({ length: 20 }, () => spend()))
      expect(spent.filter(({ ok }) => ok)).toHaveLength(4)
      const view = await store.budget(ACCOUNT, CALM, 10)
      expect(view).toMatchObject({ limit: 5, remaining: 0 })
      const untilMs = clock.now() + 30 * SECOND
      expect(view.resetsAtMs).toBeGreaterThan(untilMs)
      expect(view.resetsAtMs).toBeLessThanOrEqual(untilMs + 2 * SECOND)
      expect(view.nextAtMs).toBe(view.resetsAtMs)
      expect(spent.find(({ ok }) => !ok)).toEqual({ ok: false, retryAtMs: view.resetsAtMs })
    })

    test('a new window begins with one request again', async () => {
      const { store, clock } = current()
      await store.learn(ticketOf(await spend()), headers(5, 0))
      expect((await spend()).ok).toBe(false)
      clock.jump(32 * SECOND)
      const spent = await Promise.all(Array.from({ length: 5 }, () => spend()))
      expect(spent.filter(({ ok }) => ok)).toHaveLength(1)
    })

    test('no answer frees the others, within the fallback limit', async () => {
      const { store } = current()
      await store.learn(ticketOf(await spend(3)), null)
      const spent = await Promise.all(Array.from({ length: 9 }, () => spend(3)))
      expect(spent.filter(({ ok }) => ok)).toHaveLength(2)
    })

    test('what an earlier window’s answer says is no news for this one', async () => {
      const { store, clock } = current()
      const early = ticketOf(await spend())
      clock.jump(2 * MINUTE)
      await store.learn(ticketOf(await spend()), headers(10, 9))
      await store.learn(early, headers(10, 0))
      expect((await spend()).ok).toBe(true)
    })

    test('exhausted: nothing before it says', async () => {
      const { store, clock } = current()
      await store.learn(ticketOf(await spend()), headers(10, 9))
      const untilMs = clock.now() + 20 * SECOND
      await store.exhausted(ACCOUNT, untilMs)
      expect(await spend()).toEqual({ ok: false, retryAtMs: untilMs })
      clock.jump(20 * SECOND)
      expect((await spend()).ok).toBe(true)
    })

    test('a limit that is configured lower holds at once, and where the headers say what they said', async () => {
      const { store, clock } = current()
      await store.learn(ticketOf(await spend(10)), headers(10, 9))
      const second = ticketOf(await spend(10))
      const spent = await Promise.all(Array.from({ length: 9 }, () => spend(4)))
      const third = spent.flatMap((one) => (one.ok ? [one.ticket] : []))
      expect(third).toHaveLength(2)
      expect(await store.budget(ACCOUNT, CALM, 4)).toMatchObject({ limit: 4, remaining: 0 })
      // What stays unanswered might still arrive in the next window, and would be kept back there.
      for (const ticket of [second, ...third]) await store.learn(ticket, null)
      clock.jump(2 * MINUTE)
      await store.learn(ticketOf(await spend(4)), headers(10, 9))
      const next = await Promise.all(Array.from({ length: 9 }, () => spend(4)))
      expect(next.filter(({ ok }) => ok)).toHaveLength(3)
    })

    test.each([
      ['as far as the headers go', 10, 3, 20, 8],
      ['without headers all of it', null, 3, 20, 18],
    ])('one that is configured higher holds at once, too: %s', async (_, limit, before, after, expected) => {
      const { store } = current()
      await store.learn(ticketOf(await spend(10)), limit === null ? null : headers(limit, 9))
      expect((await spend(before)).ok).toBe(true)
      const spent = await Promise.all(Array.from({ length: 30 }, () => spend(after)))
      expect(spent.filter(({ ok }) => ok)).toHaveLength(expected)
    })

    test('a limit that the headers tell anew takes the place of a configured one', async () => {
      const { store } = current()
      await store.learn(ticketOf(await spend(10)), headers(10, 9))
      await store.learn(ticketOf(await spend(4)), headers(6, 5))
      expect(await store.budget(ACCOUNT, CALM, 4)).toMatchObject({ limit: 6 })
    })

    test('exhausted: a higher limit frees nothing before it says', async () => {
      const { store, clock } = current()
      await store.learn(ticketOf(await spend(3)), null)
      await store.exhausted(ACCOUNT, clock.now() + 20 * SECOND)
      expect((await spend(100)).ok).toBe(false)
    })

    test('a read that found the window spent is kept a request of the next', async () => {
      const { store, clock } = current()
      await store.learn(ticketOf(await spend(3)), headers(3, 0))
      expect((await store.spend(ACCOUNT, 'read', CALM, 3)).ok).toBe(false)
      clock.jump(2 * MINUTE)
      await store.learn(ticketOf(await spend(3)), headers(3, 2))
      expect([(await spend(3)).ok, (await spend(3)).ok]).toEqual([true, false])
      expect((await store.spend(ACCOUNT, 'read', CALM, 3)).ok).toBe(true)
    })

    test('another account’s budget is another', async () => {
      const { store } = current()
      await store.learn(ticketOf(await spend()), headers(10, 0))
      expect((await spend()).ok).toBe(false)
      expect((await store.spend(accountId('other'), 'poll', CALM, 10)).ok).toBe(true)
    })
  })
}
