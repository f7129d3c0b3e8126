import { Client } from 'pg'
import type { Store } from '../../src/core/store/index.ts'
import { createLocalWake } from '../../src/stores/local-wake.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres/index.ts'
import type { StoreUnderTest } from '../contract/store.ts'
import { fakeClock } from '../fakes/clock.ts'

/** A schema of its own in the database at `url`, emptied for each test: making one anew takes longer than most tests. */
export const postgresSchema = (url: string) => {
  const schema = `test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`
  const admin = new Client({ connectionString: url })
  let connected: Promise<unknown> | null = null

  const empty = async (): Promise<void> => {
    const { rows } = await admin.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> $2',
      [schema, 'schema_version'],
    )
    // Without triggers and foreign keys: all of it goes.
    const deletes = rows.map(({ name }) => `DELETE FROM ${schema}.${name}`)
    await admin.query(['SET session_replication_role = replica', ...deletes].join('; '))
  }

  const open = async (given: Partial<Pick<PostgresOptions, 'locks'>> = {}): Promise<StoreUnderTest> => {
    connected ??= admin.connect()
    await connected
    await empty()
    const clock = fakeClock()
    const handles = new Set<Store>()
    const handle = async (): Promise<Store> => {
      const driver = await openPostgresStore({
        url,
        schema,
        pool: 5,
        onError: () => undefined,
        clock,
        timeOf: () => clock.now(),
        ...given,
      })
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
  }

  const remove = async (): Promise<void> => {
    if (!connected) return
    await admin.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await admin.end()
  }
  return { schema, admin, open, remove }
}
