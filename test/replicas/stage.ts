import { appendFileSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox, type Sandbox } from '@talkbridge/sandbox'
import { must } from '../fakes/must.ts'
import { temporaryFolder, temporaryFolderOnDisk } from '../fakes/folder.ts'
import { startReceiver, type Receiver } from '../fakes/receiver.ts'
import { startBalancer, type Balancer } from './balancer.ts'
import { startGate, type Gate } from './gate.ts'
import { startReplica, type Replica } from './replica.ts'

export const CLIENT_KEY = 'tb_replicas_0123456789abcdef'
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

/** What of the configuration says where the truth is, and who wakes. */
export interface StoreSections {
  store: Readonly<Record<string, unknown>>
  redis?: Readonly<Record<string, unknown>>
}

export interface StageOptions {
  /** `folder`: the stage's own. */
  store: (folder: string) => StoreSections
  replicas: number
  /** How much faster than life the backends are. From 60 on a minute of requests is a second. */
  speed?: number
  /** Of the backends' durations. */
  seed?: number
  /** Of the alternate account, which has no limit of its own. */
  slots?: number
  /** Each replica reaches the backends through a gate of its own. */
  gates?: boolean
  /** So many accounts of the primary interface are a pool, each behind a gate of its own. */
  members?: number
  /** How long a replica waits for an answer of a backend; default 5 s. */
  timeout?: string
}

export const PRIMARY_SLOTS = 2
export const ALTERNATE_SLOTS = 6

export interface Stage {
  readonly sandbox: Sandbox
  readonly receiver: Receiver
  readonly balancer: Balancer
  /** Those that run, or were killed and not started again. */
  replica(index: number): Replica
  readonly count: number
  /** The place of the replica that named itself so. */
  placeOf(holder: string): number
  /** Of the replica of this place, or of the member. */
  gate(index: number): Gate
  /** Starts the replica of this place anew; the balancer asks it from then on. */
  start(index: number): Promise<void>
  /** -9. */
  kill(index: number): Promise<void>
  /** SIGTERM; answers its exit code. */
  stop(index: number): Promise<number | null>
  /** Replicas that ended although nobody ended them, in words. */
  surprises(): readonly string[]
}

