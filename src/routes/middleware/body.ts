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
