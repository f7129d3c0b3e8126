import type { RequestHandler } from 'express'
import { SURFACE_DOCS } from '../openapi/document.ts'
import { differsByOrigin } from './request.ts'

/** What a page of another origin may ask. An admin key has no business in one, and the rest is for proxies and machines. */
const OPEN = ['/unified/v1', '/api/v1', '/v1']
const CLOSED = ['/unified/v1/admin']

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Prefer',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'traceparent',
  'tracestate',
].join(', ')
/** Chromium believes a preflight no longer. */
const MAX_AGE_S = 7_200

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

/** Every header that a document names, so that a page reads what a program does. */
const exposed = (): string => {
  const documented = SURFACE_DOCS.flatMap(({ headers }) => Object.keys(headers.headers))
  return [...new Set([...documented, 'X-Backend-Request-Id'])].join(', ')
}

/**
 * CORS (the Fetch standard, "HTTP extensions") for pages of these origins; `*`: of all. Before everything that may
 * refuse: a browser hides an error without these headers. Never with credentials of the browser's own: keys are in
 * `Authorization`, and there are no cookies. Of a few lines, since the package for it answers every OPTIONS, and lets any
 * page send any header.
 */
export const shareAcrossOrigins = (origins: readonly string[]): RequestHandler[] => {
  if (origins.length === 0) return []
  const isForAll = origins.includes('*')
  const exposedHeaders = exposed()
  return [
    (req, res, next) => {
      if (!OPEN.some((prefix) => isBelow(req.path, prefix)) || CLOSED.some((prefix) => isBelow(req.path, prefix)))
        return next()
      // Also where there is none: a cache must not show that answer to a page.
      if (differsByOrigin(origins)) res.vary('Origin')
      const origin = req.get('origin')
      if (origin === undefined || !(isForAll || origins.includes(origin))) return next()
      res.setHeader('access-control-allow-origin', isForAll ? '*' : origin)
      if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) {
        res.setHeader('access-control-expose-headers', exposedHeaders)
        return next()
      }
      res.setHeader('access-control-allow-methods', METHODS)
      res.setHeader('access-control-allow-headers', REQUEST_HEADERS)
      res.setHeader('access-control-max-age', String(MAX_AGE_S))
      res.status(204).end()
    },
  ]
}
