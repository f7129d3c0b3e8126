import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Actor } from '../../core/access.ts'
import { Problem } from '../../core/errors.ts'
import type { NewId } from '../../core/ids.ts'
import { RATE_WINDOW_MS, type Rates, type Taken } from '../../core/limits/rates.ts'
import { type Log, isDiskFull, logFailure } from '../../core/log.ts'
import type { Tally } from '../../core/tally.ts'
import { type Clock, andThen } from '../../core/time/clock.ts'
import { type Span, type Tracing, methodOf, readTrace } from '../../core/tracing.ts'
import type { Scope } from '../../core/vocabulary.ts'
import type { Deps } from '../../deps.ts'
import { type Caller, type Client, type Clients, demand } from '../clients.ts'
import { onlyMethods, pathIn } from './problems.ts'

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express is typed by merging into this namespace.
  namespace Express {
    interface Locals {
      requestId?: string
      /** The caller's, as far as `server.trust_proxy` lets it be known. */
      address?: string | null
      /** Why the request was refused or failed: for its log line. */
      problem?: Problem
      /** Its operation's path, once that was found. */
      route?: string
      client?: Client
      key?: Pick<Caller, 'keyId' | 'hold'>
      /** Of the console: until when it is. */
      sessionEndsAtMs?: number
      /** Of the key that signs in: what its session keeps of it. */
      keyMark?: () => string
    }
  }
}

/** The request is this caller's. */
export const admitAs = (res: Response, { client, ...key }: Caller): void => {
  res.locals.client = client
  res.locals.key = key
}

/** Aborts when the key of the request is no longer valid, while the request is being answered. */
export const keyEnds = (res: Response): AbortSignal => {
  const controller = new AbortController()
  const leave = res.locals.key?.hold(() => controller.abort())
  // Anyone who has disconnected meanwhile cannot do so again.
  if (res.closed) leave?.()
  else if (leave) res.once('close', leave)
  return controller.signal
}

/** Who does this as an operator, and from where, for the audit log. */
export const actorOf = (res: Response): Actor => ({
  client: callerOf(res).id,
  key: res.locals.key?.keyId ?? null,
  address: res.locals.address ?? null,
  requestId: res.locals.requestId ?? null,
})

/** The authenticated caller of a request behind `authenticate`. */
export const callerOf = (res: Response): Client => {
  const { client } = res.locals
  if (!client) throw new Problem('unauthenticated', 'this operation needs a gateway key')
  return client
}

/** Throws `insufficient_scope` unless the caller's key has the scope. */
export const needs =
  (scope: Scope): RequestHandler =>
  (_req, res, next) => {
    demand(callerOf(res), scope)
    next()
  }

const WINDOW_S = RATE_WINDOW_MS / 1_000

/** What most clients read, and both contracts name; `Reset` is a time, in Unix seconds. */
export const contractHeaders = ({ limit, remaining, resetAtMs }: Omit<Taken, 'ok'>): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(Math.ceil(resetAtMs / 1_000)),
})

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, as structured fields): `t` seconds until
 * there is more than `r`. Beside them what most clients read.
 */
const unifiedHeaders = (taken: Taken, nowMs: number): Record<string, string> => ({
  'ratelimit-policy': `"default";q=${taken.limit};w=${WINDOW_S}`,
  ratelimit: `"default";r=${taken.remaining};t=${Math.max(1, Math.ceil((taken.resetAtMs - nowMs) / 1_000))}`,
  ...contractHeaders(taken),
})

/** Behind `authenticate`: the headers on every answer, whatever it is; beyond the client's rate 429 `rate_limited`. */
export const limitRate =
  (
    { rates, clock }: { rates: Rates; clock: Clock },
    headersOf: (taken: Taken, nowMs: number) => Record<string, string> = unifiedHeaders,
  ): RequestHandler =>
  (_req, res, next) => {
    const { id, limits } = callerOf(res)
    return andThen(rates.take(id, limits.requestsPerMinute), (taken) => {
      const headers = headersOf(taken, clock.now())
      for (const name in headers) res.setHeader(name, headers[name] ?? '')
      if (taken.ok) return next()
      throw new Problem(
        'rate_limited',
        `you may send ${taken.limit} requests a minute: Retry-After says when to retry`,
        {
          retryAtMs: taken.resetAtMs,
        },
      )
    })
  }

const METHODS = ['get', 'post', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]

/** Longer than any that there is. */
const MAX_WORDS = 16
const wordsIn = (path: string): string[] => path.split('/', MAX_WORDS + 1)
const isId = (word: string): boolean => word.startsWith('{')

