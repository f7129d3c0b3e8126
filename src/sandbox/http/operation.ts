import type { Express, Request, RequestHandler, Response } from 'express'
import { iso } from '../../core/clock.ts'
import { keyOf } from '../keys.ts'
import type { RequestEntry } from '../ledger.ts'
import type { Window } from '../rates.ts'
import type { Key } from '../state.ts'
import type { World } from '../world.ts'
import { rateHeaders, Refusal, type Answer, type Dialect } from './answer.ts'
import { plain, played, put, type Outcome } from './play.ts'

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
export const originOf = (req: Request): string => {
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

/** Key and rate, in this order; the window is told even when the answer is a refusal. */
const admitted = (world: World, dialect: Dialect, req: Request): { key: Key | null; window: Window } => {
  const key = keyOf(world.state, dialect.interface, req.headers.authorization)
  const limit = dialect.requestsPerMinute
  return { key, window: key ? world.rates.take(key.id, limit) : world.rates.untouched(limit) }
}

const checked = (world: World, operation: Operation, key: Key | null, window: Window): Key => {
  if (!key) {
    const message = 'A valid API key is needed: Authorization: Bearer <API_KEY>.'
    throw new Refusal({ status: 401, reason: 'unauthorized', message, headers: { 'WWW-Authenticate': 'Bearer' } })
  }
  if (!window.allowed) {
    const seconds = Math.max(1, Math.ceil((window.resetAtMs - world.clock.now()) / 1000))
    throw new Refusal({
      status: 429,
      reason: 'rate_limited',
      message: `More than ${window.limit} requests in the current window.`,
      retryable: true,
      retryAfter: { seconds, atMs: window.resetAtMs },
    })
  }
  if (operation.scope !== undefined && !key.scopes.includes(operation.scope)) {
    throw new Refusal({ status: 403, reason: 'forbidden', message: `The key lacks the scope ${operation.scope}.` })
  }
  return key
}

/** Runs one operation: key, rate, scope, fault, work, answer. Never throws: what goes wrong is an answer. */
const handled =
  (world: World, dialect: Dialect, operation: Operation): RequestHandler =>
  async (req, res) => {
    const entry = entryOf(req)
    entry.operation = operation.name
    const origin = originOf(req)
    const caller = admitted(world, dialect, req)
    entry.key_id = caller.key?.id ?? null
    const work = async (): Promise<Outcome> => {
      const key = checked(world, operation, caller.key, caller.window)
      const fault = world.faults.take(dialect.interface, operation.name)
      entry.fault = fault?.kind ?? null
      return played(fault, { world, dialect, origin }, (during) =>
        settled(() => operation.run({ req, key, origin, entry, during }), dialect, origin),
      )
    }
    const outcome = await work().catch((cause: unknown) => plain(refusedAnswer(cause, dialect, origin)))
    await conclude(res, entry, outcome, caller.window)
  }

/** A refusal inside the work is an answer too: a fault that strikes afterwards replaces it like any other. */
const settled = async (run: () => Answer | Promise<Answer>, dialect: Dialect, origin: string): Promise<Answer> => {
  try {
    return await run()
  } catch (cause) {
    return refusedAnswer(cause, dialect, origin)
  }
}

const conclude = (res: Response, entry: RequestEntry, outcome: Outcome, window: Window): Promise<void> => {
  if (outcome.kind === 'answer') entry.status = outcome.status
  if (outcome.kind === 'huge') entry.status = 200
  return put(res, outcome, rateHeaders(window))
}

/** Mounts the operations, and 405 with `Allow` for other methods on their paths. */
export const mount = (app: Express, world: World, dialect: Dialect, operations: readonly Operation[]): void => {
  for (const operation of operations) app[operation.method](operation.path, handled(world, dialect, operation))
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const allow = group.map(({ method }) => method.toUpperCase()).join(', ')
    app.all(path, (req, res) => {
      const message = `${req.path} knows only ${allow}.`
      return declined(world, dialect, req, res, 405, {
        message,
        reason: 'method_not_allowed',
        headers: { Allow: allow },
      })
    })
  }
}

/** A refusal outside any operation: unknown paths, wrong methods, what Express could not read. */
export const declined = (
  world: World,
  dialect: Dialect,
  req: Request,
  res: Response,
  status: number,
  refused: {
    message: string
    reason: 'not_found' | 'method_not_allowed' | 'invalid_request' | 'internal'
    headers?: Record<string, string>
  },
): Promise<void> =>
  conclude(
    res,
    entryOf(req),
    plain(dialect.refuse({ status, ...refused }, originOf(req))),
    world.rates.untouched(dialect.requestsPerMinute),
  )
