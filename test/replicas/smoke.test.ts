import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testPostgres, testRedis } from '../fakes/databases.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { SECRET_KEY } from '../fakes/gateway.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { skippedWithoutNginx, testNginx } from './nginx.ts'
import { startReplica, type Replica } from './replica.ts'

const ROOT = join(import.meta.dirname, '../..')
const LIMIT_MS = 300_000

/** What compose.yaml starts, as processes of this machine: the same configurations, the same balancer, the same script. */
const topology = async () => {
  const nginx = await testNginx()
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 10 })
  onTestFinished(() => sandbox.close())
  const [{ url: database }, redis] = [await testPostgres(), testRedis()]
  const folder = await temporaryFolder()
  const replicas: Replica[] = []
  onTestFinished(async () => {
    for (const one of replicas) one.signal('SIGKILL')
    await Promise.all(replicas.map(({ ended }) => ended))
    await rm(folder, { recursive: true, force: true })
  })
  const log = join(folder, 'log')
  for (const name of ['gateway-1', 'gateway-2']) {
    const env = {
      PORT: '0',
      PUBLIC_URL: nginx.url,
      DATABASE_URL: database,
      REDIS_URL: redis.url,
      TALKBRIDGE_REDIS__PREFIX: redis.prefix,
      DATA_DIR: join(folder, name),
      PRIMARY_URL: sandbox.primaryUrl,
      ALTERNATE_URL: sandbox.alternateUrl,
      TALKBRIDGE_SECRET_KEY: SECRET_KEY,
    }
    const print = (text: string): void => appendFileSync(log, text)
    const file = join(ROOT, 'config/examples/replicas.yaml')
    replicas.push(await startReplica({ file, cwd: folder, env, print }))
  }
  await nginx.to(replicas.map(({ port }) => port))
  return { url: nginx.url, replicas, log: () => readFileSync(log, 'utf8') }
}

const skipped = skippedWithoutNginx() || (await skippedWithout(['postgres', 'redis']))

describe.skipIf(skipped)('what compose.yaml runs, without containers', () => {
  test('the smoke script: one gateway is killed, and every video ends and is told', { timeout: LIMIT_MS }, async () => {
    const { url, replicas } = await topology()
    const args = ['scripts/smoke.ts', '--url', url, '--kill', `kill -9 ${replicas[0]?.pid}`]
    const env = { PATH: process.env['PATH'] }
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
    expect(stdout).toContain('all of them ended, and each was told once')
    expect(replicas.map((one) => one.hasEnded())).toEqual([true, false])
  })
})
