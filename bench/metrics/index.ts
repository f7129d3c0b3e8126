import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { configOf } from '../read/config.ts'
import { createUpstream, seed, type Seeded, type Size } from '../read/index.ts'
import type { GatewaySetup } from '../read/gateway.ts'
import { type Result, type Row, shownRow, verdictOf } from '../report.ts'
import { listenLocally } from '../servers/serve.ts'
import { startServer, type BenchServer } from '../servers/start.ts'

interface MetricsSize extends Size {
  /** At least and at most. Two processes of one program differ by luck: how their code was compiled, where memory lies. */
  sittings: readonly [number, number]
}
/** Rounds of some 20 ms: a neighbor who comes for longer meets all sides alike, and one who comes for less spares some. */
export const FULL: MetricsSize = { clients: 50, videosEach: 5, rounds: 60, requests: 250, sittings: [5, 7] }

/** Of what a bare route costs. A read without metrics would be no measure: the cheaper it gets, the larger their share. */
const GOAL = 0.08
const SCRAPES = 20
/** Of the first requests code is compiled. */
const WARM_UP = 12
/** More sittings until the two equal sides differ by no more than this: what the side with metrics costs has no say. */
const EQUAL = 1.01

const GATEWAYS = ['without', 'with', 'again'] as const
const SIDES = ['bare', ...GATEWAYS] as const
type Side = (typeof SIDES)[number]
/** Microseconds of CPU of one read, round by round. */
export type Sitting = Readonly<Record<Side, readonly number[]>>
export interface Scrape {
  cpuMs: number
  bytes: number
}

/** The first quartile: what else the machine does only ever adds to a round. */
const quartile = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0

/** The mean of the cheaper half of a side's processes: an unlucky one has no say, and a lucky one not the whole. */
const costUs = (sittings: readonly Sitting[], side: Side): number => {
  const sorted = sittings.map((sitting) => quartile(sitting[side])).toSorted((a, b) => a - b)
  const half = sorted.slice(0, Math.ceil(sorted.length / 2))
  return half.reduce((sum, one) => sum + one, 0) / half.length
}

/** The two equal sides, the dearer over the cheaper. Pure. */
export const noiseOf = (sittings: readonly Sitting[]): number => {
  const [one, other] = [costUs(sittings, 'without'), costUs(sittings, 'again')]
  return Math.max(one, other) / Math.min(one, other)
}

/** Pure: what the sittings come to. */
export const rowsOf = (sittings: readonly Sitting[], scrape: Scrape): Row[] => {
  const cost = (what: string, side: Side): Row =>
    shownRow(
      what,
      `${costUs(sittings, side).toFixed(0)} µs CPU (${sittings.map((one) => quartile(one[side]).toFixed(0)).join(' ')})`,
    )
  const bare = costUs(sittings, 'bare')
  const equal = [costUs(sittings, 'without'), costUs(sittings, 'again')]
  const [least = 0, most = 0] = equal
    .map((without) => (costUs(sittings, 'with') - without) / bare)
    .toSorted((a, b) => a - b)
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
  return [
    cost('bare Express 5', 'bare'),
    cost('getVideo without metrics', 'without'),
    cost('getVideo without metrics, a second gateway', 'again'),
    cost('getVideo with metrics', 'with'),
    shownRow('two equal gateways beside each other', `${noiseOf(sittings).toFixed(3)}×`),
    {
      what: 'CPU that metrics add, by that of the bare route',
      goal: `≤ ${percent(GOAL)}`,
      measured: `${percent(least)} to ${percent(most)}`,
      optimum: null,
      // What lies between two equal gateways is noise. Too much of it, and this machine is too busy for a verdict.
      met: most - least > GOAL / 2 ? null : verdictOf([least, most], { most: GOAL }),
    },
    shownRow('one scrape', `${scrape.cpuMs.toFixed(1)} ms CPU, ${(scrape.bytes / 1_024).toFixed(0)} KiB`),
  ]
}

interface Loaded {
  server: BenchServer
  pool: Pool
  reads: Seeded[]
}
interface Gateway extends Loaded {
  /** One of the bodies that it answers. */
  body: string
  folder: string
}

/** Every connection asks again as soon as it is answered. Answers the microseconds of CPU of one read. */
const load = async ({ server, pool, reads }: Loaded, { clients, requests }: Size): Promise<number> => {
  let begun = 0
  const ask = async (): Promise<void> => {
    while (begun < requests) {
      const { path, headers } = reads[begun++ % reads.length] ?? { path: '', headers: {} }
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
      await body.dump()
      if (statusCode !== 200) throw new Error(`a read was answered ${statusCode}`)
    }
  }
  const before = await server.cpu()
  await Promise.all(Array.from({ length: clients }, ask))
  return ((await server.cpu()) - before) / requests
}

