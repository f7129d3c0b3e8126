import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { newVideo } from '../../src/core/new-video.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { fakeClock } from '../fakes/clock.ts'
import { ROOMY } from '../contract/store/helpers.ts'
import { draft, T0 } from '../fakes/records.ts'

const folderOfItsOwn = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-older-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** As a program left it that did not know the migration which has `word` in it, or any later one. */
const drop = (what: string, names: readonly string[]): string => names.map((name) => `${what} ${name};`).join(' ')

const unknowing = (word: string): string => `
  ${drop('DROP TRIGGER', ['backend_months_opened', 'backend_months_moved', 'backend_months_discarded'])}
  ${drop('DROP TRIGGER', ['months_opened', 'months_moved', 'months_discarded'])}
  ${drop('DROP INDEX', ['videos_recorded', 'videos_of_rules', 'videos_sent', 'videos_second_jobs'])}
  ${drop('DROP INDEX', ['videos_of_all', 'videos_of_status', 'videos_of_both', 'events_of_all', 'events_of_type'])}
  ${drop('DROP INDEX', ['deliveries_of_status', 'requests_by_month', 'videos_in_doubt'])}
  ${drop('DROP INDEX', ['videos_ends', 'videos_ends_of_client', 'endpoints_disabled', 'events_in_line', 'resends_in_line'])}
  ${drop('DROP TABLE', ['quota_warnings', 'backend_months', 'shadows', 'refusals', 'splits', 'audit', 'facts', 'served_accounts', 'configurations', 'api_keys', 'api_clients', 'sessions', 'video_metadata'])}
  ${drop('ALTER TABLE videos DROP COLUMN', ['sent_at', 'second_job_at', 'rule', 'charged', 'warned', 'doubt', 'late_ms', 'trace'])}
  ${drop('ALTER TABLE events DROP COLUMN', ['line', 'n'])} ${drop('ALTER TABLE resends DROP COLUMN', ['line', 'n'])}
  ${drop('ALTER TABLE endpoints DROP COLUMN', ['last_delivered_at', 'last_failed_at', 'replay'])}
  ${drop('ALTER TABLE deliveries DROP COLUMN', ['body'])}
  ${drop('ALTER TABLE leases DROP COLUMN', ['holder'])}
  PRAGMA user_version = ${MIGRATIONS.findIndex((sql) => sql.includes(word))}`

test('a field that a record was stored without is as of a new video', async () => {
  const path = join(folderOfItsOwn(), 'talkbridge.db')
  const open = () => openSqliteStore({ path, clock: fakeClock(T0), owner: true })
  const before = await open()
  const { video } = draft({ metadata: { a: '1' }, lane: 'l', replaces: 'vid_0' })
  await before.open({ video, events: [], notes: [] }, null, ROOMY, null)
  await before.close()

  const { id, client, account, backend, interface: kind, input, order, routing, version, createdAtMs } = video
  const given = { id, client, account, backend, interface: kind, input, order, routing, createdAtMs }
  const added = Object.keys(video).filter((field) => field !== 'version' && !Object.keys(given).includes(field))
  const gone = [...added, 'input.language', 'order.language'].map((field) => `'$.${field}'`).join()
  const db = new DatabaseSync(path)
  db.exec(`UPDATE videos SET data = json_remove(data, ${gone})`)
  db.close()

  const after = await open()
  onTestFinished(() => after.close())
  expect(await after.video(id)).toEqual({ ...newVideo(given), dueAtMs: null, version })
})

test('a field that has another name since is brought along', async () => {
  const path = join(folderOfItsOwn(), 'talkbridge.db')
  const open = () => openSqliteStore({ path, clock: fakeClock(T0), owner: true })
  const before = await open()
  const { video } = draft({ lastPollAtMs: T0 - 1 })
  await before.open({ video, events: [], notes: [] }, null, ROOMY, null)
  await before.close()
  const db = new DatabaseSync(path)
  db.exec(`
    UPDATE videos SET data = json_insert(json_remove(data, '$.lastPollAtMs'), '$.lastLookAtMs', data -> '$.lastPollAtMs');
    ${unknowing('lastLookAtMs')}`)
  db.close()
  const after = await open()
  onTestFinished(() => after.close())
  expect((await after.video(video.id))?.lastPollAtMs).toBe(T0 - 1)
})

test('a job that a callback had named before records said when to read it is read', async () => {
  const path = join(folderOfItsOwn(), 'talkbridge.db')
  const open = () => openSqliteStore({ path, clock: fakeClock(T0), owner: true })
  const before = await open()
  const named = [
    { jobId: 'job_1', atMs: T0 - 3, state: 'read' as const },
    { jobId: 'job_2', atMs: T0 - 1, state: 'pending' as const },
    { jobId: 'job_3', atMs: T0 - 2, state: 'pending' as const },
  ]
  const { video } = draft({
    phase: 'ended',
    status: 'completed',
    search: { named, walks: [], reading: null, resent: false },
  })
  await before.open({ video, events: [], notes: [] }, null, ROOMY, null)
  await before.close()
  const db = new DatabaseSync(path)
  db.exec(unknowing('json_each(data'))
  db.close()
  const after = await open()
  onTestFinished(() => after.close())
  expect((await after.video(video.id))?.secondJobAtMs).toBe(T0 - 2)
  expect(await after.secondJobs(video.account, 10)).toEqual([video.id])
})
