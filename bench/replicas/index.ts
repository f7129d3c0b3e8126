import autocannon from 'autocannon'
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../test/fakes/postgres.ts'
import { openKeys } from '../../test/fakes/redis.ts'
import { skippedWithout } from '../../test/fakes/servers.ts'
import type { AtEnd } from '../../test/replicas/stage.ts'
import type { GatewaySetup } from '../read/gateway.ts'
import { median, shownRow, type Result, type Row } from '../report.ts'
import { said } from '../said.ts'
import { startServer, type BenchServer } from '../servers/start.ts'
import { type Commands, countCommands } from './commands.ts'
import { type Cost, type CostSize, measureCost } from './cost.ts'
import { startReceivers } from './receivers.ts'
import type { SeedSetup } from './seed.ts'

export interface Size {
  /** Processes over PostgreSQL and Redis, one side each. */
  replicas: readonly number[]
  deliveries: number
  /** Of one round, over all processes of a side. */
  reads: number
  rounds: number
  /** What a video costs the database, from its create to its delivery; null: not measured. */
  cost: CostSize | null
}
export const FULL: Size = {
  replicas: [1, 2, 3],
  deliveries: 3_000,
  reads: 6_000,
  rounds: 3,
  cost: { videos: 60, idleMs: 10_000 },
}
const MOST_STATEMENTS = 60
const MOST_TRANSACTIONS = 6

const TARGETS = 32
const CONNECTIONS = 48
const KEY = 'tb_bench_0123456789abcdef0123456789abcdef'

/** What one side came to. CPU is that of the gateways, in microseconds. */
export interface Side {
  name: string
  deliveriesPerSecond: number
  doubled: number
  deliveryCpuUs: number
  readsPerSecond: readonly number[]
  readCpuUs: number
}

const configOf = (stores: object): GatewaySetup['config'] => ({
  server: { port: 0 },
  ...stores,
  log: { level: 'info', format: 'json' },
  backends: {
    // Nobody is asked: every video has ended.
    main: { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'upstream_0123456789abcdef' },
  },
  clients: [{ id: 'acme', key: KEY, limits: { requests_per_minute: 1_000_000 } }],
  routing: { default: 'main' },
  webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
})

const seed = async (setup: SeedSetup): Promise<string[]> => {
  const child = fork(new URL('./seed.ts', import.meta.url), [JSON.stringify(setup)])
  return (await said(child)) as string[]
}

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0)
const cpuOf = async (servers: readonly BenchServer[]): Promise<number> =>
  total(await Promise.all(servers.map((server) => server.cpu())))

/** Reads of all processes at once, as fast as each is answered. Answers how many a second. */
const load = async (servers: readonly BenchServer[], ids: readonly string[], amount: number): Promise<number> => {
  const each = Math.ceil(amount / servers.length)
  const requests = ids.map((id) => ({
    method: 'GET' as const,
    path: `/unified/v1/videos/${id}`,
    headers: { authorization: `Bearer ${KEY}` },
  }))
  const startedMs = performance.now()
  const results = await Promise.all(
    servers.map(({ url }) =>
      autocannon({ url, connections: Math.ceil(CONNECTIONS / servers.length), amount: each, requests }),
    ),
  )
  const elapsedMs = performance.now() - startedMs
  const answered = total(results.map((result) => result['2xx']))
  if (answered !== each * servers.length)
    throw new Error(`${each * servers.length - answered} reads were not answered 200`)
  return (answered / elapsedMs) * 1_000
}

interface Place {
  folder: string
  config: GatewaySetup['config']
  secretKey: string
}

const start = async ({ folder, config, secretKey }: Place, index: number): Promise<BenchServer> => {
  const own = join(folder, String(index))
  await mkdir(own)
  const setup: GatewaySetup = { folder: own, config, secretKey }
  return startServer(new URL('../read/gateway.ts', import.meta.url), setup)
}

/** Starts so many gateways; what is to be delivered is there when the first of them begins. */
const startAll = async (place: Place, count: number, fill: () => Promise<void>): Promise<BenchServer[]> => {
  // One process alone owns its store: it is filled first. Others stand still meanwhile, and begin together.
  if (count === 0) {
    await fill()
    return [await start(place, 0)]
  }
  const servers: BenchServer[] = []
  while (servers.length < count) servers.push(await start(place, servers.length))
  for (const server of servers) server.signal('SIGSTOP')
  await fill().finally(() => servers.forEach((server) => server.signal('SIGCONT')))
  return servers
}

