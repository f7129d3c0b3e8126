import type { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import type { IdemKey } from '../../src/core/store/videos.ts'
import { MAX_ENDPOINTS } from '../../src/core/endpoints.ts'
import { lockKeys } from '../../src/stores/postgres/writer.ts'
import { LOCKS } from '../../src/stores/sql/store.ts'
import { LEASE_MS, numbered, openWaiting, ROOMY, saving } from '../contract/store/helpers.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { ACCOUNT, accountId, draft, idemKey, newEndpoint } from '../fakes/records.ts'
import { must } from '../fakes/must.ts'
import { withClient } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { postgresDatabase, SCHEMA } from './postgres-database.ts'

const CALM = { pollsDue: 0, createsWaiting: 0 }

type Locks = Partial<Record<keyof typeof LOCKS, () => readonly string[]>>

type Call<T> = (store: Store, clock: FakeClock) => Promise<T>

interface Race<T> {
  locks: Locks
  prepare?: Call<unknown>
  /** What another session runs, and keeps until it commits. */
  held: string
  calls: readonly [Call<T>, Call<T>]
}

describe.skipIf(await skippedWithout(['postgres']))('what the table of locks is for', () => {
  const database = postgresDatabase()
  afterAll(database.remove)

  const sessionsThatWait = async (holder: Client): Promise<number> => {
    const { rows } = await holder.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    return must(rows[0]).n
  }

  /**
   * The first call has read what it goes by when `held` stops it: a table that it may read and not write, or a row. Then
   * the second process begins, and ends or waits before the first one continues.
   */
  const race = async <T>({ locks, prepare, held, calls: [first, second] }: Race<T>): Promise<T[]> => {
    const current = await database.open({ locks: { ...LOCKS, ...locks } })
    try {
      await prepare?.(current.store, current.clock)
      const other = await current.second()
      const calls = await withClient(current.url, async (holder) => {
        await holder.query(`BEGIN; SET LOCAL search_path TO ${SCHEMA}; ${held}`)
        const began = first(current.store, current.clock)
        await until(async () => (await sessionsThatWait(holder)) === 1)
        let isOver = false
        const rival = second(other, current.clock).finally(() => (isOver = true))
        await until(async () => isOver || (await sessionsThatWait(holder)) === 2)
        await holder.query('COMMIT')
        return [began, rival]
      })
      return await Promise.all(calls)
    } finally {
      await current.destroy()
    }
  }
  const unlocked = () => []
  const readOnly = (table: string): string => `LOCK TABLE ${table} IN SHARE MODE`
  const ONE_SLOT = { slots: 1, leaseMs: LEASE_MS }

  const openOne = (n: number, key: IdemKey | null) => async (store: Store) => {
    const { kind } = await store.open(
      draft({ id: numbered(n) }),
      key,
      { ...ROOMY, videosPerMonth: key ? null : 1 },
      null,
    )
    return kind === 'opened'
  }
  const spendLast = async (store: Store) => (await store.spend(ACCOUNT, 'poll', CALM, 1)).ok
  const createLast = (id: string) => async (store: Store) => (await store.createEndpoint(newEndpoint({ id }))) !== null
  const takeOver = (n: number) => async (store: Store) => {
    const waiting = must(await store.video(numbered(n)))
    return (await store.takeFromPool(accountId('b'), { ...waiting, account: ACCOUNT }, ONE_SLOT)) !== null
  }
  const admit = async (store: Store) => (await store.admit(ACCOUNT, ONE_SLOT)) !== null

  const CASES: Record<string, { verb: keyof typeof LOCKS } & Omit<Race<boolean>, 'locks'>> = {
    'open: a client has no more videos than it may': {
      verb: 'open',
      held: readOnly('videos'),
      calls: [openOne(1, null), openOne(2, null)],
    },
    'open: one key opens one video': {
      verb: 'open',
      held: readOnly('videos'),
      calls: [openOne(1, idemKey()), openOne(2, idemKey())],
    },
    'spend: a window is not exceeded': { verb: 'spend', held: readOnly('budgets'), calls: [spendLast, spendLast] },
    'createEndpoint: a client has no more endpoints than it may': {
      verb: 'createEndpoint',
      prepare: async (store) => {
        for (let n = 1; n < MAX_ENDPOINTS; n += 1) await store.createEndpoint(newEndpoint({ id: `we_${n}` }))
      },
      held: readOnly('endpoints'),
      calls: [createLast('we_a'), createLast('we_b')],
    },
    'admit: slots are not exceeded': {
      verb: 'admit',
      // Without locks each chooses another video: by the time of the second, one that goes first is due.
      prepare: async (store, { now }) => {
        await openWaiting(store, { id: numbered(1), dueAtMs: now() + 1_000 })
        await openWaiting(store, { id: numbered(2) })
      },
      held: readOnly('changes'),
      calls: [
        admit,
        async (store, clock) => {
          await clock.advance(1_000)
          return admit(store)
        },
      ],
    },
    'takeFromPool: slots are not exceeded': {
      verb: 'takeFromPool',
      prepare: async (store) => {
        for (const n of [1, 2]) await openWaiting(store, { id: numbered(n), account: accountId('b'), pool: 'pool' })
      },
      held: readOnly('videos'),
      calls: [takeOver(1), takeOver(2)],
    },
  }

  test.each(Object.entries(CASES))('%s; without its locks the same race exceeds it', async (_, { verb, ...given }) => {
    expect((await race({ ...given, locks: {} })).filter(Boolean)).toHaveLength(1)
    expect(await race({ ...given, locks: { [verb]: unlocked } })).toEqual([true, true])
  })

  const change = async (store: Store): Promise<boolean> =>
    (await store.change(numbered(1), saving({ progress: 0.5 }))).video?.progress === 0.5
  const open = async (store: Store): Promise<boolean> =>
    (await store.open(draft({ id: numbered(2) }), null, ROOMY, null)).kind === 'opened'

  const B = accountId('b')
  const take = async (store: Store): Promise<boolean> => {
    const video = must(await store.video(numbered(1)))
    const slots = { slots: 1, leaseMs: LEASE_MS }
    return (await store.takeFromPool(ACCOUNT, { ...video, account: B }, slots)) !== null
  }

  test.each<[string, (store: Store) => Promise<boolean>, string, Locks]>([
    ['a change', change, 'client:acme', { write: () => [`account:${ACCOUNT}`] }],
    ['a change', change, `account:${ACCOUNT}`, { write: () => ['client:acme'] }],
    ['a video that is taken over', take, `account:${ACCOUNT}`, { takeFromPool: () => [`account:${B}`, `budget:${B}`] }],
    ['a video that is taken over', take, `account:${B}`, { takeFromPool: () => [`account:${ACCOUNT}`, `budget:${B}`] }],
    ['a new video', open, `budget:${ACCOUNT}`, { open: () => [`account:${ACCOUNT}`, 'client:acme', 'queue'] }],
  ])(
    '%s waits for whoever has locked what it goes by; without that lock it does not',
    async (_, call, name, broken) => {
      for (const [locks, expected] of [[LOCKS, 'waits'] as const, [{ ...LOCKS, ...broken }, 'went'] as const]) {
        const current = await database.open({ locks })
        try {
          const { store } = current
          await openWaiting(store, { id: numbered(1) })
          const outcome = { is: '' }
          const written = await withClient(current.url, async (holder) => {
            await holder.query('BEGIN')
            for (const key of lockKeys(SCHEMA, new Set([name])))
              await holder.query('SELECT pg_advisory_xact_lock($1)', [key])
            const writing = call(store).then((isWritten) => {
              outcome.is ||= 'went'
              return isWritten
            })
            await until(async () => {
              if ((await sessionsThatWait(holder)) === 1) outcome.is ||= 'waits'
              return outcome.is !== ''
            })
            await holder.query('COMMIT')
            return writing
          })
          expect([outcome.is, written]).toEqual([expected, true])
        } finally {
          await current.destroy()
        }
      }
    },
  )
})
