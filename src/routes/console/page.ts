import type { Request, RequestHandler, Response, Router } from 'express'
import { Problem } from '../../core/errors.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { createRouter } from '../router.ts'
import { CONSOLE } from './paths.ts'
import { send, type Served } from '../served.ts'
import { readFolder } from './folder.ts'

/** Nothing from elsewhere, no script and no style but our own files, nobody frames it, no form goes anywhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
/** Its name changes with what is in it. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_EACH_TIME = 'public, no-cache'

const NOT_BUILT = Buffer.from(`<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Talkbridge console</title>
  <h1>The console is not built</h1>
  <p>In this checkout run <code>npm run build:console</code>, then load this page again. A package has it built.</p>
  <p>The API is at <a href="/docs">/docs</a>.</p>
</html>
`)

/**
 * The page, from memory, by exact names: nothing of a path ever names a file of the machine. Any other path below is one
 * of the page's own, and gets the page.
 */
export const pageRoutes = (folder: string): Router => {
  let files: ReadonlyMap<string, Served> | null = null
  /** Looked for at each request until it is there: it may be built meanwhile. */
  const known = (): ReadonlyMap<string, Served> | null => (files ??= readFolder(folder))

  const page: RequestHandler = (req, res) => {
    const built = known()
    const index = built?.get('index.html')
    if (!built || !index) {
      res.status(503).set({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
      res.set('content-length', String(NOT_BUILT.length))
      return void res.end(NOT_BUILT)
    }
    const name = req.path.replace(/^\/(console\/)?/, '')
    send(req, res.set('cache-control', ASK_EACH_TIME), built.get(name) ?? index)
  }
  const asset = (req: Request, res: Response): void => {
    const found = known()?.get(req.path.replace(/^\/console\//, ''))
    if (!found) throw new Problem('not_found', 'the console has no such file; load its page again')
    send(req, res.set('cache-control', FOR_EVER), found)
  }
  const withHeaders: RequestHandler = (_req, res, next) => {
    res.set(HEADERS)
    next()
  }

  const router = createRouter()
  const only = onlyMethods('GET', 'HEAD')
  router.use(CONSOLE, withHeaders)
  router.route(['/console/assets', '/console/assets/{*name}']).get(asset).all(only)
  router.route(['/console', '/console/', '/console/*path']).get(page).all(only)
  return router
}
