import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../src/stores/postgres/pool.ts'
import { migrate as migratePostgres, MIGRATIONS as POSTGRES } from '../../src/stores/postgres/schema.ts'
import { TRACES as POSTGRES_TRACES } from '../../src/stores/postgres/trace-tables.ts'
import { migrate, MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { TRACES } from '../../src/stores/sqlite/trace-schema.ts'
import { openDatabase } from '../fakes/postgres.ts'
import { T0 } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'

/** Videos of before the trace was a column; the last holds what PostgreSQL cannot read out of JSON. */
const TRACE = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
const VIDEOS = [
  ['vid_1', { trace: TRACE }],
  ['vid_2', { trace: null }],
  ['vid_3', {}],
  ['vid_4', { trace: TRACE, text: 'a\u0000b' }],
] as const
const BEFORE = VIDEOS.map(
  ([id, data]) => `INSERT INTO videos (id, client, account, backend, phase, status, version, created_at, data)
    VALUES ('${id}', 'acme', 'acct', 'main', 'ended', 'completed', 1, ${T0}, '${JSON.stringify(data)}')`,
).join(';')
const READ = 'SELECT trace FROM videos ORDER BY id'

test('SQLite: older videos keep the trace that they came with', () => {
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(TRACES)))
  db.exec(BEFORE)
  migrate(db)
  const rows = db.prepare(READ).all()
  expect(rows.map(({ trace }) => trace)).toEqual([TRACE, null, null, TRACE])
})

test.skipIf(await skippedWithout(['postgres']))('PostgreSQL: likewise, but for what it cannot read', async () => {
  const schema = 'traces_before'
  const made = await openDatabase()
  onTestFinished(() => made.drop())
  const pool = createPool({ url: made.url, schema, size: 1, onError: () => undefined })
  onTestFinished(() => pool.end())
  await migratePostgres(pool, schema, POSTGRES.slice(0, POSTGRES.indexOf(POSTGRES_TRACES)))
  await pool.query(BEFORE)
  await migratePostgres(pool, schema)
  const { rows } = await pool.query(READ)
  expect(rows).toEqual([TRACE, null, null, null].map((trace) => ({ trace })))
})
