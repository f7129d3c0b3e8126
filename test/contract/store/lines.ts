import { describe, expect, test } from 'vitest'
import type { AllEventsPage, AllEventsQuery, LinePlaces } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { EventRecord } from '../../../src/core/video.ts'
import { accountId, ended, event, HOUR, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting, saving } from './helpers.ts'
import type { Rivals } from './races.ts'

const START: LinePlaces = new Map()
const ALL: AllEventsQuery = { after: START, limit: 100, types: null }
const ALT = accountId('alt')
const CLIENTS = ['acme', 'other', 'third'] as const

const happen = (store: Store, id: string, given: Partial<EventRecord> = {}) =>
  store.change(id, (video) => ({
    kind: 'save',
    video: { ...video, sequence: video.sequence + 1 },
    events: [{ event: event(id, video.sequence + 1, { client: video.client, ...given }), targets: [] }],
    notes: [],
  }))

/** Videos 1 to `count`, by turns of three clients and two accounts. */
const openSome = async (store: Store, count: number): Promise<void> => {
  for (let n = 1; n <= count; n += 1) {
    const account = n % 2 ? {} : { account: ALT, backend: 'alt' }
    await openWaiting(store, { id: numbered(n), client: CLIENTS[n % 3] ?? 'acme', ...account })
  }
}

const idsOf = ({ events }: AllEventsPage): string[] => events.map((told) => told.event.id)

/** All pages from a place on, each of `limit`. */
const restOf = async (store: Store, after: LinePlaces, given: Partial<AllEventsQuery> = {}): Promise<string[]> => {
  const ids: string[] = []
  for (let from = after; ;) {
    const page = await store.eventsOfAll({ ...ALL, limit: 3, ...given, after: from })
    ids.push(...idsOf(page))
    if (!page.more) return ids
    from = page.upTo
  }
}

/** Two handles write on several lines at once: a reader that goes on all the while hears each event once. */
const eventsOfAll = async ({ store, other, each }: Rivals): Promise<void> => {
  const COUNT = 60
  await openSome(store, 12)
  const heard: string[] = []
  let at = START
  let isOver = false
  const reading = (async () => {
    for (;;) {
      const wasOver = isOver
      const page = await other.eventsOfAll({ ...ALL, limit: 4, after: at })
      heard.push(...idsOf(page))
      at = page.upTo
      if (wasOver && !page.more) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  try {
    await each(COUNT, (one, n) => happen(one, numbered((n % 12) + 1), { id: `evt_${n}` }))
    await each(6, (one, n) => one.redeliver(CLIENTS[(n + 1) % 3] ?? 'acme', `evt_${n}`))
  } finally {
    isOver = true
  }
  await reading
  const expected = [
    ...Array.from({ length: COUNT }, (_, n) => `evt_${n}`),
    ...[0, 1, 2, 3, 4, 5].map((n) => `evt_${n}`),
  ]
  expect(heard.toSorted()).toEqual(expected.toSorted())
}

export const LINE_RACES = {
  eventsOfAll,
  eventSpanOfAll: async ({ store, other, each }: Rivals): Promise<void> => {
    await openSome(store, 4)
    await each(12, (one, n) => happen(one, numbered((n % 4) + 1), { id: `evt_${n}` }))
    const span = await other.eventSpanOfAll()
    expect(span).toEqual(await store.eventSpanOfAll())
    expect(await store.eventsOfAll({ ...ALL, after: span.last })).toMatchObject({ events: [], more: false })
    await happen(other, numbered(1), { id: 'evt_new' })
    expect(idsOf(await store.eventsOfAll({ ...ALL, after: span.last }))).toEqual(['evt_new'])
  },
}

export const lineContract = (current: Current): void => {
  describe('everybody’s events', () => {
    test('come by their time, each once, and go on from any of them', async () => {
      const { store } = current()
      expect(await store.eventsOfAll(ALL)).toMatchObject({ events: [], more: false })
      await openSome(store, 4)
      for (const [n, video] of [2, 1, 3, 4, 1, 2, 4].entries()) {
        await happen(store, numbered(video), { id: `evt_${n}`, atMs: T0 + n })
      }
      const page = await store.eventsOfAll(ALL)
      const order = ['evt_0', 'evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5', 'evt_6']
      expect(idsOf(page)).toEqual(order)
      expect(page.events.map((told) => told.event.client)).toEqual([
        'third',
        'other',
        'acme',
        'other',
        'other',
        'third',
        'other',
      ])
      for (const [n, { upTo }] of page.events.entries()) expect(await restOf(store, upTo)).toEqual(order.slice(n + 1))
      expect(await restOf(store, START)).toEqual(order)
      expect(await restOf(store, page.upTo)).toEqual([])
    })

    test('several of one write are told one by one, and in their order', async () => {
      const { store } = current()
      await openSome(store, 1)
      await store.change(numbered(1), (video) => ({
        kind: 'save',
        video,
        events: [1, 2, 3, 4, 5].map((n) => ({ event: event(numbered(1), n, { client: video.client }), targets: [] })),
        notes: [],
      }))
      const ids = [1, 2, 3, 4, 5].map((n) => `evt_${numbered(1)}_${n}`)
      expect(await restOf(store, START, { limit: 1 })).toEqual(ids)
      const { upTo } = await store.eventsOfAll({ ...ALL, limit: 2 })
      expect(await restOf(store, upTo)).toEqual(ids.slice(2))
    })

    test('of some types only; a call looks at a bounded number of them', async () => {
      const { store } = current()
      await openSome(store, 2)
      const types = ['video.failed'] as const
      for (let n = 0; n < 6; n += 1)
        await happen(store, numbered((n % 2) + 1), { id: `evt_${n}`, type: n < 4 ? 'video.progress' : 'video.failed' })
      expect((await restOf(store, START, { types, limit: 1 })).toSorted()).toEqual(['evt_4', 'evt_5'])
      expect(await restOf(store, START, { types: [] })).toEqual([])
    })

    test('what is about no video is among them, and what is redelivered is told once more', async () => {
      const { store } = current()
      await openSome(store, 2)
      await happen(store, numbered(1), { id: 'evt_0' })
      const { upTo } = await store.eventsOfAll(ALL)
      await store.redeliver('other', 'evt_0')
      await store.redeliver('other', 'evt_0')
      await happen(store, numbered(2), { id: 'evt_1' })
      expect((await restOf(store, upTo)).toSorted()).toEqual(['evt_0', 'evt_1'])
      expect((await restOf(store, START)).toSorted()).toEqual(['evt_0', 'evt_0', 'evt_1'])
    })

    test('it is known of what time events may be gone; a restart changes nothing', async () => {
      const { store, clock, reopen } = current()
      await openSome(store, 2)
      expect(await store.eventSpanOfAll()).toMatchObject({ goneAtMs: 0 })
      await happen(store, numbered(1), { id: 'evt_0', atMs: T0 + 5 })
      await happen(store, numbered(2), { id: 'evt_1', atMs: T0 + 9 })
      await store.change(numbered(1), saving(ended({ id: numbered(1), client: 'other', endedAtMs: clock.now() })))
      clock.jump(HOUR)
      expect(await store.purge(clock.now(), 10)).toBe(1)
      const again = await reopen()
      expect(await again.eventSpanOfAll()).toMatchObject({ goneAtMs: T0 + 5 })
      expect(await restOf(again, START)).toEqual(['evt_1'])
      const { last } = await again.eventSpanOfAll()
      await happen(again, numbered(2), { id: 'evt_2' })
      expect(await restOf(again, last)).toEqual(['evt_2'])
    })
  })
}
