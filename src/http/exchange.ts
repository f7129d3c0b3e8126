import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Socket } from 'node:net'
import { Agent, Client, type Dispatcher, buildConnector } from 'undici'
import type { z } from 'zod'
import { USER_AGENT } from '../core/vocabulary.ts'

/** The proxy for an origin; null: none. May hold a user name and a password. */
export type ProxyOf = (origin: string) => string | null

export const NO_PROXY: ProxyOf = () => null

/** DNS, TCP and TLS of one connection, and the proxy's answer. */
export const CONNECT_TIMEOUT_MS = 5_000

/** The proxy made no connection, so nothing was sent. `code` is what people see: it names no address. */
class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

const AUTHENTICATION_REQUIRED = 407

const refused = (status: number): ProxyFailed =>
  status === AUTHENTICATION_REQUIRED
    ? new ProxyFailed('PROXY_AUTHENTICATION_REQUIRED', 'the proxy refuses the user name or password')
    : new ProxyFailed(`PROXY_ANSWERED_${status}`, 'the proxy made no connection')

const unreachable = (error: Error): ProxyFailed =>
  new ProxyFailed(`PROXY_${'code' in error ? String(error.code) : 'FAILED'}`, 'the proxy cannot be reached')

/** As `Proxy-Authorization`, RFC 7617. */
const authorization = ({ username, password }: URL): Record<string, string> => {
  if (username === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/**
 * Has a proxy connect to an origin (CONNECT, RFC 9110, 9.3.6). What is sent over the socket reaches the origin; before
 * the promise resolves nothing does. Rejects if there is no connection, whose fault it ever is.
 */
export const openTunnel = (proxy: string, origin: URL, timeoutMs: number): Promise<Socket> => {
  const url = new URL(proxy)
  const isSecure = url.protocol === 'https:'
  const host = `${origin.hostname}:${origin.port || (origin.protocol === 'https:' ? 443 : 80)}`
  return new Promise((resolve, reject) => {
    const asked = (isSecure ? overHttps : overHttp)({
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (isSecure ? 443 : 80),
      method: 'CONNECT',
      path: host,
      headers: { host, ...authorization(url) },
      agent: false,
      rejectUnauthorized: true,
    })
    const timer = setTimeout(
      () => asked.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
    asked.once('error', (error) => {
      clearTimeout(timer)
      reject(unreachable(error))
    })
    asked.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      clearTimeout(timer)
      if (statusCode < 200 || statusCode >= 300) {
        socket.on('error', () => undefined).destroy()
        return reject(refused(statusCode))
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asked.end()
  })
}

/** Connections to configured origins. HTTP/1.1 only: over HTTP/2 undici may send a request again by itself. */
export interface Agents {
  /** Keeps connections alive; for requests that may be repeated. */
  readonly reads: Dispatcher
  /**
   * Runs `use` with a dispatcher that opens one connection to `origin`, for one request that must go out at most once,
   * and closes it afterwards. A kept-alive connection could die under the request; a second connection is refused.
   */
  once<T>(origin: string, use: (dispatcher: Dispatcher) => Promise<T>): Promise<T>
  /** Waits for what is running (every exchange is bounded in time), then closes all connections. */
  close(): Promise<void>
}

/** One for all, because making an error costs more than closing a connection. Nobody sees it: `use` is over. */
const OVER = new Error('the exchange is over')

type Connect = ReturnType<typeof buildConnector>

/** Through the origin's proxy, where it has one: a tunnel, in which `direct` does the rest. */
const throughProxy =
  (direct: Connect, proxyOf: ProxyOf, timeoutMs: number): Connect =>
  (options, callback) => {
    const origin = new URL(`${options.protocol}//${options.host}`)
    const proxy = proxyOf(origin.origin)
    if (proxy === null) return direct(options, callback)
    void openTunnel(proxy, origin, timeoutMs).then(
      (httpSocket) =>
        origin.protocol === 'https:' ? direct({ ...options, httpSocket }, callback) : callback(null, httpSocket),
      (error: Error) => callback(error, null),
    )
  }

interface AgentsOptions {
  /** Covers DNS, TCP and TLS. */
  connectTimeoutMs?: number
  proxyOf?: ProxyOf
  /** PEM of roots to trust instead of Node's. */
  ca?: string
}

/** Certificates are always verified, whatever the environment says. */
export const createAgents = (options: AgentsOptions = {}): Agents => {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, proxyOf = NO_PROXY, ca } = options
  const transport = { allowH2: false, timeout: connectTimeoutMs, rejectUnauthorized: true }
  const direct = buildConnector({ ...transport, ...(ca !== undefined && { ca }) })
  const connect = throughProxy(direct, proxyOf, connectTimeoutMs)
  const reads = new Agent({ allowH2: false, connect })
  const running = new Set<Promise<void>>()
  let closed = false

  /** One connection, then none: undici would otherwise reconnect for whatever is still in its queue. */
  const connectOnce = (): typeof connect => {
    let spent = false
    return (options, callback) => {
      if (spent || closed) return queueMicrotask(() => callback(new Error('one connection per request'), null))
      spent = true
      connect(options, callback)
    }
  }

  return {
    reads,
    async once(origin, use) {
      // Without pipelining undici says `Connection: close` and never reuses the socket.
      const client = new Client(origin, { allowH2: false, pipelining: 0, connect: connectOnce() })
      const done = Promise.withResolvers<void>()
      running.add(done.promise)
      try {
        return await use(client)
      } finally {
        await client.destroy(OVER)
        running.delete(done.promise)
        done.resolve()
      }
    },
    async close() {
      closed = true
      await Promise.allSettled([...running, reads.close()])
    },
  }
}

interface ExchangeRequest {
  /** A plain agent for a configured origin; one that vets and pins addresses for a URL that somebody gave us. */
  dispatcher: Dispatcher
  method: 'GET' | 'POST' | 'DELETE'
  url: URL
  headers: Record<string, string>
  body: string | null
  /** From the call to the last byte of the answer, in milliseconds. */
  timeoutMs: number
  /** Bytes of the answer that are kept; past that the exchange ends as `overflow` says. */
  maxBytes: number
  overflow: 'fail' | 'truncate'
  signal?: AbortSignal
}

type ExchangeFault = 'timeout' | 'connection' | 'too_large' | 'aborted'

export type Exchange =
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: Buffer }
  /** `began`: writing the request began, so the other side may have acted on it. `message` is for logs. */
  | {
      kind: 'failed'
      began: boolean
      fault: ExchangeFault
      status: number | null
      headers: Record<string, string>
      message: string
    }

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

/** Of undici, and of the system when it gives up first. */
const CONNECT_TIMEOUTS: readonly unknown[] = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']

const faultOf = (error: Error): ExchangeFault =>
  'code' in error && CONNECT_TIMEOUTS.includes(error.code) ? 'timeout' : 'connection'

const messageOf = (error: Error): string => {
  const code = 'code' in error ? String(error.code) : ''
  // undici asserts what it expects of an answer, such as its status.
  if (code === 'ERR_ASSERTION') return 'the answer is not valid HTTP'
  // Where several addresses were tried in vain, only the code says why.
  return error.message === '' ? code : error.message
}

/**
 * One HTTP exchange, bounded in time and size, that never rejects and never follows a redirect. Uses undici's raw
 * dispatch, because only `onRequestStart` reports whether anything was written; whatever is not read is destroyed.
 */
export const exchange = (request: ExchangeRequest): Promise<Exchange> =>
  new Promise((resolve) => {
    const { dispatcher, method, url, headers, body, timeoutMs, maxBytes, overflow, signal } = request
    let controller: Dispatcher.DispatchController | null = null
    let began = false
    let ended = false
    let status: number | null = null
    let answerHeaders: Record<string, string> = {}
    const chunks: Buffer[] = []
    let sizeBytes = 0

    const end = (result: Exchange): void => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(result)
    }
    const fail = (fault: ExchangeFault, message: string): void => {
      end({ kind: 'failed', began, fault, status, headers: answerHeaders, message })
      controller?.abort(new Error(message))
    }
    const answer = (): void =>
      end({ kind: 'answered', status: status ?? 0, headers: answerHeaders, body: Buffer.concat(chunks) })
    const onAbort = (): void => fail('aborted', 'aborted')
    const timer = setTimeout(() => fail('timeout', `no complete answer within ${timeoutMs} ms`), timeoutMs)
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // Ended while it still waited for a connection: abort before a byte is written.
        if (ended) started.abort(new Error('ended before it began'))
        else began = true
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        if (statusCode < 200) return
        status = statusCode
        answerHeaders = flat(responseHeaders)
      },
      onResponseData(_controller, chunk) {
        if (ended) return
        const room = maxBytes - sizeBytes
        chunks.push(chunk.subarray(0, room))
        sizeBytes += chunk.length
        if (chunk.length <= room) return
        if (overflow === 'fail') return fail('too_large', `the answer is larger than ${maxBytes} bytes`)
        answer()
        controller?.abort(new Error('enough of the answer was read'))
      },
      onResponseEnd: answer,
      onResponseError: (_controller, error) => fail(faultOf(error), messageOf(error)),
    }
    try {
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers,
          body,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      )
    } catch (error) {
      fail('connection', error instanceof Error ? error.message : String(error))
    }
  })

