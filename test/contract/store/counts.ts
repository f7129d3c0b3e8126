import { describe, expect, test } from 'vitest'
import type { OpenVideo } from '../../../src/core/store/videos.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { must } from '../../fakes/must.ts'
import { seededRandom } from '../../fakes/random.ts'
import { ACCOUNT, accepted, accountId, draft, ended, listQuery, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { expectOpened, importing, LEASE_MS, numbered, openWaiting, ROOMY, saving, withEach } from './helpers.ts'

const OTHER = accountId('other')
const ACCOUNTS = [ACCOUNT, OTHER]
const CLIENTS = ['a', 'b', 'c']
const EVERY = { slots: null, leaseMs: LEASE_MS }
const OVER = { phase: 'ended', status: 'canceled', endedAtMs: T0, dueAtMs: null, lease: null } as const
const IN_DOUBT = { phase: 'doubtful', lease: null } as const
const TAKEN = { phase: 'accepted', lease: null } as const
const AGAIN = { phase: 'waiting', lease: null, dueAtMs: T0 } as const

/** All pages of a read, one after the other. */
const paged = async <T>(read: (last: T | undefined) => Promise<T[]>): Promise<T[]> => {
  const all: T[] = []
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) all.push(...page)
  return all
}

const figuresOf = async (store: Store) => {
  const { open, waiting } = await store.figures()
  return { open: open.map(lineOf).toSorted(), oldest: waiting.map(oldestLineOf).toSorted() }
}
const lineOf = ({ backend, phase, videos }: { backend: string; phase: string; videos: number }): string =>
  `${backend} ${phase} ${videos}`
const oldestLineOf = ({ account, oldestAtMs }: { account: string; oldestAtMs: number }): string =>
  `${account} ${oldestAtMs}`

/** What the store says without looking at every video. */
const told = async (store: Store) => ({
  due: (await store.openAccounts(10)).toSorted(),
  clients: await Promise.all(CLIENTS.map((client) => store.room(client))),
  figures: await figuresOf(store),
  accounts: await Promise.all(
    ACCOUNTS.map(async (account) => ({
      queue: await store.queue(account),
      backends: (await store.backendsOf(account)).toSorted(),
      running: (await paged<OpenVideo>((last) => store.running(account, last?.id))).map(({ id }) => id),
      undecided: (await store.undecided(account)).toSorted(),
      waiting: (await paged<{ id: string; client: string }>((last) => store.waitingOf(account, last)))
        .map(({ id }) => id)
        .toSorted(),
    })),
  ),
})

/** What the videos say, one by one. */
const recounted = async (store: Store): Promise<Awaited<ReturnType<typeof told>>> => {
  const videos = (await Promise.all(CLIENTS.map((client) => store.list(client, listQuery({ limit: 1_000 }))))).flat()
  const ids = (some: readonly VideoRecord[]): string[] => some.map(({ id }) => id).toSorted()
  const waiting = videos.filter(({ phase }) => phase === 'waiting')
  const open = videos.filter(({ phase }) => phase !== 'ended')
  return {
    due: [...new Set(open.map(({ account }) => String(account)))].toSorted(),
    clients: CLIENTS.map((name) => ({
      queue: waiting.length,
      client: waiting.filter(({ client }) => client === name).length,
    })),
    figures: {
      open: [...Map.groupBy(open, ({ backend, phase }) => `${backend} ${phase}`)]
        .map(([key, videos]) => `${key} ${videos.length}`)
        .toSorted(),
      oldest: [...Map.groupBy(waiting, ({ account }) => account)]
        .map(([account, videos]) =>
          oldestLineOf({ account, oldestAtMs: Math.min(...videos.map((v) => v.createdAtMs)) }),
        )
        .toSorted(),
    },
    accounts: ACCOUNTS.map((name) => {
      const own = open.filter(({ account }) => account === name)
      const queued = own.filter(({ phase }) => phase === 'waiting')
      const dueAtMs = queued.flatMap((video) => video.dueAtMs ?? [])
      return {
        queue: {
          waiting: queued.length,
          held: own.length - queued.length,
          nextDueAtMs: dueAtMs.length === 0 ? null : Math.min(...dueAtMs),
          normalWaits: queued.some(({ lowUntilMs, dueAtMs }) => lowUntilMs === null && dueAtMs !== null),
          hasTransfers: dueAtMs.length < queued.length,
          nextSecondJobAtMs: null,
          window: null,
        },
        backends: [...new Set(own.map(({ backend }) => backend))].toSorted(),
        running: ids(own.filter(({ phase }) => phase !== 'waiting')),
        undecided: ids(own.filter(({ phase }) => phase === 'dispatching' || phase === 'doubtful')),
        waiting: ids(queued),
      }
    }),
  }
}

