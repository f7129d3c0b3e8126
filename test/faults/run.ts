import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { request } from 'undici'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from '../../src/cli/config-file.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { STANDARD, startSandbox, type LedgerView, type Sandbox } from '@talkbridge/sandbox'
import { must } from '../fakes/must.ts'
import { seededRandom } from '../fakes/random.ts'
import { startReceiver, type Receiver } from '../fakes/receiver.ts'
import { expectInjected, postFault } from '../fakes/sandbox-faults.ts'
import { HANG_MS, until } from '../fakes/until.ts'
import { startFront, type Front } from './front.ts'
import { startVictim } from './process.ts'
import type { VictimSetup } from './protocol.ts'

/** One way of running videos through one slot: the second waits, and is admitted when the first has ended. */
export interface Scenario {
  /** How much faster than life. */
  speed: number
  env: Record<string, string>
  /** Whether the backend may call back. */
  isCalledBack: boolean
  /** How many videos, one after the other. */
  videos: number
  /** What is asked for. */
  body: Record<string, string>
}

export interface CrashedVideo {
  id: string
  jobId: string | null
  status: string
  errorCode: string | null
  /** One id for each event that arrived about it, and what they were. */
  webhooks: { id: string; type: string }[]
  /** What its history says of a doubt, in order. */
  doubts: string[]
}

export interface CrashRun {
  /** How many of its processes were killed. */
  deaths: number
  /** The boundaries that the first process passed; null: it was killed. */
  boundaries: string[] | null
  /** How many clients had their answer from the first process. */
  toldBefore: number
  videos: CrashedVideo[]
  ledger: LedgerView
}

/** In place of a number: when the backend has taken the first create and has not answered yet. */
export const WHEN_TAKEN = -1
/** In place of a number: not at all. */
export const NEVER = 0

