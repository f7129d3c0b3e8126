import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { storeFault } from '../../src/cli/store.ts'
import { QueryFailed } from '../../src/stores/postgres/pool.ts'
import { openFile } from '../../src/stores/sqlite/db.ts'
import { testPostgres } from '../fakes/databases.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { HANG_MS } from '../fakes/until.ts'
import { openSqlite, type SqliteUnderTest } from '../stores/sqlite-file.ts'
import { runHere } from './here.ts'
import { argsOf, copyOf, layEmpty, one, openCopy, run, TABLES } from './store-copy-stage.ts'

let source: SqliteUnderTest
beforeEach(async () => {
  source = await openSqlite()
})
afterEach(() => source.destroy())

describe.skipIf(await skippedWithout(['postgres']))('talkbridge store copy refuses', () => {
  const refused = async (url: string): Promise<string> => {
    const { code, stdout, stderr } = await copyOf(source, url)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+\n$/)
    return stderr
  }

  test('a store that a gateway serves', { timeout: HANG_MS }, async () => {
    const { url } = await testPostgres()
    expect(await refused(url)).toBe(`talkbridge: --from: a gateway serves ${source.path}: stop it first\n`)
    expect(await one(url, TABLES)).toBe(0)
  })

  test('a schema that holds a store', { timeout: HANG_MS }, async () => {
    await source.store.close()
    const { url } = await testPostgres()
    const store = await openCopy(source, url)
    await store.meta('some', 'fact')
    expect(await refused(url)).toMatch(
      /: schema talkbridge holds a store already \(there are rows in meta\): name another with --schema, or, if nobody needs it, remove it with DROP SCHEMA talkbridge CASCADE\n$/,
    )
    const elsewhere = await runHere([...argsOf(source, url), '--schema', 'other'])
    expect(elsewhere.code).toBe(0)
    expect(elsewhere.stdout).toContain('schema: other }')
  })

  test('a schema with tables that are not ours', { timeout: HANG_MS }, async () => {
    await source.store.close()
    const { url } = await testPostgres()
    await run(url, 'CREATE SCHEMA talkbridge; CREATE TABLE talkbridge.theirs (n int)')
    expect(await refused(url)).toContain(': schema talkbridge holds what is not ours (theirs): name another with')
    expect(await one(url, TABLES)).toBe(1)
  })

  test.each([
    ['a table', 'CREATE TABLE talkbridge.more (n bigint)', 'table more is only in PostgreSQL'],
    ['a column', 'ALTER TABLE talkbridge.videos ADD COLUMN more text', 'column videos.more is only in PostgreSQL'],
    [
      'a type',
      'ALTER TABLE talkbridge.meta ALTER value TYPE bigint USING 0',
      'column meta.value is text in SQLite and integer in PostgreSQL',
    ],
    ['a column of SQLite', 'ALTER TABLE talkbridge.budgets DROP COLUMN at', 'column budgets.at is only in SQLite'],
  ])('%s that only one side has', { timeout: HANG_MS }, async (_, change, told) => {
    await source.store.close()
    const { url } = await testPostgres()
    await layEmpty(source, url)
    await run(url, change)
    expect(await refused(url)).toBe(
      `talkbridge: nothing was copied: this version cannot copy: ${told}: please report this\n`,
    )
  })

  test('a newer target', { timeout: HANG_MS }, async () => {
    await source.store.close()
    const { url } = await testPostgres()
    await layEmpty(source, url)
    await run(url, 'UPDATE talkbridge.schema_version SET version = 999')
    expect(await refused(url)).toContain('the store has schema version 999')
  })

  test('a newer source', { timeout: HANG_MS }, async () => {
    await source.store.close()
    const file = openFile(source.path, { readOnly: false })
    file.exec('PRAGMA user_version = 999')
    file.close()
    const { url } = await testPostgres()
    expect(await refused(url)).toMatch(/^talkbridge: --from: the store has schema version 999/)
  })

  test('a database that is not there', { timeout: HANG_MS }, async () => {
    await source.store.close()
    const { url } = await testPostgres()
    const none = new URL(url)
    none.pathname = '/there_is_none'
    expect(await refused(none.href)).toMatch(/\/there_is_none: the server has no such database: create it/)
  })
})

