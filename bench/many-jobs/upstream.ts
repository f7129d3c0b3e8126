import { createServer } from 'node:http'
import { listenLocally } from '../servers/serve.ts'

/** A backend in a process of its own that answers at once: every job runs, and wants to be asked again after a while. */
export interface UpstreamSetup {
  /** What a window allows, and how long one lasts, in whole seconds. */
  limit: number
  windowMs: number
  /** After how long each job wants its next poll. */
  everyMs: number
}
/** What it counted since it was asked before. */
export interface Counted {
  polls: number
  /** Jobs that were polled at least once since the process began. */
  jobs: number
  /** Polls that came more than a millisecond before the job wanted one. */
  early: number
  /** Requests of the fullest window, each of which begins with its first request. */
  fullest: number
  /** How many requests the windows refused. */
  refused: number
  /** When the first of these polls came; 0: none did. */
  firstAtMs: number
}

const { limit, windowMs, everyMs } = JSON.parse(process.argv[2] ?? '') as UpstreamSetup

const next = new Map<string, number>()
let window = { untilMs: 0, requests: 0 }
const NOTHING: Counted = { polls: 0, jobs: 0, early: 0, fullest: 0, refused: 0, firstAtMs: 0 }
let counted = { ...NOTHING }

const server = createServer((req, res) => {
  const nowMs = Date.now()
  if (nowMs >= window.untilMs) window = { untilMs: nowMs + windowMs, requests: 0 }
  window.requests += 1
  const isRefused = window.requests > limit
  const rate = {
    'content-type': 'application/json',
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - window.requests)),
    'x-ratelimit-reset': String(Math.ceil(window.untilMs / 1_000)),
  }
  counted.fullest = Math.max(counted.fullest, window.requests)
  if (isRefused) {
    counted.refused += 1
    res.writeHead(429, rate).end('{"error":{"code":"rate_limited","message":"too many"}}')
    return
  }
  const id = (req.url ?? '').split('/').at(-1) ?? ''
  // A gateway that starts asks for its usage, which is no poll. Nor does anybody count the jobs of the reference.
  if (req.url?.startsWith('/api/v1/videos/') && !id.startsWith('bare_')) {
    counted.polls += 1
    counted.firstAtMs ||= nowMs
    counted.early += nowMs + 1 < (next.get(id) ?? 0) ? 1 : 0
    next.set(id, nowMs + everyMs)
  }
  res.writeHead(200, rate)
  res.end(
    JSON.stringify({
      id,
      status: 'processing',
      status_url: `/api/v1/videos/${id}`,
      next_poll_at: new Date(nowMs + everyMs).toISOString(),
    }),
  )
})

const url = await listenLocally(server)
process.on('message', () => {
  process.send?.({ ...counted, jobs: next.size })
  counted = { ...NOTHING }
})
process.once('disconnect', () => process.exit())
process.send?.(url)
