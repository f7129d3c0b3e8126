import { describe, expect, test } from 'vitest'
import type { Phase } from '../../../src/core/video.ts'
import { ACCOUNT, accountId, draft, MINUTE, rate, T0, WIRE } from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'
import { LEASE_MS, numbered, openWaiting, ROOMY, saving } from './helpers.ts'

const CALM = { pollsDue: 0, createsWaiting: 0 }
const LIMIT = 10
const slots = (count: number | null) => ({ slots: count, leaseMs: LEASE_MS })

export const admissionContract = (current: Current): void => {
  describe('admit', () => {
    test('passes over a video for which a callback named a job that is to be read first', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), attempt: 1, secondJobAtMs: T0 })
      await openWaiting(store, { id: numbered(2) })
      expect(must(await store.admit(ACCOUNT, slots(9))).video.id).toBe(numbered(2))
      expect(await store.admit(ACCOUNT, slots(9))).toBeNull()
    })

    test('takes the first that waits to dispatching, under a lease, with nothing sent yet', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(2), wire: WIRE })
      await openWaiting(store, { id: numbered(1), wire: WIRE })
      const { video, lease } = must(await store.admit(ACCOUNT, slots(2)))
      expect(lease).toMatchObject({ id: numbered(1), untilMs: clock.now() + LEASE_MS })
      expect(video).toMatchObject({ id: numbered(1), phase: 'dispatching', wire: null, waitReason: null, version: 2 })
      expect(video.lease).toEqual({ token: lease.token, untilMs: lease.untilMs })
      expect(await store.video(numbered(1))).toEqual(video)
    })

    test('its request is taken, and its bytes are stored with it, where it is still what they were made for', async () => {
      const { store, clock } = current()
      for (let n = 1; n <= 3; n += 1) await openWaiting(store, { id: numbered(n) })
      const left = async () => (await store.budget(ACCOUNT, CALM, LIMIT)).remaining
      const told = rate({ limit: LIMIT, remaining: LIMIT, dateMs: clock.now(), resetAtMs: clock.now() + MINUTE })
      const request = { demand: CALM, fallbackLimit: LIMIT, outgoing: { wire: WIRE, offsetMs: 7 } }
      const next = async () => ({
        ...request,
        ...(({ id, version }) => ({ id, version }))(must(await store.nextWaiting(ACCOUNT, null))),
      })
      const admit = async (first: Awaited<ReturnType<typeof next>>) => must(await store.admit(ACCOUNT, slots(9), first))
      const one = await admit(await next())
      expect(one.video).toMatchObject({ id: numbered(1), attempt: 1, wire: WIRE, sentOffsetMs: 7, version: 2 })
      expect([one.video.dispatchedAtMs, one.lease.untilMs]).toEqual([clock.now(), clock.now() + LEASE_MS])
      expect(await store.video(numbered(1))).toEqual(one.video)
      expect((await store.timeline(numbered(1))).map(({ type }) => type)).toEqual(['dispatched'])
      await store.learn(must(one.ticket), told)
      const late = await next()
      await store.change(numbered(2), saving({ dueAtMs: T0 }))
      const two = await admit(late)
      expect(two).toMatchObject({ video: { id: numbered(2), attempt: 0, wire: null }, ticket: { window: 1 } })
      expect(await left()).toBe(LIMIT - 2)
      await store.exhausted(ACCOUNT, clock.now() + MINUTE)
      const three = await admit(await next())
      expect(three).toMatchObject({ video: { id: numbered(3), attempt: 0, wire: null }, ticket: null })
      expect(await store.nextWaiting(ACCOUNT, null)).toBeNull()
    })

    test('who waited was told so', async () => {
      const { store } = current()
      await openWaiting(store, { told: false })
      expect(must(await store.admit(ACCOUNT, slots(2))).video.told).toBe(true)
    })

    test('nobody waits: null', async () => {
      const { store } = current()
      await openWaiting(store, { account: accountId('other') })
      expect(await store.admit(ACCOUNT, slots(2))).toBeNull()
    })

    test('takes nobody before his time, and passes over him meanwhile', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1), dueAtMs: clock.now() + 1_000 })
      expect(await store.admit(ACCOUNT, slots(9))).toBeNull()
      await openWaiting(store, { id: numbered(2) })
      expect(must(await store.admit(ACCOUNT, slots(9))).video.id).toBe(numbered(2))
      clock.jump(999)
      expect(await store.admit(ACCOUNT, slots(9))).toBeNull()
      clock.jump(1)
      expect(must(await store.admit(ACCOUNT, slots(9))).video.id).toBe(numbered(1))
    })

    test('one that waits for its audio is not taken, stands in nobody’s way, and is listed by itself', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), dueAtMs: null })
      await openWaiting(store, { id: numbered(2), dueAtMs: null, account: accountId('other') })
      expect(await store.admit(ACCOUNT, slots(9))).toBeNull()
      expect(await store.queue(ACCOUNT)).toMatchObject({ waiting: 1, held: 0, nextDueAtMs: null, hasTransfers: true })
      const opened = await store.open(draft({ id: numbered(3) }), null, ROOMY, slots(9))
      expect(opened).toMatchObject({ kind: 'opened', video: { phase: 'dispatching' } })
      await openWaiting(store, { id: numbered(4), client: 'b', dueAtMs: null })
      await openWaiting(store, { id: numbered(5) })
      const waiting = [1, 4].map((n) => ({ id: numbered(n), client: n === 4 ? 'b' : 'acme' }))
      expect(await store.transfersOf(ACCOUNT, 9)).toEqual(waiting)
      expect(await store.transfersOf(ACCOUNT, 1)).toEqual(waiting.slice(0, 1))
      await store.change(numbered(1), saving({ dueAtMs: 0 }))
      expect(await store.transfersOf(ACCOUNT, 9)).toEqual(waiting.slice(1))
      expect(must(await store.admit(ACCOUNT, slots(9))).video.id).toBe(numbered(1))
    })

    test('those that wait for their audio are listed in turn among clients: many of one hide nobody’s', async () => {
      const { store } = current()
      for (const n of [1, 2, 3]) await openWaiting(store, { id: numbered(n), dueAtMs: null })
      for (const n of [4, 5]) await openWaiting(store, { id: numbered(n), client: 'b', dueAtMs: null })
      const listed = async (limit: number): Promise<string[]> =>
        (await store.transfersOf(ACCOUNT, limit)).map(({ id }) => id)
      expect(await listed(2)).toEqual([numbered(1), numbered(4)])
      expect(await listed(9)).toEqual([1, 4, 2, 5, 3].map(numbered))
    })

    test('among those that are due, the order is that of their making', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1), dueAtMs: clock.now() })
      await openWaiting(store, { id: numbered(2), dueAtMs: clock.now() - 5_000 })
      await openWaiting(store, { id: numbered(3), dueAtMs: clock.now() - 9_000 })
      const order: string[] = []
      for (let n = 0; n < 3; n += 1) order.push(must(await store.admit(ACCOUNT, slots(null))).video.id)
      expect(order).toEqual([numbered(1), numbered(2), numbered(3)])
    })

    test.each([
      ['dispatching', 1],
      ['doubtful', 1],
      ['accepted', 1],
      ['ended', 0],
    ] as const)('%s holds %i slot', async (phase: Phase, held) => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      const endedAtMs = phase === 'ended' ? clock.now() : null
      await store.change(numbered(1), saving({ phase, endedAtMs }))
      await openWaiting(store, { id: numbered(2) })
      expect((await store.queue(ACCOUNT)).held).toBe(held)
      const admitted = await store.admit(ACCOUNT, slots(1))
      expect(admitted?.video.id).toBe(held === 1 ? undefined : numbered(2))
    })

    test('another account’s jobs hold none of ours', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), account: accountId('other') })
      await store.admit(accountId('other'), slots(1))
      await openWaiting(store, { id: numbered(2) })
      expect(must(await store.admit(ACCOUNT, slots(1))).video.id).toBe(numbered(2))
    })

    test('50 admissions at once never exceed the slots, and each takes another video', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      for (let n = 0; n < 10; n += 1) await openWaiting(store, { id: numbered(n) })
      const admitted = await Promise.all(
        Array.from({ length: 50 }, (_, n) => (handles[n % 2] ?? store).admit(ACCOUNT, slots(3))),
      )
      const ids = admitted.flatMap((one) => (one ? [one.video.id] : []))
      expect(ids.toSorted()).toEqual([numbered(0), numbered(1), numbered(2)])
      expect(await store.queue(ACCOUNT)).toMatchObject({ held: 3, waiting: 7 })
    })

    test('a lease of every admission is another', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      const first = must(await store.admit(ACCOUNT, slots(1)))
      await store.change(numbered(1), saving({ phase: 'waiting', lease: null, dueAtMs: T0 }))
      expect(must(await store.admit(ACCOUNT, slots(1))).lease.token).not.toBe(first.lease.token)
    })
  })
}
