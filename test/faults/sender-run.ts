import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createClock, type ProcessClock } from '../../src/core/time/clock.ts'
import type { Delivery, RecordedAttempt } from '../../src/core/store/webhooks.ts'
import type { Store } from '../../src/core/store/index.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { startReceiver, type Received } from '../fakes/receiver.ts'
import { sqliteStage } from '../webhooks/sqlite-stage.ts'
import { bundled } from '../fakes/bundled.ts'
import { allDeliveries, SENDER_SCENES, watchReplays, type Life, type SenderSceneName } from './sender-scenes.ts'

/** How much faster than life: the gaps of the schedule take part in it. */
const SPEED = 100

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

export interface SenderSetup {
  scene: SenderSceneName
  folder: string
  killAt: number
  seed: number
  /** Steps that the client had its answer to. */
  done: string[]
}

/** What a process says to whoever runs it; before a step begins, that is on its way whatever happens next. */
export type FromSender =
  | { kind: 'began'; step: string }
  | { kind: 'took'; step: string; answer: string }
  | { kind: 'passed'; boundaries: string[] }

/** One life of the sender, in this process. */
export const liveHere = async (
  { scene, folder, seed, done }: Omit<SenderSetup, 'killAt'>,
  tell: (message: FromSender) => void | Promise<void>,
  wrapStore: (store: Store) => Store = (store) => store,
  onOpen: () => void = () => undefined,
): Promise<void> => {
  const { isReplaying, wrapStore: watched } = watchReplays()
  const stage = await sqliteStage({ folder, clock: fastClock(), seed, wrapStore: (store) => wrapStore(watched(store)) })
  const step: Life['step'] = async (name, take) => {
    if (done.includes(name)) return
    await tell({ kind: 'began', step: name })
    await tell({ kind: 'took', step: name, answer: await take() })
  }
  try {
    onOpen()
    stage.sender.start()
    await SENDER_SCENES[scene].live({ stage, isReplaying, step })
  } finally {
    await stage.close()
  }
}

/** And in one of its own; the boundaries that it passed, null if it died. */
const liveApart = async (setup: SenderSetup, hear: (message: FromSender) => void): Promise<string[] | null> => {
  const child = fork(bundled('test/faults/sender-victim.ts'), [JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let passed: string[] | null = null
  child.on('message', (message: FromSender) => {
    if (message.kind === 'passed') passed = message.boundaries
    else hear(message)
  })
  // Not 'exit', which may come before what it said last.
  await once(child, 'close')
  if (child.signalCode !== 'SIGKILL' && passed === null)
    throw new Error(`the sender ended by itself: ${child.exitCode}`)
  return passed
}

export interface SentDelivery {
  delivery: Delivery
  attempts: RecordedAttempt[]
  /** Every request that arrived at its target with its event's id, and how each was answered. */
  requests: Received[]
  answers: number[]
}
export interface SenderRun {
  /** How many processes died. */
  deaths: number
  /** What the first passed; null: it died. */
  boundaries: string[] | null
  /** The first secret of each endpoint, by path. */
  secrets: Record<string, string>
  /** How often each step of the client was begun. */
  begun: ReadonlyMap<string, number>
  /** What the client was answered. */
  took: ReadonlyMap<string, string>
  sent: SentDelivery[]
  /** `<path> <event id>` in the order of their arrival. */
  order: string[]
}

const nameOf = (url: string, eventId: unknown): string => `${URL.parse(url, 'http://x')?.pathname} ${String(eventId)}`
const nameOfRequest = ({ url, headers }: Received): string => nameOf(url, headers['webhook-id'])

/** The receiver of a run, and what it answered, by name of the delivery. */
const startAnswering = async (scene: SenderSceneName) => {
  const receiver = await startReceiver()
  const answers = new Map<string, number[]>()
  const decide = SENDER_SCENES[scene].receiver()
  receiver.respond((request) => {
    const own = answers.get(nameOfRequest(request)) ?? []
    const behaviour = decide(request, own.length)
    if (behaviour.kind === 'answer') answers.set(nameOfRequest(request), [...own, behaviour.status])
    return behaviour
  })
  return { receiver, answers }
}

/** A scene through processes of the sender that die one after the other, each at its boundary, and through one after them. */
export const senderRun = async (scene: SenderSceneName, ...killAts: number[]): Promise<SenderRun> => {
  const folder = await temporaryFolder()
  const { receiver, answers } = await startAnswering(scene)
  const begun = new Map<string, number>()
  const took = new Map<string, string>()
  const hear = (message: FromSender): void => {
    if (message.kind === 'began') begun.set(message.step, (begun.get(message.step) ?? 0) + 1)
    if (message.kind === 'took') took.set(message.step, message.answer)
  }
  try {
    const first = await sqliteStage({ folder, clock: fastClock() })
    const secrets = await SENDER_SCENES[scene].seed(first, receiver.url)
    await first.close()
    const lives: (string[] | null)[] = []
    const setup = () => ({ scene, folder, seed: 2 + lives.length, done: [...took.keys()] })
    for (const killAt of killAts) lives.push(await liveApart({ ...setup(), killAt }, hear))
    await liveHere(setup(), hear)
    const stage = await sqliteStage({ folder, clock: fastClock() })
    try {
      const sent = (await allDeliveries(stage)).map(async (delivery) => {
        const name = nameOf(delivery.target.url, delivery.event.id)
        return {
          delivery,
          attempts: await stage.store.attempts(delivery.id),
          requests: receiver.requests.filter((request) => nameOfRequest(request) === name),
          answers: answers.get(name) ?? [],
        }
      })
      return {
        deaths: lives.filter((passed) => passed === null).length,
        boundaries: lives[0] ?? null,
        secrets,
        begun,
        took,
        sent: await Promise.all(sent),
        order: receiver.requests.map(nameOfRequest),
      }
    } finally {
      await stage.close()
    }
  } finally {
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
}
