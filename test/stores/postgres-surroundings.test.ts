import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { logFailure } from '../../src/core/log.ts'
import { createLog } from '../../src/log.ts'
import { openWaiting } from '../contract/store/helpers.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { QueryFailed } from '../../src/stores/postgres/pool.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres/index.ts'
import { createWriter } from '../../src/stores/postgres/writer.ts'
import { LOCKS } from '../../src/stores/sql/store.ts'
import { openDatabase, withClient, type TestDatabase } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'

const SQL = new URL('../../src/stores/sql/', import.meta.url)

describe('writes of one transaction', () => {
  /** How often a server was asked that fails with `code` each time, for three writes of one turn. */
  const asked = async (code: string): Promise<number> => {
    let times = 0
    const { write } = createWriter({
      transact: async () => {
        times += 1
        throw new QueryFailed(Object.assign(new Error('no'), { code }))
      },
      schema: 'talkbridge',
      locks: LOCKS,
      clientOf: () => 'acme',
      concurrency: 1,
    })
    const writes = await Promise.allSettled(['a', 'b', 'c'].map((key) => write('meta', { key, candidate: 'x' })))
    expect(writes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    return times
  }

  test('each runs alone after one of them was refused', async () => {
    expect(await asked('23505')).toBe(4)
  })
  test.each(['ECONNREFUSED', 'EPIPE', '08006', '55P03', '57014', '53100'])(
    'all fail at once where each alone would wait for the server in turn (%s)',
    async (code) => {
      expect(await asked(code)).toBe(1)
    },
  )
})

describe('writes that wait behind one', () => {
  const stage = () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const begun: PromiseWithResolvers<never>[] = []
    const transact = (): Promise<never> => {
      const next = Promise.withResolvers<never>()
      begun.push(next)
      return next.promise
    }
    const { write } = createWriter({
      transact,
      schema: 'talkbridge',
      locks: LOCKS,
      clientOf: () => 'acme',
      concurrency: 2,
    })
    const told = (written: Promise<unknown>): Promise<string> =>
      written.then(
        () => 'written',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      )
    return {
      begun,
      outcome: (key: string) => told(write('meta', { key, candidate: 'x' })),
      other: (source: string) => told(write('addDurations', { source, measured: [1], most: 1 })),
    }
  }

  test('wait 10 ms for each other if no caller waits for them, and run once more by themselves if that met a lock', async () => {
    const { begun, outcome, other } = stage()
    const locked = (n: number): void =>
      begun[n]?.reject(new QueryFailed(Object.assign(new Error('no'), { code: '55P03' })))
    const settled: string[] = []
    const both = ['a', 'b'].map((source) => other(source).then((found) => settled.push(found)))
    await vi.advanceTimersByTimeAsync(9)
    expect(begun).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toHaveLength(1)
    // As long as a lock is waited for.
    await vi.advanceTimersByTimeAsync(4_000)
    locked(0)
    await vi.advanceTimersByTimeAsync(1)
    expect([begun.length, settled]).toEqual([3, []])
    locked(1)
    locked(2)
    await Promise.all(both)
    expect(settled).toEqual(['store_unavailable', 'store_unavailable'])
    // A caller's write takes along what waits.
    void other('c')
    await vi.advanceTimersByTimeAsync(2)
    void outcome('first')
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toHaveLength(5)
  })

  test('are refused after 5 s, whatever becomes of that one', async () => {
    const { begun, outcome } = stage()
    const first = outcome('first')
    await vi.advanceTimersByTimeAsync(100)
    const later = outcome('later')
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await later).toBe('store_unavailable')
    begun[0]?.reject(new QueryFailed(Object.assign(new Error('no'), { code: '23505' })))
    expect(await first).toBe('store_unavailable')
    expect(begun).toHaveLength(1)
  })

  test('are refused with it when it met a lock, if they would wait too long; those that just came are not', async () => {
    const { begun, outcome } = stage()
    void outcome('first')
    await vi.advanceTimersByTimeAsync(100)
    const later = outcome('later')
    await vi.advanceTimersByTimeAsync(2_000)
    void outcome('just now')
    await vi.advanceTimersByTimeAsync(100)
    begun[0]?.reject(new QueryFailed(Object.assign(new Error('no'), { code: '55P03' })))
    expect(await later).toBe('store_unavailable')
    await vi.advanceTimersByTimeAsync(100)
    expect(begun).toHaveLength(2)
  })
})

