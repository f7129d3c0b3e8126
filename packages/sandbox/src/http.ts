import type { IncomingMessage } from 'node:http'
import type { Request, Response, Express, RequestHandler } from 'express'
import { type Hint, iso, sleepUntil } from './clock.ts'
import type { RequestEntry, Fault } from './faults.ts'
import { type Window, type Interface, type Key, keyOf } from './state.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { World } from './world.ts'

/** What a contract operation answers: data, so that a fault can change it and the ledger can record it. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: no body at all (204). */
  readonly body?: Readonly<Record<string, unknown>>
}

/** An answer as text, which a fault may cut. */
interface Written {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

/** What is put on the wire in the end. */
type Outcome =
  | Written
  | { readonly kind: 'huge'; readonly bytes: number; readonly headers: Record<string, string> }
  | { readonly kind: 'reset' | 'hang' }

/** A refusal in the vocabulary that both contracts share; each dialect gives it its own words. */
type Reason =
  | 'unauthorized'
  | 'forbidden'
  | 'rate_limited'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'internal'

interface Extras {
  readonly retryable?: boolean
  readonly retryAfter?: Hint | null
  readonly blockCode?: string | undefined
  /** The job that the answer is about. */
  readonly jobId?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface Refused extends Extras {
  readonly status: number
  /** A shared reason, put in the dialect's own code, or a code as the contract spells it. */
  readonly reason: Reason | { readonly code: string }
  readonly message: string
}

/** Thrown by anything under an operation; the operation turns it into an answer in its dialect. */
export class Refusal extends Error {
  readonly refused: Refused
  constructor(status: number, reason: Refused['reason'], message: string, extras: Extras = {}) {
    super(message)
    this.name = 'Refusal'
    this.refused = { status, reason, message, ...extras }
  }
}

/** How one contract says what both have in common. */
export interface Dialect {
  readonly interface: Interface
  readonly requestsPerMinute: number
  refuse(refused: Refused, origin: string): Answer
}

export const invalid = (message: string): Refusal => new Refusal(400, 'invalid_request', message)

/** X-RateLimit-* (both contracts): Reset is Unix time in whole seconds. */
const rateHeaders = (window: Window): Record<string, string> => ({
  'X-RateLimit-Limit': String(window.limit),
  'X-RateLimit-Remaining': String(window.remaining),
  'X-RateLimit-Reset': String(window.resetAtMs / 1000),
})

/** Writes an answer. The body is text already, so that a fault may have cut it. */
export const send = (res: Response, status: number, headers: Readonly<Record<string, string>>, text: string): void => {
  res.status(status).set(headers)
  if (text !== '' && !res.hasHeader('Content-Type')) res.set('Content-Type', 'application/json; charset=utf-8')
  res.set('Content-Length', String(Buffer.byteLength(text))).end(res.req.method === 'HEAD' ? undefined : text)
}

/** One authorized request, as an operation sees it. */
export interface Call {
  readonly req: Request
  readonly key: Key
  /** `http://host:port` as the caller wrote it: absolute links name it. */
  readonly origin: string
  /** The line of the ledger; operations add the job and the idempotency key. */
  readonly entry: RequestEntry
  /** A create awaits this between taking its idempotency key and making its job: where a latency fault can sit. */
  readonly during: () => Promise<void>
}

export interface Operation {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  /** The contract's operationId; faults and the ledger use it. */
  readonly name: string
  readonly scope?: string
  readonly run: (call: Call) => Answer | Promise<Answer>
  /** What the contract wants on an error of this status, when a fault makes it: the job, its hints. */
  readonly faulted?: (req: Request, status: number) => Partial<Refused>
  /** What happens although a fault keeps the request from being received. */
  readonly unheard?: (call: Omit<Call, 'during' | 'entry'>) => Promise<void>
}

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body's bytes, or `null` as soon as they are more than `limitBytes`. Rejects when the caller disconnects. */
const readBytes = async (req: IncomingMessage, limitBytes: number): Promise<Buffer | null> => {
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) return null
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // Not `for await`: leaving that loop early would destroy the socket before the refusal is written.
  return new Promise((resolve, reject) => {
    req.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes > limitBytes) {
        chunks.length = 0
        resolve(null)
      } else chunks.push(chunk)
    })
    req.on('end', () => resolve(Buffer.concat(chunks)))
    req.on('error', reject)
    req.on('close', () => reject(new Error('The caller hung up before its body was complete.')))
  })
}

