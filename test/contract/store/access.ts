import { describe, expect, test } from 'vitest'
import type { AccessChange, AuditQuery } from '../../../src/core/store/admin.ts'
import type { Store } from '../../../src/core/store/index.ts'
import { auditEntry, clientRecord, keyRecord } from '../../fakes/access.ts'
import { must } from '../../fakes/must.ts'
import { MINUTE, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import type { Rivals } from './races.ts'

let entries = 0
/** Each with an entry of its own. */
const changing = (change: Partial<AccessChange>): AccessChange => {
  entries += 1
  return { keys: [], clients: [], audit: auditEntry(`aud_${String(entries).padStart(6, '0')}`), ...change }
}
const auditQuery = (given: Partial<AuditQuery> = {}): AuditQuery => ({
  actor: null,
  action: null,
  subject: null,
  sinceMs: null,
  before: null,
  limit: 100,
  ...given,
})
const put = async (store: Store, ...ids: string[]): Promise<void> => {
  for (const id of ids) await store.changeAccess(changing({ keys: [keyRecord({ id })] }))
}
const seen = async ({ store, other }: Rivals, read: (one: Store) => Promise<unknown>): Promise<void> => {
  const key = keyRecord()
  await store.changeAccess(changing({ keys: [key], clients: [clientRecord()] }))
  expect(await read(other)).toEqual(await read(store))
  expect(JSON.stringify(await read(other))).toMatch(/acme/)
}

export const ACCESS_RACES = {
  changeAccess: async ({ store, other, each }: Rivals) => {
    // One of all that read the same wins, round after round, and every change has a number of its own.
    for (const change of [0, 1]) {
      const known = (await store.keyOf('key_1'))?.change ?? 0
      expect(known > 0).toBe(change > 0)
      const written = await each(20, (one, n) =>
        one.changeAccess(changing({ keys: [keyRecord({ name: `of ${n}`, change: known })] })),
      )
      expect(written.filter((one) => one !== null)).toHaveLength(1)
      const name = `of ${written.findIndex((one) => one !== null)}`
      expect(await other.keyOf('key_1')).toMatchObject({ name, change: must(must(written.find(Boolean))[0]) })
    }
    expect(await store.audit(auditQuery())).toHaveLength(2)
    // Who reads on while others write misses none.
    let mark = 0
    const read: string[] = []
    const readOn = async (): Promise<void> => {
      for (const key of await other.keysSince(mark, 100)) {
        read.push(key.id)
        mark = key.change
      }
    }
    const writing = each(40, async (one, n) => {
      await one.changeAccess(changing({ keys: [keyRecord({ id: `key_of_${n}` })] }))
    })
    for (let n = 0; n < 10; n += 1) await readOn()
    await writing
    await readOn()
    expect(new Set(read).size).toBe(41)
  },
  keysUsed: async ({ store, other, each }: Rivals) => {
    await put(store, 'key_1', 'key_2')
    await each(20, (one, n) => one.keysUsed(['key_1', 'key_2'].map((id) => ({ id, atMs: T0 + n }))))
    for (const one of [store, other]) expect(await one.keyOf('key_2')).toMatchObject({ usedAtMs: T0 + 19 })
  },
  purgeKeys: async ({ store, each }: Rivals) => {
    for (let n = 0; n < 10; n += 1)
      await store.changeAccess(changing({ keys: [keyRecord({ id: `key_${n}`, expiresAtMs: T0 - 1 })] }))
    const removed = await each(20, (one) => one.purgeKeys(T0, 3))
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(10)
  },
  keysSince: (rivals: Rivals) => seen(rivals, (one) => one.keysSince(0, 10)),
  clientsSince: (rivals: Rivals) => seen(rivals, (one) => one.clientsSince(0, 10)),
  keyOf: (rivals: Rivals) => seen(rivals, (one) => one.keyOf('key_1')),
  clientOf: (rivals: Rivals) => seen(rivals, (one) => one.clientOf('acme')),
  keys: (rivals: Rivals) => seen(rivals, (one) => one.keys({ client: null, before: null, limit: 10 })),
  audit: (rivals: Rivals) => seen(rivals, (one) => one.audit(auditQuery())),
}

export const accessContract = (current: Current): void => {
  describe('keys and clients', () => {
    test('are read as they were written, after a restart, too; those of one write together, or not at all', async () => {
      const { store, reopen } = current()
      const key = keyRecord({ name: 'Ünï', scopes: ['admin', 'videos:read'], expiresAtMs: T0 + 5 })
      const client = clientRecord({ backends: ['main'], description: 'The shop' })
      const first = must(await store.changeAccess(changing({ keys: [key], clients: [client] })))
      expect(first).toHaveLength(2)
      expect(new Set(first).size).toBe(2)
      const [ofKey = 0, ofClient = 0] = first
      // One of the two is not as it was read.
      const rotated = { ...key, change: ofKey, rotatedTo: 'key_2' }
      const next = keyRecord({ id: 'key_2', replaces: 'key_1' })
      for (const refused of [
        { keys: [next, { ...rotated, change: ofKey - 1 }] },
        { keys: [next], clients: [clientRecord()] },
        { keys: [keyRecord({ id: 'key_none', change: 7 })] },
      ])
        expect(await store.changeAccess(changing(refused))).toBeNull()
      expect(await store.keys({ client: null, before: null, limit: 10 })).toEqual([
        { ...key, change: ofKey, usedAtMs: null },
      ])
      const again = must(await store.changeAccess(changing({ keys: [rotated, next] })))
      const after = await reopen()
      expect(await after.keyOf('key_1')).toEqual({ ...rotated, change: again[0], usedAtMs: null })
      expect(await after.keyOf('key_2')).toEqual({ ...next, change: again[1], usedAtMs: null })
      expect(await after.clientOf('acme')).toEqual({ ...client, change: ofClient })
      expect(await after.keyOf('key_none')).toBeNull()
      expect(await after.clientOf('none')).toBeNull()
      expect(Math.min(...again)).toBeGreaterThan(Math.max(...first))
      expect(await after.audit(auditQuery())).toHaveLength(2)
    })

    test('what was written since is read in pages, in the order of writing, each as it is now', async () => {
      const { store } = current()
      await put(store, 'key_1', 'key_2', 'key_3')
      const one = must(await store.keyOf('key_1'))
      await store.changeAccess(changing({ keys: [{ ...keyRecord(), change: one.change, revokedAtMs: T0 }] }))
      await store.changeAccess(changing({ clients: [clientRecord()] }))
      const page = await store.keysSince(0, 2)
      expect(page.map(({ id }) => id)).toEqual(['key_2', 'key_3'])
      const [last, ...more] = await store.keysSince(must(page[1]).change, 2)
      expect(last).toMatchObject({ id: 'key_1', revokedAtMs: T0 })
      expect(more).toEqual([])
      expect(await store.keysSince(must(last).change, 2)).toEqual([])
      const [client] = await store.clientsSince(must(last).change, 2)
      expect(client).toMatchObject({ id: 'acme' })
    })

    test('keys are listed newest first, of all clients or one; when they were used is no change of them', async () => {
      const { store } = current()
      for (const [n, client] of ['acme', 'other', 'acme', 'acme'].entries())
        await store.changeAccess(changing({ keys: [keyRecord({ id: `key_${n}`, client })] }))
      const ids = async (client: string | null, before: string | null, limit = 10) =>
        (await store.keys({ client, before, limit })).map(({ id }) => id)
      expect(await ids(null, null, 3)).toEqual(['key_3', 'key_2', 'key_1'])
      expect(await ids(null, 'key_1')).toEqual(['key_0'])
      expect(await ids('acme', 'key_3')).toEqual(['key_2', 'key_0'])
      const { change } = must(await store.keyOf('key_0'))
      for (const atMs of [T0 + 5, T0 + 3])
        await store.keysUsed([
          { id: 'key_0', atMs },
          { id: 'key_none', atMs },
        ])
      expect(await store.keyOf('key_0')).toMatchObject({ change, usedAtMs: T0 + 5 })
    })

    test('keys that ended go when that is long ago, some at a time; their numbers do not come again', async () => {
      const { store } = current()
      const ends = { key_1: { revokedAtMs: T0 }, key_2: { expiresAtMs: T0 + 1 }, key_3: { expiresAtMs: T0 + MINUTE } }
      await put(store, 'key_4')
      for (const [id, end] of Object.entries(ends))
        await store.changeAccess(changing({ keys: [keyRecord({ id, ...end })] }))
      expect(await store.purgeKeys(T0 + 2, 1)).toBe(1)
      expect(await store.keyOf('key_1')).toBeNull()
      expect(await store.purgeKeys(T0 + 2, 5)).toBe(1)
      expect(await store.purgeKeys(T0 + 2, 5)).toBe(0)
      const { change } = must(await store.keyOf('key_3'))
      expect(await store.purgeKeys(T0 + MINUTE + 1, 5)).toBe(1)
      await put(store, 'key_5')
      expect(must(await store.keyOf('key_5')).change).toBeGreaterThan(change)
    })
  })

  describe('the audit log', () => {
    test('tells all of an entry, newest first, by each filter, in pages', async () => {
      const { store } = current()
      const given = [
        { actor: 'ops', action: 'key.create', subject: 'key_1', atMs: T0 },
        {
          actor: 'gateway',
          action: 'split.stop',
          subject: 'rule',
          atMs: T0 + 1,
          key: null,
          address: null,
          requestId: null,
        },
        { actor: 'ops', action: 'key.revoke', subject: 'key_1', atMs: T0 + 2 },
        { actor: 'other', action: 'key.revoke', subject: 'key_2', atMs: T0 + 3 },
      ] as const
      for (const [n, entry] of given.entries())
        await store.changeAccess({ keys: [], clients: [], audit: auditEntry(`aud_${n}`, entry) })
      const ids = async (query: Partial<AuditQuery>) =>
        (await store.audit(auditQuery(query))).map(({ entry }) => entry.id.slice(4)).join('')
      expect(await ids({})).toBe('3210')
      expect(await ids({ actor: 'ops' })).toBe('20')
      expect(await ids({ action: 'key.revoke' })).toBe('32')
      expect(await ids({ subject: 'key_1' })).toBe('20')
      expect(await ids({ subject: 'key_1', actor: 'ops', action: 'key.create' })).toBe('0')
      expect(await ids({ sinceMs: T0 + 2 })).toBe('32')
      const [, second] = await store.audit(auditQuery())
      expect(await ids({ before: must(second).place, limit: 1 })).toBe('1')
      expect(await ids({ before: must(second).place, actor: 'ops' })).toBe('0')
      const all = (await store.audit(auditQuery())).map(({ entry }) => entry)
      expect(all).toEqual(given.map((entry, n) => auditEntry(`aud_${n}`, entry)).toReversed())
    })
  })
}
