import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, ownPostgres, withClient } from '../../test/fakes/postgres.ts'
import { ownRedis } from '../../test/fakes/redis.ts'
import { mixed, runCrowd } from '../../test/replicas/run.ts'
import { openStage, type AtEnd } from '../../test/replicas/stage.ts'

const SETUP = `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`
const STATEMENTS = `SELECT query, sum(calls)::float8 AS calls FROM pg_stat_statements s
  JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() GROUP BY query`
const UPDATES = `SELECT relname AS table, n_tup_upd::float8 AS updates, n_tup_hot_upd::float8 AS hot FROM pg_stat_user_tables
  WHERE n_tup_upd > 0`

export interface CostSize {
  videos: number
  idleMs: number
}

/** What one video came to, from its create to its delivery, without what an idle gateway does. */
export interface Cost {
  statements: number
  transactions: number
  /** The share of the updates of each table that wrote no index. */
  hot: { table: string; updates: number; share: number }[]
}

type Calls = ReadonlyMap<string, number>

const callsIn = async (url: string): Promise<Calls> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ query: string; calls: number }>(STATEMENTS)
    return new Map(rows.map(({ query, calls }) => [query, calls]))
  })

const since = (before: Calls, after: Calls): [string, number][] =>
  [...after].map(([query, calls]) => [query, calls - (before.get(query) ?? 0)])

/** One process, on servers of its own; null: this PostgreSQL has not the library that counts statements. */
export const measureCost = async ({ videos, idleMs }: CostSize, atEnd: AtEnd): Promise<Cost | null> => {
  const postgres = await ownPostgres()
  atEnd(() => postgres.close())
  const isThere = `SELECT 1 FROM pg_available_extensions WHERE name = 'pg_stat_statements'`
  if ((await withClient(postgres.url, (client) => client.query(isThere))).rowCount === 0) return null
  await withClient(postgres.url, (client) => client.query(SETUP))
  await postgres.restart('fast')
  const redis = await ownRedis()
  atEnd(() => redis.close())
  const { url } = await openDatabase(postgres.url)
  await withClient(url, (client) => client.query('CREATE EXTENSION pg_stat_statements'))
  const store = (folder: string) => ({
    store: { driver: 'postgres', url, pool: 5, path: join(folder, 'talkbridge.db') },
    redis: { url: redis.url },
  })
  const stage = await openStage({ replicas: 1, store }, atEnd)
  const resting = await callsIn(url)
  await sleep(idleMs)
  const begun = await callsIn(url)
  const beganMs = performance.now()
  const { faults } = await runCrowd(
    stage,
    { orders: videos, backendOf: mixed, atOnce: 4, pauseMs: 100 },
    async () => {},
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const tookMs = performance.now() - beganMs
  const done = await callsIn(url)
  const idle = new Map(since(resting, begun))
  const each = since(begun, done)
    .map(([query, calls]) => ({ query, calls: (calls - ((idle.get(query) ?? 0) * tookMs) / idleMs) / videos }))
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.calls - a.calls)
  await stage.stop(0)
  const { rows } = await withClient(url, (client) =>
    client.query<{ table: string; updates: number; hot: number }>(UPDATES),
  )
  return {
    statements: each.reduce((sum, { calls }) => sum + calls, 0),
    transactions: each.find(({ query }) => query === 'COMMIT')?.calls ?? 0,
    hot: rows
      .map(({ table, updates, hot }) => ({ table, updates: updates / videos, share: hot / updates }))
      .toSorted((a, b) => b.updates - a.updates),
  }
}
