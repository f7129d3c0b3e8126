import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { KEY, startGateway, type Gateway, type Upstream } from '../many-jobs/gateway.ts'
import { installed, type Installed } from '../many-jobs/installed.ts'
import type { Reading } from '../many-jobs/meter.ts'
import { openUpstream } from '../many-jobs/open-upstream.ts'
import { idOf, seed } from '../many-jobs/seed.ts'
import { type Result, type Row, shownRow } from '../report.ts'

export interface Size {
  open: number
  /** How often the backend wants each to be polled. */
  everyMs: number
  /** It ends when each was polled once, or after so long. */
  atMostMs: number
  /** How long nobody asks it for anything. */
  idleMs: number
  /** Reads by a client, beside the polls. */
  reads: number
}
export const FULL: Size = { open: 100_000, everyMs: 100_000, atMostMs: 300_000, idleMs: 5_000, reads: 5_000 }

const MOST_RSS_MB = { idle: 150, full: 300 }
const MB = 1024 * 1024
const SAMPLE_MS = 250

/** What one gateway took. */
export interface Taken {
  open: number
  polled: number
  /** The most that was seen while nobody asked for anything. */
  idleBytes: number
  /** What there was when a client had read. */
  servingBytes: number
  /** The most that was seen at any time. */
  mostBytes: number
  heapBytes: number
  externalBytes: number
}

/** Pure. */
export const rowsOf = (full: Taken, idle: Taken): Row[] => {
  const mb = (bytes: number): string => (bytes / MB).toFixed(0)
  const shown = (what: string, { idleBytes, servingBytes, mostBytes, heapBytes, externalBytes }: Taken): Row =>
    shownRow(
      what,
      `idle ${mb(idleBytes)} MB, after reads ${mb(servingBytes)} MB, at most ${mb(mostBytes)} MB; heap of the main thread ${mb(heapBytes)} MB, outside of it ${mb(externalBytes)} MB`,
    )
  const goal = (what: string, bytes: number, most: number, more = ''): Row => ({
    what: `memory of the process (RSS) ${what}`,
    goal: `≤ ${most} MB`,
    measured: `${mb(bytes)} MB${more}`,
    optimum: null,
    met: bytes / MB <= most,
  })
  const each = ((full.mostBytes - idle.mostBytes) / Math.max(1, full.open)).toFixed(0)
  return [
    shown('one open video', idle),
    shown(`${full.open} open videos, ${full.polled} of them polled`, full),
    goal('idle, with one open video', idle.idleBytes, MOST_RSS_MB.idle),
    goal(`with ${full.open} open videos, at most`, full.mostBytes, MOST_RSS_MB.full, `: ${each} bytes a video`),
  ]
}

const read = async (gateway: Gateway, videos: number, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const id = idOf((n * 7_919) % videos)
    const answer = await request(`${gateway.url}/unified/v1/videos/${id}`, {
      headers: { authorization: `Bearer ${KEY}` },
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`a read was answered ${answer.statusCode}`)
  }
}

/** Sampled until it is over, for `forMs` at most. */
const sampled = async (gateway: Gateway, forMs: number, isOver: () => Promise<boolean>): Promise<Reading[]> => {
  const readings: Reading[] = []
  const begunAt = performance.now()
  do {
    readings.push(await gateway.read())
    await pause(SAMPLE_MS)
  } while (performance.now() - begunAt < forMs && !(await isOver()))
  return readings
}

const mostOf = (readings: readonly Reading[]): number => Math.max(...readings.map(({ rssBytes }) => rssBytes))

const measure = async (
  gatewayOf: Installed,
  open: number,
  { everyMs, idleMs, reads, atMostMs }: Size,
): Promise<Taken> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  // Twice as many as are wanted: the window is not what holds polls up.
  const limit = Math.max(100, Math.ceil((open * 120_000) / everyMs))
  const backend = await openUpstream({ limit, windowMs: 60_000, everyMs })
  try {
    const upstream: Upstream = { url: backend.url, requestsPerMinute: Math.min(limit, 100_000) }
    await seed(folder, upstream, { jobs: open, nowMs: Date.now(), spreadMs: everyMs })
    const gateway = await startGateway(gatewayOf, { folder, upstream })
    try {
      const idleBytes = mostOf(await sampled(gateway, idleMs, async () => false))
      await read(gateway, open, reads)
      const serving = await gateway.read()
      let polled = 0
      const readings = await sampled(gateway, atMostMs, async () => {
        polled = (await backend.count()).jobs
        return polled >= open
      })
      const last = readings.at(-1) ?? serving
      const mostBytes = Math.max(idleBytes, mostOf([serving, ...readings]))
      const { heapBytes, externalBytes } = last
      return { open, polled, idleBytes, servingBytes: serving.rssBytes, mostBytes, heapBytes, externalBytes }
    } finally {
      await gateway.kill()
    }
  } finally {
    await backend.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the installed gateway takes of memory with very many open videos, all of them polled, beside one with none. */
export const memory = async (size: Size = FULL, build: typeof installed = installed): Promise<Result> => {
  const gateway = await build()
  const idle = await measure(gateway, 1, size)
  const full = await measure(gateway, size.open, size)
  return {
    name: 'memory',
    notes: [
      `the installed gateway, started as \`talkbridge serve\`, reads ${size.reads} videos for a client; an upstream wants each open job to be polled every ${size.everyMs / 1_000} s`,
      `until each was polled, or for ${size.atMostMs / 1_000} s; RSS is that of the whole process, every ${SAMPLE_MS} ms`,
    ],
    rows: rowsOf(full, idle),
  }
}