test('statements name their columns: a prepared SELECT * fails once a newer process has added one', () => {
  const files = readdirSync(SQL).filter((name) => name.endsWith('.ts'))
  const starred = files.filter((name) => /SELECT (\w+\.)?\* FROM \w/.test(readFileSync(new URL(name, SQL), 'utf8')))
  expect(starred).toEqual([])
})

describe.skipIf(await skippedWithout(['postgres']))('what is around a database', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.drop())
  const open = (given: Partial<PostgresOptions>) =>
    openPostgresStore({
      url: database.url,
      schema: 'talkbridge',
      pool: 4,
      clock: createSystemClock(),
      onError: () => undefined,
      ...given,
    })
  const schemas = async (): Promise<string[]> =>
    withClient(database.url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT DISTINCT schemaname AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
      )
      return rows.map(({ name }) => name)
    })

  test('options in the URL do not replace the schema and the limits', async () => {
    const url = new URL(database.url)
    url.searchParams.set('options', '-c geqo=off -c search_path=public')
    const store = await open({ url: url.href })
    await store.close()
    expect(await schemas()).toEqual(['talkbridge'])
  })

  test('a role that owns the schema needs no right to create one', async () => {
    const role = `talkbridge_test_${randomBytes(8).toString('hex')}`
    await withClient(database.url, (client) =>
      client.query(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA owned AUTHORIZATION ${role}`),
    )
    try {
      const url = new URL(database.url)
      url.username = role
      const store = await open({ url: url.href, schema: 'owned' })
      await store.ping()
      await store.close()
    } finally {
      await withClient(database.url, (client) => client.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`))
    }
  })

  test('a full disk of the server refuses a create and loses nothing; the log has it as an error, by its code', async () => {
    const store = await open({ schema: 'filled' })
    const before = await openWaiting(store, { id: 'vid_before' })
    await withClient(database.url, (client) =>
      client.query(`CREATE FUNCTION filled.fill() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER fill BEFORE INSERT ON filled.videos FOR EACH ROW EXECUTE FUNCTION filled.fill()`),
    )
    const refusal = await openWaiting(store, { id: 'vid_refused' }).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'store_unavailable' })
    const lines: string[] = []
    const log = createLog({ level: 'info', format: 'json' }, { write: (line) => void lines.push(line) }, false)
    logFailure(log, { err: refusal }, 'request failed')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'error', err: { message: expect.stringContaining('No space left on device') } },
    ])
    expect(await store.video('vid_refused')).toBeNull()
    expect(await store.video('vid_before')).toEqual(before)
    await withClient(database.url, (client) => client.query('DROP TRIGGER fill ON filled.videos'))
    await openWaiting(store, { id: 'vid_after' })
    await store.close()
  })

  test('columns that a newer process adds disturb no process of before', async () => {
    const store = await open({ schema: 'upgraded', pool: 2 })
    const all = async () => [
      await store.endpointsOf('acme'),
      await store.changeEndpoint('acme', 'we_1', {}),
      await store.attempts('dlv_1'),
      await store.timeline('vid_1'),
    ]
    const before = await all()
    await withClient(database.url, (client) =>
      client.query(
        ['endpoints', 'attempts', 'timeline'].map((name) => `ALTER TABLE upgraded.${name} ADD extra BIGINT`).join('; '),
      ),
    )
    expect(await all()).toEqual(before)
    await store.close()
  })

  test('what is due by the clock of a process, and not yet by the database, is left for later', async () => {
    const clock = createSystemClock()
    const store = await open({ schema: 'ahead', clock })
    const dueAtMs = Date.now() + 3_600_000
    await withClient(database.url, (client) =>
      client.query('INSERT INTO ahead.endpoint_backlogs VALUES ($1, $2, $3, 0)', ['we_1', 'acme', dueAtMs]),
    )
    clock.notBefore(dueAtMs)
    expect(await store.backlogStep()).toBe(false)
    await store.close()
  })
})
