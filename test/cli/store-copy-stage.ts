import { onTestFinished } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { withClient } from '../fakes/postgres.ts'
import type { SqliteUnderTest } from '../stores/sqlite-file.ts'
import { fill } from './copied-store.ts'
import { runHere } from './here.ts'

export const TABLES = `SELECT count(*)::int AS n FROM pg_class WHERE relnamespace = to_regnamespace('talkbridge')`
export const VIDEOS = 'SELECT count(*)::int AS n FROM talkbridge.videos'

/** The first value of the first row. */
export const one = (url: string, sql: string): Promise<unknown> =>
  withClient(url, async (client) => Object.values((await client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0])

export const run = (url: string, sql: string): Promise<unknown> => withClient(url, (client) => client.query(sql))

/** With some of everything in it, and nobody who serves it. */
export const fillAndStop = async ({ store, clock }: SqliteUnderTest): Promise<void> => {
  await fill(store, clock)
  await store.close()
}

export const argsOf = ({ path }: SqliteUnderTest, url: string): string[] => [
  'store',
  'copy',
  '--from',
  `sqlite:${path}`,
  '--to',
  url,
]

export const copyOf = (source: SqliteUnderTest, url: string, env: Record<string, string> = {}, isTty = false) =>
  runHere(argsOf(source, url), { env, isTty })

const open = ({ clock }: SqliteUnderTest, url: string): Promise<Store> => {
  const at = { url, schema: 'talkbridge', pool: 4, clock, timeOf: () => clock.now() }
  return openPostgresStore({ ...at, onError: () => undefined })
}

/** The driver on the copy, at the time of the source; closed when the test ends. */
export const openCopy = async (source: SqliteUnderTest, url: string): Promise<Store> => {
  const store = await open(source, url)
  onTestFinished(() => store.close())
  return store
}

/** An empty store, as a gateway that stopped at once leaves it. */
export const layEmpty = async (source: SqliteUnderTest, url: string): Promise<void> => {
  await (await open(source, url)).close()
  // Whoever serves a schema writes there which server it is on.
  await run(url, 'DELETE FROM talkbridge.meta')
}
