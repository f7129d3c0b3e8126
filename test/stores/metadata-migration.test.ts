import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { METADATA as METADATA_TABLE } from '../../src/stores/postgres/line-tables.ts'
import { createPool } from '../../src/stores/postgres/pool.ts'
import { migrate as migratePostgres, MIGRATIONS as POSTGRES } from '../../src/stores/postgres/schema.ts'
import { METADATA } from '../../src/stores/sqlite/line-schema.ts'
import { migrate, MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { openDatabase } from '../fakes/postgres.ts'
import { T0 } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'

/** Videos of before they were found by metadata; the last holds what PostgreSQL cannot read out of JSON. */
const VIDEOS = [
  ['vid_1', { order: '1001', 'ключ "1"': "it's\n 🙂 \\u0000" }],
  ['vid_2', {}],
  ['vid_3', { order: '', team: 'x'.repeat(500) }],
  ['vid_4', { order: 'a\u0000b' }],
  ['vid_5', { order: 'half \ud800' }],
] as const
const BEFORE = VIDEOS.map(([id, metadata]) => {
  const data = JSON.stringify({ id, metadata }).replaceAll("'", "''")
  return `INSERT INTO videos (id, client, account, backend, phase, status, version, created_at, data)
    VALUES ('${id}', 'acme', 'acct', 'main', 'ended', 'completed', 1, ${T0}, '${data}')`
}).join(';')
const READ = `SELECT video_id, key, value, client, created_at FROM video_metadata WHERE video_id IN ('vid_1', 'vid_2', 'vid_3')
  ORDER BY video_id, key`
const FOUND = VIDEOS.slice(0, 3).flatMap(([id, metadata]) =>
  Object.entries(metadata)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ video_id: id, key, value, client: 'acme', created_at: T0 })),
)

test('SQLite: older videos are found by their metadata', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(METADATA)))
  db.exec(BEFORE)
  migrate(db)
  expect(
    db
      .prepare(READ)
      .all()
      .map((one) => ({ ...one })),
  ).toEqual(FOUND)
  db.close()
})

test.skipIf(await skippedWithout(['postgres']))('PostgreSQL: likewise, but for what it cannot read', async () => {
  const schema = 'metadata_before'
  const made = await openDatabase()
  onTestFinished(() => made.drop())
  const pool = createPool({ url: made.url, schema, size: 1, onError: () => undefined })
  onTestFinished(() => pool.end())
  await migratePostgres(pool, schema, POSTGRES.slice(0, POSTGRES.indexOf(METADATA_TABLE)))
  await pool.query(BEFORE)
  await migratePostgres(pool, schema)
  const { rows } = await pool.query(READ)
  // A value that spells out such a character is taken for one.
  expect(rows).toEqual(FOUND.filter(({ video_id: id }) => id !== 'vid_1'))
})
