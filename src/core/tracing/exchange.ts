import { methodOf } from './names.ts'
import { during, traceHeaders, type Span, type Tracing } from './tracing.ts'

/** Whom a request goes to. */
export interface Asked {
  backend: string
  /** By the names of the unified API; null: handed through as it came. */
  operation: string | null
  method: string
  origin: URL
}

/** What came of it: a status, or why there is none. */
export type Met = { status: number } | { fault: string }

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
/** Where a request goes, without its path: that may hold a token. */
export const addressOf = ({ hostname, port, protocol }: URL): { host: string; port: number | null } => ({
  host: hostname,
  port: port === '' ? (DEFAULT_PORTS[protocol] ?? null) : Number(port),
})

/** Notes the end of an exchange as a client's (semantic conventions, "HTTP client": from 400 on it failed). */
export const noteMet = (span: Span, met: Met): void => {
  if ('fault' in met) return span.fail(met.fault)
  span.set({ status: met.status })
  if (met.status >= 400) span.fail(String(met.status))
}

/** One exchange with a backend, as part of what runs. `send` is handed the headers that say so, and `met` reads its end. */
export const exchanged = async <T>(
  tracing: Tracing,
  { backend, operation, method, origin }: Asked,
  send: (headers: Record<string, string>) => Promise<T>,
  met: (outcome: T) => Met,
): Promise<T> => {
  const place = { parent: tracing.current() }
  if (!tracing.isOn) return send(traceHeaders(place.parent))
  const attributes = { backend, operation: operation ?? 'handThrough', method: methodOf(method), ...addressOf(origin) }
  return during(tracing, 'backend', place, attributes, async (span) => {
    const outcome = await send(traceHeaders(span.trace))
    noteMet(span, met(outcome))
    return outcome
  })
}
