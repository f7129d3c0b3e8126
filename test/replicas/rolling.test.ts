import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { skippedWithout } from '../fakes/servers.ts'
import { bearer, reasonOf, startCrowd } from './crowd.ts'
import { skippedWithoutNginx } from './nginx.ts'
import { sharedServers } from './own.ts'
import { mixed, settled } from './run.ts'

import type { Stage } from './stage.ts'
import { replicaStage } from './test-stage.ts'
import { topology, type Topology } from './topology.ts'

const REPLICAS = 3
const ORDERS = 120
const LIMIT_MS = 420_000

/**
 * Reads what was accepted, or the list before that: nothing that a backend is asked for, whose window may be spent. Tells
 * of every answer that is not 200 and of every one that broke.
 */
const startReaders = (stage: Stage, ids: () => readonly string[], count: number, signal: AbortSignal) => {
  const errors: string[] = []
  let answers = 0
  const reader = async (own: number): Promise<void> => {
    for (let n = own; !signal.aborted; n += 1) {
      const all = ids()
      const path = all.length === 0 ? '/videos' : `/videos/${all[n % all.length]}`
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
    'no client sees an error: the balancer has refused connections to pass on, and hardly any that was reset',
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
        // Hardly any stop meets one: the listener is closed when no connection waits.
        expect(stage.balancer.reset()).toBeLessThanOrEqual(REPLICAS)
      } finally {
        leaving.abort()
        await Promise.all([crowd.done, readers.done])
      }
    },
  )
})

const A_SECOND = 300
/** More are not under way at once: what waits for a slow machine is no burst afterwards. */
const AT_ONCE = 200
const HEADERS = { authorization: 'Bearer tb_sandbox_key_for_local_use', 'content-type': 'application/json' }

/** 300 requests a second, one in a hundred of them a create, until the signal; tells of all that were not answered well. */
const startLoad = ({ url }: Topology, signal: AbortSignal) => {
  const agent = new Agent({ connections: AT_ONCE })
  const failed: string[] = []
  const answered = { reads: 0, creates: 0 }
  const ask = async (n: number): Promise<void> => {
    const isCreate = n % 100 === 0
    const body = JSON.stringify({ puppet_id: 'alt:pup_ada', text: `Number ${n}.` })
    const asked = isCreate
      ? ({ method: 'POST', headers: { ...HEADERS, 'idempotency-key': `rolling-${n}` }, body } as const)
      : ({ method: 'GET', headers: HEADERS } as const)
    const path = isCreate || n % 2 === 0 ? '/videos' : '/voices'
    try {
      const answer = await request(`${url}/unified/v1${path}`, { ...asked, dispatcher: agent })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) failed.push(`${asked.method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`)
      else answered[isCreate ? 'creates' : 'reads'] += 1
    } catch (error) {
      failed.push(`${asked.method} ${path} broke: ${reasonOf(error)}`)
    }
  }
  const run = async (): Promise<void> => {
    const startedMs = performance.now()
    const underWay = new Set<Promise<void>>()
    for (let n = 0; !signal.aborted;) {
      const due = ((performance.now() - startedMs) * A_SECOND) / 1_000
      for (; n < due && underWay.size < AT_ONCE; n += 1) {
        const asking: Promise<void> = ask(n).finally(() => underWay.delete(asking))
        underWay.add(asking)
      }
      await sleep(5)
    }
    await Promise.all(underWay)
    await agent.close()
  }
  return { failed, answered, done: run() }
}

const skipped = skippedWithoutNginx() || (await skippedWithout(['postgres', 'redis']))

describe.skipIf(skipped)('a rolling restart behind nginx, as compose.yaml has it', () => {
  test('loses none of 300 requests a second', { timeout: LIMIT_MS }, async () => {
    const gateways = await topology({
      // As the image has it.
      TALKBRIDGE_SERVER__SHUTDOWN_DELAY: '5s',
      TALKBRIDGE_CLIENTS__0__LIMITS__REQUESTS_PER_MINUTE: '1000000',
      TALKBRIDGE_CLIENTS__0__LIMITS__QUEUED_VIDEOS: '10000',
    })
    const enough = new AbortController()
    const load = startLoad(gateways, enough.signal)
    try {
      const codes: (number | null)[] = []
      for (const index of [0, 1]) codes.push(await gateways.restart(index))
      expect(codes).toEqual([0, 0])
    } finally {
      enough.abort()
      await load.done
    }
    expect({ failed: load.failed.length, first: load.failed.slice(0, 3) }).toEqual({ failed: 0, first: [] })
    expect(load.answered.reads).toBeGreaterThan(1_000)
    expect(load.answered.creates).toBeGreaterThan(10)
  })
})
