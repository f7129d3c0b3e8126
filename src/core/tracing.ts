import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from './errors.ts'

/**
 * What a dashboard may rely on: every span and every attribute that the gateway writes. docs/tracing.md has the same.
 */
export const SPANS = {
  request: {
    kind: 'server',
    place: 'A child of the caller’s span, if it sent one',
    about: 'One request to the gateway, until its answer ended',
  },
  dispatch: {
    kind: 'internal',
    place: 'A child of the create’s request while it is answered; otherwise a separate trace, linked to that request',
    about:
      'One attempt to send a video to its backend: the wait for the rate limit, the exchange, and the write of the result',
  },
  poll: {
    kind: 'internal',
    place: 'A separate trace, linked to the create’s request',
    about: 'One poll of a running job; or of many jobs by the backend’s list, linked to the create of each',
  },
  delivery: {
    kind: 'client',
    place: 'A separate trace, linked to the create’s request',
    about: 'One attempt to deliver a webhook',
  },
  backend: { kind: 'client', place: 'A child of the span that needs it', about: 'One exchange with a backend' },
} as const satisfies Record<string, { kind: SpanKind; place: string; about: string }>

type SpanKind = 'server' | 'internal' | 'client'
export type SpanName = keyof typeof SPANS

/** By the words that the code has for them. Those without `talkbridge.` are of OpenTelemetry's semantic conventions. */
export const ATTRIBUTES = {
  method: {
    key: 'http.request.method',
    on: ['request', 'delivery', 'backend'],
    about: '`_OTHER` for a method that the conventions do not know',
  },
  route: {
    key: 'http.route',
    on: ['request'],
    about: 'The path with its ids as `{id}`; absent if there is no such operation',
  },
  status: {
    key: 'http.response.status_code',
    on: ['request', 'delivery', 'backend'],
    about: 'Absent if no answer came',
  },
  error: {
    key: 'error.type',
    on: ['request', 'dispatch', 'poll', 'delivery', 'backend'],
    about: 'Why it failed: a status, a code, or a word such as `timeout`, `connection`, `aborted`',
  },
  host: { key: 'server.address', on: ['delivery', 'backend'], about: 'The host of the request' },
  port: { key: 'server.port', on: ['delivery', 'backend'], about: 'The port of the request' },
  requestId: {
    key: 'talkbridge.request.id',
    on: ['request'],
    about: '`X-Request-Id` of the answer, and of the log line',
  },
  client: { key: 'talkbridge.client', on: ['request', 'dispatch', 'poll', 'delivery'], about: 'The id of the client' },
  backend: {
    key: 'talkbridge.backend',
    on: ['dispatch', 'poll', 'backend'],
    about: 'The name of the backend in the configuration',
  },
  operation: {
    key: 'talkbridge.operation',
    on: ['backend'],
    about: '`createVideo`, `getVideo`, `listVideos` and so on',
  },
  video: { key: 'talkbridge.video.id', on: ['dispatch', 'poll', 'delivery'], about: 'The id of the video' },
  attempt: { key: 'talkbridge.attempt', on: ['dispatch', 'delivery'], about: 'Counts from 1' },
  outcome: { key: 'talkbridge.outcome', on: ['dispatch', 'poll', 'delivery'], about: 'The result, in one word' },
  jobs: { key: 'talkbridge.poll.jobs', on: ['poll'], about: 'How many jobs a poll by the list covered' },
  event: { key: 'talkbridge.event.id', on: ['delivery'], about: '`webhook-id`' },
  eventType: { key: 'talkbridge.event.type', on: ['delivery'], about: '`video.completed` and so on' },
  delivery: { key: 'talkbridge.delivery.id', on: ['delivery'], about: 'The id of the delivery' },
} as const satisfies Record<string, { key: string; on: readonly SpanName[]; about: string }>

export type Attributes = { [Name in keyof typeof ATTRIBUTES]?: string | number | null | undefined }

/** Few different ones, whatever callers send: what differs from request to request is in the attributes. */
export const titleOf = (name: SpanName, { method, route, operation }: Attributes): string => {
  switch (name) {
    case 'request':
      return [method ?? 'HTTP', route].filter(Boolean).join(' ')
    case 'backend':
      return `backend ${operation ?? ''}`.trim()
    case 'dispatch':
    case 'poll':
    case 'delivery':
      return name
  }
}

