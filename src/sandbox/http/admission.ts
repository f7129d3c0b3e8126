import type { Request } from 'express'
import { keyOf } from '../keys.ts'
import type { Window } from '../rates.ts'
import type { Key } from '../state.ts'
import type { World } from '../world.ts'
import { Refusal, type Dialect } from './answer.ts'

/** Who asks, and the window that the answer tells, also when it is a refusal. */
export const callerOf = (world: World, dialect: Dialect, req: Request): { key: Key | null; window: Window } => {
  const key = keyOf(world.state, dialect.interface, req.headers.authorization)
  const limit = dialect.requestsPerMinute
  return { key, window: key ? world.rates.take(key.id, limit) : world.rates.untouched(limit) }
}

/** The key, or a 401, 429 or 403, in this order (undecided.ts, "Order of checks"). */
export const admitted = (world: World, key: Key | null, window: Window, scope?: string): Key | Refusal => {
  if (!key) return unauthorized()
  if (!window.allowed) return rateLimited(world, window)
  return scope === undefined || key.scopes.includes(scope) ? key : forbidden(scope)
}

export const unauthorized = (): Refusal =>
  new Refusal(401, 'unauthorized', 'A valid API key is needed: Authorization: Bearer <API_KEY>.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

export const rateLimited = (world: World, { limit, resetAtMs }: Window): Refusal => {
  const seconds = Math.max(1, Math.ceil((resetAtMs - world.clock.now()) / 1000))
  const retryAfter = { seconds, atMs: resetAtMs }
  return new Refusal(429, 'rate_limited', `More than ${limit} requests in the current window.`, {
    retryable: true,
    retryAfter,
  })
}

export const forbidden = (scope: string): Refusal => new Refusal(403, 'forbidden', `The key lacks the scope ${scope}.`)
