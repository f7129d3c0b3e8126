import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { withCopyTarget } from '../../src/stores/postgres/copy-target.ts'
import { inspectPostgres } from '../../src/stores/postgres/inspect.ts'
import { createPool, LIMITS_MS } from '../../src/stores/postgres/pool.ts'
import { openWaiting } from '../contract/store/helpers.ts'
import { ownPgBouncer } from '../fakes/pgbouncer.ts'
import { openDatabase, withClient, type TestDatabase } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { HANG_MS } from '../fakes/until.ts'

const SCHEMAS = `SELECT DISTINCT schemaname AS name FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY name`
const ADVICE = /session mode|statement pooling mode/

describe.skipIf(await skippedWithout(['postgres', 'pgbouncer']))('behind PgBouncer', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.drop())

  const bouncer = async (...[mode, settings]: [Mode, Settings?]): Promise<string> => {
    const server = await ownPgBouncer(database.url, mode, settings)
    onTestFinished(() => server.close())
    return server.url
  }
  const open = (url: string, schema = 'talkbridge') =>
    openPostgresStore({ url, schema, pool: 4, clock: createSystemClock(), onError: () => undefined })
  const inspect = (url: string) =>
    inspectPostgres({ url, schema: 'talkbridge' }, { limitMs: HANG_MS, signal: AbortSignal.timeout(HANG_MS) })
  const schemas = (): Promise<string[]> =>
    withClient(database.url, async (client) =>
      (await client.query<{ name: string }>(SCHEMAS)).rows.map(({ name }) => name),
    )

  test.for([
    ['transaction', {}],
    ['transaction', { server_round_robin: 1, min_pool_size: 2 }],
    ['transaction', { server_round_robin: 1, min_pool_size: 8 }],
    ['transaction', { default_pool_size: 1 }],
    ['transaction', { ignore_startup_parameters: 'options', server_reset_query_always: 1 }],
    ['statement', {}],
    ['statement', { default_pool_size: 1 }],
  ] as const)('%s mode is refused, and nothing is written (%j)', async ([mode, settings]) => {
    const url = await bouncer(mode, settings)
    await expect(open(url)).rejects.toThrow(/^store\.url: /)
    await expect(open(url)).rejects.toThrow(ADVICE)
    await expect(inspect(url)).rejects.toThrow(ADVICE)
    await expect(withCopyTarget({ url, schema: 'talkbridge' }, async () => undefined)).rejects.toThrow(ADVICE)
    expect(await schemas()).toEqual([])
  })

  test('a pooler that loses what was set is met at each connection', async () => {
    const url = await bouncer('transaction', { server_reset_query_always: 1 })
    const pool = createPool({ url, schema: 'mine', size: 1, onError: () => undefined })
    onTestFinished(() => pool.end())
    await expect(pool.query('SELECT 1')).rejects.toThrow(ADVICE)
  })

  test.for([{}, { server_round_robin: 1, min_pool_size: 12 }, { ignore_startup_parameters: 'options' }])(
    'session mode: each gateway works in its own schema, also one named by a reserved word, on connections that others had (%j)',
    async (settings) => {
      const url = await bouncer('session', settings)
      for (const id of ['vid_1', 'vid_2', 'vid_3']) {
        const stores = await Promise.all([open(url, 'user'), open(url)])
        for (const store of stores) {
          await openWaiting(store, { id })
          await store.ping()
          expect((await store.video(id))?.id).toBe(id)
        }
        await Promise.all(stores.map((store) => store.close()))
      }
      expect(await schemas()).toEqual(['talkbridge', 'user'])
      expect((await inspect(url)).store).not.toBeNull()
      await withClient(database.url, (client) =>
        client.query('DROP SCHEMA "user" CASCADE; DROP SCHEMA talkbridge CASCADE'),
      )
    },
  )

  test('the settings in the URL hold, and those of the gateway before them', async () => {
    const url = new URL(await bouncer('session'))
    url.searchParams.set('options', '-c geqo=off --work-mem=8MB -cDateStyle=ISO,\\ DMY -c search_path=public')
    const pool = createPool({
      url: url.href,
      schema: 'mine',
      size: 1,
      limits: LIMITS_MS.read,
      onError: () => undefined,
    })
    onTestFinished(() => pool.end())
    const names = ['geqo', 'work_mem', 'DateStyle', 'search_path', 'lock_timeout', 'statement_timeout']
    const { rows } = await pool.query<{ value: string }>(
      'SELECT current_setting(name) AS value FROM unnest($1::text[]) AS s (name)',
      [names],
    )
    expect(rows.map(({ value }) => value)).toEqual(['off', '8MB', 'ISO, DMY', '"mine"', '3s', '3s'])
  })
})

type Mode = Parameters<typeof ownPgBouncer>[1]
type Settings = Parameters<typeof ownPgBouncer>[2]
