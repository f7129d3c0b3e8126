import { describe, expect, test } from 'vitest'
import type { Spent, Ticket } from '../../../src/core/store/accounts.ts'
import type { Change } from '../../../src/core/store/videos.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { ACCOUNT, accountId, MINUTE, rate, SECOND } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { openWaiting, saving } from './helpers.ts'

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

    test('answers that come with the next request are learned before it is taken, or refused', async () => {
      const { store } = current()
      const next = (ticket: Ticket, remaining: number) =>
        store.spend(ACCOUNT, 'poll', CALM, 10, 1, { ticket, rates: [headers(5, remaining)] })
      const first = ticketOf(await spend())
      const second = ticketOf(await next(first, 2))
      expect([first.probes, second.probes]).toEqual([true, false])
      expect((await store.budget(ACCOUNT, CALM, 10)).remaining).toBe(1)
      expect((await next(second, 0)).ok).toBe(false)
      expect((await store.budget(ACCOUNT, CALM, 10)).remaining).toBe(0)
    })

    test('answers that come with the write of a video are learned once, also where another write came between', async () => {
      const { store } = current()
      const opened = await openWaiting(store)
      const lesson = { ticket: ticketOf(await spend()), rates: [headers(5, 3)] }
      await store.change(opened.id, saving({ progress: 10 }))
      const decided: (number | null)[] = []
      const late = (video: VideoRecord): Change => {
        decided.push(video.progress)
        return { ...saving({ progress: 20 })(video), ...(decided.length === 1 && { lesson }) }
      }
      expect((await store.change(opened.id, late, opened)).video).toMatchObject({ progress: 20, version: 3 })
      expect(decided).toEqual([null, 10])
      expect(await store.budget(ACCOUNT, CALM, 10)).toMatchObject({ limit: 5, remaining: 3 })
    })

    test('a read that found the window spent is kept a request of the next', async () => {
      const { store, clock } = current()
      const take = (budgetClass: 'poll' | 'read') => store.spend(ACCOUNT, budgetClass, CALM, 10)
      await store.learn(ticketOf(await spend()), headers(5, 0))
      expect((await take('read')).ok).toBe(false)
      clock.jump(32 * SECOND)
      await store.learn(ticketOf(await take('poll')), headers(5, 1))
      expect((await take('poll')).ok).toBe(false)
      expect((await take('read')).ok).toBe(true)
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

    describe('several at once', () => {
      const read = (most: number, limit = 6_400, demand = CALM) =>
        current().store.spend(ACCOUNT, 'read', demand, limit, most)
      const takenOf = (spent: Spent): number => (spent.ok ? spent.taken : 0)
      const known = async (limit: number): Promise<void> => {
        await current().store.learn(ticketOf(await spend(limit)), headers(limit, limit - 1))
      }

      test('one of 64 that are left, as many as asked for at most, once the window is known', async () => {
        const { store } = current()
        const first = await read(100)
        expect(takenOf(first)).toBe(1)
        await store.learn(ticketOf(first), headers(6_400, 6_399))
        expect([takenOf(await read(100)), takenOf(await read(7)), takenOf(await read(1))]).toEqual([99, 7, 1])
        expect((await store.budget(ACCOUNT, CALM, 6_400)).remaining).toBe(6_399 - 107)
      })

      test('one alone with fewer than 128 left, and one alone where others want the rest', async () => {
        await known(1_281)
        expect(takenOf(await read(100, 1_281, { pollsDue: 1_270, createsWaiting: 7 }))).toBe(3)
        await current().store.learn(ticketOf(await spend(1_281)), headers(1_281, 132))
        expect(takenOf(await read(100, 1_281))).toBe(2)
        expect(takenOf(await read(100, 1_281))).toBe(1)
      })

      test('one alone where no headers tell of the window', async () => {
        await current().store.learn(ticketOf(await spend(6_400)), null)
        expect(takenOf(await read(100))).toBe(1)
      })

      test('it says what the window is, and until when', async () => {
        const { store } = current()
        await known(6_400)
        const { resetsAtMs } = await store.budget(ACCOUNT, CALM, 6_400)
        expect(await read(10)).toMatchObject({ limit: 6_400, untilMs: resetsAtMs, lengthMs: 31_000 })
      })

      test('their answers are learned as one by one, and what was not sent is as if it was never taken', async () => {
        const { store } = current()
        await known(6_400)
        const ticket = ticketOf(await read(10))
        await store.learn(ticket, headers(6_400, 6_397), null, headers(6_400, 6_398))
        // Three of ten are answered, and the silent one may have come last.
        expect((await store.budget(ACCOUNT, CALM, 6_400)).remaining).toBe(6_396 - 7)
        await store.giveBack(ticket, 7)
        expect((await store.budget(ACCOUNT, CALM, 6_400)).remaining).toBe(6_396)
      })

      test('what is given back of an earlier window is no more of this one', async () => {
        const { store, clock } = current()
        await known(6_400)
        const ticket = ticketOf(await read(10))
        clock.jump(2 * MINUTE)
        await known(6_400)
        const { remaining } = await store.budget(ACCOUNT, CALM, 6_400)
        await store.giveBack(ticket, 10)
        expect((await store.budget(ACCOUNT, CALM, 6_400)).remaining).toBe(remaining)
      })

      test('given back after the backend refused, it frees nothing', async () => {
        const { store, clock } = current()
        await known(6_400)
        const ticket = ticketOf(await read(10))
        await store.exhausted(ACCOUNT, clock.now() + 20 * SECOND)
        await store.giveBack(ticket, 10)
        expect((await spend(6_400)).ok).toBe(false)
      })
    })

    test('another account’s budget is another', async () => {
      const { store } = current()
      await store.learn(ticketOf(await spend()), headers(10, 0))
      expect((await spend()).ok).toBe(false)
      expect((await store.spend(accountId('other'), 'poll', CALM, 10)).ok).toBe(true)
    })
  })
}
