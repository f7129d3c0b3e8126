import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createClock, type ProcessClock } from '../../src/core/clock.ts'
import type { Delivery, RecordedAttempt } from '../../src/core/ports.ts'
import { temporaryFolder } from '../fakes/gateway.ts'
import { startReceiver, type Received, type Receiver } from '../fakes/receiver.ts'
import { until } from '../fakes/until.ts'
import { sqliteStage, type SqliteStage } from '../webhooks/sqlite-stage.ts'

export interface SenderSetup {
  folder: string
  killAt: number
}

/** How much faster than life: the gaps of the schedule take part in it. */
const SPEED = 100
const DEADLINE_MS = 60_000

/** Time of all processes of a run is the same: it goes on while nobody lives. */
export const fastClock = (): ProcessClock =>
  createClock({
    wall: () => Date.now() * SPEED,
    monotonic: () => performance.now() * SPEED,
    setTimer(ms, run) {
      const timer = setTimeout(run, ms / SPEED)
      return () => clearTimeout(timer)
    },
  })

export const VIDEOS = ['a', 'b'] as const
const EVENTS = 2

const deliveriesIn = async ({ store }: SqliteStage): Promise<Delivery[]> =>
  (await Promise.all(VIDEOS.map((id) => store.deliveriesOf(id)))).flat()

/** Sends until nothing is pending. */
export const allSent = async (stage: SqliteStage): Promise<void> => {
  stage.sender.start()
  await until(async () => (await deliveriesIn(stage)).every(({ status }) => status !== 'pending'), DEADLINE_MS)
}

export interface SentDelivery {
  delivery: Delivery
  attempts: RecordedAttempt[]
  /** Every request that arrived with its event's id, and how each was answered. */
  requests: Received[]
  answers: number[]
}
export interface SenderRun {
  /** How many processes died. */
  deaths: number
  /** What the first passed; null: it died. */
  boundaries: string[] | null
  sent: SentDelivery[]
  /** Ids in the order of their arrival. */
  order: string[]
}

const seed = async (folder: string, url: string): Promise<void> => {
  const stage = await sqliteStage({ folder, clock: fastClock() })
  for (const video of VIDEOS) await stage.owe({ video, client: 'acme', url: `${url}/${video}`, events: EVENTS })
  await stage.close()
}

/** Every first request of an id is refused: each delivery is sent twice when nobody dies. */
const refuseFirst = (receiver: Receiver, answers: Map<string, number[]>): void =>
  receiver.respond(({ headers }) => {
    const id = String(headers['webhook-id'])
    const own = answers.get(id) ?? []
    const status = own.length === 0 ? 500 : 204
    answers.set(id, [...own, status])
    return { kind: 'answer', status }
  })

const live = async (setup: SenderSetup): Promise<string[] | null> => {
  const child = fork(new URL('./sender-victim.ts', import.meta.url), [JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let passed: string[] | null = null
  child.on('message', (message) => (passed = message as string[]))
  await once(child, 'exit')
  if (child.signalCode !== 'SIGKILL' && passed === null)
    throw new Error(`the sender ended by itself: ${child.exitCode}`)
  return passed
}

/** Deliveries through a sender whose processes die one after the other, each at its boundary, and through one after them. */
export const senderRun = async (...killAts: number[]): Promise<SenderRun> => {
  const folder = await temporaryFolder()
  const receiver = await startReceiver()
  const answers = new Map<string, number[]>()
  refuseFirst(receiver, answers)
  try {
    await seed(folder, receiver.url)
    const lives: (string[] | null)[] = []
    for (const killAt of killAts) lives.push(await live({ folder, killAt }))
    const stage = await sqliteStage({ folder, clock: fastClock() })
    try {
      await allSent(stage)
      const idOf = ({ headers }: Received): string => String(headers['webhook-id'])
      const sent = (await deliveriesIn(stage)).map(async (delivery) => ({
        delivery,
        attempts: await stage.store.attempts(delivery.id),
        requests: receiver.requests.filter((request) => idOf(request) === delivery.event.id),
        answers: answers.get(delivery.event.id) ?? [],
      }))
      return {
        deaths: lives.filter((passed) => passed === null).length,
        boundaries: lives[0] ?? null,
        sent: await Promise.all(sent),
        order: receiver.requests.map(idOf),
      }
    } finally {
      await stage.close()
    }
  } finally {
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
}
