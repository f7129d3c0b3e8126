import { describe, expect, test } from 'vitest'
import { isFull } from '../fakes/full.ts'
import { must } from '../fakes/must.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { holdersOf } from './leases.ts'
import { sharedServers } from './own.ts'
import { mixed, runCrowd } from './run.ts'
import { replicaStage } from './test-stage.ts'

const KILLS = isFull ? 33 : 3
const ORDERS = 30 + 5 * KILLS
const REPLICAS = 3
const ACCOUNTS = 2
/** Of an account's lease, as it is taken and extended. */
const LEASE_MS = 45_000
const LIMIT_MS = 300_000 + KILLS * 60_000

describe.skipIf(await skippedWithout(['postgres', 'redis']))('a holder that is killed', () => {
  test(
    'is followed before its lease has run out, each time, and nothing is lost or paid twice',
    { timeout: LIMIT_MS },
    async () => {
      const { store, url } = await sharedServers()
      const stage = await replicaStage({ replicas: REPLICAS, store })
      const { faults } = await runCrowd(
        stage,
        { orders: ORDERS, backendOf: mixed, atOnce: 4, pauseMs: 2_000 },
        async ({ accepted }) => {
          for (let kill = 1; kill <= KILLS; kill += 1) {
            await until(() => accepted.size >= 4 * kill)
            await until(async () => (await holdersOf(url)).length === ACCOUNTS)
            const { holder: dead } = must((await holdersOf(url))[0])
            const index = stage.placeOf(dead)
            await stage.kill(index)
            const left = (await holdersOf(url)).filter(({ holder }) => holder === dead)
            expect(left.length, 'leases that the dead process left').toBeGreaterThan(0)
            const taken = new Map<string, number>()
            await until(async () => {
              for (const { account, holder, untilMs } of await holdersOf(url))
                if (holder !== dead && !taken.has(account)) taken.set(account, untilMs - LEASE_MS)
              return left.every(({ account }) => taken.has(account))
            })
            for (const { account, untilMs } of left)
              expect(taken.get(account), 'it was taken before it ended').toBeLessThan(untilMs)
            await stage.start(index)
          }
        },
      )
      expect(faults).toEqual([])
    },
  )
})
