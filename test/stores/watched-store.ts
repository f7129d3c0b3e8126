import { afterEach, beforeEach } from 'vitest'
import type { RoomyDb } from '../../src/stores/sql/db.ts'
import { dbOf, openFile, type SqliteFile } from '../../src/stores/sqlite/db.ts'
import { must } from '../fakes/must.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

/** A store for each test, and a note of how it goes about every statement that it is given. */
export const watchedStore = () => {
  let current: SqliteUnderTest | null = null
  let db: SqliteFile | null = null
  const plans = new Map<string, string[]>()
  beforeEach(async () => {
    current = await openSqlite()
    db = openFile(current.path, { readOnly: false })
    plans.clear()
  })
  afterEach(async () => {
    db?.close()
    await current?.destroy()
  })
  const file = (): SqliteFile => must(db)
  const explain = (sql: string): void => {
    const rows = file().raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    plans.set(
      sql,
      rows.map((row) => String(row['detail'])),
    )
  }
  const watched = (): RoomyDb => {
    const on = dbOf(file())
    return {
      ...on,
      get: (sql, ...values) => (explain(sql), on.get(sql, ...values)),
      all: (sql, ...values) => (explain(sql), on.all(sql, ...values)),
      run: (sql, ...values) => (explain(sql), on.run(sql, ...values)),
    }
  }
  return { file, plans, watched }
}
