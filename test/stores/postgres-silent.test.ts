import { Client } from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { Store } from '../../src/core/store/index.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres/index.ts'
import { numbered, openWaiting, ROOMY, saving } from '../contract/store/helpers.ts'
import { openDatabase, withClient, type TestDatabase } from '../fakes/postgres.ts'
import { draft } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { HANG_MS, until } from '../fakes/until.ts'
import { silentProxy } from './silent-proxy.ts'

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : `no problem: ${String(error)}`)
const each = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

/** Beside a silent connection's four seconds, a slow machine may need more than the second that is left of a read. */
const UNHURRIED = { readMs: HANG_MS }
/** Half of them read. */
const POOL = 6
const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

describe.skipIf(await skippedWithout(['postgres']))('a database', () => {
  const made: Promise<TestDatabase> = openDatabase()
  made.catch(() => undefined)
  afterAll(async () => (await made).drop())
  let count = 0
  /** A store of which each connection is open, and a connection of somebody else's. */
  const stage = async (delayMs?: number, limits: Pick<PostgresOptions, 'readMs'> = {}) => {
    const { url } = await made
    const proxy = await silentProxy(url, delayMs)
    const schema = `silent_${(count += 1)}`
    const at = { schema, pool: POOL, clock: createSystemClock(), onError: () => undefined }
    // The schema is made without the proxy: hundreds of round trips, which a slow way would make a minute.
    await (await openPostgresStore({ ...at, url })).close()
    const store = await openPostgresStore({ ...at, ...limits, url: proxy.url })
    const guest = new Client({ connectionString: url, options: `-c search_path=${schema}` })
    await guest.connect()
    const { rows } = await guest.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    onTestFinished(async () => {
      await guest.end()
      await store.close()
      await proxy.close()
    })
    await openWaiting(store, { id: 'vid_1' })
    const busy = each(POOL / 2, (n) => store.video(numbered(n)))
    await Promise.all([busy, each(POOL / 2, (n) => store.meta(`key ${n}`, 'value'))])
    return { proxy, store, guest, pid: rows[0]?.pid, url }
  }
  const open = (store: Store, id: string): Promise<string> =>
    store.open(draft({ id }), null, ROOMY, null).then(({ kind }) => kind, codeOf)

  test.for(['a read', 'a write'])(
    'whose connections all fall silent costs %s its own limit, and nobody else anything',
    async (first) => {
      const { proxy, store } = await stage(0, UNHURRIED)
      proxy.silence()
      const answer = first === 'a read' ? (await store.video('vid_1'))?.id : await open(store, 'vid_2')
      expect([proxy.asked() > 0, answer]).toEqual([true, first === 'a read' ? 'vid_1' : 'opened'])
      const asked = proxy.asked()
      const reads = await each(POOL, () => store.video('vid_1').then((video) => video?.id, codeOf))
      expect(reads).toEqual(reads.map(() => 'vid_1'))
      expect(await each(POOL, (n) => open(store, numbered(n)))).toEqual(Array(POOL).fill('opened'))
      // Another silent one would have been asked first.
      expect(proxy.asked()).toBe(asked)
    },
  )

  test('that falls silent during a commit is asked what became of it: it is made once', async () => {
    const { proxy, store, guest } = await stage()
    await guest.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON videos DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION slow()`)
    await guest.query('SELECT pg_advisory_lock(7)')
    const changing = store.change('vid_1', saving({ lane: 'a' }))
    await until(async () => (await guest.query(WAITING)).rowCount === 1)
    proxy.silence()
    await guest.query('SELECT pg_advisory_unlock(7)')
    const { video } = await changing
    expect(video).toMatchObject({ lane: 'a', version: 2 })
    expect(await store.video('vid_1')).toEqual(video)
    // Not each of those that read before, in turn.
    expect(proxy.asked()).toBeLessThan(POOL / 2)
  })

  test('that takes 400 ms a round trip is alive: no connection is dropped', async () => {
    const { proxy, store } = await stage(200)
    const before = proxy.accepted()
    expect(await open(store, 'vid_2')).toBe('opened')
    expect((await store.video('vid_2'))?.id).toBe('vid_2')
    expect(proxy.accepted()).toBe(before)
  })

  test('that is slow answers the first of many writes before it has done all', async () => {
    const { store } = await stage(60)
    // More than a second has room for.
    const MANY = 12
    const settled: string[] = []
    let atFirst = 0
    const writes = each(MANY, (n) =>
      open(store, numbered(n)).then((kind) => {
        // Those of one commit settle in one turn of the event loop.
        if (settled.push(kind) === 1) setImmediate(() => (atFirst = settled.length))
      }),
    )
    await writes
    expect(settled).toEqual(Array(MANY).fill('opened'))
    expect(atFirst).toBeGreaterThan(0)
    expect(atFirst).toBeLessThan(MANY)
  })

  test('with a table that somebody locks for 20 s refuses reads and creates meanwhile, also those that wait in turn', async () => {
    const { store, guest, pid, url } = await stage()
    await guest.query('BEGIN; LOCK TABLE videos IN ACCESS EXCLUSIVE MODE')
    let isLocked = true
    const locking = guest.query('SELECT pg_sleep(20); ROLLBACK').then(
      () => (isLocked = false),
      () => (isLocked = false),
    )
    const reads = each(2 * POOL, () => store.video('vid_1').then(() => 'read', codeOf))
    const first = open(store, 'vid_2')
    await until(() => withClient(url, async (client) => ((await client.query(WAITING)).rowCount ?? 0) > POOL / 2))
    // They have the locks of that one to wait for.
    const later = each(3, (n) => open(store, numbered(n)))
    expect(new Set([await first, ...(await later), ...(await reads)])).toEqual(new Set(['store_unavailable']))
    expect(isLocked).toBe(true)
    await withClient(url, (client) => client.query('SELECT pg_cancel_backend($1)', [pid]))
    await locking
    expect(await open(store, 'vid_3')).toBe('opened')
    expect((await store.list('acme', everyVideo)).map(({ id }) => id)).toEqual(['vid_3', 'vid_1'])
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
