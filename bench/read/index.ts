import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { type Goal, ratioRow, type Result, type Row } from '../report.ts'
import { costRatios, costRow, load, type Round } from '../servers/load.ts'
import { listenLocally } from '../servers/serve.ts'
import { startServer, type BenchServer } from '../servers/start.ts'
import { configOf, keyOf } from './config.ts'
import type { GatewaySetup } from './gateway.ts'

export interface Size {
  clients: number
  videosEach: number
  rounds: number
  /** Requests of one round, to each side. */
  requests: number
}
export const FULL: Size = { clients: 200, videosEach: 5, rounds: 9, requests: 20_000 }

/** CPU of a read by that of the bare route in the same round, and of a 304 by that of the read. */
const GOAL = { read: 1.6, unchanged: 1 }

/** An upstream that answers at once: every second job is done, the others run for the next hour. */
export const createUpstream = (): Server => {
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

export interface Seeded {
  path: string
  headers: Readonly<Record<string, string>>
}

/** What one round measured, side by side. `unchanged`: reads that are answered 304. */
export type Sides = Record<'bare' | 'read' | 'unchanged', Round>

/** Every client makes its videos through the API; answers what each is to read, and one of the bodies. */
export const seed = async (
  gateway: string,
  { clients, videosEach }: Size,
): Promise<{ reads: Seeded[][]; body: string }> => {
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
    return { path: String(headers['location']), headers: { authorization } }
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

/** The same reads, of clients that have each video as it is. */
export const knowing = (gateway: string, reads: readonly Seeded[][]): Promise<Seeded[][]> =>
  Promise.all(
    reads.map((own) =>
      Promise.all(
        own.map(async ({ path, headers }) => {
          const answer = await request(`${gateway}${path}`, { headers })
          await answer.body.dump()
          return { path, headers: { ...headers, 'if-none-match': String(answer.headers['etag']) } }
        }),
      ),
    ),
  )

/** Pure: what the rounds, in the order in which they were run, come to. */
export const rowsOf = (rounds: readonly Sides[]): Row[] => {
  const of = (side: keyof Sides): Round[] => rounds.map((round) => round[side])
  const ratio = (what: string, side: keyof Sides, reference: keyof Sides, goal: Goal | null): Row =>
    ratioRow(what, costRatios(of(side), of(reference)), goal)
  return [
    costRow('bare Express 5', of('bare')),
    costRow('getVideo', of('read')),
    costRow('getVideo, not modified', of('unchanged')),
    { ...ratio('CPU of a read by that of the bare route', 'read', 'bare', { most: GOAL.read }), isOpen: true },
    ratio('CPU of a 304 by that of the 200', 'unchanged', 'read', { most: GOAL.unchanged }),
    ratio('CPU of a 304 by that of the bare route', 'unchanged', 'bare', null),
  ]
}

/** Rounds in turn, so that whatever else this machine does meets all alike. */
const measure = async (gateway: BenchServer, size: Size): Promise<Row[]> => {
  const { reads, body } = await seed(gateway.url, size)
  const bare = await startServer(new URL('./express.ts', import.meta.url), JSON.parse(body))
  try {
    const known = await knowing(gateway.url, reads)
    const { clients, requests: amount } = size
    /** Each client reads its own videos in turn. */
    const of = (all: readonly Seeded[][], expected: '2xx' | '3xx' = '2xx') => ({
      clients,
      amount,
      expected,
      requestsOf: (client: number) => all[client]?.map((one) => ({ method: 'GET' as const, ...one })) ?? [],
    })
    const round = async (): Promise<Sides> => ({
      bare: await load(bare, of(reads)),
      read: await load(gateway, of(reads)),
      unchanged: await load(gateway, of(known, '3xx')),
    })
    await round()
    const rounds: Sides[] = []
    for (let n = 0; n < size.rounds; n += 1) rounds.push(await round())
    return rowsOf(rounds)
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