/** Whether a path of ids takes this word for one: `/videos/{id}` that of `/videos/check`. */
const covers = (template: readonly string[], path: readonly string[]): boolean =>
  template.length === path.length && template.every((word, n) => isId(word) || word === path[n])

/** These paths, as OpenAPI spells them, by what is asked: a word is tried before an id, which would take it for one. */
const createLookup = <T extends { path: string }>(routes: readonly T[]) => {
  const sorted = routes
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((route) => ({ route, words: wordsIn(route.path) }))
  const byCount = Map.groupBy(sorted, ({ words }) => words.length)
  return (path: string): { words: string[]; found: typeof sorted } => {
    const asked = wordsIn(path)
    const isIt = (word: string, n: number): boolean => (isId(word) ? asked[n] !== '' : word === asked[n])
    return { words: asked, found: byCount.get(asked.length)?.filter(({ words }) => words.every(isIt)) ?? [] }
  }
}

/** The operation's path, its ids as `{id}`; null: none has this path. */
type RouteOf = (url: string) => string | null

/** So that a request is named by what was asked for, and not by every path that a caller can think of. */
export const createRouteOf = (paths: Iterable<string>): RouteOf => {
  const lookUp = createLookup([...paths].map((path) => ({ path })))
  return (url) => lookUp(url.split('?', 1)[0] ?? '').found[0]?.route.path ?? null
}

/** One after the other, as Express runs the handlers of a route. */
export const chain = (...handlers: readonly RequestHandler[]): RequestHandler => {
  const run = (n: number, req: Request, res: Response, done: NextFunction): void => {
    const handler = handlers[n]
    if (handler === undefined) return done()
    const next = (error?: unknown): void => (error === undefined ? run(n + 1, req, res, done) : done(error))
    try {
      const running: unknown = handler(req, res, next)
      if (running instanceof Promise) running.catch((error: unknown) => done(error ?? new Error('rejected')))
    } catch (error) {
      done(error ?? new Error('thrown'))
    }
  }
  return (req, res, done) => run(0, req, res, done)
}

interface Mounted {
  readonly method: Method
  /** As OpenAPI spells it, with the prefix. */
  readonly path: string
}

/** Throws what the router of Express throws for a word that cannot be decoded. */
const decoded = (word: string): string => {
  try {
    return decodeURIComponent(word)
  } catch (error) {
    throw Object.assign(new Error('the path cannot be decoded', { cause: error }), { status: 400 })
  }
}

/**
 * Serves these operations below `prefix`, each path with 405 and `Allow` for every other method. A request that is not
 * meant continues behind. One table, and no router of Express: that tries a pattern for each path.
 */
export const mount = <T extends Mounted>(
  operations: readonly T[],
  prefix: string,
  serve: (operation: T) => readonly RequestHandler[],
  isMeant: (req: Request) => boolean = () => true,
): RequestHandler => {
  const byPath = [...Map.groupBy(operations, ({ path }) => path.replace(prefix, ''))]
  const table = byPath.map(([path, here]) => {
    const words = wordsIn(path)
    const ids = words.flatMap((word, n) => (isId(word) ? [[word.slice(1, -1), n] as const] : []))
    const own = new Map(here.map((operation) => [operation.method, chain(...serve(operation))]))
    const covering = byPath.filter(([other]) => covers(wordsIn(other), words)).flatMap(([, operations]) => operations)
    const methods = METHODS.filter((method) => covering.some((one) => one.method === method))
    const allowed = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    return { path, ids, own, only: onlyMethods(...allowed) }
  })
  const lookUp = createLookup(table)
  return (req, res, next) => {
    const { words, found } = lookUp(req.path)
    const [first] = found
    if (!first || !isMeant(req)) return next()
    const asked = req.method === 'HEAD' ? 'get' : req.method.toLowerCase()
    const method = METHODS.find((one) => one === asked)
    const { route } = found.find((one) => method && one.route.own.has(method)) ?? first
    req.params = Object.fromEntries(route.ids.map(([name, n]) => [name, decoded(words[n] ?? '')]))
    res.locals.route = req.baseUrl + route.path
    const run = (method && route.own.get(method)) ?? route.only
    return run(req, res, next)
  }
}

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Characters of a path: more adds nothing, and anyone who sends 15 kB would have them all stored. */
const MAX_LOGGED_PATH = 256

/**
 * The path without its query; a callback's token is a capability and stays out of logs, however its path is spelled,
 * and so does an issued key that somebody took for an id.
 */