/** Of the Content-Type, without its parameters. */
export const mediaTypeOf = (req: IncomingMessage): string | undefined =>
  req.headers['content-type']?.split(';')[0]?.trim().toLowerCase()

interface BodyRules {
  readonly limitBytes: number
  /** retry_block_code of the 413 and 415, where the contract shows one. */
  readonly blockCodes?: { readonly 413?: string; readonly 415?: string }
  /** The status of both where the operation lists neither 413 nor 415. */
  readonly refuseWith?: 400
}

const REASONS = { 413: 'payload_too_large', 415: 'unsupported_media_type' } as const

const refused = (status: 413 | 415, message: string, rules: BodyRules, details?: JsonObject): Refusal =>
  rules.refuseWith === 400
    ? new Refusal(400, 'invalid_request', message, { details })
    : new Refusal(status, REASONS[status], message, { details, blockCode: rules.blockCodes?.[status] })

/**
 * Reads a JSON object, counting bytes, not characters (primary, "Limits": 65536 and 8192 bytes).
 * Throws 415 for another content type or an encoded body, 413 with `max_body_bytes`, 400 for what is not an object.
 */
export const readJson = async (req: IncomingMessage, rules: BodyRules): Promise<JsonObject> => {
  if (mediaTypeOf(req) !== 'application/json' || (req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw refused(415, 'Content-Type must be application/json, not encoded.', rules)
  }
  const bytes = await readBytes(req, rules.limitBytes)
  if (bytes === null) {
    const details = { max_body_bytes: rules.limitBytes }
    throw refused(413, `The request body is larger than ${rules.limitBytes} bytes.`, rules, details)
  }
  const value = parsed(bytes)
  if (!isObject(value)) throw invalid('The request body must be a JSON object.')
  return value
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('The request body is not valid JSON.')
  }
}

/** Who asks, and the window that the answer reports, also when it is a refusal. */
const callerOf = (world: World, dialect: Dialect, req: Request): { key: Key | null; window: Window } => {
  const key = keyOf(world.state, dialect.interface, req.headers.authorization)
  const limit = dialect.requestsPerMinute
  return { key, window: key ? world.rates.take(key.id, limit) : world.rates.untouched(limit) }
}

/** The key, or a 401, 429 or 403, in this order (undecided.ts, "Order of checks"). */
const admitted = (world: World, key: Key | null, window: Window, scope?: string): Key | Refusal => {
  if (!key) return unauthorized()
  if (!window.allowed) return rateLimited(world, window)
  return scope === undefined || key.scopes.includes(scope) ? key : forbidden(scope)
}

