import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPool, dbOf } from '../../src/stores/postgres/pool.ts'
import * as postgres from '../../src/stores/postgres/schema.ts'
import type { Migrated } from '../../src/stores/sql/db.ts'
import { createReads } from '../../src/stores/sql/reads.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import * as sqlite from '../../src/stores/sqlite/db.ts'
import { ROOMY } from '../contract/store/helpers.ts'
import { fakeClock } from '../fakes/clock.ts'
import { openDatabase, withClient } from '../fakes/postgres.ts'
import { draft, T0 } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { openSqlite } from './sqlite-file.ts'

const CHILD = fileURLToPath(new URL('./migrate-child.ts', import.meta.url))
const POSTGRES_CHILD = fileURLToPath(new URL('./postgres-migrate-child.ts', import.meta.url))
/** A step that a later version might have, in words of both engines. */
const STEP = `ALTER TABLE videos ADD COLUMN colour TEXT; UPDATE videos SET colour = 'of ' || id;`
/** Of PostgreSQL, on a schema in use. */
const INDEX = '-- concurrently\nCREATE INDEX CONCURRENTLY videos_coloured ON videos (colour);\n'
const FILL = `-- fill
  WITH next AS (SELECT id FROM videos WHERE id > $1 ORDER BY id LIMIT 2 FOR UPDATE),
    filled AS (UPDATE videos SET colour = 'of ' || id WHERE id IN (SELECT id FROM next))
  SELECT max(id) AS last FROM next`
const BROKEN = 'CREATE TABLE half_made (a TEXT); SELECT nonsense'
const VIDEO = `INSERT INTO videos (id, client, account, backend, phase, status, version, created_at, data)
  VALUES ('vid_1', 'acme', 'acct', 'main', 'waiting', 'queued', 1, ${T0}, '{}')`
const COLOURS = 'SELECT id, colour FROM videos'
const VERSIONS = { sqlite: sqlite.VERSION, postgres: postgres.VERSION }
const sqlOf = (file: string): string => readFileSync(new URL(`../../src/stores/${file}`, import.meta.url), 'utf8')
/** Two that wait, by the triggers of the schema that they are written to, and one more later. */
const WAITING = ['vid_1', 'vid_2'].map((id) => VIDEO.replace('vid_1', id)).join(';')
const THIRD = VIDEO.replace('vid_1', 'vid_3')
const FIRST_GOES = `UPDATE videos SET phase = 'dispatching' WHERE id = 'vid_1'`
/** With what PostgreSQL's JSON can read in no record, and what only resembles it. */
const FAILED = JSON.stringify({ text: 'a\0 \ud800 \udc00 🎬 \\u0000 \\\0', error: { code: 'backend_failed' } })
/** What ended before its code, and how its delivery ended, had columns. */
const ENDED = `INSERT INTO videos (id, client, account, backend, phase, status, version, created_at, ended_at, data)
  VALUES ('vid_0', 'acme', 'acct', 'main', 'ended', 'failed', 1, ${T0}, ${T0}, '${FAILED}');
  INSERT INTO events (id, video_id, client, type, sequence, at, body) VALUES ('evt_1', 'vid_0', 'acme', 'video.failed', 1, ${T0}, '{}');
  INSERT INTO deliveries (id, event_id, client, sequence, target_kind, target, url, status, attempts, tried)
  VALUES ('dlv_1', 'evt_1', 'acme', 1, 'endpoint', 'we_1', '', 'delivered', 2, 2);
  INSERT INTO attempts (delivery, at, duration_ms, status) SELECT n, ${T0} + 1, 5, 503 FROM deliveries;
  INSERT INTO attempts (delivery, at, duration_ms, status) SELECT n, ${T0} + 2, 7, 200 FROM deliveries`
const OUTCOMES = `SELECT v.code, d.settled_at - ${T0} AS settled, d.took_ms, d.answer FROM videos v, deliveries d WHERE v.id = 'vid_0'`
const FILLED = { code: 'backend_failed', settled: 2, took_ms: 7, answer: 200 }
const TURNS = 'SELECT client, waiting, first FROM turns'

