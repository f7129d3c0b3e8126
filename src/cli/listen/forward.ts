import { request, type Dispatcher } from 'undici'
import { sign } from '../../webhooks/sign.ts'
import { why } from './why.ts'

/** One try to hand an event to the receiver. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly durationMs: number }

export type Next = { readonly kind: 'delivered' | 'given_up' } | { readonly kind: 'again'; readonly waitMs: number }

/** How often an answer other than 2xx is asked for again; a receiver that is down is waited for without end. */
export const MOST_REFUSALS = 5
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 10_000
const RECEIVER_MS = 15_000

/** What a proxy in front of it says when it is down, or itself when it wants to be left alone. */
const DOWN: readonly number[] = [429, 502, 503, 504]

/**
 * What comes after a try: down is waited for, in order; an answer that refuses is tried `MOST_REFUSALS` times in all,
 * since the one that develops it may be mending it; 410 says not to come again. Pure.
 */
export const afterTry = (outcome: Outcome, tries: number, refusals: number): Next => {
  const again: Next = { kind: 'again', waitMs: Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10), LONGEST_WAIT_MS) }
  if (outcome.kind === 'unreachable' || DOWN.includes(outcome.status)) return again
  if (outcome.status >= 200 && outcome.status < 300) return { kind: 'delivered' }
  return outcome.status === 410 || refusals >= MOST_REFUSALS ? { kind: 'given_up' } : again
}

/** Whether the receiver answered, and not for this event. */
export const isRefusal = (outcome: Outcome): boolean =>
  outcome.kind === 'answered' && !DOWN.includes(outcome.status) && (outcome.status < 200 || outcome.status >= 300)

export interface Sending {
  readonly url: string
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
  readonly userAgent: string
  /** Unix time in milliseconds. */
  readonly nowMs: () => number
}

export interface Message {
  readonly id: string
  readonly body: string
  readonly secret: string
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.name === 'TimeoutError' ? `no answer in ${RECEIVER_MS / 1000} s` : why(error)

/** One POST of the event's own bytes, signed for this moment; redirects are not followed. Rejects only by `signal`. */
export const postOnce = async ({ id, body, secret }: Message, sending: Sending): Promise<Outcome> => {
  const { url, dispatcher, signal, userAgent, nowMs } = sending
  const sinceMs = performance.now()
  const taken = (): number => Math.round(performance.now() - sinceMs)
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(RECEIVER_MS)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...sign({ secrets: [secret], id, timestampS: Math.floor(nowMs() / 1000), body }),
      },
      body,
    })
    await response.body.dump({ limit: 16 * 1024 })
    return { kind: 'answered', status: response.statusCode, durationMs: taken() }
  } catch (error) {
    if (signal.aborted) throw error
    return { kind: 'unreachable', reason: reasonOf(error), durationMs: taken() }
  }
}