/** `count`: 0 is SQLite's single process. */
const measure = async (name: string, stores: object, count: number, size: Size): Promise<Side> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const receivers = await startReceivers(TARGETS)
  const secretKey = randomBytes(32).toString('base64')
  const sqlite = { store: { path: join(folder, 'talkbridge.db') } }
  const place = { folder, config: configOf(count === 0 ? sqlite : stores), secretKey }
  let servers: BenchServer[] = []
  try {
    let ids: string[] = []
    const { config } = place
    const { store } = config
    const beside = { ...config, store: { path: join(folder, 'talkbridge.db'), ...store } }
    servers = await startAll(place, count, async () => {
      ids = await seed({ config: beside, secretKey, videos: size.deliveries, targets: receivers.targets })
    })
    const before = await cpuOf(servers)
    const deliveriesPerSecond = (size.deliveries / (await receivers.all(size.deliveries))) * 1_000
    const deliveryCpuUs = ((await cpuOf(servers)) - before) / size.deliveries
    // To fill caches and be compiled: unmeasured.
    await load(servers, ids, size.reads)
    const sinceReads = await cpuOf(servers)
    const readsPerSecond: number[] = []
    while (readsPerSecond.length < size.rounds) readsPerSecond.push(await load(servers, ids, size.reads))
    const readCpuUs = ((await cpuOf(servers)) - sinceReads) / (size.reads * size.rounds)
    return { name, deliveriesPerSecond, doubled: receivers.doubled(), deliveryCpuUs, readsPerSecond, readCpuUs }
  } finally {
    await Promise.all(servers.map((server) => server.close()))
    await receivers.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (count: number, size: Size): Promise<Side> => {
  const database = await openDatabase()
  const keys = openKeys()
  try {
    const stores = {
      store: { driver: 'postgres', url: database.url },
      redis: { url: keys.url, prefix: keys.prefix },
    }
    return await measure(`PostgreSQL and Redis, ${count} process${count > 1 ? 'es' : ''}`, stores, count, size)
  } finally {
    await database.drop()
    await keys.remove()
  }
}

/** Pure: what the sides come to. */
export const rowsOf = (sides: readonly Side[]): Row[] => {
  const doubled = total(sides.map((side) => side.doubled))
  return [
    ...sides.flatMap(({ name, deliveriesPerSecond, deliveryCpuUs, readsPerSecond, readCpuUs }) => [
      shownRow(
        `deliveries: ${name}`,
        `${Math.round(deliveriesPerSecond)} /s (${Math.round(deliveryCpuUs)} µs CPU each)`,
      ),
      shownRow(`reads: ${name}`, `${Math.round(median(readsPerSecond))} /s (${Math.round(readCpuUs)} µs CPU each)`),
    ]),
    { what: 'deliveries doubled', goal: '0', measured: String(doubled), optimum: null, met: doubled === 0 },
  ]
}

const shared = ({ table, updates, share }: Cost['hot'][number]): string =>
  `${table} ${Math.round(share * 100)} % of ${updates.toFixed(1)}`

const costRows = ({ statements, transactions, hot }: Cost): Row[] => {
  const atMost = (what: string, measured: number, goal: number): Row => ({
    what: `${what} of a video`,
    goal: `≤ ${goal}`,
    measured: measured.toFixed(1),
    optimum: null,
    met: measured <= goal,
  })
  return [
    atMost('statements', statements, MOST_STATEMENTS),
    atMost('transactions that write', transactions, MOST_TRANSACTIONS),
    shownRow(
      'tables whose updates of a video are not all without an index (HOT)',
      hot
        .filter(({ share }) => share < 0.995)
        .map(shared)
        .join(', '),
    ),
  ]
}

/** Pure: what one process asks of Redis, those commands inside of scripts too. */
export const commandRowsOf = ({ idlePerSecond, perVideo }: Commands): Row[] => {
  const row = (what: string, goal: number, measured: number): Row => ({
    what: `Redis commands: ${what}`,
    goal: `≤ ${goal}`,
    measured: measured.toFixed(1),
    optimum: null,
    met: measured <= goal,
  })
  return [row('one idle process, a second', 5, idlePerSecond), row('one video, create to delivery', 30, perVideo)]
}

/** On servers of its own. None, where this machine lacks what is to be started. */
const cost = async (size: CostSize | null): Promise<Row[]> => {
  if (size === null || (await skippedWithout(['ownPostgres', 'ownRedis']))) return []
  const undo: Parameters<AtEnd>[0][] = []
  try {
    const measured = await measureCost(size, (one) => void undo.push(one))
    return [...(measured ? costRows(measured) : []), ...commandRowsOf(await countCommands(size.videos))]
  } finally {
    for (const one of undo.toReversed()) await one(false)
  }
}

/** Deliveries and reads of one, two and three processes over PostgreSQL and Redis, beside SQLite's single process. */
export const replicas = async (size: Size = FULL): Promise<Result> => {
  const sides = [await measure('SQLite, 1 process', {}, 0, size)]
  const skipped = await skippedWithout(['postgres', 'redis'])
  for (const count of skipped ? [] : size.replicas) sides.push(await onPostgres(count, size))
  return {
    name: 'replicas',
    notes: [
      `${size.deliveries} deliveries to ${TARGETS} targets, from the first that comes to the last; reads of one video, medians of ${size.rounds} rounds of ${size.reads}`,
      'CPU: of the gateways alone. Everything shares this machine: gateways, servers, receivers and who asks',
      'statements and transactions of a video: one process, from the create to the delivery, without what an idle process does',
      ...(skipped ? ['PostgreSQL and Redis are NOT measured: there is no server'] : []),
    ],
    rows: [...rowsOf(sides), ...(await cost(size.cost))],
  }
}
