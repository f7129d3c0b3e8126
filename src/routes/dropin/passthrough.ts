import type { IncomingHttpHeaders, ServerResponse, IncomingMessage } from 'node:http'
import { TOKEN } from '../../core/api/signed.ts'
import { VERSION } from '../../core/vocabulary.ts'
import type { NextFunction, Request, Response } from 'express'
import type { HandedThrough } from '../../core/adapter.ts'
import { bodyTooLarge, Problem } from '../../core/errors.ts'
import { exchanged, type Met } from '../../core/tracing.ts'
import type { Deps } from '../../deps.ts'
import type { Backend } from '../../engine/index.ts'
import { GONE, verdictOf, type Passage, type Through, type Verdict } from '../../resources/index.ts'

/** What of a client's request goes up. All else stays here: its key, its cookies, and what proxies said on the way. */
const UP = [
  'accept',
  'accept-language',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
] as const
/** Only without the backend's key: the gateway covers the key in whole and plain answers only. */
const UP_WITHOUT_KEY = ['accept-encoding', 'range', 'if-range'] as const
const UP_WITH_BODY = ['content-type', 'content-encoding', 'content-language'] as const

/** What of a backend's answer comes down, under its own name. */
const DOWN = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
  'expires',
  'vary',
  'retry-after',
  'x-service-next-poll-at',
  'x-service-credits-required',
  'x-service-credits-remaining',
] as const

/** What the window and the health are read from. */
const READ = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'date',
  'content-type',
  'retry-after',
  'x-service-next-poll-at',
] as const

const PLAIN_CONNECTIONS: readonly (string | undefined)[] = [undefined, 'keep-alive', 'close']

/** Whether the sender meant this header for its next neighbor only (RFC 9110, 7.6.1). */
const namedBy = (connection: string | undefined): ((name: string) => boolean) => {
  if (PLAIN_CONNECTIONS.includes(connection)) return () => false
  const named = new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return (name) => named.has(name)
}

const copy = (
  names: readonly string[],
  from: IncomingHttpHeaders,
  into: Record<string, string>,
  isLeftOut: (name: string) => boolean,
): void => {
  for (const name of names) {
    const value = from[name]
    if (typeof value === 'string' && !isLeftOut(name)) into[name] = value
  }
}

const USER_AGENT = `talkbridge/${VERSION}`

interface Upward {
  host: string
  /** The headers that carry the backend's key; null: nobody's credentials go up. */
  credential: Readonly<Record<string, string>> | null
  hasBody: boolean
  /** The connection is used for nothing else. */
  isFresh: boolean
  /** What says which trace it is part of: the gateway's own, in place of the client's. */
  trace: Readonly<Record<string, string>>
}

/** The headers of the request to the backend. Pure. */
export const upward = (
  asked: IncomingHttpHeaders,
  { host, credential, hasBody, isFresh, trace }: Upward,
): Record<string, string> => {
  const sent: Record<string, string> = { host, 'user-agent': USER_AGENT, ...trace }
  const isLeftOut = namedBy(asked.connection)
  if (credential === null) copy(UP_WITHOUT_KEY, asked, sent, isLeftOut)
  else Object.assign(sent, credential, { 'accept-encoding': 'identity' })
  if (isFresh) sent['connection'] = 'close'
  copy(UP, asked, sent, isLeftOut)
  if (hasBody) {
    copy(UP_WITH_BODY, asked, sent, isLeftOut)
    // A body of unknown length goes up in chunks, as node sends what has no length.
    if (asked['transfer-encoding'] === undefined) sent['content-length'] = asked['content-length'] ?? '0'
  }
  // Again: whatever header carries the key, a client's own never takes its place.
  return Object.assign(sent, credential)
}

/** What an adapter reads of an answer's head. Pure. */
const readable = (answered: IncomingHttpHeaders): Record<string, string> => {
  const read: Record<string, string> = {}
  copy(READ, answered, read, () => false)
  return read
}

/** Whether a header may come down: it has neither the backend's key nor a callback token. */
const isPublic = (value: string, secret: string): boolean => !value.includes(secret) && !TOKEN.test(value)

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The backend's own id of the request, for its support. */
const backendRequestId = (answered: IncomingHttpHeaders): string | null => {
  const id = answered['x-request-id'] ?? answered['request-id']
  return typeof id === 'string' && SANE_ID.test(id) ? id : null
}

const isJson = (type: string | undefined): boolean => /^application\/([\w.-]+\+)?json\b/i.test(type ?? '')

/** A page of the backend's must not act as one of the gateway's. */
const INERT = "default-src 'none'; sandbox"

/** Reports the backend's request id, the one that words the answer. `secret` is shown to nobody. */
const setBackendRequestId = (res: ServerResponse, answered: IncomingHttpHeaders, secret: string): void => {
  const id = backendRequestId(answered)
  if (id !== null && isPublic(id, secret)) res.setHeader('x-backend-request-id', id)
}

/** Sets what of an answer comes down. What the gateway said itself already stays; `secret` is in none of it. */
const setDownward = (res: ServerResponse, status: number, answered: IncomingHttpHeaders, secret: string): void => {
  const isLeftOut = namedBy(answered.connection)
  for (const name of DOWN) {
    const value = answered[name]
    if (typeof value !== 'string' || isLeftOut(name) || !isPublic(value, secret)) continue
    // Of both that vary it, either is right.
    if (name === 'vary' && res.hasHeader(name)) res.appendHeader(name, value)
    if (res.hasHeader(name)) continue
    // RFC 9110, 8.6: a 204 has none.
    if (name === 'content-length' && status === 204) continue
    res.setHeader(name, value)
  }
  if (!isJson(answered['content-type'])) res.setHeader('content-security-policy', INERT)
}