const versionOf = (db: DatabaseSync): unknown => db.prepare('PRAGMA user_version').get()?.['user_version']
const tables = (db: DatabaseSync): unknown[] =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .all()
    .map(({ name }) => name)

describe('SQLite', () => {
  const memory = (): DatabaseSync => {
    const db = new DatabaseSync(':memory:')
    onTestFinished(() => db.close())
    return db
  }

  test('a new file gets the tables, and the number of this version', () => {
    const db = memory()
    sqlite.migrate(db)
    expect([versionOf(db), VERSIONS.sqlite]).toEqual([49, 49])
    expect(tables(db)).toContain('videos')
  })

  test('a store of version 39 keeps its queue, which is counted from then on', async () => {
    const db = memory()
    db.exec(`${sqlOf('sqlite/0039-baseline.sql')} PRAGMA user_version = 39; ${WAITING}; ${ENDED}`)
    sqlite.migrate(db)
    expect(db.prepare(OUTCOMES).get()).toEqual(FILLED)
    expect([versionOf(db), tables(db).includes('queue_parts')]).toEqual([49, false])
    db.exec(`${THIRD}; ${FIRST_GOES}`)
    expect(db.prepare(TURNS).get()).toMatchObject({ waiting: 2, first: 'vid_2' })
    const reads = createReads(
      { get: async () => undefined, all: async (sql, ...values) => db.prepare(sql).all(...values) },
      () => T0,
    )
    expect([...(await reads.positions(['vid_3', 'vid_2', 'vid_1']))]).toEqual([
      ['vid_2', 1],
      ['vid_3', 2],
    ])
    db.exec(`DELETE FROM videos WHERE id = 'vid_2'`)
    expect(db.prepare(TURNS).get()).toMatchObject({ waiting: 1, first: 'vid_3' })
  })

  test('the start that migrates says so, and no other one does', async () => {
    const { path, store, destroy } = await openSqlite()
    onTestFinished(destroy)
    await store.close()
    const older = `${path}.older`
    const db = new DatabaseSync(older)
    db.exec(`${sqlOf('sqlite/0039-baseline.sql')} PRAGMA user_version = 39`)
    db.close()
    const said: Migrated[] = []
    const open = async (file: string): Promise<void> =>
      (
        await openSqliteStore({
          path: file,
          clock: fakeClock(T0),
          owner: true,
          onMigrated: (one) => void said.push(one),
        })
      ).close()
    for (const file of [`${path}.new`, older, older]) await open(file)
    expect(said).toEqual([{ from: 39, to: VERSIONS.sqlite }])
  })

  test('a step brings a store of the version before it up to date, and keeps its rows', () => {
    const db = memory()
    sqlite.migrate(db)
    db.exec(VIDEO)
    sqlite.migrate(db, [STEP])
    expect(versionOf(db)).toBe(50)
    expect(db.prepare(COLOURS).all()).toEqual([{ __proto__: null, id: 'vid_1', colour: 'of vid_1' }])
    sqlite.migrate(db, [STEP])
    expect(versionOf(db)).toBe(50)
  })

  test('a new file gets the tables and every step', () => {
    const db = memory()
    sqlite.migrate(db, [STEP])
    expect(versionOf(db)).toBe(50)
    expect(db.prepare(COLOURS).all()).toEqual([])
  })

  test.each([
    [1, 'a development version wrote it, before the first release; begin with a new store'],
    [38, 'a development version wrote it'],
    [50, 'a newer Talkbridge wrote it'],
  ])('a store of version %i is refused, and not changed', (version, why) => {
    const db = memory()
    db.exec(`PRAGMA user_version = ${version}`)
    expect(() => sqlite.migrate(db)).toThrow(`the store has schema version ${version}, this program knows 39 to 49: `)
    expect(() => sqlite.migrate(db)).toThrow(why)
    expect([versionOf(db), tables(db)]).toEqual([version, []])
  })

  test.each([0, 49])('a step that fails leaves version %i as it was', (version) => {
    const db = memory()
    if (version > 0) sqlite.migrate(db)
    const before = tables(db)
    expect(() => sqlite.migrate(db, [STEP, BROKEN])).toThrow('nonsense')
    expect([db.isTransaction, versionOf(db), tables(db)]).toEqual([false, version, before])
  })

  test('a process that is killed in the middle leaves the previous version, and it can be done again', async () => {
    const { path, store, destroy } = await openSqlite()
    onTestFinished(destroy)
    await store.open(draft({ id: 'vid_1' }), null, ROOMY, null)
    await store.close()
    const child = spawn(process.execPath, [CHILD, path], { stdio: ['ignore', 'inherit', 'inherit'] })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    const db = new DatabaseSync(path)
    onTestFinished(() => db.close())
    expect([versionOf(db), tables(db).includes('half_made')]).toEqual([49, false])
    sqlite.migrate(db, [STEP])
    expect(db.prepare(COLOURS).all()).toMatchObject([{ id: 'vid_1', colour: 'of vid_1' }])
  })

  test('a new file that two handles open at once is made once', async () => {
    const { path, store, destroy } = await openSqlite()
    onTestFinished(destroy)
    await store.close()
    const fresh = `${path}.fresh`
    const open = (owner: boolean) => openSqliteStore({ path: fresh, clock: fakeClock(T0), owner })
    const stores = await Promise.all([open(true), open(false)])
    const [one, two] = stores
    await one?.open(draft({ id: 'vid_1' }), null, ROOMY, null)
    expect(await two?.video('vid_1')).toMatchObject({ id: 'vid_1' })
    for (const each of stores) await each.close()
  })
})