const loggedPath = (url: string): string => {
  const path = url.split('?', 1)[0] ?? ''
  const start = path.length > MAX_LOGGED_PATH ? `${path.slice(0, MAX_LOGGED_PATH)}…` : path
  // Most have neither.
  if (!/\/hooks\/|tb_live_/i.test(start)) return start
  return start.replace(/(\/hooks\/+[^/]*\/).*/i, '$1***').replaceAll(/(tb_live_)\w+/gi, '$1***')
}

/** An IPv6 address with a zone, and some. What a proxy says is not checked. */
const MAX_ADDRESS = 64

/**
 * As Express's `req.ip`, which not every request gets as far as: behind so many proxies, the address that the last one
 * saw.
 */
const addressOf = (
  { socket, headers }: IncomingMessage,
  trustProxy: Deps['config']['server']['trust_proxy'],
): string | null => {
  const peer = socket.remoteAddress
  const forwarded = headers['x-forwarded-for']
  const proxies = trustProxy === true ? Infinity : Number(trustProxy)
  const seen = proxies === 0 || typeof forwarded !== 'string' ? [] : forwarded.split(',').map((one) => one.trim())
  const address = seen.filter((one) => one !== '').slice(-proxies)[0] ?? peer
  return address?.replace(/^::ffff:(?=[\d.]+$)/i, '').slice(0, MAX_ADDRESS) ?? null
}

/** A name of a field is the caller's own word, and long ones say no more. */
const MAX_LOGGED_PARAM = 100
const loggedParam = (param: string | undefined): string | undefined =>
  param?.slice(0, MAX_LOGGED_PARAM).replaceAll(/(tb_live_)\w+/gi, '$1***')

/** The one line of a request. */
const writeLine = (log: Log, asked: Record<string, unknown>, problem: Problem | undefined): void => {
  if (!problem) return log.info(asked, 'request')
  const { code, status, extras, message, retryAtMs } = problem
  const fields = { ...asked, code, param: loggedParam(extras.param) }
  // No request left, or a stop: it ends by itself, and an operator has nothing to do.
  const endsByItself = code === 'shutting_down' || (status === 503 && retryAtMs !== null && !isDiskFull(problem))
  if (endsByItself) log.info({ ...fields, detail: message }, 'request')
  else if (status >= 500) logFailure(log, { ...fields, err: problem }, 'request failed')
  else log.info(fields, 'request')
}

/** They come every few seconds, and nobody looks for them in a trace. */
const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics']

const HOST = 'host'
const AUTHORIZATION = 'authorization'

const isStream = (res: ServerResponse): boolean => String(res.getHeader('content-type')).startsWith('text/event-stream')

interface IdentifyDeps {
  newId: NewId
  clock: Clock
  log: Log
  tally: Pick<Tally, 'observe'>
  tracing: Tracing
  routeOf: RouteOf
  config: Pick<Deps['config'], 'server'>
}

/** The span of a request begins with its head; what is known of it when it ends is written then. */
const createSpans = ({ tracing, routeOf }: Pick<IdentifyDeps, 'tracing' | 'routeOf'>) => ({
  begin({ headers, url = '', method = '' }: IncomingMessage): Span | null {
    const { traceparent, tracestate } = headers
    if (!tracing.isOn && traceparent === undefined) return null
    if (PROBES.includes(url)) return null
    // Twice the same header is none (W3C Trace Context, 3.2); node joins them.
    const parent = readTrace(String(traceparent), typeof tracestate === 'string' ? tracestate : undefined)
    return tracing.begin('request', { parent }, { method: methodOf(method) })
  },
  end(span: Span, url: string, res: Answering): void {
    if (!tracing.isOn) return
    const { requestId, client } = res.locals ?? {}
    span.set({ route: routeOf(url), status: res.statusCode, requestId, client: client?.id })
    // A refusal is the caller's affair (semantic conventions, "HTTP server"); a stream ends when its reader leaves.
    if (!res.writableFinished && !isStream(res)) span.fail('aborted')
    else if (res.statusCode >= 500) span.fail(String(res.statusCode))
    span.end()
  },
})

/** A request that nobody has answered yet, before Express knows it and behind. */
export type Answering = ServerResponse & { locals?: Express.Locals }

/**
 * What is said of every request: one log line, without its query, and its duration; its id is the client's own if that
 * is sane. What the request does, which is `next`, is part of its caller's trace.
 */
