import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { withClient } from '../fakes/postgres.ts'
import { isFull } from '../fakes/full.ts'
import { must } from '../fakes/must.ts'
import { seededRandom } from '../fakes/random.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { between } from './blows.ts'
import { holdersOf } from './leases.ts'
import { sharedServers } from './own.ts'
import type { Replica } from './replica.ts'
import { mixed, runCrowd } from './run.ts'
import { replicaStage } from './test-stage.ts'

/** Longer than the lease of an account, 45 s, and of a create. */
const STALL_MS = 60_000
const STALLS = isFull ? 2 : 1
const ORDERS = 60 * STALLS
const LIMIT_MS = 300_000 + STALLS * 120_000
const ACCOUNTS = 2
/** No transaction waits so long for its own process, unless that stands still. */
const STILL_MS = 60

/** Transactions of the database that their process has left open for so long. */
const leftOpen = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
         AND state_change < clock_timestamp() - make_interval(secs => $1 / 1000.0)`,
      [STILL_MS],
    )
    return rows.length
  })

/** Stops the process in the midst of a transaction: what it has locked there, others must not wait for. */
const stallInTransaction = async ({ signal }: Replica, url: string): Promise<void> => {
  const random = seededRandom(1)
  await until(async () => {
    signal('SIGSTOP')
    await sleep(STILL_MS + 10)
    if ((await leftOpen(url)) > 0) return true
    signal('SIGCONT')
    await sleep(between(random, 5, 50))
    return false
  })
}

describe.skipIf(await skippedWithout(['postgres', 'redis']))('a replica that stalls for longer than its leases', () => {
  test(
    'does no harm, not even in a transaction: others take over, and what it does afterwards is fenced',
    {
      timeout: LIMIT_MS,
    },
    async () => {
      const { store, url } = await sharedServers()
      const stage = await replicaStage({ replicas: 3, store })
      const jobs = (): number => stage.sandbox.ledger().jobs.length
      const { faults } = await runCrowd(
        stage,
        { orders: ORDERS, backendOf: mixed, atOnce: 4, pauseMs: 4_000 },
        async ({ accepted }) => {
          await until(() => accepted.size >= 8)
          for (let stall = 0; stall < STALLS; stall += 1) {
            const [held] = await holdersOf(url)
            const replica = stage.replica(stage.placeOf(must(held).holder))
            await stallInTransaction(replica, url)
            const before = jobs()
            await sleep(STALL_MS)
            expect(jobs(), 'jobs, the later ones of others').toBeGreaterThan(before)
            replica.signal('SIGCONT')
            await until(async () => (await holdersOf(url)).length === ACCOUNTS)
          }
        },
      )
      expect(faults).toEqual([])
    },
  )
})
