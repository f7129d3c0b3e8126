import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Deps } from '../../deps.ts'
import { bodyTooLarge, Problem } from '../../core/errors.ts'
import { errorAnswer, pathIn } from './answers.ts'
import { originOf } from './origin.ts'
import { logFailure } from '../../core/expected.ts'

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

/** What the body parser threw, as ours: its `type` is its contract (body-parser, "Errors"). */
const fromBodyParser = (error: unknown): Problem | null => {
  switch (fieldOf(error, 'type')) {
    case 'entity.parse.failed':
      return new Problem('invalid_json', 'the body is not valid JSON')
    case 'entity.too.large':
      return bodyTooLarge(Number(fieldOf(error, 'limit')))
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Problem('unsupported_media_type', 'send the body as application/json in UTF-8')
    case 'request.aborted':
    case 'request.size.invalid':
    case 'entity.verify.failed':
      return new Problem('invalid_request', 'the body did not arrive completely')
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
  if (status === 400) return new Problem('invalid_request', 'the gateway cannot read the request', { cause: error })
  return new Problem('internal_error', 'something went wrong in the gateway', { cause: error })
}

export type AnswerProblemDeps = Pick<Deps, 'clock' | 'log' | 'tally' | 'config' | 'origin'>

/** The one place where an error becomes an answer: last of all, and nothing of its cause is shown. */
export const answerProblem =
  (deps: AnswerProblemDeps): ErrorRequestHandler =>
  (error, req, res, _next) => {
    const { clock, log, tally, config } = deps
    const problem = asProblem(error)
    tally.count('problem', { code: problem.code, source: problem.extras.backendError ? 'backend' : 'gateway' })
    const requestId = res.locals.requestId ?? ''
    const fields = { request_id: requestId, code: problem.code }
    // No budget, no room, a stop that was asked for: it passes. An operator has nothing to mend.
    if (problem.code === 'shutting_down' || (problem.status === 503 && problem.retryAtMs !== null))
      log.info({ ...fields, detail: problem.message }, 'not now')
    else if (problem.status >= 500) logFailure(log, { ...fields, err: problem }, 'request failed')
    if (res.headersSent) {
      res.destroy()
      return
    }
    const path = pathIn(req.originalUrl)
    const interfaceOf = (backend: string): string | null => config.backends[backend]?.interface ?? null
    const context = { clock, requestId, method: req.method, path, origin: originOf(req, deps), interfaceOf }
    const { status, type, headers, body } = errorAnswer(problem, context)
    if (problem.code === 'unauthenticated') res.set('www-authenticate', 'Bearer')
    res.status(status).set(headers).type(type).send(JSON.stringify(body))
  }

export const notFound: RequestHandler = (req) => {
  throw new Problem('not_found', `there is no ${req.method} ${req.path.slice(0, 200)}: see /docs for what exists`)
}

/** Behind the handlers of a path: any other method is 405 with `Allow`. */
export const onlyMethods =
  (...methods: string[]): RequestHandler =>
  (req, res) => {
    res.set('allow', methods.join(', '))
    throw new Problem('method_not_allowed', `${req.method} is not allowed here: see the header Allow`)
  }

/** A word beside ids: what is read of a thing of that id is another route's, which knows none. */
export const postBesideIds: RequestHandler = (req, res, next) =>
  req.method === 'GET' || req.method === 'HEAD' ? next('route') : onlyMethods('GET', 'HEAD', 'POST')(req, res, next)