/** A key of an account of its own, with a window and slots of its own. */
const issueKey = async ({ primaryUrl }: Sandbox, account: string): Promise<string> => {
  const response = await fetch(`${primaryUrl}/sandbox/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ interface: 'primary', account }),
  })
  return z.object({ key: z.string() }).parse(await response.json()).key
}

interface Member {
  url: string
  key: string
}

const configOf = (
  { gates = false, timeout = '5s', slots = ALTERNATE_SLOTS }: StageOptions,
  stage: { sandbox: Sandbox; publicUrl: string; sections: StoreSections; members: readonly Member[] },
): object => {
  const { sandbox, publicUrl, sections, members } = stage
  const network = { timeout, ...(gates && { proxy: '${GATE}' }) }
  const primary = ({ url, key }: Member): object => ({
    interface: 'primary',
    base_url: url,
    api_key: key,
    slots: PRIMARY_SLOTS,
    requests_per_minute: 10,
    ...network,
  })
  const pool = members.map((member, index) => [`main-${index + 1}`, primary(member)] as const)
  return {
    // A port of its own each: backends call back, and clients ask, at the balancer's.
    server: { port: 0, public_url: publicUrl },
    ...sections,
    backends: {
      ...(pool.length > 0
        ? Object.fromEntries(pool)
        : { main: primary({ url: sandbox.primaryUrl, key: sandbox.primaryKey }) }),
      alt: {
        interface: 'alternate',
        base_url: sandbox.alternateUrl,
        api_key: sandbox.alternateKey,
        slots,
        requests_per_minute: 60,
        ...network,
        // A create whose answer was lost is found in the list, or proved to be in none and sent again.
        exclusive: true,
        resend_when_absent: true,
        absent_after: '10s',
      },
    },
    clients: [
      { id: 'acme', key: CLIENT_KEY, limits: { requests_per_minute: 1_000_000, queued_videos: 10_000, streams: 100 } },
    ],
    routing: { default: 'main', ...(pool.length > 0 && { pools: { main: pool.map(([name]) => name) } }) },
    engine: { poll: { min_interval: '100ms' } },
    webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }], timeout: '5s' },
    log: { level: 'info', format: 'json' },
  }
}

/** Keeps what has to be undone at the end, last first. What failed leaves its logs behind. */
export type AtEnd = (undo: (isFailed: boolean) => Promise<void> | void) => void

/** What a failed run leaves behind: why it failed is in there. */
const keepLogs = (logOf: (index: number) => string, count: number): void => {
  const kept = temporaryFolderOnDisk()
  for (let index = 0; index < count; index += 1)
    if (existsSync(logOf(index))) copyFileSync(logOf(index), join(kept, `replica-${index}.log`))
  process.stderr.write(`the logs of the replicas are in ${kept}\n`)
}

/** The replicas of a stage, each with a folder and a log of its own in `folder`. */
const createReplicas = (folder: string, balancer: Balancer, gates: readonly Gate[]) => {
  const running = new Map<number, Replica>()
  const expected = new WeakSet<Replica>()
  const surprises: string[] = []
  // One that ended is asked no more: the system may give its port to somebody else.
  const balance = (): void =>
    balancer.to([...running.values()].filter((one) => !one.hasEnded()).map(({ port }) => port))
  const logOf = (index: number): string => join(folder, `replica-${index}.log`)
  const replica = (index: number): Replica => {
    const found = running.get(index)
    if (!found) throw new Error(`there is no replica ${index}`)
    return found
  }
  const end = (index: number, signal: NodeJS.Signals): Promise<number | null> => {
    const ending = replica(index)
    expected.add(ending)
    ending.signal(signal)
    return ending.ended
  }
  return {
    replica,
    surprises,
    logOf,
    async start(index: number): Promise<void> {
      const cwd = join(folder, `replica-${index}`)
      mkdirSync(cwd, { recursive: true })
      const env = { TALKBRIDGE_SECRET_KEY: SECRET_KEY, GATE: gates[index]?.url ?? '' }
      const print = (text: string): void => appendFileSync(logOf(index), text)
      const started = await startReplica({ file: join(folder, 'gateway.json'), cwd, env, print })
      running.set(index, started)
      void started.ended.then((code) => {
        balance()
        if (!expected.has(started)) surprises.push(`replica ${index} ended by itself, with ${code}`)
      })
      balance()
    },
    kill: (index: number) => end(index, 'SIGKILL').then(() => undefined),
    stop: (index: number) => end(index, 'SIGTERM'),
    async close(): Promise<void> {
      for (const index of running.keys()) await end(index, 'SIGKILL')
    },
  }
}

/** Both backends, a receiver, a balancer and so many replicas between them over one store. */
export const openStage = async (options: StageOptions, atEnd: AtEnd): Promise<Stage> => {
  const { store, replicas: count, speed = 60, seed = 1, members: memberCount = 0 } = options
  const folder = await temporaryFolder()
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const sandbox = await startSandbox({ clock: createSystemClock(), speed, seed, unlimitedCredits: true })
  atEnd(() => sandbox.close())
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  const balancer = await startBalancer()
  atEnd(() => balancer.close())
  const gates: Gate[] = []
  for (let index = 0; options.gates && index < count; index += 1) gates.push(await startGate())
  const members: Member[] = []
  for (let index = 0; index < memberCount; index += 1) {
    const gate = await startGate(Number(new URL(sandbox.primaryUrl).port))
    gates.push(gate)
    members.push({ url: gate.url, key: await issueKey(sandbox, `account-${index + 1}`) })
  }
  atEnd(() => Promise.all(gates.map((gate) => gate.close())).then(() => undefined))
  const replicas = createReplicas(folder, balancer, gates)
  atEnd(() => replicas.close())
  atEnd((isFailed) => {
    if (isFailed) keepLogs(replicas.logOf, count)
  })
  const config = configOf(options, { sandbox, publicUrl: balancer.url, sections: store(folder), members })
  writeFileSync(join(folder, 'gateway.json'), JSON.stringify(config))
  // One after the other: the first makes the tables.
  for (let index = 0; index < count; index += 1) await replicas.start(index)
  const { replica, start, kill, stop, surprises } = replicas
  const gate = (index: number): Gate => must(gates[index])
  const placeOf = (holder: string): number =>
    Array.from({ length: count }, (_, index) => index).findIndex((at) => holder.includes(`-${replica(at).pid}-`))
  return { sandbox, receiver, balancer, count, replica, placeOf, gate, start, kill, stop, surprises: () => surprises }
}
