import { describe, expect, test } from 'vitest'
import { must } from '../../fakes/must.ts'
import { HOUR, pastQuery } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { claimed, dueIds, numbered, openWaiting } from './helpers.ts'
import { create, fail, happen, sentTo, succeed } from './webhook-helpers.ts'

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
      expect((await fail(store, lease, beganAtMs, 410)).disabled).toBeNull()
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
      expect((await fail(store, lease, beganAtMs, 410)).disabled).toBeNull()
      expect(await store.endpointOf('acme', 'we_1')).toMatchObject({ disabled: null, failures: 0 })
      expect(await store.delivery(lease.id)).toMatchObject({ status: 'pending', attempts: 1 })
    })

    test('one that began after it counts', async () => {
      const { store, clock, lease } = await underWay()
      await store.changeEndpoint('acme', 'we_1', { url: 'https://new.example/x' })
      expect((await fail(store, lease, clock.now(), 410)).disabled).toBe('gone')
    })
  })

  test('failures at the old URL are not held against the new one', async () => {
    const { store, clock, lease } = await underWay()
    await fail(store, lease, clock.now())
    expect(await store.changeEndpoint('acme', 'we_1', { description: 'the same' })).toMatchObject({ failures: 1 })
    const moved = await store.changeEndpoint('acme', 'we_1', { url: 'https://new.example/x' })
    expect(moved).toMatchObject({ failures: 0, failingSinceMs: null })
    clock.jump(120 * HOUR)
    expect((await fail(store, await claimed(store, lease.id), clock.now())).disabled).toBeNull()
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

  test('what is held starts its schedule anew when it is released', async () => {
    const { store, clock, lease } = await underWay()
    await fail(store, lease, clock.now())
    expect(await store.delivery(lease.id)).toMatchObject({ status: 'pending', tried: 1 })
    await store.changeEndpoint('acme', 'we_1', { enabled: false })
    const enabled = await store.changeEndpoint('acme', 'we_1', { enabled: true })
    expect(enabled).toMatchObject({ failures: 0, failingSinceMs: null })
    expect(await store.delivery(lease.id)).toMatchObject({ status: 'pending', attempts: 1, tried: 0 })
  })

  describe('that an endpoint is disabled', () => {
    const toldOf = async () => {
      const told = await current().store.pastEvents('acme', pastQuery({ type: 'endpoint.disabled' }))
      return told.map(({ event: { body } }) => (JSON.parse(body) as { data: { reason: string } }).data.reason)
    }

    test('is no news to the client that did it', async () => {
      const { store } = await underWay()
      await create(store, { id: 'we_2' })
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      expect(await toldOf()).toEqual([])
      expect((await sentTo(store, 'we_2')).map(([, status]) => status)).toEqual([])
    })

    test('is told once, and keeps its reason, whatever is said after it', async () => {
      const { store, clock, lease } = await underWay()
      expect((await fail(store, lease, clock.now(), 410)).disabled).toBe('gone')
      const again = await store.changeEndpoint('acme', 'we_1', { enabled: false })
      expect(again).toMatchObject({ disabled: { reason: 'gone', atMs: clock.now() }, held: 1 })
      expect(await toldOf()).toEqual(['gone'])
    })

    test('two that disable each other are told of once each', async () => {
      const { store, clock, lease } = await underWay()
      await create(store, { id: 'we_2' })
      await fail(store, lease, clock.now(), 410)
      const [ofOne] = await dueIds(store)
      expect((await fail(store, await claimed(store, must(ofOne)), clock.now(), 410)).disabled).toBe('gone')
      // Nobody is left to be told, and nothing waits for them that is history when they are back.
      expect(await dueIds(store)).toEqual([])
      expect(await toldOf()).toEqual(['gone', 'gone'])
      await store.changeEndpoint('acme', 'we_2', { enabled: true })
      expect(await dueIds(store)).toEqual([])
    })

    test('is told to nobody new when it is redelivered: it may be the one that was', async () => {
      const { store, clock, lease } = await underWay()
      await create(store, { id: 'we_2' })
      await fail(store, lease, clock.now(), 410)
      await store.changeEndpoint('acme', 'we_1', { enabled: true })
      const [told] = await store.pastEvents('acme', pastQuery({ type: 'endpoint.disabled' }))
      const again = must(await store.redeliver('acme', must(told).event.id))
      const targets = await Promise.all(again.map(async (id) => (await store.delivery(id))?.target))
      expect(targets).toMatchObject([{ id: 'we_2' }])
    })

    test('ends a replay to it', async () => {
      const { store, clock } = await underWay()
      await create(store, { id: 'we_2' })
      const asked = { client: 'acme', endpointId: 'we_2', sinceMs: 0, untilMs: clock.now() + 1, onlyFailed: false }
      expect(await store.replay(asked)).toEqual({ kind: 'taken', events: 1 })
      await store.changeEndpoint('acme', 'we_2', { enabled: false })
      expect(await store.replayStep(10)).toEqual([])
      expect(await store.replayStep(10)).toBeNull()
      expect(await sentTo(store, 'we_2')).toEqual([])
    })

    test('is kept as long as somebody is to be told', async () => {
      const { store, clock, lease } = await underWay()
      await create(store, { id: 'we_2' })
      await fail(store, lease, clock.now(), 410)
      const [id] = await dueIds(store)
      const purge = () => store.purgeWebhooks(clock.now() + HOUR, 10)
      expect(await purge()).toBe(0)
      await succeed(store, await claimed(store, must(id)), clock.now())
      const asked = { client: 'acme', endpointId: 'we_2', sinceMs: 0, untilMs: clock.now() + 1, onlyFailed: false }
      await store.replay(asked)
      expect(await purge()).toBe(0)
      while (await store.replayStep(10));
      expect(await purge()).toBe(1)
      expect(await toldOf()).toEqual([])
    })
  })
}
