import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFile } from '../../src/stores/sqlite/db.ts'
import { numbered, openWaiting } from '../contract/store/helpers.ts'
import { happen } from '../contract/store/webhook-helpers.ts'
import { testPostgres } from '../fakes/databases.ts'
import { withClient } from '../fakes/postgres.ts'
import { ACCOUNT, deliveriesQuery, listQuery, pastQuery } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { HANG_MS } from '../fakes/until.ts'
import { openSqlite, type SqliteUnderTest } from '../stores/sqlite-file.ts'
import { readAll } from './copied-store.ts'
import { copyOf, fillAndStop, one, openCopy, VIDEOS } from './store-copy-stage.ts'

const LISTED = 100

let source: SqliteUnderTest
beforeEach(async () => {
  source = await openSqlite()
})
afterEach(() => source.destroy())

/** Rows of each table on both sides, as the command prints them. */
const countsIn = (stdout: string): Map<string, number[]> =>
  new Map(
    [...stdout.matchAll(/^(\w+) +([\d,]+) +([\d,]+)$/gm)].map(([, table, ...counts]) => [
      table ?? '',
      counts.map((text) => Number(text.replaceAll(',', ''))),
    ]),
  )

describe.skipIf(await skippedWithout(['postgres']))('talkbridge store copy', () => {
  test(
    'every read of the port answers the same on PostgreSQL; every table is counted',
    { timeout: HANG_MS },
    async () => {
      await fillAndStop(source)
      const { url } = await testPostgres()
      const copied = await copyOf(source, url)
      expect(copied.stderr.split('\n').filter((line) => !/^(copied|checked) \w+: |^warning: |^$/.test(line))).toEqual(
        [],
      )
      for (const line of [/^copied videos: \d+\n/m, /^checked videos: \d+\n/m]) expect(copied.stderr).toMatch(line)
      expect(copied.code).toBe(0)
      const before = await readAll(await source.second())
      const after = await readAll(await openCopy(source, url))
      for (const [name, answer] of Object.entries(before)) expect({ [name]: after[name] }).toEqual({ [name]: answer })
      // A read that finds nothing compares nothing.
      const empty = Object.entries(before).filter(([, answer]) =>
        /^(\[(\[\],?)*\]|0|null)$/.test(JSON.stringify(answer)),
      )
      expect(empty.map(([name]) => name)).toEqual(['holders', 'droppedEvents'])
      // Every table is counted on both sides; all but leases held something.
      const counts = countsIn(copied.stdout)
      expect(counts.size).toBeGreaterThan(25)
      for (const [table, [sqlite, postgres]] of counts) expect({ [table]: postgres }).toEqual({ [table]: sqlite })
      expect([...counts].flatMap(([table, [rows]]) => (rows === 0 ? [table] : []))).toEqual(['leases'])
      expect(await one(url, VIDEOS)).toBe(counts.get('videos')?.[0])
    },
  )

  test('new writes go on where the old ones ended', { timeout: HANG_MS }, async () => {
    await fillAndStop(source)
    // Numbers of entries that are gone are not given again.
    const owner = await source.reopen()
    const place = (await owner.deliveries('acme', deliveriesQuery({ limit: LISTED })))[0]?.place ?? 0
    await owner.close()
    const { url } = await testPostgres()
    const file = openFile(source.path, { readOnly: false })
    file.run(`UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'deliveries'`)
    file.close()
    expect((await copyOf(source, url)).code).toBe(0)
    const store = await openCopy(source, url)
    const last = (await store.eventSpan('acme')).last
    const waiting = await store.room('acme')
    const month = await store.monthOf('acme', source.clock.now())
    await openWaiting(store, { id: numbered(900), createdAtMs: source.clock.now() })
    await happen(store, numbered(900))
    expect(await store.room('acme')).toEqual({ queue: waiting.queue + 1, client: waiting.client + 1 })
    expect((await store.monthOf('acme', source.clock.now())).videos.queued).toBe(month.videos.queued + 1)
    expect((await store.eventSpan('acme')).last).toBe(last + 1)
    const [newest] = await store.deliveries('acme', deliveriesQuery({ limit: 1 }))
    expect(newest?.place).toBeGreaterThan(5_000)
    expect(place).toBeLessThan(5_000)
    // Pages go on across the move.
    const [event] = await store.pastEvents('acme', pastQuery({ limit: 1 }))
    expect(event?.place).toBe(last + 1)
    while (await store.backlogStep());
    while (await store.replayStep(LISTED));
    expect(await store.purge(Number.MAX_SAFE_INTEGER, LISTED)).toBeGreaterThan(0)
  })

  test('keys of metadata that PostgreSQL cannot tell apart are one', { timeout: HANG_MS }, async () => {
    // In each index on values the pair that is found there comes last.
    const metadata = { 'a\ufffd': 'lost', 'a\0': 'seen', b: 'third' }
    await openWaiting(source.store, { id: numbered(1), metadata })
    await openWaiting(source.store, { id: numbered(2), metadata })
    await source.store.close()
    const { url } = await testPostgres()
    const { code, stdout, stderr } = await copyOf(source, url)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(countsIn(stdout).get('video_metadata')).toEqual([4, 4])
    const store = await openCopy(source, url)
    expect((await store.video(numbered(1)))?.metadata).toEqual(metadata)
    const foundBy = async (value: string) =>
      (await store.withMetadata({ ...listQuery(), client: 'acme', metadata: { key: null, value } })).videos.length
    expect(await Promise.all(['seen', 'lost', 'third'].map(foundBy))).toEqual([2, 0, 2])
  })

  test('triggers are in force afterwards', { timeout: HANG_MS }, async () => {
    await source.store.close()
    const { url } = await testPostgres()
    expect((await copyOf(source, url)).code).toBe(0)
    const triggers = `SELECT string_agg(DISTINCT tgenabled::text, '') FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = 'talkbridge'::regnamespace AND NOT tgisinternal`
    expect(await one(url, triggers)).toBe('O')
  })

  test('needs no more than a user who may create a schema', { timeout: HANG_MS }, async () => {
    await fillAndStop(source)
    const { url } = await testPostgres()
    const { pathname } = new URL(url)
    const role = `role_${pathname.slice(-16)}`
    const database = pathname.slice(1)
    await withClient(url, async (client) => {
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'`)
      await client.query(`GRANT CREATE ON DATABASE ${database} TO ${role}`)
    })
    const as = new URL(url)
    as.username = role
    as.password = 'hunter2'
    const copied = await copyOf(source, as.href)
    await withClient(url, (client) => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`))
    expect(copied.code).toBe(0)
    expect(copied.stdout + copied.stderr).not.toContain('hunter2')
    expect(copied.stdout).toContain(`on ${as.host}${pathname} in `)
  })

  describe('what it prints', () => {
    test('how the key of the file goes on, and never the key', { timeout: HANG_MS }, async () => {
      await source.store.close()
      const { url } = await testPostgres()
      writeFileSync(join(dirname(source.path), 'secret.key'), 'c2VjcmV0\n')
      const { stdout, stderr } = await copyOf(source, url)
      expect(stdout).toContain(`export TALKBRIDGE_SECRET_KEY="$(cat '${join(dirname(source.path), 'secret.key')}')"`)
      expect(stdout + stderr).not.toContain('c2VjcmV0')
    })

    test('the same variable where the environment has it', { timeout: HANG_MS }, async () => {
      await source.store.close()
      const { url } = await testPostgres()
      const { stdout } = await copyOf(source, url, { TALKBRIDGE_SECRET_KEY: 'c2VjcmV0' })
      expect(stdout).toContain('the same TALKBRIDGE_SECRET_KEY as before')
      expect(stdout).not.toContain('c2VjcmV0')
    })

    test('a bar on a terminal', { timeout: HANG_MS }, async () => {
      await fillAndStop(source)
      const { url } = await testPostgres()
      const { stderr } = await copyOf(source, url, {}, true)
      expect(stderr).toContain(`\r\u001b[2K${'█'.repeat(32)} 100 %  `)
    })

    test('that the database’s clock is behind', { timeout: HANG_MS }, async () => {
      source.clock.jump(Date.now() + 3_600_000 - source.clock.now())
      await source.store.spend(ACCOUNT, 'create', { pollsDue: 0, createsWaiting: 0 }, 10)
      await source.store.close()
      const { url } = await testPostgres()
      const { code, stderr } = await copyOf(source, url)
      expect(code).toBe(0)
      expect(stderr).toMatch(/^warning: the newest time in the store is 3[56]\d\d s ahead of the database's clock: /m)
    })
  })
})