describe('talkbridge store copy refuses, without a database', () => {
  const NOWHERE = 'postgres://someone:hunter2@127.0.0.1:1/database'
  const said = async (given: readonly string[]) => {
    const { code, stdout, stderr } = await runHere(['store', 'copy', ...given])
    expect(stdout).toBe('')
    expect(stderr).not.toContain('hunter2')
    return { code, stderr }
  }

  test('a server that does not answer', async () => {
    await source.store.close()
    expect(await said(['--from', `sqlite:${source.path}`, '--to', NOWHERE])).toEqual({
      code: 1,
      stderr:
        'talkbridge: --to 127.0.0.1:1/database: the server does not answer: start it, or correct host and port; nothing was copied\n',
    })
  })

  test('a file that is not there, and makes none', async () => {
    const path = join(dirname(source.path), 'none.db')
    expect(await said(['--from', `sqlite:${path}`, '--to', NOWHERE])).toEqual({
      code: 1,
      stderr: `talkbridge: --from: there is no file ${path}: give the path of the gateway's store.path\n`,
    })
    expect(existsSync(path)).toBe(false)
  })

  test('a file that is no store, and leaves it as it is', async () => {
    const folder = dirname(source.path)
    const other = openFile(join(folder, 'other.db'), { readOnly: false })
    other.exec('CREATE TABLE theirs (n INTEGER)')
    other.close()
    writeFileSync(join(folder, 'text.db'), 'this is no database and never was one '.repeat(20))
    const before = statSync(join(folder, 'other.db')).mtimeMs
    const { stderr } = await said(['--from', `sqlite:${join(folder, 'other.db')}`, '--to', NOWHERE])
    expect(stderr).toContain('other.db holds no store of Talkbridge')
    expect(statSync(join(folder, 'other.db')).mtimeMs).toBe(before)
    const text = await said(['--from', `sqlite:${join(folder, 'text.db')}`, '--to', NOWHERE])
    expect(text.stderr).toContain('file is not a database')
  })

  test.each([
    [
      'another engine',
      ['--from', 'mysql:./a', '--to', NOWHERE],
      '--from must be sqlite:PATH, such as sqlite:./data/talkbridge.db\n',
    ],
    [
      'the other way round',
      ['--from', NOWHERE, '--to', 'sqlite:./a'],
      '--from must be sqlite:PATH, such as sqlite:./data/talkbridge.db\n',
    ],
    [
      'another target',
      ['--from', 'sqlite:./a', '--to', 'mysql://hunter2@a/b'],
      '--to must be a URL such as postgres://user:password@host:5432/database\n',
    ],
    [
      'a variable that is not set',
      ['--from', 'sqlite:./a', '--to', ''],
      '--to is empty: set the variable that you use there\n',
    ],
    [
      'a password that breaks the URL',
      ['--from', 'sqlite:./a', '--to', 'postgres://u:hunter2/#@[host/b'],
      '--to is not a URL: percent-encode special characters of the password, such as / as %2F\n',
    ],
    [
      'a schema of no such name',
      ['--from', 'sqlite:./a', '--to', NOWHERE, '--schema', 'a; DROP'],
      '--schema must be a name of 1 to 40 characters a-z, 0-9 and _, starting with a letter\n',
    ],
  ])('%s', async (_, given, stderr) => expect(await said(given)).toEqual({ code: 2, stderr }))

  test.each([
    ['28P01', 'the server refuses the user or the password: correct the URL'],
    [
      '42501',
      'the user may not do this: make it the owner of the schema, or allow it to create one (GRANT CREATE ON DATABASE)',
    ],
    ['55P03', 'something else works in that schema: stop the gateways on it, then run this again'],
    ['ENOTFOUND', 'there is no host with this name: correct the URL'],
  ])('what the server answers with %s, in our words', (code, told) => {
    const cause = Object.assign(new Error('said to someone with hunter2'), { code })
    const { exitCode, message } = storeFault(new QueryFailed(cause), 'host/database', new AbortController().signal)
    const expected = `talkbridge: --to host/database: ${told}; nothing was copied`
    expect({ exitCode, message }).toEqual({ exitCode: 1, message: expected })
  })

  test('no source and no target', async () => {
    const { code, stderr } = await said([])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--from <store>' not specified") as string,
    })
  })
})
