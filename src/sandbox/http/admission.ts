import type { Request } from 'express'
import { keyOf } from '../keys.ts'
import type { Window } from '../rates.ts'
import type { Key } from '../state.ts'
import type { World } from '../world.ts'
import { Refusal, type Dialect } from './answer.ts'

/** Who asks, and the window that the answer tells, also when it is a refusal. */
export interface Caller {
  readonly key: Key | null
  readonly window: Window
}

export const callerOf = (world: World, dialect: Dialect, req: Request): Caller => {
  const key = keyOf(world.state, dialect.interface, req.headers.authorization)
  const limit = dialect.requestsPerMinute
  return { key, window: key ? world.rates.take(key.id, limit) : world.rates.untouched(limit) }
}

/** Throws 401, 429 or 403, in this order (undecided.ts, "Order of checks"). */
export const admitted = (world: World, { key, window }: Caller, scope: string | undefined): Key => {
  if (!key) throw unauthorized()
  if (!window.allowed) throw rateLimited(world, window)
  if (scope !== undefined && !key.scopes.includes(scope)) throw forbidden(scope)
  return key
}

export const unauthorized = (): Refusal =>
  new Refusal({
    status: 401,
    reason: 'unauthorized',
    message: 'A valid API key is needed: Authorization: Bearer <API_KEY>.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

export const rateLimited = (world: World, { limit, resetAtMs }: Window): Refusal => {
  const seconds = Math.max(1, Math.ceil((resetAtMs - world.clock.now()) / 1000))
  return new Refusal({
    status: 429,
    reason: 'rate_limited',
    message: `More than ${limit} requests in the current window.`,
    retryable: true,
    retryAfter: { seconds, atMs: resetAtMs },
  })
}

export const forbidden = (scope: string): Refusal =>
  new Refusal({ status: 403, reason: 'forbidden', message: `The key lacks the scope ${scope}.` })
