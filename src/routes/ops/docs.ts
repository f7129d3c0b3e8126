import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Router, type RequestHandler } from 'express'
import { openApiDocument } from '../openapi/document.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { UNIFIED_OPERATIONS } from '../unified/operations/index.ts'
import { GATEWAY_OPERATIONS } from './operations.ts'

export const OPERATIONS = [...UNIFIED_OPERATIONS, ...GATEWAY_OPERATIONS]

/** Nothing from elsewhere, no script but our own files; the library sets `style` attributes, hence that exception. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ours = (name: string): string => fileURLToPath(new URL(`./page/${name}`, import.meta.url))

/** A build has its copy beside the page (`scripts/build.ts`); a checkout has the package. */
const libraryFile = (name: string): string => {
  const copy = ours(`swagger-ui/${name}`)
  return existsSync(copy) ? copy : fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))
}

const LIBRARY_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js']
const OUR_FILES = ['page.css', 'page.js']

const securely: RequestHandler = (_req, res, next) => {
  res.set({
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, no-cache',
  })
  next()
}

/** The API's own description: for programs at `/openapi.json`, for people at `/docs`, which loads nothing from elsewhere. */
export const docsRoutes = (): Router => {
  let made: { text: string; etag: string } | null = null
  const document = () => {
    if (made) return made
    const text = JSON.stringify(openApiDocument(OPERATIONS))
    made = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` }
    return made
  }

  const router = Router()
  router
    .route('/openapi.json')
    .get((req, res) => {
      const { text, etag } = document()
      res.set({ etag, 'cache-control': 'public, max-age=300' })
      if (req.fresh) res.status(304).end()
      else res.type('application/json').send(text)
    })
    .all(onlyMethods('GET', 'HEAD'))
  router
    .route('/docs')
    .get(securely, (_req, res) => res.sendFile(ours('index.html'), { dotfiles: 'allow', cacheControl: false }))
    .all(onlyMethods('GET', 'HEAD'))
  for (const [names, place] of [
    [LIBRARY_FILES, libraryFile],
    [OUR_FILES, ours],
  ] as const) {
    for (const name of names) {
      router
        .route(`/docs/assets/${name}`)
        .get(securely, (_req, res) => res.sendFile(place(name), { dotfiles: 'allow', cacheControl: false }))
        .all(onlyMethods('GET', 'HEAD'))
    }
  }
  return router
}
