import {
  checkedCount,
  checkedHeader,
  checkedMs,
  invalidOption,
  TalkbridgeError,
  type Problem,
  type TalkbridgeErrorCode,
} from './error.ts'

/** Of `package.json`. */
export const VERSION = '0.1.0'

export interface TalkbridgeOptions {
  /** Where the gateway is, such as `https://talkbridge.example`. */
  url: string
  /** Your key. A function is asked before every attempt, so that a key may change. Without: only what needs no key. */
  key?: string | (() => string | Promise<string>)
  /** Default: that of the platform. */
  fetch?: typeof fetch
  /** For each attempt, until the whole answer has come; of downloads and streams, until it begins. Default: 60,000. */
  timeoutMs?: number
  /** How often a request is repeated. Default: 4. */
  maxRetries?: number
  /** Called after every attempt. What it throws is ignored. */
  logger?: (attempt: LoggedAttempt) => void
}

/** Of one call. What you leave out is as in the options of the client. */
export interface CallOptions {
  /** When it aborts, the call throws its reason. */
  signal?: AbortSignal | undefined
  /** For each attempt, in milliseconds. */
  timeoutMs?: number | undefined
  /** How often this call is repeated. */
  maxRetries?: number | undefined
  /** More request headers, such as `traceparent`. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** One request and what became of it, without any secret. */
export interface LoggedAttempt {
  method: string
  /** Without its query, which may be signed. */
  url: string
  /** 1 for the first. */
  attempt: number
  /** Null: no answer came. */
  status: number | null
  /** The operator of the gateway finds the request by it. */
  requestId: string | null
  durationMs: number
  /** Null: it worked. */
  error: TalkbridgeErrorCode | null
  /** How long the client waits before the next attempt; null: there is none. */
  retryInMs: number | null
}

/** Time and chance, handed in so that tests decide them. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number
  /** 0 to 1. */
  random(): number
  /** Calls `run` once after `ms`; the answer cancels it. */
  after(ms: number, run: () => void): () => void
}

/** A timer above it would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms`; rejects with the reason of `signal` when that aborts. */
export const sleep = (runtime: Runtime, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(signal?.reason as Error)
    }
    const cancel = runtime.after(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

/** Aborts with `signal`, with `abort`, or when nobody called `clear` for `ms`. */
interface Limit {
  signal: AbortSignal
  abort(reason?: unknown): void
  /** Begins the time anew. */
  restart(): void
  clear(): void
}

export const limited = (
  runtime: Runtime,
  { ms, reason, signal }: { ms: number; reason: () => unknown; signal?: AbortSignal | undefined },
): Limit => {
  const own = new AbortController()
  const start = (): (() => void) => (ms === Infinity ? () => {} : runtime.after(ms, () => own.abort(reason())))
  let cancel = start()
  return {
    signal: signal ? AbortSignal.any([signal, own.signal]) : own.signal,
    abort: (why) => own.abort(why),
    restart() {
      cancel()
      cancel = start()
    },
    clear: () => cancel(),
  }
}

const FIRST_MS = 500
const MOST_MS = 8_000
/** A longer wait is the caller's decision: the error says `retryAfterMs`. */
const MAX_RETRY_AFTER_MS = 60_000

/** What `Retry-After` says, in seconds or as a date (RFC 9110, 10.2.3); null: nothing that can be read. */
export const retryAfterMs = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  // By itself it would take much for a date that is none, such as -1.
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

/**
 * The gateway decides by `retryable`. Where it did not answer, only what is safe to repeat is repeated. Null: not
 * again.
 */
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

export interface Connection {
  /** The origin, and the path that a proxy puts before the gateway's. */
  base: string
  key: () => Promise<string | undefined>
  fetch: typeof fetch
  timeoutMs: number
  maxRetries: number
  log: (attempt: LoggedAttempt) => void
  runtime: Runtime
}

export interface Outgoing {
  url: string
  method: string
  headers: Headers
  options: CallOptions
  /** Default: not. What is not the gateway's own is asked without it. */
  hasKey?: boolean
  body?: string | Blob | undefined
  /** Whose answer it is; default: that of the gateway. */
  isOfStorage?: boolean
  /** Whether it may be sent again when nobody knows what became of it. */
  isRepeatable: boolean
  /** The answer is handed on while it still comes; default: it is read whole, within the time limit. */
  isOpen?: boolean
  /** How long the gateway was asked to hold its answer. */
  heldMs?: number
  redirect: 'manual' | 'follow'
}

/** These statuses have no body, and `Response` takes none with them. */
const BODILESS = [204, 205, 304]
/** What a proxy says in place of a gateway that is away. */
const PASSING = [429, 502, 503, 504]

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  'detail' in value &&
  typeof value.detail === 'string' &&
  'retryable' in value &&
  typeof value.retryable === 'boolean'

const problemIn = (text: string): Problem | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isProblem(value) ? value : null
  } catch {
    return null
  }
}

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)

const REDIRECTED =
  'the gateway’s address redirects, and the client does not send your key there: set `url` to where it leads'

