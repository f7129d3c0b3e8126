import type { RequestHandler } from 'express'
import type { Clock } from '../../core/time/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { NewId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import type { Clients } from '../clients.ts'
import { callerOf } from './locals.ts'

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Characters of a path: more says no more, and whoever sends 15 kB would have them all stored. */
const MAX_LOGGED_PATH = 256

/** The path without its query; a callback's token is a capability and stays out of logs, however its path is spelled. */
const loggedPath = (url: string): string => {
  const path = url.split('?', 1)[0] ?? ''
  const start = path.length > MAX_LOGGED_PATH ? `${path.slice(0, MAX_LOGGED_PATH)}…` : path
  return start.replace(/(\/hooks\/+[^/]*\/).*/i, '$1***')
}

/**
 * `X-Request-Id` on every answer: the client's own if it is sane. No answer is anything but what its type says. One log
 * line a request, without its query.
 */
export const identify =
  ({ newId, clock, log }: { newId: NewId; clock: Clock; log: Log }): RequestHandler =>
  (req, res, next) => {
    const asked = req.get('x-request-id')
    const requestId = asked !== undefined && SANE_ID.test(asked) ? asked : newId('req')
    res.locals.requestId = requestId
    res.setHeader('x-request-id', requestId).setHeader('x-content-type-options', 'nosniff')
    const startedAtMs = clock.now()
    res.on('close', () => {
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

/**
 * Throws `invalid_request` unless there is one `Host` (RFC 9112, 3.2) and no second, different `Authorization`: of two, a
 * proxy may have gone by the one and the gateway by the other.
 */
export const unambiguous: RequestHandler = (req, res, next) => {
  const refuse = (message: string): never => {
    res.set('connection', 'close')
    throw new Problem('invalid_request', message)
  }
  let hosts = 0
  let isTwofold = false
  const { rawHeaders, headers } = req
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase()
    if (name === 'host') hosts += 1
    // Of several node tells the first.
    else if (name === 'authorization') isTwofold ||= rawHeaders[i + 1] !== headers.authorization
  }
  if (hosts === 0 && req.httpVersion !== '1.0') refuse('a request of HTTP/1.1 has a header Host')
  if (hosts > 1) refuse('send one header Host')
  if (isTwofold) refuse('send one header Authorization')
  next()
}

/** What is told here is the client's own, and has links in it that are worth something for a while: no cache keeps it. */
export const notStored: RequestHandler = (_req, res, next) => {
  res.setHeader('cache-control', 'no-store')
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
