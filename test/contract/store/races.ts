import { describe, expect, test } from 'vitest'
import type { Lease } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import { must } from '../../fakes/must.ts'
import { ACCOUNT, accountId, draft, ended, event, HOUR, idemKey, note, rate, T0, TARGET } from '../../fakes/records.ts'
import { HANG_MS } from '../../fakes/until.ts'
import type { ContractOptions, Current } from '../store.ts'
import {
  LEASE_MS,
  claimed,
  expectOpened,
  importing,
  numbered,
  openOwing,
  openWaiting,
  ROOMY,
  saving,
  dueIds,
} from './helpers.ts'
import { READS_UNDER_WRITES } from './reads-under-writes.ts'
import { REPLICA_RACES } from './replica-races.ts'
import { RECORDED_RACES } from './recorded.ts'
import { copyOf } from './reuse.ts'
import { RESOURCE_RACES } from './resource-races.ts'
import { ROUTING_RACES } from './routing.ts'
import { WEBHOOK_RACES } from './webhook-races.ts'

/** Two handles on one store, used at once. */
export interface Rivals {
  store: Store
  other: Store
  clock: { now(): number; jump(ms: number): void }
  /** `count` calls at once, by turns over the two handles. */
  each<T>(count: number, call: (store: Store, n: number) => Promise<T>): Promise<T[]>
}
type Race = (rivals: Rivals) => Promise<void>

const CALM = { pollsDue: 0, createsWaiting: 0 }
const EVERY = { slots: null, leaseMs: LEASE_MS }
const ATTEMPT = { atMs: 1, durationMs: 1, status: 500, error: null, responseBody: null }
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

const spent = async ({ each }: Rivals, count: number, account = ACCOUNT) =>
  (await each(count, (store) => store.spend(account, 'poll', CALM, 50))).flatMap((one) => (one.ok ? [one.ticket] : []))

/** Opens a window of 50 whose first answer told of it. */
const openWindow = async (rivals: Rivals, account = ACCOUNT): Promise<void> => {
  const dateMs = rivals.clock.now()
  const [first] = await spent(rivals, 1, account)
  await rivals.other.learn(must(first), rate({ limit: 50, remaining: 49, dateMs, resetAtMs: dateMs + 30_000 }))
}

/** Moves a video on by one of everything. */
const further = (store: Store, id: string) =>
  store.change(id, (video, nowMs) => ({
    kind: 'save',
    video: { ...video, sequence: video.sequence + 1 },
    events: [{ event: event(id, video.sequence + 1), targets: [TARGET] }],
    notes: [note(`step ${video.sequence + 1}`, nowMs)],
  }))

