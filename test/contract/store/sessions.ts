import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import { sessionRecord } from '../../fakes/access.ts'
import { HOUR, MINUTE, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import type { Rivals } from './races.ts'

const idsOf = async (store: Store, ids: readonly string[]): Promise<string[]> =>
  (await store.sessions(ids)).map(({ id }) => id).toSorted()
const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `session_${n}`)

export const SESSION_RACES = {
  beginSession: async ({ store, other, each }: Rivals) => {
    const ids = numbered(20)
    await each(20, (one, n) => one.beginSession(sessionRecord({ id: `session_${n}`, createdAtMs: T0 + n }), 5))
    // Whoever came last: no more than there may be, and the newest is one of them.
    const left = await idsOf(other, ids)
    expect(left).toHaveLength(5)
    expect(await idsOf(store, ids)).toEqual(left)
    expect(left).toContain('session_19')
  },
  sessionSeen: async ({ store, other, each }: Rivals) => {
    await store.beginSession(sessionRecord(), 5)
    await each(20, (one, n) => one.sessionSeen('session_1', T0 + n, T0 + HOUR + n))
    for (const one of [store, other])
      expect(await one.sessions(['session_1'])).toMatchObject([{ seenAtMs: T0 + 19, endsAtMs: T0 + HOUR + 19 }])
  },
  endSession: async ({ store, other, each }: Rivals) => {
    await store.beginSession(sessionRecord(), 5)
    const ended = await each(20, (one, n) =>
      n % 2 === 0 ? one.endSession('session_1') : one.sessionSeen('session_1', T0 + n, T0 + HOUR + n).then(() => false),
    )
    expect(ended.filter(Boolean)).toHaveLength(1)
    // Nobody who used it meanwhile brought it back.
    expect(await other.sessions(['session_1'])).toEqual([])
  },
  purgeSessions: async ({ store, each }: Rivals) => {
    for (const id of numbered(10)) await store.beginSession(sessionRecord({ id, endsAtMs: T0 - 1 }), 50)
    const removed = await each(20, (one) => one.purgeSessions(T0, 3))
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(10)
  },
  sessions: async ({ store, other }: Rivals) => {
    await store.beginSession(sessionRecord(), 5)
    expect(await other.sessions(['session_1'])).toEqual([sessionRecord()])
  },
}

export const sessionContract = (current: Current): void => {
  describe('sessions', () => {
    test('are read as they were written, after a restart, too; unknown ones are none', async () => {
      const { store, reopen } = current()
      const one = sessionRecord()
      const two = sessionRecord({ id: 'session_2', client: 'Ünï', key: 'hmac_x', endsAtMs: T0 + 1 })
      for (const session of [one, two]) await store.beginSession(session, 5)
      const after = await reopen()
      const found = await after.sessions(['session_2', 'none', 'session_1'])
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([one, two])
      expect(await after.sessions([])).toEqual([])
    })

    test('of a client only the newest are kept; those of others are not its affair', async () => {
      const { store } = current()
      await store.beginSession(sessionRecord({ id: 'theirs', client: 'other', createdAtMs: T0 - HOUR }), 3)
      for (const [n, id] of numbered(5).entries())
        await store.beginSession(sessionRecord({ id, createdAtMs: T0 + n }), 3)
      expect(await idsOf(store, [...numbered(5), 'theirs'])).toEqual(['session_2', 'session_3', 'session_4', 'theirs'])
    })

    test('are seen later, and never earlier; one that ended stays so', async () => {
      const { store } = current()
      await store.beginSession(sessionRecord(), 5)
      await store.sessionSeen('session_1', T0 + MINUTE, T0 + 9 * HOUR)
      await store.sessionSeen('session_1', T0 + 1, T0 + HOUR)
      const seen = sessionRecord({ seenAtMs: T0 + MINUTE, endsAtMs: T0 + 9 * HOUR })
      expect(await store.sessions(['session_1'])).toEqual([seen])
      expect(await store.endSession('session_1')).toBe(true)
      expect(await store.endSession('session_1')).toBe(false)
      await store.sessionSeen('session_1', T0 + HOUR, T0 + 10 * HOUR)
      expect(await store.sessions(['session_1'])).toEqual([])
    })

    test('go when they are over, some at a time', async () => {
      const { store } = current()
      const ends = [T0, T0 + 1, T0 + 2, T0 + HOUR]
      for (const [n, endsAtMs] of ends.entries())
        await store.beginSession(sessionRecord({ id: `session_${n}`, endsAtMs }), 9)
      expect(await store.purgeSessions(T0 + 2, 1)).toBe(1)
      expect(await idsOf(store, numbered(4))).toEqual(['session_1', 'session_2', 'session_3'])
      expect(await store.purgeSessions(T0 + 2, 5)).toBe(1)
      expect(await store.purgeSessions(T0 + 2, 5)).toBe(0)
      expect(await idsOf(store, numbered(4))).toEqual(['session_2', 'session_3'])
    })
  })
}
