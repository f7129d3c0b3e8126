import { describe, expect, test } from 'vitest'
import { seededRandom } from '../fakes/random.ts'
import { expectInjected, postFault } from '../fakes/sandbox-faults.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { between, type Blow, cutMember, killOne, strike } from './blows.ts'
import { read } from './crowd.ts'
import { sharedServers } from './own.ts'
import type { Backend } from './promises.ts'
import { runCrowd } from './run.ts'
import type { Stage } from './stage.ts'
import { replicaStage } from './test-stage.ts'

const SEED = 11
const ORDERS = 120
const MEMBERS = 3
const LIMIT_MS = 480_000
const CREATE = 'createVideoFromText'

/** What a member answers to a create: a refusal, or nothing that says whether there is a job. */
const REFUSALS = [
  { kind: 'status', status: 503 },
  { kind: 'status', status: 503, body: 'none', when: 'after' },
  { kind: 'html', status: 502 },
  { kind: 'reset' },
  { kind: 'reset', when: 'after' },
] as const

/** The next creates are refused, whichever members they go to. Answers how many were since the last time. */
const refuse = ({ sandbox }: Stage, random: () => number): Blow => ({
  kind: 'refuse',
  async fall() {
    const count = between(random, 3, 8)
    for (let n = 0; n < count; n += 1) {
      const fault = REFUSALS[between(random, 0, REFUSALS.length)]
      await postFault(sandbox.primaryUrl, { ...fault, operation: CREATE })
    }
    return count
  },
})

describe.skipIf(await skippedWithout(['postgres', 'redis']))('a pool of three accounts behind two gateways', () => {
  test(
    'members refuse and die, gateways are killed: one paid job for each video, no 429, no slot too many, all told',
    { timeout: LIMIT_MS },
    async () => {
      const random = seededRandom(SEED)
      const { store } = await sharedServers()
      // Slower than the orders come, so that videos wait.
      const stage = await replicaStage({
        replicas: 2,
        store,
        seed: SEED,
        speed: 12,
        members: MEMBERS,
      })
      const [kill, cut, refusals] = [killOne(stage, random), cutMember(stage, MEMBERS, random), refuse(stage, random)]
      const orders = { orders: ORDERS, backendOf: (): Backend => 'primary', atOnce: 6, pauseMs: 1_500 }
      const accepted: string[] = []
      const { faults } = await runCrowd(stage, orders, async (crowd) => {
        await strike([refusals, kill, cut, refusals, kill, cut, kill, refusals], random)
        await crowd.done
        accepted.push(...crowd.accepted.values())
      })
      expect(faults).toEqual([])
      await expectInjected(stage.sandbox.primaryUrl)
      const { jobs, requests } = stage.sandbox.ledger()
      expect(new Set(jobs.map(({ account }) => account)).size).toBe(MEMBERS)
      const hit = requests.filter(({ fault }) => fault !== null)
      const videos = await Promise.all(accepted.map((id) => read(stage, id)))
      const moved = videos.filter(({ routing }) => routing.considered.some(({ reason }) => reason === 'no room'))
      process.stderr.write(`${hit.length} creates refused or unanswered, ${moved.length} videos taken over\n`)
      expect(moved.length, 'videos that another member took over').toBeGreaterThan(0)
    },
  )
})
