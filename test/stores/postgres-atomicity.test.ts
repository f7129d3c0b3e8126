import { afterAll, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { MAX_ENDPOINTS } from '../../src/core/endpoints.ts'
import { lockKeys } from '../../src/stores/postgres/writer.ts'
import { LOCKS } from '../../src/stores/sql/store.ts'
import { LEASE_MS, numbered, openWaiting, ROOMY, saving } from '../contract/store/helpers.ts'
import { ACCOUNT, accountId, draft, idemKey, newEndpoint } from '../fakes/records.ts'
import { must } from '../fakes/must.ts'
import { withClient } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { postgresDatabase, SCHEMA } from './postgres-database.ts'

const CALM = { pollsDue: 0, createsWaiting: 0 }
const RIVALS = 12
const ROUNDS = { kept: 4, broken: 30 }

type Broken = Partial<Record<keyof typeof LOCKS, () => readonly string[]>>

describe.skipIf(await skippedWithout(['postgres']))('what the table of locks is for', () => {
  const database = postgresDatabase()
  afterAll(database.remove)

  /** One call from each of many processes at once, in rounds on a new store; every answer. */
  const race = async <T>(
    broken: Broken,
    call: (store: Store, n: number) => Promise<T>,
    isBroken: (all: T[]) => boolean,
  ) => {
    let found = 0
    const rounds = Object.keys(broken).length === 0 ? ROUNDS.kept : ROUNDS.broken
    for (let round = 0; round < rounds && found === 0; round += 1) {
      const current = await database.open({ locks: { ...LOCKS, ...broken } })
      try {
        const stores = await Promise.all(Array.from({ length: RIVALS }, current.second))
        if (isBroken(await Promise.all(stores.map((store, n) => call(store, n))))) found += 1
      } finally {
        await current.destroy()
      }
    }
    return found
  }
  const unlocked = () => []

  const CASES = {
    'open: a client has no more videos than it may': {
      broken: { open: unlocked },
      run: (broken: Broken) =>
        race(
          broken,
          (store, n) => store.open(draft({ id: numbered(n) }), null, { ...ROOMY, videosPerMonth: 1 }, null),
          (opened) => opened.filter(({ kind }) => kind === 'opened').length > 1,
        ),
    },
    'spend: a window is not exceeded': {
      broken: { spend: unlocked },
      run: (broken: Broken) =>
        race(
          broken,
          (store) => store.spend(ACCOUNT, 'poll', CALM, 10),
          (spent) => spent.filter(({ ok }) => ok).length > 10,
        ),
    },
    'createEndpoint: a client has no more endpoints than it may': {
      broken: { createEndpoint: unlocked },
      run: (broken: Broken) =>
        race(
          broken,
          async (store, n) => {
            const made = await Promise.all(
              Array.from({ length: MAX_ENDPOINTS }, (_, k) =>
                store.createEndpoint(newEndpoint({ id: `we_${n}_${k}` })),
              ),
            )
            return made.filter((endpoint) => endpoint !== null).length
          },
          (made) => made.reduce((sum, one) => sum + one, 0) > MAX_ENDPOINTS,
        ),
    },
    'admit: slots are not exceeded': {
      broken: { admit: unlocked },
      run: async (broken: Broken) =>
        race(
          broken,
          async (store, n) => {
            await openWaiting(store, { id: numbered(n), client: `client_${n}` })
            const admitted = store.admit(ACCOUNT, { slots: 1, leaseMs: LEASE_MS })
            // Without locks two may also choose the same video: its version refuses the second.
            return 'admit' in broken ? admitted.catch(() => null) : admitted
          },
          (admitted) => admitted.filter((one) => one !== null).length > 1,
        ),
    },
    'takeFromPool: slots are not exceeded': {
      broken: { takeFromPool: unlocked },
      run: async (broken: Broken) =>
        race(
          broken,
          async (store, n) => {
            const video = await openWaiting(store, { id: numbered(n), pool: 'pool' })
            const taken = store.takeFromPool(
              ACCOUNT,
              { ...video, account: accountId('b') },
              { slots: 1, leaseMs: LEASE_MS },
            )
            return 'takeFromPool' in broken ? taken.catch(() => null) : taken
          },
          (taken) => taken.filter((one) => one !== null).length > 1,
        ),
    },
  } as const satisfies Record<string, { broken: Broken; run: (broken: Broken) => Promise<number> }>

  test.each(Object.entries(CASES))('%s; without its locks the same race exceeds it', async (_, { broken, run }) => {
    expect(await run({})).toBe(0)
    expect(await run(broken)).toBeGreaterThan(0)
  })

  test('one key opens one video, also where nothing is locked: the table of keys is unique', async () => {
    const opened = await race(
      {},
      (store, n) => store.open(draft({ id: numbered(n) }), idemKey(), ROOMY, null),
      (all) => all.filter(({ kind }) => kind === 'opened').length !== 1,
    )
    expect(opened).toBe(0)
  })

  const WAITING = `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

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

  test.each<[string, (store: Store) => Promise<boolean>, string, Broken]>([
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
              const { rows } = await holder.query<{ n: number }>(WAITING)
              if (rows[0]?.n === 1) outcome.is ||= 'waits'
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
