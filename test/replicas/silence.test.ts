import { describe, expect, onTestFinished, test } from 'vitest'
import { ownPgBouncer } from '../fakes/pgbouncer.ts'
import { must } from '../fakes/must.ts'
import { seededRandom } from '../fakes/random.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { startBetween, type Between } from '../stores/redis-ways.ts'
import { silentProxy, type SilentProxy } from '../stores/silent-proxy.ts'
import { lockVideos, silenceDatabase, slowRedis, strike } from './blows.ts'
import { sharedServers } from './own.ts'
import { mixed, runCrowd } from './run.ts'
import { replicaStage } from './test-stage.ts'

const SEED = 11
const ORDERS = 60
/** Connections that fell silent are the pooler's until it is closed, so it needs more than the gateways have. */
const POOLED = 60
/** A request waits 5 s. */
const LOCKED_MS = 7_000
/** A command to Redis waits 250 ms. */
const SLOW_MS = 300
const SLOW_FOR_MS = 6_000
const LIMIT_MS = 480_000

describe.skipIf(await skippedWithout(['postgres', 'redis', 'pgbouncer']))('three replicas behind PgBouncer', () => {
  test(
    'connections that fall silent, a locked table, a slow Redis: one job and one event for each video',
    { timeout: LIMIT_MS },
    async () => {
      const random = seededRandom(SEED)
      let silent: SilentProxy | undefined
      let slow: Between | undefined
      const { store, url } = await sharedServers(
        async (server) => {
          const pooler = await ownPgBouncer(server, 'session', { default_pool_size: POOLED })
          onTestFinished(() => pooler.close())
          silent = await silentProxy(pooler.url)
          onTestFinished(silent.close)
          return silent.url
        },
        async (server) => {
          slow = await startBetween(server)
          return slow.url
        },
      )
      const silence = silenceDatabase(must(silent))
      const stage = await replicaStage({ replicas: 3, store, seed: SEED })
      const { faults } = await runCrowd(
        stage,
        { orders: ORDERS, backendOf: mixed, atOnce: 4, pauseMs: 2_000 },
        async () => {
          await until(() => stage.sandbox.ledger().jobs.length > 0)
          const lock = lockVideos(url, LOCKED_MS)
          await strike([silence, slowRedis(must(slow), SLOW_MS, SLOW_FOR_MS), lock, silence], random)
        },
      )
      expect(faults).toEqual([])
    },
  )
})
