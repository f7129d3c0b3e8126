import autocannon from 'autocannon'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import type { Result, Row } from '../report.ts'
import { listenLocally } from '../servers/serve.ts'
import { startServer, type BenchServer } from '../servers/start.ts'
import type { GatewaySetup } from './gateway.ts'

export interface Size {
  clients: number
  videosEach: number
  rounds: number
  /** Requests of one round, to each side. */
  requests: number
}
export const FULL: Size = { clients: 200, videosEach: 5, rounds: 9, requests: 20_000 }

const GOAL = 2

/** What a round measured of one side. */
export interface Round {
  cpuUs: number
  p50Ms: number
  p99Ms: number
}

/** An upstream that answers at once: every second job is done, the others run for the next hour. */
const createUpstream = (): Server => {
  let jobs = 0
  return createServer((req, res) => {
    req.resume().on('end', () => {
      jobs += 1
      const id = `api_video_${jobs}`
      const state =
        jobs % 2 === 0
          ? { status: 'completed', video_url: `https://cdn.example/${id}.mp4?sig=0123456789abcdef0123456789abcdef` }
          : { status: 'processing', next_poll_at: new Date(Date.now() + 3_600_000).toISOString() }
      const credits = { 'x-service-credits-required': '1', 'x-service-credits-remaining': '9' }
      res.writeHead(202, { 'content-type': 'application/json', ...credits })
      res.end(JSON.stringify({ id, operation_id: id, status_url: `/api/v1/videos/${id}`, ...state }))
    })
  })
}

const keyOf = (client: number): string => `tb_bench_${client}_0123456789abcdef0123456789abcdef`

const configOf = (upstream: string, { clients }: Size): GatewaySetup['config'] => ({
  server: { port: 0 },
  log: { level: 'info', format: 'json' },
  backends: {
    main: {
      interface: 'primary',
      base_url: upstream,
      api_key: 'upstream_0123456789abcdef',
      slots: null,
      requests_per_minute: 100_000,
    },
  },
  clients: Array.from({ length: clients }, (_, i) => ({
    id: `client-${i}`,
    key: keyOf(i),
    limits: { requests_per_minute: 1_000_000 },
  })),
  routing: { default: 'main' },
})

interface Seeded {
  path: string
  authorization: string
}

/** Every client makes its videos through the API; answers what each is to read, and one of the bodies. */
const seed = async (gateway: string, { clients, videosEach }: Size): Promise<{ reads: Seeded[][]; body: string }> => {
  const bodies: string[] = []
  const create = async (authorization: string, n: number): Promise<Seeded> => {
    const asked = { image_url: 'https://img.example/anna.png', text: `Hello ${n}`, metadata: { order: String(n) } }
    const { headers, statusCode, body } = await request(`${gateway}/unified/v1/videos`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
    bodies.push(await body.text())
    if (statusCode >= 300) throw new Error(`a video could not be made: ${bodies.at(-1)}`)
    return { path: String(headers['location']), authorization }
  }
  const reads = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const made: Seeded[] = []
      for (let n = 0; n < videosEach; n += 1) made.push(await create(`Bearer ${keyOf(client)}`, n))
      return made
    }),
  )
  return { reads, body: bodies.toSorted((a, b) => a.length - b.length)[bodies.length >> 1] ?? '' }
}

/** One connection a client, each reads its own videos in turn, as fast as it is answered. */
const load = async (server: BenchServer, reads: readonly Seeded[][], amount: number): Promise<Round> => {
  let next = 0
  const before = await server.cpu()
  const result = await autocannon({
    url: server.url,
    connections: reads.length,
    amount,
    setupClient: (client) => {
      const own = reads[next++ % reads.length] ?? []
      client.setRequests(own.map(({ path, authorization }) => ({ method: 'GET', path, headers: { authorization } })))
    },
  })
  const spent = (await server.cpu()) - before
  if (result['2xx'] !== amount) throw new Error(`${amount - result['2xx']} of ${amount} reads were not answered 200`)
  return { cpuUs: spent / amount, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Pure: what the rounds, in the order in which they were run, come to. */
export const rowsOf = (gateway: readonly Round[], bare: readonly Round[]): Row[] => {
  const line = (what: string, rounds: readonly Round[]): Row => ({
    what,
    goal: null,
    measured: [
      `${median(rounds.map(({ cpuUs }) => cpuUs)).toFixed(0)} µs CPU`,
      `p50 ${median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(0)} ms`,
      `p99 ${median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(0)} ms`,
    ].join(', '),
    optimum: null,
    met: true,
  })
  const ratios = gateway.map(({ cpuUs }, i) => cpuUs / (bare[i]?.cpuUs ?? 0))
  const ratio = median(ratios)
  const cost: Row = {
    what: 'CPU per request, getVideo beside it',
    goal: `≤ ${GOAL.toFixed(1)}×`,
    measured: `${ratio.toFixed(2)}× (rounds: ${ratios.map((one) => one.toFixed(2)).join(' ')})`,
    optimum: null,
    met: ratio <= GOAL,
  }
  return [line('bare Express 5', bare), line('getVideo', gateway), cost]
}

/** Rounds in turn, so that whatever else this machine does meets both alike. */
const measure = async (gateway: BenchServer, size: Size): Promise<Row[]> => {
  const { reads, body } = await seed(gateway.url, size)
  const bare = await startServer(new URL('./express.ts', import.meta.url), JSON.parse(body))
  try {
    for (const server of [bare, gateway]) await load(server, reads, size.requests)
    const rounds: { bare: Round; gateway: Round }[] = []
    for (let round = 0; round < size.rounds; round += 1)
      rounds.push({
        bare: await load(bare, reads, size.requests),
        gateway: await load(gateway, reads, size.requests),
      })
    return rowsOf(
      rounds.map((round) => round.gateway),
      rounds.map((round) => round.bare),
    )
  } finally {
    await bare.close()
  }
}

/** getVideo, authenticated and from SQLite, beside a bare Express route that answers a constant as long. */
export const read = async (size: Size = FULL): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const upstream = createUpstream()
  try {
    const setup: GatewaySetup = { folder, config: configOf(await listenLocally(upstream), size) }
    const gateway = await startServer(new URL('./gateway.ts', import.meta.url), setup)
    try {
      const rows = await measure(gateway, size)
      return {
        name: 'read',
        notes: [
          `${size.clients} clients with a key each, over a connection each, read ${size.videosEach} videos each in turn`,
          `medians of ${size.rounds} rounds in turn, ${size.requests} requests to each side; each side is a process of its own`,
          'latencies are those of a process at its limit: every client asks again as soon as it is answered',
        ],
        rows,
      }
    } finally {
      await gateway.close()
    }
  } finally {
    upstream.close()
    upstream.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
  }
}
