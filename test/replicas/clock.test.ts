import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DISK } from '../fakes/folder.ts'
import { withClient } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import type { Crowd } from './crowd.ts'
import { ownServers } from './own.ts'
import { mixed, runCrowd } from './run.ts'
import { replicaStage } from './test-stage.ts'

const HOUR_S = 3_600
const ORDERS = 24
/** Servers of its own, four starts of a replica, and the time to settle. */
const LIMIT_MS = 420_000

/** Servers of the test's own: a database whose clock can be set, and what sets it, in seconds beside the right time. */
const serversWithClock = async () => {
  // Where a server may read that is another user's.
  const folder = mkdtempSync(join(process.env[DISK] ?? tmpdir(), 'talkbridge-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  const clockFile = join(folder, 'clock')
  writeFileSync(clockFile, '+0')
  const servers = await ownServers({ clockFile })
  const shown = (): Promise<number> =>
    withClient(servers.url, async (client) => {
      const { rows } = await client.query<{ s: string }>('SELECT extract(epoch FROM clock_timestamp()) AS s')
      return Number(rows[0]?.s) - Date.now() / 1_000
    })
  const set = async (seconds: number): Promise<void> => {
    writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}`)
    await until(async () => Math.abs((await shown()) - seconds) < 10)
  }
  return { ...servers, set }
}

/** Steps while orders come in, each after some more: `stopped`, the processes are killed before and started after it. */
const WAYS: { name: string; steps: readonly number[]; stopped?: boolean }[] = [
  { name: 'an hour back', steps: [-HOUR_S] },
  { name: 'an hour back, while no process runs', steps: [-HOUR_S], stopped: true },
  { name: '25 hours ahead, and right again', steps: [25 * HOUR_S, 0] },
  { name: 'back, further back, and ahead', steps: [-12, -HOUR_S, 0] },
]

describe.skipIf(await skippedWithout(['ownPostgres', 'ownRedis', 'faketime']))(
  'the clock of the database is set',
  () => {
    const promise = '$name: two replicas accept every order at once, and each ends and is told once'
    test.each(WAYS)(promise, { timeout: LIMIT_MS }, async (way) => {
      const { set, store } = await serversWithClock()
      const stage = await replicaStage({ replicas: 2, store })
      const meanwhile = async ({ accepted }: Crowd): Promise<void> => {
        for (const [n, seconds] of way.steps.entries()) {
          await until(() => accepted.size >= 4 * (n + 1))
          if (way.stopped) for (const index of [0, 1]) await stage.kill(index)
          await set(seconds)
          if (way.stopped) for (const index of [0, 1]) await stage.start(index)
        }
      }
      const orders = { orders: ORDERS, backendOf: mixed, atOnce: 4, pauseMs: 100, patient: way.stopped ?? false }
      expect((await runCrowd(stage, orders, meanwhile)).faults).toEqual([])
    })
  },
)
