import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import type { Crowd } from './crowd.ts'
import { sharedServers } from './own.ts'
import { mixed, runCrowd } from './run.ts'
import type { Stage } from './stage.ts'
import { replicaStage } from './test-stage.ts'

/** The small sister of killing.test.ts, which `npm run replicas` runs. */
const ORDERS = { orders: 20, backendOf: mixed, atOnce: 4, pauseMs: 50 }

/** Kills them in turn, each when a few more orders were accepted, and starts each again. */
const killInTurn =
  (stage: Stage, turns: readonly number[]) =>
  async ({ accepted }: Crowd): Promise<void> => {
    for (const [n, index] of turns.entries()) {
      await until(() => accepted.size >= 5 * (n + 1))
      await stage.kill(index)
      await stage.start(index)
    }
  }

test(
  'one process on SQLite, killed and started again: one job and one event for each video',
  { timeout: 300_000 },
  async () => {
    const store = (folder: string) => ({ store: { path: join(folder, 'talkbridge.db') } })
    const stage = await replicaStage({ replicas: 1, store })
    const { faults } = await runCrowd(stage, ORDERS, killInTurn(stage, [0, 0]))
    expect(faults).toEqual([])
  },
)

describe.skipIf(await skippedWithout(['postgres', 'redis']))('two replicas on PostgreSQL', () => {
  test('each killed and started again: one job and one event for each video', { timeout: 300_000 }, async () => {
    const { store } = await sharedServers()
    const stage = await replicaStage({ replicas: 2, store })
    const { faults } = await runCrowd(stage, ORDERS, killInTurn(stage, [0, 1]))
    expect(faults).toEqual([])
  })
})
