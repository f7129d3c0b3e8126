import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMarks, markChanges, markOf } from '../../src/stores/sqlite/marks.ts'
import { numbered, openWaiting, saving } from '../contract/store/helpers.ts'
import { ended, HOUR } from '../fakes/records.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

const open = async (): Promise<SqliteUnderTest> => {
  const file = await openSqlite()
  onTestFinished(() => file.destroy())
  return file
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the mark of a video', () => {
  test('is the same until its row changes, and another after', async () => {
    const { store } = await open()
    await openWaiting(store, { id: numbered(1) })
    await openWaiting(store, { id: numbered(2) })
    const marks = (): (number | null)[] => [1, 2].map((n) => store.markOf(numbered(n)))
    const before = marks()
    await store.versionOf('acme', numbered(1))
    await store.ping()
    await store.change(numbered(1), () => ({ kind: 'keep' }))
    expect(marks()).toEqual(before)
    await store.change(numbered(1), saving({ progress: 0.5 }))
    expect(marks()).toEqual([expect.any(Number), before[1]])
    expect(marks()[0]).not.toBe(before[0])
  })

  test('is another after it was removed', async () => {
    const { store, clock } = await open()
    await openWaiting(store, ended({ id: numbered(1), endedAtMs: clock.now() }))
    const before = store.markOf(numbered(1))
    clock.jump(HOUR)
    expect(await store.purge(clock.now(), 10)).toBe(1)
    expect(store.markOf(numbered(1))).not.toBe(before)
  })

  test('is a number again after a write that failed', async () => {
    const { store } = await open()
    const record = await openWaiting(store, { id: numbered(1) })
    const again = openWaiting(store, { id: numbered(1), client: 'other' })
    await expect(again).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(store.markOf(numbered(1))).toEqual(expect.any(Number))
    expect(await store.video(numbered(1))).toEqual(record)
  })

  test('is none from before a change can be seen until it is seen or taken back', () => {
    const db = new DatabaseSync(':memory:')
    onTestFinished(() => db.close())
    db.exec('CREATE TABLE videos (id TEXT)')
    const marks = createMarks()
    const settle = markChanges(db, marks)
    const known = [markOf(marks, numbered(1))]
    for (const end of ['COMMIT', 'ROLLBACK']) {
      db.exec(`BEGIN; INSERT INTO videos VALUES ('${numbered(1)}'); UPDATE videos SET id = id`)
      expect(markOf(marks, numbered(1))).toBeNull()
      db.exec(end)
      expect(markOf(marks, numbered(1))).toBeNull()
      settle()
      known.push(markOf(marks, numbered(1)))
    }
    expect(known).toEqual([0, 2, 4])
  })

  test('is none where another process may write', async () => {
    const { store, second } = await open()
    await openWaiting(store, { id: numbered(1) })
    expect((await second()).markOf(numbered(1))).toBeNull()
  })

  test('is never the same before and after a change that a read has seen', async () => {
    const { store } = await open()
    await openWaiting(store, { id: numbered(1) })
    const state = { isOver: false }
    const write = async (): Promise<void> => {
      for (let n = 1; n <= 50; n += 1) await store.change(numbered(1), saving({ progress: n / 100 }))
    }
    const written = write().finally(() => {
      state.isOver = true
    })
    const stale: unknown[] = []
    let compared = 0
    for (let kept: { mark: number | null; version: number | null } | null = null; !state.isOver; await turn()) {
      const mark = store.markOf(numbered(1))
      const version = await store.versionOf('acme', numbered(1))
      // The mark was read first: what it vouches for can only be older.
      if (kept?.mark !== undefined && kept.mark !== null && kept.mark === mark) {
        compared += 1
        if (kept.version !== version && store.markOf(numbered(1)) === mark) stale.push({ kept, version })
      }
      kept = { mark, version }
    }
    await written
    expect(stale).toEqual([])
    expect(compared).toBeGreaterThan(0)
  })
})
