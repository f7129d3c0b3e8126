import { describe, expect, test } from 'vitest'
import { must } from '../../fakes/must.ts'
import { HOUR } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { claimed, numbered, openWaiting } from './helpers.ts'
import { create, fail, happen, succeed } from './webhook-helpers.ts'

/** What a client does with an endpoint while an attempt to it is under way. */
export const meanwhileContract = (current: Current): void => {
  const underWay = async () => {
    const { store, clock } = current()
    await create(store)
    await openWaiting(store, { id: numbered(1) })
    const lease = await claimed(store, must((await happen(store, numbered(1)))[0]))
    const beganAtMs = clock.now()
    clock.jump(1_000)
    return { store, clock, lease, beganAtMs }
  }

  describe('an attempt that began before its endpoint was changed', () => {
    test('says nothing of where the endpoint is now: a 410 of the old URL does not disable the new one', async () => {
      const { store, lease, beganAtMs } = await underWay()
      await store.changeEndpoint('acme', 'we_1', { url: 'https://new.example/x' })
      expect(await fail(store, lease, beganAtMs, 410)).toBeNull()
      expect(await store.endpointOf('acme', 'we_1')).toMatchObject({ disabled: null, failures: 0 })
      // And the event is not lost with the old one.
      expect((await store.delivery((await claimed(store, lease.id)).id))?.target.url).toBe('https://new.example/x')
    })

    test('that was taken at the old URL is not sent to the new one', async () => {
      const { store, lease, beganAtMs } = await underWay()
      await store.changeEndpoint('acme', 'we_1', { url: 'https://new.example/x' })
      await succeed(store, lease, beganAtMs)
      expect(await store.delivery(lease.id)).toMatchObject({ status: 'delivered' })
    })

    test('says nothing of an endpoint that was enabled since', async () => {
      const { store, lease, beganAtMs } = await underWay()
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      await store.changeEndpoint('acme', 'we_1', { enabled: true })
      expect(await fail(store, lease, beganAtMs, 410)).toBeNull()
      expect(await store.endpointOf('acme', 'we_1')).toMatchObject({ disabled: null, failures: 0 })
      expect(await store.delivery(lease.id)).toMatchObject({ status: 'pending', attempts: 1 })
    })

    test('one that began after it counts', async () => {
      const { store, clock, lease } = await underWay()
      await store.changeEndpoint('acme', 'we_1', { url: 'https://new.example/x' })
      expect(await fail(store, lease, clock.now(), 410)).toBe('gone')
    })
  })

  test('failures at the old URL are not held against the new one', async () => {
    const { store, clock, lease } = await underWay()
    await fail(store, lease, clock.now())
    expect(await store.changeEndpoint('acme', 'we_1', { description: 'the same' })).toMatchObject({ failures: 1 })
    const moved = await store.changeEndpoint('acme', 'we_1', { url: 'https://new.example/x' })
    expect(moved).toMatchObject({ failures: 0, failingSinceMs: null })
    clock.jump(120 * HOUR)
    expect(await fail(store, await claimed(store, lease.id), clock.now())).toBeNull()
  })

  test('an endpoint that is deleted leaves no secret, and gets none any more', async () => {
    const { store, clock } = await underWay()
    const keeper = { kind: 'endpoint', id: 'we_1' } as const
    await store.deleteEndpoint('acme', 'we_1')
    expect(await store.rotateSecret(keeper, 'second', clock.now() + HOUR)).toBe(false)
    expect(await store.secrets(keeper, 'third')).toEqual([])
    // Nothing that a client of its name would be heir to.
    await create(store, { secret: 'its own' })
    expect(await store.secrets(keeper, 'x')).toEqual(['its own'])
  })
}
