import { describe, expect, test } from 'vitest'
import type {
  EndedDeliveriesQuery,
  EndedDelivery,
  OutcomesQuery,
  OverviewQuery,
  SamplesQuery,
} from '../../../src/core/store/admin.ts'
import type { Store } from '../../../src/core/store/index.ts'
import { MOST_LOOKED_AT, type SearchPage, type SearchQuery } from '../../../src/core/store/videos.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import {
  ACCOUNT,
  accountId,
  ended,
  endedDeliveriesQuery,
  event,
  HOUR,
  MINUTE,
  SECOND,
  T0,
  TARGET,
} from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'
import { LEASE_MS, numbered, openWaiting, saving, withEach } from './helpers.ts'
import type { Rivals } from './races.ts'
import { create, happen, succeed } from './webhook-helpers.ts'

const query = (given: Partial<OverviewQuery> = {}): OverviewQuery => ({
  client: null,
  backend: null,
  sinceMs: T0 - 23 * HOUR,
  limit: 10,
  ...given,
})
const outcomes = (given: Partial<OutcomesQuery> = {}): OutcomesQuery => ({
  of: 'completed',
  client: null,
  backend: null,
  by: [],
  measure: null,
  fromMs: T0 - HOUR,
  untilMs: T0 + HOUR,
  stepMs: HOUR,
  ...given,
})
const searching = (given: Partial<SearchQuery> = {}): SearchQuery => ({
  client: null,
  statuses: ['completed', 'failed', 'canceled'],
  phases: null,
  backends: null,
  sinceMs: null,
  untilMs: null,
  code: null,
  at: 'created_at',
  webhook: null,
  ...given,
})
const PAGE = { limit: 100, before: null, longestFirst: false }
const SAMPLES: SamplesQuery = { of: 'accounts', account: null, fromMs: T0, untilMs: T0 + HOUR, stepMs: 30 * MINUTE }
const RUNNING = { phase: 'accepted', acceptedAtMs: T0, dispatchedAtMs: T0 } as const

const become = (store: Store, n: number, given: Partial<VideoRecord>) => store.change(numbered(n), saving(given))
/** It ended at a time, and may have been over `lateMs` before. */
const end = (store: Store, n: number, status: 'completed' | 'failed', atMs: number, lateMs: number) =>
  become(store, n, {
    ...RUNNING,
    phase: 'ended',
    status,
    dueAtMs: null,
    endedAtMs: atMs,
    lastPollAtMs: atMs - lateMs,
    error: status === 'failed' ? { code: 'backend_failed', message: '', retryable: true, backend_error: null } : null,
  })

/** Tries a delivery for the last time. */
const giveUp = async (store: Store, id: string, atMs: number, status: number | null = 500) => {
  const lease = must(await store.claim('deliver', id, LEASE_MS))
  const attempt = { atMs, durationMs: 1, status, error: null, responseBody: '<b>no</b>' }
  await store.attempted(lease, attempt, { status: 'failed' })
}