describe.skipIf(await skippedWithout(['postgres']))('PostgreSQL', () => {
  const open = async () => {
    const { url, drop } = await openDatabase()
    onTestFinished(drop)
    const pool = createPool({ url, schema: 'talkbridge', size: 2, onError: () => undefined })
    onTestFinished(() => pool.end())
    const migrate = (steps?: readonly string[], patienceMs?: number) =>
      postgres.migrate(pool, 'talkbridge', steps, patienceMs)
    const version = async (): Promise<unknown> =>
      (await pool.query('SELECT max(version) AS version FROM schema_version')).rows[0]?.version
    return { url, pool, migrate, version }
  }

  test('a step brings a schema of the version before it up to date, and keeps its rows', async () => {
    const { pool, migrate, version } = await open()
    await migrate()
    expect(await version()).toBe(VERSIONS.postgres)
    await pool.query(VIDEO)
    await Promise.all([migrate([STEP]), migrate([STEP])])
    expect(await version()).toBe(VERSIONS.postgres + 1)
    expect((await pool.query(COLOURS)).rows).toEqual([{ id: 'vid_1', colour: 'of vid_1' }])
  })

  test('a schema of version 11 keeps its queue, which is counted from then on', async () => {
    const { pool, migrate, version } = await open()
    await pool.query('CREATE SCHEMA talkbridge')
    await pool.query('CREATE TABLE schema_version (version BIGINT NOT NULL); INSERT INTO schema_version VALUES (11)')
    await pool.query(`${sqlOf('postgres/0011-baseline.sql')}; ${WAITING}; ${ENDED}`)
    expect([await migrate(), await migrate()]).toEqual([{ from: 11, to: VERSIONS.postgres }, null])
    expect([await version(), (await pool.query(OUTCOMES)).rows]).toEqual([VERSIONS.postgres, [FILLED]])
    await pool.query(`${THIRD}; ${FIRST_GOES}`)
    expect((await pool.query(TURNS)).rows).toEqual([{ client: 'acme', waiting: 2, first: 'vid_2' }])
    const places = await createReads(dbOf(pool), () => T0).positions(['vid_3', 'vid_2', 'vid_1'])
    expect(places).toEqual(new Map(Object.entries({ vid_2: 1, vid_3: 2 })))
    await pool.query(`DELETE FROM videos WHERE id = 'vid_2'`)
    expect((await pool.query(TURNS)).rows).toEqual([{ client: 'acme', waiting: 1, first: 'vid_3' }])
  })

  test('a step that fails changes nothing; the next start goes on with it', async () => {
    const { pool, migrate, version } = await open()
    await migrate()
    await pool.query(VIDEO)
    await expect(migrate([STEP, BROKEN])).rejects.toThrow('nonsense')
    expect(await version()).toBe(VERSIONS.postgres + 1)
    // No log may hold a row.
    const twice: unknown = await migrate([STEP, 'INSERT INTO videos SELECT * FROM videos']).catch(
      (error: unknown) => error,
    )
    expect(String(twice)).toContain('videos_pkey')
    expect(inspect(twice)).not.toContain('vid_1')
    await expect(pool.query('SELECT * FROM half_made')).rejects.toThrow('half_made')
    await migrate([STEP, 'CREATE TABLE half_made (a TEXT)'])
    expect(await version()).toBe(VERSIONS.postgres + 2)
    expect((await pool.query(COLOURS)).rows).toEqual([{ id: 'vid_1', colour: 'of vid_1' }])
  })

  test('a new schema is made by all steps at once, or not at all', async () => {
    const { pool, migrate, version } = await open()
    await expect(migrate([STEP, INDEX, FILL, BROKEN])).rejects.toThrow('nonsense')
    await expect(version()).rejects.toThrow('schema_version')
    await migrate([STEP, INDEX, FILL])
    expect(await version()).toBe(VERSIONS.postgres + 3)
    expect((await pool.query(`SELECT indexname FROM pg_indexes WHERE indexname = 'videos_coloured'`)).rowCount).toBe(1)
  })

  test('a lock that others keep is waited for, and not for ever: it says whose', async () => {
    const { url, migrate, version } = await open()
    await migrate()
    await withClient(url, async (backup) => {
      await backup.query(`SET application_name TO 'pg_dump'; BEGIN; LOCK TABLE talkbridge.videos IN ACCESS SHARE MODE`)
      await expect(migrate([STEP], 1)).rejects.toThrow(
        /^later step 1 waited 0.001 s for locks that other sessions hold; the oldest is of pg_dump \(pid \d+\)\. Wait for it or end it, and start again$/,
      )
    })
    expect(await version()).toBe(VERSIONS.postgres)
    await migrate([STEP])
    expect(await version()).toBe(VERSIONS.postgres + 1)
  })

  test('rows are filled in batches after the start, by one of several processes', async () => {
    const { pool, migrate, version } = await open()
    await migrate()
    await pool.query(`${WAITING}; ${THIRD}`)
    const later = ['ALTER TABLE videos ADD COLUMN colour TEXT', INDEX, FILL]
    await migrate(later)
    expect([await version(), (await pool.query(COLOURS)).rows[0]]).toEqual([
      VERSIONS.postgres + 2,
      { id: 'vid_1', colour: null },
    ])
    const errors: Error[] = []
    const options = { later, signal: new AbortController().signal, onError: (error: Error) => void errors.push(error) }
    await Promise.all([1, 2].map(() => postgres.fill(pool, 'talkbridge', options)))
    expect([await version(), errors]).toEqual([VERSIONS.postgres + 3, []])
    const filled = ['vid_1', 'vid_2', 'vid_3'].map((id) => ({ id, colour: `of ${id}` }))
    expect((await pool.query(COLOURS)).rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(filled)
    const { rows } = await pool.query('SELECT count(*)::int AS n FROM schema_version WHERE version = $1', [
      VERSIONS.postgres + 3,
    ])
    expect(rows).toEqual([{ n: 1 }])
  })

  test('what a later step builds on is filled before it', async () => {
    const { pool, migrate, version } = await open()
    await migrate()
    await pool.query(`${WAITING}; ${THIRD}`)
    await migrate([
      'ALTER TABLE videos ADD COLUMN colour TEXT',
      FILL,
      'ALTER TABLE videos ALTER COLUMN colour SET NOT NULL',
    ])
    expect(await version()).toBe(VERSIONS.postgres + 3)
  })

  test.each([
    ['LOCK TABLE audit IN ACCESS EXCLUSIVE MODE', '500ms'],
    ['LOCK TABLE audit, budgets, changes IN SHARE UPDATE EXCLUSIVE MODE', '500ms'],
    ['LOCK TABLE audit, budgets, changes IN ACCESS EXCLUSIVE MODE', '166ms'],
  ])('who waits behind a step waits half a second, however many tables it locks: %s', async (locked, each) => {
    const { pool, migrate } = await open()
    await migrate()
    await migrate([`${locked}; CREATE TABLE seen AS SELECT current_setting('lock_timeout') AS each`])
    expect((await pool.query('SELECT each FROM seen')).rows).toEqual([{ each }])
  })

  test.each([
    ['', INDEX],
    ['IF NOT EXISTS ', INDEX.replace('LY v', 'LY IF NOT EXISTS v')],
  ])('an index that was interrupted is made again, and one that was made is left: %s', async (_, make) => {
    const { url, pool, migrate, version } = await open()
    await migrate([STEP])
    await withClient(url, async (reader) => {
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM talkbridge.videos')
      const migrating = expect(migrate([STEP, make])).rejects.toThrow('terminating connection')
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event = 'virtualxid' AND query LIKE '%CREATE INDEX CONCURRENTLY%'`
      await until(async () => (await pool.query(end)).rowCount === 1)
      await migrating
    })
    const index = `SELECT indisvalid AS valid, indexrelid::int AS id FROM pg_index WHERE indexrelid = to_regclass('videos_coloured')`
    expect([await version(), (await pool.query(index)).rows[0]]).toMatchObject([
      VERSIONS.postgres + 1,
      { valid: false },
    ])
    await migrate([STEP, make])
    const { rows } = await pool.query(index)
    expect([await version(), rows[0]]).toMatchObject([VERSIONS.postgres + 2, { valid: true }])
    // As if the process had died before it wrote down that it was done.
    await pool.query('DELETE FROM schema_version WHERE version = $1', [VERSIONS.postgres + 2])
    await migrate([STEP, make])
    expect([await version(), (await pool.query(index)).rows]).toEqual([VERSIONS.postgres + 2, rows])
  })

  test('a process that is killed between two steps has done the first; the next start goes on', async () => {
    const { url, pool, migrate, version } = await open()
    await migrate()
    await pool.query(VIDEO)
    const steps = [STEP, 'LOCK TABLE endpoints IN ACCESS EXCLUSIVE MODE; ALTER TABLE endpoints ADD COLUMN colour TEXT']
    await withClient(url, async (backup) => {
      await backup.query('BEGIN; LOCK TABLE talkbridge.endpoints IN ACCESS SHARE MODE')
      const child = spawn(process.execPath, [POSTGRES_CHILD, url, JSON.stringify(steps)], { stdio: 'inherit' })
      const exit = once(child, 'exit')
      await until(async () => (await version()) === VERSIONS.postgres + 1)
      child.kill('SIGKILL')
      expect(await exit).toEqual([null, 'SIGKILL'])
    })
    expect((await pool.query(COLOURS)).rows).toEqual([{ id: 'vid_1', colour: 'of vid_1' }])
    await migrate(steps)
    expect([await version(), (await pool.query('SELECT colour FROM endpoints')).rows]).toEqual([
      VERSIONS.postgres + 2,
      [],
    ])
  })

  test.each([
    [3, 'a development version wrote it, before the first release; begin with a new schema'],
    [VERSIONS.postgres + 1, 'a newer Talkbridge wrote it'],
  ])('a schema of version %i is refused', async (number, why) => {
    const { pool, migrate, version } = await open()
    await migrate()
    await pool.query('UPDATE schema_version SET version = $1', [number])
    await expect(migrate()).rejects.toThrow(
      `the store has schema version ${number}, this program knows 11 to ${VERSIONS.postgres}: ${why}`,
    )
    expect(await version()).toBe(number)
  })
})
