import type { RequestHandler } from 'express'
import { type Clock, andThen } from '../../core/time/clock.ts'
import { Problem } from '../../core/errors.ts'
import { RATE_WINDOW_MS, type Rates, type Taken } from '../../core/limits/rates.ts'
import { callerOf } from './locals.ts'

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