const scrapeOf = async ({ server }: Gateway): Promise<Scrape> => {
  const before = await server.cpu()
  let bytes = 0
  for (let n = 0; n < SCRAPES; n += 1) bytes = (await (await fetch(`${server.url}/metrics`)).text()).length
  return { cpuMs: ((await server.cpu()) - before) / 1_000 / SCRAPES, bytes }
}

const startOf = async (upstream: string, size: MetricsSize, enabled: boolean): Promise<Gateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const setup: GatewaySetup = { folder, config: { ...configOf(upstream, size), metrics: { enabled } } }
  const server = await startServer(new URL('../read/gateway.ts', import.meta.url), setup)
  const { reads, body } = await seed(server.url, size)
  return { server, pool: new Pool(server.url, { connections: size.clients }), reads: reads.flat(), body, folder }
}

/** A route of Express that answers a constant as long, and is read as that gateway is. */
const bareOf = async ({ reads, body }: Gateway, size: MetricsSize): Promise<Loaded> => {
  const server = await startServer(new URL('../read/express.ts', import.meta.url), JSON.parse(body))
  return { server, pool: new Pool(server.url, { connections: size.clients }), reads }
}

const ends = async ({ server, pool }: Loaded): Promise<void> => {
  await pool.close()
  await server.close()
}

/** `n` places further: whoever comes later may find a warmer machine. */
const turned = <T extends Side>(sides: readonly T[], n: number): T[] => [
  ...sides.slice(n % sides.length),
  ...sides.slice(0, n % sides.length),
]

/** Four processes of their own, loaded in turn. */
const sit = async (upstream: string, size: MetricsSize, n: number): Promise<{ sitting: Sitting; scrape: Scrape }> => {
  const gateways = new Map<Side, Gateway>()
  const loaded = new Map<Side, Loaded>()
  const rounds: Record<Side, number[]> = { bare: [], without: [], with: [], again: [] }
  try {
    for (const side of turned(GATEWAYS, n)) gateways.set(side, await startOf(upstream, size, side === 'with'))
    for (const [side, gateway] of gateways) loaded.set(side, gateway)
    const scraped = gateways.get('with')
    if (!scraped) throw new Error('no gateway has metrics')
    loaded.set('bare', await bareOf(scraped, size))
    for (let round = -WARM_UP; round < size.rounds; round += 1) {
      for (const side of turned(SIDES, round + WARM_UP)) {
        const one = loaded.get(side)
        if (!one) throw new Error(`nothing to load for ${side}`)
        const cpuUs = await load(one, size)
        if (round >= 0) rounds[side].push(cpuUs)
      }
    }
    return { sitting: rounds, scrape: await scrapeOf(scraped) }
  } finally {
    for (const one of new Map<Side, Loaded>([...gateways, ...loaded]).values()) await ends(one)
    for (const { folder } of gateways.values()) await rm(folder, { recursive: true, force: true })
  }
}

/** What metrics cost a read: gateways that differ only in `metrics.enabled`, two that do not differ, and a bare route. */
export const metrics = async (size: MetricsSize = FULL): Promise<Result> => {
  const upstream = createUpstream()
  const sittings: Sitting[] = []
  const [least, most] = size.sittings
  let scrape: Scrape = { cpuMs: Infinity, bytes: 0 }
  try {
    const url = await listenLocally(upstream)
    const isNoisy = (): boolean => sittings.length < least || noiseOf(sittings) > EQUAL
    while (sittings.length < most && isNoisy()) {
      const measured = await sit(url, size, sittings.length)
      sittings.push(measured.sitting)
      if (measured.scrape.cpuMs < scrape.cpuMs) scrape = measured.scrape
    }
  } finally {
    upstream.close()
    upstream.closeAllConnections()
  }
  return {
    name: 'metrics',
    notes: [
      `${sittings.length} sittings of a bare route and three gateways, one with metrics; ${size.clients} clients read ${size.videosEach} videos each in turn`,
      `a sitting: new processes, the first quartile of ${size.rounds} rounds in turn, ${size.requests} requests to each side`,
      'the mean of the cheaper half of the sittings counts; in brackets all of them',
    ],
    rows: rowsOf(sittings, scrape),
  }
}