const WRITES = {
  open: async ({ store, each }) => {
    const opened = await each(20, (one, n) =>
      one.open(draft({ id: numbered(n) }), idemKey(), ROOMY, { slots: 1, leaseMs: LEASE_MS }),
    )
    expect(opened.filter(({ kind }) => kind === 'opened')).toHaveLength(1)
    expect(opened.filter(({ kind }) => kind === 'replay')).toHaveLength(19)
    expect(await store.queue(ACCOUNT)).toMatchObject({ held: 1, waiting: 0 })
  },

  adopt: async ({ store, each }) => {
    // Ten videos for one job, each asked for twice.
    const adopted = await each(20, (one, n) => one.adopt(importing('job_1', { id: numbered(n % 10) })))
    const won = adopted.flatMap((one) => (one.kind === 'adopted' ? [one.video.id] : []))
    expect(won).toEqual([await store.owner(ACCOUNT, 'job_1')])
    expect(new Set(adopted.map((one) => (one.kind === 'closed' ? one.kind : one.video.id)))).toEqual(new Set(won))
    expect(await store.queue(ACCOUNT)).toMatchObject({ held: 1 })
  },

  admit: async ({ store, each }) => {
    for (const n of numbers(15)) await openWaiting(store, { id: numbered(n), client: `client ${Math.floor(n / 5)}` })
    const admitted = await each(30, (one) => one.admit(ACCOUNT, { slots: 6, leaseMs: LEASE_MS }))
    // Clients take turns, whoever asked: the first two of each.
    const ids = admitted.flatMap((one) => (one ? [one.video.id] : []))
    expect(ids.toSorted()).toEqual([0, 1, 5, 6, 10, 11].map(numbered))
    expect(new Set(admitted.flatMap((one) => (one ? [one.lease.token] : []))).size).toBe(6)
  },

  takeFromPool: async ({ store, each }) => {
    const [B, C] = [accountId('b'), accountId('c')]
    for (const n of numbers(6)) await openWaiting(store, { id: numbered(n), pool: 'pool' })
    // Two other members, and the account itself, want whatever is next.
    const taken = await each(30, async (one, n) => {
      if (n % 3 === 0) return one.admit(ACCOUNT, EVERY)
      const to = n % 3 === 1 ? B : C
      const next = await one.nextInPool('pool', to, null)
      return next && one.takeFromPool(next.account, { ...next, account: to, backend: to }, EVERY)
    })
    const ids = taken.flatMap((one) => (one ? [one.video.id] : []))
    expect(new Set(ids).size).toBe(ids.length)
    const held = await Promise.all([ACCOUNT, B, C].map(async (account) => (await store.queue(account)).held))
    expect(held.reduce((sum, n) => sum + n, 0)).toBe(ids.length)
    expect((await store.queue(ACCOUNT)).waiting).toBe(6 - ids.length)
  },

  nextInPool: async ({ store, other }) => {
    await openWaiting(store, { id: numbered(1), pool: 'pool' })
    expect((await other.nextInPool('pool', accountId('b'), null))?.id).toBe(numbered(1))
  },

  change: async ({ store, each }) => {
    for (const n of numbers(10)) await openWaiting(store, { id: numbered(n) })
    // Ten videos for one job.
    const changed = await each(10, (one, n) => one.change(numbered(n), saving({ backendJobId: 'job_1' })))
    const owner = must(await store.owner(ACCOUNT, 'job_1'))
    expect(changed.filter(({ jobTaken }) => jobTaken === null)).toHaveLength(1)
    for (const [n, { jobTaken }] of changed.entries()) {
      if (numbered(n) === owner) expect(jobTaken).toBeNull()
      else expect(jobTaken).toEqual({ jobId: 'job_1', owner })
      expect((await store.video(numbered(n)))?.version).toBe(numbered(n) === owner ? 2 : 1)
    }
  },

  claim: async ({ store, clock, each }) => {
    const delivery = await openOwing(store)
    const stale = await claimed(store, delivery)
    clock.jump(LEASE_MS)
    const leases = await each(30, (one) => one.claim('deliver', delivery, LEASE_MS))
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1)
    expect(leases.find((lease) => lease !== null)?.token).not.toBe(stale.token)
  },

  extend: async ({ store, clock, each }) => {
    const lease = must(await store.claim('account', ACCOUNT, LEASE_MS))
    clock.jump(LEASE_MS - 1)
    // Its holder's word and a rival's claim: before the end it is the holder's, after it the rival's, never both.
    const race = () =>
      each<boolean | string>(20, (one, n) =>
        n % 4 < 2
          ? one.extend('account', lease, LEASE_MS)
          : one.claim('account', ACCOUNT, LEASE_MS).then((taken) => (taken ? 'taken' : 'free to none')),
      )
    expect(new Set(await race())).toEqual(new Set([true, 'free to none']))
    clock.jump(LEASE_MS)
    const after = await race()
    expect(after.filter((one) => one === 'taken')).toHaveLength(1)
    expect(after).not.toContain(true)
  },

  release: async ({ store, each }) => {
    const lease = must(await store.claim('account', ACCOUNT, LEASE_MS))
    const taken = await each(20, (one, n) =>
      n % 4 < 2 ? one.release('account', lease).then(() => null) : one.claim('account', ACCOUNT, LEASE_MS),
    )
    const winners = taken.filter((one): one is Lease => one !== null)
    expect(winners).toHaveLength(1)
    // The old holder's later words gave nothing of the winner's back.
    expect(await store.extend('account', must(winners[0]), LEASE_MS)).toBe(true)
  },

  attempted: async ({ store, other, clock, each }) => {
    const delivery = await openOwing(store)
    const stale = await claimed(store, delivery)
    clock.jump(LEASE_MS)
    const lease = await claimed(other, delivery)
    // Each told ten times, as by one who never learned that it was written; a 2xx under a lease that was over wins.
    await each(20, (one, n) =>
      n % 4 < 2
        ? one.attempted(stale, { ...ATTEMPT, status: 200 }, { status: 'delivered' })
        : one.attempted(lease, ATTEMPT, { status: 'failed' }),
    )
    expect(await store.delivery(delivery)).toMatchObject({ status: 'delivered', attempts: 2 })
    expect(new Set((await store.attempts(delivery)).map(({ status }) => status))).toEqual(new Set([200, 500]))
  },

  meta: async ({ each }) => {
    expect(new Set(await each(20, (one, n) => one.meta('fact', `candidate ${n}`))).size).toBe(1)
  },

  keepDurations: async ({ store, each }) => {
    await each(20, (one, n) => one.keepDurations('main/text', Array<number>(50).fill(n)))
    const kept = await store.durations('main/text')
    expect(kept).toHaveLength(50)
    expect(new Set(kept).size).toBe(1)
  },

  purge: async ({ store, clock, each }) => {
    for (const n of numbers(30)) await openWaiting(store, ended({ id: numbered(n), endedAtMs: clock.now() }))
    clock.jump(HOUR)
    const owed: string[] = []
    const removing = async (one: Store): Promise<number> => {
      let removed = 0
      for (let count = 1; count > 0; removed += count) count = await one.purge(clock.now(), 1)
      return removed
    }
    // Beside it, some are owed an event: such a one was gone before, or it stays with what it is owed.
    const owing = async (one: Store, first: number): Promise<number> => {
      for (let n = first; n >= 0; n -= 4) {
        const { video } = await further(one, numbered(n))
        if (video) owed.push(video.id)
      }
      return 0
    }
    const removed = await each(4, (one, n) => (n < 2 ? removing(one) : owing(one, 27 + n)))
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(30 - owed.length)
    for (const n of numbers(30)) {
      const isOwed = owed.includes(numbered(n))
      expect((await store.video(numbered(n))) !== null).toBe(isOwed)
      expect(await store.deliveriesOf(numbered(n))).toHaveLength(isOwed ? 1 : 0)
    }
    expect(await dueIds(store)).toHaveLength(owed.length)
  },

  spend: async (rivals) => {
    // One asks for the window's headers; then as many go as they told, and no more.
    expect(await spent(rivals, 40)).toHaveLength(1)
    await openWindow(rivals, accountId('other'))
    expect(await spent(rivals, 80, accountId('other'))).toHaveLength(49)
  },

  learn: async (rivals) => {
    const { store, other, each } = rivals
    await openWindow(rivals)
    const tickets = await spent(rivals, 40)
    expect(tickets).toHaveLength(40)
    const resetAtMs = rivals.clock.now() + 30_000
    await each(40, (one, n) =>
      one.learn(must(tickets[n]), rate({ limit: 50, remaining: 48 - n, dateMs: rivals.clock.now(), resetAtMs })),
    )
    // All forty were told of, in whatever order: nine are left.
    for (const one of [store, other]) expect((await one.budget(ACCOUNT, CALM, 50)).remaining).toBe(9)
    expect(await spent(rivals, 20)).toHaveLength(9)
  },

  giveBack: async (rivals) => {
    await openWindow(rivals)
    const tickets = await spent(rivals, 40)
    await rivals.each(40, (one, n) => one.giveBack(must(tickets[n]), 1))
    expect((await rivals.store.budget(ACCOUNT, CALM, 50)).remaining).toBe(49)
    expect(await spent(rivals, 60)).toHaveLength(49)
  },

  exhausted: async (rivals) => {
    await openWindow(rivals)
    const untilMs = rivals.clock.now() + 20_000
    const [tickets] = await Promise.all([spent(rivals, 30), rivals.other.exhausted(ACCOUNT, untilMs)])
    expect(tickets.length).toBeLessThan(50)
    expect(await spent(rivals, 30)).toEqual([])
    expect((await rivals.store.budget(ACCOUNT, CALM, 50)).nextAtMs).toBe(untilMs)
  },

  putHistory: async ({ store, each }) => {
    const older = (n: number) => ({ jobId: `job_${n}`, video: draft({ createdAtMs: T0 + n }).video, place: String(n) })
    const walk = { page: 2, seenMs: null, thenMs: T0 }
    // Each pair of them adds the same job; half of the jobs have a video by then, or get it.
    await each(20, async (one, n) => {
      await one.putHistory(ACCOUNT, [older(n >> 1)], walk)
      if (n % 4 < 2) await one.adopt(importing(`job_${n >> 1}`, { id: numbered(n >> 1) }))
    })
    const { videos, total } = await store.page('acme', { statuses: null, offset: 0, limit: 100, history: [ACCOUNT] })
    expect([videos.length, total]).toEqual([10, 10])
    expect(await store.historyWalk(ACCOUNT)).toEqual(walk)
  },

  historyJob: async ({ store, other }) => {
    for (const n of numbers(10)) {
      const { video } = draft({ createdAtMs: T0 + n })
      await store.putHistory(ACCOUNT, [{ jobId: `job_${n}`, video, place: '' }], null)
      expect(await other.historyJob(ACCOUNT, `job_${n}`)).toEqual(video)
    }
  },

  historyWalk: async ({ store, other, each }) => {
    const walk = { page: 1, seenMs: null, thenMs: T0 }
    await each(20, (one, n) => one.putHistory(ACCOUNT, [], { ...walk, page: 1 + (n % 2) }))
    expect(await store.historyWalk(ACCOUNT)).toEqual(await other.historyWalk(ACCOUNT))
  },

  historyBounds: async ({ store, other }) => {
    expect(await other.historyBounds()).toEqual({ goneAtMs: 0, firstMs: null })
    await openWaiting(store, { id: numbered(1), createdAtMs: Date.parse('2026-11-20T10:00:00Z') })
    expect(await other.historyBounds()).toEqual({ goneAtMs: 0, firstMs: Date.parse('2026-11-01T00:00:00Z') })
  },

  reusable: async ({ store, other, each }) => {
    const hash = 'of what they are made from'
    for (const n of numbers(20)) await openWaiting(store, ended({ id: numbered(n), inputHash: hash, endedAtMs: n }))
    const original = must(await store.reusable([ACCOUNT], hash, 0))
    const copies = each(40, (one, n) =>
      one.open(draft(copyOf(100 + n, n % 20)), idemKey({ key: `${n % 20}` }), ROOMY, null),
    )
    const purged = Array.from({ length: 4 }, () => other.purge(20, 5))
    const kinds = (await copies).map(({ kind }) => kind)
    await Promise.all(purged)
    expect([original.id, await store.reusable([ACCOUNT], hash, 0)]).toEqual([numbered(19), null])
    // Of two under one key, one at most was opened, and what was not is nowhere.
    const there = await Promise.all(numbers(40).map((n) => store.video(numbered(100 + n))))
    expect(there.map((video) => video !== null)).toEqual(kinds.map((kind) => kind === 'opened'))
    for (const n of numbers(20))
      expect([kinds[n], kinds[20 + n]].filter((kind) => kind === 'opened').length).toBeLessThan(2)
    expect(kinds.filter((kind) => !['opened', 'replay', 'gone'].includes(kind))).toEqual([])
  },
  close: async ({ store, other }) => {
    const opened = numbers(10).map((n) => openWaiting(store, { id: numbered(n) }))
    const beside = numbers(10).map((n) => openWaiting(other, { id: numbered(100 + n) }))
    await Promise.all([...opened, ...beside, other.close()])
    expect(await store.queue(ACCOUNT)).toMatchObject({ waiting: 20 })
    await openWaiting(store, { id: numbered(50) })
  },
} satisfies Partial<Record<keyof Store, Race>>

