import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startGateway, type Gateway } from '../many-jobs/gateway.ts'
import { installed, type Installed } from '../many-jobs/installed.ts'
import { countedWithPoll, openUpstream, type OpenUpstream } from '../many-jobs/open-upstream.ts'
import { seed } from '../many-jobs/seed.ts'
import { median, shownRow, type Result, type Row } from '../report.ts'
import { said } from '../said.ts'
import type { Done, Order } from './bare.ts'

export interface Size {
  /** Jobs of each gateway; the goal is about the one in the middle. */
  jobs: readonly [number, number, number]
  /** How often the one in the middle polls each. The others poll as many a second. */
  everyMs: number
  rounds: number
  roundMs: number
  warmMs: number
  /** How long the gateway takes to start, at most. */
  leadMs: number
}
export const FULL: Size = {
  jobs: [1_000, 20_000, 200_000],
  everyMs: 10_000,
  rounds: 5,
  roundMs: 6_000,
  warmMs: 20_000,
  leadMs: 3_000,
}
/** How many of the jobs are written in a millisecond, about. */
const SEEDED_A_MS = 10

/** Of one core, for all of it. */
const MOST_OF_A_CORE = 1
/** Of the polls that the backend wants. */
const LEAST_RATE = 0.95
/** Growth with the logarithm would be 1.77× from a thousand to two hundred thousand: this allows caches that miss, and no more. */
const MOST_GROWTH = 1.5
const MOST_HELD_MS = 10
/** The reference makes this part of the requests, so that it leaves the machine to the gateway. */
const BARE_PART = 4
/** No window is ever full: what is measured is the gateway. */
const UNLIMITED = 10_000_000

/** What a round measured. */
export interface Round {
  /** Polls a second that the upstream counted. */
  rate: number
  /** CPU of the whole process for each. */
  cpuUs: number
  /** Of the main thread. */
  mainUs: number
  heldMs: number
  /** Polls that came before the backend wanted them. */
  early: number
  /** CPU of the reference for each of its requests, at the same time. */
  bareUs: number
}
export interface Found {
  jobs: number
  rounds: readonly Round[]
}

const of = ({ rounds }: Found, value: (round: Round) => number): number => median(rounds.map(value))

/** Pure: what the rounds of the three gateways come to. `wanted`: polls a second. */
export const rowsOf = ([few, middle, many]: readonly [Found, Found, Found], wanted: number): Row[] => {
  const shown = (found: Found): Row =>
    shownRow(
      `${found.jobs} jobs: CPU per poll`,
      `${of(found, ({ cpuUs }) => cpuUs).toFixed(0)} µs, ${of(found, ({ cpuUs, bareUs }) => cpuUs / bareUs).toFixed(1)}× the bare loop (${of(found, ({ bareUs }) => bareUs).toFixed(0)} µs); ${of(found, ({ rate }) => rate).toFixed(0)} polls a second`,
    )
  const share = (of(middle, ({ cpuUs }) => cpuUs) * wanted) / 1e6
  const mainShare = (of(middle, ({ mainUs }) => mainUs) * wanted) / 1e6
  // By the reference, as a neighbor who takes the caches slows both.
  const cost = (found: Found): number => of(found, ({ cpuUs, bareUs }) => cpuUs / bareUs)
  const growth = cost(many) / cost(few)
  const held = [few, middle, many].map((found) => of(found, ({ heldMs }) => heldMs))
  const early = [few, middle, many].flatMap(({ rounds }) => rounds).reduce((sum, round) => sum + round.early, 0)
  return [
    ...[few, middle, many].map(shown),
    {
      what: `${middle.jobs} jobs, ${wanted} polls a second: CPU of the whole process`,
      goal: `< ${MOST_OF_A_CORE} core`,
      measured: `${share.toFixed(2)} of a core (main thread ${mainShare.toFixed(2)})`,
      optimum: null,
      met: share < MOST_OF_A_CORE,
    },
    {
      what: `${middle.jobs} jobs: polls a second`,
      goal: `≥ ${Math.round(wanted * LEAST_RATE)}`,
      measured: of(middle, ({ rate }) => rate).toFixed(0),
      optimum: String(wanted),
      met: of(middle, ({ rate }) => rate) >= wanted * LEAST_RATE,
    },
    {
      what: `cost per poll, ${many.jobs} jobs beside ${few.jobs}`,
      goal: `≤ ${MOST_GROWTH}×`,
      measured: `${growth.toFixed(2)}×`,
      optimum: null,
      met: growth <= MOST_GROWTH,
    },
    {
      what: `the main thread held (${few.jobs}, ${middle.jobs}, ${many.jobs} jobs)`,
      goal: `≤ ${MOST_HELD_MS} ms`,
      measured: held.map((ms) => `${ms.toFixed(1)} ms`).join(', '),
      optimum: null,
      met: Math.max(...held) <= MOST_HELD_MS,
      // A collection of the whole heap holds it longer.
      isOpen: true,
    },
    {
      what: 'polls before the backend wanted them',
      goal: '0',
      measured: String(early),
      optimum: null,
      met: early === 0,
    },
  ]
}

