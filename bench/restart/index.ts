import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { KEY, startGateway, type Gateway, type Upstream } from '../many-jobs/gateway.ts'
import { installed, type Installed } from '../many-jobs/installed.ts'
import { countedWithPoll, openUpstream, type OpenUpstream } from '../many-jobs/open-upstream.ts'
import { idOf, seed } from '../many-jobs/seed.ts'
import { median, shownRow, type Result, type Row } from '../report.ts'

export interface Size {
  open: number
  /** Requests of a window, and its length: a few of them are watched after each start. */
  limit: number
  windowMs: number
  rounds: number
  /** How long it runs before it is killed, and how long after it serves again. */
  runMs: number
}
export const FULL: Size = { open: 100_000, limit: 600, windowMs: 5_000, rounds: 5, runMs: 12_000 }

const MOST_START_MS = 2_000

/** One start after a `kill -9`. */
export interface Start {
  /** From the start of the process until `/readyz` answered 200 and a client's read was answered. */
  servingMs: number
  /** CPU of the whole process until then. */
  cpuMs: number
  /** From there to the first poll that the upstream saw after the start; null: there was none. */
  resumedMs: number | null
  /** Since the process before was started: its windows and this one's. */
  fullest: number
  refused: number
  polls: number
}

/** Pure. `limit`: the requests that a window allows. */
export const rowsOf = (full: readonly Start[], empty: readonly Start[], limit: number): Row[] => {
  const cpuMs = (of: readonly Start[]): number => median(of.map((start) => start.cpuMs))
  const servingMs = (of: readonly Start[]): number => median(of.map((start) => start.servingMs))
  const fullest = Math.max(...full.map((start) => start.fullest))
  const refused = full.reduce((sum, start) => sum + start.refused, 0)
  const polls = Math.min(...full.map((start) => start.polls))
  const resumed = full.map(({ resumedMs }) => resumedMs ?? Infinity)
  return [
    {
      what: 'serving, CPU of the whole process',
      goal: `< ${MOST_START_MS / 1_000} s`,
      measured: `${(cpuMs(full) / 1_000).toFixed(2)} s; with an empty store ${(cpuMs(empty) / 1_000).toFixed(2)} s`,
      optimum: null,
      met: cpuMs(full) < MOST_START_MS,
    },
    shownRow(
      'serving, on the clock of this machine as it was',
      `${(servingMs(full) / 1_000).toFixed(2)} s; with an empty store ${(servingMs(empty) / 1_000).toFixed(2)} s`,
    ),
    {
      what: 'requests of the fullest window, over the restart',
      goal: `≤ ${limit}, none refused`,
      measured: `${fullest}, ${refused} refused`,
      optimum: null,
      met: fullest <= limit && refused === 0,
    },
    {
      what: 'polls after the restart',
      goal: '> 0 in each round',
      measured: `at least ${polls}; the first ${(median(resumed) / 1_000).toFixed(1)} s after it served`,
      optimum: null,
      met: polls > 0,
    },
  ]
}

interface Scene {
  start(): Promise<{ gateway: Gateway; servingMs: number; servingAtMs: number; cpuMs: number }>
  backend: OpenUpstream
  /** What came after a restart: an empty store has nothing to poll. */
  resumed: OpenUpstream['count']
  close(): Promise<void>
}

const readOne = async ({ url }: Gateway): Promise<void> => {
  const { statusCode, body } = await request(`${url}/unified/v1/videos/${idOf(0)}`, {
    headers: { authorization: `Bearer ${KEY}` },
  })
  await body.dump()
  // An empty store has no such video.
  if (statusCode !== 200 && statusCode !== 404) throw new Error(`a read was answered ${statusCode}`)
}

const open = async (gatewayOf: Installed, jobs: number, { limit, windowMs }: Size): Promise<Scene> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const backend = await openUpstream({ limit, windowMs, everyMs: 60_000 })
  const upstream: Upstream = { url: backend.url, requestsPerMinute: limit }
  // All of them are due: polls take whatever the window allows.
  await seed(folder, upstream, { jobs, nowMs: Date.now(), spreadMs: 1 })
  return {
    backend,
    resumed: () => (jobs > 0 ? countedWithPoll(backend) : backend.count()),
    async start() {
      const begunAt = performance.now()
      const gateway = await startGateway(gatewayOf, { folder, upstream })
      await readOne(gateway)
      const servingMs = performance.now() - begunAt
      const servingAtMs = Date.now()
      return { gateway, servingMs, servingAtMs, cpuMs: (await gateway.read()).cpuUs / 1_000 }
    },
    async close() {
      await backend.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs it, kills it at some moment of a window, and starts it anew. */
const killed = async ({ start, backend, resumed }: Scene, { runMs, windowMs }: Size, round: number): Promise<Start> => {
  await backend.count()
  const before = await start()
  await pause(runMs + (round * windowMs) / 7)
  await before.gateway.kill()
  const { fullest, refused } = await backend.count()
  const { gateway, servingMs, servingAtMs, cpuMs } = await start()
  try {
    await pause(runMs)
    const after = await resumed()
    return {
      servingMs,
      cpuMs,
      resumedMs: after.polls === 0 ? null : Math.max(0, after.firstAtMs - servingAtMs),
      fullest: Math.max(fullest, after.fullest),
      refused: refused + after.refused,
      polls: after.polls,
    }
  } finally {
    await gateway.kill()
  }
}

/** A gateway with very many open videos is killed and started anew, beside one whose store is empty. */
export const restart = async (size: Size = FULL, build: typeof installed = installed): Promise<Result> => {
  const gateway = await build()
  const full = await open(gateway, size.open, size)
  try {
    const empty = await open(gateway, 0, size)
    try {
      const rounds: { full: Start; empty: Start }[] = []
      while (rounds.length < size.rounds)
        rounds.push({
          full: await killed(full, size, rounds.length),
          empty: await killed(empty, { ...size, runMs: 500 }, rounds.length),
        })
      return {
        name: 'restart',
        notes: [
          `${size.open} open videos, all of them due; the upstream allows ${size.limit} requests in ${size.windowMs / 1_000} s, and counts for itself`,
          `medians of ${size.rounds} rounds in turn with a gateway whose store is empty: run, kill -9, start`,
          'serving: `/readyz` answers 200, and a read of a client is answered',
        ],
        rows: rowsOf(
          rounds.map((round) => round.full),
          rounds.map((round) => round.empty),
          size.limit,
        ),
      }
    } finally {
      await empty.close()
    }
  } finally {
    await full.close()
  }
}
