import { describe, expect, onTestFinished, test } from 'vitest'
import { numbered, openWaiting, saving } from '../contract/store/helpers.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

const open = async (): Promise<SqliteUnderTest> => {
  const file = await openSqlite()
  onTestFinished(() => file.destroy())
  await openWaiting(file.store, { id: numbered(1) })
  return file
}

describe('the count of writes', () => {
  test('rises before a caller hears of its write, and not by reads', async () => {
    const { store } = await open()
    const before = store.writeCount()
    await store.videoUnless('acme', numbered(1), 1)
    await store.change(numbered(1), () => ({ kind: 'keep' }))
    expect(store.writeCount()).toBe(before)
    const heard: unknown[] = []
    const changes = [0.1, 0.2, 0.3].map((progress) =>
      store.change(numbered(1), saving({ progress })).then(() => heard.push(store.writeCount())),
    )
    await Promise.all(changes)
    expect(heard.filter((count) => count === before)).toEqual([])
    const failing = store.writeCount()
    await expect(openWaiting(store, { id: numbered(1), client: 'other' })).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    expect(store.writeCount()).not.toBe(failing)
  })

  test('is none where another process may write', async () => {
    const { second } = await open()
    expect((await second()).writeCount()).toBeNull()
  })
})
