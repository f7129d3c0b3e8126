import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { LEASE_MS } from '../contract/store/helpers.ts'
import { must } from '../fakes/must.ts'
import { withClient } from '../fakes/postgres.ts'
import { ACCOUNT } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { cuttingProxy, type CuttingProxy } from './cutting-proxy.ts'
import { postgresDatabase, SCHEMA, type PostgresUnderTest } from './postgres-database.ts'
import { silentProxy } from './silent-proxy.ts'

/** Sessions that show that a process lives: no other lock of two numbers is shared. */
const SHOWN = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ShareLock' AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

describe.skipIf(await skippedWithout(['postgres']))('whether the process that has a lease lives', () => {
  const database = postgresDatabase()
  afterAll(database.remove)
  let current: PostgresUnderTest
  let proxy: CuttingProxy
  /** Of the process that has the lease. */
  let store: Store
  beforeEach(async () => {
    current = await database.open()
    proxy = await cuttingProxy(current.url)
    const { clock } = current
    const at = { url: proxy.url, schema: SCHEMA, pool: 4, clock, timeOf: () => clock.now() }
    store = await openPostgresStore({ ...at, onError: () => undefined })
  })
  afterEach(async () => {
    await store.close()
    await proxy.close()
    await current.destroy()
  })

  const sessions = (): Promise<number[]> =>
    withClient(current.url, async (client) => (await client.query<{ pid: number }>(SHOWN)).rows.map(({ pid }) => pid))
  const isGone = async (): Promise<boolean> => must((await current.store.holders('account'))[0]).isGone

  test('is known by its session: one that lost its connection is back by itself', async () => {
    must(await store.claim('account', ACCOUNT, LEASE_MS, 'one'))
    expect(await isGone()).toBe(false)
    const [first] = await sessions()
    await withClient(current.url, (client) => client.query('SELECT pg_terminate_backend($1)', [must(first)]))
    await until(async () => {
      const now = await sessions()
      return now.length === 1 && now[0] !== first
    })
    expect(await isGone()).toBe(false)
    expect(await current.store.claim('account', ACCOUNT, LEASE_MS, 'two')).toBeNull()
    // Who read meanwhile that it is gone is too late.
    expect(await current.store.claim('account', ACCOUNT, LEASE_MS, 'two', 'one')).toBeNull()
  })

  test('one that is gone is followed before its lease has run out, and what it does later is fenced', async () => {
    const lease = must(await store.claim('account', ACCOUNT, LEASE_MS, 'one'))
    proxy.away(true)
    await until(isGone)
    expect(proxy.turnedAway()).toBeGreaterThan(0)
    const next = must(await current.store.claim('account', ACCOUNT, LEASE_MS, 'two', 'one'))
    proxy.away(false)
    await until(async () => (await sessions()).length === 2)
    expect(await store.extend('account', lease, LEASE_MS)).toBe(false)
    expect(await store.claim('account', ACCOUNT, LEASE_MS, 'one')).toBeNull()
    expect(await isGone()).toBe(false)
    expect(await current.store.extend('account', next, LEASE_MS)).toBe(true)
  })

  test('one whose connection fell silent is back on another, and is gone when it dies', async () => {
    const silent = await silentProxy(current.url)
    onTestFinished(silent.close)
    const { clock } = current
    const at = { url: silent.url, schema: SCHEMA, pool: 4, clock, timeOf: () => clock.now() }
    const other = await openPostgresStore({ ...at, onError: () => undefined })
    must(await other.claim('account', ACCOUNT, LEASE_MS, 'three'))
    const [first] = await sessions()
    silent.silence()
    await until(() => silent.asked() > 0)
    await until(async () => {
      const now = await sessions()
      return now.length === 1 && now[0] !== first
    })
    expect(await isGone()).toBe(false)
    await other.close()
    await until(isGone)
    expect(await sessions()).toEqual([])
  })

  test('one that cannot show that it lives claims nothing', async () => {
    proxy.away(true)
    expect(await store.claim('account', ACCOUNT, LEASE_MS, 'one')).toBeNull()
    expect(proxy.turnedAway()).toBeGreaterThan(0)
    proxy.away(false)
    await until(async () => (await store.claim('account', ACCOUNT, LEASE_MS, 'one')) !== null)
    expect(await isGone()).toBe(false)
  })

  test('one that stopped and gave nothing back is gone', async () => {
    const other = await current.second()
    must(await other.claim('account', ACCOUNT, LEASE_MS, 'three'))
    expect(await isGone()).toBe(false)
    await other.close()
    await until(isGone)
    expect(await sessions()).toEqual([])
  })
})
