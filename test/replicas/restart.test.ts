import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../fakes/until.ts'
import { mixed, runCrowd } from './run.ts'
import { replicaStage } from './stage.ts'

const ORDERS = 20

test('one process on SQLite, killed and started again: one job, one event, and nobody was asked too often', async () => {
  const stage = await replicaStage({
    replicas: 1,
    store: (folder) => ({ store: { path: join(folder, 'talkbridge.db') } }),
  })
  const { faults } = await runCrowd(
    stage,
    { orders: ORDERS, backendOf: mixed, atOnce: 4, pauseMs: 50 },
    async ({ accepted }) => {
      for (const killAt of [5, 12]) {
        await until(() => accepted.size >= killAt)
        await stage.kill(0)
        await stage.start(0)
      }
    },
  )
  expect(faults).toEqual([])
})
