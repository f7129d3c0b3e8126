import { setTimeout as sleep } from 'node:timers/promises'
import { Accepted, bearer, bodyOf, reasonOf } from '../../test/replicas/crowd.ts'
import { mixed } from '../../test/replicas/run.ts'
import type { Stage } from '../../test/replicas/stage.ts'

/** What the clients of a phase met. */
export interface Tally {
  /** Creates and reads; each counts once, however often it was asked. */
  requests: number
  /** Those that were answered 503 at least once. */
  refused: number
  /** Answers 503 of all tries. */
  refusals: number
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

export const CREATE_EVERY_MS = 500
export const READ_EVERY_MS = 100
/** So long a client waits for an answer before it asks again. */
export const PATIENCE_MS = 2_000
const RETRY_MS = 250
/** Half a minute of speech: jobs of some seconds, so that some end while a server is away. */
const TEXT = 'All that is said takes its time. '.repeat(14)
/** What has no answer by then is lost. */
const GIVE_UP_MS = 90_000

interface Answer {
  /** 0: none, for the reason in `text`. */
  status: number
  text: string
}

const once = async (url: string, init: RequestInit): Promise<Answer> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: reasonOf(error) }
  }
}

/** A request as a careful client makes it: again after 503 and after a broken connection. Null: it is lost. */
const insist = async (tally: Tally, url: string, init: RequestInit): Promise<string | null> => {
  const startedMs = performance.now()
  let refusals = 0
  let last: Answer | null = null
  tally.requests += 1
  while (performance.now() - startedMs < GIVE_UP_MS) {
    last = await once(url, init)
    const { status, text } = last
    if (status >= 200 && status < 300) {
      tally.longestMs = Math.max(tally.longestMs, performance.now() - startedMs)
      return text
    }
    if (![0, 409, 503].includes(status)) break
    if (status === 503) {
      refusals += 1
      if (refusals === 1) tally.refused += 1
      tally.refusals += 1
      tally.lastRefusedMs = Date.now()
    } else tally.askedAgain += 1
    await sleep(RETRY_MS)
  }
  tally.lost.push(`${init.method} was lost: ${last?.status} ${last?.text}`)
  return null
}

/** Creates and reads at a steady pace, whatever becomes of those before. `first`: the number of the first create. */
export const startTrickle = (stage: Stage, first: number, known: readonly string[]): Trickle => {
  const tally: Tally = {
    requests: 0,
    refused: 0,
    refusals: 0,
    lastRefusedMs: null,
    askedAgain: 0,
    longestMs: 0,
    lost: [],
  }
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
      body: bodyOf(mixed(n), n, stage.receiver.url, TEXT),
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
