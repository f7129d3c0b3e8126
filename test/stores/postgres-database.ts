import type { Store } from '../../src/core/store/index.ts'
import { createLocalWake } from '../../src/stores/local-wake.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres/index.ts'
import type { StoreUnderTest } from '../contract/store.ts'
import { fakeClock } from '../fakes/clock.ts'
import { openDatabase, withClient, type TestDatabase } from '../fakes/postgres.ts'

type Given = Partial<Pick<PostgresOptions, 'locks'>>

export interface PostgresUnderTest extends StoreUnderTest {
  url: string
}

const SCHEMA = 'talkbridge'

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

  const empty = (url: string): Promise<unknown> =>
    withClient(url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> $2',
        [SCHEMA, 'schema_version'],
      )
      // What counts videos goes after them.
      const names = ['videos', 'events', ...rows.map(({ name }) => name)]
      const deletes = names.map((name) => `DELETE FROM ${name}`)
      if (rows.length > 0) await client.query([`SET search_path TO ${SCHEMA}`, ...deletes].join('; '))
    })

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
      await (await made).drop()
    },
  }
}
