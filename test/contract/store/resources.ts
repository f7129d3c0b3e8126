import { describe, expect, test } from 'vitest'
import { ACCOUNT, accountId, HOUR, idemKey, puppet, puppetRecord, T0, uploadRecord } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { LEASE_MS } from './helpers.ts'

/** Puppets that clients created, and uploads that they reserved. */
export const resourceContract = (current: Current): void => {
  describe('puppets', () => {
    test('are their account’s and their creator’s, until they are forgotten', async () => {
      const { store, reopen } = current()
      await store.made({ kind: 'puppet', record: puppetRecord() }, null)
      expect(await store.puppetMade(ACCOUNT, 'pup_1')).toEqual(puppetRecord())
      expect(await store.puppetMade(accountId('other'), 'pup_1')).toBeNull()
      expect(await store.puppetMade(ACCOUNT, 'pup_2')).toBeNull()
      const again = await reopen()
      await again.forgetPuppet(accountId('other'), 'pup_1')
      expect(await again.puppetMade(ACCOUNT, 'pup_1')).toEqual(puppetRecord())
      await again.forgetPuppet(ACCOUNT, 'pup_1')
      expect(await again.puppetMade(ACCOUNT, 'pup_1')).toBeNull()
    })

    test('nobody becomes the owner of another’s by being answered with it', async () => {
      const { store } = current()
      await store.made({ kind: 'puppet', record: puppetRecord() }, null)
      await store.made({ kind: 'puppet', record: puppetRecord({ client: 'other', puppet: puppet('pup_1') }) }, null)
      expect((await store.puppetMade(ACCOUNT, 'pup_1'))?.client).toBe('acme')
    })
  })

  test('a key is forgotten with the puppet that it made, and only with that', async () => {
    const { store, reopen } = current()
    const keys = [idemKey({ key: 'k1' }), idemKey({ key: 'k2' })]
    for (const [n, key] of keys.entries()) {
      await store.begin(key, { account: ACCOUNT, backend: 'main', resource: null }, LEASE_MS)
      await store.made({ kind: 'puppet', record: puppetRecord({ puppet: puppet(`pup_${n + 1}`) }) }, key)
    }
    await store.forgetPuppet(ACCOUNT, 'pup_1')
    const again = await reopen()
    const begin = (n: number, fingerprint = 'f1') =>
      again.begin(
        idemKey({ key: `k${n}`, fingerprint }),
        { account: ACCOUNT, backend: 'main', resource: null },
        LEASE_MS,
      )
    expect(await begin(2)).toMatchObject({ kind: 'done', intent: { resource: 'pup_2' } })
    expect(await begin(2, 'f2')).toEqual({ kind: 'conflict' })
    expect(await begin(1)).toMatchObject({ kind: 'begun', again: false, resource: null })
    expect(await begin(1)).toMatchObject({ kind: 'running' })
    await again.made({ kind: 'puppet', record: puppetRecord({ puppet: puppet('pup_3') }) }, idemKey({ key: 'k1' }))
    expect(await begin(1)).toMatchObject({ kind: 'done', intent: { resource: 'pup_3' } })
  })

  describe('uploads', () => {
    test('are found by id, by their client alone', async () => {
      const { store, reopen } = current()
      await store.made({ kind: 'upload', record: uploadRecord() }, null)
      expect(await store.uploadOf('acme', 'upl_1')).toEqual(uploadRecord())
      expect(await store.uploadOf('other', 'upl_1')).toBeNull()
      expect(await store.uploadOf('acme', 'upl_2')).toBeNull()
      expect(await (await reopen()).uploadOf('acme', 'upl_1')).toEqual(uploadRecord())
    })

    test('are found by their URL, whatever its signature, by everybody', async () => {
      const { store } = current()
      await store.made({ kind: 'upload', record: uploadRecord() }, null)
      const unsigned = 'https://cdn.example/a.wav'
      expect(await store.uploadAt('acme', unsigned)).toEqual(uploadRecord())
      expect(await store.uploadAt('other', unsigned)).toEqual(uploadRecord())
      expect(await store.uploadAt('acme', 'https://cdn.example/a.wav?sig=1')).toBeNull()
      expect(await store.uploadAt('acme', 'https://cdn.example/b.wav')).toBeNull()
    })

    test('of several under one URL the own comes first, and of those the latest', async () => {
      const { store } = current()
      const made = [
        uploadRecord({ id: 'upl_1' }),
        uploadRecord({ id: 'upl_2', createdAtMs: T0 + 2 }),
        uploadRecord({ id: 'upl_3', client: 'other', createdAtMs: T0 + 3 }),
        uploadRecord({ id: 'upl_4', createdAtMs: T0 + 1 }),
      ]
      for (const record of made) await store.made({ kind: 'upload', record }, null)
      expect((await store.uploadAt('acme', 'https://cdn.example/a.wav'))?.id).toBe('upl_2')
      expect((await store.uploadAt('other', 'https://cdn.example/a.wav'))?.id).toBe('upl_3')
      expect((await store.uploadAt('third', 'https://cdn.example/a.wav'))?.id).toBe('upl_3')
    })

    test('signed anew they are the same upload', async () => {
      const { store } = current()
      await store.made({ kind: 'upload', record: uploadRecord() }, null)
      const anew = uploadRecord({ audioUrl: 'https://cdn.example/moved.wav?sig=2' })
      await store.made({ kind: 'upload', record: anew }, null)
      expect(await store.uploadOf('acme', 'upl_1')).toEqual(anew)
      expect(await store.uploadAt('acme', 'https://cdn.example/moved.wav')).toEqual(anew)
      expect(await store.uploadAt('acme', 'https://cdn.example/a.wav')).toBeNull()
    })
  })

  describe('purgeResources', () => {
    test('removes uploads past their retention and keys past their day, in small bites; puppets stay', async () => {
      const { store, clock } = current()
      await store.made({ kind: 'puppet', record: puppetRecord() }, null)
      for (const n of [1, 2, 3]) {
        await store.made({ kind: 'upload', record: uploadRecord({ id: `upl_${n}`, createdAtMs: T0 + n }) }, null)
        await store.begin(idemKey({ key: `k${n}` }), { account: ACCOUNT, backend: 'main', resource: null }, LEASE_MS)
      }
      expect(await store.purgeResources(T0 + 1, 10)).toBe(0)
      expect(await store.purgeResources(T0 + 2, 10)).toBe(1)
      expect(await store.uploadOf('acme', 'upl_1')).toBeNull()
      expect(await store.uploadOf('acme', 'upl_2')).not.toBeNull()
      clock.jump(24 * HOUR)
      expect(await store.purgeResources(T0, 2)).toBe(2)
      expect(await store.purgeResources(T0 + 9, 2)).toBe(3)
      expect(await store.purgeResources(T0 + 9, 2)).toBe(0)
      expect(await store.puppetMade(ACCOUNT, 'pup_1')).not.toBeNull()
    })
  })
}
