import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, Response } from 'express'
import type { HandedThrough } from '../../core/adapter.ts'
import { bodyTooLarge, Problem } from '../../core/errors.ts'
import { exchanged, type Met } from '../../core/tracing.ts'
import type { Deps } from '../../deps.ts'
import type { Backend } from '../../engine/index.ts'
import { GONE, verdictOf, type Passage, type Through, type Verdict } from '../../resources/through.ts'
import { readable, setBackendRequestId, setDownward, upward } from './headers.ts'

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

/** A list of voices, or what else is public in a workspace. */
export const voicesOf = (backend: Backend, path: string, client: { id: string }): To => ({
  backend,
  path,
  budget: 'read',
  reader: client.id,
  operation: 'listVoices',
  credentials: true,
  maxBodyBytes: 0,
})

export interface Passthrough {
  /**
   * Streams one request to the backend and its answer back. Rejects with what the gateway has to say itself before the
   * backend answered; what it says in place of an answer goes to `next`, whose error middleware must answer at once.
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
    authorization: `${account.adapter.scheme} ${apiKey}`,
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
          authorization: credentials ? door.authorization : null,
          hasBody: maxBodyBytes > 0,
          isFresh,
          trace,
        })
      let verdict = GONE
      let headStatus = 0
      /** What is the backend's own is told at once; what the gateway says in its place, too. */
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