/** Where a backend is, and under which key the gateway speaks to it. */
export interface PassthroughTarget {
  /** May carry a path prefix. */
  baseUrl: string
  apiKey: string
}

export interface PassthroughDeps extends Pick<Deps, 'handThrough' | 'tracing'> {
  through: Through
  targets: (backend: string) => PassthroughTarget
}

export interface To {
  backend: Backend
  /** Below the backend's base URL. The route's own: of the client's URL only the query goes up. */
  path: string
  budget: Passage['budget']
  /** The client in whose share of reads it counts. */
  reader: string | null
  operation: HandedThrough | null
  /** The backend's key goes up. */
  credentials: boolean
  /** Counted in bytes; 0: the operation takes none. */
  maxBodyBytes: number
  /** Sees each answer that the client gets, before its body. */
  onAnswer?: (answer: IncomingMessage) => void
}

export interface Passthrough {
  /**
   * Streams one request to the backend and its answer back. Rejects with what the gateway has to say itself before the
   * backend answered; what it says in place of an answer goes to `next`, whose error middleware must answer
   * immediately.
   */
  forward(req: Request, res: Response, next: NextFunction, to: To): Promise<void>
}

/** What is known of a backend once and for all. */
const doorOf = ({ baseUrl, apiKey }: PassthroughTarget, { account }: Backend) => {
  const base = new URL(baseUrl)
  return {
    origin: new URL(base.origin),
    host: base.host,
    prefix: base.pathname.replace(/\/+$/, ''),
    credential: account.adapter.credential(apiKey),
    apiKey,
  }
}
type Door = ReturnType<typeof doorOf>

const queryOf = ({ originalUrl }: Request): string => {
  const at = originalUrl.indexOf('?')
  return at === -1 ? '' : originalUrl.slice(at)
}

/** RFC 9112, 6.3: a request without either has none. */
const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Before anything is asked for. A body of unknown length is counted on its way. */
const checkBody = (req: Request, maxBodyBytes: number): void => {
  if (maxBodyBytes === 0) {
    // Unread, it would go up with a request that has no place for it.
    if (hasBody(req) && !req.readableEnded) throw new Problem('invalid_request', 'this operation takes no body')
  } else if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
}

const metBy = (reply: Awaited<ReturnType<Deps['handThrough']>>, status: number): Met => {
  switch (reply.kind) {
    case 'head':
      return { status }
    case 'gone':
      return { fault: 'aborted' }
    case 'failed':
      return { fault: reply.fault }
  }
}

const packed = ({ name }: Backend): Problem =>
  new Problem('backend_error', 'the backend sent a compressed answer, which the gateway did not accept', {
    backend: name,
    retryable: false,
  })

export const createPassthrough = (deps: PassthroughDeps): Passthrough => {
  const { through, handThrough, targets, tracing } = deps
  const doors = new Map<string, Door>()
  const doorTo = (backend: Backend): Door => {
    const known = doors.get(backend.name)
    if (known) return known
    const door = doorOf(targets(backend.name), backend)
    doors.set(backend.name, door)
    return door
  }

  return {
    async forward(req, res, next, to) {
      const { backend, path, budget, reader, operation, credentials, maxBodyBytes, onAnswer } = to
      checkBody(req, maxBodyBytes)
      const door = doorTo(backend)
      const isFresh = budget === 'create'
      const passage: Passage = { backend, budget, reader, operation, isKeyed: credentials }
      const headersIn = (trace: Record<string, string>) =>
        upward(req.headers, {
          host: door.host,
          credential: credentials ? door.credential : null,
          hasBody: maxBodyBytes > 0,
          isFresh,
          trace,
        })
      let verdict = GONE
      let headStatus = 0
      /** What is the backend's own is passed on immediately; what the gateway says in its place, too. */
      const onHead = (answer: IncomingMessage): boolean => {
        const { statusCode: status = 0, headers: answered } = answer
        headStatus = status
        verdict = verdictOf(passage, { kind: 'answered', status, headers: readable(answered) })
        // The key cannot be found in packed bytes.
        if (credentials && (answered['content-encoding'] ?? 'identity') !== 'identity') verdict.own ??= packed(backend)
        setBackendRequestId(res, answered, door.apiKey)
        if (verdict.own !== null) {
          next(verdict.own)
          verdict.own = null
          return false
        }
        res.statusCode = status
        setDownward(res, status, answered, door.apiKey)
        onAnswer?.(answer)
        return true
      }
      const carry = (trace: Record<string, string>) =>
        handThrough(req, res, {
          origin: door.origin,
          path: door.prefix + path + queryOf(req),
          headers: headersIn(trace),
          secret: door.apiKey,
          isFresh,
          timeoutMs: backend.account.timeoutMs,
          maxBodyBytes,
          onHead,
        })
      const asked = { backend: backend.name, operation, method: req.method, origin: door.origin }
      const send = async (): Promise<Verdict> => {
        const reply = await exchanged(tracing, asked, carry, (met) => metBy(met, headStatus))
        return reply.kind === 'failed' ? verdictOf(passage, reply) : verdict
      }

      const { own } = await through(passage, send)
      if (own !== null) throw own
    },
  }
}
