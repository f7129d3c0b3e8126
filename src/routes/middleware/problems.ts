import type { ErrorRequestHandler, RequestHandler } from 'express'
import { iso, onTheWall, type Clock } from '../../core/time/clock.ts'
import { Problem, PROBLEMS } from '../../core/errors.ts'
import type { ProblemView } from '../../core/api/videos.ts'
import type { Log } from '../../core/log.ts'
import { bodyTooLarge } from './body.ts'

/** When to come back to a backend that is not there, where nobody knows: it may be there in a moment. */
const UNAVAILABLE_MS = 10_000

const retryTimeOf = (problem: Problem, clock: Clock): number | null => {
  if (problem.code !== 'backend_unavailable' || !problem.retryable) return problem.retryAtMs
  return problem.retryAtMs ?? clock.now() + UNAVAILABLE_MS
}

/** RFC 9457, with fields of ours. */
export const problemView = (problem: Problem, clock: Clock, requestId: string): ProblemView => {
  const retryAtMs = retryTimeOf(problem, clock)
  const { param, errors, details, backend, backendError, videoId } = problem.extras
  const { status, title } = PROBLEMS[problem.code]
  return {
    type: `urn:talkbridge:problem:${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    retryable: problem.retryable,
    retry_after_seconds: retryAtMs === null ? null : Math.max(1, Math.ceil((retryAtMs - clock.now()) / 1000)),
    retry_at: retryAtMs === null ? null : iso(onTheWall(clock, retryAtMs)),
    param: param ?? (errors?.[0]?.path || null),
    errors: errors ?? (param === undefined ? [] : [{ path: param, message: problem.message }]),
    details: details ?? null,
    backend: backend ?? null,
    backend_error: backendError ?? null,
    video_id: videoId ?? null,
    request_id: requestId,
  }
}

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

/** What the body parser threw, as ours: its `type` is its contract (body-parser, "Errors"). */
const fromBodyParser = (error: unknown): Problem | null => {
  switch (fieldOf(error, 'type')) {
    case 'entity.parse.failed':
      return new Problem('invalid_json', 'the body is not valid JSON')
    case 'entity.too.large':
      return bodyTooLarge()
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Problem('unsupported_media_type', 'send the body as application/json in UTF-8')
    case 'request.aborted':
    case 'request.size.invalid':
    case 'entity.verify.failed':
      return new Problem('invalid_request', 'the body did not arrive whole')
    default:
      return null
  }
}

export const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  const parsed = fromBodyParser(error)
  if (parsed) return parsed
  // What express and its router throw themselves: a path that cannot be decoded, for one.
  const status = fieldOf(error, 'status')
  if (status === 400) return new Problem('invalid_request', 'the request cannot be read', { cause: error })
  return new Problem('internal_error', 'something went wrong in the gateway', { cause: error })
}

/** The one place where an error becomes an answer: last of all, and nothing of its cause is shown. */
export const answerProblem =
  ({ clock, log }: { clock: Clock; log: Log }): ErrorRequestHandler =>
  (error, _req, res, _next) => {
    const problem = asProblem(error)
    const requestId = res.locals.requestId ?? ''
    const fields = { request_id: requestId, code: problem.code }
    // No budget, no room: it passes, and says when. An operator has nothing to mend.
    if (problem.status === 503 && problem.retryAtMs !== null)
      log.info({ ...fields, detail: problem.message }, 'not now')
    else if (problem.status >= 500) log.error({ ...fields, err: problem }, 'request failed')
    if (res.headersSent) {
      res.destroy()
      return
    }
    const body = problemView(problem, clock, requestId)
    if (body.retry_after_seconds !== null) res.set('retry-after', String(body.retry_after_seconds))
    if (problem.code === 'unauthenticated') res.set('www-authenticate', 'Bearer')
    res.status(body.status).type('application/problem+json').send(JSON.stringify(body))
  }

export const notFound: RequestHandler = (req) => {
  throw new Problem(
    'not_found',
    `there is nothing at ${req.method} ${req.path.slice(0, 200)}; /docs says what there is`,
  )
}

/** Behind the handlers of a path: any other method is 405 with `Allow`. */
export const onlyMethods =
  (...methods: string[]): RequestHandler =>
  (req, res) => {
    res.set('allow', methods.join(', '))
    throw new Problem('method_not_allowed', `${req.method} is not allowed here`)
  }

/** A word beside ids: what is read of a thing of that id is another route's, which knows none. */
export const postBesideIds: RequestHandler = (req, res, next) =>
  req.method === 'GET' || req.method === 'HEAD' ? next('route') : onlyMethods('GET', 'HEAD', 'POST')(req, res, next)