interface Stage {
  gateway: Gateway
  backend: OpenUpstream
  bare: (order: Order) => Promise<Done>
}

const roundOf = async ({ gateway, backend, bare }: Stage, rate: number, { roundMs }: Size): Promise<Round> => {
  await backend.count()
  const before = await gateway.read()
  const begunAt = performance.now()
  // At the same time: whatever else the machine does meets both alike.
  const { cpuUs: bareUs } = await bare({ rate: rate / BARE_PART, forMs: roundMs })
  const { polls, early } = await countedWithPoll(backend)
  const after = await gateway.read()
  const seconds = (performance.now() - begunAt) / 1_000
  return {
    rate: polls / seconds,
    cpuUs: (after.cpuUs - before.cpuUs) / Math.max(1, polls),
    mainUs: (after.mainUs - before.mainUs) / Math.max(1, polls),
    heldMs: after.heldMs,
    early,
    bareUs,
  }
}

const measure = async (gatewayOf: Installed, jobs: number, wanted: number, size: Size): Promise<Found> => {
  const everyMs = (jobs / wanted) * 1_000
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const backend = await openUpstream({ limit: UNLIMITED, windowMs: 60_000, everyMs })
  const bare = fork(new URL('./bare.ts', import.meta.url), [JSON.stringify({ url: backend.url })])
  try {
    const upstream = { url: backend.url, requestsPerMinute: 100_000, minInterval: '50ms' }
    // Due once the gateway runs: what came due before would be polled together, and again after each `everyMs`.
    await seed(folder, upstream, {
      jobs,
      nowMs: Date.now() + size.leadMs + Math.ceil(jobs / SEEDED_A_MS),
      spreadMs: everyMs,
    })
    const gateway = await startGateway(gatewayOf, { folder, upstream, beats: true })
    const order = async (one: Order): Promise<Done> => {
      const done = said(bare)
      bare.send(one)
      return (await done) as Done
    }
    try {
      await pause(size.warmMs)
      const rounds: Round[] = []
      while (rounds.length < size.rounds) rounds.push(await roundOf({ gateway, backend, bare: order }, wanted, size))
      return { jobs, rounds }
    } finally {
      await gateway.kill()
    }
  } finally {
    bare.disconnect()
    await backend.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Running jobs that one process polls, from a few to very many, beside the same requests in a bare loop. */
export const polls = async (size: Size = FULL, build: typeof installed = installed): Promise<Result> => {
  const gateway = await build()
  const [few, middle, many] = size.jobs
  const wanted = middle / (size.everyMs / 1_000)
  const found = async (jobs: number): Promise<Found> => measure(gateway, jobs, wanted, size)
  return {
    name: 'polls',
    notes: [
      `an upstream that answers at once wants each of ${middle} jobs to be asked every ${size.everyMs / 1_000} s; with ${few} and ${many} jobs so often that there are as many polls a second`,
      `medians of ${size.rounds} rounds of ${size.roundMs / 1_000} s, with the reference beside it at a quarter of the rate; every process counts its own CPU`,
      'held: CPU of the main thread between two of its timers of a millisecond, the most of a round',
    ],
    rows: rowsOf([await found(few), await found(middle), await found(many)], wanted),
  }
}
