import express, { type Request, type RequestHandler } from 'express'
import { bodyTooLarge, Problem } from '../../core/errors.ts'

/** Bytes of a JSON body. */
const MAX_BODY_BYTES = 65_536

const announces = (req: Request, moreThanBytes: number): boolean =>
  Number(req.get('content-length') ?? 0) > moreThanBytes

/** RFC 9112, 6.3: a request without either has none. */
const hasBody = (req: Request): boolean => req.get('transfer-encoding') !== undefined || announces(req, 0)

/**
 * Parses a JSON body: 415 for another type, 413 over `maxBytes`, 400 for what is no JSON (see `asProblem`). `inflate`:
 * unpacks what is sent packed; else that is 415.
 */
export const jsonBodyOf = (maxBytes: number, types: string[], inflate = false): RequestHandler => {
  const parse = express.json({ limit: maxBytes, strict: false, type: () => true, inflate })
  return (req, res, next) => {
    if (!req.is(types)) {
      const without = hasBody(req) ? '' : ': this request has no body'
      throw new Problem('unsupported_media_type', `send the body as application/json${without}`)
    }
    if (!inflate && (req.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
      throw new Problem('unsupported_media_type', 'send the body as it is, without Content-Encoding')
    }
    // The parser would read all of it first, for as long as it takes to come.
    if (announces(req, maxBytes)) throw bodyTooLarge(maxBytes)
    parse(req, res, (error?: unknown) => {
      // What the parser throws itself has a `type`; the rest is zlib's.
      const isPacking = error instanceof Error && !('type' in error)
      if (!isPacking) return next(error)
      next(new Problem('invalid_request', 'the body does not match its Content-Encoding', { cause: error }))
    })
  }
}

export const jsonBody = jsonBodyOf(MAX_BODY_BYTES, ['application/json', 'application/*+json'], true)

/** As `jsonBody`, where there is one: none says what an empty object says. */
export const optionalJsonBody: RequestHandler = (req, res, next) => {
  if (hasBody(req)) {
    jsonBody(req, res, next)
  } else {
    req.body = {}
    next()
  }
}

/** More than any way to say nothing, and not much to read for nothing. */
const MAX_NOTHING_BYTES = 1_024
const SAYS_NOTHING = /^\s*(\{\s*\})?\s*$/
const readNothing = express.raw({ limit: MAX_NOTHING_BYTES, type: () => true })

/** Where no body is taken, one is refused; an empty object, which some clients always send, is none. */
export const noBody: RequestHandler = (req, res, next) => {
  if (!hasBody(req)) return next()
  const refused = (cause?: unknown) => new Problem('invalid_request', 'this operation takes no body', { cause })
  if (announces(req, MAX_NOTHING_BYTES)) throw refused()
  readNothing(req, res, (error?: unknown) => {
    const body: unknown = req.body
    const saysSomething = Buffer.isBuffer(body) && !SAYS_NOTHING.test(body.toString())
    next(error || saysSomething ? refused(error) : undefined)
  })
}

const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD', 'DELETE']
/** No read and no delete takes one. */
export const noBodyOfReads: RequestHandler = (req, res, next) =>
  WITHOUT_BODY.includes(req.method) ? noBody(req, res, next) : next()