const unauthorized = (): Refusal =>
  new Refusal(401, 'unauthorized', 'A valid API key is needed: Authorization: Bearer <API_KEY>.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

const rateLimited = (world: World, { limit, resetAtMs }: Window): Refusal => {
  const seconds = Math.max(1, Math.ceil((resetAtMs - world.clock.now()) / 1000))
  const retryAfter = { seconds, atMs: resetAtMs }
  return new Refusal(429, 'rate_limited', `More than ${limit} requests in the current window.`, {
    retryable: true,
    retryAfter,
  })
}

const forbidden = (scope: string): Refusal => new Refusal(403, 'forbidden', `The key lacks the scope ${scope}.`)

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
const tampered = (fault: Fault | null, outcome: Outcome, shared: Headers): Outcome => {
  if (outcome.kind !== 'answer' && outcome.kind !== 'huge') return outcome
  const headers: Headers = { ...shared, ...outcome.headers }
  if (fault?.kind === 'drop-headers') return { ...outcome, headers: { ...without(headers, fault.headers) } }
  if (fault?.kind !== 'clock-skew') return { ...outcome, headers: { ...headers } }
  const skewed = { ...outcome, headers: { ...skewedHeaders(headers, fault.skew_ms) } }
  return skewed.kind === 'answer' ? { ...skewed, text: skewedText(skewed.text, fault.skew_ms) } : skewed
}

const HTML = '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n'

const plain = (answer: Answer): Written => ({
  kind: 'answer',
  status: answer.status,
  headers: { ...answer.headers },
  text: answer.body === undefined ? '' : JSON.stringify(answer.body),
})

/** The request that a fault strikes. */
interface Scene {
  readonly world: World
  readonly dialect: Dialect
  readonly operation: Operation
  readonly origin: string
  readonly req: Request
  readonly key: Key
  readonly window: Window
}

const statusAnswer = (fault: Extract<Fault, { kind: 'status' }>, scene: Scene): Outcome => {
  if (fault.body === 'none') return plain({ status: fault.status })
  const seconds = fault.retry_after_seconds
  const refused = {
    status: fault.status,
    reason: { code: fault.code ?? `sandbox_fault_${fault.status}` },
    message: fault.message,
    ...scene.operation.faulted?.(scene.req, fault.status),
    ...(fault.retryable !== undefined && { retryable: fault.retryable }),
    ...(seconds !== undefined && { retryAfter: { seconds, atMs: scene.world.clock.now() + seconds * 1000 } }),
  }
  return plain(scene.dialect.refuse(refused, scene.origin))
}

/** What a fault puts in the place of the answer; `null`: it lets the true answer through (changed by `altered`). */
const replaced = (fault: Fault, scene: Scene): Outcome | null => {
  const refusal = (cause: Refusal): Outcome => plain(scene.dialect.refuse(cause.refused, scene.origin))
  switch (fault.kind) {
    case 'status':
      return statusAnswer(fault, scene)
    case 'rate-limited':
      return refusal(rateLimited(scene.world, scene.window))
    case 'scope-missing':
      return refusal(forbidden(scene.operation.scope ?? 'asked for'))
    case 'key-revoked':
      if (fault.for_good) scene.world.state.keys.put(scene.key.hash, { ...scene.key, active: false })
      return refusal(unauthorized())
    case 'html':
      return { ...plain({ status: fault.status, headers: { 'Content-Type': 'text/html; charset=utf-8' } }), text: HTML }
    case 'empty-body':
      return plain({ status: fault.status })
    case 'huge-body':
      return { kind: 'huge', bytes: fault.bytes, headers: {} }
    case 'reset':
    case 'hang':
      return { kind: fault.kind }
    default:
      return null
  }
}

const altered = (fault: Fault, answer: Answer): Outcome => {
  const whole = plain(answer)
  if (fault.kind === 'truncated-json') return { ...whole, text: whole.text.slice(0, Math.ceil(whole.text.length / 2)) }
  // Errors have a `status` word only by accident: the fault is about jobs.
  if (answer.body === undefined) return whole
  if (fault.kind === 'extra-fields') return { ...whole, text: JSON.stringify({ ...answer.body, ...fault.fields }) }
  if (fault.kind === 'drop-fields') {
    const left = Object.entries(answer.body).filter(([name]) => !fault.fields.includes(name))
    return { ...whole, text: JSON.stringify(Object.fromEntries(left)) }
  }
  if (fault.kind === 'unknown-status' && typeof answer.body['status'] === 'string')
    return { ...whole, text: JSON.stringify({ ...answer.body, status: fault.word }) }
  return whole
}

/** Runs `work` under a fault. `during` is called by creates that hold an idempotency key but have no job yet. */
const playedUnder = async (
  fault: Fault | null,
  scene: Scene,
  work: (during: () => Promise<void>) => Promise<Answer>,
): Promise<Outcome> => {
  const { world, operation } = scene
  if (fault === null) return plain(await work(async () => {}))
  const wait = (moment: string): Promise<void> =>
    fault.kind === 'latency' && fault.when === moment
      ? sleepUntil(world.clock, world.clock.now() + fault.latency_ms, world.closing)
      : Promise.resolve()
  await wait('before')
  if (!('when' in fault) || fault.when === 'before') {
    const instead = replaced(fault, scene)
    if (instead) {
      await operation.unheard?.(scene).catch(() => {})
      return instead
    }
  }
  const answer = await work(() => wait('during'))
  await wait('after')
  return replaced(fault, scene) ?? altered(fault, answer)
}

/** `{"padding":"xxx…"}`, in chunks: forty megabytes are never held at the same time. */
function* padded(bytes: number): Generator<string> {
  yield '{"padding":"'
  const chunk = 'x'.repeat(65_536)
  for (let left = bytes - 14; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.slice(0, left) : chunk
  yield '"}'
}

/** Writes the outcome. A caller that disconnects in between is not an error. */
const put = async (res: Response, outcome: Outcome): Promise<void> => {
  switch (outcome.kind) {
    case 'answer':
      // Node would add its own Date.
      if (outcome.headers['Date'] === undefined) res.removeHeader('Date')
      res.sendDate = false
      return send(res, outcome.status, outcome.headers, outcome.text)
    case 'huge':
      res.status(200).set({ ...outcome.headers, 'Content-Type': 'application/json; charset=utf-8' })
      return pipeline(Readable.from(padded(outcome.bytes)), res).catch(() => {})
    case 'reset':
      res.socket?.resetAndDestroy()
      return undefined
    case 'hang':
      return undefined
  }
}

const entries = new WeakMap<Request, RequestEntry>()

/** First on every contract and media route: a line in the ledger, and the sandbox's own `Date`. */
export const recorded =
  (world: World, dialect: Dialect): RequestHandler =>
  (req, res, next) => {
    const entry = world.ledger.begin({
      at: iso(world.clock.now()),
      interface: dialect.interface,
      method: req.method,
      path: req.path,
    })
    entries.set(req, entry)
    res.set('Date', new Date(world.clock.now()).toUTCString())
    next()
  }

/** The line of this request: begun by `recorded`, which every contract route is behind. */
export const entryOf = (req: Request): RequestEntry => {
  const entry = entries.get(req)
  if (!entry) throw new Error('The route is mounted before the ledger.')
  return entry
}

/** A Host header is repeated in links only when it is plainly a host: anything else gets the bound address. */
const originOf = (req: Request): string => {
  const host = req.headers.host ?? ''
  if (/^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host)) return `http://${host}`
  const { localAddress = '127.0.0.1', localPort = 80 } = req.socket
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}

const refusedAnswer = (cause: unknown, dialect: Dialect, origin: string): Answer => {
  if (cause instanceof Refusal) return dialect.refuse(cause.refused, origin)
  const message = cause instanceof Error ? cause.message : String(cause)
  return dialect.refuse({ status: 500, reason: 'internal', message: `The sandbox itself failed: ${message}` }, origin)
}

/** Runs one operation: key, rate, scope, fault, work, answer. Never throws: what goes wrong is an answer. */
const handled =
  (world: World, dialect: Dialect, operation: Operation): RequestHandler =>
  async (req, res) => {
    const entry = entryOf(req)
    entry.operation = operation.name
    const origin = originOf(req)
    const caller = callerOf(world, dialect, req)
    const { window } = caller
    entry.key_id = caller.key?.id ?? null
    const key = admitted(world, caller.key, window, operation.scope)
    const refused = (cause: unknown): Answer => refusedAnswer(cause, dialect, origin)
    if (key instanceof Refusal) return conclude(res, entry, plain(refused(key)), rateHeaders(window))
    const fault = world.faults.take(dialect.interface, operation.name)
    entry.fault = fault?.kind ?? null
    const played = { world, dialect, operation, origin, req, key, window }
    // A refusal inside the work is an answer too: a fault that strikes afterwards replaces it like any other.
    const work = async (during: () => Promise<void>): Promise<Answer> => {
      try {
        return await operation.run({ req, key, origin, entry, during })
      } catch (cause) {
        return refused(cause)
      }
    }
    const outcome = await playedUnder(fault, played, work).catch((cause: unknown) => plain(refused(cause)))
    const remaining = fault?.kind === 'rate-limited' ? 0 : window.remaining
    return conclude(res, entry, outcome, rateHeaders({ ...window, remaining }), fault)
  }

const conclude = (
  res: Response,
  entry: RequestEntry,
  outcome: Outcome,
  headers: Readonly<Record<string, string>>,
  fault: Fault | null = null,
): Promise<void> => {
  if (outcome.kind === 'answer') entry.status = outcome.status
  if (outcome.kind === 'huge') entry.status = 200
  return put(res, tampered(fault, outcome, { Date: String(res.get('Date')), ...headers }))
}

/** Mounts the operations, and 405 with `Allow` for other methods on their paths. */
export const mount = (app: Express, world: World, dialect: Dialect, operations: readonly Operation[]): void => {
  for (const operation of operations) app[operation.method](operation.path, handled(world, dialect, operation))
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const allow = group.map(({ method }) => method.toUpperCase()).join(', ')
    app.all(path, (req, res) => {
      const headers = { Allow: allow }
      const refusal = new Refusal(405, 'method_not_allowed', `${req.path} knows only ${allow}.`, { headers })
      return declined(world, dialect, req, res, refusal)
    })
  }
}

/** A refusal outside any operation: unknown paths, wrong methods, what Express could not read. */
export const declined = (
  world: World,
  dialect: Dialect,
  req: Request,
  res: Response,
  { refused }: Refusal,
): Promise<void> => {
  const window = world.rates.untouched(dialect.requestsPerMinute)
  return conclude(res, entryOf(req), plain(dialect.refuse(refused, originOf(req))), rateHeaders(window))
}
