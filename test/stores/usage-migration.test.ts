import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { ADMIN as ADMIN_TABLES } from '../../src/stores/postgres/admin-tables.ts'
import { createPool } from '../../src/stores/postgres/pool.ts'
import { migrate as migratePostgres, MIGRATIONS as POSTGRES } from '../../src/stores/postgres/schema.ts'
import { ADMIN } from '../../src/stores/sqlite/admin-schema.ts'
import { migrate, MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { openDatabase } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { T0 } from '../fakes/records.ts'

/** Videos of before usage was counted by backend; one of them was removed since, and only its month knows of it. */
const VIDEOS = [
  ['vid_1', 'acme', 'main', 'accepted', 'processing', null],
  ['vid_2', 'acme', 'alt', 'ended', 'completed', 2],
  ['vid_3', 'acme', 'main', 'ended', 'completed', 1.5],
  ['vid_4', 'acme', 'main', 'ended', 'failed', null],
  ['vid_5', 'other', 'main', 'ended', 'completed', 1],
] as const
const BEFORE = [
  ...VIDEOS.map(([id, client, backend, phase, status, charged]) => {
    const data = JSON.stringify({ credits: { charged } })
    return `INSERT INTO videos (id, client, account, backend, phase, status, version, created_at, data, charged)
      VALUES ('${id}', '${client}', 'acct', '${backend}', '${phase}', '${status}', 1, ${T0}, '${data}', ${charged})`
  }),
  `DELETE FROM videos WHERE id IN ('vid_3', 'vid_5')`,
].join(';')
/** The triggers go on with what was counted. */
const AFTER = `UPDATE videos SET status = 'completed', phase = 'ended', charged = 3 WHERE id = 'vid_1'`
const READ = `SELECT client, backend, queued, processing, completed, failed, canceled, credits FROM backend_months
  WHERE month = '2026-11' ORDER BY client, backend`

const row = (client: string, backend: string, counts: object) => ({
  client,
  backend,
  queued: 0,
  processing: 0,
  completed: 0,
  failed: 0,
  canceled: 0,
  credits: 0,
  ...counts,
})
const counted = (main: object) => [
  row('acme', '', { completed: 1, credits: 1.5 }),
  row('acme', 'alt', { completed: 1, credits: 2 }),
  row('acme', 'main', { failed: 1, ...main }),
  row('other', '', { completed: 1, credits: 1 }),
]
const AT_FIRST = counted({ processing: 1 })
const THEN = counted({ completed: 1, credits: 3 })

test('SQLite: what is known of before is counted by backend, the rest under none', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(ADMIN)))
  db.exec(BEFORE)
  migrate(db)
  const read = () =>
    db
      .prepare(READ)
      .all()
      .map((one) => ({ ...one }))
  expect(read()).toEqual(AT_FIRST)
  db.exec(AFTER)
  expect(read()).toEqual(THEN)
  db.close()
})

test.skipIf(await skippedWithout(['postgres']))('PostgreSQL: likewise', async () => {
  const schema = 'usage_before'
  const made = await openDatabase()
  onTestFinished(() => made.drop())
  const pool = createPool({ url: made.url, schema, size: 1, onError: () => undefined })
  onTestFinished(() => pool.end())
  await migratePostgres(pool, schema, POSTGRES.slice(0, POSTGRES.indexOf(ADMIN_TABLES)))
  await pool.query(BEFORE)
  await migratePostgres(pool, schema)
  const read = async () => (await pool.query(READ)).rows as unknown[]
  expect(await read()).toEqual(AT_FIRST)
  await pool.query(AFTER)
  expect(await read()).toEqual(THEN)
})