/** Every verb of the port: one without a race does not compile. */
const RACES: Record<keyof Store, Race> = {
  ...WRITES,
  ...READS_UNDER_WRITES,
  ...RESOURCE_RACES,
  ...ROUTING_RACES,
  ...REPLICA_RACES,
  ...RECORDED_RACES,
  ...WEBHOOK_RACES,
}

export const raceContract = (current: Current, { triesLimits }: ContractOptions): void => {
  describe('two handles at once', () => {
    const rivals = async (): Promise<Rivals> => {
      const { store, clock, second } = current()
      const other = await second()
      const each: Rivals['each'] = (count, call) =>
        Promise.all(numbers(count).map((n) => call(n % 2 === 0 ? store : other, n)))
      return { store, other, clock, each }
    }

    const races = Object.entries(RACES).filter(([verb]) => triesLimits || verb !== 'droppedEvents')
    // One of them moves ten thousand events on a server: seconds, and on a busy machine minutes.
    test.each(races)('%s', { timeout: 5 * HANG_MS }, async (_, race) => race(await rivals()))

    test('a cancel and an admission: one of them has the video', async () => {
      const { store, other, each } = await rivals()
      for (const n of numbers(20)) await openWaiting(store, { id: numbered(n) })
      const [canceled, admitted] = await Promise.all([
        Promise.all(
          numbers(20).map(async (n) => {
            let won = false
            await other.change(numbered(n), (video, nowMs) => {
              won = video.phase === 'waiting'
              return won
                ? saving({ phase: 'ended', status: 'canceled', endedAtMs: nowMs, dueAtMs: null })(video)
                : { kind: 'keep' }
            })
            return won ? [numbered(n)] : []
          }),
        ),
        each(20, (one) => one.admit(ACCOUNT, EVERY)),
      ])
      const out = admitted.flatMap((one) => (one ? [one.video.id] : []))
      expect([...canceled.flat(), ...out].toSorted()).toEqual(numbers(20).map(numbered))
      for (const id of out) expect(await store.video(id)).toMatchObject({ phase: 'dispatching' })
      for (const id of canceled.flat()) expect(await store.video(id)).toMatchObject({ status: 'canceled' })
    })

    test('videos that open and polls that go: of one window none takes a request that another took', async () => {
      const both = await rivals()
      await openWindow(both)
      const first = { demand: CALM, fallbackLimit: 50, outgoing: null }
      const taken = await both.each(80, async (one, n) =>
        n % 4 < 2
          ? (await one.spend(ACCOUNT, 'poll', CALM, 50)).ok
          : expectOpened(await one.open(draft({ id: numbered(n) }), null, ROOMY, EVERY, first)).ticket !== null,
      )
      expect(taken.filter((one) => one)).toHaveLength(49)
      expect((await both.store.budget(ACCOUNT, CALM, 50)).remaining).toBe(0)
    })

    test('a video that is forgotten and its key that is asked for again: the key is never nobody’s', async () => {
      const { store, other } = await rivals()
      for (const n of numbers(10)) {
        const first = expectOpened(await store.open(draft({ id: numbered(2 * n) }), idemKey(), ROOMY, null))
        const [, again] = await Promise.all([
          store.change(first.video.id, () => ({ kind: 'discard' })),
          other.open(draft({ id: numbered(2 * n + 1) }), idemKey(), ROOMY, null),
        ])
        const kept = await store.keyed(idemKey())
        if (again.kind === 'opened') expect(kept?.video.id).toBe(again.video.id)
        else expect(kept).toBeNull()
        if (kept) await store.change(kept.video.id, () => ({ kind: 'discard' }))
      }
    })
  })
}
