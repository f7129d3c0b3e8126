import autocannon from 'autocannon'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configOf, keyOf } from '../read/config.ts'
import type { GatewaySetup } from '../read/gateway.ts'
import { median, ratioRow, type Result, type Row } from '../report.ts'
import { listenLocally } from '../servers/serve.ts'
import { startServer, type BenchServer } from '../servers/start.ts'

export interface Size {
  clients: number
  rounds: number
  /** Requests of one round, to each side. */
  requests: number
}
export const FULL: Size = { clients: 50, rounds: 9, requests: 10_000 }

const GOAL = 1.4

const PATH = '/api/v1/tts/service'
const GATEWAY = new URL('../read/gateway.ts', import.meta.url)

/** What a round measured of one side. */
export interface Round {
  cpuUs: number
  p50Ms: number
  p99Ms: number
}

const ASKED = JSON.stringify({ voice_id: 'service-voice_1', text: 'Hello from a client that changed its URL.' })
const SPEECH = JSON.stringify({
  object: 'speech',
  id: 'aud_0123456789abcdef',
  audio_url: 'https://files.example/aud_0123456789abcdef.wav?expires=1795168860&signature=0123456789abcdef',
  content_type: 'audio/wav',
  voice_id: 'service-voice_1',
  duration_seconds: 2.8,
})

/** A window that never ends: a backend of ten requests a minute would be no load. */
const LIMIT = 1_000_000_000

const createUpstream = (): Server => {
  let remaining = LIMIT
  // A side waits while the other is measured: its connections must not be closed under its next request.
  return createServer({ keepAliveTimeout: 600_000 }, (req, res) => {
    req.resume()
    remaining -= 1
    res.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(SPEECH)),
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 60),
      'x-request-id': `req_${remaining}`,
      server: 'upstream',
    })
    res.end(SPEECH)
  })
}

/** One connection a client, as fast as it is answered. */
const load = async (server: BenchServer, { clients }: Size, amount: number): Promise<Round> => {
  let next = 0
  const before = await server.cpu()
  const result = await autocannon({
    url: server.url,
    connections: clients,
    amount,
    setupClient: (client) => {
      const authorization = `Bearer ${keyOf(next++ % clients)}`
      const headers = { authorization, 'content-type': 'application/json', 'user-agent': 'bench' }
      client.setRequests([{ method: 'POST', path: PATH, headers, body: ASKED }])
    },
  })
  const spent = (await server.cpu()) - before
  if (result['2xx'] !== amount) throw new Error(`${amount - result['2xx']} of ${amount} requests were not answered 200`)
  return { cpuUs: spent / amount, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

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
  const cost = { ...ratioRow('CPU per request, the gateway beside it', ratios, { most: GOAL }), isOpen: true }
  return [line('bare Express 5 and http-proxy-middleware', bare), line('the gateway', gateway), cost]
}

/** Rounds in turn, so that whatever else this machine does meets both alike. */
const measure = async (gateway: BenchServer, upstream: string, size: Size): Promise<Row[]> => {
  const bare = await startServer(new URL('./express.ts', import.meta.url), upstream)
  try {
    for (const server of [bare, gateway]) await load(server, size, size.requests)
    const rounds: { bare: Round; gateway: Round }[] = []
    for (let round = 0; round < size.rounds; round += 1)
      rounds.push({
        bare: await load(bare, size, size.requests),
        gateway: await load(gateway, size, size.requests),
      })
    return rowsOf(
      rounds.map((round) => round.gateway),
      rounds.map((round) => round.bare),
    )
  } finally {
    await bare.close()
  }
}

/** Speech handed through by the gateway, beside the same proxy with nothing around it, to one upstream. */
export const passthrough = async (size: Size = FULL): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const upstream = createUpstream()
  try {
    const url = await listenLocally(upstream)
    const setup: GatewaySetup = { folder, config: configOf(url, size) }
    const gateway = await startServer(GATEWAY, setup)
    try {
      const rows = await measure(gateway, url, size)
      return {
        name: 'passthrough',
        notes: [
          `${size.clients} clients with a key each, over a connection each, have one upstream make speech`,
          `medians of ${size.rounds} rounds in turn, ${size.requests} requests to each side; each side is a process of its own`,
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
