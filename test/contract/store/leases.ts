import { describe, expect, test } from 'vitest'
import type { Lease, WorkKind } from '../../../src/core/store/webhooks.ts'
import { ACCOUNT, HOUR } from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'
import { LEASE_MS, openOwing, openWaiting } from './helpers.ts'

export const leaseContract = (current: Current): void => {
  describe.each(['account', 'deliver', 'transfer'] as const)('leases: %s', (kind: WorkKind) => {
    /** Something of this kind to lease. */
    const work = (): Promise<string> =>
      kind === 'deliver'
        ? openOwing(current().store)
        : openWaiting(current().store).then(({ id }) => (kind === 'account' ? ACCOUNT : id))

    test('one of 50 claims at once wins', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      const id = await work()
      const leases = await Promise.all(
        Array.from({ length: 50 }, (_, n) => (handles[n % 2] ?? store).claim(kind, id, LEASE_MS)),
      )
      expect(leases.filter((lease) => lease !== null)).toHaveLength(1)
    })

    test('lasts by the store’s clock, and can be taken when it is over', async () => {
      const { store, clock } = current()
      const id = await work()
      const first = must(await store.claim(kind, id, LEASE_MS))
      expect(first).toMatchObject({ id, untilMs: clock.now() + LEASE_MS })
      clock.jump(LEASE_MS - 1)
      expect(await store.claim(kind, id, LEASE_MS)).toBeNull()
      clock.jump(1)
      expect(must(await store.claim(kind, id, LEASE_MS)).token).not.toBe(first.token)
    })

    test('its holder prolongs it from now', async () => {
      const { store, clock } = current()
      const id = await work()
      const lease = must(await store.claim(kind, id, LEASE_MS))
      clock.jump(LEASE_MS - 1)
      expect(await store.extend(kind, lease, LEASE_MS)).toBe(true)
      clock.jump(LEASE_MS - 1)
      expect(await store.claim(kind, id, LEASE_MS)).toBeNull()
      clock.jump(1)
      expect(await store.claim(kind, id, LEASE_MS)).not.toBeNull()
    })

    test('given back, it can be taken at once', async () => {
      const { store } = current()
      const id = await work()
      await store.release(kind, must(await store.claim(kind, id, LEASE_MS)))
      expect(await store.claim(kind, id, LEASE_MS)).not.toBeNull()
    })

    test('what is over cannot be prolonged, taken by another or not', async () => {
      const { store, clock } = current()
      const id = await work()
      const stale = must(await store.claim(kind, id, LEASE_MS))
      clock.jump(LEASE_MS)
      expect(await store.extend(kind, stale, HOUR)).toBe(false)
      const successor = must(await store.claim(kind, id, LEASE_MS))
      expect(await store.extend(kind, stale, HOUR)).toBe(false)
      expect(await store.extend(kind, successor, LEASE_MS)).toBe(true)
    })

    test('a stale token gives nothing back', async () => {
      const { store, clock } = current()
      const id = await work()
      const stale = must(await store.claim(kind, id, LEASE_MS))
      clock.jump(LEASE_MS)
      const successor = must(await store.claim(kind, id, LEASE_MS))
      await store.release(kind, stale)
      expect(await store.claim(kind, id, LEASE_MS)).toBeNull()
      expect(await store.extend(kind, successor, LEASE_MS)).toBe(true)
    })

    test('a made-up token is nobody’s', async () => {
      const { store } = current()
      const id = await work()
      const lease = must(await store.claim(kind, id, LEASE_MS))
      const forged: Lease = { ...lease, token: 'made-up' }
      await store.release(kind, forged)
      expect(await store.extend(kind, forged, HOUR)).toBe(false)
      expect(await store.claim(kind, id, LEASE_MS)).toBeNull()
    })
  })
}
