import type { Express, Request, RequestHandler, Response } from 'express'
import { iso } from '../../core/time/clock.ts'
import type { Fault } from '../faults.ts'
import type { RequestEntry } from '../ledger.ts'
import type { World } from '../world.ts'
import { admitted, callerOf } from './admission.ts'
import { rateHeaders, Refusal, type Answer, type Dialect, type Outcome } from './answer.ts'
import type { Operation } from './call.ts'
import { plain, playedUnder, put } from './play.ts'
import { tampered } from './tamper.ts'

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