/** HTTP semantic conventions, `http.request.method`. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']
export const methodOf = (method: string): string => (METHODS.includes(method) ? method : '_OTHER')

/** One span of somebody's trace, as `traceparent` names it (W3C Trace Context, level 2). */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** The one that began the trace keeps it. If not, nothing of it is recorded here, either. */
  readonly isSampled: boolean
  /** The caller's `tracestate`, unread; null: none. It goes into the gateway's own span, and to nobody else. */
  readonly state: string | null
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZEROS = /^0+$/
const SAMPLED = 0x01

/** Section 3.3.1.5: what tracers must be able to pass on. More is dropped whole, which they may do. */
const MAX_STATE_CHARACTERS = 512
const STATE = /^[\x20-\x7e\t]+$/

const stateOf = (header: string | undefined): string | null =>
  header !== undefined && header.length <= MAX_STATE_CHARACTERS && STATE.test(header) ? header : null

/** Reads the two headers; null for what is no `traceparent`, whose `tracestate` then counts for nothing. */
export const readTrace = (parent: string | null | undefined, state?: string): Trace | null => {
  const [, version, traceId, spanId, flags, rest] = (parent && PARENT.exec(parent)) || []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return null
  // A later version may have more behind it; this one has not, and `ff` is none.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED, state: stateOf(state) }
}

/** The header, for the one that the work is handed on to. */
const traceparentOf = ({ traceId, spanId, isSampled }: Trace): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** Where a span is. `linked`: it begins a trace of its own that points at these. */
export type Place = { parent: Trace | null } | { linked: readonly Trace[] }

export interface Span {
  /** What its work hands on, to backends, receivers and records; null: there is no trace. */
  readonly trace: Trace | null
  set(attributes: Attributes): void
  /** It failed; in a word, why. */
  fail(error: string): void
  /** Call once. */
  end(): void
}

/** How the gateway takes part in its callers' traces. */
export interface Tracing {
  /** Spans are recorded. If not, traces are only passed on. */
  readonly isOn: boolean
  /** The trace that the running work is part of. */
  current(): Trace | null
  /** Runs the work, and all that it begins, as part of a trace; null: of none. */
  within<T>(trace: Trace | null, work: () => T): T
  begin(name: SpanName, place: Place, attributes?: Attributes): Span
  /** Sends what is recorded, for a bounded time. Never rejects. */
  close(): Promise<void>
}

/** Who works in which trace: of one process. */
export const createScope = (): Pick<Tracing, 'current' | 'within'> => {
  const scope = new AsyncLocalStorage<Trace | null>()
  return { current: () => scope.getStore() ?? null, within: (trace, work) => scope.run(trace, work) }
}

/** A span that nobody keeps. */
export const unrecorded = (trace: Trace | null): Span => ({
  trace,
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
})
const UNTRACED = unrecorded(null)

/** The caller's trace as it came; of work for several, nobody's. */
const passedOn = (place: Place): Trace | null => {
  if ('parent' in place) return place.parent
  const [only, ...others] = place.linked
  return only !== undefined && others.length === 0 ? only : null
}

/** Records nothing: what comes with a trace continues with it, and nothing else has one. */
export const createPassing = (): Tracing => ({
  ...createScope(),
  isOn: false,
  begin(_name, place) {
    const trace = passedOn(place)
    return trace === null ? UNTRACED : unrecorded(trace)
  },
  close: async () => undefined,
})

/** Runs the work within a span of its own, which ends with it. */
export const during = async <T>(
  tracing: Tracing,
  name: SpanName,
  place: Place,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const span = tracing.begin(name, place, attributes)
  try {
    return await tracing.within(span.trace, () => work(span))
  } catch (error) {
    span.fail(error instanceof Problem ? error.code : 'fault')
    throw error
  } finally {
    span.end()
  }
}

/** For the record of what the running work makes: `traceparent`. */
export const partOf = (tracing: Tracing): string | null => {
  const trace = tracing.current()
  return trace === null ? null : traceparentOf(trace)
}

type Made = { readonly trace: string | null }
/** For log lines, where it is part of a trace. */
export const traceIdOf = ({ trace }: Made): string | undefined => readTrace(trace)?.traceId

/** Work for a video while its create's request is answered. */
export const below = ({ trace }: Made): Place => ({ parent: readTrace(trace) })
/** Work for videos by itself, maybe a day later. */
export const linkedTo = (...made: readonly Made[]): Place => ({
  linked: made.flatMap(({ trace }) => readTrace(trace) ?? []),
})

/** What goes out with a request. */
export const traceHeaders = (trace: Trace | null): Record<string, string> =>
  trace === null ? {} : { traceparent: traceparentOf(trace) }

/** Whom a request goes to. */
interface Asked {
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

/**
 * One exchange with a backend, as part of what runs. `send` is handed the headers that say so, and `met` reads its end.
 */
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
