import type { RequestHandler } from 'express'
import { Problem } from '../../core/errors.ts'

/** No form can send it, and no page of another origin without being asked for it first, which is refused. */
const HEADER = 'x-talkbridge-console'

/**
 * Throws `invalid_request` for a change that the console's own page did not ask for: its cookie alone says nothing of who
 * makes the browser send it. `Sec-Fetch-Site` is the browser's own word (Fetch Metadata); older ones say nothing.
 */
export const fromOwnPage: RequestHandler = (req, _res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return next()
  const site = req.get('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') {
    throw new Problem('invalid_request', 'only the page of the console may send this request')
  }
  if (req.get(HEADER) !== '1') throw new Problem('invalid_request', 'send the header `X-Talkbridge-Console: 1`')
  next()
}
