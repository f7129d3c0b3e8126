import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { OwnServer } from '../../test/fakes/daemon.ts'
import { until } from '../../test/fakes/until.ts'
import { bearer } from '../../test/replicas/crowd.ts'
import type { Stage } from '../../test/replicas/stage.ts'
import type { SilentProxy } from '../../test/stores/silent-proxy.ts'

/** When something was away, by this machine's clock. */
export interface Outage {
  fromMs: number
  backMs: number
  /** Until another replica held the accounts; null: nobody had to. */
  takenOverMs: number | null
}

export interface Servers {
  stage: Stage
  postgres: OwnServer
  /** The replicas' way to it. */
  way: SilentProxy
  redis: OwnServer
}

export interface Times {
  /** Before an outage, and after it. */
  besideMs: number
  redisMs: number
  postgresMs: number
  /** Longer than the lease of an account, 45 s. */
  stallMs: number
}

export type Blow = (servers: Servers, times: Times) => Promise<Outage | null>

const POLL_MS = 100

const Holders = z.object({ data: z.array(z.object({ name: z.string(), held_by: z.string().nullable() })) })

/** The process that holds each account's pump, as the replica of this place knows it; `held_by` is host-pid-random. */
const holders = async (stage: Stage, index: number): Promise<Map<string, number>> => {
  const url = `http://127.0.0.1:${stage.replica(index).port}/unified/v1/backends`
  const { data } = Holders.parse(await (await fetch(url, { headers: bearer })).json())
  return new Map(data.map(({ name, held_by: by }) => [name, Number(by?.split('-').at(-2) ?? 0)]))
}

/** The place of the replica that holds an account, and of another. */
const parties = async (stage: Stage): Promise<{ victim: number; other: number }> => {
  let victim = -1
  await until(async () => {
    const pids = [...(await holders(stage, 0)).values()]
    victim = Array.from({ length: stage.count }, (_, at) => at).findIndex((at) => pids[0] === stage.replica(at).pid)
    return victim >= 0
  })
  return { victim, other: (victim + 1) % stage.count }
}

/** Until the other replica says that none of the accounts is the victim's, and each is somebody's. */
const takenOver = async (stage: Stage, other: number, pid: number): Promise<number> => {
  const sinceMs = performance.now()
  await until(async () => {
    await sleep(POLL_MS)
    return [...(await holders(stage, other)).values()].every((holder) => holder !== pid && holder !== 0)
  })
  return performance.now() - sinceMs
}

const stopped = async (server: OwnServer, awayMs: number): Promise<Outage> => {
  const fromMs = Date.now()
  await server.stop('kill')
  await sleep(awayMs)
  await server.start()
  return { fromMs, backMs: Date.now(), takenOverMs: null }
}

const beside =
  (blow: Blow): Blow =>
  async (servers, times) => {
    await sleep(times.besideMs / 2)
    const outage = await blow(servers, times)
    await sleep(times.besideMs)
    return outage
  }

export const CALM = 'calm'

/** In this order: the first is what the others are read beside. */
export const PHASES: Readonly<Record<string, Blow>> = {
  [CALM]: async (_, { besideMs }) => {
    await sleep(besideMs * 2)
    return null
  },
  'Redis stopped': beside(({ redis }, { redisMs }) => stopped(redis, redisMs)),
  'PostgreSQL restarted': beside(({ postgres }, { postgresMs }) => stopped(postgres, postgresMs)),
  'database silent': beside(async ({ way }) => {
    const before = way.asked()
    way.silence()
    await until(() => way.asked() > before)
    return null
  }),
  'replica cut off': beside(async ({ stage }, { besideMs }) => {
    const { victim, other } = await parties(stage)
    const gate = stage.gate(victim)
    const fromMs = Date.now()
    gate.cut('swallow')
    const takenOverMs = await takenOver(stage, other, stage.replica(victim).pid)
    await sleep(besideMs)
    if (gate.met() === 0) throw new Error('nothing met the cut')
    gate.cut(null)
    return { fromMs, backMs: Date.now(), takenOverMs }
  }),
  'replica stalled': beside(async ({ stage }, { stallMs }) => {
    const { victim, other } = await parties(stage)
    const replica = stage.replica(victim)
    const fromMs = Date.now()
    replica.signal('SIGSTOP')
    try {
      const [takenOverMs] = await Promise.all([takenOver(stage, other, replica.pid), sleep(stallMs)])
      return { fromMs, backMs: Date.now(), takenOverMs }
    } finally {
      replica.signal('SIGCONT')
    }
  }),
  'replica killed': beside(async ({ stage }) => {
    const { victim, other } = await parties(stage)
    const { pid } = stage.replica(victim)
    const fromMs = Date.now()
    await stage.kill(victim)
    const takenOverMs = await takenOver(stage, other, pid)
    await stage.start(victim)
    return { fromMs, backMs: Date.now(), takenOverMs }
  }),
}
