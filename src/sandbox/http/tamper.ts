import type { Fault } from '../faults.ts'
import type { Outcome } from './answer.ts'

type Headers = Readonly<Record<string, string>>

const moved = (isoTime: string, ms: number): string => new Date(Date.parse(isoTime) + ms).toISOString()

/** The headers that tell a time, and how each is moved by `ms`. */
const TIMES: Readonly<Record<string, (text: string, ms: number) => string>> = {
  Date: (text, ms) => new Date(Date.parse(text) + ms).toUTCString(),
  'X-RateLimit-Reset': (text, ms) => String(Number(text) + Math.round(ms / 1000)),
  'X-Service-Next-Poll-At': moved,
}

const skewedHeaders = (headers: Headers, ms: number): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, TIMES[name]?.(text, ms) ?? text]))

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
