import { describe, expect, test } from 'vitest'
import type { EventsQuery } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { EventRecord } from '../../../src/core/video.ts'
import { deliveriesQuery, ended, event, HOUR, TARGET } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting, saving } from './helpers.ts'

const ALL: EventsQuery = { after: 0, limit: 100, types: null }

/** Writes the next event of a video, owed to nobody. */
const happen = (store: Store, id: string, given: Partial<EventRecord> = {}) =>
  store.change(id, (video) => ({
    kind: 'save',
    video: { ...video, sequence: video.sequence + 1 },
    events: [{ event: event(id, video.sequence + 1, { client: video.client, ...given }), targets: [] }],
    notes: [],
  }))

const placed = async (store: Store, client = 'acme', query: Partial<EventsQuery> = {}) =>
  (await store.eventsOf(client, { ...ALL, ...query })).events.map(({ place, event: { id } }) => [place, id])

export const eventContract = (current: Current): void => {
  describe('a client’s events', () => {
    test('come in the order in which they were written, whosever videos they are of, byte for byte', async () => {
      const { store } = current()
      expect(await store.eventsOf('acme', ALL)).toEqual({ events: [], upTo: 0, more: false })
      expect(await store.eventSpan('acme')).toEqual({ last: 0, gone: 0 })
      for (const n of [2, 1]) await openWaiting(store, { id: numbered(n) })
      await openWaiting(store, { id: numbered(3), client: 'other' })
      const body = JSON.stringify({ 'ключ "1"': 'a\u2028b\u0000c 🙂' })
      await happen(store, numbered(1), { body })
      await happen(store, numbered(3))
      await happen(store, numbered(2))
      await happen(store, numbered(1))
      expect(await placed(store)).toEqual([
        [1, `evt_${numbered(1)}_1`],
        [2, `evt_${numbered(2)}_1`],
        [3, `evt_${numbered(1)}_2`],
      ])
      expect(await placed(store, 'other')).toEqual([[1, `evt_${numbered(3)}_1`]])
      const { events } = await store.eventsOf('acme', ALL)
      expect(events[0]?.event).toEqual(event(numbered(1), 1, { body }))
      expect(await store.eventSpan('acme')).toEqual({ last: 3, gone: 0 })
    })

    test('pages go on where the one before stopped, and say whether there is more', async () => {
      const { store } = current()
      await openWaiting(store)
      for (let n = 0; n < 5; n += 1) await happen(store, 'vid_1')
      expect(await store.eventsOf('acme', { ...ALL, limit: 2 })).toMatchObject({
        events: [{ place: 1 }, { place: 2 }],
        upTo: 2,
        more: true,
      })
      expect(await store.eventsOf('acme', { ...ALL, after: 2, limit: 2 })).toMatchObject({ upTo: 4, more: true })
      expect(await store.eventsOf('acme', { ...ALL, after: 4, limit: 2 })).toMatchObject({
        events: [{ place: 5 }],
        upTo: 5,
        more: false,
      })
      expect(await store.eventsOf('acme', { ...ALL, after: 5 })).toEqual({ events: [], upTo: 5, more: false })
    })

    test('of some types only: what lies between is passed over once', async () => {
      const { store } = current()
      await openWaiting(store)
      for (const type of ['video.queued', 'video.progress', 'video.failed', 'video.progress'] as const)
        await happen(store, 'vid_1', { type })
      const types = ['video.queued', 'video.failed'] as const
      const page = await store.eventsOf('acme', { ...ALL, types })
      expect(page.events.map(({ event: { type } }) => type)).toEqual(types)
      expect(page).toMatchObject({ upTo: 4, more: false })
      const first = await store.eventsOf('acme', { after: 1, limit: 1, types })
      expect(first).toMatchObject({ events: [{ place: 3 }], upTo: 3, more: true })
      expect(await store.eventsOf('acme', { ...ALL, types: [] })).toMatchObject({ events: [], upTo: 4 })
    })

    test('one call looks at a bounded number of them, and all calls together at all', async () => {
      const { store } = current()
      await openWaiting(store)
      const COUNT = 2_500
      await store.change('vid_1', (video) => ({
        kind: 'save',
        video,
        events: Array.from({ length: COUNT }, (_, n) => ({
          event: event('vid_1', n + 1, { type: n === COUNT - 1 ? 'video.failed' : 'video.progress', body: '{}' }),
          targets: [],
        })),
        notes: [],
      }))
      const first = await store.eventsOf('acme', { ...ALL, types: ['video.failed'] })
      expect(first).toMatchObject({ events: [], more: true })
      expect(first.upTo).toBeLessThan(COUNT)
      let page = first
      while (page.more) page = await store.eventsOf('acme', { after: page.upTo, limit: 1, types: ['video.failed'] })
      expect(page).toMatchObject({ events: [{ place: COUNT }], upTo: COUNT })
    })

    test('a place is used once: not again when the newest are gone, nor after a restart; what may be gone is known', async () => {
      const { store, clock, reopen } = current()
      for (const n of [1, 2]) await openWaiting(store, { id: numbered(n) })
      for (const n of [1, 2, 1]) await happen(store, numbered(n))
      await store.change(numbered(1), saving(ended({ id: numbered(1), endedAtMs: clock.now() })))
      clock.jump(HOUR)
      expect(await store.purge(clock.now(), 10)).toBe(1)
      expect(await placed(store)).toEqual([[2, `evt_${numbered(2)}_1`]])
      expect(await store.eventSpan('acme')).toEqual({ last: 3, gone: 3 })
      expect(await store.eventsOf('acme', { ...ALL, after: 2 })).toEqual({ events: [], upTo: 3, more: false })
      const again = await reopen()
      await happen(again, numbered(2))
      expect(await placed(again)).toEqual([
        [2, `evt_${numbered(2)}_1`],
        [4, `evt_${numbered(2)}_2`],
      ])
      expect(await again.eventSpan('acme')).toEqual({ last: 4, gone: 3 })
    })

    test('written through two handles at once each have a place of their own, without a hole', async () => {
      const { store, second } = current()
      const other = await second()
      for (let n = 0; n < 10; n += 1) await openWaiting(store, { id: numbered(n) })
      await Promise.all(
        Array.from({ length: 40 }, (_, n) => happen(n % 2 ? store : other, numbered(n % 10), { body: '{}' })),
      )
      const { events } = await store.eventsOf('acme', ALL)
      expect(events.map(({ place }) => place)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
      // Of each video in its own order.
      for (let n = 0; n < 10; n += 1) {
        const own = events.flatMap(({ event: one }) => (one.videoId === numbered(n) ? [one.sequence] : []))
        expect(own).toEqual([1, 2, 3, 4])
      }
    })

    test('one that is redelivered is told again at its newest place, and is one event all the same', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      for (const type of ['video.progress', 'video.failed'] as const) await happen(store, numbered(1), { type })
      const id = `evt_${numbered(1)}_1`
      for (let n = 0; n < 2; n += 1) await store.redeliver('acme', id)
      await store.redeliver('other', `evt_${numbered(1)}_2`)
      expect(await placed(store)).toEqual([
        [1, id],
        [2, `evt_${numbered(1)}_2`],
        [4, id],
      ])
      expect(await placed(store, 'acme', { after: 2 })).toEqual([[4, id]])
      expect(await placed(store, 'acme', { types: ['video.failed'] })).toEqual([[2, `evt_${numbered(1)}_2`]])
      expect(await placed(store, 'acme', { limit: 1, after: 1 })).toEqual([[2, `evt_${numbered(1)}_2`]])
      expect(await store.eventsOf('acme', { ...ALL, after: 4 })).toEqual({ events: [], upTo: 4, more: false })
      const past = { limit: 10, before: null, type: null, videoId: null, sinceMs: null, untilMs: null }
      expect(await store.pastEvents('acme', past)).toMatchObject([{ place: 2 }, { place: 1 }])
      await store.change(numbered(1), saving(ended({ id: numbered(1), endedAtMs: clock.now() })))
      clock.jump(HOUR)
      for (const { delivery } of await store.deliveries('acme', deliveriesQuery()))
        expect(delivery.status).not.toBe('pending')
      expect(await store.purge(clock.now(), 10)).toBe(1)
      expect(await placed(store)).toEqual([])
      expect(await store.eventSpan('acme')).toEqual({ last: 4, gone: 2 })
    })

    test('what was not written takes no place', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      await openWaiting(store, { id: numbered(2) })
      await store.change(numbered(1), saving({ backendJobId: 'job_1' }))
      // Its job is another's, so nothing of it is written.
      await store.change(numbered(2), (video) => ({
        kind: 'save',
        video: { ...video, backendJobId: 'job_1' },
        events: [{ event: event(numbered(2), 1), targets: [TARGET] }],
        notes: [],
      }))
      expect(await store.eventSpan('acme')).toEqual({ last: 0, gone: 0 })
    })
  })
}
