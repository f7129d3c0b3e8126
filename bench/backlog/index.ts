import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../scripts/build.ts'
import { parseConfig } from '../../src/config.ts'
import { median, type Result, type Row } from '../report.ts'
import { said } from '../said.ts'
import { CLIENTS, clientOf, keyOf, type Backlog, type Measured, type Order, type Setup, type Work } from './protocol.ts'
import { seed } from './seed.ts'

export interface Size extends Backlog {
  rounds: number
  /** Of each kind, in each round and beside each backlog. */
  works: number
}
export const FULL: Size = { running: 100_000, waiting: 10_000, retries: 200_000, rounds: 5, works: 200 }

const MOST_RATIO = 2
const MOST_HELD_MS = 20
const MOST_RSS_MB = 300
/** For all that runs: the text of an id, some numbers, and where to find them. */
const MOST_KEPT_MB = 48
/** One start may be held up by a neighbor on the machine. */
const STARTS = 3
/** As many as one account may be given: more run than that. */
const MOST_SLOTS = 10_000
const MB = 1024 * 1024

/** One that waits, for one slot that is taken: a read, a create and a turn meet the same questions as with a backlog. */
const NONE: Backlog = { running: 1, waiting: 1, retries: 0 }

const configOf = ({ running }: Backlog): Setup['config'] => ({
  server: { port: 0 },
  log: { level: 'info', format: 'json' },
  engine: { queue_limit: 1_000_000 },
  backends: {
    main: {
      interface: 'primary',
      // Nobody is asked: no slot is free, and no look is due.
      base_url: 'http://127.0.0.1:9',
      api_key: 'upstream_0123456789abcdef',
      slots: Math.min(running, MOST_SLOTS),
      requests_per_minute: 100_000,
    },
  },
  clients: Array.from({ length: CLIENTS }, (_, n) => ({
    id: clientOf(n),
    key: keyOf(clientOf(n)),
    limits: { requests_per_minute: 1_000_000, queued_videos: 1_000_000 },
  })),
  routing: { default: 'main' },
})

interface Scene {
  order(order: Order): Promise<Measured>
  restart(): Promise<void>
  close(): Promise<void>
}

/** Where packages are found from: inside the repository. */
const COMPILED = join(import.meta.dirname, '../../bench-output/backlog')

/** The gateway as it is installed: what strips types in a checkout takes 30 MB that nobody else has. Answers its module. */
const compile = async (): Promise<string> => {
  await build(COMPILED, { 'bench-gateway': join(import.meta.dirname, 'gateway.ts') })
  return join(COMPILED, 'bench-gateway.js')
}