export const OVERVIEW_RACES = {
  overview: async ({ store, other, each }: Rivals) => {
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    await each(20, (one, n) => end(one, n, 'completed', T0 + n, n))
    const seen = await store.overview(query())
    expect(seen.open).toMatchObject({ waiting: 0, queued: 0, processing: 0 })
    expect(await other.overview(query())).toEqual(seen)
  },
  outcomes: async ({ store, other, each }: Rivals) => {
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    await each(20, (one, n) => end(one, n, 'completed', T0 + n, n))
    const { counts } = await store.outcomes(outcomes())
    expect(counts).toMatchObject([{ step: 1, count: 20, lastAtMs: T0 + 19 }])
    expect((await other.outcomes(outcomes())).counts).toEqual(counts)
  },
  search: async ({ store, other, each }: Rivals) => {
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    await each(20, (one, n) => end(one, n, 'completed', T0 + n, n))
    const { found } = await store.search(searching({ at: 'ended_at' }), PAGE)
    expect(found.map(({ rank }) => rank)).toEqual(Array.from({ length: 20 }, (_, n) => T0 + 19 - n))
    expect((await other.search(searching({ at: 'ended_at' }), PAGE)).found).toEqual(found)
  },
  countFound: async ({ other, each }: Rivals) => {
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    expect(await other.countFound(searching({ statuses: ['queued'] }))).toBe(20)
  },
  webhookStates: async ({ store, other, each }: Rivals) => {
    await create(store)
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    await each(20, (one, n) => happen(one, numbered(n)))
    const ids = Array.from({ length: 20 }, (_, n) => numbered(n))
    expect([...(await other.webhookStates(ids)).values()]).toEqual(Array(20).fill('pending'))
  },
  endedDeliveries: async ({ store, other, each }: Rivals) => {
    await create(store)
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    await each(20, async (one, n) => giveUp(one, must((await happen(one, numbered(n)))[0]), T0 + n))
    const found = await store.endedDeliveries(endedDeliveriesQuery())
    expect(found.map(({ endedAtMs }) => endedAtMs)).toEqual(Array.from({ length: 20 }, (_, n) => T0 + 19 - n))
    expect(await other.endedDeliveries(endedDeliveriesQuery())).toEqual(found)
  },
  putSample: async ({ store, other, each }: Rivals) => {
    const sample = { account: ACCOUNT, atMs: T0, waiting: 2, used: 1, capacity: 10 }
    await each(20, (one) => one.putSample(sample))
    expect((await other.samples(SAMPLES)).sums).toMatchObject([{ waiting: 2, used: 0.1 }])
    expect(await store.purgeSamples(T0 + 1, 10)).toBe(1)
  },
  samples: async ({ store, other, each }: Rivals) => {
    await each(20, (one, n) =>
      one.putSample({ account: ACCOUNT, atMs: T0 + n * MINUTE, waiting: 1, used: 0, capacity: 10 }),
    )
    const { sums } = await store.samples({ ...SAMPLES, stepMs: HOUR })
    expect(sums).toMatchObject([{ waiting: 20, mostWaiting: 1 }])
    expect((await other.samples({ ...SAMPLES, stepMs: HOUR })).sums).toEqual(sums)
  },
  purgeSamples: async ({ store, each }: Rivals) => {
    for (let n = 0; n < 20; n += 1)
      await store.putSample({ account: ACCOUNT, atMs: T0 + n, waiting: 1, used: 0, capacity: 10 })
    const removed = await each(20, (one) => one.purgeSamples(T0 + 15, 1))
    expect(removed.reduce((sum, n) => sum + n, 0)).toBe(15)
    expect((await store.samples(SAMPLES)).sums).toMatchObject([{ waiting: 5 }])
  },
  queueHead: async ({ store, other, each }: Rivals) => {
    await each(20, (one, n) => openWaiting(one, { id: numbered(n) }))
    expect((await other.queueHead(ACCOUNT, null, 20)).map(({ id }) => id)).toEqual(
      (await store.queueHead(ACCOUNT, 'acme', 20)).map(({ id }) => id),
    )
  },
}

/** Five open videos of one client and one of another, each in another phase. */
const openSome = async (store: Store): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await openWaiting(store, { id: numbered(n) })
  await openWaiting(store, { id: numbered(5), client: 'other' })
  await become(store, 0, { ...RUNNING, status: 'processing' })
  await become(store, 1, RUNNING)
  await become(store, 2, { phase: 'doubtful', doubtSinceMs: T0 })
}

