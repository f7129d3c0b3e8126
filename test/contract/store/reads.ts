import { describe, expect, test } from 'vitest'
import type { ListQuery } from '../../../src/core/store/videos.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { ACCOUNT, accepted, accountId, ended, everySet, HOUR, INPUT, listQuery, T0 } from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting, saving } from './helpers.ts'

export const readContract = (current: Current): void => {
  describe('videos by id', () => {
    test('every field of a record comes back as it was written', async () => {
      const { store, reopen } = current()
      const written = await openWaiting(store, {
        metadata: { 'ключ "1"': 'a\u2028b\u0000c 🙂' },
        link: { url: 'https://cdn.example/v?sig=1&x=%20', expiresAtMs: 5, learnedAtMs: 4 },
        evidence: { kind: 'lost', count: 2, sinceMs: 1 },
        progress: 0.1,
        credits: { charged: 0, remaining: null },
      })
      expect(await store.video('vid_1')).toEqual(written)
      expect(await (await reopen()).video('vid_1')).toEqual(written)
    })

    test('another client’s video is as unknown as none', async () => {
      const { store } = current()
      const written = await openWaiting(store)
      expect(await store.videoOf('acme', 'vid_1')).toEqual(written)
      expect(await store.videoOf('other', 'vid_1')).toBeNull()
      expect(await store.videoOf('acme', 'vid_2')).toBeNull()
      expect(await store.videoUnless('acme', 'vid_1', written.version)).toBe('same')
      expect(await store.videoUnless('acme', 'vid_1', written.version - 1)).toEqual(written)
      for (const version of [0, written.version]) {
        expect(await store.videoUnless('other', 'vid_1', version)).toBeNull()
        expect(await store.videoUnless('acme', 'vid_2', version)).toBeNull()
      }
      expect(await store.video('vid_2')).toBeNull()
    })
  })

  describe('list', () => {
    const ids = async (given: Parameters<typeof listQuery>[0] = {}, client = 'acme'): Promise<string[]> =>
      (await current().store.list(client, listQuery(given))).map(({ id }) => id)

    test('newest first, of this client alone, as many as asked for', async () => {
      const { store } = current()
      for (const n of [2, 1, 3]) await openWaiting(store, { id: numbered(n) })
      await openWaiting(store, { id: numbered(4), client: 'other' })
      expect(await ids()).toEqual([numbered(3), numbered(2), numbered(1)])
      expect(await ids({ limit: 2 })).toEqual([numbered(3), numbered(2)])
      expect(await ids({}, 'nobody')).toEqual([])
    })

    test('filters by status, backend and time of making, one by one and together', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), createdAtMs: T0 })
      await openWaiting(store, { id: numbered(2), createdAtMs: T0 + 1_000, backend: 'second' })
      await openWaiting(store, accepted({ id: numbered(3), createdAtMs: T0 + 2_000, status: 'processing' }))
      await openWaiting(store, ended({ id: numbered(4), createdAtMs: T0 + 3_000, backend: 'second' }))
      expect(await ids({ status: 'queued' })).toEqual([numbered(2), numbered(1)])
      expect(await ids({ status: 'completed' })).toEqual([numbered(4)])
      expect(await ids({ backends: ['second'] })).toEqual([numbered(4), numbered(2)])
      expect(await ids({ createdAfterMs: T0 })).toEqual([numbered(4), numbered(3), numbered(2)])
      expect(await ids({ createdBeforeMs: T0 + 2_000 })).toEqual([numbered(2), numbered(1)])
      expect(await ids({ backends: ['second'], status: 'queued', createdAfterMs: T0 })).toEqual([numbered(2)])
      expect(await ids({ status: 'canceled' })).toEqual([])
    })

    test('a status is found as it is now', async () => {
      const { store } = current()
      await openWaiting(store)
      await store.change('vid_1', saving({ status: 'processing', phase: 'accepted' }))
      expect(await ids({ status: 'queued' })).toEqual([])
      expect(await ids({ status: 'processing' })).toEqual(['vid_1'])
    })

    const placeOf = ({ createdAtMs, id }: VideoRecord): ListQuery['before'] => ({ createdAtMs, id })

    test('by the time of making, whatever the ids; those of one moment by their ids', async () => {
      const { store } = current()
      for (const [n, createdAtMs] of [
        [1, T0 + 2],
        [2, T0],
        [4, T0 + 1],
        [3, T0 + 1],
      ] as const)
        await openWaiting(store, { id: numbered(n), createdAtMs })
      expect(await ids()).toEqual([1, 4, 3, 2].map(numbered))
      expect(await ids({ before: { createdAtMs: T0 + 1, id: numbered(4) } })).toEqual([3, 2].map(numbered))
    })

    test('pages by `before` show no video twice and skip none, while new ones come', async () => {
      const { store } = current()
      for (let n = 0; n < 7; n += 1) await openWaiting(store, { id: numbered(n) })
      const seen: string[] = []
      let before: ListQuery['before'] = null
      for (let page = 0; ; page += 1) {
        const found = await store.list('acme', listQuery({ limit: 2, before }))
        if (found.length === 0) break
        seen.push(...found.map(({ id }) => id))
        before = placeOf(must(found.at(-1)))
        await openWaiting(store, { id: numbered(100 + page) })
      }
      expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map(numbered))
    })

    test('pages under every set of filters', async () => {
      const { store } = current()
      const all: VideoRecord[] = []
      for (let n = 0; n < 24; n += 1) {
        const given = {
          id: numbered(n),
          createdAtMs: T0 + (n >> 1),
          backend: n % 3 === 0 ? 'second' : 'main',
          client: n % 11 === 0 ? 'other' : 'acme',
        }
        all.push(await openWaiting(store, n % 2 === 0 ? accepted({ ...given, status: 'processing' }) : given))
      }
      const newest = all.filter(({ client }) => client === 'acme').toReversed()
      const filters = { status: 'processing' as const, createdAfterMs: T0 + 2, createdBeforeMs: T0 + 10 }
      const sets = [null, ['main'], ['main', 'second', 'none']].flatMap((backends) =>
        everySet(filters).map((set) => ({ ...set, backends })),
      )
      for (const { status, backends, createdAfterMs, createdBeforeMs } of sets) {
        const wanted = newest.filter(
          (one) =>
            (status === null || one.status === status) &&
            (backends === null || backends.includes(one.backend)) &&
            (createdAfterMs === null || one.createdAtMs > createdAfterMs) &&
            (createdBeforeMs === null || one.createdAtMs < createdBeforeMs),
        )
        const seen: string[] = []
        for (let before: ListQuery['before'] = null; ;) {
          const query = listQuery({ limit: 2, before, status, backends, createdAfterMs, createdBeforeMs })
          const found = await store.list('acme', query)
          if (found.length === 0) break
          seen.push(...found.map(({ id }) => id))
          before = placeOf(must(found.at(-1)))
        }
        expect(seen).toEqual(wanted.map(({ id }) => id))
        expect(seen.length).toBeGreaterThan(2)
      }
    })
  })

  describe('page', () => {
    const WORDS = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const

    test('by its number, newest first, with how many there are, under any statuses', async () => {
      const { store } = current()
      const all: VideoRecord[] = []
      for (let n = 0; n < 23; n += 1) {
        // Two of each moment, of every status, and some of another client.
        const given = { id: numbered(n), createdAtMs: T0 + (n >> 1), client: n % 7 === 0 ? 'other' : 'acme' }
        all.push(await openWaiting(store, ended({ ...given, status: WORDS[n % 5] ?? 'failed' })))
      }
      const newest = all.filter(({ client }) => client === 'acme').toReversed()
      for (const statuses of [null, ['completed'], ['queued', 'processing'], ['failed', 'canceled']] as const) {
        const wanted = newest.filter(({ status }) => statuses?.some((one) => one === status) ?? true)
        for (const limit of [1, 3, 100]) {
          for (let offset = 0; offset <= wanted.length + limit; offset += limit) {
            const { videos, total } = await store.page('acme', { statuses, offset, limit, history: [] })
            expect(total).toBe(wanted.length)
            expect(videos).toEqual(wanted.slice(offset, offset + limit))
          }
        }
      }
      const far = { statuses: null, offset: Number.MAX_SAFE_INTEGER * 100, limit: 100, history: [] }
      expect(await store.page('acme', far)).toEqual({ videos: [], total: newest.length })
      expect(await store.page('nobody', { ...far, offset: 0 })).toEqual({ videos: [], total: 0 })
    })
  })

  describe('what is under way', () => {
    test('running: dispatching, doubtful and accepted, with when they are due', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      const { lease } = must(await store.admit(ACCOUNT, { slots: null, leaseMs: 9_000 }))
      await openWaiting(store, accepted({ id: numbered(2), dueAtMs: T0 + 5 }))
      const audio = { ...INPUT, text: null, upload_id: 'upl_1' }
      await openWaiting(store, accepted({ id: numbered(3), phase: 'doubtful', dueAtMs: T0 + 6, input: audio }))
      await openWaiting(store, ended({ id: numbered(4) }))
      await openWaiting(store, { id: numbered(5) })
      await openWaiting(store, accepted({ id: numbered(6), account: accountId('other') }))
      const rows = (await store.running(ACCOUNT)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const about = {
        client: 'acme',
        backend: 'main',
        acceptedAtMs: accepted().acceptedAtMs,
        lastHintAtMs: null,
        hasWebhook: false,
        linkOwed: false,
        source: 'text',
      }
      expect(rows).toEqual([
        {
          id: numbered(1),
          phase: 'dispatching',
          version: 2,
          dueAtMs: clock.now() + 9_000,
          leaseUntilMs: lease.untilMs,
          ...about,
          acceptedAtMs: null,
        },
        { id: numbered(2), phase: 'accepted', version: 1, dueAtMs: T0 + 5, leaseUntilMs: null, ...about },
        {
          id: numbered(3),
          phase: 'doubtful',
          version: 1,
          dueAtMs: T0 + 6,
          leaseUntilMs: null,
          ...about,
          source: 'audio',
        },
      ])
    })

    test('queue: who waits, who holds a slot, and when the first waiter is due', async () => {
      const { store } = current()
      const none = {
        waiting: 0,
        held: 0,
        nextDueAtMs: null,
        normalWaits: false,
        hasTransfers: false,
        nextSecondJobAtMs: null,
        window: null,
      }
      expect(await store.queue(ACCOUNT)).toEqual(none)
      await openWaiting(store, { id: numbered(1), dueAtMs: T0 + 7 })
      await openWaiting(store, { id: numbered(2), dueAtMs: T0 + 3 })
      await openWaiting(store, accepted({ id: numbered(3), dueAtMs: T0 }))
      await openWaiting(store, ended({ id: numbered(4) }))
      await openWaiting(store, { id: numbered(5), account: accountId('other') })
      expect(await store.queue(ACCOUNT)).toEqual({
        ...none,
        waiting: 2,
        held: 1,
        nextDueAtMs: T0 + 3,
        normalWaits: true,
      })
    })

    test('positions: how many of its account wait before each, plus one', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      await openWaiting(store, { id: numbered(2), account: accountId('other') })
      await openWaiting(store, { id: numbered(3), client: 'other' })
      const places = async () => Object.fromEntries(await store.positions([1, 2, 3, 4].map(numbered)))
      expect(await places()).toEqual({ [numbered(1)]: 1, [numbered(2)]: 1, [numbered(3)]: 2 })
      await store.admit(ACCOUNT, { slots: null, leaseMs: 1 })
      expect(await places()).toEqual({ [numbered(2)]: 1, [numbered(3)]: 1 })
    })

    test('overdue: those that wait since before, oldest first', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), createdAtMs: T0 })
      await openWaiting(store, { id: numbered(2), createdAtMs: T0 + HOUR })
      await openWaiting(store, accepted({ id: numbered(3), createdAtMs: T0 }))
      await openWaiting(store, { id: numbered(4), createdAtMs: T0, account: accountId('other') })
      expect(await store.overdue(ACCOUNT, T0, 10)).toEqual([])
      expect(await store.overdue(ACCOUNT, T0 + 1, 10)).toEqual([numbered(1)])
      expect(await store.overdue(ACCOUNT, T0 + HOUR + 1, 10)).toEqual([numbered(1), numbered(2)])
      expect(await store.overdue(ACCOUNT, T0 + HOUR + 1, 1)).toEqual([numbered(1)])
    })

    test('secondJobs: those due by now, of any phase, the longest due first', async () => {
      const { store } = current()
      await openWaiting(store, accepted({ id: numbered(1), secondJobAtMs: T0 }))
      await openWaiting(store, ended({ id: numbered(2), secondJobAtMs: T0 - 1 }))
      await openWaiting(store, accepted({ id: numbered(3), secondJobAtMs: T0 + HOUR }))
      await openWaiting(store, accepted({ id: numbered(4) }))
      await openWaiting(store, accepted({ id: numbered(5), secondJobAtMs: T0, account: accountId('other') }))
      expect(await store.secondJobs(ACCOUNT, 10)).toEqual([numbered(2), numbered(1)])
      expect(await store.secondJobs(ACCOUNT, 1)).toEqual([numbered(2)])
      expect(await store.queue(ACCOUNT)).toMatchObject({ nextSecondJobAtMs: T0 - 1 })
    })

    test('sentInLane: those that were sent since, whatever became of them, of this lane of the account', async () => {
      const { store } = current()
      const sent = { lane: 'a', dispatchedAtMs: T0 + HOUR }
      await openWaiting(store, accepted({ id: numbered(1), ...sent }))
      await openWaiting(store, ended({ id: numbered(2), ...sent }))
      await openWaiting(store, { id: numbered(3), ...sent })
      await openWaiting(store, { id: numbered(4), lane: 'a' })
      await openWaiting(store, ended({ id: numbered(5), lane: 'b', dispatchedAtMs: T0 + HOUR }))
      await openWaiting(store, ended({ id: numbered(6), ...sent, account: accountId('other') }))
      await openWaiting(store, ended({ id: numbered(7), dispatchedAtMs: T0 + HOUR }))
      const since = async (sinceMs: number): Promise<string[]> =>
        (await store.sentInLane(ACCOUNT, 'a', sinceMs)).map(({ id }) => id).toSorted()
      expect(await since(T0 + HOUR)).toEqual([numbered(1), numbered(2), numbered(3)])
      expect(await since(T0 + HOUR + 1)).toEqual([])
    })

    test('due(pump): accounts with open videos, each once', async () => {
      const { store } = current()
      expect(await store.openAccounts(10)).toEqual([])
      await openWaiting(store, { id: numbered(1) })
      await openWaiting(store, accepted({ id: numbered(2) }))
      await openWaiting(store, { id: numbered(3), account: accountId('other') })
      await openWaiting(store, ended({ id: numbered(4), account: accountId('third') }))
      expect((await store.openAccounts(10)).toSorted()).toEqual([ACCOUNT, accountId('other')].toSorted())
    })
  })

  test('ping resolves while the store can be used', async () => {
    await expect(current().store.ping()).resolves.toBeUndefined()
  })
}
