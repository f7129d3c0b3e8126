import { describe, expect, test } from 'vitest'
import type { OverviewQuery } from '../../../src/core/store/admin.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { ACCOUNT, accountId, event, HOUR, MINUTE, SECOND, T0, TARGET } from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'
import { LEASE_MS, numbered, openWaiting, saving } from './helpers.ts'
import type { Rivals } from './races.ts'
import { create, happen } from './webhook-helpers.ts'

const query = (given: Partial<OverviewQuery> = {}): OverviewQuery => ({
  client: null,
  sinceMs: T0 - 23 * HOUR,
  limit: 10,
  ...given,
})
const RUNNING = { phase: 'accepted', acceptedAtMs: T0, dispatchedAtMs: T0 } as const

const become = (store: Store, n: number, given: Partial<VideoRecord>) => store.change(numbered(n), saving(given))
/** It ended at a time, and may have been over `lateMs` before. */
const end = (store: Store, n: number, status: 'completed' | 'failed', atMs: number, lateMs: number) =>
  become(store, n, { ...RUNNING, phase: 'ended', status, dueAtMs: null, endedAtMs: atMs, lastPollAtMs: atMs - lateMs })

/** Tries a delivery for the last time. */
const giveUp = async (store: Store, id: string, atMs: number) => {
  const lease = must(await store.claim('deliver', id, LEASE_MS))
  const attempt = { atMs, durationMs: 1, status: 500, error: null, responseBody: '<b>no</b>' }
  await store.attempted(lease, attempt, { status: 'failed' })
}

export const OVERVIEW_RACES = {
  overview: async ({ store, other, each }: Rivals) => {
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    await each(20, (one, n) => end(one, n, 'completed', T0 + n, n))
    const seen = await store.overview(query())
    expect(seen.ended).toEqual({ hours: [{ hour: T0 / HOUR, status: 'completed', videos: 20 }], isWhole: true })
    expect(await other.overview(query())).toEqual(seen)
  },
  queueHead: async ({ store, other, each }: Rivals) => {
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    expect((await other.queueHead(ACCOUNT, null, 20)).map(({ id }) => id)).toEqual(
      (await store.queueHead(ACCOUNT, 'acme', 20)).map(({ id }) => id),
    )
  },
}

/** Five open videos of one client and one of another, each in another phase. */
const openSome = async (store: Store): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await openWaiting(store, { id: numbered(n) })
  await openWaiting(store, { id: numbered(5), client: 'other' })
  await become(store, 0, { ...RUNNING, status: 'processing' })
  await become(store, 1, RUNNING)
  await become(store, 2, { phase: 'doubtful', doubtSinceMs: T0 })
}

