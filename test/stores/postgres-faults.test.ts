import { Client } from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { Store } from '../../src/core/store/index.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { fakeClock } from '../fakes/clock.ts'
import { cutConnections, withClient } from '../fakes/postgres.ts'
import { ACCOUNT, draft, WIRE } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { expectOpened, LEASE_MS, numbered, openOwing, openWaiting, ROOMY, saving } from '../contract/store/helpers.ts'
import { cuttingProxy, type CuttingProxy } from './cutting-proxy.ts'
import { postgresDatabase, type PostgresUnderTest } from './postgres-database.ts'

const CALM = { pollsDue: 0, createsWaiting: 0 }
/** A new video's commit waits for a lock that the test has. */
const SLOW_COMMIT = `
  CREATE FUNCTION talkbridge.slow() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON talkbridge.videos DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION talkbridge.slow()`
const QUICK_COMMIT = 'DROP TRIGGER slow ON talkbridge.videos; DROP FUNCTION talkbridge.slow()'
const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : `no problem: ${String(error)}`)

describe.skipIf(await skippedWithout(['postgres']))('a database that is cut off', () => {
  const database = postgresDatabase()
  afterAll(database.remove)
  let current: PostgresUnderTest
  let proxy: CuttingProxy
  let store: Store
  beforeEach(async () => {
    current = await database.open()
    proxy = await cuttingProxy(current.url)
    const { clock } = current
    const at = { url: proxy.url, schema: 'talkbridge', pool: 4, clock, timeOf: () => clock.now() }
    store = await openPostgresStore({ ...at, onError: () => undefined })
  })
  afterEach(async () => {
    await store.close()
    await proxy.close()
    await current.destroy()
  })

  test('the proxy cuts at a commit, and not at a statement that has the word', async () => {
    await withClient(proxy.url, async (client) => {
      client.on('error', () => undefined)
      proxy.cut('COMMIT')
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
      await client.query('CREATE TABLE talkbridge.cut (n int)')
      await client.query('SELECT 1 -- COMMIT')
      expect(proxy.cuts()).toBe(0)
      await expect(client.query('COMMIT')).rejects.toThrow('Connection terminated unexpectedly')
    })
    expect(proxy.cuts()).toBe(1)
    const { rows } = await withClient(current.url, (client) =>
      client.query(`SELECT to_regclass('talkbridge.cut') AS cut`),
    )
    expect(rows).toEqual([{ cut: null }])
  })

  test('a commit whose answer is lost is not made twice, and its answer is told', async () => {
    await openWaiting(store)
    proxy.cut('answer to COMMIT')
    const changed = await store.change('vid_1', (video) => ({
      kind: 'save',
      video: { ...video, sequence: video.sequence + 1 },
      events: [],
      notes: [],
    }))
    expect(proxy.cuts()).toBe(1)
    expect(changed.video).toMatchObject({ sequence: 1 })
    expect(await current.store.video('vid_1')).toEqual(changed.video)

    proxy.cut('answer to COMMIT')
    const spent = await store.spend(ACCOUNT, 'poll', CALM, 10)
    expect([proxy.cuts(), spent.ok]).toEqual([2, true])
    expect((await current.store.budget(ACCOUNT, CALM, 10)).remaining).toBe(9)
  })

  test('a commit that never arrived is made once, on another connection', async () => {
    await openWaiting(store)
    proxy.cut('COMMIT')
    const { video } = await store.change('vid_1', saving({ lane: 'a' }))
    expect(proxy.cuts()).toBe(1)
    expect(await current.store.video('vid_1')).toEqual(video)
    expect(video).toMatchObject({ lane: 'a', version: 2 })
  })

  test('the first commit of a process: its answer is lost while it lasts, and it is not taken for failed', async () => {
    // The proxy’s store has written nothing yet.
    await withClient(current.url, async (client) => {
      await client.query(SLOW_COMMIT)
      try {
        await client.query('SELECT pg_advisory_lock(7)')
        proxy.cut('COMMIT under way')
        const opening = store.open(draft(), null, ROOMY, null)
        const opened = opening.then(({ kind }) => kind, codeOf)
        // One waits in its commit. The other asks what became of it, or tries again.
        await until(async () => (await client.query(WAITING)).rowCount === 2)
        await client.query('SELECT pg_advisory_unlock(7)')
        expect([proxy.cuts(), await opened]).toEqual([1, 'opened'])
        expect(await current.store.room('acme')).toEqual({ queue: 1, client: 1 })
      } finally {
        await client.query(QUICK_COMMIT)
      }
    })
  })

  test('a slot that was forgotten while it idled is new again', async () => {
    await openWaiting(store)
    await withClient(current.url, (client) => client.query('DELETE FROM talkbridge.commits'))
    expect((await store.change('vid_1', saving({ lane: 'a' }))).video).toMatchObject({ version: 2 })
    proxy.cut('answer to COMMIT')
    expect((await store.change('vid_1', saving({ lane: 'b' }))).video).toMatchObject({ version: 3 })
    expect([proxy.cuts(), (await current.store.video('vid_1'))?.lane]).toEqual([1, 'b'])
  })

  test('a connection that is lost before the commit leaves nothing, and the write is made on another', async () => {
    proxy.cut('INSERT INTO videos')
    const opened = await store.open(draft(), null, ROOMY, null)
    expect([proxy.cuts(), opened.kind]).toEqual([1, 'opened'])
    expect(await current.store.room('acme')).toEqual({ queue: 1, client: 1 })
  })

  test.each(['INSERT INTO videos', 'COMMIT', 'answer to COMMIT'] as const)(
    'a connection that is lost at the %s of a new video: it takes one request of its window',
    async (cut) => {
      proxy.cut(cut)
      const first = { demand: CALM, fallbackLimit: 10, outgoing: { wire: WIRE, offsetMs: null } }
      const opened = expectOpened(await store.open(draft(), null, ROOMY, { slots: 1, leaseMs: LEASE_MS }, first))
      expect(proxy.cuts()).toBe(1)
      expect(opened).toMatchObject({ ticket: { window: 1 }, video: { wire: WIRE, attempt: 1 } })
      expect(await current.store.video('vid_1')).toEqual(opened.video)
      expect((await current.store.budget(ACCOUNT, CALM, 10)).remaining).toBe(9)
    },
  )

  test('whatever many writes had under way when all connections were cut is there once', async () => {
    const writes = Array.from({ length: 40 }, (_, n) => store.open(draft({ id: numbered(n) }), null, ROOMY, null))
    const cuts = cutConnections(current.url)
    const outcomes = await Promise.all(writes.map((write) => write.then(({ kind }) => kind, codeOf)))
    // One is that which empties the database between tests.
    expect(await cuts).toBeGreaterThan(1)
    const kept = new Set((await current.store.list('acme', everyVideo)).map(({ id }) => id))
    // Who was told that it is not written may ask again, and finds nothing of it.
    for (const [n, outcome] of outcomes.entries()) expect([n, kept.has(numbered(n))]).toEqual([n, outcome === 'opened'])
  })

  test('while it is away every verb says so, and nothing hangs; afterwards all goes on', async () => {
    const delivery = await openOwing(store)
    proxy.away(true)
    const asked = [
      store.video('vid_1'),
      store.open(draft({ id: 'vid_2' }), null, ROOMY, null),
      store.change('vid_1', saving({ lane: 'a' })),
      store.claim('deliver', delivery, LEASE_MS),
      store.spend(ACCOUNT, 'poll', CALM, 10),
      store.ping(),
    ]
    const outcomes = await Promise.all(asked.map((one) => one.then(() => 'ok', codeOf)))
    expect(outcomes).toEqual(asked.map(() => 'store_unavailable'))
    expect(proxy.turnedAway()).toBeGreaterThan(0)
    proxy.away(false)
    expect(await store.claim('deliver', delivery, LEASE_MS)).not.toBeNull()
    expect(await store.video('vid_2')).toBeNull()
    await store.ping()
  })

  test('a text with a NUL, and half a character, are kept as PostgreSQL can', async () => {
    const id = await openOwing(store)
    const lease = await store.claim('deliver', id, LEASE_MS)
    if (!lease) throw new Error('not claimed')
    const answer = { atMs: 1, durationMs: 1, status: 500, error: null, responseBody: 'a\0b\ud800c' }
    await store.attempted(lease, answer, { status: 'failed' })
    expect(await store.attempts(id)).toMatchObject([{ responseBody: 'a\ufffdb\ufffdc' }])
    expect(await store.videoOf('acme', 'vid\0_1')).toBeNull()
    await openWaiting(store, { id: 'vid_9', metadata: { nul: 'a\0b' } })
    expect((await store.video('vid_9'))?.metadata).toEqual({ nul: 'a\0b' })
  })

  test('a process that stops in the middle of a transaction holds the others up for its limit, and is fenced', async () => {
    await openWaiting(store)
    const stalled = new Client({ connectionString: current.url })
    stalled.on('error', () => undefined)
    await stalled.connect()
    await stalled.query('SET idle_in_transaction_session_timeout = 300')
    await stalled.query('BEGIN')
    await stalled.query(`UPDATE talkbridge.videos SET version = 99 WHERE id = 'vid_1'`)
    expect((await store.change('vid_1', saving({ lane: 'b' }))).video).toMatchObject({ version: 2 })
    await expect(stalled.query('COMMIT')).rejects.toThrow()
    await stalled.end()
    expect(await store.video('vid_1')).toMatchObject({ lane: 'b', version: 2 })
  })
})

