import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { accountId } from '../../../src/accounts.ts'
import { ROWS } from '../../../src/cli/doctor/findings.ts'
import { parseConfig } from '../../../src/config.ts'
import { createSystemClock } from '../../../src/core/time/clock.ts'
import { buildDeps } from '../../../src/deps.ts'
import { expectAllProvoked, openStage, SECRET_KEY, the, type Stage } from './stage.ts'

const MIB = 1024 ** 2
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const pathOf = ({ dir }: Stage): string => join(dir, 'data/talkbridge.db')

/** What a gateway leaves behind. Answers how to close the one that runs. */
const served = async (stage: Stage, secretKey: string | null = null): Promise<() => Promise<void>> => {
  const text = JSON.stringify({ ...stage.config, store: { path: pathOf(stage) } })
  const parsed = parseConfig({ text, format: 'json', env: {}, readFile: () => '' })
  if (!parsed.ok) throw new Error('the stage has a bad configuration')
  const { lifecycle } = await buildDeps({
    config: parsed.config,
    clock: createSystemClock(),
    log: quiet,
    secretKey,
    random: () => 0,
  })
  return () => lifecycle.close()
}

const sql = (path: string, statements: string): void => {
  const db = new DatabaseSync(path)
  db.exec(statements)
  db.close()
}

test('before the first start, while a gateway serves, and after it: fine, and nothing is written', async () => {
  const stage = await openStage()
  const before = await stage.doctor()
  expect(before.codes).toEqual(expect.arrayContaining(['store_new', 'key_new']))
  expect(before.exit).toBe(0)
  expect(statSync(dirname(pathOf(stage)), { throwIfNoEntry: false })).toBeUndefined()

  const close = await served(stage)
  expect((await stage.doctor()).codes).toEqual(expect.arrayContaining(['store_served', 'store_ok', 'key_ok']))
  await close()
  const left = statSync(pathOf(stage)).mtimeMs
  const after = await stage.doctor()
  expect(after.codes).toEqual(expect.arrayContaining(['store_ok', 'key_ok']))
  expect(after.codes).not.toContain('store_served')
  expect(statSync(pathOf(stage)).mtimeMs).toBe(left)
  expect(statSync(`${pathOf(stage)}-wal`, { throwIfNoEntry: false })).toBeUndefined()
})

test('a store of another version', async () => {
  const stage = await openStage()
  await (
    await served(stage)
  )()
  const { user_version: known } = new DatabaseSync(pathOf(stage)).prepare('PRAGMA user_version').get() ?? {}
  sql(pathOf(stage), 'PRAGMA user_version = 1000')
  const newer = await stage.doctor()
  expect(the(newer, 'store_newer').found).toContain('schema version 1000')
  expect(newer.exit).toBe(1)
  // The baseline is 39: what was before it is of no release.
  sql(pathOf(stage), 'PRAGMA user_version = 38')
  expect((await stage.doctor()).codes).toContain('store_older')
  sql(pathOf(stage), `PRAGMA user_version = ${String(known)}`)
  expect((await stage.doctor()).codes).toContain('store_ok')
})

test('open videos of an account that the configuration has, and of one that it lacks', async () => {
  const stage = await openStage()
  const close = await served(stage)
  const { primaryUrl, primaryKey } = stage.sandbox
  const main = accountId({ interface: 'primary', base_url: primaryUrl, api_key: primaryKey })
  sql(pathOf(stage), `INSERT INTO open_videos VALUES ('${main}', 'main', 'waiting', 3), ('acc_x', 'old', 'waiting', 0)`)
  expect((await stage.doctor()).codes).not.toContain('account_gone')
  sql(pathOf(stage), `INSERT INTO open_videos VALUES ('acc_y', 'old', 'waiting', 1), ('acc_y', 'old', 'processing', 1)`)
  const report = await stage.doctor()
  expect(the(report, 'account_gone')).toMatchObject({ about: 'backends.old' })
  expect(the(report, 'account_gone').found).toContain('2 open videos')
  expect(report.exit).toBe(1)
  await close()
})

test('a store that may be a copy from earlier', async () => {
  const stage = await openStage()
  await (
    await served(stage)
  )()
  const mark = `${pathOf(stage)}.mark`
  renameSync(mark, `${mark}.away`)
  const report = await stage.doctor()
  expect(the(report, 'store_restored').found).toContain(`there is none to read at ${mark}`)
  expect(report.exit).toBe(1)
  renameSync(`${mark}.away`, mark)
  expect((await stage.doctor()).codes).toContain('store_ok')
})