export const MAX_ANSWER_BYTES = 1024 * 1024

/** Shorter secrets would be found in innocent text. */
const MIN_SCRUBBED_LENGTH = 8

/** Why we may talk to this URL. `config`: the operator named its origin, so it may see the credential. */
interface Trust {
  kind: 'config'
  /** The headers that carry the key. */
  credential: Readonly<Record<string, string>>
  /** Taken out of whatever comes back. */
  apiKey: string
}

interface JsonCall<T> {
  dispatcher: Dispatcher
  method: 'GET' | 'POST' | 'DELETE'
  url: URL
  headers: Record<string, string>
  body: string | null
  /** What every JSON answer must be at least, whatever its status. */
  schema: z.ZodType<T>
  /** From the call to the last byte of the answer. */
  timeoutMs: number
  trust: Trust
}

/** What is wrong with an answer whose status line came. */
export type Unusable = 'empty' | 'html' | 'not_json' | 'unexpected_shape' | 'truncated' | 'too_large' | 'timeout'

export type JsonReply<T> =
  /** `text`: what `body` was parsed from. */
  | { kind: 'json'; status: number; headers: Record<string, string>; body: T; text: string }
  | { kind: 'unusable'; status: number; headers: Record<string, string>; why: Unusable }
  /** No status line. `began`: writing the request began, so it may have been acted on. `message` is for logs. */
  | { kind: 'failed'; began: boolean; fault: ExchangeFault; message: string }