export const overviewContract = (current: Current): void => {
  describe('an overview', () => {
    test('of nothing is nothing', async () => {
      expect(await current().store.overview(query())).toEqual({
        open: { waiting: 0, queued: 0, processing: 0, doubtful: 0, isWhole: true },
        ended: { hours: [], isWhole: true },
        lateMs: [],
        deliveries: { delivered: 0, failed: 0, pending: 0, held: 0, isWhole: true },
        failedVideos: [],
        failedDeliveries: [],
        disabledEndpoints: [],
        doubtfulVideos: [],
      })
    })

    test('what is open, of all and of one client, as it moves', async () => {
      const { store } = current()
      await openSome(store)
      const of = async (client: string | null) => (await store.overview(query({ client }))).open
      expect(await of(null)).toEqual({ waiting: 3, queued: 2, processing: 1, doubtful: 1, isWhole: true })
      expect(await of('acme')).toEqual({ waiting: 2, queued: 2, processing: 1, doubtful: null, isWhole: true })
      expect(await of('other')).toMatchObject({ waiting: 1, queued: 0, processing: 0 })
      expect(await of('nobody')).toMatchObject({ waiting: 0, queued: 0, processing: 0 })
      await end(store, 0, 'completed', T0, 0)
      expect(await of(null)).toMatchObject({ waiting: 3, queued: 2, processing: 0 })
      expect((await store.overview(query())).doubtfulVideos.map(({ id }) => id)).toEqual([numbered(2)])
      expect((await store.overview(query({ client: 'other' }))).doubtfulVideos).toEqual([])
    })

    test('what ended since, by hour and status, and how late it was found', async () => {
      const { store } = current()
      for (let n = 0; n < 6; n += 1) await openWaiting(store, { id: numbered(n), client: n < 4 ? 'acme' : 'other' })
      await end(store, 0, 'completed', T0 - 25 * HOUR, 9 * SECOND)
      await end(store, 1, 'completed', T0 - HOUR + 1, 3 * SECOND)
      await end(store, 2, 'completed', T0, 1 * SECOND)
      await end(store, 3, 'failed', T0 + MINUTE, 2 * SECOND)
      await end(store, 4, 'failed', T0 + 2 * MINUTE, 5 * SECOND)
      await become(store, 5, { phase: 'ended', status: 'canceled', dueAtMs: null, endedAtMs: T0 })
      const hour = T0 / HOUR
      const seen = await store.overview(query())
      expect(seen.ended.hours.toSorted((a, b) => a.hour - b.hour || (a.status < b.status ? -1 : 1))).toEqual([
        { hour: hour - 1, status: 'completed', videos: 1 },
        { hour, status: 'canceled', videos: 1 },
        { hour, status: 'completed', videos: 1 },
        { hour, status: 'failed', videos: 2 },
      ])
      expect(seen.lateMs).toEqual([1, 2, 3, 5].map((seconds) => seconds * SECOND))
      expect(seen.failedVideos.map(({ id }) => id)).toEqual([numbered(4), numbered(3)])
      const own = await store.overview(query({ client: 'acme', limit: 1 }))
      expect(own.lateMs).toEqual([1, 2, 3].map((seconds) => seconds * SECOND))
      expect(own.failedVideos.map(({ id }) => id)).toEqual([numbered(3)])
    })

    test('deliveries: of events since, what is owed now, and what was given up with its last answer', async () => {
      const { store, clock } = current()
      await create(store)
      await openWaiting(store, { id: numbered(0) })
      await openWaiting(store, { id: numbered(1), client: 'other' })
      const [failed = '', delivered = ''] = [
        ...(await happen(store, numbered(0))),
        ...(await happen(store, numbered(0))),
      ]
      const told = event(numbered(1), 1, { client: 'other', atMs: clock.now() })
      await store.change(numbered(1), (video) => ({
        kind: 'save',
        video: { ...video, sequence: 1 },
        events: [{ event: told, targets: [TARGET] }],
        notes: [],
      }))
      await giveUp(store, failed, clock.now() + 1)
      const lease = must(await store.claim('deliver', delivered, LEASE_MS))
      const attempt = { atMs: clock.now(), durationMs: 1, status: 200, error: null, responseBody: '' }
      await store.attempted(lease, attempt, { status: 'delivered' })
      const seen = await store.overview(query())
      expect(seen.deliveries).toEqual({ delivered: 1, failed: 1, pending: 1, held: 0, isWhole: true })
      expect(seen.failedDeliveries).toEqual([
        {
          id: failed,
          client: 'acme',
          eventType: 'video.completed',
          videoId: numbered(0),
          endpointId: 'we_1',
          atMs: clock.now() + 1,
          status: 500,
          error: null,
        },
      ])
      const later = await store.overview(query({ sinceMs: clock.now() + 1 }))
      expect(later.deliveries).toMatchObject({ delivered: 0, failed: 0, pending: 1 })
      const other = await store.overview(query({ client: 'other' }))
      expect(other.deliveries).toMatchObject({ delivered: 0, failed: 0, pending: 1 })
      expect(other.failedDeliveries).toEqual([])
    })

    test('endpoints that were disabled, but not by their client', async () => {
      const { store, clock } = current()
      await create(store)
      await create(store, { id: 'we_2' })
      await store.changeEndpoint('acme', 'we_2', { enabled: false })
      await openWaiting(store, { id: numbered(0) })
      const [due = ''] = await happen(store, numbered(0))
      const lease = must(await store.claim('deliver', due, LEASE_MS))
      const gone = { atMs: clock.now(), durationMs: 1, status: 410, error: null, responseBody: '' }
      await store.attempted(lease, gone, { status: 'failed' })
      const disabled = [{ id: 'we_1', client: 'acme', description: null, reason: 'gone' }]
      expect((await store.overview(query())).disabledEndpoints).toMatchObject(disabled)
      expect((await store.overview(query({ client: 'acme' }))).disabledEndpoints).toMatchObject(disabled)
      expect((await store.overview(query({ client: 'other' }))).disabledEndpoints).toEqual([])
    })
  })

  test('the head of a queue: by turns of clients, in the order of their places', async () => {
    const { store } = current()
    for (let n = 0; n < 6; n += 1) await openWaiting(store, { id: numbered(n) })
    for (const n of [10, 11]) await openWaiting(store, { id: numbered(n), client: 'other' })
    await openWaiting(store, { id: numbered(20), client: 'third' })
    await openWaiting(store, { id: numbered(30), account: accountId('alt') })
    const ids = async (client: string | null, limit: number) =>
      (await store.queueHead(ACCOUNT, client, limit)).map(({ id }) => id)
    const all = await ids(null, 100)
    expect(all).toEqual([0, 10, 20, 1, 11, 2, 3, 4, 5].map(numbered))
    const places = await store.positions(all)
    expect(all.map((id) => places.get(id))).toEqual(all.map((_, at) => at + 1))
    expect(await ids(null, 4)).toEqual(all.slice(0, 4))
    expect(await ids('other', 100)).toEqual([10, 11].map(numbered))
    expect(await ids('nobody', 100)).toEqual([])
  })
}
