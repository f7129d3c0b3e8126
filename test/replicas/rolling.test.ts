import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { skippedWithout } from '../fakes/servers.ts'
import { bearer, reasonOf, startCrowd } from './crowd.ts'
import { sharedServers } from './own.ts'
import { mixed, settled } from './run.ts'

import type { Stage } from './stage.ts'
import { replicaStage } from './test-stage.ts'

const REPLICAS = 3
const ORDERS = 120
const LIMIT_MS = 420_000

/** Reads, without a pause, what was accepted; tells of every answer that is not 200 and of every one that broke. */
const startReaders = (stage: Stage, ids: () => readonly string[], count: number, signal: AbortSignal) => {
  const errors: string[] = []
  let answers = 0
  const reader = async (own: number): Promise<void> => {
    for (let n = own; !signal.aborted; n += 1) {
      const all = ids()
      const path = all.length === 0 ? '/voices' : `/videos/${all[n % all.length]}`
      try {
        const response = await fetch(`${stage.balancer.url}/unified/v1${path}`, { headers: bearer })
        const text = await response.text()
        answers += 1
        if (response.status !== 200) errors.push(`GET ${path} was answered ${response.status}: ${text}`)
      } catch (error) {
        errors.push(`GET ${path} broke: ${reasonOf(error)}`)
      }
      await sleep(20)
    }
  }
  const done = Promise.all(Array.from({ length: count }, (_, own) => reader(own)))
  return { errors, answers: () => answers, done }
}

describe.skipIf(await skippedWithout(['postgres', 'redis']))('a rolling restart', () => {
  test(
    'no client sees an error: the balancer has only refused connections to pass on',
    { timeout: LIMIT_MS },
    async () => {
      const { store } = await sharedServers()
      const stage = await replicaStage({ replicas: REPLICAS, store })
      const leaving = new AbortController()
      const crowd = startCrowd(stage, {
        orders: ORDERS,
        backendOf: mixed,
        atOnce: 6,
        pauseMs: 500,
        signal: leaving.signal,
        patient: false,
      })
      const readers = startReaders(stage, () => [...crowd.accepted.values()], 4, leaving.signal)
      try {
        const codes: (number | null)[] = []
        for (let index = 0; index < REPLICAS; index += 1) {
          await sleep(1_000)
          codes.push(await stage.stop(index))
          await stage.start(index)
        }
        await crowd.done
        const { faults, doubled } = await settled(stage, crowd, ORDERS)
        const { errors } = readers
        expect({ codes, faults, broken: stage.balancer.broken(), errors, doubled }).toEqual({
          codes: codes.map(() => 0),
          faults: [],
          broken: [],
          errors: [],
          doubled: 0,
        })
        expect(readers.answers()).toBeGreaterThan(100)
      } finally {
        leaving.abort()
        await Promise.all([crowd.done, readers.done])
      }
    },
  )
})
