import { describe, expect, test } from 'vitest'
import type { Quotas } from '../../../src/core/access.ts'
import type { Change, OpenLimits } from '../../../src/core/store/videos.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { draft, idemKey, newEndpoint, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { importing, numbered, ROOMY, saving } from './helpers.ts'

const AT_ONCE = { slots: null, leaseMs: 1_000 }
const CHARGED = { charged: 1, remaining: null }

const savingUnder =
  (quotas: Quotas, given: Partial<VideoRecord>) =>
  (video: VideoRecord): Change => ({ kind: 'save', video: { ...video, ...given }, events: [], notes: [], quotas })

export const quotaContract = (current: Current): void => {
  const tryOpen = (
    store: Store,
    n: number,
    limits: Partial<OpenLimits>,
    given: { client?: string; createdAtMs?: number } = {},
  ) => store.open(draft({ id: numbered(n), ...given }), null, { ...ROOMY, ...limits }, null)

  describe('open: the quotas of a month', () => {
    const two = { videosPerMonth: 2 }

    test('videos: a client’s own, of the month in which they were made', async () => {
      const { store } = current()
      for (const n of [1, 2]) expect((await tryOpen(store, n, two)).kind).toBe('opened')
      expect(await tryOpen(store, 3, two)).toEqual({ kind: 'full', scope: 'videos', deliveries: [] })
      expect(await store.video(numbered(3))).toBeNull()
      expect((await tryOpen(store, 4, two, { client: 'other' })).kind).toBe('opened')
      const next = Date.parse('2026-12-01T00:00:00.000Z')
      expect(await tryOpen(store, 5, two, { createdAtMs: next - 1 })).toEqual({
        kind: 'full',
        scope: 'videos',
        deliveries: [],
      })
      expect((await tryOpen(store, 5, two, { createdAtMs: next })).kind).toBe('opened')
    })

    test('one that is admitted at once is held to them, too', async () => {
      const { store } = current()
      const refused = await store.open(draft(), null, { ...ROOMY, videosPerMonth: 0 }, AT_ONCE)
      expect(refused).toEqual({ kind: 'full', scope: 'videos', deliveries: [] })
    })

    test('what is discarded or canceled is given back; what ended or was purged is not', async () => {
      const { store } = current()
      const one = { videosPerMonth: 1 }
      await tryOpen(store, 1, one)
      await store.change(numbered(1), () => ({ kind: 'discard' }))
      expect((await tryOpen(store, 2, one)).kind).toBe('opened')
      await store.change(numbered(2), saving({ phase: 'ended', status: 'canceled', endedAtMs: T0, dueAtMs: null }))
      expect((await tryOpen(store, 3, one)).kind).toBe('opened')
      await store.change(numbered(3), saving({ phase: 'ended', status: 'failed', endedAtMs: T0, dueAtMs: null }))
      expect(await tryOpen(store, 4, one)).toEqual({ kind: 'full', scope: 'videos', deliveries: [] })
      expect(await store.purge(T0 + 1, 10)).toBe(2)
      expect(await tryOpen(store, 4, one)).toEqual({ kind: 'full', scope: 'videos', deliveries: [] })
    })

    test('a replay is no new video, and a refusal leaves its key free', async () => {
      const { store } = current()
      const open = (n: number, key: string, videosPerMonth: number) =>
        store.open(draft({ id: numbered(n) }), idemKey({ key }), { ...ROOMY, videosPerMonth }, null)
      await open(1, 'a', 1)
      expect(await open(2, 'a', 1)).toMatchObject({ kind: 'replay', video: { id: numbered(1) } })
      expect(await open(2, 'b', 1)).toMatchObject({ kind: 'full' })
      expect(await open(2, 'b', 2)).toMatchObject({ kind: 'opened' })
    })

    test('credits: what was charged, and one for each video that may still cost something', async () => {
      const { store } = current()
      const three = { creditsPerMonth: 3 }
      await tryOpen(store, 1, three)
      await store.change(numbered(1), saving({ credits: { charged: 1.5, remaining: null } }))
      await tryOpen(store, 2, three)
      expect(await tryOpen(store, 3, three)).toEqual({ kind: 'full', scope: 'credits', deliveries: [] })
      // It cost nothing that its backend told of.
      await store.change(numbered(2), saving({ phase: 'ended', status: 'failed', endedAtMs: T0, dueAtMs: null }))
      expect((await tryOpen(store, 3, three)).kind).toBe('opened')
      await store.change(numbered(3), saving({ credits: CHARGED }))
      expect(await tryOpen(store, 4, three)).toEqual({ kind: 'full', scope: 'credits', deliveries: [] })
      expect((await tryOpen(store, 4, three, { createdAtMs: Date.parse('2026-12-01T00:00:00Z') })).kind).toBe('opened')
    })

    test.each(['videosPerMonth', 'creditsPerMonth'] as const)('%s holds for two handles at once', async (quota) => {
      const { store, second } = current()
      const other = await second()
      const opened = await Promise.all(
        Array.from({ length: 20 }, (_, n) => tryOpen(n % 2 ? store : other, n, { [quota]: 7 })),
      )
      expect(opened.filter(({ kind }) => kind === 'opened')).toHaveLength(7)
      expect(opened.filter(({ kind }) => kind === 'full')).toHaveLength(13)
    })
  })

  describe('warnings of the quotas of a month', () => {
    /** What a client was told, oldest first: the quota, the threshold, what was used of what. */
    const told = async (store: Store, client = 'acme') => {
      const { events } = await store.eventsOf(client, { after: 0, limit: 100, types: ['quota.warning'] })
      return events.map(({ event }) => {
        const { data } = JSON.parse(event.body) as { data: Record<string, unknown> }
        return [data['quota'], data['threshold'], data['used'], data['limit']]
      })
    }
    const VIDEOS = 'videos_per_month'
    const CREDITS = 'credits_per_month'

    test('at 80 and at 100 per cent, each once, whoever writes, and after a restart', async () => {
      const { store, second, reopen } = current()
      const other = await second()
      const ten = { videosPerMonth: 10 }
      for (let n = 1; n <= 7; n += 1) await tryOpen(store, n, ten)
      expect(await told(store)).toEqual([])
      await Promise.all(Array.from({ length: 8 }, (_, n) => tryOpen(n % 2 ? store : other, 8 + n, ten)))
      expect(await told(store)).toEqual([
        [VIDEOS, 80, 8, 10],
        [VIDEOS, 100, 10, 10],
      ])
      const again = await reopen()
      await tryOpen(again, 20, ten)
      await again.change(numbered(1), saving({ phase: 'ended', status: 'canceled', endedAtMs: T0, dueAtMs: null }))
      expect((await tryOpen(again, 20, ten)).kind).toBe('opened')
      expect(await told(again)).toHaveLength(2)
      expect(await told(again, 'other')).toEqual([])
    })

    test('of credits: when a price is known that reaches them', async () => {
      const { store } = current()
      const quotas = { videosPerMonth: null, creditsPerMonth: 10 }
      await tryOpen(store, 1, quotas)
      await tryOpen(store, 2, quotas)
      const charge = (n: number, charged: number) =>
        store.change(numbered(n), savingUnder(quotas, { credits: { charged, remaining: null } }))
      await charge(1, 6)
      expect(await told(store)).toEqual([])
      await charge(2, 2)
      await charge(2, 2)
      expect(await told(store)).toEqual([[CREDITS, 80, 8, 10]])
      await charge(2, 5)
      expect(await told(store)).toEqual([
        [CREDITS, 80, 8, 10],
        [CREDITS, 100, 11, 10],
      ])
    })

    test('one that is sent at once counts when its client is told of it, and an imported one, too', async () => {
      const { store } = current()
      const quotas = { videosPerMonth: 2, creditsPerMonth: null }
      for (const n of [1, 2]) await store.open(draft({ id: numbered(n) }), null, { ...ROOMY, ...quotas }, AT_ONCE)
      await store.change(numbered(2), () => ({ kind: 'discard' }))
      expect(await told(store)).toEqual([])
      const accept = savingUnder(quotas, { phase: 'accepted', told: true, lease: null })
      await store.change(numbered(1), accept)
      expect(await told(store)).toEqual([])
      await store.adopt({ ...importing('job_9', { id: numbered(9) }), quotas })
      expect(await told(store)).toEqual([
        [VIDEOS, 80, 2, 2],
        [VIDEOS, 100, 2, 2],
      ])
    })

    test('the write that tells its client of it is the one that warns', async () => {
      const { store } = current()
      const quotas = { videosPerMonth: 1, creditsPerMonth: null }
      await store.open(draft({ id: numbered(1) }), null, { ...ROOMY, ...quotas }, AT_ONCE)
      expect(await told(store)).toEqual([])
      await store.change(numbered(1), savingUnder(quotas, { phase: 'accepted', told: true, lease: null }))
      expect(await told(store)).toEqual([
        [VIDEOS, 80, 1, 1],
        [VIDEOS, 100, 1, 1],
      ])
    })

    test('a higher limit is warned of anew, a lower one only of what was not told; another month begins afresh', async () => {
      const { store, clock } = current()
      for (let n = 1; n <= 4; n += 1) await tryOpen(store, n, { videosPerMonth: 5 })
      expect(await told(store)).toEqual([[VIDEOS, 80, 4, 5]])
      // Lowered below what is used: the refused create tells.
      expect((await tryOpen(store, 5, { videosPerMonth: 3 })).kind).toBe('full')
      await tryOpen(store, 5, { videosPerMonth: 3 })
      expect(await told(store)).toEqual([
        [VIDEOS, 80, 4, 5],
        [VIDEOS, 100, 4, 3],
      ])
      for (let n = 5; n <= 10; n += 1) await tryOpen(store, n, { videosPerMonth: 10 })
      expect((await told(store)).slice(2)).toEqual([
        [VIDEOS, 80, 8, 10],
        [VIDEOS, 100, 10, 10],
      ])
      await tryOpen(store, 11, { videosPerMonth: 10 })
      const next = Date.parse('2026-12-01T00:00:00.000Z')
      clock.jump(next - clock.now())
      // Of a month that is over nothing is told.
      const late = await tryOpen(store, 12, { videosPerMonth: 11 }, { createdAtMs: next - 1 })
      expect(late).toMatchObject({ kind: 'opened', deliveries: [] })
      expect(await told(store)).toHaveLength(4)
      await tryOpen(store, 13, { videosPerMonth: 1 }, { createdAtMs: next })
      expect((await told(store)).slice(4)).toEqual([
        [VIDEOS, 80, 1, 1],
        [VIDEOS, 100, 1, 1],
      ])
    })

    test('is sent with a refusal for a quota, of videos or credits, and with no other', async () => {
      const { store } = current()
      for (let n = 1; n <= 8; n += 1) await tryOpen(store, n, {})
      const [videos, credits] = [{ videosPerMonth: 10 }, { creditsPerMonth: 8 }]
      expect(await tryOpen(store, 9, { ...videos, queue: 8 })).toMatchObject({ kind: 'full', scope: 'queue' })
      expect(await tryOpen(store, 9, { ...videos, client: 8 })).toMatchObject({ kind: 'full', scope: 'client' })
      expect(await told(store)).toEqual([])
      expect(await tryOpen(store, 9, credits)).toMatchObject({ kind: 'full', scope: 'credits' })
      expect(await told(store)).toEqual([
        [CREDITS, 80, 8, 8],
        [CREDITS, 100, 8, 8],
      ])
    })

    test('no change that uses nothing more warns, whatever the quotas are by then', async () => {
      const { store } = current()
      for (let n = 1; n <= 4; n += 1) await tryOpen(store, n, {})
      const quotas = { videosPerMonth: 4, creditsPerMonth: null }
      await store.change(numbered(1), savingUnder(quotas, { dueAtMs: 0 }))
      expect(await told(store)).toEqual([])
    })

    test('goes to the client’s endpoints that subscribe to it, with the write that reached it', async () => {
      const { store } = current()
      await store.createEndpoint(newEndpoint({ events: ['quota.warning'] }))
      await store.createEndpoint(newEndpoint({ id: 'we_2' }))
      await store.createEndpoint(newEndpoint({ id: 'we_3', client: 'other', events: ['quota.warning'] }))
      const opened = await tryOpen(store, 1, { videosPerMonth: 1 })
      const due = await store.dueDeliveries(10)
      expect(due).toMatchObject([1, 2].map(() => ({ client: 'acme', target: { kind: 'endpoint', id: 'we_1' } })))
      expect(opened).toMatchObject({ kind: 'opened', deliveries: due.map(({ id }) => id) })
    })
  })
}
