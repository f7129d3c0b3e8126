import { Client } from 'pg'
import type { Store } from '../../src/core/store/index.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres/index.ts'
import type { StoreUnderTest } from '../contract/store.ts'
import { fakeClock } from '../fakes/clock.ts'
import { openDatabase, withClient, type TestDatabase } from '../fakes/postgres.ts'

type Given = Partial<Pick<PostgresOptions, 'locks'>>

export interface PostgresUnderTest extends StoreUnderTest {
  url: string
}

export const SCHEMA = 'talkbridge'

const TABLES = `SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = to_regnamespace($1) AND relname <> $2`
/**
 * What tables of a few rows take, dead ones too. Deleting those is quicker than making every file anew; deleting ten
 * thousand is not, and what is left of them would be read past by every test that comes after.
 */
const MUCH_BYTES = 2 * 1024 ** 2

/** Commits wait for no disk: a store loses nothing by that but in a power cut, and the tests are thousands of commits. */
const makeDatabase = async (): Promise<TestDatabase> => {
  const made = await openDatabase()
  await withClient(made.url, (client) =>
    client.query(`ALTER DATABASE ${new URL(made.url).pathname.slice(1)} SET synchronous_commit TO off`),
  )
  return made
}

/** A database of its own, emptied for each store: making one anew takes longer than most tests. */
export const postgresDatabase = () => {
  const made = makeDatabase()
  // Told to whoever opens a store.
  made.catch(() => undefined)

  /** Kept from test to test: a connection knows no table until it has used it, and learning all takes longer than emptying. */
  let emptier: Promise<Client> | null = null
  const connected = async (url: string): Promise<Client> => {
    const client = new Client({ connectionString: url })
    // A test cut it off.
    client.on('error', () => (emptier = null))
    await client.connect()
    return client
  }

  const empty = async (url: string): Promise<void> => {
    emptier ??= connected(url)
    const client = await emptier
    const { rows } = await client.query<{ name: string; bytes: string }>(TABLES, [SCHEMA, 'schema_version'])
    if (rows.length === 0) return
    const used = rows.filter(({ bytes }) => Number(bytes) > 0).map(({ name }) => name)
    const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0)
    // What counts videos goes after them.
    const names = ['videos', 'events', ...used]
    const statements =
      bytes > MUCH_BYTES
        ? [`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`]
        : names.map((name) => `DELETE FROM ${name}`)
    await client.query([`SET search_path TO ${SCHEMA}`, ...statements].join('; '))
  }

  return {
    made,
    async open(given: Given = {}): Promise<PostgresUnderTest> {
      const { url } = await made
      await empty(url)
      const clock = fakeClock()
      const handles = new Set<Store>()
      const handle = async (): Promise<Store> => {
        const at = { url, schema: SCHEMA, pool: 5, clock, timeOf: () => clock.now() }
        const driver = await openPostgresStore({ ...at, onError: () => undefined, ...given })
        const store: Store = {
          ...driver,
          close() {
            handles.delete(store)
            return driver.close()
          },
        }
        handles.add(store)
        return store
      }
      const closeAll = async (): Promise<void> => {
        await Promise.all([...handles].map((store) => store.close()))
      }
      return {
        url,
        clock,
        store: await handle(),
        second: handle,
        wake: async () => createLocalWake(clock),
        async reopen() {
          await closeAll()
          return handle()
        },
        destroy: closeAll,
      }
    },
    async remove(): Promise<void> {
      await (await emptier)?.end()
      await (await made).drop()
    },
  }
}