const open = async (module: string, backlog: Backlog): Promise<Scene> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const setup: Setup = { folder, backlog, config: configOf(backlog) }
  const parsed = parseConfig({ text: JSON.stringify(setup.config), format: 'json', env: {}, readFile: () => '' })
  if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  await seed(folder, parsed.config, backlog, Date.now())
  const start = async (): Promise<ChildProcess> => {
    const child = fork(module, [JSON.stringify(setup)])
    await said(child)
    return child
  }
  let child = await start()
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
  }
  return {
    async order(order) {
      const measured = said(child)
      child.send(order)
      return (await measured) as Measured
    },
    async restart() {
      await stop()
      child = await start()
    },
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What was measured of one kind of work, with a backlog and with none, round by round. */
export interface Pair {
  beside: Measured[]
  none: Measured[]
}
export interface Found {
  reads: Pair
  creates: Pair
  turns: Pair
  /** Of the gateway with the backlog: its starts, and the telling of its retries. */
  starts: Measured[]
  retries: Measured[]
  /** When all else was done, and the garbage was collected. */
  kept: { beside: Measured; none: Measured }
}

const most = (values: readonly number[]): number => Math.max(...values)

/** Pure: what the rounds come to. */
export const rowsOf = ({ reads, creates, turns, starts, retries, kept }: Found): Row[] => {
  const cost = (what: string, { beside, none }: Pair): Row => {
    const ratios = beside.map(({ cpuUs }, n) => cpuUs / (none[n]?.cpuUs ?? 0))
    const [with_, without] = [beside, none].map((all) => median(all.map(({ cpuUs }) => cpuUs)))
    return {
      what,
      goal: `≤ ${MOST_RATIO}×`,
      measured: `${median(ratios).toFixed(2)}× (${with_?.toFixed(0)} µs CPU; with none ${without?.toFixed(0)} µs)`,
      optimum: null,
      met: median(ratios) <= MOST_RATIO,
    }
  }
  const pairs = [reads, creates, turns]
  const beside = [starts, retries, ...pairs.map((pair) => pair.beside)]
  const heldMs = most(beside.map((rounds) => median(rounds.map((one) => one.heldMs))))
  const onceMs = most(beside.flat().map((one) => one.heldMs))
  const rssOf = (all: readonly Measured[]): number => most(all.map(({ rssBytes }) => rssBytes)) / MB
  const [rssMb, idleMb] = [rssOf(beside.flat()), rssOf(pairs.flatMap((pair) => pair.none))]
  const keptMb = (kept.beside.heapBytes - kept.none.heapBytes) / MB
  return [
    cost('a read of a waiting video', reads),
    cost('a create that waits', creates),
    cost('a turn of an account', turns),
    {
      what: 'the main thread held',
      goal: `≤ ${MOST_HELD_MS} ms`,
      measured: `${heldMs.toFixed(1)} ms (once ${onceMs.toFixed(1)} ms)`,
      optimum: null,
      met: heldMs <= MOST_HELD_MS,
    },
    {
      what: 'memory that all of it keeps',
      goal: `≤ ${MOST_KEPT_MB} MB`,
      measured: `${keptMb.toFixed(0)} MB`,
      optimum: null,
      met: keptMb <= MOST_KEPT_MB,
    },
    {
      what: 'memory of the process, with all of it',
      goal: `≤ ${MOST_RSS_MB} MB`,
      measured: `${rssMb.toFixed(0)} MB (with none ${idleMb.toFixed(0)} MB)`,
      optimum: null,
      met: rssMb <= MOST_RSS_MB,
      isOpen: true,
    },
  ]
}

const measure = async (beside: Scene, none: Scene, { rounds, works, retries: owed }: Size): Promise<Row[]> => {
  const repeat = async (times: number, action: () => Promise<Measured>): Promise<Measured[]> => {
    const all: Measured[] = []
    while (all.length < times) all.push(await action())
    return all
  }
  let started = 0
  const starts = await repeat(STARTS, async () => {
    if (started > 0) await beside.restart()
    started += 1
    // The first turn comes when all that runs was read.
    return beside.order({ work: 'turns', count: 20 })
  })
  const retries = await repeat(rounds, () => beside.order({ work: 'retries', count: Math.ceil(owed / rounds) }))
  // A read takes so little that a few would measure what the compiler does meanwhile.
  const orderOf = (work: Work): Order => ({ work, count: work === 'reads' ? 10 * works : works })
  for (const work of ['reads', 'creates'] as const) for (const scene of [beside, none]) await scene.order(orderOf(work))
  const pair = async (work: Work): Promise<Pair> => {
    const made: Pair = { beside: [], none: [] }
    for (let round = 0; round < rounds; round += 1) {
      made.none.push(await none.order(orderOf(work)))
      made.beside.push(await beside.order(orderOf(work)))
    }
    return made
  }
  // Creates last: each leaves one more that waits.
  const [turns, reads, creates] = [await pair('turns'), await pair('reads'), await pair('creates')]
  const collect: Order = { work: 'collect', count: 1 }
  const kept = { none: await none.order(collect), beside: await beside.order(collect) }
  return rowsOf({ reads, creates, turns, starts, retries, kept })
}

/** What a backlog costs those who are served beside it: nothing may grow with the queue. */
export const backlog = async (size: Size = FULL): Promise<Result> => {
  const module = await compile()
  const beside = await open(module, size)
  try {
    const none = await open(module, NONE)
    try {
      return {
        name: 'backlog',
        notes: [
          `${size.waiting} videos waiting of ${CLIENTS} clients, ${size.running} running, ${size.retries} retries of webhooks pending; beside one waiting, one running, no retry`,
          `each side is a whole gateway in a process of its own; medians of ${size.rounds} rounds in turn, ${size.works} pieces of work a round`,
          `held: CPU of the main thread between two of its timers of a millisecond, the most of a round; of ${STARTS} starts and of each kind of work the median counts, and the most of all is told as well`,
          'kept: heap and buffers of the main thread after a collection, more than with none',
        ],
        rows: await measure(beside, none, size),
      }
    } finally {
      await none.close()
    }
  } finally {
    await beside.close()
  }
}
