import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { commandPath } from '../fakes/daemon.ts'
import { testPostgres } from '../fakes/databases.ts'
import { bearer, KEYS, SECRET_KEY } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { withClient } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { HANG_MS, until } from '../fakes/until.ts'
import { start, temporaryFolder, type Running } from './harness.ts'

const command = promisify(execFile)

/** The gateway's command on a PostgreSQL store, in front of a sandbox. */
const stage = async () => {
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 50, unlimitedRate: true })
  onTestFinished(() => sandbox.close())
  const { url } = await testPostgres()
  const cwd = temporaryFolder()
  const main = {
    interface: 'primary',
    base_url: sandbox.primaryUrl,
    api_key: sandbox.primaryKey,
    requests_per_minute: 600,
  }
  const config = {
    server: { port: 0, shutdown_delay: '0s' },
    store: { driver: 'postgres', url },
    backends: { main },
    clients: [{ id: 'anna', key: KEYS.anna }],
    routing: { default: 'main' },
    engine: { poll: { min_interval: '250ms' } },
  }
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(config))
  const serve = (slots: number, ...options: string[]): Running => {
    const env = { TALKBRIDGE_SECRET_KEY: SECRET_KEY, TALKBRIDGE_BACKENDS__MAIN__SLOTS: String(slots) }
    return start(['serve', '--config', 'gateway.json', ...options], { cwd, env })
  }
  return { sandbox, url, serve }
}

const urlOf = async (gateway: Running): Promise<string> =>
  `${(await gateway.printed(/"url":"(http:[^"]+)".*"talkbridge serves"/))[1] ?? ''}/unified/v1/videos`

const create = async (url: string, text: string): Promise<string> => {
  const body = JSON.stringify({ image_url: 'https://example.com/anna.png', text })
  const headers = { ...bearer(KEYS.anna), 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  expect(answer.status).toBe(202)
  return ((await answer.json()) as { id: string }).id
}

const statusOf = async (url: string, id: string): Promise<string> => {
  const answer = await fetch(`${url}/${id}`, { headers: bearer(KEYS.anna) })
  return ((await answer.json()) as { status: string }).status
}

const stopped = async (gateway: Running): Promise<void> => {
  gateway.kill('SIGTERM')
  expect((await gateway.ended).code).toBe(0)
}

describe.skipIf(await skippedWithout(['postgres']))('a restored dump of PostgreSQL', () => {
  test('is served with --restored only, and what waited in it is paid once', { timeout: 2 * HANG_MS }, async () => {
    const { sandbox, url, serve } = await stage()
    const first = serve(1)
    const before = await urlOf(first)
    await create(before, '[[stuck]]')
    const waiting = await create(before, 'Hello.')
    const dump = await command(must(commandPath('pg_dump')), ['--schema=talkbridge', url], { maxBuffer: 2 ** 26 })
    expect(sandbox.ledger().jobs).toHaveLength(1)
    await stopped(first)
    const second = serve(2)
    const sent = await urlOf(second)
    await until(async () => (await statusOf(sent, waiting)) === 'completed')
    await stopped(second)

    await withClient(url, (client) => client.query('DROP SCHEMA talkbridge CASCADE'))
    const load = command(must(commandPath('psql')), ['-v', 'ON_ERROR_STOP=1', '-q', url])
    must(load.child.stdin).end(dump.stdout)
    await load
    const refused = await serve(2).ended
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(
      /^talkbridge: store\.url: the store is on another server than before .*`serve --restored`\n$/,
    )

    const restored = serve(2, '--restored')
    const after = await urlOf(restored)
    await restored.printed(/"doubts":1,"msg":"the store was restored from a copy/)
    await until(async () => (await statusOf(after, waiting)) === 'completed')
    expect(sandbox.ledger().jobs).toHaveLength(2)
    expect(sandbox.ledger().charges).toHaveLength(2)
  })
})
