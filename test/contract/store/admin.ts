import { describe, expect, test } from 'vitest'
import type { EventsOfAllQuery, UsageQuery, UsageRow } from '../../../src/core/store/admin.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { deliveriesQuery, draft, event, HOUR, listQuery, newEndpoint, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting, ROOMY, saving } from './helpers.ts'
import type { Rivals } from './races.ts'

const NONE = { queued: 0, processing: 0, completed: 0, failed: 0, canceled: 0 }
const MONTH = '2026-11'

const usageQuery = (given: Partial<UsageQuery> = {}): UsageQuery => ({
  month: MONTH,
  client: null,
  backends: null,
  after: null,
  limit: 100,
  ...given,
})
const eventsQuery = (given: Partial<EventsOfAllQuery> = {}): EventsOfAllQuery => ({
  limit: 100,
  before: null,
  type: null,
  videoId: null,
  sinceMs: null,
  untilMs: null,
  ...given,
})

const CLIENTS = ['acme', 'other', 'third'] as const
/** Videos 1 to `count`, by turns of three clients and two backends, two at a time. */
const openMany = async (store: Store, count: number): Promise<void> => {
  for (let n = 1; n <= count; n += 1) {
    await openWaiting(store, {
      id: numbered(n),
      client: CLIENTS[n % 3] ?? 'acme',
      backend: n % 2 ? 'main' : 'alt',
      createdAtMs: T0 + Math.floor(n / 2),
    })
  }
}
const complete = (store: Store, n: number, given: Partial<VideoRecord> = {}) =>
  store.change(numbered(n), saving({ phase: 'ended', status: 'completed', endedAtMs: T0, dueAtMs: null, ...given }))

/** One event of a video, its client's. */
const happen = (store: Store, id: string, type: 'video.progress' | 'video.completed' = 'video.completed') =>
  store.change(id, (video, nowMs) => {
    const { client, sequence: before } = video
    const told = event(id, before + 1, { client, type, atMs: nowMs })
    return {
      kind: 'save',
      video: { ...video, sequence: before + 1 },
      events: [{ event: told, targets: [] }],
      notes: [],
    }
  })

/** All pages of two, each behind the last item of the one before; `between` runs after each. */
const paged = async <T>(
  page: (last: T | undefined) => Promise<T[]>,
  between: () => Promise<unknown> = async () => {},
): Promise<T[]> => {
  const seen: T[] = []
  for (;;) {
    const found = await page(seen.at(-1))
    if (found.length === 0) return seen
    seen.push(...found)
    await between()
  }
}

/** Whoever reads sees at once what the other handle wrote. */
const sameOf = (read: (store: Store) => Promise<readonly unknown[]>) => async (rivals: Rivals) => {
  const { store, other } = rivals
  await rivals.each(6, async (one, n) => {
    await openWaiting(one, { id: numbered(n), client: CLIENTS[n % 3] ?? 'acme' })
    await one.createEndpoint(newEndpoint({ id: `we_${n}`, client: CLIENTS[n % 3] ?? 'acme' }))
    await happen(one, numbered(n))
  })
  expect((await read(store)).length).toBeGreaterThan(2)
  expect(await read(other)).toEqual(await read(store))
}

export const ADMIN_RACES = {
  listOfAll: sameOf((store) => store.listOfAll(listQuery())),
  pastEventsOfAll: sameOf((store) => store.pastEventsOfAll(eventsQuery())),
  deliveriesOfAll: sameOf((store) => store.deliveriesOfAll(deliveriesQuery())),
  endpointsOfAll: sameOf((store) => store.endpointsOfAll({ before: null, limit: 10 })),
  endpointById: sameOf((store) => Promise.all(['we_1', 'we_2', 'we_3'].map((id) => store.endpointById(id)))),
  usage: async ({ store, other, each }: Rivals) => {
    await each(20, async (one, n) => {
      await openWaiting(one, { id: numbered(n) })
      await complete(one, n, { credits: { charged: 1.5, remaining: null } })
      await one.countRequests(MONTH, { acme: 2 })
    })
    const rows = await store.usage(usageQuery())
    expect(rows).toEqual([
      { client: 'acme', backend: null, videos: NONE, creditsCharged: 0, requests: 40 },
      { client: 'acme', backend: 'main', videos: { ...NONE, completed: 20 }, creditsCharged: 30, requests: null },
    ])
    expect(await other.usage(usageQuery())).toEqual(rows)
  },
}