export const overviewContract = (current: Current): void => {
  describe('an overview', () => {
    test('of nothing is nothing', async () => {
      const { store } = current()
      expect(await store.overview(query())).toEqual({
        open: { waiting: 0, queued: 0, processing: 0, doubtful: 0, isWhole: true },
        deliveries: { pending: 0, held: 0, isWhole: true },
        givenUp: [],
        disabledEndpoints: [],
        failingEndpoints: [],
        doubtfulVideos: [],
      })
      expect(await store.outcomes(outcomes())).toEqual({ counts: [], isWhole: true })
      expect(await store.samples(SAMPLES)).toEqual({ sums: [], isWhole: true })
    })

    test('what is open, of all and of one client, as it moves', async () => {
      const { store } = current()
      await openSome(store)
      const of = async (client: string | null) => (await store.overview(query({ client }))).open
      expect(await of(null)).toEqual({ waiting: 3, queued: 2, processing: 1, doubtful: 1, isWhole: true })
      expect(await of('acme')).toEqual({ waiting: 2, queued: 2, processing: 1, doubtful: 1, isWhole: true })
      expect(await of('other')).toMatchObject({ waiting: 1, queued: 0, processing: 0 })
      expect(await of('nobody')).toMatchObject({ waiting: 0, queued: 0, processing: 0 })
      for (const client of [null, 'acme']) {
        const [main, none] = [
          await store.overview(query({ client, backend: 'main' })),
          await store.overview(query({ client, backend: 'none' })),
        ]
        expect(main.open).toEqual(await of(client))
        expect(none.open).toMatchObject({ waiting: 0, queued: 0, processing: 0, doubtful: 0 })
      }
      await end(store, 0, 'completed', T0, 0)
      expect(await of(null)).toMatchObject({ waiting: 3, queued: 2, processing: 0 })
      expect((await store.overview(query())).doubtfulVideos.map(({ id }) => id)).toEqual([numbered(2)])
      expect((await store.overview(query({ client: 'other' }))).doubtfulVideos).toEqual([])
    })

    test('what ended, by step, code and client, how long it took and how late it was found', async () => {
      const { store } = current()
      for (let n = 0; n < 6; n += 1) await openWaiting(store, { id: numbered(n), client: n < 4 ? 'acme' : 'other' })
      await end(store, 0, 'completed', T0 - 25 * HOUR, 9 * SECOND)
      await end(store, 1, 'completed', T0 - HOUR, 3 * SECOND)
      await end(store, 2, 'completed', T0, 1 * SECOND)
      await end(store, 3, 'failed', T0 + MINUTE, 2 * SECOND)
      await end(store, 4, 'failed', T0 + 2 * MINUTE, 5 * SECOND)
      await become(store, 5, { phase: 'ended', status: 'canceled', dueAtMs: null, endedAtMs: T0 })
      const counts = async (given: Partial<OutcomesQuery>) =>
        (await store.outcomes(outcomes(given))).counts.toSorted((a, b) => a.step - b.step || a.lastAtMs - b.lastAtMs)
      expect(await counts({})).toEqual([
        { step: 0, keys: [], ms: null, credits: null, count: 1, lastAtMs: T0 - HOUR },
        { step: 1, keys: [], ms: null, credits: null, count: 1, lastAtMs: T0 },
      ])
      expect(await counts({ of: 'canceled' })).toMatchObject([{ step: 1, count: 1 }])
      expect(await counts({ of: 'failed', by: ['code', 'client'] })).toMatchObject([
        { keys: ['backend_failed', 'acme'], count: 1, lastAtMs: T0 + MINUTE },
        { keys: ['backend_failed', 'other'], count: 1, lastAtMs: T0 + 2 * MINUTE },
      ])
      expect(await counts({ of: 'failed', by: ['code', 'backend'], client: 'other' })).toMatchObject([
        { keys: ['backend_failed', 'main'], count: 1 },
      ])
      expect(await counts({ of: 'failed', backend: 'none' })).toEqual([])
      expect(await counts({ of: 'failed', client: 'other', backend: 'main' })).toHaveLength(1)
      const [late] = await counts({ of: 'failed', client: 'other', measure: 'late' })
      expect(Math.abs((late?.ms ?? 0) / (5 * SECOND) - 1)).toBeLessThan(0.02)
      const [took] = await counts({ measure: 'took', fromMs: T0 })
      expect(took?.ms).toBeGreaterThanOrEqual(0)
    })

    test('what videos cost, by client and backend; what no backend reported is no cost of nothing', async () => {
      const { store } = current()
      for (const [n, charged] of [0.1, 0.2, null, 3, 50].entries()) {
        const client = n < 3 ? 'acme' : 'other'
        await openWaiting(store, { id: numbered(n), client, credits: { charged, remaining: null } })
        if (n < 4) await end(store, n, n === 0 ? 'failed' : 'completed', T0 + n, 0)
      }
      const costs = async (given: Partial<OutcomesQuery>) =>
        (await store.outcomes(outcomes({ measure: 'credits', ...given }))).counts
          .toSorted((a, b) => a.lastAtMs - b.lastAtMs)
          .map(({ step, keys, ms, credits, count }) => [step, ...keys, ms, credits, count])
      expect(await costs({ by: ['client'] })).toEqual([
        [1, 'acme', null, 0.2, 2],
        [1, 'other', null, 3, 1],
      ])
      expect(await costs({ of: 'failed', client: 'acme', by: ['backend'] })).toEqual([[1, 'main', null, 0.1, 1]])
      expect(await costs({ fromMs: T0 + 2, untilMs: T0 + 3, stepMs: 1 })).toEqual([[0, null, null, 1]])
      expect(await costs({ backend: 'main' })).toEqual([[1, null, 3.2, 3]])
    })

    test('deliveries: what is owed now, and what ended, by the time of its last attempt', async () => {
      const { store, clock } = current()
      await create(store)
      await openWaiting(store, { id: numbered(0) })
      await openWaiting(store, { id: numbered(1), client: 'other' })
      const [failed = '', delivered = ''] = [
        ...(await happen(store, numbered(0))),
        ...(await happen(store, numbered(0))),
      ]
      const told = event(numbered(1), 1, { client: 'other', atMs: clock.now() })
      await store.change(numbered(1), (video) => ({
        kind: 'save',
        video: { ...video, sequence: 1 },
        events: [{ event: told, targets: [TARGET] }],
        notes: [],
      }))
      const atMs = clock.now() + 1
      await giveUp(store, failed, atMs)
      const lease = must(await store.claim('deliver', delivered, LEASE_MS))
      const attempt = { atMs: clock.now(), durationMs: 80, status: 200, error: null, responseBody: '' }
      await store.attempted(lease, attempt, { status: 'delivered' })
      const grid = { fromMs: clock.now(), untilMs: clock.now() + HOUR }
      const counts = async (given: Partial<OutcomesQuery>) =>
        (await store.outcomes(outcomes({ ...grid, ...given }))).counts
      const seen = await store.overview(query())
      expect(seen.deliveries).toEqual({ pending: 1, held: 0, isWhole: true })
      const given = { client: 'acme', endpointId: 'we_1', deliveries: 1, deliveryId: failed, atMs, status: 500 }
      expect(seen.givenUp).toEqual([given])
      expect((await store.overview(query({ client: 'acme', sinceMs: atMs }))).givenUp).toEqual([given])
      expect((await store.overview(query({ sinceMs: atMs + 1 }))).givenUp).toEqual([])
      expect((await store.overview(query({ client: 'other' }))).givenUp).toEqual([])
      expect(await counts({ of: 'delivered', client: 'acme', by: ['endpoint'], measure: 'took' })).toMatchObject([
        { keys: ['we_1'], ms: 82, count: 1 },
      ])
      expect(await counts({ of: 'given_up', by: ['client'] })).toMatchObject([{ keys: ['acme'], lastAtMs: atMs }])
      expect(await counts({ of: 'given_up', fromMs: atMs + 1 })).toEqual([])
      expect(await counts({ of: 'given_up', client: 'other' })).toEqual([])
      // Sent again, it is open again.
      await store.redeliver('acme', must(await store.delivery(failed)).event.id)
      expect(await counts({ of: 'given_up' })).toEqual([])
    })

    test('deliveries that ended, the last first: each count has a list, by endpoint, answer and time', async () => {
      const { store, clock } = current()
      for (const id of ['we_0', 'we_1']) await create(store, { id })
      const answers = [503, 404, null, 200, 500, 503]
      const nowMs = clock.now()
      // Each is owed to both endpoints. The last one arrives at one of them.
      for (const [n, status] of answers.entries()) {
        await openWaiting(store, { id: numbered(n) })
        for (const [to, id] of (await happen(store, numbered(n))).entries()) {
          if (status !== 200 && n + to < 6) await giveUp(store, id, nowMs + n, status)
          else await succeed(store, must(await store.claim('deliver', id, LEASE_MS)), nowMs + n)
        }
      }
      const list = async (given: Partial<EndedDeliveriesQuery>) => {
        const seen: EndedDelivery[] = []
        for (let found = seen; ; seen.push(...found)) {
          found = await store.endedDeliveries(endedDeliveriesQuery({ limit: 2, before: seen.at(-1) ?? null, ...given }))
          if (found.length === 0)
            return seen.map(({ delivery, endedAtMs }) => [delivery.event.videoId, endedAtMs - nowMs])
        }
      }
      const of = (...ends: number[]) => ends.map((n) => [numbered(n), n])
      expect(await list({})).toEqual(of(5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0))
      const failed = { statuses: ['failed'] } as const
      for (const client of [null, 'acme', 'other'])
        for (const sinceMs of [nowMs, nowMs + 2]) {
          const grid = { client, fromMs: sinceMs, untilMs: nowMs + 5, stepMs: HOUR }
          const { counts } = await store.outcomes(outcomes({ of: 'given_up', ...grid }))
          const found = await list({ client, sinceMs, untilMs: nowMs + 5, ...failed })
          expect(found).toHaveLength(counts.reduce((sum, { count }) => sum + count, 0))
        }
      expect(await list({ client: 'acme', ...failed })).toEqual(of(5, 4, 4, 2, 2, 1, 1, 0, 0))
      expect(await list({ client: 'acme', statuses: ['delivered'], sinceMs: nowMs + 4 })).toEqual(of(5))
      expect(await list({ endpointId: 'we_1' })).toEqual(of(5, 4, 3, 2, 1, 0))
      expect(
        await list({ endpointId: 'we_1', client: 'acme', sinceMs: nowMs + 2, untilMs: nowMs + 5, ...failed }),
      ).toEqual(of(4, 2))
      expect(await list({ endpointId: 'we_1', client: 'other' })).toEqual([])
      const server = { from: 500, to: 599 }
      expect(await list({ answer: server, ...failed })).toEqual(of(5, 4, 4, 0, 0))
      expect(await list({ answer: { from: 503, to: 503 }, ...failed })).toEqual(of(5, 0, 0))
      expect(await list({ answer: server, client: 'other', ...failed })).toEqual([])
      expect(await list({ answer: { from: 400, to: 499 }, endpointId: 'we_0', ...failed })).toEqual(of(1))
      expect(await list({ answer: { from: 0, to: 0 }, client: 'acme', ...failed })).toEqual(of(2, 2))
      expect(await list({ answer: { from: 300, to: 399 }, ...failed })).toEqual([])
    })

    test('samples: of whole accounts and of the clients that wait, each minute once', async () => {
      const { store } = current()
      for (let n = 0; n < 3; n += 1) await openWaiting(store, { id: numbered(n), client: n < 2 ? 'acme' : 'other' })
      const sample = { account: ACCOUNT, atMs: T0, waiting: 3, used: 5, capacity: 10 }
      for (const one of [sample, { ...sample, waiting: 9 }, { ...sample, atMs: T0 + MINUTE, used: 10 }])
        await store.putSample(one)
      await store.putSample({ ...sample, atMs: T0 + 40 * MINUTE, waiting: 0, capacity: 0 })
      const { sums } = await store.samples(SAMPLES)
      expect(sums.toSorted((a, b) => a.step - b.step)).toEqual([
        { client: '', account: ACCOUNT, step: 0, waiting: 6, mostWaiting: 3, used: 1.5, mostUsed: 1, capacity: 10 },
        { client: '', account: ACCOUNT, step: 1, waiting: 0, mostWaiting: 0, used: 0, mostUsed: 0, capacity: 0 },
      ])
      expect((await store.samples({ ...SAMPLES, account: accountId('alt') })).sums).toEqual([])
      const own = { client: 'acme', step: 0, waiting: 4 }
      expect((await store.samples({ ...SAMPLES, of: { client: 'acme' } })).sums).toMatchObject([own])
      const clients = (await store.samples({ ...SAMPLES, of: 'clients', account: ACCOUNT })).sums
      expect(clients.toSorted((a, b) => b.waiting - a.waiting)).toMatchObject([own, { client: 'other', waiting: 2 }])
    })

    test('endpoints that were disabled, but not by their client', async () => {
      const { store, clock } = current()
      await create(store)
      await create(store, { id: 'we_2' })
      await store.changeEndpoint('acme', 'we_2', { enabled: false })
      await openWaiting(store, { id: numbered(0) })
      const [due = ''] = await happen(store, numbered(0))
      const lease = must(await store.claim('deliver', due, LEASE_MS))
      const gone = { atMs: clock.now(), durationMs: 1, status: 410, error: null, responseBody: '' }
      await store.attempted(lease, gone, { status: 'failed' })
      const disabled = [{ id: 'we_1', client: 'acme', description: null, reason: 'gone', held: 1 }]
      expect((await store.overview(query())).disabledEndpoints).toMatchObject(disabled)
      expect((await store.overview(query({ client: 'acme' }))).disabledEndpoints).toMatchObject(disabled)
      expect((await store.overview(query({ client: 'other' }))).disabledEndpoints).toEqual([])
    })

    test('endpoints whose attempts fail, from the fifth in a row on', async () => {
      const { store, clock } = current()
      await create(store)
      const failing = async (client: string | null = null) => (await store.overview(query({ client }))).failingEndpoints
      const down = { atMs: clock.now(), durationMs: 1, status: 503, error: null, responseBody: '' }
      for (let n = 0; n < 5; n += 1) {
        expect(await failing()).toEqual([])
        await openWaiting(store, { id: numbered(n) })
        const [due = ''] = await happen(store, numbered(n))
        await store.attempted(must(await store.claim('deliver', due, LEASE_MS)), down, { status: 'failed' })
      }
      const seen = [{ id: 'we_1', client: 'acme', description: null, failures: 5, sinceMs: down.atMs }]
      expect([await failing(), await failing('acme'), await failing('other')]).toEqual([seen, seen, []])
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      expect(await failing()).toEqual([])
    })
  })

  describe('a search', () => {
    const ids = async (given: Partial<SearchQuery>, page: Partial<SearchPage> = {}) =>
      (await current().store.search(searching(given), { ...PAGE, ...page })).found.map(({ video }) => video.id)

    test('finds open videos by phase, of several statuses and backends', async () => {
      const { store } = current()
      await openSome(store)
      const open = { statuses: ['queued', 'processing'] } as const
      expect(await ids(open)).toEqual([5, 4, 3, 2, 1, 0].map(numbered))
      expect(await ids({ ...open, client: 'acme', phases: ['waiting'] })).toEqual([4, 3].map(numbered))
      expect(await ids({ ...open, phases: ['dispatching', 'accepted'] })).toEqual([1, 0].map(numbered))
      expect(await ids({ ...open, phases: ['doubtful'], backends: ['main', 'alt'] })).toEqual([numbered(2)])
      expect(await ids({ ...open, backends: ['alt'] })).toEqual([])
      expect(await store.countFound(searching({ ...open, client: 'acme' }))).toBe(5)
    })

    test('finds ended ones by when and how, page by page, or the longest first', async () => {
      const { store } = current()
      for (let n = 0; n < 6; n += 1)
        await openWaiting(store, { id: numbered(n), client: n < 5 ? 'acme' : 'other', createdAtMs: T0 - n * HOUR })
      for (let n = 0; n < 6; n += 1) await end(store, n, n % 2 === 0 ? 'completed' : 'failed', T0 + n, 0)
      const by = { at: 'ended_at' } as const
      expect(await ids(by)).toEqual([5, 4, 3, 2, 1, 0].map(numbered))
      expect(await ids({ ...by, sinceMs: T0 + 1, untilMs: T0 + 4 })).toEqual([3, 2, 1].map(numbered))
      expect(await ids({ ...by, statuses: ['failed'], code: 'backend_failed', client: 'acme' })).toEqual(
        [3, 1].map(numbered),
      )
      expect(await ids({ ...by, code: 'another' })).toEqual([])
      expect(await ids({ ...by, backends: ['main'] }, { limit: 2 })).toEqual([5, 4].map(numbered))
      const behind = { rank: T0 + 4, id: numbered(4) }
      expect(await ids(by, { limit: 2, before: behind })).toEqual([3, 2].map(numbered))
      expect(await ids({ ...by, client: 'acme' }, { longestFirst: true, limit: 2 })).toEqual([4, 3].map(numbered))
      const third = { rank: 3 * HOUR + 3, id: numbered(3) }
      expect(await ids(by, { longestFirst: true, before: third })).toEqual([2, 1, 0].map(numbered))
      expect(await store.countFound(searching({ ...by, statuses: ['failed'] }))).toBe(3)
    })

    test('a page of those with such deliveries ends where it has looked far enough, and the next one goes on', async () => {
      const { store } = current()
      await create(store)
      const many = MOST_LOOKED_AT + 10
      const all = Array.from({ length: many }, (_, n) => ended({ id: numbered(n), createdAtMs: T0 + n }))
      await withEach(all, (one) => openWaiting(store, one))
      await happen(store, numbered(0))
      const owed = searching({ webhook: 'pending' })
      const first = await store.search(owed, PAGE)
      expect(first).toEqual({ found: [], next: { rank: T0 + 10, id: numbered(10) } })
      const { found, next } = await store.search(owed, { ...PAGE, before: first.next })
      expect([found.map(({ video }) => video.id), next]).toEqual([[numbered(0)], null])
      const none = searching({ webhook: 'none' })
      const page = await store.search(none, { ...PAGE, limit: 2 })
      expect(page.found.map(({ video }) => video.id)).toEqual([many - 1, many - 2].map(numbered))
      expect(page.next).toMatchObject({ id: numbered(many - 2) })
    })

    test('says how the deliveries of videos are', async () => {
      const { store, clock } = current()
      await create(store)
      for (let n = 0; n < 3; n += 1) await openWaiting(store, { id: numbered(n) })
      const [failed = ''] = await happen(store, numbered(0))
      await happen(store, numbered(0))
      await happen(store, numbered(1))
      await giveUp(store, failed, clock.now())
      const states = await store.webhookStates([0, 1, 2].map(numbered))
      expect(Object.fromEntries(states)).toEqual({ [numbered(0)]: 'failed', [numbered(1)]: 'pending' })
      const open = { statuses: ['queued', 'processing'] } as const
      for (const [webhook, found] of [
        ['failed', 0],
        ['pending', 1],
        ['none', 2],
      ] as const)
        expect(await ids({ ...open, webhook })).toEqual([numbered(found)])
      expect(await ids({ ...open, webhook: 'delivered' })).toEqual([])
    })
  })

  test('the head of a queue: by turns of clients, in the order of their places', async () => {
    const { store } = current()
    for (let n = 0; n < 6; n += 1) await openWaiting(store, { id: numbered(n) })
    for (const n of [10, 11]) await openWaiting(store, { id: numbered(n), client: 'other' })
    await openWaiting(store, { id: numbered(20), client: 'third' })
    await openWaiting(store, { id: numbered(30), account: accountId('alt') })
    const ids = async (client: string | null, limit: number) =>
      (await store.queueHead(ACCOUNT, client, limit)).map(({ id }) => id)
    const all = await ids(null, 100)
    expect(all).toEqual([0, 10, 20, 1, 11, 2, 3, 4, 5].map(numbered))
    const places = await store.positions(all)
    expect(all.map((id) => places.get(id))).toEqual(all.map((_, at) => at + 1))
    expect(await ids(null, 4)).toEqual(all.slice(0, 4))
    expect(await ids('other', 100)).toEqual([10, 11].map(numbered))
    expect(await ids('nobody', 100)).toEqual([])
  })
}
