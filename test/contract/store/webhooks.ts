import { describe, expect, test } from 'vitest'
import { MAX_HELD, MOVED_AT_ONCE, RELEASE_GAP_MS } from '../../../src/core/endpoints.ts'
import type { Lease } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import { auditEntry } from '../../fakes/access.ts'
import { must } from '../../fakes/must.ts'
import { deliveriesQuery, draft, event, HOUR, TARGET } from '../../fakes/records.ts'
import type { ContractOptions, Current } from '../store.ts'
import { claimed, expectOpened, LEASE_MS, numbered, openWaiting, ROOMY, dueIds } from './helpers.ts'
import { create, fail, happen, happenOften, moveAll, sentTo, succeed } from './webhook-helpers.ts'

export const webhookContract = (current: Current, { triesLimits }: ContractOptions): void => {
  describe('events owed to endpoints', () => {
    test('each that subscribes, in the write that makes the event; no other client’s', async () => {
      const { store } = current()
      await create(store, { id: 'we_1' })
      await create(store, { id: 'we_2', events: ['video.progress'] })
      await create(store, { id: 'we_3', client: 'other' })
      await openWaiting(store, { id: numbered(1) })
      const [due, ...more] = await happen(store, numbered(1))
      expect(more).toEqual([])
      expect(await store.delivery(must(due))).toMatchObject({
        event: { id: `evt_${numbered(1)}_1` },
        target: { kind: 'endpoint', id: 'we_1', url: 'https://hooks.example/we' },
        status: 'pending',
        attempts: 0,
        tried: 0,
      })
      expect(await sentTo(store, 'we_2')).toEqual([])
      expect(await store.dueDeliveries(10)).toMatchObject([
        { id: due, client: 'acme', videoId: numbered(1), target: { kind: 'endpoint', id: 'we_1' } },
      ])
    })

    test('also those of a video that waits from the start', async () => {
      const { store } = current()
      await create(store, { events: ['video.queued'] })
      const events = [{ event: event('vid_1', 1, { type: 'video.queued' }), targets: [TARGET] }]
      const { deliveries } = expectOpened(await store.open(draft({}, { events }), null, ROOMY, null))
      expect(deliveries).toHaveLength(2)
    })

    test('go to where the endpoint is now', async () => {
      const { store } = current()
      await create(store)
      await openWaiting(store, { id: numbered(1) })
      const [due] = await happen(store, numbered(1))
      await store.changeEndpoint('acme', 'we_1', { url: 'https://new.example/x' })
      expect((await store.delivery(must(due)))?.target.url).toBe('https://new.example/x')
      // In order, although it moved.
      const [later] = await happen(store, numbered(1))
      expect(await store.claim('deliver', must(later), LEASE_MS)).toBeNull()
    })
  })

  test('clients that are told of ends: by an endpoint that is enabled and subscribes to any', async () => {
    const { store } = current()
    expect(await store.clientsTold()).toEqual([])
    await create(store, { id: 'we_1', client: 'all' })
    await create(store, { id: 'we_2', client: 'all', events: ['video.progress', 'video.failed'] })
    await create(store, {
      id: 'we_3',
      client: 'progress',
      events: ['video.queued', 'video.processing', 'video.progress'],
    })
    await create(store, { id: 'we_4', client: 'off', enabled: false })
    await create(store, { id: 'we_5', client: 'canceled', events: ['video.canceled'] })
    expect((await store.clientsTold()).toSorted()).toEqual(['all', 'canceled'])
    await store.changeEndpoint('all', 'we_1', { enabled: false })
    await store.changeEndpoint('off', 'we_4', { enabled: true })
    await store.changeEndpoint('canceled', 'we_5', { events: ['video.queued'] })
    expect((await store.clientsTold()).toSorted()).toEqual(['all', 'off'])
    await store.deleteEndpoint('all', 'we_2')
    expect(await store.clientsTold()).toEqual(['off'])
  })

  describe('an endpoint that is disabled', () => {
    test('holds terminal events, made before and after; the rest is given up or never owed', async () => {
      const { store } = current()
      await create(store, { events: ['video.progress', 'video.completed'] })
      await create(store, { id: 'we_2', events: ['video.canceled'] })
      await openWaiting(store, { id: numbered(1) })
      await happen(store, numbered(1), 'video.progress')
      await happen(store, numbered(1))
      const disabled = must(await store.changeEndpoint('acme', 'we_1', { enabled: false }))
      expect(disabled).toMatchObject({ disabled: { reason: 'client' }, held: 1 })
      expect(await happen(store, numbered(1), 'video.progress')).toEqual([])
      expect(await happen(store, numbered(1))).toEqual([])
      const v = numbered(1)
      expect(await sentTo(store, 'we_1')).toEqual([
        [`evt_${v}_4`, 'held'],
        [`evt_${v}_2`, 'held'],
        [`evt_${v}_1`, 'failed'],
      ])
      expect(await dueIds(store)).toEqual([])
      // Its client knows that it did so.
      expect(await sentTo(store, 'we_2')).toEqual([])
      // What was given up untried holds up nothing that comes after it.
      await store.changeEndpoint('acme', 'we_1', { enabled: true })
      const [released] = await dueIds(store)
      expect((await store.delivery(must(released)))?.event.id).toBe(`evt_${v}_2`)
    })

    test('by its client may be disabled by an operator, too: then only an operator enables it', async () => {
      const { store, clock } = current()
      await create(store)
      await create(store, { id: 'we_2' })
      await openWaiting(store, { id: numbered(1) })
      await happen(store, numbered(1))
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      clock.jump(1)
      const off = (id: string) => store.changeEndpoint('acme', 'we_1', { enabled: false }, auditEntry(id))
      const disabled = { reason: 'operator', atMs: clock.now() }
      expect(await off('aud_1')).toMatchObject({ disabled, held: 1 })
      expect(await sentTo(store, 'we_2')).toEqual([
        [expect.stringMatching(/^evt_/), 'pending'],
        [`evt_${numbered(1)}_1`, 'pending'],
      ])
      clock.jump(1)
      // Who did so first stays.
      expect(await off('aud_2')).toMatchObject({ disabled })
      expect(await store.changeEndpoint('acme', 'we_1', { enabled: false })).toMatchObject({ disabled })
      expect(await store.changeEndpoint('acme', 'we_1', { enabled: true })).toMatchObject({ disabled, held: 1 })
      expect(await sentTo(store, 'we_2')).toHaveLength(2)
      const on = await store.changeEndpoint('acme', 'we_1', { enabled: true }, auditEntry('aud_3'))
      expect(on).toMatchObject({ disabled: null, held: 0 })
    })

    test('is released in order and slowly when it is enabled, and starts anew', async () => {
      const { store, clock } = current()
      await create(store, { enabled: false })
      for (const n of [1, 2, 3]) {
        await openWaiting(store, { id: numbered(n) })
        await happen(store, numbered(n))
      }
      expect(await store.changeEndpoint('acme', 'we_1', { enabled: true })).toMatchObject({ disabled: null, held: 0 })
      expect(await dueIds(store)).toHaveLength(1)
      clock.jump(RELEASE_GAP_MS)
      expect(await dueIds(store)).toHaveLength(2)
      clock.jump(RELEASE_GAP_MS)
      const due = await dueIds(store)
      const events = await Promise.all(due.map(async (id) => must(await store.delivery(id)).event.videoId))
      expect(events).toEqual([numbered(1), numbered(2), numbered(3)])
    })

    test('an attempt that began before it was disabled and enabled again: its 2xx counts', async () => {
      const { store, clock } = current()
      await create(store)
      await openWaiting(store, { id: numbered(1) })
      const lease = await claimed(store, must((await happen(store, numbered(1)))[0]))
      const beganMs = clock.now()
      clock.jump(1)
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      await store.changeEndpoint('acme', 'we_1', { enabled: true })
      expect(await succeed(store, lease, beganMs)).toEqual({ status: 'delivered', disabled: null })
    })

    if (triesLimits) {
      test('holds so many, made before and after, and lists the rest as failed; so many are too many to replay', async () => {
        const { store, clock } = current()
        await create(store)
        await openWaiting(store, { id: numbered(1) })
        await happenOften(store, numbered(1), MAX_HELD + 1)
        const asked = { client: 'acme', endpointId: 'we_1', sinceMs: 0, untilMs: clock.now() + 1, onlyFailed: false }
        expect(await store.replay(asked)).toEqual({ kind: 'many' })
        expect(await store.changeEndpoint('acme', 'we_1', { enabled: false })).toMatchObject({ held: MOVED_AT_ONCE })
        // Behind those that are still to be held.
        await happen(store, numbered(1))
        await moveAll(store)
        expect((await store.endpointOf('acme', 'we_1'))?.held).toBe(MAX_HELD)
        expect(await store.droppedEvents()).toBe(2)
        const failed = await store.deliveries('acme', deliveriesQuery({ endpointId: 'we_1', status: 'failed' }))
        expect(failed.map(({ delivery }) => delivery.event.sequence)).toEqual([MAX_HELD + 2, MAX_HELD + 1])
      })
    }

    test('an attempt under way when it was disabled: a failure leaves it held, a 2xx counts', async () => {
      const { store, clock } = current()
      await create(store)
      for (const n of [1, 2]) await openWaiting(store, { id: numbered(n) })
      const [one, two] = [must((await happen(store, numbered(1)))[0]), must((await happen(store, numbered(2)))[0])]
      const leases = [await claimed(store, one), await claimed(store, two)] as const
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      expect(await fail(store, leases[0], clock.now())).toEqual({ status: null, disabled: null })
      expect(await succeed(store, leases[1], clock.now())).toEqual({ status: 'delivered', disabled: null })
      expect(await store.delivery(one)).toMatchObject({ status: 'held', attempts: 1 })
      expect(await store.delivery(two)).toMatchObject({ status: 'delivered' })
    })
  })

  describe('failures', () => {
    const due = async (store: Store): Promise<Lease> => {
      await openWaiting(store, { id: numbered(1) })
      return claimed(store, must((await happen(store, numbered(1)))[0]))
    }

    test('a 410 disables it at once, holds what met it, and tells the client’s other endpoints', async () => {
      const { store, clock } = current()
      await create(store, { id: 'we_1' })
      await create(store, { id: 'we_2', events: ['video.progress'], client: 'acme' })
      const lease = await due(store)
      const gone = { atMs: clock.now(), durationMs: 1, status: 410, error: 'status 410', responseBody: '' }
      expect(await store.attempted(lease, gone, { status: 'failed' })).toEqual({ status: 'held', disabled: 'gone' })
      expect(await store.delivery(lease.id)).toMatchObject({ status: 'held', attempts: 1 })
      expect(await store.endpointOf('acme', 'we_1')).toMatchObject({
        disabled: { reason: 'gone' },
        held: 1,
        failures: 1,
      })
      const [told] = await store.deliveries('acme', deliveriesQuery({ endpointId: 'we_2' }))
      expect(told?.delivery).toMatchObject({ status: 'pending', event: { type: 'endpoint.disabled', videoId: null } })
      expect(JSON.parse(told?.delivery.event.body ?? '')).toMatchObject({
        data: { endpoint_id: 'we_1', reason: 'gone' },
      })
      expect(await dueIds(store)).toEqual([told?.delivery.id])
      // Told once more, it is told to those that it was owed to.
      await create(store, { id: 'we_3' })
      expect(await store.redeliver('acme', must(told).delivery.event.id)).toEqual([told?.delivery.id])
    })

    test('a 410 holds nothing that is not held for it, and nothing that is still to be tried', async () => {
      const { store, clock } = current()
      const gone = { atMs: clock.now(), durationMs: 1, status: 410, error: 'status 410', responseBody: '' }
      await create(store, { events: ['video.progress'] })
      await openWaiting(store, { id: numbered(1) })
      const lease = await claimed(store, must((await happen(store, numbered(1), 'video.progress'))[0]))
      expect(await store.attempted(lease, gone, { status: 'failed' })).toEqual({ status: 'failed', disabled: 'gone' })
      expect(await store.delivery(lease.id)).toMatchObject({ status: 'failed', nextAttemptAtMs: null })
      // Of a disabled endpoint nothing more is counted.
      expect(await store.endpointOf('acme', 'we_1')).toMatchObject({ failures: 1, held: 0 })
    })

    test('one that is disabled for failing leaves what was given up as it is', async () => {
      const { store, clock } = current()
      await create(store)
      const lease = await due(store)
      await fail(store, lease, clock.now())
      clock.jump(121 * HOUR)
      const last = { atMs: clock.now(), durationMs: 1, status: 500, error: 'no', responseBody: '' }
      const again = await claimed(store, lease.id)
      expect(await store.attempted(again, last, { status: 'failed' })).toEqual({
        status: 'failed',
        disabled: 'failing',
      })
      expect(await store.endpointOf('acme', 'we_1')).toMatchObject({ disabled: { reason: 'failing' }, held: 0 })
    })

    test('a failure that is told when it is disabled already is not counted', async () => {
      const { store, clock } = current()
      await create(store)
      const lease = await due(store)
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      clock.jump(1_000)
      await fail(store, lease, clock.now())
      expect(await store.endpointOf('acme', 'we_1')).toMatchObject({ failures: 0, lastFailedAtMs: null })
      // Nor has what waits for it a time, whenever it was made.
      await happen(store, numbered(1))
      const held = await store.deliveries('acme', deliveriesQuery({ endpointId: 'we_1', status: 'held' }))
      expect(held.map(({ delivery }) => delivery.nextAttemptAtMs)).toEqual([null, null])
    })

    test('the hundredth in a row disables it; one success between starts anew', async () => {
      const { store, clock } = current()
      await create(store)
      let lease = await due(store)
      for (let n = 1; n < 100; n += 1) {
        expect(await fail(store, lease, clock.now())).toEqual({ status: 'pending', disabled: null })
        lease = await claimed(store, lease.id)
      }
      await succeed(store, lease, clock.now())
      expect(await store.endpointOf('acme', 'we_1')).toMatchObject({
        failures: 0,
        failingSinceMs: null,
        disabled: null,
      })
      lease = await claimed(store, must((await happen(store, numbered(1)))[0]))
      for (let n = 1; n < 100; n += 1) {
        await fail(store, lease, clock.now())
        lease = await claimed(store, lease.id)
      }
      expect(await fail(store, lease, clock.now(), null)).toEqual({ status: 'held', disabled: 'failures' })
    })

    test('120 hours of nothing else disable it', async () => {
      const { store, clock } = current()
      await create(store)
      const first = await due(store)
      await fail(store, first, clock.now())
      clock.jump(120 * HOUR - 1)
      expect(await fail(store, await claimed(store, first.id), clock.now())).toMatchObject({ disabled: null })
      clock.jump(1)
      expect(await fail(store, await claimed(store, first.id), clock.now())).toMatchObject({ disabled: 'failing' })
    })
  })

  describe('secrets', () => {
    const keeper = { kind: 'endpoint', id: 'we_1' } as const

    test('an endpoint has its first; rotation puts one before it until the time given', async () => {
      const { store, clock } = current()
      await create(store)
      expect(await store.secrets(keeper, 'x')).toEqual(['sealed'])
      const oldUntil = async () => (await store.endpointOf('acme', 'we_1'))?.oldSecretUntilMs
      expect(await oldUntil()).toBeNull()
      expect(await store.rotateSecret(keeper, 'second', clock.now() + HOUR)).toBe(true)
      expect(await oldUntil()).toBe(clock.now() + HOUR)
      await store.rotateSecret(keeper, 'third', clock.now() + 2 * HOUR)
      expect(await oldUntil()).toBe(clock.now() + 2 * HOUR)
      expect(await store.secrets(keeper, 'x')).toEqual(['third', 'second', 'sealed'])
      clock.jump(HOUR)
      // A later rotation prolongs nothing.
      expect(await store.secrets(keeper, 'x')).toEqual(['third', 'second'])
      clock.jump(HOUR)
      expect(await store.secrets(keeper, 'x')).toEqual(['third'])
    })
  })

  describe('deleting', () => {
    test('ends its deliveries and keeps them listed, where they went', async () => {
      const { store } = current()
      await create(store)
      await openWaiting(store, { id: numbered(1) })
      const [id] = await happen(store, numbered(1))
      expect(await store.deleteEndpoint('other', 'we_1')).toBe(false)
      expect(await store.deleteEndpoint('acme', 'we_1')).toBe(true)
      expect(await store.deleteEndpoint('acme', 'we_1')).toBe(false)
      expect(await store.deliveryOf('acme', must(id))).toMatchObject({
        status: 'failed',
        target: { kind: 'endpoint', id: 'we_1', url: 'https://hooks.example/we' },
      })
      expect(await happen(store, numbered(1))).toEqual([])
    })

    test('ends what was held for it, too', async () => {
      const { store } = current()
      await create(store, { enabled: false })
      await openWaiting(store, { id: numbered(1) })
      await happen(store, numbered(1))
      await store.deleteEndpoint('acme', 'we_1')
      expect(await sentTo(store, 'we_1')).toEqual([[`evt_${numbered(1)}_1`, 'failed']])
    })
  })
}
