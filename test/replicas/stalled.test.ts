import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { withClient } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { sharedServers } from './own.ts'
import { mixed, runCrowd } from './run.ts'
import { replicaStage, type Stage } from './stage.ts'

/** Longer than the lease of an account, 45 s, and of a create. */
const STALL_MS = 60_000
const LIMIT_MS = 420_000
const ORDERS = 60
const FIRST = 0

/** How many of the database's transactions are open while their process is elsewhere. */
const openTransactions = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
    )
    return rows.length
  })

/** Stops the replica while it has a transaction open: what it locked there, others wait for. */
const stallInTransaction = async (stage: Stage, url: string): Promise<void> => {
  const { signal } = stage.replica(FIRST)
  await until(async () => {
    signal('SIGSTOP')
    // What the stopped process had sent is answered by then.
    await sleep(20)
    if ((await openTransactions(url)) > 0) return true
    signal('SIGCONT')
    return false
  })
}

describe.skipIf(await skippedWithout(['postgres', 'redis']))('a replica that stalls for longer than its leases', () => {
  const stalled = async (stall: (stage: Stage, url: string) => Promise<void>) => {
    const { store, url } = await sharedServers()
    // The first has every account's lease before the others come.
    const stage = await replicaStage({ replicas: 3, store })
    const jobs = (): number => stage.sandbox.ledger().jobs.length
    const { faults } = await runCrowd(
      stage,
      { orders: ORDERS, backendOf: mixed, atOnce: 4, pauseMs: 4_000 },
      async ({ accepted }) => {
        await until(() => accepted.size >= 8)
        await stall(stage, url)
        const [before, goesOn] = [jobs(), sleep(STALL_MS)]
        await goesOn
        expect(jobs(), 'jobs that others made meanwhile').toBeGreaterThan(before)
        stage.replica(FIRST).signal('SIGCONT')
      },
    )
    expect(faults).toEqual([])
  }

  test('does no harm when it goes on: others have taken over', { timeout: LIMIT_MS }, () =>
    stalled(async (stage) => stage.replica(FIRST).signal('SIGSTOP')),
  )

  test('nor does one that stalled in the midst of a transaction', { timeout: LIMIT_MS }, () =>
    stalled(stallInTransaction),
  )
})
