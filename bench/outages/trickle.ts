import { setTimeout as sleep } from 'node:timers/promises'
import { Accepted, bearer, bodyOf, reasonOf } from '../../test/replicas/crowd.ts'
import { mixed } from '../../test/replicas/run.ts'
import type { Stage } from '../../test/replicas/stage.ts'

/** What the clients of a phase met. */
export interface Tally {
  /** Creates and reads; each counts once, however often it was asked. */
  requests: number
  /** Answers 503. */
  refused: number
  /** When the last of them came; null: there was none. */
  lastRefusedMs: number | null
  /** Connections that broke, answers that took too long, and keys still in use (409): asked again. */
  askedAgain: number
  /** From the first try of a request to its answer, at most. */
  longestMs: number
  /** Requests that got an answer that nobody should get, or none at all, in words. */
  lost: string[]
}

export interface Trickle {
  readonly tally: Tally
  /** Ids of the accepted videos. */
  readonly accepted: readonly string[]
  /** Nothing new is asked; resolves when all that was asked has its answer. */
  stop(): Promise<void>
}

export const CREATE_EVERY_MS = 1_000
export const READ_EVERY_MS = 100
/** So long a client waits for an answer before it asks again. */
export const PATIENCE_MS = 2_000
const RETRY_MS = 250
/** What has no answer by then is lost. */
const GIVE_UP_MS = 90_000

/** The text of a good answer; null: ask again, or (in `lost`) never. */
const once = async (tally: Tally, url: string, init: RequestInit): Promise<string | null> => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
  const text = await response.text()
  if (response.ok) return text
  if (response.status === 503) {
    tally.refused += 1
    tally.lastRefusedMs = Date.now()
  } else if (response.status === 409) tally.askedAgain += 1
  else tally.lost.push(`${init.method} was answered ${response.status}: ${text}`)
  return null
}

/** A request as a careful client makes it: again after 503 and after a broken connection. */
const insist = async (tally: Tally, url: string, init: RequestInit): Promise<string | null> => {
  const startedMs = performance.now()
  const lostBefore = tally.lost.length
  let why = '503 or 409'
  tally.requests += 1
  while (performance.now() - startedMs < GIVE_UP_MS) {
    const text = await once(tally, url, init).catch((error: unknown) => {
      tally.askedAgain += 1
      why = reasonOf(error)
      return null
    })
    if (text !== null) {
      tally.longestMs = Math.max(tally.longestMs, performance.now() - startedMs)
      return text
    }
    if (tally.lost.length > lostBefore) return null
    await sleep(RETRY_MS)
  }
  tally.lost.push(`${init.method} had no answer: ${why}`)
  return null
}

/** Creates and reads at a steady pace, whatever becomes of those before. `first`: the number of the first create. */
export const startTrickle = (stage: Stage, first: number, known: readonly string[]): Trickle => {
  const tally: Tally = { requests: 0, refused: 0, lastRefusedMs: null, askedAgain: 0, longestMs: 0, lost: [] }
  const accepted: string[] = []
  const pending = new Set<Promise<void>>()
  const videos = `${stage.balancer.url}/unified/v1/videos`
  let next = first

  const create = async (): Promise<void> => {
    const n = next
    next += 1
    const headers = { ...bearer, 'content-type': 'application/json', 'idempotency-key': `order-${n}` }
    const text = await insist(tally, videos, {
      method: 'POST',
      headers,
      body: bodyOf(mixed(n), n, stage.receiver.url),
    })
    if (text !== null) accepted.push(Accepted.parse(JSON.parse(text)).id)
  }
  const read = async (): Promise<void> => {
    const id = accepted.at(-1) ?? known.at(-1)
    if (id !== undefined) await insist(tally, `${videos}/${id}`, { method: 'GET', headers: bearer })
  }
  const begin = (ask: () => Promise<void>): void => {
    const asking = ask()
      .catch((error: unknown) => void tally.lost.push(reasonOf(error)))
      .finally(() => pending.delete(asking))
    pending.add(asking)
  }
  const timers = [setInterval(begin, CREATE_EVERY_MS, create), setInterval(begin, READ_EVERY_MS, read)]
  return {
    tally,
    accepted,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(pending)
    },
  }
}
