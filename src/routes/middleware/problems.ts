import { Router, type ErrorRequestHandler, type RequestHandler } from 'express'
import { Problem, bodyTooLarge } from '../../core/errors.ts'
import type { Surface } from '../../core/vocabulary.ts'
import { alternateError } from '../dropin/alternate/errors.ts'
import { backendsBehind } from '../dropin/behind.ts'
import { primaryError } from '../dropin/primary/errors.ts'
import { problemView, type ErrorAnswer, type ErrorContext, originOf } from './view.ts'
import { onTheWall } from '../../core/time/clock.ts'
import type { Deps } from '../../deps.ts'

/**
 * Paths match to the letter, with no slash too many: a rule of a proxy for one path is then a rule for all that the
 * gateway takes for it. For every router, since none inherits from the one that it is under.
 */
export const createRouter = (): Router => Router({ caseSensitive: true, strict: true })

const PREFIXES = [
  ['/api/v1', 'primary'],
  ['/v1', 'alternate'],
] as const satisfies readonly (readonly [string, Surface])[]

/**
 * The path that a request names: without its query, and without the origin that it may begin with (RFC 9112, 3.2.2).
 */
export const pathIn = (url: string): string => (url.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '')

/** Whose words a path is answered in. */
const surfaceOf = (path: string): Surface =>
  PREFIXES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1] ?? 'unified'

const unifiedError = (problem: Problem, { clock, requestId }: ErrorContext): ErrorAnswer => {
  const body = problemView(problem, clock, requestId)
  return {
    status: body.status,
    type: 'application/problem+json',
    headers: body.retry_after_seconds === null ? {} : { 'retry-after': String(body.retry_after_seconds) },
    body,
  }
}

const WORDS = {
  unified: unifiedError,
  primary: primaryError,
  alternate: alternateError,
} as const satisfies Record<Surface, (problem: Problem, context: ErrorContext) => ErrorAnswer>

/** A problem in the words of the surface that was asked. Pure. */
export const errorAnswer = (problem: Problem, context: ErrorContext): ErrorAnswer =>
  WORDS[surfaceOf(context.path)](problem, context)

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

const failureOf = (text: string): string => {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return String(fieldOf(error, 'message'))
  }
}

/**
 * V8 gives no place for a token that it did not expect: it is the end of the shortest beginning that has this fault.
 */
const unexpectedAt = (text: string): number => {
  let [before, at] = [0, text.length]
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (failureOf(text.slice(0, middle)).startsWith('Unexpected token')) at = middle
    else before = middle
  }
  return at - 1
}

/** Where a body stops being JSON; never what is there, which may be a secret. */
const placeIn = (message: unknown, body: unknown): string => {
  const said = typeof message === 'string' ? message : ''
  if (said === 'Unexpected end of JSON input') return ': it ends too early'
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(said.slice(0, 300)) ?? []
  if (line !== undefined) return `: line ${line}, column ${column}`
  if (!said.startsWith('Unexpected token') || typeof body !== 'string') return ''
  const lines = body.slice(0, unexpectedAt(body)).split('\n')
  return `: line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}

/** What the body parser threw, as ours: its `type` is its contract (body-parser, "Errors"). */
const fromBodyParser = (error: unknown): Problem | null => {
  switch (fieldOf(error, 'type')) {
    case 'entity.parse.failed':
      return new Problem(
        'invalid_json',
        `the body is not valid JSON${placeIn(fieldOf(error, 'message'), fieldOf(error, 'body'))}`,
      )
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

type AnswerProblemDeps = Pick<Deps, 'clock' | 'tally' | 'config' | 'origin' | 'backends'>

/** The one place where an error becomes an answer: last of all, and nothing of its cause is shown. */
export const answerProblem =
  (deps: AnswerProblemDeps): ErrorRequestHandler =>
  (error, req, res, _next) => {
    const { clock, tally, config } = deps
    const problem = asProblem(error)
    tally.count('problem', { code: problem.code, source: problem.extras.backendError ? 'backend' : 'gateway' })
    const requestId = res.locals.requestId ?? ''
    res.locals.problem = problem
    if (res.headersSent) {
      res.destroy()
      return
    }
    const { retryAtMs } = problem
    if (problem.code === 'rate_limited' && retryAtMs !== null && Number(res.get('x-ratelimit-remaining')) > 0) {
      // A window, but not the client's own: what is left of that would invite it to retry immediately.
      const resetS = Math.ceil(onTheWall(clock, retryAtMs) / 1_000)
      res.set({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetS) }).removeHeader('ratelimit')
    }
    const path = pathIn(req.originalUrl)
    const interfaceOf = (backend: string): string | null => config.backends[backend]?.interface ?? null
    const { client } = res.locals
    const refusalOn: ErrorContext['refusalOn'] = (surface) => {
      // A request without a key gets the form of the service behind the surface.
      const [backend] = backendsBehind(surface, { visible: client?.visible ?? deps.backends }, config.routing).backends
      return backend?.interface === surface ? backend.account.adapter.manner.refusal : null
    }
    const context = { clock, requestId, method: req.method, path, origin: originOf(req, deps), interfaceOf, refusalOn }
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
