import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { numbered, openWaiting } from '../contract/store/helpers.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

let current: SqliteUnderTest
beforeEach(async () => {
  current = await openSqlite({ isOnDisk: true })
})
afterEach(() => current.destroy())

const markOf = ({ path }: SqliteUnderTest): string => `${path}.mark`
const markIn = (under: SqliteUnderTest): { store: string; changes: number } =>
  JSON.parse(readFileSync(markOf(under), 'utf8'))

const inside = <T>({ path }: SqliteUnderTest, work: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const changesIn = (under: SqliteUnderTest): unknown =>
  inside(under, (db) => db.prepare('SELECT sum(n) AS n FROM changes').get()?.['n'])

/** A copy of the stopped store's file, put back in its place later. */
const copied = ({ path }: SqliteUnderTest): (() => void) => {
  copyFileSync(path, `${path}.copy`)
  return () => copyFileSync(`${path}.copy`, path)
}

const restored = async ({ path, clock }: SqliteUnderTest): Promise<number> => {
  let doubts = -1
  const store = await openSqliteStore({ path, clock, owner: true, onRestored: (found) => (doubts = found) })
  await store.close()
  return doubts
}

test('the mark has every write before its caller hears of it', async () => {
  for (let n = 1; n <= 20; n += 1) {
    await openWaiting(current.store, { id: numbered(n) })
    expect(markIn(current).changes).toBe(n)
  }
  expect(changesIn(current)).toBe(20)
})

test('a copy in which nothing is missing is the store', async () => {
  await openWaiting(current.store)
  await current.store.close()
  const putBack = copied(current)
  await (await current.reopen()).close()
  putBack()
  await expect(current.reopen()).resolves.toBeDefined()
})

describe('is refused', () => {
  test('a copy in which one write is missing; said to be one, it is served once and for all', async () => {
    const { id } = await openWaiting(current.store, { id: numbered(1) })
    await current.store.close()
    const putBack = copied(current)
    const again = await current.reopen()
    await openWaiting(again, { id: numbered(2) })
    await again.close()
    putBack()
    await expect(current.reopen()).rejects.toThrow('it has 1 writes, and')
    await expect(current.reopen()).rejects.toThrow('mark says 2')
    expect(await restored(current)).toBe(1)
    const store = await current.reopen()
    expect(await store.video(id)).toMatchObject({ phase: 'doubtful', told: true, attempt: 1, wire: null })
    expect((await store.timeline(id)).at(-1)).toMatchObject({ type: 'doubtful' })
    // What came after the first copy is another story: by its number alone a copy of that would look newer.
    await store.close()
    copyFileSync(`${current.path}.copy`, current.path)
    await expect(current.reopen()).rejects.toThrow('is the mark of another store')
  })

  test('a store whose mark is gone, empty or of another store', async () => {
    await openWaiting(current.store)
    await current.store.close()
    const mark = readFileSync(markOf(current), 'utf8')
    rmSync(markOf(current))
    await expect(current.reopen()).rejects.toThrow('there is none to read at')
    writeFileSync(markOf(current), '')
    await expect(current.reopen()).rejects.toThrow('there is none to read at')
    writeFileSync(markOf(current), mark.replace(/"store":"[^"]+"/, '"store":"other"'))
    await expect(current.reopen()).rejects.toThrow('is the mark of another store')
    writeFileSync(markOf(current), mark)
    await expect(current.reopen()).resolves.toBeDefined()
  })

  test('a copy from before there were marks', async () => {
    await current.store.close()
    inside(current, (db) => db.exec(`DELETE FROM meta WHERE key = 'store_id'`))
    const putBack = copied(current)
    const again = await current.reopen()
    await openWaiting(again)
    await again.close()
    putBack()
    await expect(current.reopen()).rejects.toThrow('is a copy from earlier')
  })
})

describe('is not refused', () => {
  test('a store that was never served with a mark', async () => {
    await openWaiting(current.store)
    await current.store.close()
    inside(current, (db) => db.exec(`DELETE FROM meta WHERE key = 'store_id'`))
    rmSync(markOf(current))
    await (await current.reopen()).close()
    expect(markIn(current).changes).toBe(1)
  })

  test('a first start that ended between the mark and the store', async () => {
    await current.store.close()
    inside(current, (db) => db.exec(`DELETE FROM meta WHERE key = 'store_id'`))
    const before = markIn(current)
    await (await current.reopen()).close()
    expect(markIn(current)).toEqual(before)
  })

  test('a new store beside the mark of one that was removed', async () => {
    await openWaiting(current.store)
    await current.store.close()
    for (const end of ['', '-wal', '-shm']) rmSync(`${current.path}${end}`, { force: true })
    await (await current.reopen()).close()
    expect(markIn(current).changes).toBe(0)
  })

  test('a store whose mark is behind, as after a power cut', async () => {
    await openWaiting(current.store, { id: numbered(1) })
    copyFileSync(markOf(current), `${markOf(current)}.behind`)
    await openWaiting(current.store, { id: numbered(2) })
    await current.store.close()
    renameSync(`${markOf(current)}.behind`, markOf(current))
    await openWaiting(await current.reopen(), { id: numbered(3) })
    expect(markIn(current).changes).toBe(3)
  })
})

test('a restore that ended half-way is still refused, and can be said again', async () => {
  await openWaiting(current.store)
  await current.store.close()
  const putBack = copied(current)
  await restored(current)
  // The mark is of the restored store already, and the file is as it was.
  putBack()
  await expect(current.reopen()).rejects.toThrow('is the mark of another store')
  expect(await restored(current)).toBe(1)
})
