import type { Attempt, Delivery } from '../core/store/webhooks.ts'
import type { Clock } from '../core/time/clock.ts'
import { exchange, type Exchange } from '../http/exchange.ts'
import type { GuardedAgent } from '../http/guard-agent.ts'
import { isDelivered, type AttemptOutcome } from './schedule.ts'
import { sign } from './sign.ts'

/** Kept of each answer. */
export const KEPT_ANSWER_BYTES = 16 * 1024

const MAX_ERROR_LENGTH = 300

export interface Sent {
  attempt: Attempt
  outcome: AttemptOutcome
  /** When it ended, in milliseconds since the epoch. */
  endedAtMs: number
}

export interface PostOptions {
  agent: Pick<GuardedAgent, 'check' | 'dispatcher'>
  clock: Clock
  /** For the whole exchange, the answer's body included. */
  timeoutMs: number
  userAgent: string
  /** What goes out beside what is signed. */
  headers?: Readonly<Record<string, string>>
}

/** Bytes of a stranger as text, at most `KEPT_ANSWER_BYTES` in UTF-8: each bad byte becomes three. */
const keptText = (bytes: Buffer): string => {
  const text = Buffer.from(bytes.toString())
  // Drops a character that was cut in the middle.
  return text.length <= KEPT_ANSWER_BYTES
    ? text.toString()
    : text.toString('utf8', 0, KEPT_ANSWER_BYTES).replace(/\uFFFD$/, '')
}

/** The error that the client is shown: one line, bounded. TLS errors may quote a certificate. */
const publicError = (text: string): string =>
  text
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_ERROR_LENGTH)

export const outcomeOf = (result: Exchange): AttemptOutcome => {
  if (result.kind === 'answered')
    return { kind: 'answered', status: result.status, retryAfter: result.headers['retry-after'] ?? null }
  return { kind: result.fault === 'timeout' ? 'timeout' : 'failed' }
}

const errorOf = (result: Exchange): string | null => {
  if (result.kind === 'answered') {
    if (isDelivered(outcomeOf(result))) return null
    return result.status >= 300 && result.status < 400 ? 'redirects are not followed' : `status ${result.status}`
  }
  const begun = result.status === null ? '' : ` (an answer of status ${result.status} had begun)`
  return publicError(`${result.fault}: ${result.message}${begun}`)
}

/**
 * What is stored of an attempt. An answer that was cut off has no status: it is no success, whatever its first line
 * said.
 */
export const attemptOf = (result: Exchange, atMs: number, endedAtMs: number): Attempt => ({
  atMs,
  durationMs: endedAtMs - atMs,
  status: result.kind === 'answered' ? result.status : null,
  error: errorOf(result),
  responseBody: result.kind === 'answered' ? keptText(result.body) : null,
})

const refused = (message: string): Exchange => ({
  kind: 'failed',
  began: false,
  fault: 'connection',
  status: null,
  headers: {},
  message,
})

interface Signed {
  id: string
  url: string
  body: string
}

/** Checks the URL again, signs the stored bytes and sends them unchanged. */
const send = async (
  { id, url, body }: Signed,
  secrets: readonly string[],
  { agent, clock, timeoutMs, userAgent, headers }: PostOptions,
): Promise<Exchange> => {
  const verdict = agent.check(url)
  if (!verdict.ok) return refused(`the URL is not allowed: ${verdict.message}`)
  return exchange({
    dispatcher: agent.dispatcher,
    method: 'POST',
    url: verdict.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...headers,
      ...sign({ secrets, id, timestampS: Math.floor(clock.wall() / 1000), body }),
    },
    body,
    timeoutMs,
    maxBytes: KEPT_ANSWER_BYTES,
    overflow: 'truncate',
  })
}

/**
 * Makes one attempt (Standard Webhooks 1.0.0). Whatever the receiver does is an outcome. Throws only on a malformed
 * secret of ours.
 */
export const post = async (delivery: Delivery, secrets: readonly string[], options: PostOptions): Promise<Sent> => {
  const { clock } = options
  const { id, body } = delivery.event
  const atMs = clock.now()
  const result = await send({ id, url: delivery.target.url, body }, secrets, options)
  const endedAtMs = clock.now()
  return { attempt: attemptOf(result, atMs, endedAtMs), outcome: outcomeOf(result), endedAtMs }
}

/** Sends a test event. Nothing is kept. The client sees what its receiver answered, as in an attempt of a delivery. */
export const postTest = async (message: Signed, secrets: readonly string[], options: PostOptions) => {
  const atMs = options.clock.now()
  const result = await send(message, secrets, options)
  return {
    delivered: isDelivered(outcomeOf(result)),
    status: result.kind === 'answered' ? result.status : null,
    error: errorOf(result),
    responseBody: result.kind === 'answered' ? keptText(result.body) : null,
    durationMs: options.clock.now() - atMs,
  }
}
