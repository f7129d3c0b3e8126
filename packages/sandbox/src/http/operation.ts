import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express, Request, RequestHandler, Response } from 'express'
import { iso, sleepUntil } from '../clock.ts'
import type { Fault, RequestEntry } from '../faults.ts'
import { keyOf, type Window } from '../keys.ts'
import type { Key } from '../state.ts'
import type { World } from '../world.ts'
import {
  type Answer,
  type Dialect,
  type Operation,
  type Outcome,
  rateHeaders,
  Refusal,
  send,
  type Written,
} from './answer.ts'

/** Who asks, and the window that the answer tells, also when it is a refusal. */
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

/** `{"padding":"xxx…"}`, in chunks: forty megabytes are never held at once. */
function* padded(bytes: number): Generator<string> {
  yield '{"padding":"'
  const chunk = 'x'.repeat(65_536)
  for (let left = bytes - 14; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.slice(0, left) : chunk
  yield '"}'
}

/** Writes the outcome. A caller that hangs up in between is not an error. */
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

/** The line of this request: begun by `recorded`, which every contract route stands behind. */
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
