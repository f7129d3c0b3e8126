import { appendFileSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { freePorts } from '../fakes/daemon.ts'
import { testPostgres, testRedis } from '../fakes/databases.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { SECRET_KEY } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { testNginx } from './nginx.ts'
import { startReplica, type Replica } from './replica.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Topology {
  /** Of nginx. */
  url: string
  replica(index: number): Replica
  /** SIGTERM, and once it has ended, a new one at the same port; answers the exit code. */
  restart(index: number): Promise<number | null>
  /** All that the replicas printed. */
  log(): string
}

/**
 * What compose.yaml starts, as processes of this machine: the same configurations, the same balancer. `settings`: more of
 * the environment of each replica.
 */
export const topology = async (settings: Readonly<Record<string, string>> = {}): Promise<Topology> => {
  const [own = 0, ...ports] = await freePorts(3)
  const nginx = testNginx(own)
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 10 })
  onTestFinished(() => sandbox.close())
  const [{ url: database }, redis] = [await testPostgres(), testRedis()]
  const folder = await temporaryFolder()
  const replicas = new Map<number, Replica>()
  onTestFinished(async () => {
    for (const one of replicas.values()) one.signal('SIGKILL')
    await Promise.all([...replicas.values()].map(({ ended }) => ended))
    await rm(folder, { recursive: true, force: true })
  })
  const log = join(folder, 'log')
  const start = async (index: number): Promise<void> => {
    const env = {
      PORT: String(must(ports[index])),
      PUBLIC_URL: nginx.url,
      DATABASE_URL: database,
      REDIS_URL: redis.url,
      TALKBRIDGE_REDIS__PREFIX: redis.prefix,
      DATA_DIR: join(folder, `gateway-${index + 1}`),
      PRIMARY_URL: sandbox.primaryUrl,
      ALTERNATE_URL: sandbox.alternateUrl,
      TALKBRIDGE_SECRET_KEY: SECRET_KEY,
      ...settings,
    }
    const print = (text: string): void => appendFileSync(log, text)
    const file = join(ROOT, 'config/examples/replicas.yaml')
    replicas.set(index, await startReplica({ file, cwd: folder, env, print }))
  }
  const replica = (index: number): Replica => must(replicas.get(index))
  // One after the other: the first makes the tables.
  for (const index of ports.keys()) await start(index)
  await nginx.to(ports)
  return {
    url: nginx.url,
    replica,
    async restart(index) {
      replica(index).signal('SIGTERM')
      const code = await replica(index).ended
      await start(index)
      return code
    },
    log: () => readFileSync(log, 'utf8'),
  }
}
