import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configOf, keyOf } from '../read/config.ts'
import type { GatewaySetup } from '../read/gateway.ts'
import { ratioRow, type Result, type Row } from '../report.ts'
import { costRatios, costRow, load, type Round } from '../servers/load.ts'
import { listenLocally } from '../servers/serve.ts'
import { startServer, type BenchServer } from '../servers/start.ts'

export interface Size {
  clients: number
  rounds: number
  /** Requests of one round, to each side. */
  requests: number
}
export const FULL: Size = { clients: 50, rounds: 9, requests: 5_000 }

const GOAL = 1.4

const PATH = '/api/v1/tts/service'
const GATEWAY = new URL('../read/gateway.ts', import.meta.url)

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

const requestsOf = (client: number) => {
  const authorization = `Bearer ${keyOf(client)}`
  const headers = { authorization, 'content-type': 'application/json', 'user-agent': 'bench' }
  return [{ method: 'POST' as const, path: PATH, headers, body: ASKED }]
}

/** What the rounds of each side measured. `fresh`: the bare proxy with a connection for each request. */
export type Rounds = Record<'bare' | 'fresh' | 'gateway', readonly Round[]>

/** Pure: what the rounds, in the order in which they were run, come to. */
export const rowsOf = ({ bare, fresh, gateway }: Rounds): Row[] => [
  costRow('bare Express 5 and http-proxy-middleware', bare),
  costRow('the bare proxy with a new connection for each request', fresh),
  costRow('the gateway', gateway),
  { ...ratioRow('CPU per request, the gateway beside it', costRatios(gateway, bare), { most: GOAL }), isOpen: true },
  ratioRow('CPU per request, beside the proxy with new connections', costRatios(gateway, fresh), null),
]

/** Rounds in turn, so that whatever else this machine does meets all alike. */
const measure = async (gateway: BenchServer, upstream: string, { clients, requests, rounds }: Size): Promise<Row[]> => {
  const startBare = (keepAlive: boolean): Promise<BenchServer> =>
    startServer(new URL('./express.ts', import.meta.url), { target: upstream, keepAlive })
  const measured: Record<keyof Rounds, Round[]> = { bare: [], fresh: [], gateway: [] }
  const [bare, fresh] = await Promise.all([startBare(true), startBare(false)])
  const sides = { bare, fresh, gateway }
  try {
    for (let round = -1; round < rounds; round += 1)
      for (const side of ['bare', 'fresh', 'gateway'] as const) {
        const one = await load(sides[side], { clients, amount: requests, requestsOf })
        // The first one compiles and fills caches.
        if (round >= 0) measured[side].push(one)
      }
    return rowsOf(measured)
  } finally {
    await Promise.all([bare.close(), fresh.close()])
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