const CUT_OFF = {
  timeout: 'timeout',
  connection: 'truncated',
  aborted: 'truncated',
  too_large: 'too_large',
} as const satisfies Record<ExchangeFault, Unusable>

/** A character as it is, with backslashes before it, or as `\u002B`, also where JSON is quoted in JSON. */
const inAnySpelling = (character: string): string => {
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0')
  const digits = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const escaped = /["\\/]/.test(character) ? String.raw`\\{0,2}` : ''
  return String.raw`(?:${escaped}\u${hex}|\\{1,2}u${digits})`
}

/** Takes the secret out of whatever comes back, however JSON may spell it: an echoed key goes no further. */
const scrubber = (secret: string): ((text: string) => string) => {
  if (secret.length < MIN_SCRUBBED_LENGTH) return (text) => text
  const spelled = new RegExp(secret.split('').map(inAnySpelling).join(''), 'g')
  return (text) => text.replaceAll(spelled, '[key]')
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Everything that goes out beside the body. */
export const sentHeaders = (
  headers: Record<string, string>,
  credential: Trust['credential'],
): Record<string, string> => ({
  ...lowerCased(headers),
  accept: 'application/json',
  // Without this header any encoding may come (RFC 9110, 12.5.3), and a packed answer to a create would be a doubt.
  'accept-encoding': 'identity',
  'user-agent': USER_AGENT,
  ...lowerCased(credential),
})

const parseBody = <T>(text: string, schema: z.ZodType<T>): { ok: true; body: T } | { ok: false; why: Unusable } => {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, why: 'empty' }
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch {
    return { ok: false, why: trimmed.startsWith('<') ? 'html' : 'not_json' }
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? { ok: true, body: parsed.data } : { ok: false, why: 'unexpected_shape' }
}

/**
 * One JSON request to a configured origin: adds the credential, `Accept` and `User-Agent`, reads at most 1 MiB, never
 * follows a redirect, never retries, never rejects. Nothing that it answers contains the credential.
 */
export const callJson = async <T>(call: JsonCall<T>): Promise<JsonReply<T>> => {
  const { dispatcher, method, url, body, schema, timeoutMs, trust } = call
  const scrub = scrubber(trust.apiKey)
  const scrubAll = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, scrub(value)]))
  const result = await exchange({
    dispatcher,
    method,
    url,
    headers: sentHeaders(call.headers, trust.credential),
    body,
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    overflow: 'fail',
  })
  if (result.kind === 'failed') {
    const { began, fault, status, message } = result
    return status === null
      ? { kind: 'failed', began, fault, message: scrub(message) }
      : { kind: 'unusable', status, headers: scrubAll(result.headers), why: CUT_OFF[fault] }
  }
  const { status } = result
  const headers = scrubAll(result.headers)
  // Decoding drops a byte order mark and replaces bytes that are not UTF-8.
  const text = scrub(new TextDecoder().decode(result.body))
  const parsed = parseBody(text, schema)
  return parsed.ok
    ? { kind: 'json', status, headers, body: parsed.body, text }
    : { kind: 'unusable', status, headers, why: parsed.why }
}
