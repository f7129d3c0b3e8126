import { describe, expect, test } from 'vitest'
import type { AfterAttempt, Attempt } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { draft, event, HOUR, TARGET } from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'
import { claimed, expectOpened, LEASE_MS, ROOMY, numbered, openOwing, openWaiting, owe, dueIds } from './helpers.ts'

const OTHER_URL = 'https://hooks.example/b'
const DELIVERED: AfterAttempt = { status: 'delivered' }
const FAILED: AfterAttempt = { status: 'failed' }

const attempt = (given: Partial<Attempt> = {}): Attempt => ({
  atMs: 1_000,
  durationMs: 12,
  status: 500,
  error: null,
  responseBody: 'no',
  ...given,
})

export const deliveryContract = (current: Current): void => {
  describe('deliveries that are due', () => {
    test('from their event’s time on, not while leased, not when done', async () => {
      const { store } = current()
      const id = await openOwing(store)
      expect(await dueIds(store)).toEqual([id])
      const lease = await claimed(store, id)
      expect(await dueIds(store)).toEqual([])
      await store.attempted(lease, attempt({ status: 200 }), DELIVERED)
      expect(await dueIds(store)).toEqual([])
      expect(await store.claim('deliver', id, LEASE_MS)).toBeNull()
    })

    test('again when the lease of one who never came back is over', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      await claimed(store, id)
      clock.jump(LEASE_MS)
      expect(await dueIds(store)).toEqual([id])
    })

    test('a failed attempt is due again when it said, and can be claimed no sooner', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const nextAttemptAtMs = clock.now() + 5_000
      await store.attempted(await claimed(store, id), attempt(), { status: 'pending', nextAttemptAtMs })
      clock.jump(4_999)
      expect(await dueIds(store)).toEqual([])
      expect(await store.claim('deliver', id, LEASE_MS)).toBeNull()
      clock.jump(1)
      expect(await dueIds(store)).toEqual([id])
      expect(await store.claim('deliver', id, LEASE_MS)).not.toBeNull()
    })

    test('the longest due come first, as many as asked for', async () => {
      const { store, clock } = current()
      const first = await openOwing(store, { id: numbered(1) })
      clock.jump(1)
      const second = await openOwing(store, { id: numbered(2) })
      clock.jump(1)
      await openOwing(store, { id: numbered(3) })
      const both = [first, second].map((id) => ({ id, client: 'acme', target: TARGET }))
      expect(await store.dueDeliveries(2)).toMatchObject(both)
    })

    test('look by look each is told once, also those that are due at the same time', async () => {
      const { store, clock } = current()
      const ids: string[] = []
      for (let n = 0; n < 7; n += 1) {
        ids.push(await openOwing(store, { id: numbered(n) }))
        if (n === 3) clock.jump(1)
      }
      const told: string[] = []
      for (
        let due = await store.dueDeliveries(2);
        due.length > 0;
        due = await store.dueDeliveries(2, due.at(-1)?.place)
      )
        told.push(...due.map(({ id }) => id))
      expect(told).toEqual(ids)
    })

    test('none of a video that nobody is to be told of', async () => {
      const { store } = current()
      await openWaiting(store)
      expect(await dueIds(store)).toEqual([])
    })

    test('several are read at once, each as alone, with the trace of its video', async () => {
      const { store } = current()
      const trace = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
      const opened = async (given: Partial<VideoRecord> & { id: string }): Promise<string> => {
        const events = [{ event: event(given.id, 1), targets: [TARGET] }]
        const { deliveries } = expectOpened(await store.open(draft(given, { events }), null, ROOMY, null))
        return must(deliveries[0])
      }
      const ids = [await opened({ id: 'vid_1', trace }), await opened({ id: 'vid_2' })]
      const found = await store.deliveriesById([...ids, 'dlv_none'])
      expect(ids.map((id) => found.get(id)?.trace)).toEqual([trace, null])
      for (const id of ids) expect(found.get(id)).toEqual(await store.delivery(id))
    })

    test('an unknown delivery is null, and cannot be claimed', async () => {
      const { store } = current()
      expect(await store.delivery('dlv_none')).toBeNull()
      expect(await store.deliveriesById(['dlv_none'])).toEqual(new Map())
      expect(await store.deliveriesById([])).toEqual(new Map())
      expect(await store.claim('deliver', 'dlv_none', LEASE_MS)).toBeNull()
    })
  })

  describe('the order of one video’s events to one target', () => {
    test('the second starts only when the first was tried', async () => {
      const { store, clock } = current()
      const { id } = await openWaiting(store)
      const first = await owe(store, id)
      const second = await owe(store, id)
      expect(await dueIds(store)).toEqual([first])
      expect(await store.claim('deliver', second, LEASE_MS)).toBeNull()
      const lease = await claimed(store, first)
      expect(await dueIds(store)).toEqual([])
      await store.attempted(lease, attempt(), { status: 'pending', nextAttemptAtMs: clock.now() + HOUR })
      expect(await dueIds(store)).toEqual([second])
      expect(await store.claim('deliver', second, LEASE_MS)).not.toBeNull()
    })

    test('an event that was given up holds nobody', async () => {
      const { store } = current()
      const { id } = await openWaiting(store)
      const first = await owe(store, id)
      const second = await owe(store, id)
      await store.attempted(await claimed(store, first), attempt({ status: 410 }), FAILED)
      expect(await dueIds(store)).toEqual([second])
    })

    test('other targets and other videos do not wait for it', async () => {
      const { store } = current()
      const { id } = await openWaiting(store, { id: numbered(1) })
      const first = await owe(store, id)
      const elsewhere = await owe(store, id, OTHER_URL)
      const other = await openOwing(store, { id: numbered(2) })
      expect((await dueIds(store)).toSorted()).toEqual([first, elsewhere, other].toSorted())
      expect(await store.claim('deliver', elsewhere, LEASE_MS)).not.toBeNull()
    })
  })

  describe('a body of its own', () => {
    test('goes to its target alone, each time it is sent, and after a restart', async () => {
      const { store, reopen } = current()
      await openWaiting(store)
      const about = event('vid_1', 1)
      const own = { ...TARGET, body: '{"own":"é"}' }
      const other = { kind: 'video', url: OTHER_URL } as const
      const { deliveries } = await store.change('vid_1', (video) => ({
        kind: 'save',
        video: { ...video, sequence: 1 },
        events: [{ event: about, targets: [own, other] }],
        notes: [],
      }))
      const [first, second] = deliveries.map(must)
      const sent = async (on: Store) => {
        const found = [await on.delivery(must(first)), await on.delivery(must(second))]
        return found.map((one) => [one?.event, one?.target])
      }
      const expected = [
        [{ ...about, body: own.body }, TARGET],
        [about, other],
      ]
      expect(await sent(store)).toEqual(expected)
      await store.attempted(await claimed(store, must(first)), attempt({ status: 200 }), DELIVERED)
      expect(await store.redeliver('acme', about.id)).toEqual(deliveries)
      expect(await sent(store)).toEqual(expected)
      expect(await sent(await reopen())).toEqual(expected)
      expect((await (await reopen()).eventsOf('acme', { after: 0, limit: 9, types: null })).events).toMatchObject([
        { event: about },
        { event: about },
      ])
    })
  })

  describe('attempted', () => {
    test('appends every attempt, in order, and counts them', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const again = { status: 'pending', nextAttemptAtMs: clock.now() } as const
      await store.attempted(await claimed(store, id), attempt({ error: 'timeout', status: null }), again)
      await store.attempted(await claimed(store, id), attempt({ atMs: 2_000, status: 204 }), DELIVERED)
      expect(await store.attempts(id)).toEqual([
        { ...attempt({ error: 'timeout', status: null }), nextAttemptAtMs: clock.now() },
        { ...attempt({ atMs: 2_000, status: 204 }), nextAttemptAtMs: null },
      ])
      expect(await store.delivery(id)).toMatchObject({ status: 'delivered', attempts: 2, nextAttemptAtMs: null })
    })

    test('frees the lease', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const lease = await claimed(store, id)
      await store.attempted(lease, attempt(), { status: 'pending', nextAttemptAtMs: clock.now() })
      expect(await store.extend('deliver', lease, LEASE_MS)).toBe(false)
      expect(await store.claim('deliver', id, LEASE_MS)).not.toBeNull()
    })

    test.each([
      ['a failure', FAILED],
      ['a retry', { status: 'pending', nextAttemptAtMs: 9_999 }],
    ] as const)('%s under a stale lease is appended and moves nothing', async (_, after) => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const stale = await claimed(store, id)
      clock.jump(LEASE_MS)
      const successor = await claimed(store, id)
      const before = must(await store.delivery(id))
      await store.attempted(stale, attempt(), after)
      expect(await store.attempts(id)).toHaveLength(1)
      expect(await store.delivery(id)).toEqual({ ...before, attempts: 1, tried: 1 })
      expect(await store.extend('deliver', successor, LEASE_MS)).toBe(true)
    })

    test('a failure under a lease that is over moves nothing, also when nobody took it', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const stale = await claimed(store, id)
      clock.jump(LEASE_MS)
      await store.attempted(stale, attempt(), FAILED)
      expect(await store.delivery(id)).toMatchObject({ status: 'pending', attempts: 1 })
    })

    test('a 2xx wins under a stale lease, and ends the successor’s', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const stale = await claimed(store, id)
      clock.jump(LEASE_MS)
      const successor = await claimed(store, id)
      await store.attempted(stale, attempt({ status: 200 }), DELIVERED)
      expect(await store.delivery(id)).toMatchObject({ status: 'delivered', nextAttemptAtMs: null })
      expect(await store.extend('deliver', successor, LEASE_MS)).toBe(false)
    })

    test('delivered stays delivered', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const stale = await claimed(store, id)
      clock.jump(LEASE_MS)
      const successor = await claimed(store, id)
      await store.attempted(stale, attempt({ status: 200 }), DELIVERED)
      await store.attempted(successor, attempt(), FAILED)
      expect(await store.delivery(id)).toMatchObject({ status: 'delivered', attempts: 2, nextAttemptAtMs: null })
      expect(await store.attempts(id)).toHaveLength(2)
      expect(await dueIds(store)).toEqual([])
    })

    test('a 2xx that comes after giving up still counts', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const stale = await claimed(store, id)
      clock.jump(LEASE_MS)
      await store.attempted(await claimed(store, id), attempt({ status: 410 }), FAILED)
      await store.attempted(stale, attempt({ status: 200 }), DELIVERED)
      expect((await store.delivery(id))?.status).toBe('delivered')
    })

    test('the latest 100 are kept, the latest 5 with their answers; all are counted', async () => {
      const { store } = current()
      const id = await openOwing(store)
      const other = await openOwing(store, { id: numbered(2) })
      const put = (delivery: string, n: number) =>
        store.attempted(
          { id: delivery, token: `t${n}`, untilMs: 0 },
          attempt({ atMs: n, responseBody: `b${n}` }),
          FAILED,
        )
      const numbers = Array.from({ length: 130 }, (_, n) => n)
      await Promise.all(numbers.map((n) => put(id, n)))
      await put(other, 1)
      const kept = await store.attempts(id)
      expect(kept.map(({ atMs }) => atMs)).toEqual(numbers.slice(30))
      expect(kept.map(({ responseBody }) => responseBody)).toEqual([
        ...Array.from({ length: 95 }, () => null),
        ...[125, 126, 127, 128, 129].map((n) => `b${n}`),
      ])
      expect(await store.delivery(id)).toMatchObject({ attempts: 130 })
      expect(await store.attempts(other)).toMatchObject([{ responseBody: 'b1' }])
    })

    test('told twice under one lease, because the first telling’s outcome was not known, it is one attempt', async () => {
      const { store, clock } = current()
      const id = await openOwing(store)
      const lease = await claimed(store, id)
      const later = { status: 'pending' as const, nextAttemptAtMs: clock.now() + 5_000 }
      await store.attempted(lease, attempt({ status: 500 }), later)
      await store.attempted(lease, attempt({ status: 500 }), later)
      expect(await store.attempts(id)).toHaveLength(1)
      expect(await store.delivery(id)).toMatchObject({ attempts: 1, status: 'pending' })
    })
  })
}
