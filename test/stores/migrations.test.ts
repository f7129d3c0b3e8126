import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newBudget } from '../../src/core/limits/budget.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { BOUNDED } from '../../src/stores/sqlite/bounded-schema.ts'
import { COLUMNS } from '../../src/stores/sqlite/columns-schema.ts'
import { EVENT_PLACES } from '../../src/stores/sqlite/event-schema.ts'
import { MIGRATIONS, migrate, PRAGMAS } from '../../src/stores/sqlite/schema.ts'
import { ATTEMPTS_BY_NUMBER, WEBHOOKS } from '../../src/stores/sqlite/webhook-schema.ts'
import { LEASE_MS, saving } from '../contract/store/helpers.ts'
import { fakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'
import { ACCOUNT, accepted, draft, ended, event, idemKey, note, rate, T0, TARGET, video } from '../fakes/records.ts'

const CHILD = fileURLToPath(new URL('./migrate-child.ts', import.meta.url))
const CURRENT = MIGRATIONS.length

/** What records gained after the first version, as today's program would write it of such a video. */
const GAINED = { told: true, search: null, lane: null, acceptedDateMs: null } as const

const WAITING = video({ id: 'vid_1', ...GAINED })
const RUNS = accepted({ id: 'vid_2', backendJobId: 'job_2', ...GAINED })
const ENDED = ended({
  id: 'vid_3',
  backendJobId: 'job_3',
  sequence: 1,
  credits: { charged: 2, remaining: 8 },
  metadata: { 'ключ "1"': 'a\u0000b 🙂' },
  ...GAINED,
})
/** Nothing kept two videos from one job before the third version. */
const TWINS = ['vid_4', 'vid_5'].map((id) => accepted({ id, backendJobId: 'job_twin', ...GAINED }))
const ALL = [WAITING, RUNS, ENDED, ...TWINS]

/** Before the fifth version no video was made from audio. */
const withoutAudio = ({ transfer: _transfer, order, ...record }: VideoRecord) => {
  const { audioUrl: _audioUrl, ...rest } = order
  return { ...record, order: rest }
}

const LINKS = MIGRATIONS.findIndex((sql) => sql.includes('link_owed'))
const WINDOWS = MIGRATIONS.findIndex((sql) => sql.includes('toldLimit'))
const REPLACEMENTS = MIGRATIONS.findIndex((sql) => sql.includes('replacedBy'))

/** The version after which the record has the field. */
const SINCE: Readonly<Record<string, number>> = { linkOwed: LINKS, replaces: REPLACEMENTS, replacedBy: REPLACEMENTS }

const asOf = (version: number, record: VideoRecord): string => {
  const fields = Object.entries(version > 4 ? record : withoutAudio(record))
  const known = fields.filter(([key]) => (version > 1 || !(key in GAINED)) && version > (SINCE[key] ?? 0))
  return JSON.stringify(Object.fromEntries(known))
}

/** From the third version on a job is one video's: the second that recorded it keeps it in its record only. */
const jobIdAsOf = (version: number, { id, backendJobId }: VideoRecord): string | null =>
  version > 2 && id === TWINS[1]?.id ? null : backendJobId

const insertVideo = (db: DatabaseSync, version: number, record: VideoRecord): void => {
  const row: Record<string, string | number | null> = {
    id: record.id,
    client: record.client,
    account: record.account,
    backend: record.backend,
    phase: record.phase,
    status: record.status,
    version: record.version,
    due_at: record.dueAtMs,
    created_at: record.createdAtMs,
    ended_at: record.endedAtMs,
    data: asOf(version, record),
    ...(version > 1 && { lane: record.lane, job_id: jobIdAsOf(version, record), accepted_at: record.acceptedAtMs }),
    ...(version > MIGRATIONS.indexOf(COLUMNS) && { charged: record.credits?.charged ?? null }),
  }
  const columns = Object.keys(row)
  const insert = db.prepare(`INSERT INTO videos (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
  insert.run(...Object.values(row))
}

const deliveryAsOf = (version: number): string =>
  version <= MIGRATIONS.indexOf(WEBHOOKS)
    ? `INSERT INTO deliveries VALUES ('dlv_1', 'evt_vid_3_1', 'vid_3', 1, 'video', '${TARGET.url}', 'pending', 1, ${T0 + 5}, NULL, NULL);
       INSERT INTO secrets VALUES ('acme', 'sealed');`
    : `INSERT INTO deliveries (n, id, event_id, client, video_id, sequence, target_kind, target, url, status, attempts, tried, next_attempt_at)
         VALUES (7, 'dlv_1', 'evt_vid_3_1', 'acme', 'vid_3', 1, 'video', '${TARGET.url}', '${TARGET.url}', 'pending', 1, 1, ${T0 + 5});
       INSERT INTO webhook_secrets (keeper, value) VALUES ('client:acme', 'sealed');`

const attemptAsOf = (version: number): string =>
  version <= MIGRATIONS.indexOf(ATTEMPTS_BY_NUMBER)
    ? `INSERT INTO attempts (delivery_id, at, duration_ms, status) VALUES ('dlv_1', ${T0}, 3, 500);`
    : `INSERT INTO attempts (delivery, at, duration_ms, status) VALUES (7, ${T0}, 3, 500);`

/** A database as the program of that version left it. */
const leftBy = (version: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'talkbridge.db')
  const db = new DatabaseSync(path)
  db.exec(PRAGMAS)
  migrate(db, MIGRATIONS.slice(0, version))
  for (const record of ALL) insertVideo(db, version, record)
  const { body } = event(ENDED.id, 1)
  db.exec(`
    INSERT INTO idempotency VALUES ('acme', 'POST /videos', 'order-1', 'f1', 'vid_1');
    INSERT INTO timeline VALUES ('vid_3', ${T0}, 'created', NULL);
    INSERT INTO events (id, video_id, client, type, sequence, at, body) VALUES ('evt_vid_3_1', 'vid_3', 'acme', 'video.progress', 1, ${T0}, '${body}');
    ${deliveryAsOf(version)}
    ${attemptAsOf(version)}
    INSERT INTO meta VALUES ('fact', 'kept');`)
  // From the version on that gives events their places, they come with them.
  if (version > MIGRATIONS.indexOf(EVENT_PLACES))
    db.exec(`UPDATE events SET place = 1; INSERT INTO event_spans VALUES ('acme', 1, 0)`)
  db.close()
  return path
}

const versionOf = (path: string): number => {
  const db = new DatabaseSync(path, { readOnly: true })
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  db.close()
  return version
}

const openStore = async (path: string, owner = true): Promise<Store> => {
  const store = await openSqliteStore({ path, clock: fakeClock(), owner })
  onTestFinished(() => store.close())
  return store
}

const expectAllKept = async (store: Store): Promise<void> => {
  for (const record of ALL) expect(await store.video(record.id)).toEqual(record)
  expect(await store.keyed(idemKey())).toEqual({ video: WAITING, fingerprint: 'f1' })
  expect(await store.timeline('vid_3')).toEqual([note('created')])
  expect(await store.deliveriesOf('vid_3')).toEqual([
    {
      id: 'dlv_1',
      event: event('vid_3', 1),
      target: TARGET,
      status: 'pending',
      attempts: 1,
      tried: 1,
      nextAttemptAtMs: T0 + 5,
      isAskedLater: false,
      trace: null,
    },
  ])
  expect(await store.eventSpan('acme')).toEqual({ last: 1, gone: 0 })
  expect((await store.eventsOf('acme', { after: 0, limit: 10, types: null })).events).toEqual([
    { place: 1, event: event('vid_3', 1) },
  ])
  expect(await store.attempts('dlv_1')).toMatchObject([{ atMs: T0, durationMs: 3, status: 500 }])
  // Also what was there before months were counted.
  expect(await store.monthOf('acme', T0)).toEqual({
    videos: { queued: 4, processing: 0, completed: 1, failed: 0, canceled: 0 },
    creditsCharged: 2,
    requests: 0,
  })
  expect(await store.secrets({ kind: 'client', id: 'acme' }, 'another')).toEqual(['sealed'])
  expect(await store.meta('fact', 'another')).toBe('kept')
}

describe.each(Array.from({ length: CURRENT }, (_, n) => n + 1).filter((version) => version < CURRENT))(
  'a database of version %i',
  (version) => {
    test('is brought up to date, and keeps every row', async () => {
      const path = leftBy(version)
      const store = await openStore(path)
      expect(versionOf(path)).toBe(CURRENT)
      await expectAllKept(store)
    })

    test('is worked on as if it had been made today', async () => {
      const store = await openStore(leftBy(version))
      const { video: taken } = must(await store.admit(ACCOUNT, { slots: null, leaseMs: LEASE_MS }))
      expect(taken).toMatchObject({ id: 'vid_1', phase: 'dispatching' })
      expect((await store.running(ACCOUNT)).find(({ id }) => id === 'vid_2')).toMatchObject({ acceptedAtMs: T0 })
      expect(await store.owner(ACCOUNT, 'job_2')).toBe('vid_2')
      const given = await store.change('vid_1', saving({ backendJobId: 'job_3' }))
      expect(given.jobTaken).toEqual({ jobId: 'job_3', owner: 'vid_3' })
    })

    test('counts what is open in it', async () => {
      const store = await openStore(leftBy(version))
      expect(await store.counts(ACCOUNT)).toEqual({ waiting: 1, held: 3 })
      expect(await store.room('acme')).toEqual({ queue: 1, client: 1 })
      expect([...(await store.positions(['vid_1']))]).toEqual([['vid_1', 1]])
      expect(await store.backendsOf(ACCOUNT)).toEqual(['main'])
      const limits = { queue: 9, client: 9, videosPerMonth: null, creditsPerMonth: 6 }
      // Two credits were charged, and four videos may cost one each.
      const opened = await store.open(draft({ id: 'vid_9' }), null, limits, null)
      expect(opened).toEqual({ kind: 'full', scope: 'credits', deliveries: [] })
      const more = await store.open(draft({ id: 'vid_9' }), null, { ...limits, creditsPerMonth: 7 }, null)
      expect(more.kind).toBe('opened')
    })

    test('with two videos of one job starts, and both settle; the job is the first one’s', async () => {
      const store = await openStore(leftBy(version))
      expect(await store.owner(ACCOUNT, 'job_twin')).toBe('vid_4')
      for (const { id } of TWINS) {
        const settled = await store.change(id, saving({ phase: 'ended', status: 'completed', endedAtMs: T0 + 1 }))
        expect(settled).toMatchObject({ video: { status: 'completed', backendJobId: 'job_twin' }, jobTaken: null })
      }
      expect(await store.owner(ACCOUNT, 'job_twin')).toBe('vid_4')
    })

    test('opened by two handles at once is brought up to date once', async () => {
      const path = leftBy(version)
      const [store] = await Promise.all([openStore(path), openStore(path, false)])
      expect(versionOf(path)).toBe(CURRENT)
      await expectAllKept(must(store))
    })
  },
)

describe('bringing it up to date', () => {
  test('tells what running videos are made from', async () => {
    const path = leftBy(MIGRATIONS.findIndex((sql) => sql.includes('COLUMN source')))
    const db = new DatabaseSync(path)
    db.exec(`
      UPDATE videos SET imported = 1 WHERE id = 'vid_4';
      UPDATE videos SET data = json_set(data, '$.input.text', NULL) WHERE id IN ('vid_4', 'vid_5');`)
    db.close()
    const running = await (await openStore(path)).running(ACCOUNT)
    expect(Object.fromEntries(running.map(({ id, source }) => [id, source]))).toEqual({
      vid_2: 'text',
      vid_4: 'import',
      vid_5: 'audio',
    })
  })

  test('keeps the window that runs, and takes the limit that the backend tells next', async () => {
    const path = leftBy(WINDOWS)
    const db = new DatabaseSync(path)
    const { configured: _configured, toldLimit: _toldLimit, asks: _asks, ...window } = newBudget(60)
    // As of a program that knew no more of it: 60 a minute told, 40 of them spent.
    const running = { ...window, window: 3, remaining: 20, told: 20, known: true, resetsAtMs: T0 + 30_000 }
    db.prepare(`INSERT INTO budgets (account, data) VALUES (?, ?)`).run(ACCOUNT, JSON.stringify(running))
    db.close()
    const store = await openStore(path)
    const view = () => store.budget(ACCOUNT, { pollsDue: 0, createsWaiting: 0 }, 60)
    expect(await view()).toMatchObject({ limit: 60, remaining: 20, resetsAtMs: T0 + 30_000 })
    const headers = rate({ limit: 50, remaining: 19, dateMs: T0, resetAtMs: T0 + 30_000 })
    await store.learn({ account: ACCOUNT, window: 3 }, headers)
    expect(await view()).toMatchObject({ limit: 50, remaining: 10 })
  })

  test('keeps the latest of many attempts, finds what failed by its time, and goes on with a replay where it was', async () => {
    const path = leftBy(MIGRATIONS.indexOf(BOUNDED))
    const db = new DatabaseSync(path)
    db.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 119)
        INSERT INTO attempts (delivery, at, duration_ms, response_body) SELECT 7, ${T0} + i, 1, 'no' FROM n;
      UPDATE deliveries SET attempts = 120, status = 'failed', target_kind = 'endpoint', target = 'we_1', next_attempt_at = NULL;
      INSERT INTO endpoints (id, client, url, events, failures, created_at, updated_at)
        VALUES ('we_1', 'acme', 'https://x.example', '["video.completed"]', 0, 0, 0);
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
        INSERT INTO events (id, client, place, type, sequence, at, body) SELECT 'evt_' || i, 'acme', i, 'video.completed', 1, ${T0} + i, '{}' FROM n;
      INSERT INTO replays (client, endpoint, types, since, until, only_failed, done)
        VALUES ('acme', 'we_1', '["video.completed"]', 0, ${T0} + 100, 0, 4);`)
    db.close()
    const store = await openStore(path)
    const kept = await store.attempts('dlv_1')
    expect(kept.map(({ atMs }) => atMs - T0)).toEqual(Array.from({ length: 100 }, (_, n) => n + 20))
    expect(kept.filter(({ responseBody }) => responseBody !== null)).toEqual(kept.slice(-5))
    const rest = await Promise.all(must(await store.replayStep(10)).map((id) => store.delivery(id)))
    expect(rest.map((delivery) => delivery?.event.id)).toEqual(['evt_5', 'evt_6'])
    const asked = { client: 'acme', endpointId: 'we_1', sinceMs: T0, untilMs: T0 + 1, onlyFailed: true }
    expect(await store.replay(asked)).toEqual({ kind: 'taken', events: 1 })
    const [failed] = must(await store.replayStep(10))
    expect((await store.delivery(must(failed)))?.event.id).toBe('evt_vid_3_1')
  })

  test('leaves nothing behind where a step fails', () => {
    const path = leftBy(1)
    const db = new DatabaseSync(path)
    const steps = [...MIGRATIONS, 'CREATE TABLE half_made (a TEXT); SELECT nonsense']
    expect(() => migrate(db, steps)).toThrow('nonsense')
    expect(db.isTransaction).toBe(false)
    db.close()
    expect(versionOf(path)).toBe(1)
  })

  test('leaves the version of before where the process is killed in the middle, and can be done again', async () => {
    const path = leftBy(CURRENT - 1)
    const child = spawn(process.execPath, [CHILD, path], { stdio: ['ignore', 'inherit', 'inherit'] })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(versionOf(path)).toBe(CURRENT - 1)
    await expectAllKept(await openStore(path))
    const db = new DatabaseSync(path, { readOnly: true })
    expect(db.prepare(`SELECT name FROM sqlite_master WHERE name = 'half_made'`).all()).toEqual([])
    db.close()
  })
})
