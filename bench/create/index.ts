import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configOf, keyOf } from '../read/config.ts'
import type { GatewaySetup } from '../read/gateway.ts'
import { ratioRow, type Result, type Row } from '../report.ts'
import { costRatios, costRow, load, type Round } from '../servers/load.ts'
import { startServer, type BenchServer } from '../servers/start.ts'
import { fetchPortkey, PORTKEY, type Fetched } from './portkey-package.ts'

export interface Size {
  clients: number
  rounds: number
  /** Requests of one round, to each side. */
  requests: number
}
export const FULL: Size = { clients: 50, rounds: 7, requests: 1_500 }

/** Of the durable reference, and of Portkey's gateway, which stores nothing. */
const GOALS = { durable: 1.6, portkey: 0.9 } as const

interface Side {
  server: BenchServer
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  keyed: boolean
}
export interface Rounds {
  durable: Round[]
  gateway: Round[]
  portkey: Round[]
}

const VIDEO = JSON.stringify({
  image_url: 'https://img.example/anna.png',
  text: 'Hello, and welcome to our shop. What are you looking for today?',
  metadata: { order: '1234' },
})
/** As its own documentation shows it: a chat in OpenAI's form, for a provider that speaks another one. */
const CHAT = JSON.stringify({
  model: 'bench',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello, and welcome to our shop. What are you looking for today?' }],
})

const requestsOf =
  ({ path, headers, body, keyed }: Side) =>
  (client: number) => {
    const key = keyed && { authorization: `Bearer ${keyOf(client)}` }
    return [
      { method: 'POST' as const, path, headers: { 'content-type': 'application/json', ...headers, ...key }, body },
    ]
  }

const BESIDE_PORTKEY = 'CPU per request, beside Portkey’s gateway'

/** Pure: what the rounds, in the order in which they were run, come to. `absent`: why Portkey was not measured. */
export const rowsOf = ({ durable, gateway, portkey }: Rounds, absent: string | null): Row[] => {
  const rows = [
    costRow('bare Express 5, node:sqlite and undici', durable),
    costRow('createVideo', gateway),
    ratioRow('CPU per request, beside the reference', costRatios(gateway, durable), { most: GOALS.durable }),
  ]
  if (absent === null)
    return [
      ...rows,
      costRow(PORTKEY, portkey),
      ratioRow(BESIDE_PORTKEY, costRatios(gateway, portkey), { most: GOALS.portkey }),
    ]
  const goal = `≤ ${GOALS.portkey.toFixed(2)}×`
  return [...rows, { what: BESIDE_PORTKEY, goal, measured: `not measured: ${absent}`, optimum: null, met: false }]
}

/** Rounds in turn, so that whatever else this machine does meets all alike. */
const measure = async (sides: Partial<Record<keyof Rounds, Side>>, size: Size): Promise<Rounds> => {
  const rounds: Rounds = { durable: [], gateway: [], portkey: [] }
  for (let round = -1; round < size.rounds; round += 1)
    for (const name of ['durable', 'gateway', 'portkey'] as const) {
      const side = sides[name]
      const amount = size.requests
      const measured =
        side && (await load(side.server, { clients: size.clients, amount, requestsOf: requestsOf(side) }))
      // The first one compiles and fills caches.
      if (measured && round >= 0) rounds[name].push(measured)
    }
  return rounds
}

const startSides = async (folder: string, upstream: BenchServer, portkey: Fetched, size: Size) => {
  const { url } = upstream
  const gateway: GatewaySetup = { folder, config: configOf(url, size) }
  const start = (module: string, setup: unknown) => startServer(new URL(module, import.meta.url), setup)
  const video = { path: '/unified/v1/videos', headers: {}, body: VIDEO, keyed: true }
  const chat = {
    'x-portkey-provider': 'anthropic',
    'x-portkey-custom-host': `${url}/v1`,
    authorization: 'Bearer upstream_0123456789abcdef',
  }
  return {
    durable: { ...video, server: await start('./express.ts', { upstream: url, folder }) },
    gateway: { ...video, server: await start('../read/gateway.ts', gateway) },
    ...(portkey.ok && {
      portkey: {
        server: await start('./portkey.ts', portkey.entry),
        path: '/v1/chat/completions',
        headers: chat,
        body: CHAT,
        keyed: false,
      },
    }),
  }
}

/** createVideo, durable before it is sent on, beside the least that is as durable, and beside a gateway of others. */
export const create = async (size: Size = FULL, fetch: () => Promise<Fetched> = fetchPortkey): Promise<Result> => {
  const portkey = await fetch()
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const upstream = await startServer(new URL('./upstream.ts', import.meta.url), null)
  try {
    const sides = await startSides(folder, upstream, portkey, size)
    try {
      const rounds = await measure(sides, size)
      return {
        name: 'create',
        notes: [
          `${size.clients} clients with a key each, over a connection each, create videos as fast as they are answered`,
          `medians of ${size.rounds} rounds in turn, ${size.requests} requests to each side; each side is a process of its own`,
          'CPU of the whole process: the store’s thread, the log and the engine’s work beside the requests are in it',
        ],
        rows: rowsOf(rounds, portkey.ok ? null : portkey.why),
      }
    } finally {
      await Promise.all(Object.values(sides).map(({ server }) => server.close()))
    }
  } finally {
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
}
