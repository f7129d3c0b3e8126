import { describe, expect, test } from 'vitest'
import type { OpenLimits } from '../../../src/core/store/videos.ts'
import type { Store } from '../../../src/core/store/index.ts'
import { draft, idemKey, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, ROOMY, saving } from './helpers.ts'

const AT_ONCE = { slots: null, leaseMs: 1_000 }
const CHARGED = { charged: 1, remaining: null }

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
      expect(await tryOpen(store, 3, two)).toEqual({ kind: 'full', scope: 'videos' })
      expect(await store.video(numbered(3))).toBeNull()
      expect((await tryOpen(store, 4, two, { client: 'other' })).kind).toBe('opened')
      const next = Date.parse('2026-12-01T00:00:00.000Z')
      expect(await tryOpen(store, 5, two, { createdAtMs: next - 1 })).toEqual({ kind: 'full', scope: 'videos' })
      expect((await tryOpen(store, 5, two, { createdAtMs: next })).kind).toBe('opened')
    })

    test('one that is admitted at once is held to them, too', async () => {
      const { store } = current()
      const refused = await store.open(draft(), null, { ...ROOMY, videosPerMonth: 0 }, AT_ONCE)
      expect(refused).toEqual({ kind: 'full', scope: 'videos' })
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
      expect(await tryOpen(store, 4, one)).toEqual({ kind: 'full', scope: 'videos' })
      expect(await store.purge(T0 + 1, 10)).toBe(2)
      expect(await tryOpen(store, 4, one)).toEqual({ kind: 'full', scope: 'videos' })
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
      expect(await tryOpen(store, 3, three)).toEqual({ kind: 'full', scope: 'credits' })
      // It cost nothing that its backend told of.
      await store.change(numbered(2), saving({ phase: 'ended', status: 'failed', endedAtMs: T0, dueAtMs: null }))
      expect((await tryOpen(store, 3, three)).kind).toBe('opened')
      await store.change(numbered(3), saving({ credits: CHARGED }))
      expect(await tryOpen(store, 4, three)).toEqual({ kind: 'full', scope: 'credits' })
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
}
