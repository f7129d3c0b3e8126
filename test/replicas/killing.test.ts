import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../fakes/random.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { cutDatabase, emptyRedis, killOne, restartServer, strike } from './blows.ts'
import { ownServers } from './own.ts'
import { mixed, runCrowd } from './run.ts'
import type { Backend } from './promises.ts'
import type { Stage } from './stage.ts'
import { replicaStage } from './test-stage.ts'

const SEED = 7
const ORDERS = 300
const REDIS_GONE_MS = 20_000
/** Blows, two leases that nobody gave back, and what is left to do. */
const LIMIT_MS = 480_000

const hasJobs = ({ sandbox }: Stage, backend: Backend): boolean =>
  sandbox.ledger().jobs.some((job) => job.interface === backend)

describe.skipIf(await skippedWithout(['ownPostgres', 'ownRedis']))('three replicas', () => {
  test(
    'whatever is killed, emptied, stopped or cut: one job and one event for each video, none unannounced',
    { timeout: LIMIT_MS },
    async () => {
      const random = seededRandom(SEED)
      const { store, url, postgres, redis } = await ownServers()
      const stage = await replicaStage({ replicas: 3, store, seed: SEED })
      const kill = killOne(stage, random)
      const { faults, doubled } = await runCrowd(
        stage,
        { orders: ORDERS, backendOf: mixed, atOnce: 6, pauseMs: 1_000 },
        async () => {
          // Who dies in its first request to a backend does not know that backend's clock: nothing proves such a create
          // absent, and its video waits for engine.resend_window, an hour.
          await until(() => (['primary', 'alternate'] as const).every((backend) => hasJobs(stage, backend)))
          await strike([kill, kill, emptyRedis(redis), kill], random)
          await redis.stop('kill')
          const redisIsBack = sleep(REDIS_GONE_MS).then(() => redis.start())
          await strike([kill, cutDatabase(url), kill, restartServer(postgres, 'fast'), kill], random)
          await redisIsBack
          await strike([restartServer(postgres, 'kill'), kill, cutDatabase(url), kill], random)
        },
      )
      process.stderr.write(`${stage.receiver.requests.length} deliveries of ${ORDERS} events, ${doubled} doubled\n`)
      expect(faults).toEqual([])
    },
  )
})
