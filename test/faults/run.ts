import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { request } from 'undici'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from '../../src/cli/profile.ts'
import { systemClock } from '../../src/core/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { startSandbox, type LedgerView } from '../../src/sandbox/index.ts'
import { startReceiver } from '../fakes/receiver.ts'
import { until } from '../fakes/until.ts'
import type { FromVictim, ToVictim, VictimSetup } from './protocol.ts'

export interface CrashRun {
  /** False: it lived through the whole job and stopped cleanly. */
  killed: boolean
  /** Boundaries that a run that was not killed passed. */
  boundaries: number
  /** Whether the client had its answer before the process died. */
  toldBefore: boolean
  status: string
  errorCode: string | null
  /** One id for each webhook that arrived. */
  webhookIds: string[]
  webhookTypes: string[]
  /** What its history says of a doubt, in order. */
  doubts: string[]
  ledger: LedgerView
}

const DEADLINE_MS = 40_000
/** Jobs of the alternate end late enough for the gateway to be back when the callback comes. */
const SPEED = { main: 100, alt: 25 } as const
/** No evidence by then, and the create is unknown: longer than any job of this speed takes, and its callback. */
const RESEND_WINDOW = '5s'

interface Answer {
  status: number
  id: string
}

const post = async (url: string, body: object): Promise<Answer> => {
  const response = await request(`${url}/unified/v1/videos`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SANDBOX_CLIENT_KEY}`,
      'content-type': 'application/json',
      'idempotency-key': 'the-one-video',
    },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.body.json()
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? String(answer.id) : ''
  return { status: response.statusCode, id }
}

/** As a client does that had no answer: the same again, while the first is said to be running still. */
const postAgain = async (url: string, body: object): Promise<Answer> => {
  let answer: Answer = { status: 0, id: '' }
  await until(async () => {
    answer = await post(url, body)
    return answer.status !== 409
  }, DEADLINE_MS)
  return answer
}

const heard = (child: ChildProcess, kind: FromVictim['kind']): Promise<FromVictim> =>
  new Promise((resolve, reject) => {
    child.on('message', (message: FromVictim) => message.kind === kind && resolve(message))
    child.once('exit', () => reject(new Error(`the victim died before it was ${kind}`)))
  })

/** Null if it is dead already, or dies of it. */
const closing = async (child: ChildProcess): Promise<FromVictim | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return null
  const closed = heard(child, 'closed').catch(() => null)
  child.send({ kind: 'close' } satisfies ToVictim, () => {})
  return closed
}

/** Runs the victim until it is killed, or until the webhook arrived and it stopped by itself. */
const runVictim = async (
  setup: VictimSetup,
  killAt: number,
  body: object,
  delivered: () => boolean,
  isDoomed: () => boolean,
) => {
  const child = fork(new URL('./victim.ts', import.meta.url), [JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const serving = await heard(child, 'serving')
  if (serving.kind !== 'serving') throw new Error('unreachable')
  child.send({ kind: 'arm', killAt } satisfies ToVictim)
  await heard(child, 'armed')
  const telling = post(serving.url, body).catch(() => null)
  if (killAt === WHEN_TAKEN) {
    await until(isDoomed, DEADLINE_MS)
    child.kill('SIGKILL')
  }
  const told = await telling
  await until(() => child.exitCode !== null || child.signalCode !== null || delivered(), DEADLINE_MS)
  const report = await closing(child)
  await exited
  const killed = child.signalCode === 'SIGKILL'
  if (!killed && !(report?.kind === 'closed' && report.clean))
    throw new Error('the victim neither died nor stopped cleanly')
  return { told, killed, url: serving.url, boundaries: report?.kind === 'closed' ? report.boundaries : 0 }
}

/** In place of a number: when the backend has taken the create and has not answered yet. */
export const WHEN_TAKEN = -1

const withholdAnswers = async (...bases: string[]): Promise<void> => {
  const fault = { operation: '*', kind: 'latency', when: 'after', latency_ms: 600_000 }
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) }
  await Promise.all(bases.map(async (base) => (await request(`${base}/sandbox/faults`, init)).body.dump()))
}

/** One video through a gateway that dies at write boundary `killAt`, and through the one that is started after it. */
export const crashRun = async (
  backend: 'main' | 'alt',
  killAt: number,
  spoken: { text: string } | { audio_url: string } = { text: 'Hello.' },
): Promise<CrashRun> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-crash-'))
  const sandbox = await startSandbox({ clock: systemClock, speed: SPEED[backend], unlimitedRate: true, seed: killAt })
  const receiver = await startReceiver()
  const { primaryUrl, primaryKey, alternateUrl, alternateKey } = sandbox
  const env = { TALKBRIDGE_ENGINE__RESEND_WINDOW: RESEND_WINDOW }
  const setup: VictimSetup = { primaryUrl, primaryKey, alternateUrl, alternateKey, dataDir, env }
  const portrait = backend === 'main' ? { image_url: 'https://example.com/anna.png' } : { puppet_id: 'alt:pup_ada' }
  const body = { ...portrait, ...spoken, webhook_url: `${receiver.url}/hook` }
  const delivered = (): boolean => receiver.requests.length > 0
  const isTaken = (): boolean => sandbox.ledger().jobs.length > 0
  try {
    if (killAt === WHEN_TAKEN) await withholdAnswers(primaryUrl, alternateUrl)
    const { told, killed, url, boundaries } = await runVictim(setup, killAt, body, delivered, isTaken)
    const gateway = await startGateway({
      // Where the dead one listened: that is where callbacks go.
      config: sandboxConfig({ ...setup, port: Number(new URL(url).port), logLevel: 'silent' }, setup.env),
      clock: systemClock,
      log: pino({ level: 'silent' }),
      secretKey: null,
      random: Math.random,
      backendsAreLocal: true,
    })
    try {
      // A client that had no answer asks again with the same key; one that had is known.
      const { id } = told ?? (await postAgain(gateway.url, body))
      const { store } = gateway.deps
      await until(async () => {
        const deliveries = await store.deliveriesOf(id)
        return deliveries.length > 0 && deliveries.every(({ status }) => status === 'delivered')
      }, DEADLINE_MS)
      const video = await store.video(id)
      return {
        killed,
        boundaries,
        toldBefore: told !== null,
        status: video?.status ?? 'gone',
        errorCode: video?.error?.code ?? null,
        webhookIds: [...new Set(receiver.requests.map(({ headers }) => String(headers['webhook-id'])))],
        webhookTypes: [
          ...new Set(receiver.requests.map(({ body: sent }) => String(/"type":"([^"]+)"/.exec(sent)?.[1]))),
        ],
        doubts: (await store.timeline(id)).flatMap(({ type, detail }) => (type === 'doubt' ? (detail ?? '') : [])),
        ledger: sandbox.ledger(),
      }
    } finally {
      await gateway.close()
    }
  } finally {
    await receiver.close()
    await sandbox.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
