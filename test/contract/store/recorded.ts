import { describe, expect, test } from 'vitest'
import type { RecordedStore, RefusalCount, ShadowRecord } from '../../../src/core/store/accounts.ts'
import { accepted, ended, HOUR, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting } from './helpers.ts'
import type { Rivals } from './races.ts'
import { beside } from './resource-races.ts'

const shadow = (videoId: string, given: Partial<ShadowRecord> = {}): ShadowRecord => ({
  videoId,
  atMs: T0,
  from: 'main',
  to: 'alt',
  verdict: 'warnings',
  kinds: [{ code: 'option_ignored', field: 'language' }],
  ...given,
})

const refused = (given: Partial<RefusalCount> = {}): RefusalCount => ({
  day: '2026-11-20',
  backend: 'alt',
  code: 'voice_not_found',
  field: 'voice_id',
  count: 1,
  ...given,
})

const sumOf = (counts: readonly { count: number }[]): number => counts.reduce((sum, { count }) => sum + count, 0)
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

/** What a move is judged by: videos in the order of their creation, shadows, and counts of what was refused. */
export const recordedContract = (current: Current): void => {
  describe('recorded', () => {
    test('are a backend’s videos of all clients and phases, oldest first, from a time on, page by page', async () => {
      const { store } = current()
      const at = (n: number) => T0 + Math.floor(n / 2) * 1_000
      for (const n of [3, 0, 4, 1, 2])
        await openWaiting(store, { id: numbered(n), client: `c${n % 2}`, createdAtMs: at(n) })
      await openWaiting(store, { id: numbered(9), backend: 'alt', createdAtMs: at(0) })
      await store.change(numbered(1), () => ({
        kind: 'save',
        video: ended({ id: numbered(1), client: 'c1', createdAtMs: at(1) }),
        events: [],
        notes: [],
      }))
      const ids = async (...args: Parameters<RecordedStore['recorded']>) =>
        (await store.recorded(...args)).map(({ id }) => id)
      expect(await ids('main', 0, null, 10)).toEqual(numbers(5).map(numbered))
      expect(await ids('main', T0 + 1_000, null, 10)).toEqual([2, 3, 4].map(numbered))
      expect(await ids('main', 0, null, 2)).toEqual([0, 1].map(numbered))
      expect(await ids('main', 0, { atMs: at(2), id: numbered(2) }, 2)).toEqual([3, 4].map(numbered))
      expect(await ids('main', 0, { atMs: at(4), id: numbered(4) }, 2)).toEqual([])
      expect(await ids('other', 0, null, 2)).toEqual([])
    })
  })

  describe('shadows', () => {
    test('are kept once each, of videos that there are, and go with them', async () => {
      const { store, clock, reopen } = current()
      await openWaiting(store, ended({ id: 'vid_1', endedAtMs: clock.now() }))
      await openWaiting(store, accepted({ id: 'vid_2' }))
      const other = shadow('vid_2', { atMs: T0 + 1, verdict: 'untouched', kinds: [] })
      await store.putShadows([shadow('vid_1'), other, shadow('vid_3')])
      await store.putShadows([shadow('vid_1', { verdict: 'not_at_all' })])
      const again = await reopen()
      expect(await again.shadows('main', 'alt', 0, null, 10)).toEqual([shadow('vid_1'), other])
      expect(await again.shadows('main', 'alt', 0, { atMs: T0, id: 'vid_1' }, 10)).toEqual([other])
      expect(await again.shadows('main', 'alt', T0 + 1, null, 10)).toEqual([other])
      expect(await again.shadows('alt', 'main', 0, null, 10)).toEqual([])
      clock.jump(HOUR)
      await again.purge(clock.now(), 10)
      expect(await again.shadows('main', 'alt', 0, null, 10)).toEqual([other])
    })
  })

  describe('refusals', () => {
    test('add up by day, backend, code and field, and are read from a day on', async () => {
      const { store } = current()
      await store.countRefusals([refused(), refused({ field: null, count: 3 }), refused({ day: '2026-11-21' })])
      await store.countRefusals([refused({ count: 2 }), refused({ backend: 'main' })])
      expect(await store.refusals('alt', T0)).toEqual([
        refused({ field: null, count: 3 }),
        refused({ count: 3 }),
        refused({ day: '2026-11-21' }),
      ])
      expect(await store.refusals('alt', T0 + 24 * HOUR)).toEqual([refused({ day: '2026-11-21' })])
      expect(await store.refusals('main', 0)).toEqual([refused({ backend: 'main' })])
    })

    test('are removed by days, a few at once', async () => {
      const { store } = current()
      for (const day of ['2026-11-18', '2026-11-19', '2026-11-20']) await store.countRefusals([refused({ day })])
      expect(await store.purgeRefusals(T0, 1)).toBe(1)
      expect(await store.purgeRefusals(T0, 10)).toBe(1)
      expect(await store.purgeRefusals(T0, 10)).toBe(0)
      expect(await store.refusals('alt', 0)).toEqual([refused()])
    })
  })
}

export const RECORDED_RACES = {
  putShadows: async ({ store, each }) => {
    for (const n of numbers(10)) await openWaiting(store, { id: numbered(n) })
    await each(40, (one, n) => one.putShadows([shadow(numbered(n % 10))]))
    expect(await store.shadows('main', 'alt', 0, null, 100)).toHaveLength(10)
  },

  countRefusals: async ({ store, each }) => {
    await each(40, (one) => one.countRefusals([refused(), refused({ code: 'invalid_request' })]))
    expect(sumOf(await store.refusals('alt', 0))).toBe(80)
  },

  purgeRefusals: async ({ store, each }) => {
    for (const n of numbers(20)) await store.countRefusals([refused({ day: '2026-10-01', code: `code_${n}` })])
    expect((await each(10, (one) => one.purgeRefusals(T0, 7))).reduce((sum, one) => sum + one, 0)).toBe(20)
  },

  recorded: (rivals) =>
    beside(
      rivals,
      async (store, round) => void (await openWaiting(store, { id: numbered(round), createdAtMs: T0 + round })),
      async (reader) => {
        const ids = (await reader.recorded('main', 0, null, 1_000)).map(({ id }) => id)
        return ids.every((id, n) => id === numbered(n + 1)) ? undefined : ids
      },
    ),

  shadows: (rivals) =>
    beside(
      rivals,
      async (store, round) => {
        await openWaiting(store, { id: numbered(round) })
        await store.putShadows([shadow(numbered(round), { atMs: T0 + round })])
      },
      async (reader) => {
        const found = await reader.shadows('main', 'alt', 0, null, 1_000)
        return found.every(({ videoId }, n) => videoId === numbered(n + 1)) ? undefined : found
      },
    ),

  refusals: (rivals) =>
    beside(
      rivals,
      (store) => store.countRefusals([refused(), refused({ field: null })]),
      async (reader) => {
        const [none, named] = await reader.refusals('alt', 0)
        return none?.count === named?.count ? undefined : { none, named }
      },
    ),
} satisfies Partial<Record<keyof RecordedStore, (rivals: Rivals) => Promise<void>>>
