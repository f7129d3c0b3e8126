import type { RequestHandler } from 'express'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { NewId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import type { Clients } from '../clients.ts'
import { callerOf } from './locals.ts'

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The path without its query; a callback's token is a capability and stays out of logs, however its path is spelled. */
const loggedPath = (url: string): string => (url.split('?', 1)[0] ?? '').replace(/(\/hooks\/+[^/]*\/).*/i, '$1***')

/** `X-Request-Id` on every answer: the client's own if it is sane. One log line a request, without its query. */
export const identify =
  ({ newId, clock, log }: { newId: NewId; clock: Clock; log: Log }): RequestHandler =>
  (req, res, next) => {
    const asked = req.get('x-request-id')
    const requestId = asked !== undefined && SANE_ID.test(asked) ? asked : newId('req')
    res.locals.requestId = requestId
    res.set('x-request-id', requestId)
    const startedAtMs = clock.now()
    res.once('close', () => {
      const fields = {
        request_id: requestId,
        method: req.method,
        path: loggedPath(req.originalUrl),
        status: res.statusCode,
        duration_ms: clock.now() - startedAtMs,
        client: res.locals.client?.id,
        ...(res.writableFinished ? {} : { aborted: true }),
      }
      log.info(fields, 'request')
    })
    next()
  }

/** Throws `unauthenticated` unless a configured key is presented. */
export const authenticate =
  (clients: Clients): RequestHandler =>
  (req, res, next) => {
    res.locals.client = clients.authenticate(req.get('authorization'))
    next()
  }

/** Behind `authenticate`: every request of a client counts for its usage, whatever it is answered. */
export const counted =
  (requests: { count: (client: string) => void }): RequestHandler =>
  (_req, res, next) => {
    requests.count(callerOf(res).id)
    next()
  }

/** Everything here is JSON: a caller that accepts none of it hears so before anything is done. */
export const acceptsJson: RequestHandler = (req, _res, next) => {
  if (!req.accepts(['application/json', 'application/problem+json'])) {
    throw new Problem('not_acceptable', 'answers are application/json')
  }
  next()
}