const json = (body: object) => ({
  method: 'POST' as const,
  headers: { authorization: `Bearer ${SANDBOX_CLIENT_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

interface Stage {
  scenario: Scenario
  sandbox: Sandbox
  receiver: Receiver
  front: Front
  setup: VictimSetup
  /** Ids of the videos whose clients were answered. */
  told: Map<number, string>
}

/** Who had no answer asks again with the same key, one client after the other, until the gateway dies. */
const askFor = async ({ scenario, receiver, told }: Stage, gateway: string): Promise<void> => {
  for (let n = 0; n < scenario.videos; n += 1) {
    if (told.has(n)) continue
    const init = json({ ...scenario.body, webhook_url: `${receiver.url}/hook` })
    const headers = { ...init.headers, 'idempotency-key': `order-${n}` }
    // The first of the key may be said to be running still.
    await until(async () => {
      const response = await request(`${gateway}/unified/v1/videos`, { ...init, headers })
      const answer: unknown = await response.body.json()
      if (response.statusCode === 409) return false
      if (typeof answer !== 'object' || answer === null || !('id' in answer)) {
        throw new Error(`a create was answered ${response.statusCode}: ${JSON.stringify(answer)}`)
      }
      told.set(n, String(answer.id))
      return true
    })
  }
}

const webhooksOf = ({ receiver }: Stage, id: string): CrashedVideo['webhooks'] => {
  const sent = receiver.requests
    .filter(({ body }) => body.includes(`"id":"${id}"`))
    .map(({ headers, body }) => ({
      id: String(headers['webhook-id']),
      type: String(/"type":"([^"]+)"/.exec(body)?.[1]),
    }))
  return [...new Map(sent.map((one) => [JSON.stringify(one), one])).values()]
}

const allArrived = (stage: Stage): boolean =>
  stage.told.size === stage.scenario.videos && [...stage.told.values()].every((id) => webhooksOf(stage, id).length > 0)

/** One process of the gateway, until it dies or all webhooks have arrived. The first counts from the first create on. */
const live = async (stage: Stage, killAt: number, isFirst: boolean): Promise<string[] | null> => {
  const { setup, front, sandbox } = stage
  const victim = await startVictim({ ...setup, killAt: isFirst ? null : killAt })
  try {
    const url = await victim.serving
    if (url !== null) {
      if (isFirst) await victim.arm(killAt)
      front.to(url)
      const asking = askFor(stage, url).catch(() => undefined)
      if (killAt === WHEN_TAKEN) {
        await until(() => sandbox.ledger().jobs.length > 0)
        await expectInjected(sandbox.primaryUrl)
        victim.kill()
      }
      await asking
      await until(() => victim.isDead() || allArrived(stage))
      front.to(null)
    }
    return await victim.end()
  } finally {
    victim.kill()
  }
}

const read = async (stage: Stage): Promise<CrashedVideo[]> => {
  const gateway = await startGateway({
    config: sandboxConfig({ ...stage.setup, port: 0, logLevel: 'silent' }, stage.setup.env),
    clock: createSystemClock(),
    log: pino({ level: 'silent' }),
    secretKey: null,
    random: seededRandom(stage.setup.seed + 1),
    silentTimeoutMs: 0,
  })
  try {
    stage.front.to(gateway.url)
    await askFor(stage, gateway.url)
    const { store } = gateway.deps
    const ids = Array.from({ length: stage.scenario.videos }, (_, n) => must(stage.told.get(n)))
    await until(async () => {
      const deliveries = await Promise.all(ids.map((id) => store.deliveriesOf(id)))
      return deliveries.every((own) => own.length > 0 && own.every(({ status }) => status === 'delivered'))
    })
    return await Promise.all(
      ids.map(async (id) => {
        const video = must(await store.video(id))
        const doubts = (await store.timeline(id)).flatMap(({ type, detail }) =>
          type === 'doubt' ? (detail ?? '') : [],
        )
        const { status, backendJobId: jobId, error } = video
        return { id, jobId, status, errorCode: error?.code ?? null, webhooks: webhooksOf(stage, id), doubts }
      }),
    )
  } finally {
    stage.front.to(null)
    await gateway.close()
  }
}

/**
 * Every callback is answered by some process: it waits until one serves, however long a start takes on a busy machine,
 * and each process that dies may break off one try.
 */
const untilTaken = (deaths: number) => ({ callbackTimeoutMs: HANG_MS, callbackTries: deaths + 1 })

/**
 * Videos through a gateway whose processes die one after the other, each at its write boundary of `killAts`, and
 * through the one that is started after them.
 */
export const crashRun = async (scenario: Scenario, ...killAts: number[]): Promise<CrashRun> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-crash-'))
  const seed = killAts.reduce((mixed, killAt) => mixed * 1_000 + killAt + 2, 1)
  const { speed } = scenario
  const decisions = { ...STANDARD, alternate: { ...STANDARD.alternate, ...untilTaken(killAts.length) } }
  const sandbox = await startSandbox({ clock: createSystemClock(), speed, unlimitedRate: true, seed, decisions })
  const receiver = await startReceiver()
  const front = await startFront()
  const { primaryUrl, primaryKey, alternateUrl, alternateKey } = sandbox
  const callbacks = scenario.isCalledBack ? { TALKBRIDGE_SERVER__PUBLIC_URL: front.url } : {}
  const env = { ...scenario.env, ...callbacks }
  const setup = { primaryUrl, primaryKey, alternateUrl, alternateKey, dataDir, env, seed, killAt: null }
  const stage: Stage = { scenario, sandbox, receiver, front, setup, told: new Map() }
  try {
    if (killAts[0] === WHEN_TAKEN) {
      const operation = 'puppet_id' in scenario.body ? 'createVideo' : 'createVideoFromText'
      const base = operation === 'createVideo' ? alternateUrl : primaryUrl
      await postFault(base, { operation, kind: 'latency', when: 'after', latency_ms: 600_000 })
    }
    const lives: (string[] | null)[] = []
    let toldBefore = 0
    for (const killAt of killAts) {
      lives.push(await live(stage, killAt, lives.length === 0))
      if (lives.length === 1) toldBefore = stage.told.size
    }
    const videos = await read(stage)
    const deaths = lives.filter((passed) => passed === null).length
    return { deaths, boundaries: lives[0] ?? null, toldBefore, videos, ledger: sandbox.ledger() }
  } finally {
    await front.close()
    await receiver.close()
    await sandbox.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
