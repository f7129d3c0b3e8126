import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import type { Begun, Intent } from '../../../src/core/store/videos.ts'
import { ACCOUNT, accountId, HOUR, idemKey, puppetRecord, uploadRecord } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { LEASE_MS } from './helpers.ts'

const KEY = idemKey({ operation: 'POST /uploads' })
const INTENT: Intent = { account: ACCOUNT, backend: 'main', resource: 'upl_1' }

const begun = async (store: Store, given: Partial<Intent> = {}): Promise<Extract<Begun, { kind: 'begun' }>> => {
  const outcome = await store.begin(KEY, { ...INTENT, ...given }, LEASE_MS)
  if (outcome.kind !== 'begun') throw new Error(`not begun but ${outcome.kind}`)
  return outcome
}

/** Creates of what is no video, under an idempotency key. */
export const keyedContract = (current: Current): void => {
  describe('begin', () => {
    test('takes a key for one attempt, and says so to the next', async () => {
      const { store, clock } = current()
      expect(await begun(store)).toEqual({
        kind: 'begun',
        lease: { id: KEY.key, token: expect.any(String) as string, untilMs: clock.now() + LEASE_MS },
        resource: 'upl_1',
        again: false,
      })
      expect(await store.begin(KEY, INTENT, LEASE_MS)).toEqual({ kind: 'running', untilMs: clock.now() + LEASE_MS })
      expect(await store.intentOf(KEY)).toEqual(INTENT)
    })

    test('of 20 at once one begins', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (handles[n % 2] ?? store).begin(KEY, INTENT, LEASE_MS)),
      )
      expect(all.map(({ kind }) => kind).toSorted()).toEqual(['begun', ...Array<string>(19).fill('running')])
    })

    test.each([
      ['client', { client: 'other' }],
      ['operation', { operation: 'POST /puppets' }],
      ['key', { key: 'order-2' }],
    ])('keys are apart by %s', async (_, other) => {
      const { store } = current()
      await begun(store)
      expect(await store.begin({ ...KEY, ...other }, INTENT, LEASE_MS)).toMatchObject({ kind: 'begun', again: false })
      expect(await store.intentOf({ ...KEY, client: 'nobody' })).toBeNull()
    })

    test('another fingerprint is a conflict, whatever became of the first', async () => {
      const { store, clock } = current()
      const other = { ...KEY, fingerprint: 'f2' }
      const { lease } = await begun(store)
      expect(await store.begin(other, INTENT, LEASE_MS)).toEqual({ kind: 'conflict' })
      await store.unmade(KEY, lease, 'doubt')
      expect(await store.begin(other, INTENT, LEASE_MS)).toEqual({ kind: 'conflict' })
      clock.jump(LEASE_MS)
      expect(await store.begin(other, INTENT, LEASE_MS)).toEqual({ kind: 'conflict' })
      await store.made({ kind: 'upload', record: uploadRecord() }, KEY)
      expect(await store.begin(other, INTENT, LEASE_MS)).toEqual({ kind: 'conflict' })
    })

    test('an attempt that was never ended is repeated when its lease runs out, under the name of the first', async () => {
      const { store, clock } = current()
      const first = await begun(store)
      clock.jump(LEASE_MS - 1)
      expect((await store.begin(KEY, INTENT, LEASE_MS)).kind).toBe('running')
      clock.jump(1)
      const second = await begun(store, { resource: 'upl_2', backend: 'other', account: accountId('other') })
      expect(second).toMatchObject({ again: true, resource: 'upl_1' })
      expect(second.lease.token).not.toBe(first.lease.token)
      expect(await store.intentOf(KEY)).toEqual({ account: accountId('other'), backend: 'other', resource: 'upl_1' })
    })

    test('a key is forgotten 24 hours after it was last begun', async () => {
      const { store, clock } = current()
      await begun(store)
      clock.jump(24 * HOUR - 1)
      expect((await store.begin({ ...KEY, fingerprint: 'f2' }, INTENT, LEASE_MS)).kind).toBe('conflict')
      clock.jump(1)
      expect(await store.intentOf(KEY)).toBeNull()
      expect(await store.begin({ ...KEY, fingerprint: 'f2' }, INTENT, LEASE_MS)).toMatchObject({ again: false })
    })
  })

  describe('unmade', () => {
    test('free: as if the key had never been used', async () => {
      const { store } = current()
      const { lease } = await begun(store)
      await store.unmade(KEY, lease, 'free')
      expect(await store.intentOf(KEY)).toBeNull()
      expect(await store.begin({ ...KEY, fingerprint: 'f2' }, INTENT, LEASE_MS)).toMatchObject({ again: false })
    })

    test('doubt: the next may repeat it at once, and is told that it repeats', async () => {
      const { store } = current()
      const { lease } = await begun(store)
      await store.unmade(KEY, lease, 'doubt')
      expect((await begun(store)).again).toBe(true)
    })

    test('says nothing from the holder of a lease that others took since, nor of what was made', async () => {
      const { store, clock } = current()
      const { lease: late } = await begun(store)
      clock.jump(LEASE_MS)
      const { lease } = await begun(store)
      await store.unmade(KEY, late, 'free')
      await store.unmade(KEY, late, 'doubt')
      expect((await store.begin(KEY, INTENT, LEASE_MS)).kind).toBe('running')
      await store.made({ kind: 'upload', record: uploadRecord() }, KEY)
      await store.unmade(KEY, lease, 'free')
      expect((await store.begin(KEY, INTENT, LEASE_MS)).kind).toBe('done')
    })
  })

  describe('made', () => {
    test('the key leads to what was made, also told late', async () => {
      const { store, clock } = current()
      await begun(store, { resource: null })
      clock.jump(LEASE_MS)
      await begun(store, { resource: null })
      await store.made({ kind: 'puppet', record: puppetRecord() }, KEY)
      const done = { kind: 'done', intent: { ...INTENT, resource: 'pup_1' } }
      expect(await store.begin(KEY, INTENT, LEASE_MS)).toEqual(done)
      // Told once more, by the other attempt.
      await store.made({ kind: 'puppet', record: puppetRecord() }, KEY)
      expect(await store.begin(KEY, INTENT, LEASE_MS)).toEqual(done)
    })

    test('a key that was freed, or speaks of another request or account, stays as it is', async () => {
      const { store } = current()
      await store.made({ kind: 'upload', record: uploadRecord() }, KEY)
      expect(await store.intentOf(KEY)).toBeNull()
      await begun(store)
      await store.made({ kind: 'upload', record: uploadRecord() }, { ...KEY, fingerprint: 'f2' })
      await store.made({ kind: 'upload', record: uploadRecord({ account: accountId('other') }) }, KEY)
      expect((await store.begin(KEY, INTENT, LEASE_MS)).kind).toBe('running')
    })

    test('is remembered for 24 hours, however often it is told', async () => {
      const { store, clock } = current()
      await begun(store)
      clock.jump(HOUR)
      await store.made({ kind: 'upload', record: uploadRecord() }, KEY)
      clock.jump(23 * HOUR)
      await store.made({ kind: 'upload', record: uploadRecord() }, KEY)
      clock.jump(HOUR - 1)
      expect((await store.begin(KEY, INTENT, LEASE_MS)).kind).toBe('done')
      clock.jump(1)
      expect((await begun(store)).again).toBe(false)
    })
  })
}