test('a file that is no store', async () => {
  const stage = await openStage()
  mkdirSync(dirname(pathOf(stage)))
  writeFileSync(pathOf(stage), 'no database at all, but some text'.repeat(100))
  const damaged = await stage.doctor()
  expect(the(damaged, 'store_unreadable').found).toContain('not a database')
  expect(damaged.exit).toBe(1)
  rmSync(pathOf(stage))
  sql(pathOf(stage), 'CREATE TABLE shop (x)')
  expect((await stage.doctor()).codes).toContain('store_not_ours')
  const elsewhere = { store: { path: './data/other.db' } }
  expect((await stage.doctor(elsewhere)).codes).toContain('store_new')
})

test.runIf(process.getuid?.() === 0)('a lock of somebody else', async () => {
  const stage = await openStage()
  await (
    await served(stage)
  )()
  const lock = `${pathOf(stage)}.lock`
  chownSync(lock, 65_534, 65_534)
  expect((await stage.doctor()).codes).toContain('store_lock_foreign')
  rmSync(lock)
  expect((await stage.doctor()).codes).not.toContain('store_lock_foreign')
})

test('a folder that cannot be made', async () => {
  const stage = await openStage()
  writeFileSync(join(stage.dir, 'data'), '')
  const report = await stage.doctor()
  expect(the(report, 'folder_unwritable').found).toContain('is a file')
  expect(report.exit).toBe(1)
  rmSync(join(stage.dir, 'data'))
  expect((await stage.doctor()).codes).not.toContain('folder_unwritable')
})

test('a link to a folder that is not there', async () => {
  const stage = await openStage()
  symlinkSync(join(stage.dir, 'nowhere'), join(stage.dir, 'data'))
  const report = await stage.doctor()
  expect(the(report, 'folder_unwritable').found).toMatch(/^ENOENT: .*data/)
  expect(report.exit).toBe(1)
})

test('a disk that is full, or no disk', async () => {
  const stage = await openStage()
  const on = (kind: 'disk' | 'network' | 'memory' | 'layer', freeBytes: number | null) =>
    stage.doctor({}, { machine: { volumeOf: () => ({ kind, freeBytes }) } })
  const full = await on('disk', 90 * MIB)
  expect(the(full, 'disk_full').found).toMatch(/^90 MiB left in /)
  expect(full.exit).toBe(1)
  const low = await on('disk', 900 * MIB)
  expect(low.codes).toContain('disk_low')
  expect(low.exit).toBe(0)
  for (const kind of ['network', 'memory', 'layer'] as const)
    expect((await on(kind, null)).codes).toContain(`disk_${kind}`)
  const fine = await on('disk', 10_000 * MIB)
  expect(fine.codes.filter((code) => code.startsWith('disk_'))).toEqual([])
})

test('the secret key', async () => {
  const stage = await openStage()
  await (
    await served(stage)
  )()
  const file = join(stage.dir, 'data/secret.key')

  chmodSync(file, 0o644)
  expect((await stage.doctor()).codes).toEqual(expect.arrayContaining(['key_ok', 'key_exposed']))
  chmodSync(file, 0o600)
  expect((await stage.doctor()).codes).not.toContain('key_exposed')

  const other = await stage.doctor({}, { env: { TALKBRIDGE_SECRET_KEY: SECRET_KEY } })
  expect(other.codes).toContain('key_other')
  expect(other.exit).toBe(1)
  expect((await stage.doctor({}, { env: { TALKBRIDGE_SECRET_KEY: 'canary' } })).codes).toContain('key_malformed')

  renameSync(file, `${file}.away`)
  expect((await stage.doctor()).codes).toContain('key_lost')
  mkdirSync(file)
  expect((await stage.doctor()).codes).toContain('key_unreadable')
  rmSync(file, { recursive: true })
  renameSync(`${file}.away`, file)
  expect((await stage.doctor()).codes).toContain('key_ok')

  const shared = { store: { driver: 'postgres', url: 'postgres://127.0.0.1:1/none' } }
  expect((await stage.doctor(shared)).codes).toContain('key_missing')
  const given = await stage.doctor(shared, { env: { TALKBRIDGE_SECRET_KEY: SECRET_KEY } })
  expect(given.codes).not.toContain('key_missing')
})

test('every finding about the store and its key was provoked', () => {
  expectAllProvoked(ROWS.Store, process.getuid?.() === 0 ? [] : ['store_lock_foreign'])
  expectAllProvoked(ROWS['Secret key'])
})
