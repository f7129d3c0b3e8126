import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { createPool } from '../../src/stores/postgres/pool.ts'
import { migrate, VERSION } from '../../src/stores/postgres/schema.ts'
import { openDatabase, ownPostgres, withClient } from '../fakes/postgres.ts'
import { T0 } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'

/** A million is tried by `npm run replicas:long -- upgrade`, in some minutes. */
const COUNT = Number(process.env['TALKBRIDGE_TEST_VIDEOS'] ?? 200)
/** More of them are gigabytes. */
const IN_MEMORY = 10_000
const LIMIT_MS = 1_800_000
const SCHEMA = 'talkbridge'
const CHILD = fileURLToPath(new URL('./upgrade-child.ts', import.meta.url))

/**
 * Steps that a later version might have. The first locks out who writes, the second who reads: in one transaction they
 * would be in a deadlock with whoever reads a video and then writes it.
 */
const STEPS = [
  `CREATE FUNCTION shaded() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN RETURN NEW; END $body$;
   CREATE TRIGGER shaded BEFORE INSERT ON videos FOR EACH ROW EXECUTE FUNCTION shaded()`,
  `LOCK TABLE videos IN ACCESS EXCLUSIVE MODE; ALTER TABLE videos ADD COLUMN shade TEXT DEFAULT 'grey'`,
  '-- concurrently\nCREATE INDEX CONCURRENTLY videos_shaded ON videos (shade, id);\n',
  `-- fill
   WITH next AS (SELECT id FROM videos WHERE id > $1 ORDER BY id LIMIT 1000 FOR UPDATE),
     filled AS (UPDATE videos SET shade = 'of ' || client WHERE id IN (SELECT id FROM next))
   SELECT max(id) AS last FROM next`,
]

const HISTORY = `SET search_path = ${SCHEMA};
  ALTER TABLE videos DISABLE TRIGGER USER;
  INSERT INTO videos (id, client, account, backend, phase, status, version, created_at, ended_at, data)
  SELECT 'vid_' || lpad(n::text, 26, '0'), 'client_' || n % 50, 'acct_old', 'main', 'ended', 'completed', 3, ${T0} + n, ${T0} + n,
    '{"text":"' || repeat('Hello there, dear all. ', 30) || '"}'
  FROM generate_series(1, ${COUNT}) AS n;
  ALTER TABLE videos ENABLE TRIGGER USER;
  ANALYZE`

/** Who waits for a lock on videos, and since when. */
const WAITING = `SELECT l.mode, l.waitstart::text AS since FROM pg_locks l
  WHERE NOT l.granted AND l.relation = to_regclass('${SCHEMA}.videos')`
const LEFT = `SELECT count(*)::int AS n FROM ${SCHEMA}.videos WHERE account = 'acct_old' AND shade IS DISTINCT FROM 'of ' || client`

const database = async () => {
  if (COUNT <= IN_MEMORY) {
    const { url, drop } = await openDatabase()
    onTestFinished(drop)
    return url
  }
  const server = await ownPostgres({ isOnDisk: true })
  onTestFinished(() => server.close())
  return (await openDatabase(server.url)).url
}

const open = (url: string, errors: Error[], later: readonly string[] = []) =>
  openPostgresStore({
    url,
    schema: SCHEMA,
    pool: 4,
    clock: createSystemClock(),
    onError: (error) => void errors.push(error),
    later,
  })

/** A process that writes and reads until `end`, which answers how many videos it made and what failed. */
const startLoad = async (url: string) => {
  const child = spawn(process.execPath, [CHILD, url], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.signalCode === null && child.exitCode === null) await once(child, 'exit')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('ready')
  return {
    async end(): Promise<{ videos: number; failed: string[] }> {
      child.stdin.write('end\n')
      const said: unknown = (await lines.next()).value
      return JSON.parse(String(said)) as { videos: number; failed: string[] }
    },
  }
}

/** Cleans a table row by row, and goes on for hours. */
const VACUUM = `
  CREATE TABLE ${SCHEMA}.large WITH (autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1) AS
    SELECT n, repeat('x', 1000) AS filling FROM generate_series(1, 5000) AS n;
  DELETE FROM ${SCHEMA}.large;
  ALTER SYSTEM SET autovacuum_naptime = '1s'`
