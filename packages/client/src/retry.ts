import type { TalkbridgeError } from './error.ts'

const FIRST_MS = 500
const MOST_MS = 8_000
/** A longer wait is the caller's decision: the error says `retryAfterMs`. */
export const MAX_RETRY_AFTER_MS = 60_000

/** What `Retry-After` says, in seconds or as a date (RFC 9110, 10.2.3); null: nothing that can be read. */
export const retryAfterMs = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  // Alone it would take much for a date that is none, such as -1.
  const atMs = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}

interface Tried {
  error: TalkbridgeError
  /** How often the request was repeated before. */
  retries: number
  maxRetries: number
  /** Whether a request whose outcome is not known may be sent again. */
  isRepeatable: boolean
}

/** The gateway decides by `retryable`. Where it did not answer, only what is safe to repeat is repeated. Null: not again. */
export const retryDelayMs = (
  { error, retries, maxRetries, isRepeatable }: Tried,
  random: () => number,
): number | null => {
  const isSafe = error.problem !== null || isRepeatable
  const askedMs = error.retryAfterMs ?? 0
  if (!error.retryable || !isSafe || retries >= maxRetries || askedMs > MAX_RETRY_AFTER_MS) return null
  const backoffMs = Math.min(MOST_MS, FIRST_MS * 2 ** retries)
  // Never earlier than asked for; clients that were refused together do not come back together.
  return Math.max(askedMs, backoffMs / 2) + (random() * backoffMs) / 2
}