export const receive = ({ newId, clock, log, tally, tracing, routeOf, config }: IdentifyDeps) => {
  const spans = createSpans({ tracing, routeOf })
  return (req: IncomingMessage, res: Answering, next: (requestId: string) => void): void => {
    const { url = '', method = '' } = req
    const span = spans.begin(req)
    const asked = req.headers['x-request-id']
    const requestId = typeof asked === 'string' && SANE_ID.test(asked) ? asked : newId('req')
    const locals = (res.locals ??= {})
    locals.requestId = requestId
    locals.address = addressOf(req, config.server.trust_proxy)
    const startedAtMs = clock.now()
    res.on('close', () => {
      const durationMs = clock.now() - startedAtMs
      tally.observe('http_request', durationMs, {
        http_request_method: methodOf(method),
        http_route: locals.route ?? routeOf(pathIn(url)) ?? 'unknown',
        http_response_status_code: res.headersSent ? String(res.statusCode) : '',
      })
      const fields = {
        request_id: requestId,
        method,
        path: loggedPath(url),
        status: res.statusCode,
        duration_ms: durationMs,
        client: locals.client?.id,
        address: locals.address,
        ...(span?.trace && { trace_id: span.trace.traceId }),
        ...(res.writableFinished ? {} : { aborted: true }),
      }
      writeLine(log, fields, locals.problem)
      if (span) spans.end(span, url, res)
    })
    // What began on the same connection before is no part of it.
    if (span?.trace) tracing.within(span.trace, () => next(requestId))
    else if (tracing.current() !== null) tracing.within(null, () => next(requestId))
    else next(requestId)
  }
}

/** Whether an answer differs by the page that asks, which a cache must know. */
export const differsByOrigin = (origins: readonly string[]): boolean => origins.length > 0 && !origins.includes('*')

/** What is on every answer: its request's id, and that it is nothing but what its type says. */
export const setEveryHeader = (res: ServerResponse, requestId: string): void => {
  res.setHeader('x-request-id', requestId)
  res.setHeader('x-content-type-options', 'nosniff')
}

/** Why a request can be read in two ways; null: in one. Of two headers, a proxy may have gone by the other. */
const ambiguityOf = ({ rawHeaders, headers, httpVersion }: IncomingMessage): string | null => {
  let hosts = 0
  let isTwofold = false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1
    // Of several node reports the first.
    else if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION)
      isTwofold ||= rawHeaders[i + 1] !== headers.authorization
  }
  if (hosts === 0 && httpVersion !== '1.0') return 'send the header Host'
  if (hosts > 1) return 'send only one header Host'
  return isTwofold ? 'send only one header Authorization' : null
}

/**
 * Throws `invalid_request` unless there is one `Host` (RFC 9112, 3.2) and no second, different `Authorization`.
 */
export const unambiguous: RequestHandler = (req, res, next) => {
  const ambiguity = ambiguityOf(req)
  if (ambiguity === null) return next()
  res.set('connection', 'close')
  throw new Problem('invalid_request', ambiguity)
}

/**
 * What is reported here is the client's own, and has links in it that are worth something for a while: no cache keeps
 * it.
 */
export const notStored: RequestHandler = (_req, res, next) => {
  res.setHeader('cache-control', 'no-store')
  next()
}

/** Throws `unauthenticated` unless a key that is good is presented. */
export const authenticate =
  (clients: Clients): RequestHandler =>
  (req, res, next) => {
    admitAs(res, clients.authenticate(req.get('authorization')))
    next()
  }

/** Behind `authenticate`: every request of a client counts for its usage, whatever it is answered. */
export const counted =
  (requests: { count: (client: string) => void }): RequestHandler =>
  (_req, res, next) => {
    requests.count(callerOf(res).id)
    next()
  }

/** Everything here is JSON: a caller that accepts none of it receives so before anything is done. */
export const acceptsJson: RequestHandler = (req, _res, next) => {
  const { accept } = req.headers
  const takesAll = accept === undefined || accept === '*/*'
  if (!takesAll && !req.accepts(['application/json', 'application/problem+json'])) {
    throw new Problem('not_acceptable', 'the answer is application/json: accept this type')
  }
  next()
}

const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD', 'DELETE']
/** No read and no delete takes a body: one that has any passes `noBody`. */
export const onReads =
  (noBody: RequestHandler): RequestHandler =>
  (req, res, next) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
    const mayHaveBody = length !== undefined || encoding !== undefined
    return mayHaveBody && WITHOUT_BODY.includes(req.method) ? noBody(req, res, next) : next()
  }
