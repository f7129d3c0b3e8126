import type { Fault } from '../faults.ts'
import type { Outcome } from './answer.ts'

type Headers = Readonly<Record<string, string>>

/** Seconds, HTTP dates and ISO times of the answer, each moved by `ms`. */
const skewedHeaders = (headers: Headers, ms: number): Headers => ({
  ...headers,
  ...(headers['Date'] !== undefined && { Date: new Date(Date.parse(headers['Date']) + ms).toUTCString() }),
  ...(headers['X-RateLimit-Reset'] !== undefined && {
    'X-RateLimit-Reset': String(Number(headers['X-RateLimit-Reset']) + Math.round(ms / 1000)),
  }),
  ...(headers['X-Service-Next-Poll-At'] !== undefined && {
    'X-Service-Next-Poll-At': moved(headers['X-Service-Next-Poll-At'], ms),
  }),
})

const moved = (isoTime: string, ms: number): string => new Date(Date.parse(isoTime) + ms).toISOString()

/** The body's poll times mirror the header's (primary, "Shared response headers"). */
const skewedText = (text: string, ms: number): string =>
  text.replaceAll(
    /"(next_poll_at|nextPollAt)":"([^"]+)"/g,
    (_, name: string, at: string) => `"${name}":"${moved(at, ms)}"`,
  )

const without = (headers: Headers, names: readonly string[]): Headers => {
  const dropped = new Set(names.map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name.toLowerCase())))
}

/** Joins the outcome's own headers to the shared ones, as a fault on headers wants them. */
export const tampered = (fault: Fault | null, outcome: Outcome, shared: Headers): Outcome => {
  if (outcome.kind !== 'answer' && outcome.kind !== 'huge') return outcome
  const headers: Headers = { ...shared, ...outcome.headers }
  if (fault?.kind === 'drop-headers') return { ...outcome, headers: { ...without(headers, fault.headers) } }
  if (fault?.kind !== 'clock-skew') return { ...outcome, headers: { ...headers } }
  const skewed = { ...outcome, headers: { ...skewedHeaders(headers, fault.skew_ms) } }
  return skewed.kind === 'answer' ? { ...skewed, text: skewedText(skewed.text, fault.skew_ms) } : skewed
}
