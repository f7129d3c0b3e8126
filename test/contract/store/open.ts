import { describe, expect, test } from 'vitest'
import {
  ACCOUNT,
  accountId,
  draft,
  event,
  HOUR,
  idemKey,
  listQuery,
  MINUTE,
  note,
  rate,
  T0,
  TARGET,
  WIRE,
} from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import { seededRandom } from '../../fakes/random.ts'
import type { Current } from '../store.ts'
import { claimed, expectOpened, LEASE_MS, numbered, openWaiting, ROOMY, saving } from './helpers.ts'

const INTENT = { account: ACCOUNT, backend: 'main', resource: null }
const SLOTS_2 = { slots: 2, leaseMs: LEASE_MS }
const EVERY = { slots: null, leaseMs: LEASE_MS }
const CALM = { pollsDue: 0, createsWaiting: 0 }
const LIMIT = 10
const FIRST = { demand: CALM, fallbackLimit: LIMIT, outgoing: { wire: WIRE, offsetMs: 7 } }

export const openContract = (current: Current): void => {
  const left = async (account = ACCOUNT): Promise<number> =>
    (await current().store.budget(account, CALM, LIMIT)).remaining
  /** One request is answered: nine of ten are left. */
  const knownWindow = async (): Promise<void> => {
    const { store, clock } = current()
    const spent = await store.spend(ACCOUNT, 'create', CALM, LIMIT)
    const told = rate({ limit: LIMIT, remaining: LIMIT - 1, dateMs: clock.now(), resetAtMs: clock.now() + MINUTE })
    if (spent.ok) await store.learn(spent.ticket, told)
  }

  describe('open', () => {
    test('writes the record, its notes, its events and their deliveries in one step', async () => {
      const { store, clock } = current()
      const opening = draft(
        { sequence: 1 },
        { events: [{ event: event('vid_1', 1), targets: [TARGET] }], notes: [note('created')] },
      )
      const opened = expectOpened(await store.open(opening, null, ROOMY, null))
      expect(opened.lease).toBeNull()
      expect(await store.video('vid_1')).toEqual(opened.video)
      expect(await store.timeline('vid_1')).toEqual([note('created')])
      const deliveries = await store.deliveriesOf('vid_1')
      expect(deliveries.map(({ id }) => id)).toEqual(opened.deliveries)
      expect(deliveries).toMatchObject([
        { event: event('vid_1', 1), target: TARGET, status: 'pending', attempts: 0, nextAttemptAtMs: clock.now() },
      ])
    })

    test('the longest texts that clients may give, of characters of three bytes', async () => {
      const { store } = current()
      const random = seededRandom(3)
      const long = (characters: number): string =>
        String.fromCharCode(...Array.from({ length: characters }, () => 0x4e00 + Math.floor(random() * 0x5000)))
      const client = 'c'.repeat(63)
      const url = `https://hooks.example/${long(675)}a`
      const key = idemKey({ client, key: long(200) })
      const [name, value] = [long(40), long(500)]
      const opening = draft(
        { client, sequence: 1, metadata: { [name]: value } },
        { events: [{ event: event('vid_1', 1, { client }), targets: [{ kind: 'video', url }] }] },
      )
      expect(Buffer.byteLength(url)).toBe(2_048)
      const { video, deliveries } = expectOpened(await store.open(opening, key, ROOMY, null))
      expect(await store.keyed(key)).toMatchObject({ video })
      const found = await store.withMetadata({ ...listQuery(), client, metadata: { key: name, value } })
      expect(found.videos).toEqual([video])
      expect(await store.begin({ ...key, operation: 'POST /puppets' }, INTENT, LEASE_MS)).toMatchObject({
        kind: 'begun',
      })
      const attempt = { atMs: T0, durationMs: 1, status: 200, error: null, responseBody: null }
      await store.attempted(await claimed(store, must(deliveries[0])), attempt, { status: 'delivered' })
      expect(await store.deliveriesOf('vid_1')).toMatchObject([{ target: { url }, status: 'delivered' }])
    })

    test('an event that is owed to nobody makes no delivery', async () => {
      const { store } = current()
      const opening = draft({ sequence: 1 }, { events: [{ event: event('vid_1', 1), targets: [] }] })
      expect(expectOpened(await store.open(opening, null, ROOMY, null)).deliveries).toEqual([])
      expect(await store.deliveriesOf('vid_1')).toEqual([])
    })

    test('takes the video to dispatching, under a lease by the store’s clock, where a slot is free', async () => {
      const { store, clock } = current()
      const { video, lease } = expectOpened(await store.open(draft(), null, ROOMY, SLOTS_2))
      expect(lease).toMatchObject({ id: 'vid_1', untilMs: clock.now() + LEASE_MS })
      expect(video).toMatchObject({
        phase: 'dispatching',
        told: false,
        waitReason: null,
        lease: { token: lease?.token, untilMs: clock.now() + LEASE_MS },
      })
      expect(await store.video('vid_1')).toEqual(video)
    })

    test('what is sent at once is stored with it, and its request is taken, where it is admitted', async () => {
      const { store, clock } = current()
      const opening = (n: number) => draft({ id: numbered(n) }, { notes: [note('created')] })
      const one = { slots: 1, leaseMs: LEASE_MS }
      const { video, lease, ticket } = expectOpened(await store.open(opening(1), null, ROOMY, one, FIRST))
      expect(ticket).toEqual({ account: ACCOUNT, window: 1, probes: true })
      expect(await left()).toBe(LIMIT - 1)
      expect(video).toMatchObject({ phase: 'dispatching', attempt: 1, wire: WIRE, sentOffsetMs: 7, told: false })
      expect([video.dispatchedAtMs, lease?.untilMs]).toEqual([clock.now(), clock.now() + LEASE_MS])
      expect(await store.video(video.id)).toEqual(video)
      expect((await store.timeline(video.id)).map(({ type }) => type)).toEqual(['created', 'dispatched'])
      const { video: waiting, ticket: none } = expectOpened(await store.open(opening(2), null, ROOMY, one, FIRST))
      expect(waiting).toMatchObject({ phase: 'waiting', attempt: 0, wire: null, dispatchedAtMs: null })
      expect((await store.timeline(waiting.id)).map(({ type, detail }) => [type, detail])).toEqual([
        ['created', null],
        ['waiting', 'no_free_slot'],
      ])
      expect([none, await left()]).toEqual([null, LIMIT - 1])
    })

    test('where the window has no request left, it is admitted without a ticket and without its bytes', async () => {
      const { store } = current()
      // The first request of a window goes alone.
      expect((await store.spend(ACCOUNT, 'poll', CALM, LIMIT)).ok).toBe(true)
      const { video, lease, ticket } = expectOpened(await store.open(draft(), null, ROOMY, SLOTS_2, FIRST))
      expect([video.phase, ticket]).toEqual(['dispatching', null])
      expect(video).toMatchObject({ attempt: 0, wire: null, dispatchedAtMs: null, lease: { token: lease?.token } })
      expect(await left()).toBe(LIMIT - 1)
    })

    test('it leaves the window what more urgent work asked for', async () => {
      const { store } = current()
      await knownWindow()
      const first = { ...FIRST, demand: { pollsDue: 9, createsWaiting: 0 } }
      const tickets = []
      for (let n = 0; n < 9; n += 1)
        tickets.push(expectOpened(await store.open(draft({ id: numbered(n) }), null, ROOMY, EVERY, first)).ticket)
      // A third of ten, of which one was taken before.
      expect(tickets.filter((ticket) => ticket !== null)).toHaveLength(2)
    })

    test('bytes that are stored later need no more than the ticket now', async () => {
      const { store } = current()
      const first = { ...FIRST, outgoing: null }
      const { video, ticket } = expectOpened(await store.open(draft(), null, ROOMY, SLOTS_2, first))
      expect(video).toMatchObject({ phase: 'dispatching', attempt: 0, wire: null, dispatchedAtMs: null })
      await store.learn(must(ticket), null)
      expect(await left()).toBe(LIMIT - 1)
    })

    test('what opens no video takes no request', async () => {
      const { store } = current()
      await store.open(draft(), idemKey(), ROOMY, null, FIRST)
      const other = () => draft({ id: 'vid_2', account: accountId('other') })
      const full = { ...ROOMY, videosPerMonth: 1 }
      const opened = [
        await store.open(other(), idemKey(), ROOMY, SLOTS_2, FIRST),
        await store.open(other(), idemKey({ fingerprint: 'f2' }), ROOMY, SLOTS_2, FIRST),
        await store.open(other(), null, full, SLOTS_2, FIRST),
      ]
      expect(opened.map(({ kind }) => kind)).toEqual(['replay', 'conflict', 'full'])
      expect([await left(), await left(accountId('other'))]).toEqual([LIMIT, LIMIT])
    })

    test('opened by two processes at once, each takes a request of its own, and no more than there are', async () => {
      const { store, second } = current()
      await knownWindow()
      const handles = [store, await second()]
      const opened = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (handles[n % 2] ?? store).open(draft({ id: numbered(n) }), null, ROOMY, EVERY, FIRST),
        ),
      )
      const sent = opened.map(expectOpened).filter(({ ticket }) => ticket !== null)
      expect(sent).toHaveLength(LIMIT - 1)
      expect(sent.every(({ video }) => video.wire !== null && video.attempt === 1)).toBe(true)
      expect(await left()).toBe(0)
    })

    test('lets it wait where all slots are held', async () => {
      const { store } = current()
      await store.open(draft({ id: numbered(1) }), null, ROOMY, SLOTS_2)
      await store.open(draft({ id: numbered(2) }), null, ROOMY, SLOTS_2)
      const third = expectOpened(await store.open(draft({ id: numbered(3) }), null, ROOMY, SLOTS_2))
      expect(third.lease).toBeNull()
      expect(third.video.phase).toBe('waiting')
    })

    test('slots are the account’s own', async () => {
      const { store } = current()
      const one = { slots: 1, leaseMs: LEASE_MS }
      await store.open(draft({ id: numbered(1) }), null, ROOMY, one)
      const other = draft({ id: numbered(2), account: accountId('other') })
      expect(expectOpened(await store.open(other, null, ROOMY, one)).lease).not.toBeNull()
    })

    test('no limit on slots admits everybody', async () => {
      const { store } = current()
      for (const n of [1, 2, 3, 4]) {
        const opened = await store.open(draft({ id: numbered(n) }), null, ROOMY, { slots: null, leaseMs: LEASE_MS })
        expect(expectOpened(opened).lease).not.toBeNull()
      }
    })

    test('nobody overtakes one of the same account that waits, due or not', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1), dueAtMs: clock.now() + HOUR })
      const second = expectOpened(await store.open(draft({ id: numbered(2) }), null, ROOMY, SLOTS_2))
      expect(second.video.phase).toBe('waiting')
      const other = draft({ id: numbered(3), account: accountId('other') })
      expect(expectOpened(await store.open(other, null, ROOMY, SLOTS_2)).video.phase).toBe('dispatching')
    })

    test('20 at once never take more than the slots', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      const opened = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (handles[n % 2] ?? store).open(draft({ id: numbered(n) }), null, ROOMY, SLOTS_2),
        ),
      )
      expect(opened.filter((one) => expectOpened(one).lease !== null)).toHaveLength(2)
      expect(await store.queue(ACCOUNT)).toMatchObject({ waiting: 18, held: 2 })
    })
  })

  describe('open: limits', () => {
    test('the queue’s limit counts every client’s waiting videos', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), client: 'other', account: accountId('other') })
      await openWaiting(store, { id: numbered(2), client: 'other' })
      const refused = await store.open(draft({ id: numbered(3) }), null, { ...ROOMY, queue: 2 }, null)
      expect(refused).toEqual({ kind: 'full', scope: 'queue', deliveries: [] })
      expect(await store.video(numbered(3))).toBeNull()
    })

    test('a client’s limit counts its own', async () => {
      const { store } = current()
      const limits = { ...ROOMY, client: 1 }
      await openWaiting(store, { id: numbered(1) })
      expect(await store.open(draft({ id: numbered(2) }), null, limits, null)).toEqual({
        kind: 'full',
        scope: 'client',
        deliveries: [],
      })
      const other = draft({ id: numbered(3), client: 'other' })
      expect((await store.open(other, null, limits, null)).kind).toBe('opened')
    })

    test('what is admitted at once does not wait, and is not held to them', async () => {
      const { store } = current()
      const opened = await store.open(draft(), null, { ...ROOMY, queue: 0, client: 0 }, SLOTS_2)
      expect(expectOpened(opened).lease).not.toBeNull()
    })

    test('a refusal leaves the idempotency key free', async () => {
      const { store } = current()
      await store.open(draft(), idemKey(), { ...ROOMY, queue: 0, client: 0 }, null)
      expect(await store.keyed(idemKey())).toBeNull()
      expect((await store.open(draft(), idemKey(), ROOMY, null)).kind).toBe('opened')
    })
  })

  describe('open: idempotency', () => {
    test('the same key and fingerprint find the video as it is now', async () => {
      const { store } = current()
      await store.open(draft({ id: numbered(1) }), idemKey(), ROOMY, null)
      await store.change(numbered(1), saving({ status: 'processing' }))
      const replay = await store.open(draft({ id: numbered(2) }), idemKey(), { ...ROOMY, queue: 0, client: 0 }, null)
      expect(replay).toMatchObject({ kind: 'replay', video: { id: numbered(1), status: 'processing', version: 2 } })
      expect(await store.video(numbered(2))).toBeNull()
    })

    test('another fingerprint is a conflict that names the first', async () => {
      const { store } = current()
      await store.open(draft({ id: numbered(1) }), idemKey(), ROOMY, null)
      const conflict = await store.open(draft({ id: numbered(2) }), idemKey({ fingerprint: 'f2' }), ROOMY, null)
      expect(conflict).toEqual({ kind: 'conflict', videoId: numbered(1) })
      expect(await store.video(numbered(2))).toBeNull()
    })

    test.each([
      ['client', { client: 'other' }],
      ['operation', { operation: 'POST /elsewhere' }],
      ['key', { key: 'order-2' }],
    ])('another %s is another key', async (_, given) => {
      const { store } = current()
      await store.open(draft({ id: numbered(1) }), idemKey(), ROOMY, null)
      expect((await store.open(draft({ id: numbered(2) }), idemKey(given), ROOMY, null)).kind).toBe('opened')
    })

    test('20 at once with one key make one video', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      const opened = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (handles[n % 2] ?? store).open(draft({ id: numbered(n) }), idemKey(), ROOMY, null),
        ),
      )
      expect(opened.filter(({ kind }) => kind === 'opened')).toHaveLength(1)
      expect(opened.filter(({ kind }) => kind === 'replay')).toHaveLength(19)
      expect(await store.queue(ACCOUNT)).toMatchObject({ waiting: 1 })
    })

    test('a key is kept while its video runs, however long', async () => {
      const { store, clock } = current()
      await store.open(draft(), idemKey(), ROOMY, null)
      clock.jump(48 * HOUR)
      expect((await store.open(draft({ id: 'vid_2' }), idemKey(), ROOMY, null)).kind).toBe('replay')
    })

    test('a key is free again 24 h after its video ended, not before', async () => {
      const { store, clock } = current()
      await store.open(draft({ id: numbered(1) }), idemKey(), ROOMY, null)
      clock.jump(HOUR)
      const endedAtMs = clock.now()
      await store.change(numbered(1), saving({ phase: 'ended', status: 'completed', endedAtMs, dueAtMs: null }))
      clock.jump(24 * HOUR - 1)
      expect(await store.keyed(idemKey())).not.toBeNull()
      expect((await store.open(draft({ id: numbered(2) }), idemKey(), ROOMY, null)).kind).toBe('replay')
      clock.jump(1)
      expect(await store.keyed(idemKey())).toBeNull()
      const again = await store.open(draft({ id: numbered(3) }), idemKey({ fingerprint: 'f2' }), ROOMY, null)
      expect(again.kind).toBe('opened')
      expect(await store.keyed(idemKey())).toMatchObject({ video: { id: numbered(3) }, fingerprint: 'f2' })
    })

    test('keyed answers the video and the fingerprint that it was opened with', async () => {
      const { store } = current()
      expect(await store.keyed(idemKey())).toBeNull()
      const { video } = expectOpened(await store.open(draft(), idemKey(), ROOMY, null))
      expect(await store.keyed(idemKey({ fingerprint: 'f2' }))).toEqual({ video, fingerprint: 'f1' })
    })
  })
}
