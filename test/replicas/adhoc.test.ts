import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seededRandom } from '../fakes/random.ts'
import { killOne, strike } from './blows.ts'
import { mixed, runCrowd } from './run.ts'
import { replicaStage } from './stage.ts'

test('adhoc', { timeout: 480_000 }, async () => {
  const random = seededRandom(7)
  const stage = await replicaStage({ replicas: 1, store: (folder) => ({ store: { path: join(folder, 'talkbridge.db') } }) })
  const kill = killOne(stage, random)
  const t = performance.now()
  const { faults, doubled } = await runCrowd(stage, { orders: 300, backendOf: mixed, atOnce: 6, pauseMs: 1_000 }, async () => {
    await strike([kill, kill, kill, kill, kill, kill, kill, kill, kill, kill], random)
    process.stderr.write(`blows over ${performance.now() - t}\n`)
  })
  process.stderr.write(`${performance.now() - t} ${stage.receiver.requests.length} deliveries, ${doubled} doubled\n`)
  expect(faults).toEqual([])
})
