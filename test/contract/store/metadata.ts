import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import type { MetadataQuery } from '../../../src/core/store/videos.ts'
import { draft, ended, HOUR, listQuery, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting, ROOMY, saving } from './helpers.ts'
import type { Rivals } from './races.ts'

const ORDER = { key: null, value: '1001' }
const MANY = { ...ROOMY, queue: 10_000, client: 10_000 }
const asked = (given: Partial<MetadataQuery> = {}): MetadataQuery => ({
  ...listQuery(),
  client: 'acme',
  metadata: ORDER,
  ...given,
})

/** All pages of two. */
const found = async (store: Store, given: Partial<MetadataQuery> = {}): Promise<string[]> => {
  const ids: string[] = []
  let before: MetadataQuery['before'] = null
  do {
    const page = await store.withMetadata(asked({ limit: 2, ...given, before }))
    ids.push(...page.videos.map(({ id }) => id))
    before = page.next
  } while (before)
  return ids
}

/** Of two clients in turn; every third has the order in question. */
const openSome = async (store: Store): Promise<void> => {
  for (let n = 1; n <= 12; n += 1) {
    await openWaiting(store, {
      id: numbered(n),
      client: n % 2 ? 'acme' : 'other',
      backend: n % 4 < 2 ? 'main' : 'alt',
      createdAtMs: T0 + Math.floor(n / 2),
      metadata: n % 3 === 0 ? { order: '1001', team: 'a' } : { order: '1002', ref: n === 5 ? '1001' : 'x' },
    })
  }
}

export const METADATA_RACES = {
  withMetadata: async ({ store, other, each }: Rivals): Promise<void> => {
    await each(20, (one, n) => openWaiting(one, { id: numbered(n), metadata: { order: n % 2 ? '1001' : '1002' } }))
    const ids = await found(store)
    expect(ids).toHaveLength(10)
    expect(await found(other)).toEqual(ids)
  },
}

export const metadataContract = (current: Current): void => {
  describe('videos by their metadata', () => {
    test('by a value of any key or of one, of a client or of all, newest first, in pages', async () => {
      const { store } = current()
      await openSome(store)
      expect(await found(store)).toEqual([9, 5, 3].map(numbered))
      expect(await found(store, { client: null })).toEqual([12, 9, 6, 5, 3].map(numbered))
      expect(await found(store, { metadata: { key: 'order', value: '1001' } })).toEqual([9, 3].map(numbered))
      expect(await found(store, { metadata: { key: 'ref', value: '1001' } })).toEqual([numbered(5)])
      expect(await found(store, { metadata: { key: 'nothing', value: '1001' } })).toEqual([])
      for (const value of ['100', '1001 ', ''])
        expect(await found(store, { metadata: { key: null, value } })).toEqual([])
      expect(await found(store, { client: 'third' })).toEqual([])
    })

    test('beside every other filter', async () => {
      const { store } = current()
      await openSome(store)
      await store.change(numbered(9), saving({ phase: 'ended', status: 'completed', endedAtMs: T0, dueAtMs: null }))
      expect(await found(store, { status: 'completed' })).toEqual([numbered(9)])
      expect(await found(store, { status: 'queued' })).toEqual([5, 3].map(numbered))
      expect(await found(store, { backends: ['main'] })).toEqual([9, 5].map(numbered))
      expect(await found(store, { backends: ['alt', 'main'] })).toEqual(await found(store))
      expect(await found(store, { backends: ['main'], status: 'queued', client: null })).toEqual([12, 5].map(numbered))
      expect(await found(store, { createdAfterMs: T0 + 1, createdBeforeMs: T0 + 4 })).toEqual([numbered(5)])
    })

    test('exactly: by its letters, whatever they are, and once where two keys have it', async () => {
      const { store } = current()
      const long = 'é🎬'.repeat(160)
      await openWaiting(store, { id: numbered(1), metadata: { a: 'Ä"\\%_', b: 'Ä"\\%_', ключ: long } })
      await openWaiting(store, { id: numbered(2), metadata: { a: 'ä"\\%_', b: `${long}x` } })
      expect(await found(store, { metadata: { key: null, value: 'Ä"\\%_' }, limit: 1 })).toEqual([numbered(1)])
      expect(await found(store, { metadata: { key: 'ключ', value: long } })).toEqual([numbered(1)])
    })

    test('also where a database cannot tell two keys apart', async () => {
      const { store } = current()
      const metadata = { '\ud800': 'first', '\udbff': 'second', 'a\0': 'third', 'a\ufffd': 'fourth' }
      await openWaiting(store, { id: numbered(1), metadata })
      expect((await store.video(numbered(1)))?.metadata).toEqual(metadata)
      expect(await found(store, { metadata: { key: null, value: 'first' } })).toEqual([numbered(1)])
    })

    test('where a call ends between two keys of a video that have the value', async () => {
      const { store } = current()
      // Newest first: 999 with the value once, then one that has it twice.
      for (let n = 1; n <= 999; n += 1)
        await store.open(draft({ id: numbered(n), createdAtMs: T0 + n, metadata: { z: '1001' } }), null, MANY, null)
      const twice = { b: '1001', c: '1001' }
      await store.open(draft({ id: numbered(0), createdAtMs: T0, metadata: twice }), null, MANY, null)
      for (const key of ['b', 'c'])
        expect(await found(store, { metadata: { key, value: '1001' } })).toEqual([numbered(0)])
    })

    test('where many have the value and few the rest, one call reads a bounded number, and all calls find all', async () => {
      const { store } = current()
      const COUNT = 1_100
      for (let n = 0; n < COUNT; n += 1)
        await store.open(draft({ id: numbered(n), createdAtMs: T0 + n, metadata: { env: 'prod' } }), null, MANY, null)
      const metadata = { key: 'env', value: 'prod' }
      await store.change(numbered(3), saving({ phase: 'ended', status: 'failed', endedAtMs: T0, dueAtMs: null }))
      const first = await store.withMetadata(asked({ metadata, status: 'failed' }))
      expect(first).toMatchObject({ videos: [], next: { id: expect.any(String) } })
      expect(await found(store, { metadata, status: 'failed' })).toEqual([numbered(3)])
    })

    test('what is removed is found no more', async () => {
      const { store, clock } = current()
      await openSome(store)
      await store.change(numbered(9), (video) => ({
        kind: 'save',
        video: ended({ ...video, phase: 'ended', status: 'completed', endedAtMs: clock.now(), dueAtMs: null }),
        events: [],
        notes: [],
      }))
      await store.change(numbered(5), () => ({ kind: 'discard' }))
      clock.jump(HOUR)
      expect(await store.purge(clock.now(), 10)).toBe(1)
      expect(await found(store)).toEqual([numbered(3)])
    })
  })
}
