import type { RequestHandler, Response } from 'express'
import type { Actor } from '../../core/access.ts'
import { Problem } from '../../core/errors.ts'
import { type Taken, RATE_WINDOW_MS, type Rates } from '../../core/limits/rates.ts'
import type { Scope } from '../../core/vocabulary.ts'
import { demand, type Caller, type Client } from '../clients.ts'
import { type Clock, andThen } from '../../core/time/clock.ts'

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express is typed by merging into this namespace.
  namespace Express {
    interface Locals {
      requestId?: string
      /** The caller's, as far as `server.trust_proxy` lets it be known. */
      address?: string | null
      /** Why the request was refused or failed: for its log line. */
      problem?: Problem
      /** Its operation's path, where that is known without a search. */
      route?: string
      client?: Client
      key?: Pick<Caller, 'keyId' | 'hold'>
      /** Of its client's rate, which is taken once. */
      taken?: Taken
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
export const unifiedHeaders = (taken: Taken, nowMs: number): Record<string, string> => ({
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
    return andThen(res.locals.taken ?? rates.take(id, limits.requestsPerMinute), (taken) => {
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
