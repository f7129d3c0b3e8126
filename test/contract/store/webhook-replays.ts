import { describe, expect, test } from 'vitest'
import { MAX_REPLAYED } from '../../../src/core/endpoints.ts'
import { must } from '../../fakes/must.ts'
import { deliveriesQuery, event, HOUR, pastQuery, T0 } from '../../fakes/records.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { ContractOptions, Current } from '../store.ts'
import { claimed, dueIds, numbered, openWaiting, saving } from './helpers.ts'
import { create, fail, happen, happenOften, sentTo, succeed } from './webhook-helpers.ts'

const replayOf = (endpointId: string, untilMs: number, onlyFailed = false) => ({
  client: 'acme',
  endpointId,
  sinceMs: 0,
  untilMs,
  onlyFailed,
})

/** What is sent once more, and what is listed. */
export const replayContract = (current: Current, { triesLimits }: ContractOptions): void => {
  describe('redeliver', () => {
    test('cancels the retry and starts the schedule anew; attempts stay', async () => {
      const { store, clock } = current()
      await create(store)
      await openWaiting(store, { id: numbered(1) })
      const id = must((await happen(store, numbered(1)))[0])
      await fail(store, await claimed(store, id), clock.now() + HOUR)
      expect(await store.redeliver('other', `evt_${numbered(1)}_1`)).toBeNull()
      expect(await store.redeliver('acme', `evt_${numbered(1)}_1`)).toEqual([id])
      expect(await store.delivery(id)).toMatchObject({
        status: 'pending',
        attempts: 1,
        tried: 0,
        nextAttemptAtMs: clock.now(),
      })
    })

    test('a 2xx of an attempt that began before it does not end it', async () => {
      const { store, clock } = current()
      await create(store)
      await openWaiting(store, { id: numbered(1) })
      const id = must((await happen(store, numbered(1)))[0])
      const lease = await claimed(store, id)
      const beganMs = clock.now()
      clock.jump(1)
      await store.redeliver('acme', `evt_${numbered(1)}_1`)
      // Nor does it delay the new one.
      expect(await dueIds(store)).toEqual([id])
      await succeed(store, lease, beganMs)
      expect(await store.delivery(id)).toMatchObject({ status: 'pending', attempts: 1, tried: 0 })
    })

    test('also to an endpoint that came later, not to one that is disabled or gone', async () => {
      const { store } = current()
      await create(store, { id: 'we_1' })
      await create(store, { id: 'we_2' })
      await openWaiting(store, { id: numbered(1) })
      await happen(store, numbered(1))
      await create(store, { id: 'we_3' })
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      await store.deleteEndpoint('acme', 'we_2')
      const ids = must(await store.redeliver('acme', `evt_${numbered(1)}_1`))
      const targets = await Promise.all(ids.map(async (id) => must(await store.delivery(id)).target))
      expect(targets).toMatchObject([{ id: 'we_3' }])
    })
  })

  test('a delivery tells whether it was asked for later than its event', async () => {
    const { store, clock } = current()
    const isLater = async (id: string) => must(await store.delivery(id)).isAskedLater
    await create(store, { id: 'we_1' })
    await create(store, { id: 'we_2' })
    await openWaiting(store, { id: numbered(1) })
    const [first, second] = await happen(store, numbered(1))
    await store.changeEndpoint('acme', 'we_2', { enabled: false })
    clock.jump(1_000)
    await fail(store, await claimed(store, must(first)), clock.now())
    expect([await isLater(must(first)), await isLater(must(second))]).toEqual([false, false])
    await store.changeEndpoint('acme', 'we_2', { enabled: true })
    expect(await isLater(must(second))).toBe(true)
    await create(store, { id: 'we_3' })
    const again = must(await store.redeliver('acme', `evt_${numbered(1)}_1`))
    expect(await Promise.all(again.map(isLater))).toEqual([true, true, true])
    await create(store, { id: 'we_4' })
    await store.replay(replayOf('we_4', clock.now()))
    const [replayed] = must(await store.replayStep(10))
    expect(await isLater(must(replayed))).toBe(true)
  })

  describe('replay', () => {
    const FIVE = [1, 2, 3, 4, 5]

    test('owes each event in the time once, in steps, across a restart', async () => {
      const { store, clock, reopen } = current()
      await openWaiting(store, { id: numbered(1) })
      for (const _ of FIVE) {
        await happen(store, numbered(1))
        clock.jump(1_000)
      }
      await create(store)
      const asked = { ...replayOf('we_1', clock.now()), sinceMs: T0 + 1_000 }
      expect(await store.replay({ ...asked, untilMs: T0 + 4_000 })).toEqual({ kind: 'taken', events: 3 })
      expect(await store.replayStep(2)).toHaveLength(2)
      const again = await reopen()
      expect(await again.replayStep(2)).toHaveLength(1)
      expect(await again.replayStep(2)).toBeNull()
      expect((await sentTo(again, 'we_1')).toReversed().map(([id]) => id)).toEqual(
        [2, 3, 4].map((n) => `evt_${numbered(1)}_${n}`),
      )
    })

    test('only those that failed', async () => {
      const { store, clock } = current()
      await create(store)
      for (const n of FIVE) {
        await openWaiting(store, { id: numbered(n) })
        const lease = await claimed(store, must((await happen(store, numbered(n)))[0]))
        const attempt = { atMs: clock.now(), durationMs: 1, status: 500, error: null, responseBody: null }
        if (n % 2 === 0) await store.attempted(lease, attempt, { status: 'failed' })
        else await succeed(store, lease, clock.now())
        clock.jump(1_000)
      }
      // The second failed a second after the start, the fourth three seconds after it.
      for (const range of [
        { sinceMs: 0, untilMs: T0 + 1_000 },
        { sinceMs: T0 + 1_001, untilMs: T0 + 3_000 },
      ])
        expect(await store.replay({ ...replayOf('we_1', 0, true), ...range })).toEqual({ kind: 'taken', events: 0 })
      expect(await store.replay(replayOf('we_1', clock.now() + 1, true))).toEqual({ kind: 'taken', events: 2 })
      expect(await store.replayStep(1)).toHaveLength(1)
      expect(await store.replayStep(1)).toHaveLength(1)
      expect(await store.replayStep(1)).toEqual([])
      expect(await store.replayStep(1)).toBeNull()
    })

    test('of several types in the order of time, in steps', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      for (const n of FIVE) {
        await happen(store, numbered(1), n % 2 === 0 ? 'video.progress' : 'video.completed')
        // Two of them happen at one moment.
        if (n !== 3) clock.jump(1_000)
      }
      await create(store, { events: ['video.progress', 'video.completed', 'video.failed'] })
      expect(await store.replay(replayOf('we_1', clock.now()))).toEqual({ kind: 'taken', events: 5 })
      expect(await store.replayStep(3)).toHaveLength(3)
      expect(await store.replayStep(3)).toHaveLength(2)
      expect(await store.replayStep(3)).toBeNull()
      expect((await sentTo(store, 'we_1')).toReversed().map(([id]) => id)).toEqual(
        FIVE.map((n) => `evt_${numbered(1)}_${n}`),
      )
    })

    if (triesLimits) {
      test('ten thousand at most: of one more none is taken', async () => {
        const { store } = current()
        await create(store)
        await openWaiting(store, { id: numbered(1) })
        await happenOften(store, numbered(1), MAX_REPLAYED + 1, (n) => ({ atMs: T0 + n }))
        expect(await store.replay(replayOf('we_1', T0 + MAX_REPLAYED + 1))).toEqual({ kind: 'many' })
        expect(await store.replayStep(10)).toBeNull()
        expect(await store.replay(replayOf('we_1', T0 + MAX_REPLAYED))).toEqual({ kind: 'taken', events: MAX_REPLAYED })
      })
    }

    test('a client that asked for many holds up no other', async () => {
      const { store, clock } = current()
      for (const client of ['acme', 'other']) {
        await create(store, { id: `we_${client}`, client })
        await openWaiting(store, { id: `vid_${client}`, client })
        await store.change(`vid_${client}`, (video, nowMs) => ({
          kind: 'save',
          video: { ...video, sequence: 1 },
          events: [{ event: event(video.id, 1, { client, type: 'video.completed', atMs: nowMs }), targets: [] }],
          notes: [],
        }))
      }
      const asked = { ...replayOf('we_acme', clock.now() + 1), client: 'acme' }
      for (let n = 0; n < 3; n += 1) await store.replay(asked)
      await store.replay({ ...asked, endpointId: 'we_other', client: 'other' })
      const [first] = must(await store.replayStep(10))
      expect((await store.delivery(must(first)))?.event.client).toBe('other')
      for (let n = 0; n < 3; n += 1) expect(await store.replayStep(10)).toHaveLength(1)
      expect(await store.replayStep(10)).toBeNull()
    })

    test('not of another client’s endpoint, nor to one that is disabled', async () => {
      const { store } = current()
      await create(store, { enabled: false })
      expect(await store.replay(replayOf('we_1', T0))).toEqual({ kind: 'disabled' })
      expect(await store.replay({ ...replayOf('we_1', T0), client: 'other' })).toEqual({ kind: 'unknown' })
    })

    test.each<[string, (store: Store) => Promise<unknown>]>([
      ['disabled', (store) => store.changeEndpoint('acme', 'we_1', { enabled: false })],
      ['deleted', (store) => store.deleteEndpoint('acme', 'we_1')],
    ])('ends with its endpoint: nothing is owed to one that was %s meanwhile', async (_, end) => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      await happen(store, numbered(1))
      await create(store)
      expect(await store.replay(replayOf('we_1', clock.now() + 1))).toEqual({ kind: 'taken', events: 1 })
      await end(store)
      expect(await store.replayStep(10)).toEqual([])
      expect(await store.replayStep(10)).toBeNull()
      expect(await sentTo(store, 'we_1')).toEqual([])
    })

    test('keeps the events that it needs from being removed', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      await happen(store, numbered(1))
      await store.change(numbered(1), saving({ phase: 'ended', status: 'completed', endedAtMs: T0, dueAtMs: null }))
      await create(store)
      await store.replay(replayOf('we_1', clock.now() + 1))
      expect(await store.purge(clock.now() + HOUR, 10)).toBe(0)
      const [id] = must(await store.replayStep(10))
      expect(await store.replayStep(10)).toBeNull()
      expect(await store.purge(clock.now() + HOUR, 10)).toBe(0)
      await succeed(store, await claimed(store, must(id)), clock.now())
      expect(await store.purge(clock.now() + HOUR, 10)).toBe(1)
    })
  })

  describe('lists', () => {
    test('events: newest first, by each filter, page by page', async () => {
      const { store, clock } = current()
      for (const n of [1, 2]) {
        await openWaiting(store, { id: numbered(n) })
        await happen(store, numbered(n), 'video.progress')
        await happen(store, numbered(n))
        clock.jump(1_000)
      }
      const ids = async (query: Parameters<typeof pastQuery>[0]) =>
        (await store.pastEvents('acme', pastQuery(query))).map(({ event: { id } }) => id.slice(-6))
      expect(await ids({})).toEqual(['0002_2', '0002_1', '0001_2', '0001_1'])
      expect(await ids({ type: 'video.progress' })).toEqual(['0002_1', '0001_1'])
      expect(await ids({ videoId: numbered(1) })).toEqual(['0001_2', '0001_1'])
      expect(await ids({ sinceMs: T0 + 1 })).toEqual(['0002_2', '0002_1'])
      expect(await ids({ untilMs: T0 + 1_000, type: 'video.completed', videoId: numbered(1) })).toEqual(['0001_2'])
      const [, last] = await store.pastEvents('acme', pastQuery({ limit: 2 }))
      const { place, event: oldest } = must(last)
      expect(await ids({ before: { atMs: oldest.atMs, place } })).toEqual(['0001_2', '0001_1'])
      expect(await store.pastEvents('other', pastQuery())).toEqual([])
      expect(await store.pastEvents('other', pastQuery({ videoId: numbered(1) }))).toEqual([])
      expect(await store.eventOf('other', `evt_${numbered(1)}_1`)).toBeNull()
      expect(await store.eventOf('acme', `evt_${numbered(1)}_1`)).toMatchObject({ event: { videoId: numbered(1) } })
    })

    test('deliveries: newest first, by each filter', async () => {
      const { store, clock } = current()
      await create(store, { id: 'we_1' })
      await create(store, { id: 'we_2' })
      for (const n of [1, 2]) {
        await openWaiting(store, { id: numbered(n) })
        await happen(store, numbered(n))
      }
      const found = async (query: Parameters<typeof deliveriesQuery>[0], client = 'acme') =>
        (await store.deliveries(client, deliveriesQuery(query))).map(({ delivery: { event: e, target } }) =>
          [e.videoId?.slice(-1), target.kind === 'endpoint' ? target.id : ''].join(),
        )
      expect(await found({})).toEqual(['2,we_2', '2,we_1', '1,we_2', '1,we_1'])
      const [newest] = await store.deliveries('acme', deliveriesQuery({ limit: 1 }))
      await succeed(store, await claimed(store, must(newest).delivery.id), clock.now())
      expect(await found({ before: must(newest).place })).toEqual(['2,we_1', '1,we_2', '1,we_1'])
      expect(await found({ status: 'delivered' })).toEqual(['2,we_2'])
      expect(await found({ status: 'pending' })).toEqual(['2,we_1', '1,we_2', '1,we_1'])
      expect(await found({ endpointId: 'we_2' })).toEqual(['2,we_2', '1,we_2'])
      expect(await found({ endpointId: 'we_2', status: 'pending' })).toEqual(['1,we_2'])
      expect(await found({ videoId: numbered(1) })).toEqual(['1,we_2', '1,we_1'])
      expect(await found({ eventId: `evt_${numbered(2)}_1`, endpointId: 'we_1' })).toEqual(['2,we_1'])
      for (const query of [{}, { videoId: numbered(1) }, { endpointId: 'we_1' }, { eventId: `evt_${numbered(1)}_1` }])
        expect(await found(query, 'other')).toEqual([])
      expect(await store.deliveryOf('other', must(newest).delivery.id)).toBeNull()
    })
  })
}
