import type { RequestHandler, Response } from 'express'
import { Problem } from '../../core/errors.ts'
import type { Scope } from '../../core/vocabulary.ts'
import { demand, type Client } from '../clients.ts'

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express is typed by merging into this namespace.
  namespace Express {
    interface Locals {
      requestId?: string
      client?: Client
    }
  }
}

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
