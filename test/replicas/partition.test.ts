import { describe, expect, test } from 'vitest'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import type { Cut } from './gate.ts'
import { holdersOf, type Held } from './leases.ts'
import { sharedServers } from './own.ts'
import { deliveryOf, ENDS } from './promises.ts'
import { mixed, runCrowd } from './run.ts'
import type { Stage } from './stage.ts'
import { replicaStage } from './test-stage.ts'

const LIMIT_MS = 480_000
const ORDERS = 60
const FIRST = 0

const endsTold = ({ receiver }: Stage): number =>
  new Set(receiver.requests.map(deliveryOf).flatMap(({ type, video }) => (ENDS.includes(type) ? [video] : []))).size

describe.skipIf(await skippedWithout(['postgres', 'redis']))('a replica that reaches its store and no backend', () => {
  test.each<Cut>(['refuse', 'swallow'])(
    '%s: lets the accounts go, and others tell ends while it is still cut off',
    { timeout: LIMIT_MS },
    async (how) => {
      const { store, url } = await sharedServers()
      // As long as a request waits by default: longer than a cut may go unnoticed.
      const stage = await replicaStage({ replicas: 3, store, gates: true, timeout: '30s' })
      const isFirst = ({ holder }: Held): boolean => stage.placeOf(holder) === FIRST
      const { faults } = await runCrowd(
        stage,
        { orders: ORDERS, backendOf: mixed, atOnce: 4, pauseMs: 3_000 },
        async () => {
          await until(() => endsTold(stage) >= 4)
          expect((await holdersOf(url)).filter(isFirst), 'accounts of the first replica').toHaveLength(2)
          stage.gate(FIRST).cut(how)
          const isFollowed = async (): Promise<boolean> => {
            const held = await holdersOf(url)
            return held.length === 2 && !held.some(isFirst)
          }
          await until(isFollowed)
          expect(stage.gate(FIRST).met(), 'requests that met the cut').toBeGreaterThan(0)
          const before = endsTold(stage)
          await until(() => endsTold(stage) >= before + 5)
          expect(await isFollowed(), 'others hold both accounts').toBe(true)
          stage.gate(FIRST).cut(null)
        },
      )
      expect(faults).toEqual([])
    },
  )
})
