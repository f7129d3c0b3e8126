import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { z } from 'zod'
import { VideoView } from '../../src/core/api/videos.ts'
import type { Backend } from './promises.ts'
import { CLIENT_KEY, type Stage } from './stage.ts'

/** What a video is asked of, by its number. */
export type BackendOf = (n: number) => Backend

export interface Crowd {
  /** Ids by the number of the order, of those that were accepted. */
  readonly accepted: ReadonlyMap<number, string>
  /** Answers that nobody should get, in words. */
  readonly surprises: readonly string[]
  /** Resolves when every order was accepted. */
  readonly done: Promise<void>
}

export interface CrowdOptions {
  orders: number
  backendOf: BackendOf
  /** Clients that ask at the same time. */
  atOnce: number
  /** Between two orders of one client. */
  pauseMs: number
  signal: AbortSignal
  /** False: whatever is not an acceptance is a surprise, and nobody asks again. Default true. */
  patient?: boolean
}

/** So long a client waits for an answer. */
const PATIENCE_MS = 10_000
const RETRY_MS = 250

export const bodyOf = (backend: Backend, n: number, hook: string, text = `Order ${n}.`): string =>
  JSON.stringify({
    ...(backend === 'primary' ? { image_url: `https://example.com/${n}.png` } : { puppet_id: 'alt:pup_ada' }),
    text,
    webhook_url: `${hook}/hook`,
    metadata: { order: String(n) },
  })

export const Accepted = z.object({ id: z.string(), metadata: z.object({ order: z.string() }) })

/** What a client asks again after: its replica is gone, stops, has no store, or is still at work on the same key. */
const AGAIN = [409, 502, 503]

/** Why a request got no answer: what `fetch` throws says so in its cause alone. */
export const reasonOf = (error: unknown): string =>
  inspect(error instanceof Error ? (error.cause ?? error) : error, { depth: 0 })

export const bearer = { authorization: `Bearer ${CLIENT_KEY}` }

export const read = async (stage: Stage, id: string): Promise<VideoView> => {
  const response = await fetch(`${stage.balancer.url}/unified/v1/videos/${id}`, { headers: bearer })
  return VideoView.parse(await response.json())
}

/** Clients that order videos through the balancer, each under a key of its own, until all are accepted. */
export const startCrowd = (stage: Stage, options: CrowdOptions): Crowd => {
  const { orders, backendOf, atOnce, pauseMs, signal, patient = true } = options
  const accepted = new Map<number, string>()
  const surprises: string[] = []
  let next = 0

  const ask = async (n: number): Promise<boolean> => {
    const response = await fetch(`${stage.balancer.url}/unified/v1/videos`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json', 'idempotency-key': `order-${n}` },
      body: bodyOf(backendOf(n), n, stage.receiver.url),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    const text = await response.text()
    if (patient && AGAIN.includes(response.status)) return false
    if (!response.ok) {
      surprises.push(`order ${n} was answered ${response.status}: ${text}`)
      return true
    }
    const { id, metadata } = Accepted.parse(JSON.parse(text))
    if (metadata.order !== String(n)) surprises.push(`order ${n} was given the video of order ${metadata.order}`)
    accepted.set(n, id)
    return true
  }

  const unheard = (n: number, error: unknown): boolean => {
    if (patient || signal.aborted) return false
    surprises.push(`order ${n} broke: ${reasonOf(error)}`)
    return true
  }

  const client = async (): Promise<void> => {
    while (next < orders && !signal.aborted) {
      const n = next
      next += 1
      // A connection that broke told nothing: the key makes asking again safe.
      while (!signal.aborted && !(await ask(n).catch((error: unknown) => unheard(n, error)))) await sleep(RETRY_MS)
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const done = Promise.all(Array.from({ length: atOnce }, client)).then(() => undefined)
  return { accepted, surprises, done }
}
