import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/core/ports.ts'
import { createLocalWake } from '../../src/stores/local-wake.ts'
import { openSqliteStore, type SqliteOptions } from '../../src/stores/sqlite/index.ts'
import type { StoreUnderTest } from '../contract/store.ts'
import { fakeClock } from '../fakes/clock.ts'

export interface SqliteUnderTest extends StoreUnderTest {
  path: string
}

/** A store in a folder of its own; `destroy` removes it. */
export const openSqlite = async (
  options: Pick<SqliteOptions, 'freeBytes' | 'maxPages' | 'onLost'> = {},
): Promise<SqliteUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-store-'))
  const path = join(folder, 'data', 'talkbridge.db')
  const clock = fakeClock()
  const handles = new Set<Store>()
  const open = async (owner: boolean): Promise<Store> => {
    const driver = await openSqliteStore({ path, clock, owner, ...options })
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
    for (const store of handles) await store.close()
  }
  return {
    path,
    clock,
    store: await open(true),
    second: () => open(false),
    wake: async () => createLocalWake(clock),
    async reopen() {
      await closeAll()
      return open(true)
    },
    async destroy() {
      await closeAll()
      rmSync(folder, { recursive: true })
    },
  }
}
