import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../src/core/store/index.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { openSqliteStore, type SqliteOptions } from '../../src/stores/sqlite/index.ts'
import type { StoreUnderTest } from '../contract/store.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { layEmptyStore } from '../fakes/empty-store.ts'
import { temporaryFolder, temporaryFolderOnDisk } from '../fakes/folder.ts'

export interface SqliteUnderTest extends StoreUnderTest {
  path: string
}

export interface SqliteFileOptions extends Pick<SqliteOptions, 'freeBytes' | 'maxPages' | 'onLost'> {
  /** On the real disk, and with nothing prepared: made by the program as at its first start. */
  isOnDisk?: boolean
  clock?: FakeClock
}

/** A store in a folder of its own; `destroy` removes it. */
export const openSqlite = async ({
  isOnDisk = false,
  clock = fakeClock(),
  ...options
}: SqliteFileOptions = {}): Promise<SqliteUnderTest> => {
  const folder = isOnDisk ? temporaryFolderOnDisk() : await temporaryFolder()
  const path = join(folder, 'data', 'talkbridge.db')
  if (!isOnDisk) layEmptyStore(path)
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
