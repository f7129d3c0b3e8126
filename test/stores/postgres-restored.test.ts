import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres/index.ts'
import { openWaiting } from '../contract/store/helpers.ts'
import { commandPath } from '../fakes/daemon.ts'
import { fakeClock } from '../fakes/clock.ts'
import { testPostgres } from '../fakes/databases.ts'
import { must } from '../fakes/must.ts'
import { ownPostgres, withClient } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { HANG_MS, until } from '../fakes/until.ts'

const open = (url: string, more: Partial<PostgresOptions> = {}): Promise<Store> =>
  openPostgresStore({ url, schema: 'talkbridge', pool: 2, clock: fakeClock(), onError: () => undefined, ...more })

const run = (url: string, sql: string) => withClient(url, (client) => client.query(sql))
const command = promisify(execFile)

/** As docs/replicas.md makes a backup. */
const dumpOf = async (url: string): Promise<string> => {
  const { stdout } = await command(must(commandPath('pg_dump')), ['--schema=talkbridge', url], { maxBuffer: 2 ** 26 })
  return stdout
}

/** Reads the dump into a database, as `psql` does. */
const load = async (dump: string, url: string): Promise<void> => {
  const reading = command(must(commandPath('psql')), ['-v', 'ON_ERROR_STOP=1', '-q', url])
  must(reading.child.stdin).end(dump)
  await reading
}

/** A store in which one video waits, stopped. */
const waitingIn = async (url: string): Promise<string> => {
  const store = await open(url)
  const { id } = await openWaiting(store)
  await store.close()
  return id
}

/** Refused; said to be restored, it is served, its video is in doubt, and the next start needs no word. */
const expectRestored = async (url: string, id: string, found: RegExp): Promise<void> => {
  await expect(open(url)).rejects.toThrow(found)
  await expect(open(url)).rejects.toThrow('`serve --restored`')
  const doubts: number[] = []
  const restored = await open(url, { onRestored: (count) => void doubts.push(count) })
  expect(doubts).toEqual([1])
  expect(await restored.video(id)).toMatchObject({ phase: 'doubtful', told: true, attempt: 1, wire: null })
  expect((await restored.timeline(id)).at(-1)).toMatchObject({ type: 'doubtful' })
  await restored.close()
  await (await open(url)).close()
}

describe.skipIf(await skippedWithout(['postgres']))('a dump', () => {
  test('in another database', { timeout: HANG_MS }, async () => {
    const { url } = await testPostgres()
    const id = await waitingIn(url)
    const { url: other } = await testPostgres()
    await load(await dumpOf(url), other)
    await expectRestored(other, id, /on another server than before \(database \d+ and not \d+, table \d+ and not \d+\)/)
    await (await open(url)).close()
  })

  test('in the same database', { timeout: HANG_MS }, async () => {
    const { url } = await testPostgres()
    const id = await waitingIn(url)
    const dump = await dumpOf(url)
    await run(url, 'DROP SCHEMA talkbridge CASCADE')
    await load(dump, url)
    await expectRestored(url, id, /on another server than before \(table \d+ and not \d+\)/)
  })
})

describe.skipIf(await skippedWithout(['ownPostgres']))('a server', () => {
  test('that was recovered from its files, on another timeline', { timeout: HANG_MS }, async () => {
    const server = await ownPostgres()
    onTestFinished(() => server.close())
    const id = await waitingIn(server.url)
    await server.restart('kill')
    // A crash makes no copy.
    await (await open(server.url)).close()
    await run(server.url, `ALTER SYSTEM SET restore_command = 'false'`)
    const { rows } = await withClient(server.url, (client) =>
      client.query<{ data_directory: string }>('SHOW data_directory'),
    )
    await server.stop('fast')
    writeFileSync(`${must(rows[0]).data_directory}/recovery.signal`, '', { mode: 0o666 })
    await server.start()
    // It answers reads before it has recovered.
    await until(() =>
      withClient(server.url, async (client) => {
        const { rows } = await client.query<{ recovers: boolean }>('SELECT pg_is_in_recovery() AS recovers')
        return !must(rows[0]).recovers
      }),
    )
    await expectRestored(server.url, id, /\(timeline 00000002 and not 00000001\)/)
  })

  test('that does not say who it is', { timeout: HANG_MS }, async () => {
    const server = await ownPostgres()
    onTestFinished(() => server.close())
    await run(
      server.url,
      `CREATE ROLE limited LOGIN; GRANT CREATE ON DATABASE postgres TO limited;
       REVOKE EXECUTE ON FUNCTION pg_control_system, pg_walfile_name(pg_lsn) FROM PUBLIC`,
    )
    const url = new URL(server.url)
    url.username = 'limited'
    const unknown: Error[] = []
    const onUnknown = (error: Error): void => void unknown.push(error)
    await (await open(url.href, { onUnknown })).close()
    expect(unknown.map(({ message }) => message)).toEqual([
      'permission denied for function pg_control_system',
      'permission denied for function pg_walfile_name',
    ])
    // What is known later differs from nothing.
    await run(server.url, 'GRANT EXECUTE ON FUNCTION pg_control_system, pg_walfile_name(pg_lsn) TO limited')
    await (await open(url.href)).close()
    await run(
      server.url,
      `UPDATE talkbridge.meta SET value = replace(value, '00000001', '00000007') WHERE key = 'server'`,
    )
    await expect(open(url.href)).rejects.toThrow('timeline 00000001 and not 00000007')
  })
})