const everyVideo = {
  limit: 100,
  before: null,
  status: null,
  backends: null,
  createdAfterMs: null,
  createdBeforeMs: null,
}

describe.skipIf(await skippedWithout(['postgres']))('opening', () => {
  const database = postgresDatabase()
  afterAll(database.remove)
  const at = async (given: { url?: string; schema?: string }) =>
    openPostgresStore({
      url: (await database.made).url,
      schema: 'opening',
      pool: 2,
      clock: fakeClock(),
      onError: () => undefined,
      ...given,
    })

  test('of several processes that start at once, one makes the schema', async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => at({ schema: 'together' })))
    await Promise.all(
      stores.map((store) =>
        openWaiting(store, { id: store === stores[0] ? 'vid_1' : `vid_${stores.indexOf(store)}x` }),
      ),
    )
    await Promise.all(stores.map((store) => store.close()))
    const { rows } = await withClient((await database.made).url, (client) =>
      client.query<{ versions: string }>('SELECT count(*) AS versions FROM together.schema_version'),
    )
    expect(rows).toEqual([{ versions: '1' }])
  })

  test('two schemas in one database know nothing of each other', async () => {
    const [one, two] = [await at({ schema: 'one' }), await at({ schema: 'two' })]
    await openWaiting(one)
    expect([
      await one.claim('maintain', 'purge', LEASE_MS),
      await two.claim('maintain', 'purge', LEASE_MS),
    ]).not.toContain(null)
    expect(await two.video('vid_1')).toBeNull()
    await one.close()
    await two.close()
  })

  test('refuses what a newer program wrote, and says so', async () => {
    const store = await at({ schema: 'newer' })
    await store.close()
    await withClient((await database.made).url, (client) =>
      client.query('INSERT INTO newer.schema_version VALUES (99)'),
    )
    await expect(at({ schema: 'newer' })).rejects.toThrow('store.url: the store has schema version 99')
  })

  test('says what is wrong with the address, and never its password', async () => {
    const url = 'postgres://somebody:hunter2@127.0.0.1:1/nothing'
    const error: unknown = await at({ url }).catch((reason: unknown) => reason)
    expect(String(error)).toContain('store.url: ')
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter2')
  })
})