/** The error in an answer; its body was read. */
const errorIn = (response: Response, text: string, nowMs: number, out: Outgoing): TalkbridgeError => {
  const { status, headers } = response
  const idempotencyKey = out.headers.get('idempotency-key')
  const problem = out.isOfStorage === true ? null : problemIn(text)
  const asked = retryAfterMs(headers.get('retry-after'), nowMs)
  const told = { status, idempotencyKey, requestId: problem?.request_id ?? headers.get('x-request-id') }
  if (problem) {
    const seconds = problem.retry_after_seconds ?? null
    return new TalkbridgeError(problem.code, problem.detail, {
      ...told,
      problem,
      title: problem.title,
      retryable: problem.retryable,
      retryAfterMs: asked ?? (seconds === null ? null : seconds * 1_000),
    })
  }
  const other = isRedirect(response)
    ? REDIRECTED
    : `something else than the gateway answered ${status}, such as a proxy`
  const message = out.isOfStorage === true ? `the storage answered ${status}` : other
  const retryable = PASSING.includes(status)
  return new TalkbridgeError('unexpected_answer', message, {
    ...told,
    title: 'Unexpected answer',
    retryable,
    retryAfterMs: asked,
  })
}

/** As the answer was, with a body that has already come. */
const whole = ({ status, statusText, headers }: Response, body: ArrayBuffer): Response =>
  new Response(BODILESS.includes(status) ? null : body, { status, statusText, headers })

const isJson = (bytes: ArrayBuffer): boolean => {
  try {
    JSON.parse(new TextDecoder().decode(bytes))
    return true
  } catch {
    return false
  }
}

/** A proxy may answer 200, too, such as with the page of a login. */
const isOfTheGateway = ({ status, headers }: Response, bytes: ArrayBuffer): boolean => {
  const type = headers.get('content-type') ?? ''
  return (
    BODILESS.includes(status) ||
    (/[/+]json\b/.test(type) ? isJson(bytes) : /^(text\/csv|application\/x-ndjson)\b/.test(type))
  )
}

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true

/** Adds to `headers` what is given by name. The platform's own error would be no `TalkbridgeError`. */
export const addHeaders = (headers: Headers, more: Readonly<Record<string, string | undefined>> = {}): Headers => {
  for (const [name, value] of Object.entries(more)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw invalidOption('headers: a name is not one of a header')
    if (value !== undefined) headers.set(name, checkedHeader(name, value))
  }
  return headers
}

/** Browsers name themselves, and ask the gateway for its permission before they send another name. */
const isBrowser = (): boolean => globalThis.navigator?.userAgent?.startsWith('Mozilla/')

const attempt = async (connection: Connection, out: Outgoing, timeoutMs: number): Promise<Response> => {
  const { runtime } = connection
  const key = out.hasKey === true ? await connection.key() : undefined
  if (key !== undefined) out.headers.set('authorization', `Bearer ${key}`)
  const told = { retryable: true, idempotencyKey: out.headers.get('idempotency-key') }
  const ms = timeoutMs + (out.heldMs ?? 0)
  const limit = limited(runtime, {
    ms,
    signal: out.options.signal,
    reason: () => new TalkbridgeError('timeout', `no answer within ${ms} ms`, { ...told, title: 'No answer in time' }),
  })
  const { method, headers, body, redirect } = out
  try {
    const init = { method, headers, redirect, signal: limit.signal, ...(body !== undefined && { body }) }
    const { fetch } = connection
    const response = await fetch(out.url, init)
    if (response.ok && (out.isOpen === true || isStream(response))) return response
    // A redirect that the browser hides has no body that could be read.
    const bytes = response.type === 'opaqueredirect' ? new ArrayBuffer(0) : await response.arrayBuffer()
    const isFine = out.isOfStorage === true ? response.ok : isOfTheGateway(response, bytes)
    if ((response.ok || response.status === 304) && isFine) return whole(response, bytes)
    throw errorIn(response, new TextDecoder().decode(bytes), runtime.now(), out)
  } catch (cause) {
    if (limit.signal.aborted) throw limit.signal.reason
    if (cause instanceof TalkbridgeError) throw cause
    const message = `no answer came from ${new URL(out.url).origin}, or it broke off`
    throw new TalkbridgeError('connection_failed', message, { ...told, title: 'Connection failed', cause })
  } finally {
    limit.clear()
  }
}

export const requestIdOf = ({ headers }: Response): string | null => headers.get('x-request-id')

/** Sends a request until it is answered or may not be repeated. Throws `TalkbridgeError`, or the reason of `signal`. */
export const send = async (connection: Connection, out: Outgoing): Promise<Response> => {
  const { runtime, log } = connection
  const { signal, timeoutMs = connection.timeoutMs, maxRetries = connection.maxRetries } = out.options
  checkedMs('timeoutMs', timeoutMs)
  checkedCount('maxRetries', maxRetries)
  if (!out.headers.has('user-agent') && !isBrowser()) out.headers.set('user-agent', `talkbridge-client/${VERSION}`)
  const { origin, pathname } = new URL(out.url)
  for (let retries = 0; ; retries += 1) {
    const startedAtMs = runtime.now()
    const ended = (result: Pick<LoggedAttempt, 'status' | 'requestId' | 'error' | 'retryInMs'>): void => {
      const durationMs = runtime.now() - startedAtMs
      log({ method: out.method, url: origin + pathname, attempt: retries + 1, durationMs, ...result })
    }
    try {
      const response = await attempt(connection, out, timeoutMs)
      ended({ status: response.status, requestId: requestIdOf(response), error: null, retryInMs: null })
      return response
    } catch (error) {
      if (!(error instanceof TalkbridgeError)) throw error
      const { isRepeatable } = out
      const delayMs = retryDelayMs({ error, retries, maxRetries, isRepeatable }, runtime.random)
      ended({ status: error.status, requestId: error.requestId, error: error.code, retryInMs: delayMs })
      if (delayMs === null) throw error
      await sleep(runtime, delayMs, signal)
    }
  }
}
