import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import { draft, HOUR, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting, ROOMY, saving } from './helpers.ts'

const NONE = { queued: 0, processing: 0, completed: 0, failed: 0, canceled: 0 }
const NOTHING = { videos: NONE, creditsCharged: 0, requests: 0 }

/** What a client did in a month: the usage report, and the limits of a month. */
export const monthContract = (current: Current): void => {
  const end = (store: Store, id: string, charged: number | null) =>
    store.change(
      id,
      saving({
        phase: 'ended',
        status: 'completed',
        endedAtMs: T0,
        dueAtMs: null,
        credits: charged === null ? null : { charged, remaining: null },
      }),
    )

  describe('monthOf', () => {
    test('a video moves between statuses, and takes what it cost along', async () => {
      const { store } = current()
      expect(await store.monthOf('acme', T0)).toEqual(NOTHING)
      for (const n of [1, 2, 3]) await openWaiting(store, { id: numbered(n) })
      await openWaiting(store, { id: numbered(4), client: 'other' })
      expect(await store.monthOf('acme', T0)).toEqual({ ...NOTHING, videos: { ...NONE, queued: 3 } })
      await store.change(numbered(1), saving({ credits: { charged: 2, remaining: 8 } }))
      expect(await store.monthOf('acme', T0)).toMatchObject({ videos: { queued: 3 }, creditsCharged: 2 })
      await store.change(numbered(1), saving({ status: 'processing' }))
      await end(store, numbered(1), 2)
      await end(store, numbered(2), 1.5)
      await end(store, numbered(3), null)
      expect(await store.monthOf('acme', T0)).toEqual({
        videos: { ...NONE, completed: 3 },
        creditsCharged: 3.5,
        requests: 0,
      })
      expect((await store.monthOf('other', T0)).videos).toEqual({ ...NONE, queued: 1 })
    })

    test('what was discarded was never there; what was purged stays counted', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      await store.open(draft({ id: numbered(2) }), null, ROOMY, { slots: null, leaseMs: 1_000 })
      await store.change(numbered(2), saving({ credits: { charged: 1, remaining: 1 } }))
      await store.change(numbered(2), () => ({ kind: 'discard' }))
      expect(await store.monthOf('acme', T0)).toEqual({ ...NOTHING, videos: { ...NONE, queued: 1 } })
      await end(store, numbered(1), 1)
      expect(await store.purge(T0 + HOUR, 10)).toBe(1)
      expect(await store.monthOf('acme', T0)).toMatchObject({ videos: { completed: 1 }, creditsCharged: 1 })
    })

    test('the month is that of the create, by UTC', async () => {
      const { store } = current()
      const first = Date.parse('2026-12-01T00:00:00.000Z')
      await openWaiting(store, { id: numbered(1), createdAtMs: first - 1 })
      await openWaiting(store, { id: numbered(2), createdAtMs: first })
      await end(store, numbered(1), 1)
      expect(await store.monthOf('acme', first - 1)).toMatchObject({ videos: { completed: 1 }, creditsCharged: 1 })
      expect(await store.monthOf('acme', first)).toMatchObject({ videos: { queued: 1 }, creditsCharged: 0 })
      expect(await store.monthOf('acme', first + 30 * 24 * HOUR)).toMatchObject({ videos: { queued: 1 } })
      expect(await store.monthOf('acme', first + 31 * 24 * HOUR)).toEqual(NOTHING)
    })

    test('survives a restart', async () => {
      const { store, reopen } = current()
      await openWaiting(store, { id: numbered(1) })
      await store.countRequests('2026-11', { acme: 7 })
      expect(await (await reopen()).monthOf('acme', T0)).toEqual({
        videos: { ...NONE, queued: 1 },
        creditsCharged: 0,
        requests: 7,
      })
    })
  })

  test('countRequests adds, to each client and month its own', async () => {
    const { store, second } = current()
    const handles = [store, await second()]
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (handles[n % 2] ?? store).countRequests('2026-11', { acme: 2, [`c${n % 2}`]: 1 }),
      ),
    )
    await store.countRequests('2026-12', { acme: 5 })
    const of = async (client: string, day: string) => (await store.monthOf(client, Date.parse(day))).requests
    expect(await of('acme', '2026-11-30')).toBe(40)
    expect(await of('c1', '2026-11-01')).toBe(10)
    expect(await of('acme', '2026-12-31')).toBe(5)
    expect(await of('acme', '2027-01-01')).toBe(0)
  })
}
