import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { ACCOUNT, rate } from '../fakes/records.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

let current: SqliteUnderTest
beforeEach(async () => {
  current = await openSqlite()
})
afterEach(() => current.destroy())

describe('a restart goes on with the account’s window', () => {
  const CALM = { pollsDue: 0, createsWaiting: 0 }
  const spend = (store: Store, limit = 10) => store.spend(ACCOUNT, 'create', CALM, limit)
  const spendAll = async (store: Store, times: number, limit?: number) =>
    (await Promise.all(Array.from({ length: times }, () => spend(store, limit)))).filter(({ ok }) => ok).length
  /** Headers of a window that ends in 30 s. */
  const told = (limit: number, remaining: number) => {
    const dateMs = current.clock.now()
    return rate({ limit, remaining, dateMs, resetAtMs: dateMs + 30_000 })
  }
  const asked = async (limit: number, remaining: number): Promise<void> => {
    const first = await spend(current.store)
    if (first.ok) await current.store.learn(first.ticket, told(limit, remaining))
  }

  test('where nobody heard of its first request, with one that asks', async () => {
    await spend(current.store)
    expect(await spendAll(await current.reopen(), 3)).toBe(1)
  })

  test('that is spent: three restarts make no request more, until it is over', async () => {
    await asked(3, 2)
    expect(await spendAll(current.store, 5)).toBe(2)
    let { store } = current
    for (let n = 0; n < 3; n += 1) {
      store = await current.reopen()
      expect(await spendAll(store, 3)).toBe(0)
      current.clock.jump(5_000)
    }
    expect((await store.budget(ACCOUNT, CALM, 10)).limit).toBe(3)
    current.clock.jump(16_000)
    expect(await spendAll(store, 3)).toBe(1)
  })

  test('whose first request nobody heard of, again and again: no more than it has', async () => {
    let gone = 0
    for (let n = 0; n < 6; n += 1) gone += await spendAll(await current.reopen(), 2, 3)
    expect(gone).toBe(3)
  })

  test('and what was not answered may have been counted in it', async () => {
    await asked(10, 6)
    expect(await spendAll(current.store, 4)).toBe(4)
    // No other answer will come: two of the six are left, and do not wait for it.
    const store = await current.reopen()
    expect(await store.budget(ACCOUNT, CALM, 10)).toMatchObject({ remaining: 2, nextAtMs: null })
    expect(await spendAll(store, 9)).toBe(2)
  })

  test('though the clock was set back meanwhile: it ends when it would have', async () => {
    await asked(3, 0)
    current.clock.jump(-3_600_000)
    const store = await current.reopen()
    expect(await spendAll(store, 3)).toBe(0)
    current.clock.jump(32_000)
    expect(await spendAll(store, 3)).toBe(1)
  })
})