/** The order in which those that wait are served: the account is emptied by that. */
const served = async (store: Store): Promise<string[]> => {
  const ids: string[] = []
  for (let next = await store.admit(ACCOUNT, EVERY); next; next = await store.admit(ACCOUNT, EVERY))
    ids.push(next.video.id)
  return ids
}
const expectPlaces = async (store: Store): Promise<void> => {
  const waiting = await paged<{ id: string; client: string }>((last) => store.waitingOf(ACCOUNT, last))
  const places = await store.positions(waiting.map(({ id }) => id))
  const order = await served(store)
  expect(order).toHaveLength(waiting.length)
  expect(order.length).toBeGreaterThan(3)
  expect(order.map((id) => places.get(id))).toEqual(order.map((_, n) => n + 1))
}

type Step = [name: string, act: (store: Store) => Promise<unknown>]

/** Every way in which a video comes, moves and goes, one after the other. */
const STEPS: Step[] = [
  ['open: one waits', (store) => openWaiting(store, { id: numbered(1), client: 'a' })],
  ['open: a second of the client', (store) => openWaiting(store, { id: numbered(2), client: 'a', dueAtMs: T0 + 5 })],
  ['open: for another account', (store) => openWaiting(store, { id: numbered(3), client: 'a', account: OTHER })],
  [
    'open: an older one of another client',
    (store) => openWaiting(store, { id: numbered(0), client: 'b', backend: 'x' }),
  ],
  ['open: for audio', (store) => openWaiting(store, { id: numbered(4), client: 'c', dueAtMs: null })],
  [
    'open: at once',
    (store) => store.open(draft({ id: numbered(5), client: 'c', account: accountId('third') }), null, ROOMY, EVERY),
  ],
  ['open: refused', (store) => store.open(draft({ id: numbered(6) }), null, { ...ROOMY, queue: 0 }, null)],
  ['adopt', (store) => store.adopt(importing('job_7', { id: numbered(7), client: 'b' }))],
  ['adopt: of a job that is known', (store) => store.adopt(importing('job_7', { id: numbered(8), client: 'b' }))],
  ['admit', (store) => store.admit(ACCOUNT, EVERY)],
  ['change: back to waiting', (store) => store.change(numbered(0), saving(AGAIN))],
  ['admit: the next client', (store) => store.admit(ACCOUNT, EVERY)],
  ['change: a doubt', (store) => store.change(numbered(1), saving(IN_DOUBT))],
  ['change: accepted', (store) => store.change(numbered(1), saving(TAKEN))],
  ['change: the time of one that waits', (store) => store.change(numbered(2), saving({ dueAtMs: T0 - 1 }))],
  ['change: canceled', (store) => store.change(numbered(2), saving(OVER))],
  ['change: ended', (store) => store.change(numbered(1), saving(OVER))],
  ['change: kept', (store) => store.change(numbered(0), () => ({ kind: 'keep' }))],
  ['change: discarded while it waits', (store) => store.change(numbered(3), () => ({ kind: 'discard' }))],
  ['change: discarded while it runs', (store) => store.change(numbered(5), () => ({ kind: 'discard' }))],
  ['purge', (store) => store.purge(T0 + 1, 10)],
]