export const adminContract = (current: Current): void => {
  describe('lists of all clients', () => {
    test('videos: newest first under every filter; no page repeats or leaves out one while others come', async () => {
      const { store } = current()
      await openMany(store, 12)
      for (const n of [3, 4, 9]) await complete(store, n)
      const ids = async (given: Parameters<typeof listQuery>[0] = {}): Promise<string[]> =>
        (
          await paged<VideoRecord>((last) =>
            store.listOfAll(
              listQuery({ limit: 2, ...given, before: last ? { createdAtMs: last.createdAtMs, id: last.id } : null }),
            ),
          )
        ).map(({ id }) => id)
      const all = Array.from({ length: 12 }, (_, n) => numbered(12 - n))
      expect(await ids()).toEqual(all)
      expect(await ids({ status: 'completed' })).toEqual([9, 4, 3].map(numbered))
      expect(await ids({ backends: ['alt'] })).toEqual([12, 10, 8, 6, 4, 2].map(numbered))
      expect(await ids({ backends: ['main'], status: 'completed' })).toEqual([9, 3].map(numbered))
      expect(await ids({ createdAfterMs: T0 + 2, createdBeforeMs: T0 + 4 })).toEqual([7, 6].map(numbered))
      expect(await ids({ backends: ['none'] })).toEqual([])
      expect(await ids({ backends: ['alt', 'none', 'main'] })).toEqual(all)
      let next = 100
      const found = await paged<VideoRecord>(
        (last) =>
          store.listOfAll(
            listQuery({ limit: 5, before: last ? { createdAtMs: last.createdAtMs, id: last.id } : null }),
          ),
        () => openWaiting(store, { id: numbered((next += 1)), createdAtMs: T0 + HOUR }),
      )
      expect(found.map(({ id }) => id)).toEqual(all)
    })

    test('events: by time, each client’s in its own order', async () => {
      const { store, clock } = current()
      await openMany(store, 6)
      for (let n = 1; n <= 6; n += 1) {
        for (const type of ['video.progress', 'video.completed'] as const) await happen(store, numbered(n), type)
        if (n % 2 === 0) clock.jump(1)
      }
      const pages = (given: Partial<EventsOfAllQuery> = {}) =>
        paged<Awaited<ReturnType<Store['pastEventsOfAll']>>[number]>((last) =>
          store.pastEventsOfAll(
            eventsQuery({
              limit: 2,
              ...given,
              before: last ? { atMs: last.event.atMs, client: last.event.client, place: last.place } : null,
            }),
          ),
        )
      const all = await pages()
      expect(all).toHaveLength(12)
      expect(new Set(all.map(({ event: one }) => one.id)).size).toBe(12)
      const times = all.map(({ event: one }) => one.atMs)
      expect(times).toEqual(times.toSorted((a, b) => b - a))
      for (const client of CLIENTS) {
        const places = all.filter((one) => one.event.client === client).map(({ place }) => place)
        expect(places).toEqual([4, 3, 2, 1])
      }
      expect(await pages({ type: 'video.completed' })).toHaveLength(6)
      expect((await pages({ videoId: numbered(2) })).map(({ event: one }) => one.type)).toEqual([
        'video.completed',
        'video.progress',
      ])
      const [sinceMs, untilMs] = [clock.now() - 2, clock.now() - 1]
      expect(await pages({ sinceMs, untilMs })).toHaveLength(4)
      expect(await pages({ sinceMs, untilMs, type: 'video.completed', videoId: numbered(3) })).toHaveLength(1)
    })

    test('deliveries and endpoints: newest first', async () => {
      const { store } = current()
      for (const [n, client] of CLIENTS.entries()) await store.createEndpoint(newEndpoint({ id: `we_${n}`, client }))
      await openMany(store, 6)
      for (let n = 1; n <= 6; n += 1) await happen(store, numbered(n))
      const pages = (given: Parameters<typeof deliveriesQuery>[0] = {}) =>
        paged<Awaited<ReturnType<Store['deliveriesOfAll']>>[number]>((last) =>
          store.deliveriesOfAll(deliveriesQuery({ limit: 2, ...given, before: last?.place ?? null })),
        )
      const videos = async (given: Parameters<typeof deliveriesQuery>[0] = {}) =>
        (await pages(given)).map(({ delivery }) => delivery.event.videoId)
      const all = [6, 5, 4, 3, 2, 1].map(numbered)
      expect(await videos()).toEqual(all)
      expect(await videos({ status: 'pending' })).toEqual(all)
      expect(await videos({ status: 'failed' })).toEqual([])
      expect(await videos({ endpointId: 'we_1' })).toEqual([4, 1].map(numbered))
      expect(await videos({ endpointId: 'we_1', status: 'pending', videoId: numbered(4) })).toEqual([numbered(4)])
      expect(await videos({ eventId: event(numbered(3), 1).id })).toEqual([numbered(3)])
      await store.deleteEndpoint('other', 'we_1')
      expect(await videos({ endpointId: 'we_1' })).toEqual([])
      expect(await videos({ status: 'failed' })).toEqual([4, 1].map(numbered))
      const endpoints = await paged<Awaited<ReturnType<Store['endpointsOfAll']>>[number]>((last) =>
        store.endpointsOfAll({ before: last?.id ?? null, limit: 1 }),
      )
      expect(endpoints.map(({ id, client }) => [id, client])).toEqual([
        ['we_2', 'third'],
        ['we_0', 'acme'],
      ])
      expect(await store.endpointById('we_2')).toEqual(endpoints[0])
      expect(await store.endpointById('we_1')).toBeNull()
    })
  })

  describe('usage', () => {
    test('of each client and backend: what was made, what it cost; requests of a client under no backend', async () => {
      const { store, reopen } = current()
      await openMany(store, 6)
      await complete(store, 1, { credits: { charged: 2, remaining: null } })
      await complete(store, 2, { status: 'failed' })
      await store.change(numbered(3), saving({ status: 'processing', credits: { charged: 0.5, remaining: null } }))
      await store.countRequests(MONTH, { acme: 7, quiet: 1 })
      await store.countRequests('2026-12', { acme: 99 })
      const row = (client: string, backend: string | null, given: Partial<UsageRow> = {}): UsageRow => ({
        client,
        backend,
        videos: NONE,
        creditsCharged: 0,
        requests: null,
        ...given,
      })
      const expected = [
        row('acme', null, { requests: 7 }),
        row('acme', 'alt', { videos: { ...NONE, queued: 1 } }),
        row('acme', 'main', { videos: { ...NONE, processing: 1 }, creditsCharged: 0.5 }),
        row('other', 'alt', { videos: { ...NONE, queued: 1 } }),
        row('other', 'main', { videos: { ...NONE, completed: 1 }, creditsCharged: 2 }),
        row('quiet', null, { requests: 1 }),
        row('third', 'alt', { videos: { ...NONE, failed: 1 } }),
        row('third', 'main', { videos: { ...NONE, queued: 1 } }),
      ]
      const again = await reopen()
      expect(await again.usage(usageQuery())).toEqual(expected)
      for (const limit of [1, 2, 3]) {
        expect(await paged<UsageRow>((last) => again.usage(usageQuery({ limit, after: last ?? null })))).toEqual(
          expected,
        )
      }
      expect(await again.usage(usageQuery({ client: 'acme' }))).toEqual(expected.slice(0, 3))
      expect(await again.usage(usageQuery({ backends: ['alt'] }))).toEqual(
        expected.filter(({ backend }) => backend === 'alt'),
      )
      expect(await again.usage(usageQuery({ backends: ['main', 'none', 'alt'] }))).toEqual(
        expected.filter(({ backend }) => backend !== null),
      )
      expect(await again.usage(usageQuery({ month: '2026-12' }))).toEqual([row('acme', null, { requests: 99 })])
      expect(await again.usage(usageQuery({ month: '2026-10' }))).toEqual([])
    })

    test('what was discarded was never there; what was purged stays counted, in the month of its create', async () => {
      const { store } = current()
      const first = Date.parse('2026-12-01T00:00:00.000Z')
      await openWaiting(store, { id: numbered(1), createdAtMs: first - 1 })
      await openWaiting(store, { id: numbered(2), createdAtMs: first })
      await store.open(draft({ id: numbered(3) }), null, ROOMY, { slots: null, leaseMs: 1_000 })
      await store.change(numbered(3), saving({ credits: { charged: 1, remaining: 1 } }))
      await store.change(numbered(3), () => ({ kind: 'discard' }))
      await complete(store, 1, { credits: { charged: 1, remaining: null } })
      expect(await store.purge(T0 + HOUR, 10)).toBe(1)
      const shown = async (month: string) =>
        (await store.usage(usageQuery({ month }))).map(({ videos, creditsCharged }) => [videos, creditsCharged])
      expect(await shown('2026-11')).toEqual([[{ ...NONE, completed: 1 }, 1]])
      expect(await shown('2026-12')).toEqual([[{ ...NONE, queued: 1 }, 0]])
    })
  })
}