const VACUUMED = `SELECT 1 AS n FROM pg_stat_progress_vacuum WHERE relid = to_regclass('${SCHEMA}.large')`

describe.skipIf(await skippedWithout(['ownPostgres']))('autovacuum', () => {
  test('makes room for an upgrade', { timeout: LIMIT_MS }, async () => {
    const server = await ownPostgres()
    onTestFinished(() => server.close())
    const { url } = await openDatabase(server.url)
    const pool = createPool({ url, schema: SCHEMA, size: 2, onError: () => undefined })
    onTestFinished(() => pool.end())
    await migrate(pool, SCHEMA)
    for (const sql of VACUUM.split(/;\n/)) await pool.query(sql)
    await pool.query('SELECT pg_reload_conf()')
    await until(async () => (await pool.query(VACUUMED)).rowCount === 1)
    const step = 'LOCK TABLE large IN ACCESS EXCLUSIVE MODE; ALTER TABLE large ADD COLUMN shade TEXT'
    // Not for as long as one that nobody ends.
    await migrate(pool, SCHEMA, [step], 60_000)
    expect((await pool.query('SELECT count(shade)::int AS n FROM large')).rows).toEqual([{ n: 0 }])
  })
})

describe.skipIf(await skippedWithout(COUNT > IN_MEMORY ? ['ownPostgres'] : ['postgres']))('an upgrade', () => {
  test(
    `of ${COUNT} videos under load: nothing fails, nobody waits a second for a lock, and nothing is in a deadlock`,
    { timeout: LIMIT_MS },
    async () => {
      const url = await database()
      const errors: Error[] = []
      await (await open(url, errors)).close()
      await withClient(url, (client) => client.query(HISTORY))
      const numberIn = (sql: string) =>
        withClient(url, async (client) => (await client.query<{ n: number }>(sql)).rows[0]?.n ?? 0)
      // Each video of the load has one; the others have none.
      const made = () => numberIn(`SELECT count(*)::int AS n FROM ${SCHEMA}.deliveries`)
      const version = () => numberIn(`SELECT max(version)::int AS n FROM ${SCHEMA}.schema_version`)

      const load = await startLoad(url)
      await until(async () => (await made()) > 10)
      // A backup, which holds the weakest lock. A step waits for it, and the load for the step.
      const backup = new Client({ connectionString: url })
      await backup.connect()
      onTestFinished(() => backup.end())
      await backup.query(`BEGIN; SELECT 1 FROM ${SCHEMA}.videos LIMIT 1`)
      const tries = new Set<string>()
      let waited = 0
      const opening = open(url, errors, STEPS)
      const heldUp = until(async () => {
        const { rows } = await withClient(url, (client) => client.query<{ mode: string; since: string }>(WAITING))
        for (const { mode, since } of rows) {
          if (mode === 'AccessExclusiveLock') tries.add(since)
          else waited += 1
        }
        return tries.size > 1 && waited > 0
      })
      await Promise.race([heldUp, opening])
      await backup.query('COMMIT')
      const store = await opening
      // It serves, and fills.
      expect(await store.video('vid_1')).toBeNull()
      await until(async () => (await version()) === VERSION + STEPS.length, LIMIT_MS)
      // The previous version still serves.
      const before = await made()
      await until(async () => (await made()) > before)
      await store.close()
      const { videos, failed } = await load.end()
      expect({ failed, errors, left: await numberIn(LEFT) }).toEqual({ failed: [], errors: [], left: 0 })
      const deadlocks = 'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()'
      expect(await numberIn(deadlocks)).toBe(0)
      expect(await numberIn(`SELECT count(*)::int AS n FROM pg_index WHERE NOT indisvalid`)).toBe(0)
      process.stderr.write(
        `an upgrade of ${COUNT} videos: ${videos} made meanwhile, ${tries.size} tries of a step that waited, ${waited} waits behind it seen\n`,
      )
    },
  )
})