export const countContract = (current: Current): void => {
  describe('counts', () => {
    test('are right after every write, on both handles, and after a restart', async () => {
      const { store, second, reopen } = current()
      const other = await second()
      const seen: unknown[] = []
      for (const [name, act] of STEPS) {
        await act(store)
        const before = seen.at(-1)
        const now = await told(other)
        expect(now, name).toEqual(await recounted(store))
        seen.push(now)
        // What cannot be told from the step before proves nothing.
        if (name.startsWith('admit') || name.startsWith('open: one')) expect(now, name).not.toEqual(before)
      }
      expect(await told(await reopen())).toEqual(seen.at(-1))
    })

    test('are right whatever two handles do at once, and so are the places in the queue', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      const random = seededRandom(5)
      const pick = <T>(from: readonly T[]): T => must(from[Math.floor(random() * from.length)])
      const change = pick([OVER, IN_DOUBT, TAKEN, AGAIN])
      const acts: ((one: Store, n: number) => Promise<unknown>)[] = [
        (one, n) => openWaiting(one, { id: numbered((n * 37) % 500), client: pick(CLIENTS), account: pick(ACCOUNTS) }),
        (one, n) => openWaiting(one, { id: numbered(((n * 53) % 500) + 500), client: pick(CLIENTS) }),
        (one) => one.admit(pick(ACCOUNTS), EVERY),
        (one) => one.change(numbered(Math.floor(random() * 500)), saving(pick([change, TAKEN, AGAIN]))),
        (one) => one.change(numbered(Math.floor(random() * 1_000)), () => ({ kind: 'discard' })),
      ]
      for (let round = 0; round < 8; round += 1) {
        await Promise.allSettled(Array.from({ length: 24 }, (_, n) => pick(acts)(must(handles[n % 2]), round * 24 + n)))
        expect(await told(store)).toEqual(await recounted(must(handles[1])))
      }
      await expectPlaces(store)
    })

    test('of a queue of one client that is long, in whatever order it grew and shrank, each has its place', async () => {
      const { store } = current()
      const random = seededRandom(8)
      const shuffled = Array.from({ length: 330 }, (_, n) => ({ n, at: random() }))
        .toSorted((x, y) => x.at - y.at)
        .map(({ n }) => n)
      await openWaiting(store, { id: numbered(900), client: 'b' })
      await withEach(shuffled, (n) => openWaiting(store, { id: numbered(n), client: 'a' }))
      const third = shuffled.filter((n) => n % 3 === 0)
      await withEach(third, (n) => store.change(numbered(n), () => ({ kind: 'discard' })))
      await expectPlaces(store)
      expect(await told(store)).toEqual(await recounted(store))
    })
  })

  describe('what was written', () => {
    const moved = async (store: Store, since: number) => {
      const { videos, upTo } = await store.movedSince(ACCOUNT, since)
      return { moved: videos.map(({ id, phase }) => [id, phase]), upTo }
    }

    test('is told in that order, once each, as it is now: what waits and what ended, too', async () => {
      const { store, second } = current()
      await openWaiting(store, { id: numbered(1) })
      const since = await store.lastMove(ACCOUNT)
      const other = await second()
      expect(await moved(other, since)).toEqual({ moved: [], upTo: since })
      await openWaiting(store, { id: numbered(3) })
      await openWaiting(other, accepted({ id: numbered(2) }))
      await openWaiting(store, accepted({ id: numbered(4), account: OTHER }))
      await store.change(numbered(3), saving(OVER))
      const first = await moved(other, since)
      expect(first.moved).toEqual([
        [numbered(2), 'accepted'],
        [numbered(3), 'ended'],
      ])
      expect(first.upTo).toBe(await store.lastMove(ACCOUNT))
      await store.admit(ACCOUNT, EVERY)
      expect((await moved(other, first.upTo)).moved).toEqual([[numbered(1), 'dispatching']])
      expect((await moved(other, 0)).moved).toHaveLength(3)
    })

    test('never has a number that it had: what was forgotten hides nothing that comes after', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      const since = await store.lastMove(ACCOUNT)
      await store.change(numbered(1), () => ({ kind: 'discard' }))
      await openWaiting(store, { id: numbered(2) })
      expect((await moved(store, since)).moved).toEqual([[numbered(2), 'waiting']])
      expect(await store.lastMove(OTHER)).toBe(0)
    })

    test('comes in pages, and so does what runs: all of it, and nothing twice', async () => {
      const { store } = current()
      const ids = Array.from({ length: 600 }, (_, n) => numbered(n))
      const opened = await withEach(ids, (id) => store.open(draft(accepted({ id })), null, ROOMY, null))
      opened.forEach(expectOpened)
      const running = await paged<OpenVideo>((last) => store.running(ACCOUNT, last?.id))
      expect(running.map(({ id }) => id)).toEqual(ids)
      const seen: string[] = []
      let pages = 0
      for (let since = 0; ; pages += 1) {
        const { videos, upTo } = await store.movedSince(ACCOUNT, since)
        if (videos.length === 0) break
        seen.push(...videos.map(({ id }) => id))
        since = upTo
      }
      expect(pages).toBeGreaterThan(1)
      expect(seen.toSorted()).toEqual(ids)
      await store.change(numbered(0), saving({ ...ended(), id: numbered(0) }))
      expect(await store.running(ACCOUNT, numbered(599))).toEqual([])
    })
  })
}
