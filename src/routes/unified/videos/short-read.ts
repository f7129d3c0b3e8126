import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Deps } from '../../../deps.ts'
import { Problem } from '../../../core/errors.ts'
import { logFailure } from '../../../core/log.ts'
import type { Taken } from '../../../core/limits/rates.ts'
import { andThen, type Soon } from '../../../core/time/clock.ts'
import { may, type Client } from '../../clients.ts'
import { differsByOrigin } from '../../middleware/cors.ts'
import { unifiedHeaders } from '../../middleware/caller.ts'
import { ambiguityOf, everyHeader, type Answering } from '../../middleware/request.ts'
import { retryAfterSeconds } from './pace.ts'
import { createShownVideos, OWN_AND_CHECKED, type Shown } from './shown.ts'

type ShortReadDeps = Pick<Deps, 'videos' | 'store' | 'clock' | 'log' | 'clients' | 'rates' | 'resources' | 'config'>

const ROUTE = '/unified/v1/videos/{id}'
const PATH = /^\/unified\/v1\/videos\/(vid_[0-9A-HJKMNP-TV-Z]{26})$/

/** By these the routes answer otherwise, or not at all. */
const isUnusual = (headers: IncomingHttpHeaders): boolean =>
  headers.prefer !== undefined ||
  headers.origin !== undefined ||
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined

/** Names JSON or everything, and weighs nothing. */
const TAKES_JSON = /^(?:[^;]*,)?\s*(?:\*\/\*|application\/json)\s*(?:,[^;]*)?$/
/** The pattern's cost grows with the square of the length; what is longer goes the long way. */
const MAX_ACCEPT_LENGTH = 256
const ONE_ETAG = /^(?:W\/)?"[\w-]*"$/

/** What is asked here of an `ETag`, by the rules for which the routes have a library. */
const isConditionPlain = (headers: IncomingHttpHeaders): boolean => {
  const asked = headers['if-none-match']
  return asked === undefined || (ONE_ETAG.test(asked) && headers['cache-control'] === undefined)
}

const isAcceptPlain = ({ accept }: IncomingHttpHeaders): boolean =>
  accept === undefined || (accept.length <= MAX_ACCEPT_LENGTH && TAKES_JSON.test(accept))

/** The id, if this is a read of one video as nearly all are: without a query or a body. */
const plainlyAsked = (req: IncomingMessage): string | null => {
  const { headers, method } = req
  if (method !== 'GET' && method !== 'HEAD') return null
  const id = PATH.exec(req.url ?? '')?.[1]
  return id === undefined || isUnusual(headers) || ambiguityOf(req) !== null ? null : id
}

/**
 * The short way of `getVideo`, which clients repeat: past the routes, with the body of the last read where that is
 * still the same. It answers 200 and 304 only, as the routes would. All else it leaves to them (`instead`), and has
 * taken nothing by then, or says what in `res.locals`.
 */
export const createShortRead = (deps: ShortReadDeps) => {
  const { clock, log, clients, rates, resources, config } = deps
  const shownOf = createShownVideos(deps)
  const vary = differsByOrigin(config.server.cors.origins) ? ['Vary', 'Origin'] : []

  const clientOf = (authorization: string | undefined): Client | null => {
    const caller = clients.known(authorization)
    return caller && may(caller.client, 'videos:read') ? caller.client : null
  }

  const answer = (req: IncomingMessage, res: Answering, requestId: string, taken: Taken, shown: Shown): void => {
    const { body, bytes, etag, isTerminal, nextPollAtMs } = shown
    const head = [...everyHeader(requestId), ...vary, 'cache-control', OWN_AND_CHECKED]
    const limits = unifiedHeaders(taken, clock.now())
    for (const name in limits) head.push(name, limits[name] ?? '')
    if (!isTerminal) head.push('retry-after', String(retryAfterSeconds(nextPollAtMs, clock.wall())))
    head.push('etag', etag)
    const known = req.headers['if-none-match']
    if (known === etag || known === `W/${etag}`) return void res.writeHead(304, head).end()
    head.push('content-type', 'application/json; charset=utf-8', 'content-length', String(bytes))
    // Without a letter beyond ASCII, head and body are one string that is copied as it is.
    res.writeHead(200, head).end(body, bytes === body.length ? 'latin1' : 'utf8')
  }

  /** Whether it was answered: immediately, if the store need not be read and the rate is counted here. */
  const read = (
    req: IncomingMessage,
    res: Answering,
    requestId: string,
    { id, client }: { id: string; client: Client },
  ): Soon<boolean> => {
    const locals = (res.locals ??= {})
    locals.client = client
    locals.route = ROUTE
    return andThen(rates.take(client.id, client.limits.requestsPerMinute), (taken) => {
      // What is refused was not counted.
      if (!taken.ok) return false
      locals.taken = taken
      return andThen(shownOf(client.id, id), (shown) => {
        if (shown === null) return false
        resources.requests.count(client.id)
        answer(req, res, requestId, taken, shown)
        return true
      })
    })
  }

  const readOrNot = async (
    req: IncomingMessage,
    res: Answering,
    requestId: string,
    asked: { id: string; client: Client },
  ): Promise<boolean> => {
    // Whatever came together with the request is read first, as it is where the routes answer.
    await Promise.resolve()
    try {
      const isAnswered = read(req, res, requestId, asked)
      return isAnswered instanceof Promise ? await isAnswered : isAnswered
    } catch (err) {
      // The routes meet it again, and tell it.
      if (!(err instanceof Problem)) logFailure(log, { request_id: requestId, err }, 'the short way of a read failed')
      return false
    }
  }

  return (req: IncomingMessage, res: Answering, requestId: string, instead: () => void): void => {
    const id = plainlyAsked(req)
    const client = id === null ? null : clientOf(req.headers.authorization)
    // The key comes first: strangers choose what is in these headers.
    if (id === null || client === null || !isAcceptPlain(req.headers) || !isConditionPlain(req.headers))
      return instead()
    void readOrNot(req, res, requestId, { id, client }).then(
      (isAnswered) => isAnswered || (res.headersSent ? res.destroy() : instead()),
    )
  }
}
