import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { DOUBTS as DOUBT_TABLES } from '../../src/stores/postgres/doubt-tables.ts'
import { createPool } from '../../src/stores/postgres/pool.ts'
import { migrate as migratePostgres, MIGRATIONS as POSTGRES } from '../../src/stores/postgres/schema.ts'
import { DOUBTS } from '../../src/stores/sqlite/doubt-schema.ts'
import { migrate, MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { openDatabase } from '../fakes/postgres.ts'
import { T0 } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'

/** Videos of before doubts were listed. The text of the second looks like the word that is looked for. */
const UNKNOWN = { error: { code: 'create_outcome_unknown' } }
const VIDEOS = [
  ['vid_1', 'doubtful', 'queued', { error: null }],
  ['vid_2', 'ended', 'failed', { error: { code: 'backend_failed' }, input: { text: JSON.stringify(UNKNOWN) } }],
  ['vid_3', 'ended', 'failed', { ...UNKNOWN, replacedBy: 'vid_9' }],
  ['vid_4', 'ended', 'failed', { ...UNKNOWN, replacedBy: null, input: { text: '\0 \ud83c\udfac' } }],
  ['vid_5', 'ended', 'failed', UNKNOWN],
  ['vid_6', 'accepted', 'processing', {}],
] as const
const BEFORE = VIDEOS.map(
  ([id, phase, status, data]) =>
    `INSERT INTO videos (id, client, account, backend, phase, status, version, created_at, data)
      VALUES ('${id}', 'acme', 'acct', 'main', '${phase}', '${status}', 1, ${T0}, '${JSON.stringify(data)}')`,
).join(';')
const READ = 'SELECT id, doubt FROM videos WHERE doubt IS NOT NULL ORDER BY id'
const FOUND = [
  { id: 'vid_1', doubt: 'open' },
  { id: 'vid_4', doubt: 'given_up' },
  { id: 'vid_5', doubt: 'given_up' },
]

test('SQLite: creates whose outcome was not known are found', () => {
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(DOUBTS)))
  db.exec(BEFORE)
  migrate(db)
  const rows = db.prepare(READ).all()
  expect(rows.map((one) => ({ ...one }))).toEqual(FOUND)
})

test.skipIf(await skippedWithout(['postgres']))('PostgreSQL: likewise', async () => {
  const schema = 'doubts_before'
  const made = await openDatabase()
  onTestFinished(() => made.drop())
  const pool = createPool({ url: made.url, schema, size: 1, onError: () => undefined })
  onTestFinished(() => pool.end())
  await migratePostgres(pool, schema, POSTGRES.slice(0, POSTGRES.indexOf(DOUBT_TABLES)))
  await pool.query(BEFORE)
  await migratePostgres(pool, schema)
  expect((await pool.query(READ)).rows).toEqual(FOUND)
})
