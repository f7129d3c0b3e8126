import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { numbered } from '../contract/store/helpers.ts'
import { testPostgres } from '../fakes/databases.ts'
import { withClient } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { HANG_MS, until } from '../fakes/until.ts'
import { cuttingProxy } from '../stores/cutting-proxy.ts'
import { openSqlite, type SqliteUnderTest } from '../stores/sqlite-file.ts'
import { start } from './harness.ts'
import { runHere } from './here.ts'
import { argsOf, copyOf, fillAndStop, layEmpty, one, run, TABLES, VIDEOS } from './store-copy-stage.ts'

let source: SqliteUnderTest
beforeEach(async () => {
  source = await openSqlite()
})
afterEach(() => source.destroy())

describe.skipIf(await skippedWithout(['postgres']))(
  'an interrupted copy leaves nothing, and the next one succeeds',
  () => {
    test('stopped by a signal in the middle', { timeout: HANG_MS }, async () => {
      await fillAndStop(source)
      const { url } = await testPostgres()
      const stopping = new AbortController()
      let said = ''
      const stopped = await runHere(argsOf(source, url), {
        signal: stopping.signal,
        stderr: (text) => {
          said += text
          if (text.startsWith('copied videos')) stopping.abort('SIGINT')
        },
      })
      expect(stopped).toMatchObject({ code: 1, stdout: '' })
      expect(said).toMatch(/^copied videos: \d+\n(copied .*\n)*talkbridge: stopped: nothing was copied\n$/m)
      expect(await one(url, TABLES)).toBe(0)
      expect((await copyOf(source, url)).code).toBe(0)
    })

    test('killed in the middle', { timeout: HANG_MS }, async () => {
      await fillAndStop(source)
      const { url } = await testPostgres()
      await layEmpty(source, url)
      await withClient(url, async (client) => {
        // Rows of the last table but one wait until the test lets them.
        await client.query(`
        CREATE FUNCTION public.stall() RETURNS boolean LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN true; END $$;
        ALTER TABLE talkbridge.timeline ADD CONSTRAINT stalls CHECK (public.stall());
        SELECT pg_advisory_lock(4711)`)
        const child = start(argsOf(source, url), { cwd: dirname(source.path) })
        const waits = `SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 4711
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        await until(async () => (await one(url, waits)) === 1)
        child.kill('SIGKILL')
        expect((await child.ended).stderr).toMatch(/^copied videos: \d+$/m)
        await client.query('SELECT pg_advisory_unlock(4711); ALTER TABLE talkbridge.timeline DROP CONSTRAINT stalls')
      })
      expect(await one(url, VIDEOS)).toBe(0)
      expect(await copyOf(source, url)).toMatchObject({ code: 0 })
    })

    test.each([
      ['COMMIT', 1],
      ['answer to COMMIT', 0],
    ] as const)('the connection ends at the %s', { timeout: HANG_MS }, async (at, expected) => {
      await fillAndStop(source)
      const { url } = await testPostgres()
      const proxy = await cuttingProxy(url)
      onTestFinished(() => proxy.close())
      const stderr = (text: string): void => {
        if (text.startsWith('checked videos')) proxy.cut(at)
      }
      expect(await runHere(argsOf(source, proxy.url), { stderr })).toMatchObject({ code: expected })
      expect(proxy.cuts()).toBe(1)
      expect(await one(url, TABLES)).toEqual(expected === 0 ? expect.any(Number) : 0)
      expect((await copyOf(source, url)).code).toBe(1 - expected)
    })

    test('refused by the database in the middle', { timeout: HANG_MS }, async () => {
      await fillAndStop(source)
      const { url } = await testPostgres()
      await layEmpty(source, url)
      await run(url, `ALTER TABLE talkbridge.timeline ADD CONSTRAINT never CHECK (type = 'none')`)
      const { code, stderr } = await copyOf(source, url)
      expect(code).toBe(1)
      expect(stderr).toMatch(/violates check constraint "never"; nothing was copied\n$/)
      expect(await one(url, VIDEOS)).toBe(0)
      await run(url, 'ALTER TABLE talkbridge.timeline DROP CONSTRAINT never')
      expect(await copyOf(source, url)).toMatchObject({ code: 0 })
    })

    test('changed on its way: a row that reads back differently', { timeout: HANG_MS }, async () => {
      await fillAndStop(source)
      const { url } = await testPostgres()
      await layEmpty(source, url)
      // A rule is no trigger, and stays in force.
      await run(
        url,
        `CREATE RULE less AS ON INSERT TO talkbridge.timeline DO ALSO
        UPDATE talkbridge.videos SET data = '{}' WHERE id = '${numbered(1)}'`,
      )
      const { code, stderr } = await copyOf(source, url)
      expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
        code: 1,
        stderr: 'talkbridge: nothing was copied: videos: rows in PostgreSQL differ from those in SQLite',
      })
      expect(await one(url, VIDEOS)).toBe(0)
    })
  },
)
