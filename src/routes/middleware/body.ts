import express, { type RequestHandler } from 'express'
import { Problem } from '../../core/errors.ts'

/** Bytes of a JSON body (design 3). */
export const MAX_BODY_BYTES = 65_536

const parse = express.json({ limit: MAX_BODY_BYTES, strict: false, type: () => true })

/** Parses a JSON body: 415 for another type, 413 over 65536 bytes, 400 for what is no JSON (see `asProblem`). */
export const jsonBody: RequestHandler = (req, res, next) => {
  if (!req.is(['application/json', 'application/*+json'])) {
    throw new Problem('unsupported_media_type', 'send the body as application/json')
  }
  parse(req, res, next)
}

/** As `jsonBody`, where there is one: none says what an empty object says. */
export const optionalJsonBody: RequestHandler = (req, res, next) => {
  const isThere = req.get('transfer-encoding') !== undefined || Number(req.get('content-length') ?? 0) > 0
  if (isThere) {
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
  readNothing(req, res, (error?: unknown) => {
    const body: unknown = req.body
    if (error || (Buffer.isBuffer(body) && !SAYS_NOTHING.test(body.toString()))) {
      next(new Problem('invalid_request', 'this operation takes no body', { cause: error }))
    } else next()
  })
}

const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD', 'DELETE']
/** No read and no delete takes one. */
export const noBodyOfReads: RequestHandler = (req, res, next) =>
  WITHOUT_BODY.includes(req.method) ? noBody(req, res, next) : next()
