import { describe, expect, test } from 'vitest'
import { MOVED_AT_ONCE, RELEASE_AHEAD_MS, RELEASE_GAP_MS } from '../../../src/core/endpoints.ts'
import type { DeliveryStatus, Lease } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import { must } from '../../fakes/must.ts'
import { deliveriesQuery } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { claimed, dueIds, LEASE_MS, numbered, openWaiting } from './helpers.ts'
import { create, fail, happen, happenOften, moveAll, succeed } from './webhook-helpers.ts'

/** More than three writes move. */
const MANY = 3 * MOVED_AT_ONCE + 20

const everyDelivery = async (store: Store) =>
  (await store.deliveries('acme', deliveriesQuery({ limit: MANY + 10 }))).map(({ delivery }) => delivery).toReversed()

const counted = async (store: Store): Promise<Partial<Record<DeliveryStatus, number>>> => {
  const counts: Partial<Record<DeliveryStatus, number>> = {}
  for (const { status } of await everyDelivery(store)) counts[status] = (counts[status] ?? 0) + 1
  // An endpoint that is gone tells nothing.
  const endpoint = await store.endpointOf('acme', 'we_1')
  if (endpoint) expect(endpoint.held).toBe(counts.held ?? 0)
  return counts
}

/** What many deliveries owe to a change of their endpoint. */
export const backlogContract = (current: Current): void => {
  const dueMany = async () => {
    const { store } = current()
    await create(store)
    await openWaiting(store, { id: numbered(1) })
    return { store, ids: await happenOften(store, numbered(1), MANY) }
  }

  /** One endpoint for which many are held. */
  const heldMany = async () => {
    const { store, clock } = current()
    await create(store, { enabled: false })
    await openWaiting(store, { id: numbered(1) })
    await happenOften(store, numbered(1), MANY)
    return { store, clock }
  }

  describe('an endpoint to which many are due', () => {
    test('is disabled at once; they are held part by part, across a restart, and none is sent meanwhile', async () => {
      const { ids } = await dueMany()
      let { store } = current()
      const disabled = await store.changeEndpoint('acme', 'we_1', { enabled: false })
      expect(disabled).toMatchObject({ disabled: { reason: 'client' }, held: MOVED_AT_ONCE })
      for (let held = MOVED_AT_ONCE; held < MANY;) {
        expect(await counted(store)).toEqual({ held, pending: MANY - held })
        expect(await dueIds(store)).toEqual([])
        expect(await store.claim('deliver', must(ids.at(-1)), LEASE_MS)).toBeNull()
        store = await current().reopen()
        expect(await store.backlogStep()).toBe(true)
        held = Math.min(held + MOVED_AT_ONCE, MANY)
      }
      expect(await counted(store)).toEqual({ held: MANY })
      expect(await store.backlogStep()).toBe(false)
    })

    test('what happens meanwhile is held behind them', async () => {
      const { store } = await dueMany()
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      expect(await happen(store, numbered(1))).toEqual([])
      expect(await dueIds(store)).toEqual([])
      expect(await moveAll(store)).toBe(3)
      expect(await counted(store)).toEqual({ held: MANY + 1 })
    })

    test('is deleted at once; they are given up part by part, and none is sent meanwhile', async () => {
      const { store, ids } = await dueMany()
      expect(await store.deleteEndpoint('acme', 'we_1')).toBe(true)
      expect(await counted(store)).toEqual({ failed: MOVED_AT_ONCE, pending: MANY - MOVED_AT_ONCE })
      expect(await dueIds(store)).toEqual([])
      expect(await store.claim('deliver', must(ids.at(-1)), LEASE_MS)).toBeNull()
      expect(await moveAll(store)).toBe(3)
      expect(await counted(store)).toEqual({ failed: MANY })
    })

    test('deleted while some are held and some are not: all are given up', async () => {
      const { store } = await dueMany()
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      await store.deleteEndpoint('acme', 'we_1')
      await moveAll(store)
      expect(await counted(store)).toEqual({ failed: MANY })
    })

    test('that is enabled before all are held loses none', async () => {
      const { store } = await dueMany()
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      await store.changeEndpoint('acme', 'we_1', { enabled: true })
      await moveAll(store)
      expect(await counted(store)).toEqual({ pending: MANY })
      const lastMs = current().clock.now() + MOVED_AT_ONCE * RELEASE_GAP_MS
      const due = (await everyDelivery(store)).map(({ nextAttemptAtMs }) => must(nextAttemptAtMs))
      expect(due.filter((atMs) => atMs < lastMs)).toHaveLength(MANY)
    })

    test('an attempt under way to one that is not held yet: a failure leaves it to be held, a 2xx counts', async () => {
      const { store } = await dueMany()
      const [first, second] = await startLast(store)
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      expect(await fail(store, first, current().clock.now())).toEqual({ status: null, disabled: null })
      expect(await succeed(store, second, current().clock.now())).toEqual({ status: 'delivered', disabled: null })
      await moveAll(store)
      expect(await counted(store)).toEqual({ held: MANY + 1, delivered: 1 })
    })

    test('that answers 410 tells what became of the one that met it, and of the others', async () => {
      const { store, ids } = await dueMany()
      const lease = await claimed(store, must(ids[0]))
      const gone = { atMs: current().clock.now(), durationMs: 1, status: 410, error: 'status 410', responseBody: '' }
      expect(await store.attempted(lease, gone, { status: 'failed' })).toEqual({ status: 'held', disabled: 'gone' })
      expect(await moveAll(store)).toBe(3)
      expect(await counted(store)).toEqual({ held: MANY })
    })
  })

  describe('an endpoint for which many are held', () => {
    test('is enabled at once; they go one by one in order, made due little before, across a restart', async () => {
      const { clock } = await heldMany()
      let { store } = current()
      const startMs = clock.now()
      const enabled = await store.changeEndpoint('acme', 'we_1', { enabled: true })
      expect(enabled).toMatchObject({ disabled: null, held: MANY - MOVED_AT_ONCE })
      for (let due = MOVED_AT_ONCE; due < MANY;) {
        expect(await store.backlogStep()).toBe(false)
        store = await current().reopen()
        clock.jump(startMs + due * RELEASE_GAP_MS - RELEASE_AHEAD_MS - clock.now())
        expect(await store.backlogStep()).toBe(true)
        due = Math.min(due + MOVED_AT_ONCE, MANY)
        expect(await counted(store)).toEqual({ pending: due, ...(due < MANY && { held: MANY - due }) })
      }
      expect(await store.backlogStep()).toBe(false)
      const dueAtMs = (await everyDelivery(store)).map(({ nextAttemptAtMs }) => nextAttemptAtMs)
      expect(dueAtMs).toEqual(Array.from({ length: MANY }, (_, n) => startMs + n * RELEASE_GAP_MS))
    })

    test('tells how many are held, when some of them go with their video or are sent once more', async () => {
      const { store } = await heldMany()
      await create(store, { id: 'we_2', enabled: false })
      await openWaiting(store, { id: numbered(2) })
      await happenOften(store, numbered(2), 3)
      const held = async () => (await store.endpointsOf('acme')).map((endpoint) => endpoint.held)
      expect(await held()).toEqual([3, MANY + 3])
      await store.change(numbered(2), () => ({ kind: 'discard' }))
      expect(await held()).toEqual([0, MANY])
      await store.changeEndpoint('acme', 'we_1', { enabled: true })
      expect(await store.redeliver('acme', must((await everyDelivery(store)).at(-1)).event.id)).toHaveLength(1)
      expect(await held()).toEqual([0, MANY - MOVED_AT_ONCE - 1])
    })

    test('toggled again and again, each time no more are moved than one write may', async () => {
      const { store } = await heldMany()
      let before = await everyDelivery(store)
      for (const enabled of [true, false, true, false, true, true]) {
        await store.changeEndpoint('acme', 'we_1', { enabled })
        const after = await everyDelivery(store)
        const moved = after.filter(({ status }, n) => status !== before[n]?.status)
        expect(moved.length).toBeLessThanOrEqual(MOVED_AT_ONCE)
        before = after
      }
      expect(await counted(store)).toEqual({ pending: MOVED_AT_ONCE, held: MANY - MOVED_AT_ONCE })
    })
  })

  /** Two of another video, the last that are due: to hold all before them takes several writes. */
  const startLast = async (store: Store) => {
    const leases: Lease[] = []
    for (const n of [2, 3]) {
      await openWaiting(store, { id: numbered(n) })
      leases.push(await claimed(store, must((await happen(store, numbered(n)))[0])))
    }
    return [must(leases[0]), must(leases[1])] as const
  }
}
